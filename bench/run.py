#!/usr/bin/env python3
"""Figures of fenchel against LIBLINEAR, side by side on this machine and on the same objective.

Nothing here passes or fails. Both have to reach the same relative gap. fenchel's is its own certificate; that
of LIBLINEAR is its primal value, recomputed here, against the best lower bound that fenchel certified. It is
given the loosest tolerance of a grid with which it gets there. Times are the best of several runs that take
turns: `solve` is without reading the data (fenchel's includes its certificates), `total` is the whole program.

    ./dev bench [--runs N] [--data NAME,…] [--loss NAME,…] [--markdown]
"""

import argparse
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy
from scipy.special import log1p
from sklearn.datasets import load_svmlight_file

import liblinear

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "..", "shared", "data")
FENCHEL = os.environ.get("FENCHEL", os.path.join(ROOT, "build", "release", "bin", "fenchel"))
SOLVERS = {"hinge": liblinear.HINGE_DUAL, "logistic": liblinear.LOGISTIC_DUAL,
           "max-of-hinge": liblinear.CRAMMER_SINGER}
PAIRS = [(data, loss) for data in ("a9a", "ijcnn1", "reuters-acq", "20news-binary")
         for loss in ("hinge", "logistic")]
PAIRS += [(data, "max-of-hinge") for data in ("a9a", "ijcnn1", "reuters-acq", "20news")]


class DataSet:
    def __init__(self, name, folder):
        self.name = name
        self.path = os.path.join(folder, name)
        packed = os.path.join(DATA, name + ".xz")
        if os.path.exists(packed):
            with lzma.open(packed) as source, open(self.path, "wb") as target:
                shutil.copyfileobj(source, target)
        else:
            shutil.copy(os.path.join(DATA, name), self.path)
        self.x, self.y = load_svmlight_file(self.path)
        self.n = self.x.shape[0]
        self.peer = liblinear.Liblinear(self.x, self.y)


def risk(data, loss, w, labels):
    """The mean loss of LIBLINEAR's weights."""
    if loss == "max-of-hinge":
        z = numpy.asarray(data.x @ w.T)
        own = numpy.searchsorted(numpy.sort(labels), data.y)
        own = numpy.argsort(labels)[own]
        rows = numpy.arange(data.n)
        margin = z + 1.0
        margin[rows, own] -= 1.0
        return float(numpy.mean(margin.max(axis=1) - z[rows, own]))
    z = numpy.asarray(data.x @ w[0])
    m = numpy.where(data.y == labels[0], z, -z)
    if loss == "hinge":
        return float(numpy.mean(numpy.maximum(0.0, 1.0 - m)))
    return float(numpy.mean(numpy.maximum(0.0, -m) + log1p(numpy.exp(-numpy.abs(m)))))


