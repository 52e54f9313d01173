"""compare: several solvers on one problem, one table, one folder each."""

import csv
import json
import os
import random
import signal
import subprocess
import unittest

from harness import FENCHEL, SOURCE, CliTest

NOTES = os.path.join(SOURCE, "specs", "data", "notes.libsvm")
RUN_FILES = {"result.json", "trace.csv", "model.json", "weights.npy", "spec.yaml", "pr-train.csv"}


def spec_of(compare, loss="smooth-hinge", regularizer="{elastic-net: {l1: 1e-3, l2: 1e-2}}",
            stop="{relative-gap: 1e-5, passes: 2000}", more="", data=NOTES):
    return (f"fenchel: 1\ndata: {{train: {data}}}\nloss: {loss}\nregularizer: {regularizer}\ncompare: {compare}\n"
            f"stop: {stop}\nrun: {{seed: 3, certify-every: 1}}\n{more}")


THREE = spec_of("[prox-sdca, fista, prox-gradient]")
TWICE = spec_of("[{fista: {step: fixed}}, fista]")
REFUSED = spec_of("[prox-sdca, fista, {prox-sdca: {option: 3}}]", loss="hinge")


class CompareCase(CliTest):
    def rows(self, folder):
        with open(self.path(os.path.join(folder, "comparison.csv"))) as file:
            return list(csv.DictReader(file))

    def read_json(self, name):
        with open(self.path(name)) as file:
            return json.load(file)

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def timeless(self, result):
        """A result without what differs between two runs of the same."""
        return {key: value for key, value in result.items() if key != "seconds"}


class Files(CompareCase):
    def test_one_folder_a_solver_and_one_table(self):
        self.expect(self.solve("--out", "run", spec=THREE), 0)
        folders = ["1-prox-sdca", "2-fista", "3-prox-gradient"]
        self.assertEqual(sorted(os.listdir(self.path("run"))), folders + ["comparison.csv"])
        rows = self.rows("run")
        self.assertEqual([row["folder"] for row in rows], folders)
        self.assertEqual([row["solver"] for row in rows], ["prox-sdca", "fista", "prox-gradient"])
        for row in rows:
            self.assertEqual(set(os.listdir(self.path("run/" + row["folder"]))), RUN_FILES)
            result = self.read_json(f"run/{row['folder']}/result.json")
            self.assertEqual((row["status"], result["status"]), ("converged", "converged"))
            self.assertTrue(result["certificate"]["verified"])
            for key in ("iterations", "passes", "primal", "dual", "gap", "relative_gap"):
                self.assertEqual(float(row[key]), result[key], key)
            self.assertEqual(float(row["seconds"]), result["seconds"]["solve"])

    def test_passes_to_a_gap_are_those_of_the_trace(self):
        self.solve("--out", "run", spec=THREE)
        for row in self.rows("run"):
            with open(self.path(f"run/{row['folder']}/trace.csv")) as file:
                trace = [r for r in csv.DictReader(file) if r["gap"]]
            for k in range(1, 6):
                primal, dual = float("inf"), float("-inf")
                for at in trace:
                    primal, dual = min(primal, float(at["primal"])), max(dual, float(at["dual"]))
                    if primal - dual <= 10.0**-k * primal:
                        break
                self.assertEqual(row[f"passes_to_1e-{k}"], at["passes"])
                self.assertEqual(row[f"seconds_to_1e-{k}"], at["seconds"])
            self.assertNotIn("passes_to_1e-6", row)

    def test_a_folder_is_that_of_a_plain_solve_and_runs_again(self):
        self.solve("--out", "run", spec=THREE)
        for folder, solver in (("1-prox-sdca", "prox-sdca"), ("2-fista", "fista")):
            before = self.read_json(f"run/{folder}/result.json")
            self.expect(self.fenchel("solve", f"run/{folder}/spec.yaml", "--out", "again"), 0)
            self.assertEqual(self.timeless(self.read_json("again/result.json")), self.timeless(before))
            plain = self.result(spec=THREE.replace("compare: [prox-sdca, fista, prox-gradient]", f"solver: {solver}"))
            self.assertEqual(self.timeless(plain), self.timeless(before))
            self.assertEqual(self.read_bytes("again/weights.npy"), self.read_bytes(f"run/{folder}/weights.npy"))

    def test_the_same_solver_twice_has_two_folders_and_two_names(self):
        self.expect(self.solve("--out", "run", spec=TWICE), 0)
        rows = self.rows("run")
        self.assertEqual([row["folder"] for row in rows], ["1-fista", "2-fista"])
        self.assertEqual([row["solver"] for row in rows], ["fista(step = fixed)", "fista"])
        self.assertIn("step = fixed", self.read_json("run/1-fista/result.json")["solver"])
        self.assertIn("step = backtracking", self.read_json("run/2-fista/result.json")["solver"])

    def test_output_dir_of_the_spec_is_used_and_kept_by_each_member(self):
        self.expect(self.solve(spec=THREE + "output: {dir: runs/x}\n"), 0)
        self.assertEqual(len(os.listdir(self.path("runs/x"))), 4)
        result = self.path("runs/x/2-fista/result.json")
        os.remove(result)
        self.expect(self.fenchel("solve", "runs/x/2-fista/spec.yaml"), 0)
        self.assertTrue(os.path.exists(result))
        self.assertEqual(len(os.listdir(self.path("runs/x"))), 4)

    def test_a_folder_that_cannot_be_written_ends_before_solving_and_leaves_nothing(self):
        os.mkdir(self.path("run"))
        self.write("run/3-prox-gradient", "a file in the way")
        done = self.expect(self.solve("--out", "run", spec=THREE), 2, "3-prox-gradient")
        self.assertEqual((done.stdout, os.listdir(self.path("run"))), ("", ["3-prox-gradient"]))


