"""Sequences from text to labels: solve, predict, and what is refused."""

import json
import os
import unittest

from harness import SOURCE, CliTest

SPEC = """\
fenchel: 1
data:
  train: {data}/tales.conll
  test: {data}/tales-test.conll
  columns: [word, tag, chunk]
  features: ["word[0]", "tag[-1..1]", "tag[-1..0]|tag[0..1]"]
  transitions: bio
loss: {{chain-squared: {{unused: 2}}}}
regularizer: {{l2: {{lambda: 0.001}}}}
solver: fista
stop: {{relative-gap: 1e-6}}
""".format(data=os.path.join(SOURCE, "specs", "data"))


class Sequences(CliTest):
    fixtures = ("chain-squared",)

    def data(self, name):
        return os.path.join(SOURCE, "specs", "data", name)

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_a_chunker_defined_in_yaml_learns_and_predicts(self):
        found = self.result("--out", "run", spec=SPEC, fixtures=self.fixtures)
        train, test = found["metrics"]["train"], found["metrics"]["test"]
        self.assertTrue(found["certificate"]["verified"])
        self.assertEqual(found["problem"]["n"], 30)
        self.assertGreater(train["chunk_f1"], 0.8)
        self.assertGreater(test["chunk_f1"], 0.6)
        self.assertEqual(set(test), {"accuracy", "sequence_accuracy", "macro_f1", "chunk_precision", "chunk_recall",
                                     "chunk_f1", "classes", "chunks", "confusion"})
        model = json.loads(self.bytes("run/model.json"))
        self.assertEqual((model["map"], model["target"]), ("chain", "sequence"))
        self.assertEqual(model["loss_parameters"], {"unused": 2})
        with open(self.path("run/attributes.txt")) as file:
            self.assertEqual(len(file.read().splitlines()), model["features"])

        done = self.fenchel("predict", "run", self.data("tales-test.conll"), fixtures=self.fixtures)
        self.expect(done, 0, f"chunk_f1 {test['chunk_f1']:.6g}", f"accuracy {test['accuracy']:.6g}")
        with open(self.data("tales-test.conll")) as file:
            gold = [line.split() for line in file.read().splitlines()]
        lines = done.stdout.splitlines()
        self.assertEqual([not line for line in lines], [not row for row in gold])
        right = sum(row[2] == line for row, line in zip(gold, lines) if row)
        self.assertAlmostEqual(right / sum(map(bool, gold)), test["accuracy"])
        for before, line in zip(["", *lines], lines):
            if line.startswith("I-"):
                self.assertEqual(before[2:], line[2:])

    def test_threads_do_not_change_the_weights(self):
        models = []
        for threads in "12":
            self.result("--out", threads, "--threads", threads, "--set", "run.certify-every=5", spec=SPEC,
                        fixtures=self.fixtures)
            models.append([self.bytes(f"{threads}/{name}") for name in ("weights.npy", "transitions.npy")])
        self.assertEqual(*models)

    def test_text_without_labels_can_be_labelled(self):
        self.result("--out", "run", spec=SPEC, fixtures=self.fixtures)
        self.write("raw.txt", "The DT\nfox NN\nran VBD\n\nAnna NNP\n")
        done = self.fenchel("predict", "run", "raw.txt", "--probabilities", fixtures=self.fixtures)
        self.expect(done, 0)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertTrue(lines[0].startswith("prediction,probability_B-ADJP"))
        self.assertEqual([line.split(",")[0] for line in lines[1:]], ["B-NP", "I-NP", "B-VP", "", "B-NP"])

    def test_crfsuite_files_are_solved_and_predicted(self):
        self.write("train.crfsuite", "X\tw=a\nY\tw=b:2\n\nY\tw=b\nX\tw=a\nX\tw=\\:\n")
        spec = SPEC[:SPEC.index("data:")] + "data: {train: train.crfsuite}\n" + SPEC[SPEC.index("loss:"):]
        self.result("--out", "run", spec=spec, fixtures=self.fixtures)
        done = self.fenchel("predict", "run", "train.crfsuite", fixtures=self.fixtures)
        self.expect(done, 0, "accuracy 1")
        self.assertEqual(done.stdout, "X\nY\n\nY\nX\nX\n")

    def test_the_check_tells_what_the_sequences_are(self):
        self.write("spec.yaml", SPEC)
        done = self.fenchel("check", "spec.yaml", fixtures=self.fixtures)
        self.expect(done, 0)
        self.assertIn("30 sequences of at most 9 positions, 9 labels, ", done.stdout)
        self.assertIn("transitions allowed", done.stdout)

    def test_the_resolved_spec_solves_to_the_same(self):
        first = self.result("--out", "run", "--set", "run.certify-every=5", spec=SPEC, fixtures=self.fixtures)
        done = self.fenchel("solve", "run/spec.yaml", "--json", fixtures=self.fixtures)
        self.assertEqual(json.loads(done.stdout)["primal"], first["primal"])

    def test_positions_by_themselves_under_a_loss_over_classes(self):
        spec = SPEC.replace("{chain-squared: {unused: 2}}", "multinomial")
        self.expect(self.solve(spec=spec), 2, "data.transitions", "looks at every position by itself")
        spec = spec.replace("  transitions: bio\n", "")
        self.result("--out", "run", spec=spec)
        done = self.fenchel("predict", "run", self.data("tales-test.conll"), "--scores")
        self.expect(done, 0, "accuracy")
        self.assertEqual(done.stdout.splitlines()[9], "")

    def test_a_label_unseen_in_training_is_refused_or_counted_as_wrong(self):
        self.write("new.conll", "The DT B-NP\nfox NN I-NP\n\nsoon RB B-TIME\n")
        spec = SPEC.replace(self.data("tales-test.conll"), "new.conll")
        self.expect(self.solve(spec=spec, fixtures=self.fixtures), 2, "new.conll:4", "B-TIME")
        found = self.result(spec=spec.replace("  transitions", "  unseen-labels: wrong\n  transitions"), fixtures=self.fixtures)
        test = found["metrics"]["test"]
        self.assertEqual(test["classes"]["B-TIME"], {"support": 1, "recall": 0.0, "f1": 0.0})
        self.assertLessEqual(test["accuracy"], 2 / 3)

    def test_predict_needs_the_plugin_that_labels(self):
        self.result("--out", "run", spec=SPEC, fixtures=self.fixtures)
        self.expect(self.fenchel("predict", "run", self.data("tales-test.conll")), 2, "unknown loss 'chain-squared'")

    def test_class_weights_and_a_free_bias_are_refused(self):
        weighted = SPEC.replace("{chain-squared: {unused: 2}}", "{weighted: {of: chain-squared, classes: {O: 2}}}")
        self.expect(self.solve(spec=weighted, fixtures=self.fixtures), 2, "one label an example")
        self.expect(self.solve("--set", "data.bias=free", spec=SPEC, fixtures=self.fixtures), 4, "free bias")

    def test_a_penalized_bias_and_scaling_reach_the_model(self):
        found = self.result("--out", "run", "--set", "data.bias=penalized", "--set", "data.normalize=rows", spec=SPEC,
                            fixtures=self.fixtures)
        done = self.fenchel("predict", "run", self.data("tales-test.conll"), fixtures=self.fixtures)
        self.expect(done, 0, f"accuracy {found['metrics']['test']['accuracy']:.6g}")


if __name__ == "__main__":
    unittest.main()
