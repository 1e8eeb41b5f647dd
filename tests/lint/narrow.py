#!/usr/bin/python3
"""narrow.py BUILD_DIR OUT_DIR [LIST]: OUT_DIR/compile_commands.json with every source of ours once, or those in a file.

Kernels are compiled once per lane width from the same text; a checker that reads it at width 1
has seen it.
"""

import json
import os
import sys


def main(build, out, only=None):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    if only:
        with open(only, encoding="utf-8") as file:
            wanted = set(file.read().splitlines())
        commands = [entry for entry in commands if entry["file"] in wanted]
    first = {}
    for entry in commands:
        if "SAL_LANES=4" not in entry["command"] and "SAL_LANES=8" not in entry["command"]:
            first.setdefault(entry["file"], entry)
    if not first:
        sys.exit(f"narrow.py: {build}/compile_commands.json names no source")
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(list(first.values()), file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
