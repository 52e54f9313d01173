"""The road from a spec to files and predictions."""

import csv
import json
import os
import random
import signal
import struct
import subprocess
import time
import unittest

from harness import FENCHEL, SOURCE, SPEC, CliTest

KEYS = {"status", "message", "primal", "dual", "gap", "relative_gap", "certificate", "iterations", "passes",
        "seconds", "problem", "constants", "loss", "regularizer", "solver", "metrics", "version"}


class Solve(CliTest):
    def test_json_is_the_result_and_nothing_else(self):
        result = self.result()
        self.assertLessEqual(KEYS, set(result))
        self.assertEqual(result["status"], "converged")
        self.assertEqual(result["certificate"], {"kind": "duality-gap", "verified": True})
        self.assertLessEqual(result["relative_gap"], 1e-6)
        self.assertAlmostEqual(result["gap"], result["primal"] - result["dual"], places=12)
        self.assertEqual(result["problem"], {"n": 6, "d": 3, "nnz": 10, "outputs": 1})
        self.assertEqual(set(result["seconds"]), {"load", "check", "solve", "certify", "total"})
        self.assertIn("accuracy", result["metrics"]["train"])

    def test_the_folder_holds_result_trace_model_and_spec(self):
        done = self.solve("--out", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual({"result.json", "trace.csv", "model.json", "spec.yaml"}, set(os.listdir(self.path("run"))))
        with open(self.path("run/trace.csv")) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["iteration", "passes", "seconds", "primal", "dual", "gap"])
        self.assertLessEqual(float(rows[-1]["gap"]), 1e-6)
        with open(self.path("run/model.json")) as file:
            model = json.load(file)
        self.assertEqual(model["labels"], ["-1", "1"])
        with open(self.path("run/" + model["weights"]), "rb") as file:
            raw = file.read()
        self.assertEqual(len(struct.unpack("<3d", raw[-24:])), 3)
        again = self.fenchel("solve", "run/spec.yaml", "--json")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_the_same_seed_gives_the_same_model_whatever_the_threads(self):
        for solver in ("fista", "prox-sdca", "prox-gradient"):
            primal = {self.result("--set", f"solver={solver}", "--set", "run.certify-every=5",
                                  "--threads", str(t))["primal"] for t in (1, 2, 4)}
            self.assertEqual(len(primal), 1, solver)

    def test_all_solvers_agree(self):
        values = [self.result("--set", f"solver={solver}", "--set", "stop.relative-gap=1e-9")["primal"]
                  for solver in ("fista", "prox-sdca", "prox-gradient", "{fista: {step: fixed}}")]
        self.assertLess(max(values) - min(values), 1e-8)

    def test_the_best_threshold_is_kept_and_used_where_asked_for(self):
        train = "".join(f"{'+1' if k >= 7 else '-1'} 1:1 2:{0.1 * k:.1f}\n" for k in range(10))
        self.write("train.libsvm", train)
        self.assertEqual(self.solve("--out", "run", "--set", "regularizer.l2.lambda=1").returncode, 0)
        with open(self.path("run/result.json")) as file:
            metrics = json.load(file)["metrics"]["train"]
        self.assertEqual(metrics["f1_at_threshold"], 1.0)
        self.assertLess(metrics.get("f1", 0.0), 1.0)
        with open(self.path("run/model.json")) as file:
            self.assertEqual(json.load(file)["threshold"], metrics["threshold"])
        with open(self.path("run/pr-train.csv")) as file:
            self.assertEqual(list(csv.DictReader(file))[0]["precision"], "1")
        labels = self.fenchel("predict", "run", "train.libsvm", "--threshold", "best")
        self.assertEqual(labels.stdout.split(), ["-1"] * 7 + ["1"] * 3)
        self.assertNotEqual(self.fenchel("predict", "run", "train.libsvm").stdout, labels.stdout)
        self.assertEqual(self.fenchel("predict", "run", "train.libsvm", "--threshold", "x").returncode, 2)

    def test_predictions_and_metrics(self):
        self.solve("--out", "run")
        done = self.fenchel("predict", "run", "train.libsvm")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["1", "-1", "1", "-1", "1", "-1"])
        self.assertIn("accuracy 1", done.stderr)
        scores = self.fenchel("predict", "run/model.json", "train.libsvm", "--scores", "--out", "scores.csv")
        self.assertEqual(scores.returncode, 0, scores.stderr)
        with open(self.path("scores.csv")) as file:
            self.assertEqual(file.readline().strip(), "prediction,score")

    def test_class_names_and_a_csv_with_header(self):
        self.write("train.csv", "kind,a,b\nspam,1,0\nham,0,1\nspam,0.9,0.2\nham,0.1,1\n")
        spec = SPEC.replace("{train: train.libsvm}", "{train: train.csv, test: train.csv, label: kind, bias: free}")
        result = self.result("--out", "run", spec=spec)
        self.assertEqual(result["metrics"]["test"]["accuracy"], 1.0)
        done = self.fenchel("predict", "run", "train.csv")
        self.assertEqual(done.stdout.split(), ["spam", "ham", "spam", "ham"])

    def test_the_confusion_matrix_is_that_of_the_predictions(self):
        data = os.path.join(SOURCE, "specs", "data", "leaves.csv")
        with open(data) as file:
            truth = [row["species"] for row in csv.DictReader(file)]
        for loss in ("multinomial", "smooth-max-of-hinge", "soft-max-of-hinge"):
            with self.subTest(loss):
                done = self.fenchel("solve", os.path.join(SOURCE, "specs", "multinomial.yaml"), "--set", f"loss={loss}",
                                    "--set", f"data.test={data}", "--out", "run", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                metrics = json.loads(done.stdout)["metrics"]
                guess = self.fenchel("predict", "run", data).stdout.split()
                labels = sorted(set(truth))
                counts = [[sum((t, g) == (a, b) for t, g in zip(truth, guess)) for b in labels] for a in labels]
                for part in ("train", "test"):
                    self.assertEqual(metrics[part]["confusion"], {"labels": labels, "counts": counts})
                    self.assertEqual([metrics[part]["classes"][a]["support"] for a in labels], [sum(r) for r in counts])

    def test_a_limit_is_exit_3_and_says_how_far_off(self):
        result = self.result("--set", "stop.passes=3", "--set", "stop.relative-gap=1e-12", code=3)
        self.assertEqual(result["status"], "limit")
        self.assertIn("3 passes", result["message"])
        self.assertGreater(result["gap"], 0.0)
        self.assertTrue(result["certificate"]["verified"])
        done = self.solve("--set", "stop.passes=3", "--set", "stop.relative-gap=1e-12")
        self.assertIn("NOT CONVERGED", done.stdout)

    def test_interrupt_saves_the_best_iterate_and_its_certificate(self):
        numbers = random.Random(1)
        self.write("train.libsvm", "".join(
            numbers.choice("+-") + "1 " + " ".join(f"{j}:{numbers.gauss(0, 1) * 3.0 ** -j:.3g}" for j in range(1, 21)) + "\n"
            for _ in range(5000)))
        spec = SPEC.replace("{relative-gap: 1e-6, passes: 2000}", "{gap: 1e-300, seconds: 100}")
        self.write("spec.yaml", spec.replace("lambda: 0.1", "lambda: 1e-9").replace("fista", "prox-gradient"))
        run = subprocess.Popen([FENCHEL, "solve", "spec.yaml", "--out", "run", "--json"], cwd=self.dir,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.0)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, err)
        result = json.loads(out)
        self.assertEqual(result["status"], "interrupted")
        self.assertTrue(result["certificate"]["verified"])
        self.assertTrue(os.path.exists(self.path("run/model.json")))

    def test_quiet_says_nothing(self):
        done = self.solve("--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_check_shows_constants_and_requirements(self):
        done = self.fenchel("check", "spec.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in ("risk_smoothness", "strong-convexity", "accepted", "phi    logistic"):
            self.assertIn(text, done.stdout)
        found = json.loads(self.fenchel("check", "spec.yaml", "--json").stdout)
        self.assertTrue(found["accepted"])
        self.assertEqual(found["constants"]["loss_smoothness"]["value"], 0.25)


if __name__ == "__main__":
    unittest.main()
