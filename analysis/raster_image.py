"""The picture of a raster of answers, in numbers: colours of its pixels and places of its names. page/raster.js and
page/raster_picture.js do the same; nothing here uses files, or the library that draws.

Colour is the solver, and the paler, the smaller its margin over the best of the other solvers. A line runs where the solver
changes: thick and dark where the answers on both sides have a high confidence, thin and faint where either will do.
A strategy is a light texture. Where no configuration reaches the error there is grey, with lines; where nothing is known, white,
with crosses, or level lines where time stepping alone comes to the end.
"""

import numpy as np

MARGINS = (0.05, 0.15, 0.5)  # ends of the steps of margin
FULLNESS = (0.28, 0.5, 0.75, 1.0)  # of the colour in each of these steps
CONFIDENT = (0.75, 0.95)  # confidence of answers around a border: faint up to the first, dark from the second on
BESIDE = 0.03  # of the picture: how far answers beside a border count for it
STEPS = 4  # kinds of borders from faint to dark
WIDTHS, SHADES = (1, 2, 3, 4), (0.35, 0.55, 0.8, 1.0)  # of these, in pixels of the picture
TEXTURE = 0.16  # how much darker it is
PERIOD = 10  # of textures, in pixels of the picture
TEXTURES = {"switch": "", "event": "dots", "ess": "rising", "ess2": "falling"}
OTHER_TEXTURE = "level"
GAP_COLOURS = {1: "#D0D0D0", 2: "#FFFFFF", 3: "#FFFFFF"}  # gap -> ground
GAP_TEXTURES = {1: "rising", 2: "crosses", 3: "level"}
GAP_LINES = "#8A8A8A"
INK = "#1A1A1A"
NO_CONFIG, NO_REFERENCE, CAPTURED = 1, 2, 3  # gap


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def margin_step(margin):
    """0 .. 3; alone: the last."""
    return np.where(np.isnan(margin), len(MARGINS), np.searchsorted(MARGINS, np.nan_to_num(margin), side="right"))


def box_mean(values, reach):
    """Means over squares of 2 reach + 1 pixels, of what there is of them; NaN does not count."""
    there = ~np.isnan(values)

    def sums(a):
        table = np.zeros((a.shape[0] + 1, a.shape[1] + 1))
        table[1:, 1:] = a.cumsum(0).cumsum(1)
        lo_y, hi_y = (np.clip(np.arange(a.shape[0]) + d, 0, a.shape[0]) for d in (-reach, reach + 1))
        lo_x, hi_x = (np.clip(np.arange(a.shape[1]) + d, 0, a.shape[1]) for d in (-reach, reach + 1))
        return table[np.ix_(hi_y, hi_x)] - table[np.ix_(lo_y, hi_x)] - table[np.ix_(hi_y, lo_x)] + table[np.ix_(lo_y, lo_x)]

    with np.errstate(invalid="ignore", divide="ignore"):
        return sums(np.where(there, values, 0)) / sums(there)


def border_steps(confidence):
    """[y][x] 0 .. STEPS - 1, from faint to dark: by the confidence of the answers around a point; 1 without another answer."""
    around = box_mean(confidence, max(1, round(BESIDE * max(confidence.shape))))
    share = (np.where(np.isnan(around), 1, around) - CONFIDENT[0]) / (CONFIDENT[1] - CONFIDENT[0])
    return np.clip(np.floor(share * STEPS), 0, STEPS - 1).astype(int)


