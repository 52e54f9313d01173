"""Every spec that ships: those in specs/ solve, those in specs/refused/ are refused as their first line says."""

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
                results = json.loads(done.stdout)["results"]
                for result in results:
                    self.assertTrue(result["certificate"]["verified"])
                gaps = {r["solver"].partition("(")[0]: r["gap"] for r in results}
                self.assertLess(gaps["acc-prox-sdca"], gaps["prox-sdca"])

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
