#!/usr/bin/python3
"""changed.py SOURCE_DIR: print the sources on stdin (absolute paths) that differ by more than layout from the tree of six hours
before the last commit: the MOST with the most changed lines, so that the daily lints take the same time after any change. Without
that tree in git's history: the first MOST."""

import os
import re
import subprocess
import sys

QUARTER_OF_A_DAY = 21600  # [s]
MOST = 30  # files; the nightly lints read all


def git(source, *words, **more):
    return subprocess.run(["git", "-C", source, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, **more).stdout


def plain(text):
    """A text without its layout: no white space, and strings that are cut are whole."""
    return re.sub(rb"\s+", b"", text).replace(b'""', b"")


def contents(source, base, names):
    """The content of the files as they were; None for one that was not there."""
    out = git(source, "cat-file", "--batch", input="".join(f"{base}:{name}\n" for name in names).encode())
    for _ in names:
        head, _, out = out.partition(b"\n")
        if head.endswith(b" missing"):
            yield None
            continue
        size = int(head.split()[-1])
        yield out[:size]
        out = out[size + 1:]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def changed_lines(source, base):
    """Return {name: added and removed lines} of the sources that differ from the tree."""
    rows = [row.split("\t") for row in git(source, "diff", "--numstat", base, "--", "*.[ch]").decode().splitlines()]
    rows = [(name, int(added) + int(removed)) for added, removed, name in rows if os.path.isfile(os.path.join(source, name))]
    names = [name for name, _ in rows]
    were = dict(zip(names, contents(source, base, names)))
    return {name: lines for name, lines in rows
            if were[name] is None or plain(were[name]) != plain(read(os.path.join(source, name)))}


def main(source):
    paths = sys.stdin.read().splitlines()
    last = git(source, "log", "-1", "--format=%ct").decode().strip()
    base = last and git(source, "rev-list", "-1", f"--before={int(last) - QUARTER_OF_A_DAY}", "HEAD").decode().strip()
    if base:
        lines = changed_lines(source, base)
        names = {path: os.path.relpath(path, source) for path in paths}
        paths = sorted((path for path in paths if names[path] in lines), key=lambda path: -lines[names[path]])
    for path in paths[:MOST]:
        print(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
