#!/usr/bin/env python3
"""Compares the bill of `saltus plan` (bytes, requests, files and messages of each phase) with the system calls of a run, as strace counts them.

    . jobscripts/env.sh; /usr/bin/python3 tests/bench/bill.py BUILD SWEEP.yaml [--ranks N] [--set KEY=VALUE] [--merge]

Ranks send their messages by TCP, so that these are seen, too. `map` makes the map once more, so that what it takes is known by itself.
--merge: the cells are run again in two parts, whose journals `merge` reads. Exact but for what the system and Open MPI do; a busy machine
changes nothing.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import tempfile

READS, WRITES, OPENS = ("read", "pread64", "readv", "preadv"), ("write", "pwrite64", "writev", "pwritev", "sendmsg", "sendto"), ("openat",)
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((?:\d+|AT_FDCWD)<([^>]*)>.* = (\d+)(?:<([^>]*)>)?$")
BY_TCP = ("--mca", "pml", "ob1", "--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include", "lo")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("sweep", type=pathlib.Path)
    parser.add_argument("--ranks", type=int, default=2, help="(2)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--merge", action="store_true", help="`merge`, too")
    return parser.parse_args()


def target(name):
    if name.startswith(("TCP", "socket")):
        return "messages"
    if ".journal" in name:
        return "journal" if name.endswith(".sal") else None
    return "cube" if ".h5" in name else None


def count(line, found):
    call = CALL.match(line)
    if not call:
        return
    opened = call[1] in OPENS
    what, how = target(call[4] or "" if opened else call[2]), "read" if call[1] in READS else "written"
    if what and opened:
        found[what, "files"] += 1
    elif what:
        found[what, how, "bytes"] += int(call[3])
        found[what, how, "requests"] += 1


def traced(args, folder, *words):
    """{(journal, cube or messages, read or written, bytes or requests): how many} of all ranks, and {(journal or cube, files)}."""
    calls = ",".join(READS + WRITES + OPENS)
    command = ["mpirun", *BY_TCP, "-n", str(args.ranks), "strace", "-f", "-ff", "-y", "-s", "0", "-e", f"trace={calls}", "-o", folder / "calls"]
    subprocess.run([*command, args.build / "saltus", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = collections.Counter()
    for path in folder.glob("calls.*"):
        for line in path.read_text(errors="replace").splitlines():
            count(line, found)
        path.unlink()
    return found


def rows(billed, run, again):
    """[(phases, of what, billed, counted)]."""
    for what in ("bytes", "requests"):
        of = lambda *names: sum(billed[name][what] for name in names)  # noqa: E731
        yield "journal", what, of("journal"), run["journal", "written", what]
        yield "write, map: read and written", what, of("write", "map"), run["journal", "read", what] + run["cube", "written", what]
        yield "map: written by `map`", what, of("map"), again["cube", "written", what]
    yield "all", "files", sum(billed[name]["files"] for name in ("journal", "write", "map")), run["journal", "files"] + run["cube", "files"]
    yield "write, map", "messages", sum(billed[name]["message_bytes"] for name in ("write", "map")), run["messages", "written", "bytes"]
    yield "map: by `map`", "messages", billed["map"]["message_bytes"], again["messages", "written", "bytes"]


def merged(args, folder, cube, sets, told):
    for i in (1, 2):
        subprocess.run(["mpirun", "-n", str(args.ranks), args.build / "saltus", "run", args.sweep, "-q", "-o", cube, "--part", f"{i}/2", *sets], check=True)
    merge = traced(args, folder, "merge", "-q", cube)
    yield "`merge`: journals read", "bytes", told["journal_bytes"], merge["journal", "read", "bytes"]
    yield "`merge`: cube and map", "bytes", told["cube_bytes"] + told["map_bytes"], merge["cube", "written", "bytes"]


def main():
    args = options()
    sets = [word for pair in args.set for word in ("--set", pair)]
    told = json.loads(subprocess.run([args.build / "saltus", "plan", args.sweep, "--ranks", str(args.ranks), "--json", *sets],
                                     check=True, stdout=subprocess.PIPE, text=True).stdout)
    told |= told["runs"][0]
    billed = {phase["name"]: phase for phase in told["phases"]}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run = traced(args, folder, "run", args.sweep, "-q", "-o", folder / "out.h5", *sets)
        size = (folder / "out.h5").stat().st_size
        again = traced(args, folder, "map", folder / "out.h5")
        table = [*rows(billed, run, again), ("size of the cube", "bytes", told["cube_bytes"] + told["map_bytes"], size),
                 ("rows that `map` reads", "bytes", told["rows_bytes"], again["cube", "read", "bytes"])]
        if args.merge:
            table += merged(args, folder, folder / "parts.h5", sets, told)
    print(f"{'phases':<28} {'what':<9} {'billed':>14} {'counted':>14} {'off':>7}")
    for phases, what, said, counted in table:
        print(f"{phases:<28} {what:<9} {said:14.0f} {counted:14.0f} {100 * (said / counted - 1) if counted else float('nan'):6.1f} %")


if __name__ == "__main__":
    main()