class Contest:
    """One data set, one loss, one λ."""

    def __init__(self, data, loss, weight, folder, limit):
        self.data, self.loss, self.weight, self.limit = data, loss, weight, limit
        self.spec = os.path.join(folder, "spec.yaml")
        with open(self.spec, "w") as file:
            file.write(f"fenchel: 1\ndata: {{train: {json.dumps(data.path)}}}\nloss: {loss}\n"
                       f"regularizer: {{l2: {{lambda: {weight!r}}}}}\nsolver: prox-sdca\n")

    def fenchel(self, gap):
        start = time.perf_counter()
        done = subprocess.run([FENCHEL, "solve", self.spec, "--json", "--set", f"stop.relative-gap={gap!r}",
                               "--set", f"stop.seconds={self.limit!r}"], capture_output=True, text=True)
        total = time.perf_counter() - start
        if done.returncode not in (0, 3):
            sys.exit(f"fenchel failed: {done.stderr}")
        result = json.loads(done.stdout)
        return total, result["seconds"]["solve"] + result["seconds"]["certify"], result

    def liblinear(self, tolerance):
        return self.data.peer.train(SOLVERS[self.loss], 1.0 / (self.data.n * self.weight), tolerance)

    def liblinear_program(self, tolerance, folder):
        start = time.perf_counter()
        subprocess.run(["liblinear-train", "-q", "-s", str(SOLVERS[self.loss]), "-c",
                        repr(1.0 / (self.data.n * self.weight)), "-e", repr(tolerance), self.data.path,
                        os.path.join(folder, "model")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - start

    def tolerances(self, gaps, bound):
        """For each gap the loosest tolerance that reaches it, and the gap it reaches."""
        found, tolerance = {}, 1.0
        while len(found) < len(gaps):
            seconds, w, labels, limited = self.liblinear(tolerance)
            primal = risk(self.data, self.loss, w, labels) + 0.5 * self.weight * float((w * w).sum())
            reached = (primal - bound) / primal
            for gap in gaps:
                if gap not in found and reached <= gap:
                    found[gap] = (tolerance, reached)
            if limited or tolerance < 1e-9 or seconds > self.limit:
                for gap in gaps:
                    found.setdefault(gap, (None, reached))
            tolerance /= 10.0 ** 0.25
        return found

    def figures(self, gaps, runs, folder):
        bound = self.fenchel(1e-7)[2]["dual"]
        peers = self.tolerances(gaps, bound)
        for gap in gaps:
            tolerance, reached = peers[gap]
            ours, theirs = [], []
            for _ in range(runs):
                total, solve, result = self.fenchel(gap)
                ours.append((total, solve))
                if tolerance is not None:
                    theirs.append((self.liblinear_program(tolerance, folder), self.liblinear(tolerance)[0]))
            best = lambda runs_of, k: min(r[k] for r in runs_of) if runs_of else None
            yield {
                "data": self.data.name, "loss": self.loss, "lambda": self.weight, "relative_gap": gap,
                "fenchel": {"solve": best(ours, 1), "total": best(ours, 0), "passes": result["passes"],
                            "status": result["status"], "relative_gap": result["relative_gap"],
                            "verified": result["certificate"]["verified"]},
                "liblinear": {"solve": best(theirs, 1), "total": best(theirs, 0), "tolerance": tolerance,
                              "relative_gap": reached},
                "ratio": {"solve": best(ours, 1) / best(theirs, 1), "total": best(ours, 0) / best(theirs, 0)}
                if theirs else None}


def markdown(figures):
    number = lambda x, form: "" if x is None else format(x, form)
    print("| data | loss | λ | gap | fenchel solve, total (s) | its gap | LIBLINEAR solve, total (s) | its gap "
          "| ratio solve, total |")
    print("|---|---|---|---|---|---|---|---|---|")
    for f in figures:
        ours, theirs, ratio = f["fenchel"], f["liblinear"], f["ratio"] or {"solve": None, "total": None}
        print(f"| {f['data']} | {f['loss']} | {f['lambda']:.2g} | {f['relative_gap']:.0e} "
              f"| {ours['solve']:.3f}, {ours['total']:.3f} | {ours['relative_gap']:.1e} ({ours['status']}) "
              f"| {number(theirs['solve'], '.3f')}, {number(theirs['total'], '.3f')} | {theirs['relative_gap']:.1e} "
              f"| {number(ratio['solve'], '.2f')}, {number(ratio['total'], '.2f')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", default="", help="only these data sets")
    parser.add_argument("--loss", default="", help="only these losses")
    parser.add_argument("--lambda", dest="weight", type=float, help="only this lambda (else 1/n and 1e-6)")
    parser.add_argument("--gaps", default="1e-3,1e-5")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one run")
    parser.add_argument("--markdown", action="store_true", help="a table in place of JSON")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(DATA, "a9a")):
        sys.exit("bench: the data sets are not here (../shared/data)")
    if not shutil.which("liblinear-train"):
        sys.exit("bench: liblinear-train is missing (./dev setup bench)")
    wanted = [(d, l) for d, l in PAIRS if (not options.data or d in options.data.split(","))
              and (not options.loss or l in options.loss.split(","))]
    gaps = [float(g) for g in options.gaps.split(",")]
    figures, data = [], None
    with tempfile.TemporaryDirectory(prefix="fenchel-bench-") as folder:
        for name, loss in wanted:
            if data is None or data.name != name:
                data = DataSet(name, folder)
            for weight in [options.weight] if options.weight else [1.0 / data.n, 1e-6]:
                contest = Contest(data, loss, weight, folder, options.limit)
                for figure in contest.figures(gaps, options.runs, folder):
                    figures.append(figure)
                    print(json.dumps(figure), file=sys.stderr)
    if options.markdown:
        markdown(figures)
    else:
        json.dump({"figures": figures}, sys.stdout, indent=2)
        print()


if __name__ == "__main__":
    main()
