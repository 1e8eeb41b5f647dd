#!/usr/bin/env python3
"""Runs MuJoCo and saltus on the plate and the hopper, by turns on one core, and prints them side by side.

    cmake --build BUILD --target bench_plate bench_mujoco && tests/bench/mujoco/compare.py BUILD [options]
"""
import argparse
import csv
import itertools
import os
import pathlib
import subprocess
import sys
import time

import figures
import tables

HERE = pathlib.Path(__file__).resolve().parent
STARTS = HERE.parent.parent / "data" / "anderson" / "ics120.csv"
CONTACTS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
QUICK = (2, 16, 128)
PEERS = ("soft", "soft_best", "feet_best", "passive")
METHODS, TOLERANCES = ("ode23", "ode45", "dop853"), ("1e-4", "3e-5", "1e-5", "1e-6", "1e-7")
CERTIFIED = {"method": "dop853", "strategy": "event"}
WIDEST = 0
# The hopper: (k, name, keys of bench_mujoco)
HOPPERS = (
    (50, "passive", {"variant": "passive"}),
    (100, "passive", {"variant": "passive"}),
    (200, "passive", {"variant": "passive"}),
    (200, "passive RK4", {"variant": "passive", "integrator": "RK4"}),
    (200, "soft", {"variant": "soft"}),
    (200, "feet, 1 %", {"variant": "feet"}),
    (200, "leg, foot 1 %", {"variant": "leg"}),
    (100, "leg, foot 5 %", {"variant": "leg", "foot": 0.05}),
)
ZONES = tuple(10 ** (-2.75 + i / 24) for i in range(54))  # 0.0018 to 0.29
HOPPER_REPS = 20


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?", help="build folder, with both programs built")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(map(str, QUICK))} contacts")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.csv", help="keep every measurement here")
    parser.add_argument("--read", type=pathlib.Path, metavar="FILE.csv", help="measure nothing, print these")
    parser.add_argument("--core", type=int, help="the core to use; the first one allowed")
    args = parser.parse_args()
    if (args.build is None) == (args.read is None):
        parser.error("either BUILD or --read FILE.csv is needed")
    return args


def reps(n):
    """Timed runs of one start, the same number for every program; the shortest one counts."""
    return 3 if n <= 32 else 2 if n <= 128 else 1


class Bench:
    """Runs the two programs and gathers what they print as rows of figures.COLUMNS."""

    def __init__(self, build):
        self.ours, self.theirs = build / "bench_plate", build / "bench_mujoco"
        for program in (self.ours, self.theirs):
            if not program.exists():
                sys.exit(f"{program} is missing: cmake --build {build} --target {program.name}"
                         + (" (needs libmujoco-dev)" if program == self.theirs else ""))
        self.rows = []

    def call(self, program, problem, **keys):
        command = [program, problem, *(f"{key}={value}" for key, value in keys.items())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout.splitlines()

    def label(self, problem, program, variant, **columns):
        return {"problem": problem, "program": "mujoco" if program == self.theirs else "saltus",
                "variant": variant, "width": 1, **columns}

    def plate(self, n, program, label, columns=None, **keys):
        lines = self.call(program, "plate", n=n, starts=STARTS, **{"reps": reps(n), **keys})
        label = self.label("plate", program, label, n=n, **(columns or {}))
        self.rows += [{**label, **row} for row in csv.DictReader(lines)]

    def plates(self, n):
        """Everything about n contacts, one program right after the other."""
        for variant in PEERS:
            self.plate(n, self.theirs, variant, variant=variant)
        for method, tolerance, width in itertools.product(METHODS, TOLERANCES, (1, WIDEST)):
            self.plate(n, self.ours, f"{method} {tolerance}", {"width": width}, width=width,
                       method=method, strategy="event", tolerance=tolerance)
        for variant, tolerance in ((figures.REFERENCE, 1e-13), (figures.CHECK, 1e-12)):
            self.plate(n, self.ours, variant, {"width": WIDEST}, width=WIDEST, **CERTIFIED,
                       tolerance=tolerance, reps=1)

    def heights(self, program, k, **keys):
        """(what was measured, heights at dt, 2 dt, ...)"""
        first, *rest = self.call(program, "hopper", K=k, **{"reps": HOPPER_REPS, **keys})
        return dict(zip(("cpu", "wrong"), first.split(","), strict=True)), [float(line) for line in rest]

    def hopper(self, k, exact, program, label, **keys):
        measured, heights = self.heights(program, k, **keys)
        label = self.label("hopper", program, label, n=1, k=k, zone=keys.get("zone", ""), start=0)
        self.rows.append({**label, **measured, "rms": figures.rms(heights, exact)})

    def hoppers(self):
        for k in sorted({k for k, _, _ in HOPPERS}):
            _, exact = self.heights(self.ours, k, **CERTIFIED, tolerance=1e-13, reps=1)
            for _, label, keys in (hopper for hopper in HOPPERS if hopper[0] == k):
                self.hopper(k, exact, self.theirs, label, **keys)
            self.hopper(k, exact, self.ours, "event ode45 1e-6", strategy="event", method="ode45", tolerance=1e-6)
            for zone in sorted({*ZONES, tables.PAPER_ZONE}):
                self.hopper(k, exact, self.ours, "ess ode45", strategy="ess", method="ode45", in_time=0, zone=zone)


def measure(args):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0)) if args.core is None else args.core})
    bench = Bench(args.build.resolve())
    for n in QUICK if args.quick else CONTACTS:
        began = time.monotonic()
        bench.plates(n)
        print(f"{n} contacts: {time.monotonic() - began:.0f} s", file=sys.stderr)
    bench.hoppers()
    return bench.rows


def main():
    args = options()
    try:
        if args.read:
            rows = figures.read(args.read)
        else:
            if args.output:  # whether it can be written is to be known before minutes have passed
                args.output.parent.mkdir(parents=True, exist_ok=True)
                figures.write(args.output, [])
            rows = measure(args)
            if args.output:
                figures.write(args.output, rows)
    except (OSError, ValueError) as error:
        sys.exit(f"compare.py: {error}")
    tables.print_all(rows)


main()
