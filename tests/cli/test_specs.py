"""Every spec that ships: those in specs/ solve, those in specs/refused/ are refused as their first line says."""

import csv
import glob
import json
import os
import re
import unittest

from harness import SOURCE, CliTest


class Specs(CliTest):
    def test_every_spec_converges(self):
        specs = sorted(glob.glob(os.path.join(SOURCE, "specs", "*.yaml")))
        self.assertTrue(specs)
        for spec in specs:
            with self.subTest(os.path.basename(spec)):
                done = self.fenchel("solve", spec, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)
                self.assertEqual(found["status"], "converged")
                for result in found.get("results", [found]):  # several where it compares solvers
                    self.assertEqual(result["status"], "converged")
                    self.assertTrue(result["certificate"]["verified"])

    def test_every_experiment_runs_and_is_certified_throughout(self):
        specs = sorted(glob.glob(os.path.join(SOURCE, "specs", "experiments", "*.yaml")))
        self.assertTrue(specs)
        for spec in specs:
            with self.subTest(os.path.basename(spec)):
                done = self.fenchel("solve", spec, "--json")
                self.assertIn(done.returncode, (0, 3), done.stderr)
                found = json.loads(done.stdout)
                results = found.get("results", [found])
                for result in results:
                    self.assertTrue(result["certificate"]["verified"])
                gaps = {r["solver"].partition("(")[0]: r["gap"] for r in results}
                if "acc-prox-sdca" in gaps:
                    self.assertLess(gaps["acc-prox-sdca"], gaps["prox-sdca"])

    def test_the_lower_bound_of_bundle_methods_is_met_step_by_step(self):
        """The spec's gap is 1/(lambda t) after t of the 64 steps, as certified and as the method says."""
        spec = os.path.join(SOURCE, "specs", "experiments", "bmrm-lower-bound.yaml")
        for variant in ("qp", "line-search"):
            with self.subTest(variant):
                done = self.fenchel("solve", spec, "--set", f"solver={{bmrm: {{variant: {variant}}}}}", "--out", "bound")
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(self.path("bound/trace.csv")) as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual(len(rows), 64)
                for t, row in enumerate(rows[:63], 1):
                    for column in ("gap", "own_gap"):
                        self.assertLess(abs(float(row[column]) * 0.01 * t - 1.0), 1e-9)
                self.assertLess(float(rows[63]["gap"]), 1e-9)

    def test_every_refused_spec_is_refused_with_its_message(self):
        """The first line of each: `# exit CODE: a part of the message`."""
        for spec in sorted(glob.glob(os.path.join(SOURCE, "specs", "refused", "*.yaml"))):
            with self.subTest(os.path.basename(spec)), open(spec) as file:
                head = re.fullmatch(r"# exit (\d+): (.+)", file.readline().strip())
                self.assertIsNotNone(head, "the first line must say exit code and message")
                done = self.fenchel("solve", spec)
                self.expect(done, int(head[1]), head[2])
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
