#!/usr/bin/env python3
"""Accelerated gradient with estimate functions: passes against fista at small λ, and what levels by the data do to L.

Prints two tables in markdown. In the first a cell is the number of passes to a certified relative gap of 1e-6, or the
gap that was left. In the second L is the constant of the smoothed hinge risk under one and the same error.

    /usr/bin/python3 bench/estimate.py [--seconds N]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data")
FENCHEL = os.environ.get("FENCHEL", os.path.join(ROOT, "build", "release", "bin", "fenchel"))
PAIRS = [
    ("a9a", "logistic", "{l2: {lambda: 1e-5}}"),
    ("reuters-acq.xz", "logistic", "{l2: {lambda: 1e-5}}"),
    ("ijcnn1.xz", "logistic", "{l2: {lambda: 1e-5}}"),
    ("digits", "multinomial", "{l2: {lambda: 1e-4}}"),
    ("a9a", "{smooth-hinge: {gamma: 0.1}}", "{elastic-net: {l1: 1e-5, l2: 1e-5}}"),
    ("a1a", "squared-hinge", "{l2: {lambda: 1e-5}}"),
    ("a1a", "{smooth-hinge: {gamma: 0.01}}", "{l2: {lambda: 1e-5}}"),
    ("mushrooms", "{smooth-hinge: {gamma: 0.01}}", "{l2: {lambda: 1e-5}}"),
]
SETS = ["a9a", "ijcnn1.xz", "mushrooms", "reuters-acq.xz", "wdbc"]


def fenchel(command, text, *more):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as spec:
        spec.write("fenchel: 1\n" + text)
        spec.flush()
        done = subprocess.run([FENCHEL, command, spec.name, *more], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    return done.stdout


def passes(data, loss, regularizer, solver, seconds):
    text = (f"data: {{train: {os.path.join(DATA, data)}}}\nloss: {loss}\nregularizer: {regularizer}\n"
            f"solver: {solver}\nstop: {{relative-gap: 1e-6, passes: 20000, seconds: {seconds}}}\n"
            "run: {certify-every: 10}\n")
    result = json.loads(fenchel("solve", text, "--json"))
    if result["status"] == "converged":
        return f"{result['passes']:.0f}"
    return f"({result['relative_gap']:.1e})"


def constants(data):
    text = (f"data: {{train: {os.path.join(DATA, data)}}}\nloss: hinge\nregularizer: {{l2: {{lambda: 1e-3}}}}\n"
            "solver: agm-1\nrepair: [{smooth-loss: {weights: data}}]\nstop: {relative-gap: 1e-3}\n")
    return re.search(r"change L from (\S+) to ([^\s,;]+)", fenchel("check", text)).groups()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    print("| data | loss | regularizer | agm-1 | fista |\n|---|---|---|---|---|")
    for data, loss, regularizer in PAIRS:
        cells = [passes(data, loss, regularizer, solver, options.seconds) for solver in ("agm-1", "fista")]
        print(f"| {data.removesuffix('.xz')} | `{loss}` | `{regularizer}` | {' | '.join(cells)} |", flush=True)
    print("\n| data | L, one level | L, levels by the data |\n|---|---|---|")
    for data in SETS:
        print(f"| {data.removesuffix('.xz')} | {' | '.join(constants(data))} |", flush=True)


if __name__ == "__main__":
    main()
