#!/usr/bin/python3
"""changed.py SOURCE_DIR: of the sources on stdin, with their whole paths, those that differ from the tree of a quarter of a day before
the last commit by more than layout, and those that include a header that does; all where git does not know that tree."""

import os
import re
import subprocess
import sys

QUARTER_OF_A_DAY = 21600  # [s]


def git(source, *words, **more):
    return subprocess.run(["git", "-C", source, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, **more).stdout


def plain(text):
    """A text without its layout: no white space, and strings that are cut are whole."""
    return re.sub(rb"\s+", b"", text).replace(b'""', b"")


def contents(source, base, names):
    """Of the files as they were; None for one that was not there."""
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


def main(source):
    paths = sys.stdin.read().splitlines()
    last = git(source, "log", "-1", "--format=%ct").decode().strip()
    base = last and git(source, "rev-list", "-1", f"--before={int(last) - QUARTER_OF_A_DAY}", "HEAD").decode().strip()
    if not base:
        print(*paths, sep="\n")
        return
    names = git(source, "diff", "--name-only", base, "--", "*.[ch]").decode().splitlines()
    names = [name for name in names if os.path.isfile(os.path.join(source, name))]
    differ = {os.path.join(source, name) for name, was in zip(names, contents(source, base, names))
              if was is None or plain(was) != plain(read(os.path.join(source, name)))}
    headers = {b'"' + os.path.basename(path).encode() + b'"' for path in differ if path.endswith(".h")}
    for path in paths:
        if path in differ or headers & set(re.findall(rb'^\s*#\s*include\s*(".*")', read(path), re.M)):
            print(path)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
