"""Installs fenchel into a scratch folder, builds plugins out of tree against the installed package
alone, and solves with them.

usage: check.py c|libcxx BUILD SOURCE SCRATCH CMAKE

  c        a loss in plain C with the default C compiler, and the loss that CONTRIBUTING.md shows
  libcxx   the C loss, and a regularizer built by clang++ with libc++; exit 77 where these are missing
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

SKIPPED = 77

SPEC = """\
fenchel: 1
name: installed
data: {{train: train.libsvm, format: libsvm}}
loss: {loss}
regularizer: {regularizer}
solver: {solver}
stop: {{relative-gap: 1.0e-8, passes: 5000}}
"""


def run(*command, expect=0, env=None):
    """Runs a command, fails unless it exits with `expect`; returns what it printed (out, err)."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode != expect:
        sys.exit(
            f"{' '.join(command)}\nexit code {done.returncode}, expected {expect}\n"
            f"{done.stdout}\n{done.stderr}"
        )
    return done.stdout, done.stderr


def check(holds, message):
    if not holds:
        sys.exit(f"failed: {message}")


def have_libcxx(scratch):
    if not shutil.which("clang++"):
        return False
    probe = scratch / "probe.cpp"
    probe.write_text("#include <vector>\nint main() { return std::vector<int>{0}[0]; }\n")
    command = ["clang++", "-stdlib=libc++", probe, "-o", scratch / "probe"]
    return subprocess.run(command, capture_output=True).returncode == 0


def build_plugin(folder, arguments):
    """Configures and builds FOLDER as a project of its own."""
    build = scratch / "build" / folder.name
    run(
        cmake, "-S", folder, "-B", build,
        "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}",
        # The plugin must need nothing of the host's libraries.
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON" for library in ("Boost", "Eigen3", "yaml-cpp")),
        f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={plugins}", *arguments,
    )  # fmt: skip
    run(cmake, "--build", build)


def exported(library):
    out, _ = run("nm", "--dynamic", "--defined-only", "--format=posix", library)
    return [line.split()[0].split("@")[0] for line in out.splitlines() if line.strip()]


def write_data(path):
    """y = 1 + <w, x> + noise with some outliers, 60 rows of 5 features."""
    draw = random.Random(7)
    truth = [1.0, -2.0, 0.5, 0.0, 3.0]
    lines = []
    for row in range(60):
        x = [draw.gauss(0, 1) for _ in truth]
        y = sum(a * b for a, b in zip(truth, x)) + draw.gauss(0, 0.1) + (20 if row % 15 == 0 else 0)
        lines.append(" ".join([f"{y:.6f}"] + [f"{j}:{v:.6f}" for j, v in enumerate(x, 1)]))
    path.write_text("\n".join(lines) + "\n")


def solve(name, regularizer, solver, loss="{pseudo-huber: {delta: 0.5}}", expect=0):
    spec = scratch / f"{name}.yaml"
    spec.write_text(SPEC.format(loss=loss, regularizer=regularizer, solver=solver))
    command = [program, "solve", spec, "--json", "--quiet", "--plugins", plugins]
    return run(*command, expect=expect, env=environment)


def check_solved(name, *parts):
    out, _ = solve(name, *parts)
    result = json.loads(out)
    check(result["status"] == "converged", f"{name}: status is {result['status']}")
    check(result["certificate"]["verified"] is True, f"{name}: the certificate is not verified")
    check(0 <= result["relative_gap"] <= 1e-8, f"{name}: relative gap {result['relative_gap']}")
    print(f"{name}: converged, J = {result['primal']:.9f}, gap = {result['gap']:.2e}")
    return result


def listed_plugins():
    out, _ = run(program, "plugins", "list", "--json", "--plugins", plugins, env=environment)
    listing = json.loads(out)
    check(not listing["failures"], f"failures when loading: {listing['failures']}")
    return {(plugin["kind"], plugin["id"]) for plugin in listing["plugins"]}


def check_package():
    for file in ("fenchel/abi.h", "fenchel/sdk.hpp", "fenchel/sdk/loss.hpp"):
        check((prefix / "include" / file).is_file(), f"include/{file} is not installed")
    config = list(prefix.glob("lib*/**/cmake/fenchel/fenchelConfig.cmake"))
    check(len(config) == 1, "fenchelConfig.cmake is not installed")
    listed = listed_plugins()
    for kind, folder in (("loss", "losses"), ("regularizer", "regularizers"), ("solver", "solvers")):
        for file in (source / "plugins" / folder).glob("*.cpp"):
            plugin = (kind, file.stem.replace("_", "-"))
            check(plugin in listed, f"the installed program does not find {plugin}")


