#!/usr/bin/env python3
"""Training for F1 on imbalanced data against hinge and logistic, over one grid of λ.

Prints a table in markdown: for each data set and loss the best test F1 over the grid, the λ it was found at, and the
largest relative gap that any run of that row ended with. Sets without a test part are shuffled and cut in two.

    /usr/bin/python3 bench/imbalanced.py [--passes N]
"""

import argparse
import json
import lzma
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data")
FENCHEL = os.environ.get("FENCHEL", os.path.join(ROOT, "build", "release", "bin", "fenchel"))
# data, normalize
SETS = [("mammography", "columns"), ("oil-spill", "columns"), ("reuters-corn", "none"), ("reuters-crude", "none")]
LOSSES = [("f1", "bmrm"), ("hinge", "prox-sdca"), ("logistic", "prox-sdca")]
GRID = ["1e-2", "1e-3", "1e-4", "1e-5", "1e-6"]


def lines(name):
    path = os.path.join(DATA, name)
    if os.path.exists(path):
        return open(path).read().splitlines()
    return lzma.open(path + ".xz", "rt").read().splitlines()


def parts(name, folder):
    train = lines(name)
    if os.path.exists(os.path.join(DATA, name + ".t")) or os.path.exists(os.path.join(DATA, name + ".t.xz")):
        test = lines(name + ".t")
    else:
        random.Random(1).shuffle(train)
        half = len(train) // 2
        train, test = train[:half], train[half:]
    paths = []
    for which, rows in (("train", train), ("test", test)):
        paths.append(os.path.join(folder, name + "." + which))
        with open(paths[-1], "w") as out:
            out.write("\n".join(rows) + "\n")
    return paths


def solve(folder, train, test, normalize, loss, solver, weight, passes):
    spec = os.path.join(folder, "spec.yaml")
    with open(spec, "w") as out:
        out.write(f"fenchel: 1\ndata: {{train: {train}, test: {test}, normalize: {normalize}, bias: penalized}}\n"
                  f"loss: {loss}\nregularizer: {{l2: {{lambda: {weight}}}}}\nsolver: {solver}\n"
                  f"stop: {{relative-gap: 1e-3, passes: {passes}}}\n")
    done = subprocess.run([FENCHEL, "solve", spec, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passes", type=int, default=20000)
    options = parser.parse_args()
    print("| data | loss | best test F1 | λ | largest relative gap |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, normalize in SETS:
            train, test = parts(name, folder)
            for loss, solver in LOSSES:
                runs = [(solve(folder, train, test, normalize, loss, solver, w, options.passes), w) for w in GRID]
                best, weight = max(((r["metrics"]["test"]["f1"], w) for r, w in runs), key=lambda pair: pair[0])
                gap = max(r["relative_gap"] for r, _ in runs)
                print(f"| {name} | {loss} | {best:.3f} | {weight} | {gap:.1e} |", flush=True)


if __name__ == "__main__":
    main()
