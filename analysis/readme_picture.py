#!/usr/bin/python3
"""Draws the map of the top-level README: which solver reaches an error for least expected work, and where."""

import os
import re

from command_line import Parser, run
from cube import NotOurs
from map_data import Question, open_mapped
from raster import possible, raster

HERE = os.path.dirname(os.path.abspath(__file__))
ERROR = 1e-6
FINE = 14  # places along an axis: fewer than elsewhere, for a small file
PLACE = {"x": "k", "y": "b", "across": "m1"}

EXAMPLES = """\
The only picture in the repository, made from the cube that the README makes. An SVG with its words as
text, on white, so that it can be read on a dark page as well. The same cube gives the same bytes.

example:
  mpirun -n 2 build/release/saltus run sweeps/atlas-small.yaml -o results/atlas.h5
  analysis/readme_picture.py results/atlas.h5
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("cube", metavar="CUBE.h5", help="of sweeps/atlas-small.yaml, with its map")
    preset = os.path.join(HERE, "readme_map.svg")
    parser.add_argument("-o", dest="path", metavar="FILE.svg", default=preset, help="(readme_map.svg)")
    return parser.parse_args()


SHORTER = (  # pattern, what takes its place
    (r" *<metadata>.*</metadata>\n", ""),  # when and by what it was made
    (r" \n(?=[A-Za-z\"])", " "),  # line ends within paths
    (r"\n +", "\n"),
    (r' transform="rotate\(-?0 [^"]*"', ""),
    (r"<!--[^>]*-->\n", ""),
    (r"\d+\.\d{2,}(?=[^<>]*>)", lambda number: f"{float(number[0]):.1f}"),  # not in words
    (r'(<g id="PatchCollection_\d+")', r'\1 shape-rendering="crispEdges"'),  # no seams between cells
)


def shorten(path):
    """The same picture in fewer bytes, and the same bytes at any time."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for pattern, by in SHORTER:
        text = re.sub(pattern, by, text, flags=re.DOTALL)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def work(args):
    mapped, question = open_mapped(args.cube, ("outcome",)), Question("error", ERROR)
    runs = possible(mapped, question)
    if runs is None:
        raise NotOurs(f"{args.cube}: no answers between its cells, which the picture is made of")
    found, axes, place, words = raster(mapped, runs, question, FINE, **PLACE)
    import map_figures  # after the checks: loading matplotlib takes a second

    map_figures.style.use()
    fonts = {"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Arial"]}
    svg = {"svg.fonttype": "none", "svg.hashsalt": "saltus"}
    with map_figures.plt.rc_context(fonts | svg):
        map_figures.draw_map(question, found, axes, args.path, **place, words=words)
    shorten(args.path)
    print(args.path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