def check_c():
    build_plugin(own / "pseudo_huber", [])
    library = plugins / "fenchel-loss-pseudo-huber.so"
    check(exported(library) == ["fenchel_plugin"], f"exports {exported(library)}")
    check(("loss", "pseudo-huber") in listed_plugins(), "the C plugin is not listed")
    run(program, "plugins", "verify", library, env=environment)
    by_fista = check_solved("c-fista", "{l2: {lambda: 0.1}}", "fista")
    by_sdca = check_solved("c-prox-sdca", "{l2: {lambda: 0.1}}", "prox-sdca")
    difference = abs(by_fista["primal"] - by_sdca["primal"])
    check(difference <= 1e-7 * abs(by_fista["primal"]), f"the solvers differ by {difference}")
    return by_fista


def check_libcxx(by_l2):
    build_plugin(own / "weighted_l2", ["-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_CXX_FLAGS=-stdlib=libc++"])
    library = plugins / "fenchel-regularizer-weighted-l2.so"
    check(exported(library) == ["fenchel_plugin"], f"exports {exported(library)}")
    check("libc++" in run("ldd", library)[0], "the plugin is not linked with libc++")
    check(("regularizer", "weighted-l2") in listed_plugins(), "the libc++ plugin is not listed")
    run(program, "plugins", "verify", library, env=environment)
    ones = check_solved("libcxx-ones", "{weighted-l2: {lambda: 0.1}}", "fista")
    difference = abs(ones["primal"] - by_l2["primal"])
    check(difference <= 1e-7 * abs(ones["primal"]), f"unit weights differ from l2 by {difference}")
    check_solved("libcxx", "{weighted-l2: {lambda: 0.1, weights: [1, 2, 3, 4, 5]}}", "fista")
    # An exception thrown within libc++ arrives as a message of the host.
    _, err = solve("libcxx-throws", "{weighted-l2: {lambda: 1, weights: [1, 2]}}", "fista", expect=5)
    check("weights has 2 entries, the problem 5 parameters" in err, f"the reason is lost: {err}")


def check_guide():
    """The example of CONTRIBUTING.md, taken from the page itself."""
    page = (source / "CONTRIBUTING.md").read_text()
    folder = scratch / "guide"
    folder.mkdir()
    lists = re.search(r"`CMakeLists.txt`:\n\n(.*?)\n\n", page, re.DOTALL)
    code = re.search(r"```cpp\n(.*?)```", page, re.DOTALL)
    (folder / "CMakeLists.txt").write_text(textwrap.dedent(lists[1]) + "\n")
    (folder / "absolute.cpp").write_text(textwrap.dedent(code[1]))
    build_plugin(folder, [])
    run(program, "plugins", "verify", plugins / "fenchel-loss-absolute.so", env=environment)
    check_solved("guide", "{l2: {lambda: 0.1}}", "prox-sdca", "absolute")
    _, err = solve("guide-refused", "{l2: {lambda: 0.1}}", "fista", "absolute", expect=4)
    check("smoothness" in err, f"the refusal does not name the requirement: {err}")


mode, build, source, scratch, cmake = sys.argv[1], *map(Path, sys.argv[2:6])
shutil.rmtree(scratch, ignore_errors=True)
prefix, plugins = scratch / "prefix", scratch / "plugins"
own = source / "tests/install/plugins"
plugins.mkdir(parents=True)
if mode == "libcxx" and not have_libcxx(scratch):
    print("skipped: clang++ with libc++ is not installed")
    sys.exit(SKIPPED)
# The installed program finds its own plugins beside itself, without help from outside.
environment = {key: value for key, value in os.environ.items() if key != "FENCHEL_PLUGIN_PATH"}
run(cmake, "--install", build, "--prefix", prefix)
program = prefix / "bin/fenchel"
write_data(scratch / "train.libsvm")
check_package()
by_l2 = check_c()
if mode == "c":
    check_guide()
else:
    check_libcxx(by_l2)