class Output(CompareCase):
    def test_the_table_has_a_line_for_each_solver(self):
        done = self.expect(self.solve(spec=TWICE), 0, "solver 1 of 2: fista(step = fixed)", "solver 2 of 2: fista\n")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(),
                         ["solver", "status", "passes", "seconds", "primal", "dual", "gap", "relative"])
        self.assertEqual(lines[1].split()[:5], ["1", "fista(step", "=", "fixed)", "converged"])
        self.assertEqual(lines[2].split()[:3], ["2", "fista", "converged"])
        self.assertEqual(len({len(line) for line in lines[:3]}), 1)
        self.assertEqual(lines[4], "passes (seconds) to a relative gap of")
        self.assertEqual(lines[5].split(), ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"])
        self.assertEqual(len({len(line) for line in lines[5:8]}), 1)

    def test_json_is_one_object_with_every_result(self):
        found = self.result("--out", "run", spec=THREE)
        self.assertEqual(found["status"], "converged")
        self.assertEqual(found["relative_gaps"], [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
        self.assertEqual(len(found["results"]), 3)
        for solver, result, row in zip(found["solvers"], found["results"], self.rows("run")):
            self.assertEqual(result, self.read_json(f"run/{solver['folder']}/result.json"))
            self.assertEqual(solver["name"], row["solver"])
            self.assertEqual(solver["passes_to"], [float(row[f"passes_to_1e-{k}"]) for k in range(1, 6)])
            self.assertEqual(solver["passes_to"], sorted(solver["passes_to"]))

    def test_quiet_says_nothing(self):
        done = self.solve("--quiet", spec=THREE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_auto_may_take_part(self):
        found = self.result(spec=spec_of("[auto, fista]"))
        self.assertEqual(found["solvers"][0]["name"], "auto")
        self.assertIn("auto chose", found["results"][0]["events"][0])
        self.assertIn("1  auto: auto chose", self.solve(spec=spec_of("[auto, fista]")).stdout)

    def test_all_agree_on_the_optimum(self):
        results = self.result(spec=THREE)["results"]
        for a in results:
            for b in results:
                self.assertLessEqual(a["dual"], b["primal"])

    def test_repairs_are_those_of_each_solver(self):
        found = self.result(spec=spec_of("[prox-sdca, fista]", loss="hinge", stop="{relative-gap: 1e-2, passes: 20000}",
                                         more="repair: [smooth-loss]\n"))
        self.assertEqual([len(result["repairs"]) for result in found["results"]], [0, 1])
        self.assertEqual([result["loss"] for result in found["results"]], ["hinge", "hinge"])


class ExitCodes(CompareCase):
    def test_a_refused_member_is_exit_4_and_the_others_run(self):
        done = self.expect(self.solve("--out", "run", spec=REFUSED), 4,
                           "spec.yaml:5:22: compare[1]: solver 'fista' does not fit", "compare[2]: solver 'prox-sdca'")
        lines = done.stdout.splitlines()
        self.assertIn("converged", lines[1])
        self.assertEqual(lines[2].split(), ["2", "fista", "refused"] + ["-"] * 6)
        self.assertIn("2  fista: refused: solver 'fista' does not fit: smoothness of the loss", done.stdout)
        self.assertIn("3  prox-sdca(option = 3): refused: ", done.stdout)
        self.assertEqual(sorted(os.listdir(self.path("run"))), ["1-prox-sdca", "comparison.csv"])
        rows = self.rows("run")
        self.assertEqual([(row["status"], row["folder"]) for row in rows],
                         [("converged", "1-prox-sdca"), ("refused", ""), ("refused", "")])
        self.assertEqual({rows[1][key] for key in ("primal", "gap", "passes_to_1e-1")}, {""})

    def test_a_refused_result_in_json_says_so(self):
        found = self.result(spec=REFUSED, code=4)
        self.assertEqual(found["status"], "refused")
        self.assertEqual([result["status"] for result in found["results"]], ["converged", "refused", "refused"])
        self.assertEqual(set(found["results"][0]), set(found["results"][1]))
        self.assertIn("does not fit", found["results"][1]["message"])
        self.assertIsNone(found["results"][1]["primal"])
        self.assertEqual(found["solvers"][1]["passes_to"], [None] * 5)

    def test_a_limit_is_exit_3(self):
        found = self.result(spec=THREE.replace("passes: 2000", "passes: 15"), code=3)
        statuses = [result["status"] for result in found["results"]]
        self.assertEqual(found["status"], "limit")
        self.assertEqual((statuses[0], statuses[2]), ("converged", "limit"))
        self.assertIsNone(found["solvers"][2]["passes_to"][-1])

    def test_a_failure_is_exit_5_and_the_others_run(self):
        spec = spec_of("[throwing-step, {prox-sdca: {option: 3}}, fista]", loss="hinge")
        done = self.expect(self.solve("--out", "run", spec=spec, fixtures=["throwing-step"]), 5, "no step today",
                           "compare[1]", "compare[2]")
        self.assertEqual([row["status"] for row in self.rows("run")], ["failed", "refused", "refused"])
        self.assertEqual(self.read_json("run/1-throwing-step/result.json")["status"], "failed")
        self.assertFalse(os.path.exists(self.path("run/1-throwing-step/model.json")))
        self.assertIn("1  throwing-step: failed: ", done.stdout)

    def test_a_solver_that_cannot_be_made_has_failed_and_the_others_run(self):
        done = self.expect(self.solve("--out", "run", spec=spec_of("[unmakeable, fista]"), fixtures=["unmakeable"]), 5,
                           "no solver today")
        self.assertEqual([row["status"] for row in self.rows("run")], ["failed", "converged"])
        self.assertEqual(sorted(os.listdir(self.path("run"))), ["2-fista", "comparison.csv"])
        self.assertIn("1  unmakeable: failed: ", done.stdout)

    def test_a_mistake_in_the_last_one_is_found_before_the_first_runs(self):
        for member, text in (("{fista: {stp: fixed}}", "compare[1].fista.stp"), ("fists", "unknown solver 'fists'")):
            self.expect(self.solve("--out", "run", spec=spec_of(f"[prox-sdca, {member}]")), 2, text)
            self.assertFalse(os.path.exists(self.path("run")))

    def test_an_interrupt_ends_the_comparison_and_saves_what_there_is(self):
        numbers = random.Random(1)
        self.write("train.libsvm", "".join(
            numbers.choice("+-") + "1 " + " ".join(f"{j}:{numbers.gauss(0, 1) * 3.0 ** -j:.3g}" for j in range(1, 21)) + "\n"
            for _ in range(5000)))
        self.write("spec.yaml", spec_of("[prox-gradient, fista]", loss="logistic", regularizer="{l2: {lambda: 1e-9}}",
                                        stop="{gap: 1e-300, seconds: 100}", data="train.libsvm"))
        run = subprocess.Popen([FENCHEL, "solve", "spec.yaml", "--out", "run"], cwd=self.dir, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        while not run.stderr.readline().startswith("pass"):
            self.assertIsNone(run.poll())
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, err)
        self.assertIn("2  fista: interrupted: not run", out)
        self.assertEqual([(row["status"], row["folder"]) for row in self.rows("run")],
                         [("interrupted", "1-prox-gradient"), ("interrupted", "")])
        self.assertEqual(self.rows("run")[1]["iterations"], "0")
        self.assertEqual(sorted(os.listdir(self.path("run"))), ["1-prox-gradient", "comparison.csv"])
        self.assertTrue(self.read_json("run/1-prox-gradient/result.json")["certificate"]["verified"])
        self.assertTrue(os.path.exists(self.path("run/1-prox-gradient/model.json")))


class Check(CompareCase):
    def check(self, spec, *arguments, code=0):
        self.write("spec.yaml", spec)
        done = self.fenchel("check", "spec.yaml", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_the_problem_stands_once_and_every_solver_has_its_verdict(self):
        text = self.check(REFUSED, code=4)
        for once in ("minimise over w", "\nconstants\n", "\nrepairs\n", "\npredicted passes"):
            self.assertEqual(text.count(once), 1, once)
        self.assertEqual(text.count("\nsolver prox-sdca("), 2)
        self.assertEqual(text.count("\nsolver fista("), 1)
        self.assertEqual((text.count("  accepted\n"), text.count("  REFUSED: ")), (1, 2))
        self.assertEqual(self.check(THREE).count("  accepted\n"), 3)

    def test_json_has_the_requirements_of_each(self):
        found = json.loads(self.check(REFUSED, "--json", code=4))
        self.assertFalse(found["accepted"])
        self.assertEqual([solver["accepted"] for solver in found["solvers"]], [True, False, False])
        self.assertTrue(all(solver["requirements"] for solver in found["solvers"]))
        self.assertIn("constants", found)
        self.assertTrue(json.loads(self.check(THREE, "--json"))["accepted"])


if __name__ == "__main__":
    unittest.main()
