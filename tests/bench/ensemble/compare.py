#!/usr/bin/env python3
"""Runs saltus and the other codes on the monopod ensemble, by turns on one core, and prints them side by side.

    cmake --build BUILD --target bench_hop && tests/bench/ensemble/compare.py BUILD [options]
"""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zlib

import entrants
import figures
import rows
import tables

HERE = pathlib.Path(__file__).resolve().parent
SHIFT, MOST_GROWTH = 1e-9, 1e3  # of a start, one component at a time; well-conditioned: the end moves by less
CERTIFIED = ("dop853", "event")
REFERENCE, CHECK = "1e-13", "1e-12"
TIMEOUT = 900  # seconds of one program


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?", help="build folder, with the target `bench_hop` built")
    parser.add_argument("--quick", action="store_true", help="fewer rows for the slow codes, fewer tolerances")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.csv", help="keep every measurement here")
    parser.add_argument("--read", type=pathlib.Path, metavar="FILE.csv", help="measure nothing, print these")
    parser.add_argument("--every", action="store_true", help="print costs at every tolerance, not only at three")
    parser.add_argument("--rows", type=int, metavar="N", help="rows of the fast codes (1300)")
    parser.add_argument("--only", metavar="CODE,...", help="only these peers; `none` for ours alone")
    parser.add_argument("--core", type=int, help="the core to use; the first one allowed")
    args = parser.parse_args()
    if (args.build is None) == (args.read is None):
        parser.error("either BUILD or --read FILE.csv is needed")
    if args.rows is not None and args.rows < entrants.WHOLE.rows[entrants.MANY]:
        parser.error(f"--rows {args.rows}: at least {entrants.WHOLE.rows[entrants.MANY]}")
    codes = {peer.code for peer in entrants.PEERS}
    args.only = codes if args.only is None else set(args.only.split(",")) - {"none"}
    if args.only - codes:
        parser.error(f"--only: no peer is called {', '.join(sorted(args.only - codes))}; {', '.join(sorted(codes))}")
    return args


class Bench:
    """Runs the programs and gathers what they print as rows of figures.COLUMNS."""

    def __init__(self, build, extent, folder, codes):
        self.build, self.extent = build, extent
        if not (build / "bench_hop_saltus").exists():
            sys.exit(f"{build}/bench_hop_saltus is missing: cmake --build {build} --target bench_hop")
        self.list, self.ends = folder / "rows.csv", folder / "ends.csv"
        with open(self.list, "w", encoding="utf-8") as file:
            rows.write(file, extent.rows[entrants.ALL])
        self.lanes = entrants.ours(build)
        self.codes = {code for code in codes if entrants.present(code, build, HERE)}
        for code in sorted(codes - self.codes):
            print(f"{code} is left out: it needs {entrants.PACKAGES[code]}", file=sys.stderr)
        self.rows, self.spent = [], {}
        self.certify()

    def call(self, code, method, strategy, tolerance, n, *more):
        """(what was measured, attempts, final y1, checksum of the ends)"""
        command = [*entrants.program(code, self.build, HERE), method, strategy, tolerance, self.list, n, self.ends, *more]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              timeout=TIMEOUT, env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr.strip()}")
        text = self.ends.read_text(encoding="utf-8")
        ends = list(csv.DictReader(text.splitlines()))
        return (dict(re.findall(r"(\w+)=(\S+)", done.stdout)), [int(end["attempts"]) for end in ends],
                [float(end["y1"]) for end in ends], f"{zlib.crc32(text.encode()):08x}")

    def certified(self, tolerance, *shift):
        n = self.extent.rows[entrants.ALL]
        return self.call(figures.OURS, *CERTIFIED, tolerance, n, entrants.WIDEST, *shift)[2]

    def certify(self):
        """The reference, and the rows that are well-conditioned."""
        self.exact = self.certified(REFERENCE)
        moved = [self.certified(REFERENCE, *(SHIFT if i == j else 0 for j in range(4))) for i in range(4)]
        self.growth = [max(abs(end - right) for end in ends) / SHIFT for right, *ends in zip(self.exact, *moved, strict=True)]
        self.counts = [growth < MOST_GROWTH for growth in self.growth]
        error = figures.median_error(self.certified(CHECK), self.exact, self.counts)
        self.rows.append({"code": figures.REFERENCE, "method": CERTIFIED[0], "width": max(self.lanes.values()),
                          "strategy": CERTIFIED[1], "tolerance": REFERENCE, "list": entrants.ALL,
                          "rows": len(self.exact), "wrong": self.counts.count(False), "error": repr(error)})

    def occupancy(self, run, attempts):
        """How busy lanes are: as the rows come, longest first, in tiles."""
        width = self.lanes[run.method]
        return {"busy": figures.busy(attempts, width), "busy_sorted": figures.busy(sorted(attempts, reverse=True), width),
                "busy_tiles": figures.busy(attempts, width, figures.TILE)}

    def measure(self, run, turn):
        n = self.extent.rows[run.list]
        width = (run.width,) if run.code == figures.OURS else ()
        began = time.monotonic()
        measured, attempts, ends, checksum = self.call(run.code, run.method, run.strategy, run.tolerance, n, *width)
        self.spent[run] = self.spent.get(run, 0) + time.monotonic() - began
        row = {**run._asdict(), "round": turn, "rows": n, **measured, "ends": checksum,
               "error": repr(figures.median_error(ends, self.exact, self.counts))}
        if run.code == figures.OURS and run.width == entrants.WIDEST and run.list == entrants.ALL:
            row |= self.occupancy(run, attempts)
        self.rows.append(row)

    def round(self, turn):
        for run in entrants.runs(self.lanes, self.codes, self.extent):
            if self.spent.get(run, 0) <= self.extent.budget:
                self.measure(run, turn)
        load = os.getloadavg()[0]
        for row in self.rows:
            if row.get("round") == turn:
                row["load"] = f"{load:.2f}"
        return load


def run_rounds(bench):
    """Rounds until enough of them were undisturbed: others may use all cores but ours.  A disturbed round counts half,
    and the time is limited."""
    extent, began, calm, turn = bench.extent, time.monotonic(), 0.0, 0
    while calm < extent.rounds:
        start, turn = time.monotonic(), turn + 1
        load = bench.round(turn)
        now = time.monotonic()
        print(f"round {turn}: {now - start:.0f} s, load {load:.1f}", file=sys.stderr)
        calm += 1.0 if load <= os.cpu_count() else 0.5
        if (now - began) + 0.7 * (now - start) > 60 * extent.minutes:
            break


def measure(args):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0)) if args.core is None else args.core})
    extent = entrants.QUICK if args.quick else entrants.WHOLE
    if args.rows:
        extent = extent._replace(rows={**extent.rows, entrants.ALL: args.rows})
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.build.resolve(), extent, pathlib.Path(folder), args.only)
        run_rounds(bench)
    return [{name: str(row.get(name, "")) for name in figures.COLUMNS} for row in bench.rows]


def main():
    args = options()
    try:
        if args.read:
            measured = figures.read(args.read)
        else:
            if args.output:  # whether it can be written is to be known before minutes have passed
                args.output.parent.mkdir(parents=True, exist_ok=True)
                figures.write(args.output, [])
            measured = measure(args)
            if args.output:
                figures.write(args.output, measured)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        sys.exit(f"compare.py: {error}")
    tables.print_all(measured, args.every)


main()
