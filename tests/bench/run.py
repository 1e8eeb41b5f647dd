#!/usr/bin/env python3
"""Runs the benchmark programs by turns on one core and prints nanoseconds per accepted step and their ratios.

    cmake --build BUILD --target bench && /usr/bin/python3 tests/bench/run.py BUILD [options]
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SWEEP = HERE.parent.parent / "sweeps" / "dallas2017.yaml"
STRATEGIES, TOLERANCES = ("switch", "event"), ("1e-3", "1e-6", "1e-9")
PAIRS = {"ode45": ("RK45", "dp5"), "ode23": ("RK23", "bs3")}  # ours: SciPy's, ARKODE's


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder, with the target `bench` built")
    parser.add_argument("--rounds", type=int, default=5, help="each program runs once a round (5)")
    parser.add_argument("--budget", type=float, default=30, metavar="S",
                        help="a program that has run for S seconds sits out further rounds (30)")
    parser.add_argument("--core", type=int, help="the core to use; the first one allowed")
    parser.add_argument("--no-scipy", action="store_true", help="leave SciPy out, which takes most of the time")
    parser.add_argument("--no-main-job", action="store_true", help="do not time the main job")
    return parser.parse_args()


def hoppers():
    """The parameter sets of the main job, as lines "b m1 k f"."""
    rows = re.findall(r"^ +- \[([-\d., ]+)\]$", SWEEP.read_text(encoding="utf-8"), re.MULTILINE)
    return "".join(row.replace(",", " ") + "\n" for row in rows), len(rows)


def programs(args):
    """{(code, method, strategy, tolerance, lanes): command}; lanes 0 is the widest."""
    found = {}

    def add(code, command, method, lanes):
        for strategy in STRATEGIES:
            for tolerance in TOLERANCES:
                key = (code, method, strategy, tolerance, lanes)
                found[key] = [*map(str, command), method, strategy, tolerance, str(lanes)]

    arkode = args.build / "bench_arkode"
    if not (args.build / "bench_saltus").exists():
        sys.exit(f"{args.build}/bench_saltus is missing: cmake --build {args.build} --target bench")
    if not arkode.exists():
        print("ARKODE is left out: bench_arkode was not built (libsundials-dev)")
    scipy = not args.no_scipy and subprocess.run([sys.executable, "-c", "import scipy"], check=False,
                                                 stderr=subprocess.DEVNULL).returncode == 0
    if not scipy:
        print("SciPy is left out" + ("" if args.no_scipy else f": {sys.executable} has none (python3-scipy)"))
    for ours, (theirs, ark) in PAIRS.items():
        for lanes in (1, 0):
            add("saltus", [args.build / "bench_saltus"], ours, lanes)
        if arkode.exists():
            add("arkode", [arkode], ark, 1)
        if scipy:
            add("scipy", [sys.executable, HERE / "bench_scipy.py"], theirs, 1)
    return found


def measure(found, args, sets):
    """All programs by turns; {key: [report of each round]}."""
    reports, spent = {key: [] for key in found}, dict.fromkeys(found, 0.0)
    for turn in range(args.rounds):
        began = time.monotonic()
        for key, command in found.items():
            if spent[key] > args.budget:
                continue
            start = time.monotonic()
            out = subprocess.run(command, input=sets, capture_output=True, text=True, check=True).stdout
            spent[key] += time.monotonic() - start
            reports[key].append({name: float(value) for name, value in re.findall(r"(\w+)=(\S+)", out)})
        print(f"round {turn + 1}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return reports


def per_step(reports):
    """Median nanoseconds per accepted step."""
    return {key: statistics.median(1e9 * r["cpu"] / r["steps"] for r in runs) for key, runs in reports.items()}


def print_times(reports, ns):
    print(f"\n{'':20} {'':6} {'tol':>5} {'ns/step':>10} {'spread':>7} {'steps':>9} {'f/step':>7} {'events':>7} "
          f"{'runs':>5}")
    for key, runs in reports.items():
        code, method, strategy, tolerance, lanes = key
        values = [1e9 * r["cpu"] / r["steps"] for r in runs]
        name = f"{code} {method}" + (" widest" if lanes == 0 else "")
        last, failed = runs[-1], f"  {runs[-1]['failed']:.0f} failed" if runs[-1]["failed"] else ""
        print(f"{name:20} {strategy:6} {tolerance:>5} {ns[key]:10.1f} {(max(values) - min(values)) / ns[key]:6.0%} "
              f"{last['steps']:9.0f} {last['rhs'] / last['steps']:7.2f} {last['events']:7.0f} {len(runs):5}{failed}")


def print_ratios(ns):
    print(f"\n{'per accepted step':22} {'':6}" + "".join(f"{t:>9}" for t in TOLERANCES) + "   least")
    for ours, theirs in PAIRS.items():
        for other, code in zip(theirs, ("scipy", "arkode")):
            for lanes in (1, 0):
                for strategy in STRATEGIES:
                    ratios = [ns[(code, other, strategy, t, 1)] / ns[("saltus", ours, strategy, t, lanes)]
                              for t in TOLERANCES if (code, other, strategy, t, 1) in ns]
                    if ratios:
                        width = "width 1" if lanes else "widest"
                        print(f"{other + ' / ' + ours + ', ' + width:22} {strategy:6}" +
                              "".join(f"{r:9.1f}" for r in ratios) + f"{min(ratios):8.1f}")


def print_main_job(args, cores):
    """Wall time of the main job as shipped, on all cores."""
    os.sched_setaffinity(0, cores)
    walls = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            began = time.monotonic()
            subprocess.run([args.build / "saltus", "run", SWEEP, "-q", "--force", "-o", f"{folder}/cube.h5"],
                           check=True, env=dict(os.environ, OMP_NUM_THREADS=str(len(cores)), OPENBLAS_NUM_THREADS="1"))
            walls.append(time.monotonic() - began)
    print(f"\nmain job, {len(cores)} threads: {statistics.median(walls):.1f} s "
          f"({', '.join(f'{w:.1f}' for w in walls)})")


def main():
    args = options()
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores) if args.core is None else args.core})
    sets, n = hoppers()
    print(f"{n} hoppers, t in [0, 50], {args.rounds} rounds by turns on one core, medians")
    reports = measure(programs(args), args, sets)
    ns = per_step(reports)
    print_times(reports, ns)
    print_ratios(ns)
    if not args.no_main_job:
        print_main_job(args, cores)


main()
