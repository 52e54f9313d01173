#!/usr/bin/env python3
"""Passes of prox-sdca, acc-prox-sdca and fista as λ falls: the specs of specs/experiments on larger data.

Prints a table in markdown. A row is one data set and one λ; a cell is the number of passes at which a certificate
first had a gap of at most 1e-3, or the gap that was left when the passes ran out.

    /usr/bin/python3 bench/acceleration.py [--data FILE]… [--passes N]
"""

import argparse
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data")
FENCHEL = os.environ.get("FENCHEL", os.path.join(ROOT, "build", "release", "bin", "fenchel"))
SPECS = ["acceleration", "acceleration-1e-7", "acceleration-1e-8", "acceleration-1e-9"]


def cell(result):
    if result["status"] == "converged":
        return f"{result['passes']:.0f}"
    return f"({result['gap']:.1e})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", action="append", help="a data file (else a text set, a9a and a dense set)")
    parser.add_argument("--passes", type=int, default=400)
    options = parser.parse_args()
    files = options.data or [os.path.join(DATA, name) for name in ("reuters-acq.xz", "a9a", "ijcnn1.xz")]
    print("| data | λ | prox-sdca | acc-prox-sdca | fista |\n|---|---|---|---|---|")
    for path in files:
        for spec in SPECS:
            done = subprocess.run([FENCHEL, "solve", os.path.join(ROOT, "specs", "experiments", spec + ".yaml"),
                                   "--json", "--set", "data.train=" + path,
                                   "--set", f"stop.passes={options.passes}"], capture_output=True, text=True)
            if done.returncode not in (0, 3):
                sys.exit(done.stderr)
            weight = spec.partition("-")[2] or "1e-6"
            cells = " | ".join(cell(r) for r in json.loads(done.stdout)["results"])
            print(f"| {os.path.basename(path).removesuffix('.xz')} | {weight} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
