"""Runs the program in a scratch folder and holds it to its exit codes and files."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

FENCHEL = os.environ["FENCHEL"]
FIXTURES = os.environ["FENCHEL_FIXTURES"]
SOURCE = os.environ["FENCHEL_SOURCE"]

SMALL = """\
+1 1:1 3:0.5
-1 2:1 3:-0.5
+1 1:0.8 2:0.1
-1 2:0.7
+1 1:1.2
-1 1:-0.3 2:1
"""

SPEC = """\
fenchel: 1
data: {train: train.libsvm}
loss: logistic
regularizer: {l2: {lambda: 0.1}}
solver: fista
stop: {relative-gap: 1e-6, passes: 2000}
"""


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="fenchel-test-")
        self.addCleanup(shutil.rmtree, self.dir)
        self.write("train.libsvm", SMALL)
        self.write("spec.yaml", SPEC)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def fenchel(self, *arguments, fixtures=(), timeout=120):
        command = [FENCHEL, *arguments]
        for name in fixtures:
            command += ["--plugins", os.path.join(FIXTURES, name)]
        return subprocess.run(command, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=timeout)

    def solve(self, *arguments, spec=None, **options):
        if spec is not None:
            self.write("spec.yaml", spec)
        return self.fenchel("solve", "spec.yaml", *arguments, **options)

    def expect(self, done, code, *texts):
        """The exit code, each text in the diagnostics, and no crash."""
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        return done

    def result(self, *arguments, code=0, **options):
        """result.json of a run, from standard output."""
        done = self.solve("--json", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def nothing_written(self, before):
        self.assertEqual(sorted(os.listdir(self.dir)), before)
