"""Bad input of every kind: its message, its exit code, and nothing left behind."""

import os
import unittest

from harness import SMALL, SPEC, CliTest


class BadSpec(CliTest):
    def refused(self, spec, *texts, code=2):
        before = sorted(os.listdir(self.dir))
        done = self.solve("--out", "run", spec=spec)
        self.expect(done, code, *texts)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.nothing_written(before)

    def test_no_spec(self):
        self.expect(self.fenchel("solve", "absent.yaml"), 2, "absent.yaml")

    def test_unknown_key_with_the_nearest_name(self):
        self.refused(SPEC.replace("regularizer:", "regulariser:"), "spec.yaml:4:1", "regulariser", "did you mean 'regularizer'?")

    def test_unknown_component(self):
        self.refused(SPEC.replace("logistic", "logistik"), "spec.yaml:3:7", "did you mean 'logistic'?")

    def test_unknown_parameter(self):
        self.refused(SPEC.replace("lambda", "lamda"), "spec.yaml:4:", "regularizer.l2.lamda", "did you mean 'lambda'?")

    def test_parameter_out_of_range(self):
        self.refused(SPEC.replace("0.1", "-0.1"), "spec.yaml:4:", "regularizer.l2.lambda", "(0, inf)", "-0.1")

    def test_wrong_type(self):
        self.refused(SPEC.replace("0.1", "much"), "regularizer.l2.lambda", "much")

    def test_missing_parameter(self):
        self.refused(SPEC.replace("{l2: {lambda: 0.1}}", "l2"), "spec.yaml:4:", "lambda")

    def test_broken_yaml(self):
        self.refused(SPEC + "x: [1, 2\n", "spec.yaml:")

    def test_an_alias_bomb(self):
        bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
        for one, two in zip("abcdefgh", "bcdefghi"):
            bomb += f"{two}: &{two} [" + ", ".join([f"*{one}"] * 9) + "]\n"
        self.refused(SPEC + bomb, "spec.yaml")

    def test_deep_nesting(self):
        self.refused(SPEC + "x: " + "[" * 100000, "spec.yaml")

    def test_bad_set(self):
        self.expect(self.solve("--set", "nonsense"), 2, "--set")
        self.expect(self.solve("--set", "stop.gapp=1"), 2, "did you mean 'gap'?")

    def test_usage(self):
        self.expect(self.fenchel(), 2)
        self.expect(self.fenchel("solve"), 2)
        self.expect(self.fenchel("dance"), 2)
        self.expect(self.solve("--threads", "0"), 2)

    def test_an_output_that_is_a_file(self):
        self.write("run", "in the way")
        self.expect(self.solve("--out", "run"), 2, "run")
        with open(self.path("run")) as file:
            self.assertEqual(file.read(), "in the way")

    def test_refused_by_the_check_names_requirement_needed_and_found(self):
        self.refused(SPEC.replace("logistic", "hinge"), "spec.yaml:5:9", "solver 'fista' does not fit",
                     "smoothness of the loss", "found absent", code=4)
        self.refused(SPEC.replace("{l2: {lambda: 0.1}}", "{l1: {lambda: 0.1}}").replace("fista", "prox-sdca"),
                     "strong-convexity of the regularizer", "found absent", code=4)
        self.refused(SPEC.replace("{train: train.libsvm}", "{train: train.libsvm, bias: free}").replace("fista", "prox-sdca"),
                     "strong-convexity of the regularizer", code=4)


class BadData(CliTest):
    def refused(self, data, *texts, spec=SPEC):
        self.write("train.libsvm", data)
        before = sorted(os.listdir(self.dir))
        self.expect(self.solve("--out", "run", spec=spec), 2, *texts)
        self.nothing_written(before)

    def test_missing_file(self):
        self.refused(SMALL, "spec.yaml:2:", "data.train", "absent", spec=SPEC.replace("train.libsvm", "absent"))

    def test_nan_and_infinity(self):
        self.refused(SMALL + "+1 1:nan\n", "train.libsvm:7", "nan")
        self.refused(SMALL + "+1 1:inf\n", "train.libsvm:7", "inf")

    def test_a_broken_line(self):
        self.refused(SMALL + "+1 1:2 xyz\n", "train.libsvm:7", "xyz")

    def test_an_index_out_of_order(self):
        self.refused(SMALL + "+1 3:1 2:1\n", "train.libsvm:7", "index 2 after 3")

    def test_an_empty_file(self):
        self.refused("", "train.libsvm")

    def test_three_labels_for_a_binary_loss(self):
        self.refused(SMALL + "3 1:1\n", "train.libsvm", "3")

    def test_one_label_for_a_binary_loss(self):
        self.refused("1 1:1\n1 2:1\n", "train.libsvm")

    def test_names_for_a_regression(self):
        self.refused("a 1:1\nb 2:1\n", "train.libsvm", spec=SPEC.replace("logistic", "squared"))

    def test_a_test_label_unseen_in_training(self):
        self.write("test.libsvm", "7 1:1\n")
        self.refused(SMALL, "test.libsvm", "7", spec=SPEC.replace("train.libsvm}", "train.libsvm, test: test.libsvm}"))

    def test_a_corrupt_archive(self):
        with open(self.path("train.libsvm"), "wb") as file:
            file.write(b"\x1f\x8b\x08\x00broken")
        self.expect(self.solve("--out", "run"), 2, "train.libsvm")
        self.assertFalse(os.path.exists(self.path("run")))

    def test_empty_rows_and_columns_are_fine(self):
        self.write("train.libsvm", SMALL + "+1\n-1 9:1\n")
        for solver in ("fista", "prox-sdca"):
            self.assertEqual(self.result("--set", f"solver={solver}")["problem"]["d"], 9)


class BadModel(CliTest):
    def test_predict_with_a_broken_model(self):
        self.write("model.json", "{")
        self.expect(self.fenchel("predict", "model.json", "train.libsvm"), 2, "model.json")
        self.expect(self.fenchel("predict", "absent", "train.libsvm"), 2, "absent")

    def test_predict_on_bad_data_writes_nothing(self):
        self.solve("--out", "run")
        self.write("bad.libsvm", "+1 1:x\n")
        self.expect(self.fenchel("predict", "run", "bad.libsvm", "--out", "p.txt"), 2, "bad.libsvm:1")
        self.assertFalse(os.path.exists(self.path("p.txt")))


if __name__ == "__main__":
    unittest.main()
