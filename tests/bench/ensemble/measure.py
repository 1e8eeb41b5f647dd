"""Runs saltus and the other codes on the monopod ensemble."""
import csv
import os
import pathlib
import re
import sys
import zlib

import programs
from turns import Item

from . import entrants, figures, rows

HERE = pathlib.Path(__file__).resolve().parent
SHIFT, MOST_GROWTH = 1e-9, 1e3  # of a start, one component at a time; well-conditioned: the end moves by less
CERTIFIED = ("dop853", "event")
REFERENCE, CHECK = "1e-13", "1e-12"
TIMEOUT = 900  # seconds of one program


class Bench:
    """Runs the programs and gathers what they print as rows of figures.COLUMNS."""

    def __init__(self, build, extent, folder, codes):
        self.build, self.extent = build, extent
        if not (build / "bench_flight_saltus").exists():
            sys.exit(f"{build}/bench_flight_saltus is missing: cmake --build {build} --target bench")
        self.list, self.ends = folder / "rows.csv", folder / "ends.csv"
        self.longest = max(extent.rows, key=extent.rows.get)
        with open(self.list, "w", encoding="utf-8") as file:
            rows.write(file, extent.rows[self.longest])
        self.lanes = entrants.ours(build)
        self.codes = {code for code in codes if entrants.present(code, build, HERE)}
        self.missing = sorted(codes - self.codes)
        self.rows, self.spent, self.done = [], {}, set()
        self.certify()

    def call(self, code, method, strategy, tolerance, n, *more, left=TIMEOUT):
        """(what was measured, attempts, final y1, checksum of the ends)"""
        command = [*entrants.program(code, self.build, HERE), method, strategy, tolerance, self.list, n, self.ends, *more]
        out = programs.output(command, min(left, TIMEOUT))
        text = self.ends.read_text(encoding="utf-8")
        ends = list(csv.DictReader(text.splitlines()))
        return (dict(re.findall(r"(\w+)=(\S+)", out)), [int(end["attempts"]) for end in ends],
                [float(end["y1"]) for end in ends], f"{zlib.crc32(text.encode()):08x}")

    def certified(self, tolerance, *shift):
        n = self.extent.rows[self.longest]
        return self.call(figures.OURS, *CERTIFIED, tolerance, n, entrants.WIDEST, *shift)[2]

    def certify(self):
        """The reference, and the rows that are well-conditioned."""
        self.exact = self.certified(REFERENCE)
        moved = [self.certified(REFERENCE, *(SHIFT if i == j else 0 for j in range(4))) for i in range(4)]
        self.growth = [max(abs(end - right) for end in ends) / SHIFT for right, *ends in zip(self.exact, *moved, strict=True)]
        self.counts = [growth < MOST_GROWTH for growth in self.growth]
        error = figures.median_error(self.certified(CHECK), self.exact, self.counts)
        self.rows.append({"code": figures.REFERENCE, "method": CERTIFIED[0], "width": max(self.lanes.values()),
                          "strategy": CERTIFIED[1], "tolerance": REFERENCE, "list": self.longest,
                          "rows": len(self.exact), "wrong": self.counts.count(False), "error": repr(error)})

    def occupancy(self, run, attempts):
        """How busy lanes are: as the rows come, longest first, in tiles."""
        width = self.lanes[run.method]
        return {"busy": figures.busy(attempts, width), "busy_sorted": figures.busy(sorted(attempts, reverse=True), width),
                "busy_tiles": figures.busy(attempts, width, figures.TILE)}

    def needed(self, run):
        """Not where a looser tolerance of the configuration is accurate enough for all, nor where it has used up what it may."""
        loosest = max((float(tolerance) for key, tolerance in self.done if key == run._replace(tolerance="")), default=0)
        return float(run.tolerance) >= loosest and self.spent.get(run, 0) <= self.extent.budget

    def measure(self, run, turn, left):
        if not self.needed(run):
            return
        n = self.extent.rows[run.list]
        width = ("alone" if run.width == figures.ALONE else run.width,) if run.code == figures.OURS else ()
        began = programs.cpu()
        measured, attempts, ends, checksum = self.call(run.code, run.method, run.strategy, run.tolerance, n, *width,
                                                       left=left())
        self.spent[run] = self.spent.get(run, 0) + programs.cpu() - began
        error = figures.median_error(ends, self.exact, self.counts)
        if error < min(figures.ERRORS):
            self.done.add((run._replace(tolerance=""), run.tolerance))
        row = {**run._asdict(), "round": turn, "load": f"{os.getloadavg()[0]:.2f}", "rows": n, **measured,
               "ends": checksum, "error": repr(error)}
        if run.code == figures.OURS and run.width == figures.WIDEST and run.list == entrants.ALL:
            row |= self.occupancy(run, attempts)
        self.rows.append(row)

    def items(self):
        """One a run; those at one strategy and tolerance one right after another."""
        for run in entrants.runs(self.lanes, self.codes, self.extent):
            who = f"{figures.named(run.code, run.method, run.width)} on {self.extent.rows[run.list]} rows"
            yield Item("ensemble", who, f"{run.strategy} {run.tolerance}",
                       lambda turn, left, run=run: self.measure(run, turn, left))
