"""The check: constants, requirements, repairs with their price, the ranking; and what repairs and auto do to a run."""

import csv
import json
import math
import os
import shutil
import struct
import subprocess
import unittest

from harness import FENCHEL, SOURCE, SPEC, CliTest

NOTES = os.path.join(SOURCE, "specs", "data", "notes.libsvm")
SURVEY = os.path.join(SOURCE, "specs", "data", "survey.csv")
YIELD = os.path.join(SOURCE, "specs", "data", "yield.csv")


def spec_of(loss, regularizer, solver, more="", data=f"{{train: {NOTES}}}", stop="{relative-gap: 1e-2, passes: 20000}"):
    return (f"fenchel: 1\ndata: {data}\nloss: {loss}\nregularizer: {regularizer}\nsolver: {solver}\n"
            f"stop: {stop}\n{more}")


HINGE_L2 = spec_of("hinge", "{l2: {lambda: 1e-2}}", "fista")
HINGE_L1_OPTION_3 = spec_of("hinge", "{l1: {lambda: 0.02}}", "{prox-sdca: {option: 3}}",
                            stop="{gap: 0.05, passes: 50000}")


class CheckCase(CliTest):
    def check(self, spec, *arguments, code=0, **options):
        """What `check --json` prints."""
        self.write("spec.yaml", spec)
        done = self.fenchel("check", "spec.yaml", "--json", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def check_text(self, spec, code=0):
        self.write("spec.yaml", spec)
        done = self.fenchel("check", "spec.yaml")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def fit_of(self, found, solver):
        return next(fit for fit in found["ranking"] if fit["solver"] == solver)


class Constants(CheckCase):
    def constant(self, spec, name):
        return self.check(spec)["constants"][name]

    def test_a_smoothed_loss_has_smoothness_one_over_gamma(self):
        found = self.constant(HINGE_L2.replace("hinge", "{smoothed: {of: hinge, gamma: 0.25}}"), "loss_smoothness")
        self.assertEqual(found["state"], "known")
        self.assertAlmostEqual(found["value"], 4.0)
        self.assertIn("1/gamma with gamma = 0.25", found["derivation"])

    def test_smoothing_keeps_the_lipschitz_constant(self):
        spec = HINGE_L2.replace("hinge", "{smoothed: {of: {scaled: {of: hinge, by: 3}}, gamma: 0.5}}")
        self.assertAlmostEqual(self.constant(spec, "loss_lipschitz")["value"], 3.0)

    def test_weights_take_the_largest_for_smoothness(self):
        spec = SPEC.replace("logistic", "{weighted: {of: logistic, positive: 8, negative: 0.5}}")
        found = self.constant(spec, "loss_smoothness")
        self.assertAlmostEqual(found["value"], 2.0)
        self.assertIn("8 times", found["derivation"])

    def test_a_sum_adds_moduli_and_blocks_take_the_least(self):
        terms = "{sum: [{l1: {lambda: 1}}, {l2: {lambda: 0.25}}, {l2: {lambda: 0.5}}]}"
        sum_spec = SPEC.replace("{l2: {lambda: 0.1}}", terms)
        self.assertAlmostEqual(self.constant(sum_spec, "regularizer_strong_convexity")["value"], 0.75)
        blocks = "{blocks: [{features: 0, l2: {lambda: 3}}, {features: rest, l2: {lambda: 2}}]}"
        found = self.check(SPEC.replace("{l2: {lambda: 0.1}}", blocks))["constants"]
        self.assertAlmostEqual(found["regularizer_strong_convexity"]["value"], 2.0)
        self.assertIn("least over blocks", found["regularizer_strong_convexity"]["derivation"])
        self.assertAlmostEqual(found["regularizer_smoothness"]["value"], 3.0)

    def test_a_block_without_strong_convexity_takes_it_from_the_whole(self):
        blocks = "{blocks: [{features: 0, none: {}}, {features: rest, l2: {lambda: 2}}]}"
        found = self.constant(SPEC.replace("{l2: {lambda: 0.1}}", blocks), "regularizer_strong_convexity")
        self.assertEqual((found["state"], found["value"]), ("absent", None))

    def test_composition_with_the_data_is_shown(self):
        found = self.check(SPEC)["constants"]
        squared = found["operator_norm"]["value"] ** 2
        self.assertAlmostEqual(found["risk_smoothness"]["value"], 0.25 * squared / 6)
        for text in ("beta |A|^2 / n", "beta = 0.25", "stated by loss 'logistic'"):
            self.assertIn(text, found["risk_smoothness"]["derivation"])

    def test_every_known_constant_has_a_derivation(self):
        for name, found in self.check(SPEC)["constants"].items():
            with self.subTest(name):
                self.assertIn(found["state"], ("known", "absent", "unknown"))
                self.assertEqual(found["value"] is None, found["state"] != "known")
                self.assertTrue(found["derivation"])


class Verdicts(CheckCase):
    def test_exit_codes_are_those_of_solve(self):
        self.check(SPEC)
        self.assertFalse(self.check(HINGE_L2, code=4)["accepted"])
        self.assertTrue(self.check(HINGE_L2 + "repair: [smooth-loss]\n")["accepted"])
        self.write("spec.yaml", SPEC.replace("logistic", "logistik"))
        self.expect(self.fenchel("check", "spec.yaml", "--json"), 2, "did you mean 'logistic'?")

    def test_the_failed_requirement_says_needed_found_and_why(self):
        failed = [r for r in self.check(HINGE_L2, code=4)["requirements"] if not r["holds"]]
        self.assertEqual([(r["about"], r["fact"], r["found"]) for r in failed], [("loss", "smoothness", "absent")])
        self.assertTrue(failed[0]["needed"])
        self.assertTrue(failed[0]["why"])

    def test_the_text_shows_the_problem_the_verdicts_and_the_end(self):
        text = self.check_text(HINGE_L2, code=4)
        for part in ("minimise over w in R^60", "phi    hinge", "Omega  l2(lambda = 0.01)", "constants", "FAIL loss",
                     "repairs", "smooth-loss", "predicted passes", "REFUSED: solver 'fista' does not fit",
                     "or take solver 'agm-dual', which fits"):
            self.assertIn(part, text)
        self.assertNotIn("accepted", text)
        text = self.check_text(HINGE_L2 + "repair: [smooth-loss]\n")
        self.assertIn("accepted, with smooth-loss (gamma = 0.001)", text)
        self.assertNotIn("REFUSED", text)

    def test_an_option_that_does_not_fit_points_to_the_defaults_that_do(self):
        found = self.check(HINGE_L2.replace("fista", "{prox-sdca: {option: 3}}"), code=4)
        self.assertIn("'prox-sdca' with its default parameters, which fits", found["refusal"])

    def test_text_and_json_refuse_alike(self):
        found = self.check(HINGE_L1_OPTION_3, code=4)
        self.assertIn("REFUSED: " + found["refusal"], self.check_text(HINGE_L1_OPTION_3, code=4))


class Repairs(CheckCase):
    def test_prices_follow_their_formulas(self):
        found = self.check(spec_of("{scaled: {of: hinge, by: 2}}", "{l1: {lambda: 0.02}}", "fista"), code=4)
        epsilon, distance = found["scale"]["epsilon"], found["scale"]["distance"]
        self.assertAlmostEqual(epsilon, 1e-2 * found["scale"]["at_zero"] / 10)
        repairs = {r["name"]: r for r in found["repairs"]}
        self.assertEqual(set(repairs), {"smooth-loss", "add-strong-convexity"})
        self.assertAlmostEqual(repairs["smooth-loss"]["gamma"], epsilon / 4)  # l = 2
        self.assertAlmostEqual(repairs["smooth-loss"]["price"], repairs["smooth-loss"]["gamma"] * 4 / 2)
        # |w*| <= (L(0) - inf L)/growth = 2/0.02
        self.assertAlmostEqual(distance, 100.0)
        self.assertAlmostEqual(repairs["add-strong-convexity"]["lambda"], epsilon / distance**2)
        self.assertAlmostEqual(repairs["add-strong-convexity"]["price"], epsilon / 2)

    def test_no_repair_where_it_cannot_be_made(self):
        # squared is not Lipschitz, and without a regularizer nothing bounds the weights.
        found = self.check(spec_of("squared", "none", "fista", data=f"{{train: {YIELD}, label: yield}}"))
        self.assertEqual(found["repairs"], [])
        self.assertIsNone(found["scale"]["distance"])

    def test_hinge_and_l1_with_option_3_is_offered_both(self):
        found = self.check(HINGE_L1_OPTION_3, code=4)
        self.assertIn("'repair: [smooth-loss, add-strong-convexity]' would make it fit", found["refusal"])
        both = self.check(HINGE_L1_OPTION_3 + "repair: [smooth-loss, add-strong-convexity]\n")
        self.assertTrue(both["accepted"])
        self.check(HINGE_L1_OPTION_3 + "repair: [add-strong-convexity]\n", code=4)

    def test_a_repair_is_listed_in_result_and_summary_only_where_applied(self):
        spec = HINGE_L2 + "repair: [smooth-loss, add-strong-convexity]\n"
        result = self.result(spec=spec)
        self.assertEqual(len(result["repairs"]), 1)
        self.assertTrue(result["repairs"][0].startswith("smooth-loss: "), result["repairs"])
        self.assertIn("smooth-loss", self.solve(spec=spec).stdout)
        self.assertEqual(result["loss"], "hinge")
        unneeded = spec.replace("solver: fista", "solver: prox-sdca")
        self.assertEqual(self.result(spec=unneeded)["repairs"], [])
        self.assertNotIn("smooth-loss", self.solve(spec=unneeded).stdout)


class Certificates(CheckCase):
    def weights(self, folder):
        with open(self.path(os.path.join(folder, "weights.npy")), "rb") as file:
            raw = file.read()
        start = 10 + struct.unpack("<H", raw[8:10])[0]
        return struct.unpack(f"<{(len(raw) - start) // 8}d", raw[start:])

    def hinge_risk(self, w):
        """The mean hinge loss, computed here."""
        total, n = 0.0, 0
        with open(NOTES) as file:
            for line in file:
                label, *entries = line.split()
                pairs = (entry.split(":") for entry in entries)
                total += max(0.0, 1.0 - float(label) * sum(w[int(j) - 1] * float(x) for j, x in pairs))
                n += 1
        return total / n

    def test_the_gap_after_smoothing_is_that_of_the_original_problem(self):
        optimum = self.result("--set", "solver=prox-sdca", "--set", "stop.relative-gap=1e-9", spec=HINGE_L2)["primal"]
        result = self.result("--out", "run", spec=HINGE_L2 + "repair: [smooth-loss]\n")
        w = self.weights("run")
        self.assertAlmostEqual(result["primal"], self.hinge_risk(w) + 0.005 * sum(x * x for x in w), places=10)
        self.assertLessEqual(result["dual"], optimum)
        self.assertLessEqual(result["primal"] - optimum, result["gap"])
        self.assertLessEqual(result["relative_gap"], 1e-2)

    def test_both_repairs_and_the_gap_bounds_the_error_of_the_original(self):
        result = self.result("--out", "run", spec=HINGE_L1_OPTION_3 + "repair: [smooth-loss, add-strong-convexity]\n")
        self.assertEqual([r.split(":")[0] for r in result["repairs"]], ["smooth-loss", "add-strong-convexity"])
        w = self.weights("run")
        self.assertAlmostEqual(result["primal"], self.hinge_risk(w) + 0.02 * sum(map(abs, w)), places=10)
        self.assertLessEqual(result["gap"], 0.05)
        # A better point of the original problem, by another solver: still above the lower bound.
        better = self.result("--set", "solver=fista", "--set", "stop.gap=0.005", "--set", "repair=[smooth-loss]",
                             spec=HINGE_L1_OPTION_3)
        self.assertLess(better["gap"], result["gap"])
        self.assertLessEqual(result["dual"], better["primal"])
        self.assertLessEqual(better["dual"], result["primal"])


class Ranking(CheckCase):
    def test_every_installed_solver_is_ranked_cheapest_first(self):
        listed = json.loads(self.fenchel("plugins", "list", "--json").stdout)["plugins"]
        solvers = {p["id"] for p in listed if p["kind"] == "solver"}
        found = self.check(SPEC)
        self.assertEqual({fit["solver"] for fit in found["ranking"]}, solvers)
        passes = [math.inf if fit["passes"] is None else fit["passes"]
                  for fit in found["ranking"] if fit["allowed"]]
        self.assertEqual(passes, sorted(passes))
        self.assertGreater(passes[0], 0.0)
        for fit in found["ranking"]:
            self.assertTrue(fit["theorem"])
            self.assertGreater(fit["bytes"], 0.0)

    def test_what_fits_as_it_is_comes_before_what_needs_a_repair(self):
        found = self.check(HINGE_L2, code=4)
        fits = [fit["fits"] for fit in found["ranking"]]
        self.assertEqual(fits, sorted(fits, reverse=True))
        self.assertTrue(self.fit_of(found, "prox-sdca")["fits"])
        fista = self.fit_of(found, "fista")
        self.assertEqual((fista["fits"], fista["fits_repaired"], fista["allowed"]), (False, True, False))
        self.assertEqual([need["name"] for need in fista["needs"]], ["smooth-loss"])
        self.assertGreater(fista["needs"][0]["price"], 0.0)
        self.assertIn("smoothness of the loss", fista["refusal"])
        self.assertTrue(self.fit_of(self.check(HINGE_L2 + "repair: [smooth-loss]\n"), "fista")["allowed"])

    def test_nothing_can_be_done_is_said(self):
        terms = "{sum: [{l1: {lambda: 0.1}}, {elastic-net: {l1: 0.1, l2: 0}}]}"
        found = self.check(SPEC.replace("{l2: {lambda: 0.1}}", terms), code=4)
        self.assertFalse(any(fit["fits"] or fit["fits_repaired"] for fit in found["ranking"]))
        self.assertIn("no repair and no other installed solver would help", found["refusal"])

    def test_a_tighter_tolerance_predicts_more_passes(self):
        loose, tight = (self.fit_of(self.check(SPEC.replace("1e-6", gap)), "prox-gradient")["passes"]
                        for gap in ("1e-3", "1e-9"))
        self.assertLess(loose, tight)


class Automatic(CheckCase):
    AUTO = SPEC.replace("solver: fista", "solver: auto")

    def test_auto_takes_the_first_of_the_ranking_and_says_so(self):
        found = self.check(self.AUTO)
        first = found["ranking"][0]["solver"]
        self.assertTrue(found["automatic"])
        self.assertTrue(found["solver"].startswith(first))
        result = self.result()
        self.assertEqual(result["status"], "converged")
        self.assertTrue(result["solver"].startswith(first))
        chose, *others = result["events"]  # the solver may have something to say itself
        self.assertIn(f"auto chose '{first}'", chose)
        self.assertNotIn("changed to", " ".join(others))
        self.assertIn(f"auto chose '{first}'", self.solve().stdout)

    def test_a_named_solver_has_no_events(self):
        self.assertEqual(self.result()["events"], [])

    def test_auto_uses_a_repair_only_where_the_spec_allows_it(self):
        spec = spec_of("hinge", "{l1: {lambda: 0.02}}", "auto", stop="{gap: 0.05, passes: 50000}")
        self.expect(self.solve(spec=spec), 4, "no installed solver fits", "'repair: [smooth-loss]' would make it fit")
        result = self.result(spec=spec + "repair: [smooth-loss]\n")
        self.assertTrue(result["solver"].startswith("fista"))
        self.assertTrue(result["repairs"][0].startswith("smooth-loss"))

    def test_a_solver_that_falls_behind_is_changed_once(self):
        options = {"fixtures": ["boastful"], "spec": self.AUTO + "run: {certify-every: 1}\n"}
        ranking = [fit["solver"] for fit in self.check(self.AUTO, fixtures=["boastful"])["ranking"]]
        self.assertEqual(ranking[0], "boastful")
        result = self.result("--out", "run", **options)
        self.assertEqual(result["status"], "converged")
        self.assertTrue(result["certificate"]["verified"])
        self.assertLessEqual(result["relative_gap"], 1e-6)
        chose, changed, *others = result["events"]
        self.assertNotIn("changed to", " ".join(others))
        self.assertIn("auto chose 'boastful'", chose)
        self.assertIn("solver 'boastful' was behind its prediction of 1", changed)
        self.assertIn(f"changed to '{ranking[1]}'", changed)
        self.assertIn(changed, self.solve(**options).stdout)
        # One trace over both: two passes at w = 0, then on from there.
        with open(self.path("run/trace.csv")) as file:
            rows = list(csv.DictReader(file))
        passes = [float(row["passes"]) for row in rows]
        self.assertEqual(passes[:2], [1.0, 2.0])
        self.assertEqual(passes, sorted(passes))
        self.assertEqual([int(row["iteration"]) for row in rows], list(range(1, result["iterations"] + 1)))
        self.assertEqual(float(rows[0]["primal"]), float(rows[1]["primal"]))
        self.assertLess(float(rows[-1]["primal"]), float(rows[1]["primal"]))
        self.assertAlmostEqual(passes[-1], result["passes"])
        # The same optimum as without the detour.
        direct = self.result("--set", f"solver={ranking[1]}", spec=self.AUTO)
        self.assertAlmostEqual(result["primal"], direct["primal"], places=5)

    def test_a_named_solver_is_not_changed(self):
        result = self.result("--set", "solver=boastful", "--set", "stop.passes=10", code=3, fixtures=["boastful"],
                             spec=self.AUTO)
        self.assertEqual((result["status"], result["events"]), ("limit", []))


class ResolvedSpec(CheckCase):
    def runs_again_elsewhere(self, spec):
        """The resolved spec, moved to another folder and run from there, ends at the same J."""
        first = self.result("--out", "run", spec=spec)
        os.makedirs(self.path("far/away"))
        shutil.copy(self.path("run/spec.yaml"), self.path("far/away/again.yaml"))
        os.remove(self.path("spec.yaml"))
        done = subprocess.run([FENCHEL, "solve", "again.yaml", "--json"], cwd=self.path("far/away"), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = json.loads(done.stdout)
        for key in ("primal", "dual", "passes", "solver", "repairs"):
            self.assertEqual(again[key], first[key], key)
        return first

    def test_with_combinators_and_files(self):
        self.write("weights.txt", "1\n2\n0.5\n1\n3\n1\n")
        self.write("center.txt", "0.5\n-0.5\n0\n")
        self.runs_again_elsewhere(
            "fenchel: 1\ndata: {train: train.libsvm}\n"
            "loss: {smoothed: {of: {weighted: {of: hinge, file: weights.txt}}, gamma: 0.5}}\n"
            "regularizer: {shifted: {of: {sum: [{l1: {lambda: 0.01}}, {scaled: {of: {l2: {lambda: 0.05}}, by: 2}}]},"
            " file: center.txt}}\n"
            "solver: prox-sdca\nstop: {relative-gap: 1e-6, passes: 2000}\nrun: {certify-every: 1}\n")

    def test_with_blocks_and_a_repair(self):
        data = f"{{train: {YIELD}, label: yield, bias: penalized}}"
        blocks = ("{blocks: [{features: [x2, 5..6], l1: {lambda: 0.5}}, {features: bias, l1: {lambda: 0.1}},"
                  " {features: rest, elastic-net: {l1: 0.3, l2: 1}}]}")
        first = self.runs_again_elsewhere(
            spec_of("{huber: {delta: 1}}", blocks, "prox-sdca",
                    more="repair: [add-strong-convexity]\nrun: {certify-every: 1}\n", data=data,
                    stop="{gap: 0.05, passes: 20000}"))
        self.assertEqual(len(first["repairs"]), 1)


class WeightColumn(CheckCase):
    SPEC = spec_of("{weighted: {of: logistic, column: weight}}", "{l2: {lambda: 1e-2}}", "fista",
                   data=f"{{train: {SURVEY}, label: answer}}", stop="{relative-gap: 1e-8, passes: 5000}",
                   more="run: {certify-every: 1}\n")

    def test_the_column_is_no_feature_and_predict_leaves_it_out(self):
        result = self.result("--out", "run", spec=self.SPEC)
        self.assertEqual(result["problem"]["d"], 3)
        with open(self.path("run/model.json")) as file:
            model = json.load(file)
        self.assertEqual(model["reading"]["drop"], ["weight"])
        self.assertEqual(model["feature_names"], ["age", "income", "distance"])
        with_column = self.fenchel("predict", "run", SURVEY, "--scores")
        self.assertEqual(with_column.returncode, 0, with_column.stderr)
        self.assertEqual(with_column.stdout.count("\n"), 121)
        with open(SURVEY) as file:
            self.write("plain.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in file))
        without = self.fenchel("predict", "run", "plain.csv", "--scores")
        self.assertEqual(without.returncode, 0, without.stderr)
        self.assertEqual(without.stdout, with_column.stdout)

    def test_a_column_and_a_file_with_the_same_weights_agree(self):
        with open(SURVEY) as file:
            rows = list(csv.DictReader(file))
        self.write("weights.txt", "".join(row["weight"] + "\n" for row in rows))
        with open(SURVEY) as file:
            self.write("plain.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in file))
        by_column = self.result(spec=self.SPEC)
        plain = self.SPEC.replace(SURVEY, "plain.csv")
        by_file = self.result(spec=plain.replace("column: weight", "file: weights.txt"))
        unweighted = self.result(spec=plain.replace("{weighted: {of: logistic, column: weight}}", "logistic"))
        self.assertEqual(by_column["primal"], by_file["primal"])
        self.assertNotAlmostEqual(by_column["primal"], unweighted["primal"], places=3)


if __name__ == "__main__":
    unittest.main()
