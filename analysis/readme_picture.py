#!/usr/bin/python3
"""Draws the map of the top-level README: which solver reaches an error for least expected work, and where."""

import base64
import io
import os
import re

import numpy as np
from PIL import Image

import raster
import written
from command_line import Parser, run
from cube import NotOurs
from map_data import Question, open_mapped

HERE = os.path.dirname(os.path.abspath(__file__))
ERROR = 1e-6
SIZE, PANELS = raster.SIZE, 3

EXAMPLES = """\
The only picture in the repository, made from the cube that the README makes, as `maps.py map` draws it. An SVG with its
words as text, on white, so that it can be read on a dark page as well. The same cube gives the same bytes.

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


def by_palette(image):
    """A picture in base 64 with a number for a colour in place of the colour, where there are few enough."""
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(image))).convert("RGB"))
    colours, number = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    if len(colours) > 256:
        return image
    made, file = Image.fromarray(number.reshape(pixels.shape[:2]).astype(np.uint8), "P"), io.BytesIO()
    made.putpalette(colours.astype(np.uint8).ravel().tolist())
    made.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


SHORTER = (  # pattern, what takes its place
    (r" *<metadata>.*</metadata>\n", ""),  # when and by what it was made
    (r" \n(?=[A-Za-z\"])", " "),  # line ends within paths
    (r"\n +", "\n"),
    (r' transform="rotate\(-?0 [^"]*"', ""),
    (r"<!--[^>]*-->\n", ""),
    (r"\d+\.\d{2,}(?=[^<>]*>)", lambda number: f"{float(number[0]):.{1 if float(number[0]) >= 2 else 4}f}"),  # not in words
    (r"(?<=data:image/png;base64,)\s*([^\"]+)", lambda image: by_palette(image[1])),
)


def shorten(path):
    """The same picture in fewer bytes, and the same bytes at any time."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for pattern, by in SHORTER:
        text = re.sub(pattern, by, text, flags=re.DOTALL)
    written.text(path, text)


def work(args):
    mapped, question = open_mapped(args.cube, ("outcome",)), Question("error", ERROR)
    if not raster.possible(mapped, question):
        raise NotOurs(f"{args.cube}: no answers between its cells, which the picture is made of")
    found = raster.of_program(mapped, question, SIZE, panels=PANELS)
    import raster_figures  # after the checks: loading matplotlib takes a second

    raster_figures.style.use()
    fonts = {"font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Arial"]}
    svg = {"svg.fonttype": "none", "svg.hashsalt": "saltus"}
    with raster_figures.plt.rc_context(fonts | svg):
        raster_figures.draw_map(question, found, args.path)
    shorten(args.path)
    print(args.path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
