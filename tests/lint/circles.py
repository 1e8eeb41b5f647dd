#!/usr/bin/python3
"""circles.py SOURCE_DIR BUILD_DIR: do files include each other in a circle, or call each other in one?

A source and the header of the same name are one file. Calls are those of the objects of the build (nm), since a header of
a whole family hides them."""

import os
import pathlib
import re
import subprocess
import sys

from names import plain, sources


def node(path):
    return re.sub(r"\.(c|h|h\.in|def)$", "", path)


def resolve(path, header, known):
    """Paths that `header` may mean in `path`: beside it, else anywhere below kernels or src."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), header))
    return [beside] if beside in known else [other for other in known if other.endswith("/" + header)]


def graph(top):
    """For each file those that it includes, and where."""
    known = {path.removesuffix(".in") for path in sources(top)}
    edges = {node(path): {} for path in sources(top)}
    for path in sources(top):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            text = re.sub(r'#\s*include\s*"([^"]*)"', r"#include <\1>", file.read())  # plain() empties strings
        for number, line in enumerate(plain_lines(text), 1):
            if include := re.match(r"\s*#\s*include\s*<([^>]*)>", line):
                for other in resolve(path, include[1], known):
                    if node(other) != node(path):
                        edges[node(path)].setdefault(node(other), f"{path}:{number}")
    return edges


def source_of(build, path):
    """The source of an object, without its ending; sources of several widths have several objects."""
    return re.sub(r"CMakeFiles/([^/]*\.dir/)?|\.c\.o$", "", os.path.relpath(path, build))


def call_graph(top, build):
    """For each source those whose functions it calls, and by which name. Objects of sources that are gone may be left."""
    objects = sorted(str(path) for part in ("kernels", "src") for path in pathlib.Path(build, part).rglob("*.c.o")
                     if os.path.exists(os.path.join(top, source_of(build, path) + ".c")))
    if not objects:
        sys.exit(f"no object under {build}: build first")
    home, needs = {}, {}
    for line in subprocess.run(["nm", "-A", "-P", *objects], check=True, capture_output=True, text=True).stdout.splitlines():
        path, _, symbol = line.partition(": ")
        name, kind = symbol.split()[:2]
        source = source_of(build, path)
        if kind == "U":
            needs.setdefault(source, set()).add(name)
        elif kind in "TDBRV":
            home[name] = source
    return {source: {home[name]: f"{source}.c: {name}" for name in sorted(names) if home.get(name, source) != source}
            for source, names in needs.items()}


def plain_lines(text):
    """Lines without comments, as many as there were."""
    keep = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.S)
    return (plain(line) for line in keep.split("\n"))


def reached(edges, start):
    found, todo = set(), [start]
    while todo:
        for other in edges.get(todo.pop(), ()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def circle(edges, start):
    """The shortest way from start back to itself."""
    before, todo = {}, [start]
    for here in todo:
        for other in edges.get(here, ()):
            if other == start:
                way = [here]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return [*reversed(way), start]
            if other not in before:
                before[other] = here
                todo.append(other)
    return []


def report(edges, of):
    """Prints each circle once; how many there are."""
    told, wrong = set(), 0
    for start in sorted(edges):
        if start in told or start not in reached(edges, start):
            continue
        way = circle(edges, start)
        told.update(way)
        wrong += 1
        print(f"{edges[way[0]][way[1]]}: a circle of {of}: {' -> '.join(way)}")
        for a, b in zip(way[1:], way[2:]):
            print(f"  {edges[a][b]}")
    return wrong


def main(top, build):
    includes = graph(top)
    if not includes:
        sys.exit(f"no sources under {top}")
    return 1 if report(includes, "includes") + report(call_graph(top, build), "calls") else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
