#!/usr/bin/env python3
"""Compares what `saltus plan` predicts with runs on a few ranks.

    . jobscripts/env.sh; /usr/bin/python3 tests/bench/plan.py BUILD [options]
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

SWEEPS = pathlib.Path(__file__).resolve().parent.parent.parent / "sweeps"
SETS = ("timing.repeats=0", "rtol=[1e-3,1e-6]", "divergence={}", "t_end=20")  # half a minute of one core


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks (1,2,4)")
    parser.add_argument("--rounds", type=int, default=3, help="each of them runs so often (3)")
    parser.add_argument("--sweep", type=pathlib.Path, default=SWEEPS / "atlas-small.yaml", help="atlas-small.yaml, shortened")
    parser.add_argument("--set", action="append", metavar="KEY=VALUE", help="instead of what shortens the sweep")
    return parser.parse_args()


def run(args, ranks, cube):
    """Seconds until the last tile, and CPU seconds of the busiest rank."""
    sets = [word for pair in args.set or SETS for word in ("--set", pair)]
    done = subprocess.run(["mpirun", "-n", str(ranks), args.build / "saltus", "run", args.sweep, "-f", "-o", cube, *sets],
                          env=dict(os.environ, OMP_NUM_THREADS="1"), check=True, stderr=subprocess.PIPE, text=True)
    rows = [[float(word) for word in line.split()] for line in done.stderr.splitlines()
            if re.fullmatch(r" +\d+( +[\d.]+){7}", line)]
    assert len(rows) == ranks, done.stderr
    return max(row[1] + row[3] for row in rows), max(row[2] for row in rows)


def main():
    args = options()
    counts = [int(word) for word in args.ranks.split(",")]
    measured = {ranks: [] for ranks in counts}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(args.rounds):
            for ranks in counts:
                cube = pathlib.Path(folder) / f"{ranks}.{turn}.h5"
                measured[ranks].append((*run(args, ranks, cube), cube))
        # the cube whose CPU time is the median of its kind
        cube = sorted(measured[counts[0]], key=lambda m: m[1])[args.rounds // 2][2]
        told = json.loads(subprocess.run([args.build / "saltus", "plan", cube, "--ranks", args.ranks, "--json"],
                                         check=True, stdout=subprocess.PIPE, text=True).stdout)
    print(f"{'ranks':>6} {'predicted':>10} {'wall':>8} {'cpu':>8} {'predicted/cpu':>14}   ({os.cpu_count()} cores)")
    for ranks, row in zip(counts, told["runs"]):
        wall, cpu = (statistics.median(m[i] for m in measured[ranks]) for i in (0, 1))
        tiles = row["seconds"] - row["lost"]["write"] / ranks  # the disk is none of this comparison
        print(f"{ranks:6d} {tiles:10.3f} {wall:8.3f} {cpu:8.3f} {tiles / cpu:14.3f}")


if __name__ == "__main__":
    main()