def texture(name, shape):
    """[y][x] of the picture: where it is darker."""
    y, x = np.indices(shape)
    if name == "dots":
        odd = y // (PERIOD // 2) % 2
        return ((x + odd * (PERIOD // 2)) % PERIOD < 2) & (y % (PERIOD // 2) < 2)
    if name == "crosses":
        return texture("rising", shape) | texture("falling", shape)
    if name in ("rising", "falling"):
        return (x + y if name == "falling" else x - y) % PERIOD < 2
    return y % PERIOD < 2 if name == "level" else np.zeros(shape, dtype=bool)


def widened(mask, width):
    """A mask of the picture's pixels, each made a square of that width."""
    found = mask.copy()
    for dy in range(-(width // 2), (width + 1) // 2):
        for dx in range(-(width // 2), (width + 1) // 2):
            found |= np.roll(mask, (dy, dx), (0, 1))
    return found


def shades(solver, margin, gap, look):
    """[..][3], 0 .. 255: the colour of each point; look: that of each solver."""
    pure = np.zeros((*solver.shape, 3))
    for name in set(solver.ravel()) - {""}:
        pure[solver == name] = rgb(look(name))
    made = 255 + np.array(FULLNESS)[margin_step(margin)][..., None] * (pure - 255)
    for number, colour in GAP_COLOURS.items():
        made[gap == number] = rgb(colour)
    return made


def draw_borders(made, kind, confidence, zoom):
    """Onto a picture, in the order of their sureness; zoom: pixels of a point upwards and to the right."""
    right, above = np.zeros(kind.shape, dtype=bool), np.zeros(kind.shape, dtype=bool)
    right[:, :-1], above[:-1, :] = kind[:, :-1] != kind[:, 1:], kind[:-1, :] != kind[1:, :]
    steps = border_steps(confidence)
    for step in range(STEPS):
        mask = np.zeros(made.shape[:2], dtype=bool)
        for i in range(zoom[0]):
            mask[i :: zoom[0], zoom[1] - 1 :: zoom[1]] |= right & (steps == step)
        for i in range(zoom[1]):
            mask[zoom[0] - 1 :: zoom[0], i :: zoom[1]] |= above & (steps == step)
        mask = widened(mask, WIDTHS[step])
        made[mask] += SHADES[step] * (rgb(INK) - made[mask])


def picture(solver, strategy, margin, confidence, gap, look, zoom):
    """Colours [zoom[0] y][zoom[1] x][3] of the picture of a panel, 0 .. 255, row 0 below. solver, strategy: names [y][x]."""
    names = sorted(set(solver.ravel()) - {""})
    fine = lambda a: a.repeat(zoom[0], 0).repeat(zoom[1], 1)  # noqa: E731
    made, strategies, gaps = fine(shades(solver, margin, gap, look)), fine(strategy), fine(gap)
    for name in set(strategy.ravel()) - {""}:
        made[(strategies == name) & texture(TEXTURES.get(name, OTHER_TEXTURE), gaps.shape)] *= 1 - TEXTURE
    for number, name in GAP_TEXTURES.items():
        made[(gaps == number) & texture(name, gaps.shape)] = rgb(GAP_LINES)
    draw_borders(made, np.where(gap > 0, -gap, np.searchsorted(names, solver)), confidence, zoom)
    return np.clip(made.round(), 0, 255).astype(np.uint8)


def fits(mask, height, width, share=0.97):
    """Lower left corners of the boxes of points that nearly all are in the mask: [y][x] of booleans."""
    if height > mask.shape[0] or width > mask.shape[1]:
        return np.zeros((0, 0), dtype=bool)
    table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), dtype=int)
    table[1:, 1:] = mask.cumsum(0).cumsum(1)
    inside = table[height:, width:] - table[:-height, width:] - table[height:, :-width] + table[:-height, :-width]
    return inside >= share * height * width


def name_place(mask, boxes):
    """(x, y, number of the box) for the middle of a name in a mask of points; boxes: (height, width), the largest first;
    None: the room is too small."""
    for number, (height, width) in enumerate(boxes):
        there = np.argwhere(fits(mask, height, width))
        if len(there):
            middle = np.argwhere(mask).mean(0) - (height / 2, width / 2)
            y, x = there[((there - middle) ** 2).sum(1).argmin()]
            return x + width / 2, y + height / 2, number
    return None
