#!/usr/bin/env python3
"""Compares the bytes of each phase that `saltus plan` bills with those that a run asks the system for, as strace sees them.

    . jobscripts/env.sh; /usr/bin/python3 tests/bench/bill.py BUILD SWEEP.yaml [--ranks N] [--set KEY=VALUE]

The cells are run in two parts, so that the journals stay; `merge` reads them and makes cube and map; `map` makes the map
once more, so that what it takes is known by itself. Exact but for what the system does; a busy machine changes nothing.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

READS, WRITES = ("read", "pread64", "readv", "preadv"), ("write", "pwrite64", "writev", "pwritev")
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(\d+<([^>]*)>.* = (\d+)$")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("sweep", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2, help="(2)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args()


def traced(args, folder, *words):
    """{(journal or cube, read or written): (bytes, requests)} of all ranks."""
    command = ["mpirun", "-n", str(args.ranks), "strace", "-f", "-ff", "-y", "-e", f"trace={','.join(READS + WRITES)}", "-o", folder / "calls"]
    subprocess.run([*command, args.build / "saltus", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = collections.Counter()
    for path in folder.glob("calls.*"):
        for line in path.read_text(errors="replace").splitlines():
            call = CALL.match(line)
            if call and ".h5" in call[2]:
                key = ("journal" if ".journal" in call[2] else "cube", "read" if call[1] in READS else "written")
                found[(*key, "bytes")] += int(call[3])
                found[(*key, "requests")] += 1
        path.unlink()
    return found


def rows(billed, run, merge, again):
    """[(phases, bytes or requests, billed, counted)]. Half of frame and map is written, the other half read back."""
    for what in ("bytes", "requests"):
        of = lambda *names: sum(billed[name][what] for name in names)  # noqa: E731
        yield "journal", what, of("journal"), run["journal", "written", what]
        yield "read", what, of("read"), merge["journal", "read", what]
        yield "frame, check, rows, map: read", what, of("check", "rows") + of("frame", "map") / 2, merge["cube", "read", what]
        yield "frame, write, map: written", what, of("write") + of("frame", "map") / 2, merge["cube", "written", what]
        yield "rows, map: read by `map`", what, of("rows") + of("map") / 2, again["cube", "read", what]
        yield "map: written by `map`", what, of("map") / 2, again["cube", "written", what]


def main():
    args = options()
    sets = [word for pair in args.set for word in ("--set", pair)]
    told = json.loads(subprocess.run([args.build / "saltus", "plan", args.sweep, "--ranks", str(args.ranks), "--json", *sets],
                                     check=True, stdout=subprocess.PIPE, text=True).stdout)
    billed = {phase["name"]: phase for phase in told["phases"]}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cube = folder / "out.h5"
        parts = [traced(args, folder, "run", args.sweep, "-q", "-o", cube, "--part", f"{i}/2", *sets) for i in (1, 2)]
        merge = traced(args, folder, "merge", "-q", cube)
        size = cube.stat().st_size
        again = traced(args, folder, "map", cube)
    print(f"{'phases':<28} {'what':<9} {'billed':>14} {'counted':>14} {'off':>7}")
    for phases, what, said, counted in [*rows(billed, parts[0] + parts[1], merge, again), ("size of the cube", "bytes", told["cube_bytes"] + told["map_bytes"], size)]:
        print(f"{phases:<28} {what:<9} {said:14.0f} {counted:14.0f} {100 * (said / counted - 1) if counted else float('nan'):6.1f} %")


if __name__ == "__main__":
    main()
