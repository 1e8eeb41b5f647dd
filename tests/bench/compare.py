#!/usr/bin/python3
"""Sets saltus beside the codes that a user would link instead, at equal error, and measures what sweeps cost: one table.

    cmake --build BUILD --target bench && tests/bench/compare.py BUILD [options]

Everything is measured by turns on one core, by CPU time, and the time given is kept: what did not fit is said.
"""
import argparse
import os
import pathlib
import platform
import re
import sys
import tempfile

import ensemble.entrants
import ensemble.measure
import ensemble.tables
import measurements
import mujoco.measure
import mujoco.tables
import programs
import users
from turns import Item, Turns

SHARES = {"ensemble": 0.6, "mujoco": 0.2, "sweeps": 0.2}  # of the time, in the order of measurement
PACKAGES = {**ensemble.entrants.PACKAGES, "mujoco": "libmujoco-dev"}
CUT = 192  # cells of the sweep: as many as a tile has, so that lanes are as busy as in all of it


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?", help="build folder, with the target `bench` built")
    parser.add_argument("--minutes", type=float, default=9, metavar="M", help="the time there is (9)")
    parser.add_argument("--rounds", type=int, default=3, help="each setting runs once a round, while there is time (3)")
    parser.add_argument("--whole", action="store_true",
                        help="more rows, all our methods, `event` beside `switch`, 2 to 512 contacts, the whole sweep: hours")
    parser.add_argument("--only", metavar="NAME,...",
                        help=f"only these parts ({', '.join(SHARES)}) and codes ({', '.join(ensemble.entrants.PACKAGES)})")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.csv", help="keep every measurement here")
    parser.add_argument("--read", type=pathlib.Path, metavar="FILE.csv", help="measure nothing, print these")
    parser.add_argument("--every", action="store_true", help="print all tables: costs, steps, events, lanes busy, zones")
    parser.add_argument("--core", type=int, help="the core to use; the first one allowed")
    args = parser.parse_args()
    if (args.build is None) == (args.read is None):
        parser.error("either BUILD or --read FILE.csv is needed")
    choose(args, parser)
    return args


def choose(args, parser):
    """args.parts, args.codes: what is measured."""
    codes = set(ensemble.entrants.PACKAGES)
    only = set(filter(None, (args.only or "").split(",")))
    if only - codes - set(SHARES):
        parser.error(f"--only: nothing is called {', '.join(sorted(only - codes - set(SHARES)))}")
    args.parts = [part for part in SHARES if not only or part in only or (part == "ensemble" and only & codes)]
    args.codes = only & codes or codes


class Sweeps:
    """CPU seconds of atlas-small as shipped and with all runs, by some of its cells."""

    def __init__(self, build, cells, folder):
        self.saltus, self.folder, self.rows, self.missing = build / "saltus", folder, [], []
        self.sweep = users.sweep_of(cells, folder)

    def measure(self, capped, more, left):
        name, file, cells, of = self.sweep
        seconds = users.cpu_seconds(self.saltus, file, self.folder, more, left())
        self.rows.append(users.Sweep(name, capped, seconds * of / cells, cells, of)._asdict())

    def items(self):
        for capped, more in users.ways(self.sweep[1].read_text(encoding="utf-8"), True):
            yield Item("sweeps", self.sweep[0], "as shipped" if capped else "all runs",
                       lambda _, left, capped=capped, more=more: self.measure(capped, more, left))


def benches(args, folder):
    """{part: who measures it}"""
    build = args.build.resolve()
    made = {"ensemble": lambda: ensemble.measure.Bench(build, ensemble.entrants.WHOLE if args.whole else
                                                       ensemble.entrants.TABLE, folder, args.codes),
            "mujoco": lambda: mujoco.measure.Bench(build, args.whole),
            "sweeps": lambda: Sweeps(build, None if args.whole else CUT, folder)}
    return {part: made[part]() for part in args.parts}


def left_out(found, turns):
    """Lines about what the tables lack, and why."""
    for bench in found.values():
        for code in bench.missing:
            yield f"{code}: not installed ({PACKAGES[code]})"
    yield from turns.said()


def measure(args):
    """({part: rows}, what is to be said of the run)"""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0)) if args.core is None else args.core})
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        found = benches(args, pathlib.Path(folder))
        items = [item for bench in found.values() if bench.rows or not bench.missing for item in bench.items()]
        turns = Turns(items, {part: SHARES[part] for part in args.parts}, 60 * args.minutes)
        turns.run(args.rounds)
        out = list(left_out(found, turns))
    rounds = ", ".join(f"{part} {n}" for part, n in turns.rounds.items())
    said = [f"{cpu_name()}, {os.cpu_count()} cores, load {load:.1f} before and {os.getloadavg()[0]:.1f} after; rounds: {rounds}; "
            f"{(turns.now() - turns.began) / 60:.1f} min, {programs.cpu() / 60:.1f} of CPU",
            "left out: " + ("\n          ".join(out) if out else "nothing")]
    return {part: bench.rows for part, bench in found.items()}, said


def cpu_name():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    return next(iter(re.findall(r"^model name\s*: (.*)$", text, re.MULTILINE)), platform.machine())


def text_of(rows, columns):
    return [{name: str(row.get(name, "")) for name in columns} for row in rows]


def print_all(found, every):
    """found: {part: rows of text}."""
    for part, tables in (("ensemble", ensemble.tables), ("mujoco", mujoco.tables)):
        if any(row.get("round") or row.get("problem") for row in found.get(part, [])):
            (tables.print_all if every else tables.print_short)(found[part])
    sweeps = [users.Sweep(row["name"], row["capped"] == "True", float(row["seconds"]), int(row["cells"]), int(row["of"]))
              for row in found.get("sweeps", [])]
    if sweeps:
        users.print_whole(sweeps)


def main():
    args, said = options(), []
    try:
        if args.read:
            found = measurements.read(args.read)
        else:
            if args.output:  # whether it can be written is to be known before minutes have passed
                args.output.parent.mkdir(parents=True, exist_ok=True)
                measurements.write(args.output, {})
            found, said = measure(args)
            found = {part: text_of(rows, measurements.COLUMNS[part]) for part, rows in found.items()}
            if args.output:
                measurements.write(args.output, found)
    except (OSError, ValueError, programs.TimeUp) as error:
        sys.exit(f"compare.py: {error}")
    print_all(found, args.every)
    print("\n" + "\n".join(said) if said else "", end="\n" if said else "")


if __name__ == "__main__":
    main()
