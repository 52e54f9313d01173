"""Good, broken and lying plugins: the host says what is wrong and stands."""

import json
import os
import unittest

from harness import FIXTURES, SPEC, CliTest


class Loading(CliTest):
    def failure(self, fixture):
        done = self.fenchel("plugins", "list", "--json", fixtures=[fixture])
        self.assertEqual(done.returncode, 0, done.stderr)
        failures = json.loads(done.stdout)["failures"]
        self.assertEqual(len(failures), 1, failures)
        # The good plugins are still there.
        self.assertEqual(self.solve(fixtures=[fixture]).returncode, 0)
        return failures[0]["reason"]

    def test_every_defect_has_its_reason(self):
        for fixture, text in {"no-symbol": "fenchel_plugin", "wrong-major": "ABI", "newer-minor": "ABI",
                              "short-card": "size", "null-table": "table", "throwing-entry": "threw"}.items():
            with self.subTest(fixture):
                self.assertIn(text, self.failure(fixture))

    def test_a_duplicate_id_is_reported_and_the_first_wins(self):
        done = self.fenchel("plugins", "list", "--json", fixtures=["twin-first", "twin-second"])
        failures = json.loads(done.stdout)["failures"]
        self.assertEqual(len(failures), 1)
        self.assertIn("duplicate", failures[0]["reason"])
        self.assertIn("twin-second", failures[0]["file"])

    def test_a_text_file_is_no_library(self):
        os.mkdir(self.path("plugins"))
        self.write("plugins/fenchel-loss-text.so", "not a library")
        done = self.fenchel("plugins", "list", "--plugins", "plugins")
        self.assertEqual(done.returncode, 0)
        self.assertIn("fenchel-loss-text.so", done.stdout)

    def test_list_and_info(self):
        done = self.fenchel("plugins", "list")
        for name in ("hinge", "elastic-net", "prox-sdca"):
            self.assertIn(name, done.stdout)
        info = self.fenchel("plugins", "info", "smooth-hinge").stdout
        for text in ("gamma", "(0, inf)", "smoothness", "lipschitz"):
            self.assertIn(text, info)
        info = self.fenchel("plugins", "info", "prox-sdca").stdout
        for text in ("strong-convexity", "option", "Shalev-Shwartz"):
            self.assertIn(text, info)
        self.expect(self.fenchel("plugins", "info", "hnge"), 2, "did you mean 'hinge'?")

    def test_a_missing_plugin_folder(self):
        self.expect(self.fenchel("plugins", "list", "--plugins", "nowhere"), 2, "nowhere")


class Running(CliTest):
    def failed(self, fixture, spec, *texts):
        self.write("spec.yaml", spec)
        done = self.solve("--out", "run", "--json", fixtures=[fixture])
        self.expect(done, 5, *texts)
        return done

    def test_a_throwing_constructor(self):
        self.failed("throwing-constructor", SPEC.replace("logistic", "throwing-constructor"), "throwing-constructor")

    def test_a_solver_that_returns_nan(self):
        done = self.failed("nan-solver", SPEC.replace("fista", "nan-solver"), "solver 'nan-solver'", "not finite", "nan")
        self.assertEqual(json.loads(done.stdout)["status"], "failed")
        self.assertFalse(os.path.exists(self.path("run/model.json")))
        with open(self.path("run/result.json")) as file:
            self.assertEqual(json.load(file)["certificate"]["verified"], False)

    def test_a_solver_that_claims_to_be_done_with_wrong_weights(self):
        self.failed("false-done", SPEC.replace("fista", "false-done"), "solver 'false-done'", "claims to be done", "gap")

    def test_a_solver_that_throws(self):
        self.failed("throwing-step", SPEC.replace("fista", "throwing-step"), "solver 'throwing-step'", "'step' failed")

    def test_a_loss_that_fails_midway(self):
        self.failed("failing-gradient", SPEC.replace("logistic", "failing-gradient"), "loss 'failing-gradient'", "gradient")

    def test_a_plugin_in_plain_c(self):
        self.write("train.libsvm", "1.5 1:1\n-0.5 2:1\n2 1:1 2:0.3\n")
        spec = SPEC.replace("logistic", "squared-c")
        for solver in ("fista", "prox-sdca"):
            ours = self.result("--set", f"solver={solver}", spec=spec, fixtures=["squared-c"])
            built_in = self.result("--set", f"solver={solver}", "--set", "loss=squared", spec=spec)
            self.assertAlmostEqual(ours["primal"], built_in["primal"], places=6)


class Verifying(CliTest):
    def verify(self, fixture, code, *texts):
        folder = os.path.join(FIXTURES, fixture)
        file = os.path.join(folder, next(f for f in os.listdir(folder) if f.endswith(".so")))
        done = self.fenchel("plugins", "verify", file, timeout=600)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)

    def test_lying_constants_are_caught(self):
        self.verify("lying-lipschitz", 5, "FAIL", "ipschitz")
        self.verify("lying-smoothness", 5, "FAIL", "smoothness")

    def test_an_honest_plugin_passes(self):
        self.verify("squared-c", 0, "all checks passed")

    def test_a_bad_solver_is_caught(self):
        self.verify("nan-solver", 5, "FAIL")
        self.verify("false-done", 5, "FAIL", "claims to be done")

    def test_a_library_that_does_not_load(self):
        self.verify("wrong-major", 5, "ABI")
        self.expect(self.fenchel("plugins", "verify", "absent.so"), 2, "absent.so")


if __name__ == "__main__":
    unittest.main()
