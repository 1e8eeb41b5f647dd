#!/usr/bin/python3
"""Draws the map of the top-level README: which solver reaches an error for least expected work, and where."""

import os
import re

from command_line import Parser, run
from map_data import Question, answers, grid_axes, layout, open_mapped

HERE = os.path.dirname(os.path.abspath(__file__))
ERROR = 1e-6
PLACE = {"x": "k", "y": "b", "across": "m1"}
FIXED = {"f": 0.077}  # where it is an axis

EXAMPLES = """\
The only picture in the repository. An SVG with its words as text, on white, so that it can
be read on a dark page as well. The same cube gives the same bytes.

example:
  mpirun -n 2 build/release/saltus run sweeps/atlas-small.yaml -o slice.h5 --set parameters='{f: 0.077}' --set cells='{axes: [
    {name: b, log: [550, 38000], points: 10}, {name: m1, log: [0.8, 20], points: 3}, {name: k, log: [1, 480], points: 10}]}'
  analysis/readme_picture.py slice.h5
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("cube", metavar="CUBE.h5", help="of a slice of sweeps/atlas-small.yaml, with its map")
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
    mapped, question = open_mapped(args.cube), Question("error", ERROR)
    found, axes = answers(mapped, question), grid_axes(mapped.cube)
    names = [axis.name for axis in axes]
    place = layout(mapped, axes, **PLACE, fixed={name: value for name, value in FIXED.items() if name in names})
    import map_figures  # after the checks: loading matplotlib takes a second

    map_figures.style.use()
    fonts = {"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Arial"]}
    svg = {"svg.fonttype": "none", "svg.hashsalt": "saltus"}
    with map_figures.plt.rc_context(fonts | svg):
        map_figures.draw_map(question, found, axes, args.path, **place)
    shorten(args.path)
    print(args.path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
