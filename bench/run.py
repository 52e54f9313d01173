#!/usr/bin/env python3
"""Figures of fenchel against peers, run side by side on this machine, printed as JSON.

Nothing here passes or fails. A peer is given the loosest tolerance of its own with which it reaches the
same relative gap, measured on the same objective with the same lower bound; times are the best of several
runs that take turns, reading the data included.

    ./dev bench [--runs N]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data")
FENCHEL = os.environ.get("FENCHEL", os.path.join(ROOT, "build", "release", "bin", "fenchel"))


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return time.perf_counter() - start, done


def read_libsvm(path):
    rows, labels = [], []
    with open(path) as file:
        for line in file:
            parts = line.split()
            labels.append(1.0 if float(parts[0]) > 0 else -1.0)
            rows.append([(int(k) - 1, float(v)) for k, v in (p.split(":") for p in parts[1:])])
    return rows, labels


class HingeProblem:
    """(1/n) sum max(0, 1 - y x.w) + (lambda/2)|w|^2 on one data file."""

    def __init__(self, name, weight):
        self.path = os.path.join(DATA, name)
        self.weight = weight
        self.rows, self.labels = read_libsvm(self.path)
        self.n = len(self.rows)

    def objective(self, w):
        loss = sum(max(0.0, 1.0 - y * sum(v * w[j] for j, v in row if j < len(w)))
                   for row, y in zip(self.rows, self.labels))
        return loss / self.n + 0.5 * self.weight * sum(v * v for v in w)


def liblinear_weights(path):
    """Weights of a LIBLINEAR model, for the label +1."""
    with open(path) as file:
        lines = file.read().splitlines()
    positive = next(line for line in lines if line.startswith("label")).split()[1] == "1"
    w = [float(x) for x in lines[lines.index("w") + 1:]]
    return w if positive else [-x for x in w]


class Fenchel:
    name = "fenchel prox-sdca"

    def __init__(self, problem, folder):
        self.spec = os.path.join(folder, "spec.yaml")
        with open(self.spec, "w") as file:
            file.write(f"fenchel: 1\ndata: {{train: {json.dumps(problem.path)}}}\nloss: hinge\n"
                       f"regularizer: {{l2: {{lambda: {problem.weight!r}}}}}\nsolver: prox-sdca\n")

    def run(self, gap):
        seconds, done = timed([FENCHEL, "solve", self.spec, "--json", "--set", f"stop.relative-gap={gap!r}",
                               "--set", "stop.passes=100000"])
        if done.returncode != 0:
            sys.exit(f"fenchel failed: {done.stderr}")
        return seconds, json.loads(done.stdout)


class Liblinear:
    name = "liblinear-train -s 3"

    def __init__(self, problem, folder):
        self.problem = problem
        self.model = os.path.join(folder, "liblinear.model")

    def run(self, tolerance):
        c = 1.0 / (self.problem.n * self.problem.weight)
        return timed(["liblinear-train", "-q", "-s", "3", "-c", repr(c), "-e", repr(tolerance),
                      self.problem.path, self.model])

    def gap(self, lower_bound):
        primal = self.problem.objective(liblinear_weights(self.model))
        return (primal - lower_bound) / abs(primal)

    def tolerance_for(self, gap, lower_bound):
        """The loosest -e of a grid that reaches the gap, and the gap it reaches; None if none does."""
        for exponent in range(0, 28):
            tolerance = 10.0 ** (-exponent / 4.0)
            self.run(tolerance)
            reached = self.gap(lower_bound)
            if reached <= gap:
                return tolerance, reached
        return None, reached


def compare(problem, gaps, runs, folder):
    ours, theirs = Fenchel(problem, folder), Liblinear(problem, folder)
    lower_bound = ours.run(1e-7)[1]["dual"]
    figures = []
    for gap in gaps:
        tolerance, reached = theirs.tolerance_for(gap, lower_bound)
        times = {"ours": [], "theirs": []}
        for _ in range(runs):
            seconds, result = ours.run(gap)
            times["ours"].append(seconds)
            if tolerance is not None:
                times["theirs"].append(theirs.run(tolerance)[0])
        figures.append({
            "data": os.path.basename(problem.path), "loss": "hinge", "lambda": problem.weight,
            "relative_gap": gap,
            "fenchel": {"seconds": min(times["ours"]), "relative_gap": result["relative_gap"],
                        "passes": result["passes"], "verified": result["certificate"]["verified"],
                        "parts": result["seconds"]},
            "liblinear": {"seconds": min(times["theirs"]) if times["theirs"] else None, "tolerance": tolerance,
                          "relative_gap": reached},
            "ratio": min(times["ours"]) / min(times["theirs"]) if times["theirs"] else None})
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if not os.path.exists(os.path.join(DATA, "a9a")):
        sys.exit("bench: the data sets are not here (../shared/data)")
    if not shutil.which("liblinear-train"):
        sys.exit("bench: liblinear-train is missing (./dev setup bench)")
    with tempfile.TemporaryDirectory(prefix="fenchel-bench-") as folder:
        figures = compare(HingeProblem("a9a", 1e-4), [1e-2, 1e-3, 1e-4, 1e-5], options.runs, folder)
    json.dump({"figures": figures}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
