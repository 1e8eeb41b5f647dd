"""Runs MuJoCo and saltus on the plate and the hopper."""
import csv
import itertools
import pathlib
import sys

import programs
from turns import Item

from . import figures, tables

HERE = pathlib.Path(__file__).resolve().parent
STARTS = HERE.parent.parent / "data" / "anderson" / "ics120.csv"
CONTACTS, FEW_CONTACTS = (2, 4, 8, 16, 32, 64, 128, 256, 512), (2, 16, 128)
PEERS, FEW_PEERS = ("soft", "soft_best", "feet_best", "passive"), ("soft", "passive")
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
    (100, "leg, foot 5 %", {"variant": "leg", "foot": 0.05}),
    (200, "leg, foot 1 %", {"variant": "leg"}),
)
HOPPER_TOLERANCES = ("1e-3", "1e-4", "1e-6")
ZONES = tuple(10 ** (-2.75 + i / 24) for i in range(54))  # 0.0018 to 0.29
HOPPER_REPS = 20


def reps(n):
    """Timed runs of one start, the same number for every program; the shortest one counts."""
    return 3 if n <= 32 else 2 if n <= 128 else 1


class Bench:
    """Runs the two programs and gathers what they print as rows of figures.COLUMNS."""

    def __init__(self, build, whole):
        self.ours, self.theirs = build / "bench_plate", build / "bench_mujoco"
        if not self.ours.exists():
            sys.exit(f"{self.ours} is missing: cmake --build {build} --target bench")
        self.missing = [] if self.theirs.exists() else ["mujoco"]
        self.whole = whole
        self.rows, self.left = [], None

    def call(self, program, problem, **keys):
        return programs.output([program, problem, *(f"{key}={value}" for key, value in keys.items())],
                               self.left()).splitlines()

    def label(self, problem, program, variant, **columns):
        return {"problem": problem, "program": "mujoco" if program == self.theirs else "saltus",
                "variant": variant, "width": 1, **columns}

    def plate(self, n, program, label, columns=None, **keys):
        lines = self.call(program, "plate", n=n, starts=STARTS, **{"reps": reps(n), **keys})
        label = self.label("plate", program, label, n=n, **(columns or {}))
        self.rows += [{**label, **row} for row in csv.DictReader(lines)]

    def plates(self, n):
        """Everything about n contacts, one program right after the other."""
        for variant in PEERS if self.whole else FEW_PEERS:
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

    def hoppers(self, k):
        _, exact = self.heights(self.ours, k, **CERTIFIED, tolerance=1e-13, reps=1)
        for _, label, keys in (hopper for hopper in HOPPERS if hopper[0] == k):
            self.hopper(k, exact, self.theirs, label, **keys)
        for tolerance in HOPPER_TOLERANCES:
            self.hopper(k, exact, self.ours, f"event ode45 {tolerance}", strategy="event", method="ode45",
                        tolerance=tolerance)
        for zone in sorted({*ZONES, tables.PAPER_ZONE}) if self.whole else ():
            self.hopper(k, exact, self.ours, "ess ode45", strategy="ess", method="ode45", in_time=0, zone=zone)

    def measure(self, what, turn, left):
        """All of one item, or nothing; of several turns the one with least time counts for each start."""
        self.left, before = left, len(self.rows)
        try:
            what()
        except programs.TimeUp:
            del self.rows[before:]
            raise
        finally:
            if turn > 1:
                self.rows = figures.least(self.rows)

    def items(self):
        """One for each number of contacts and each hopper: one program right after the other."""
        for n in CONTACTS if self.whole else FEW_CONTACTS:
            yield Item("mujoco", "plate", f"{n} springs",
                       lambda turn, left, n=n: self.measure(lambda: self.plates(n), turn, left))
        for k in sorted({k for k, _, _ in HOPPERS}) if self.whole else (HOPPERS[-1][0],):
            yield Item("mujoco", "hopper", f"k = {k}",
                       lambda turn, left, k=k: self.measure(lambda: self.hoppers(k), turn, left))
