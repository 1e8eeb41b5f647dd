"""The map as a picture: rasters of answers side by side, with the names of the solvers in them."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.legend_handler import HandlerTuple
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

import raster_image as image
import style
from map_data import NONE, symbol

plt = style.plt
FINE = 190  # pixels of a picture an inch
TALL = 4.6  # inches: the most that a row of panels takes
FLAT = 0.62  # height of a single panel over its width
NAME_SIZES = (12, 10, 8, 7)  # points, of names in the picture
NAME_WIDTH, NAME_HEIGHT = 0.68, 1.7  # of a character with its margin, and of the box, in these
CHARACTER = 5.2  # points a digit of a tick takes, at most
LINE = 92  # characters of a line of the legend, with its patches
GAPS = {image.NO_CONFIG: "none reaches it", image.NO_REFERENCE: "not known: references too coarse", image.CAPTURED: "not known: captured"}
GAP_NAMES = {image.NO_CONFIG: "none", image.NO_REFERENCE: "?", image.CAPTURED: "captured"}  # in the picture
HATCH = {"rising": "////", "falling": "\\\\\\\\", "level": "----", "crosses": "xxxx"}


# ---- numbers and ticks ----


def short(value):
    """A number for a tick: 38k for 38000."""
    return f"{value / 1000:.3g}k" if abs(value) >= 1000 else f"{value:.3g}"


def room_of(texts, upright):
    """Points that a label takes."""
    return 11.0 if upright else 6.0 + CHARACTER * max(map(len, texts))


def ticks_of(axis, side, upright):
    """(places, texts) along an axis whose points have `side` printer's points each."""
    return round_ticks(axis, side, upright) if axis.column else value_ticks(axis.values, side, upright)


def value_ticks(values, side, upright):
    """Values of cells, those at both ends among them."""
    n, texts = values.size, [short(v) for v in values]
    step = max(1, int(np.ceil(room_of(texts, upright) / side)))
    inner = [*range(0, n - step, step), n - 1]
    return [i + 0.5 for i in inner], [texts[i] for i in inner]


def round_ticks(axis, side, upright):
    """Round numbers between the ends of a continuous axis."""
    column, n = axis.column, axis.values.size
    for values in round_numbers(column):
        at = list(n * column.placed(values))
        texts = [short(v) for v in values]
        if values and (len(at) < 2 or min(np.diff(at)) * side >= room_of(texts, upright)):
            return at, texts
    return [n / 2], [short(column.middle)]


def round_numbers(column):
    """Lists of round numbers within the ends of a column, the longest first."""
    lo, hi = column.lo * (1 - 1e-9 * np.sign(column.lo)), column.hi * (1 + 1e-9 * np.sign(column.hi))
    if column.log:
        decades = range(int(np.floor(np.log10(lo))), int(np.ceil(np.log10(hi))) + 1)
        for heads, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3)):
            yield [h * 10.0**k for k in decades if k % every == 0 for h in heads if lo <= h * 10.0**k <= hi]
    else:
        for most in (6, 4, 3, 2, 1):
            yield [float(v) for v in MaxNLocator(most, integer=column.whole).tick_values(lo, hi) if lo <= v <= hi]


# ---- legend ----


def solver_order(names):
    known = list(style.SOLVER)
    return sorted(set(names) - {NONE}, key=lambda m: (known.index(m) if m in known else 99, m))


def strategy_order(names):
    known = list(style.STRATEGY)
    return sorted(set(names) - {NONE}, key=lambda s: (known.index(s) if s in known else 99, s))


def percent(share):
    return "< 1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def solver_handles(raster):
    """Which solvers there are and how much of the picture they have, the most first; and its gaps."""
    shares = {m: raster.share(raster.solver == m) for m in solver_order(raster.solver.ravel())}
    found = [Patch(facecolor=style.solver_colour(m), label=f"{m} {percent(share)}") for m, share in sorted(shares.items(), key=lambda item: -item[1])]
    for gap, text in GAPS.items():
        if (raster.gap == gap).any():
            look = {"facecolor": image.GAP_COLOURS[gap], "edgecolor": image.GAP_LINES, "linewidth": 0.5}
            found.append(Patch(hatch=HATCH[image.GAP_TEXTURES[gap]], label=f"{text} {percent(raster.share(raster.gap == gap))}", **look))
    return found


def lead_handles(raster):
    """The steps of the margin, in the colour of the solver that has most of the picture."""
    there = [m for m in raster.solver.ravel() if m]
    if not there:
        return []
    colour = style.solver_colour(max(solver_order(there), key=there.count))
    ends = [f"{100 * margin:.0f}" for margin in image.MARGINS]
    texts = [f"the next solver takes < {ends[0]} % more", *(f"{lo} to {hi} %" for lo, hi in zip(ends, ends[1:])), f"> {ends[-1]} %"]
    made = [255 + full * (image.rgb(colour) - 255) for full in image.FULLNESS]
    return [Patch(facecolor=to_hex(np.clip(rgb / 255, 0, 1)), label=text) for rgb, text in zip(made, texts)]


def strategy_handles(raster):
    """A grey patch with its texture; dots are marks on it, since hatching by dots takes 160 kB of an SVG."""
    found = []
    for name in strategy_order(raster.strategy.ravel()):
        texture = image.TEXTURES.get(name, image.OTHER_TEXTURE)
        look = {"facecolor": "#E4E4E4", "edgecolor": "#555555", "linewidth": 0, "label": name}
        marks = {"marker": "." if texture == "dots" else "", "markersize": 2.5, "color": "#555555", "linestyle": "none"}
        found.append((Patch(hatch=HATCH.get(texture, ""), **look), plt.Line2D([], [], **marks)))
    return found


def border_handles():
    """A border of high confidence, and one of low confidence."""
    shade = lambda step: to_hex(np.clip(1 + image.SHADES[step] * (image.rgb(image.INK) / 255 - 1), 0, 1))  # noqa: E731
    width = lambda step: 72 * image.WIDTHS[step] / FINE  # noqa: E731
    kinds = ((-1, f"border, confidence {100 * image.CONFIDENT[1]:.0f} %"), (0, f"below {100 * image.CONFIDENT[0]:.0f} %: either will do"))
    return [plt.Line2D([], [], color=shade(step), linewidth=width(step), label=text) for step, text in kinds]


def said(handle):
    return (handle[0] if isinstance(handle, tuple) else handle).get_label()


def legend(figure, raster):
    """Under the panels, in a strip of its own: a row of solvers, and one of what else there is to see."""
    rows = [solver_handles(raster), [*strategy_handles(raster), *border_handles()], lead_handles(raster)]
    rows = [row for row in rows if row]
    lines = [-(-sum(len(said(handle)) + 6 for handle in row) // LINE) for row in rows]
    strip = (0.1 + 0.2 * sum(lines)) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
    below = strip
    for row, n in zip(rows, lines):
        columns = -(-len(row) // n)
        figure.legend(row, list(map(said, row)), handler_map={tuple: HandlerTuple(ndivide=1)}, numpoints=4, loc="upper center", bbox_to_anchor=(0.5, below), ncol=columns, columnspacing=1.4,
                      handlelength=1.7, handletextpad=0.5, borderaxespad=0.2)
        below -= 0.2 * n / figure.get_figheight()


# ---- panels ----


def put_name(panel, at, text, size, upright):
    box = {"boxstyle": "round,pad=0.18,rounding_size=0.4", "facecolor": "white", "edgecolor": "none", "alpha": 0.82}
    panel.text(*at, text, ha="center", va="center", fontsize=size, color=image.INK, bbox=box, rotation=90 * upright, zorder=5)


def put_names(panel, solver, gap, size):
    """Names where there is room for them, upright where there is none across; size: of the panel, in printer's points."""
    n_y, n_x = solver.shape
    masks = {name: solver == name for name in solver_order(solver.ravel())}
    masks |= {text: gap == number for number, text in GAP_NAMES.items()}
    for text, mask in masks.items():
        lengths = [((len(text) + 1) * NAME_WIDTH * s, NAME_HEIGHT * s) for s in NAME_SIZES]
        ways = [(long, high, False) for long, high in lengths] + [(high, long, True) for long, high in lengths]
        boxes = [(max(1, round(high * n_y / size[1])), max(1, round(long * n_x / size[0]))) for long, high, _ in ways]
        place = image.name_place(mask, boxes)
        if place:
            put_name(panel, place[:2], text, NAME_SIZES[place[2] % len(NAME_SIZES)], ways[place[2]][2])


def draw_panel(panel, raster, which, size):
    """One raster; size: of the panel, in inches."""
    of = lambda values: values[which]  # noqa: E731
    n_y, n_x = of(raster.solver).shape
    zoom = tuple(max(1, round(FINE * length / n)) for length, n in ((size[1], n_y), (size[0], n_x)))
    rgb = image.picture(*map(of, (raster.solver, raster.strategy, raster.margin, raster.confidence, raster.gap)), style.solver_colour, zoom)
    panel.imshow(rgb, origin="lower", extent=(0, n_x, 0, n_y), aspect="auto", interpolation="none")
    panel.grid(visible=False)
    panel.spines[:].set_visible(True)
    panel.spines[:].set_color("#888888")
    panel.spines[:].set_linewidth(0.6)
    panel.tick_params(length=2.5, pad=2)


def put_axes(panels, raster, size):
    """Ticks of all panels, labels at the edges, values of the outer axes over and beside them."""
    n_down, n_across, n_y, n_x = raster.solver.shape
    x = ticks_of(raster.x, 72 * size[0] / n_x, upright=False)
    y = ticks_of(raster.y, 72 * size[1] / n_y, upright=True) if raster.y else ([], [])
    for row, column in np.ndindex(n_down, n_across):
        panel = panels[n_down - 1 - row, column]  # upwards, as y
        panel.set_xticks(*(x if row == 0 else (x[0], [""] * len(x[0]))))
        panel.set_yticks(*(y if column == 0 else (y[0], [""] * len(y[0]))))
        panel.set_xlabel(raster.x.label if row == 0 and column == n_across // 2 else "")
        panel.set_ylabel(raster.y.label if raster.y and column == 0 else "")
        if raster.across and row == n_down - 1:
            panel.set_title(f"{raster.across.symbol} = {short(raster.across.values[column])}", fontsize=8.5)
        if raster.down and column == n_across - 1:
            panel.annotate(f"{raster.down.symbol} = {short(raster.down.values[row])}", (1, 0.5), xycoords="axes fraction", xytext=(3, 0),
                           textcoords="offset points", ha="left", va="center", rotation=270)


def title_of(question, raster):
    title = question.text(style.power_of_ten)
    for name, value in raster.still:
        title += f", {symbol(name)} = {short(value)}" if isinstance(value, float) else f", {name} {value}"
    return title[:1].upper() + title[1:]


def draw_map(question, raster, path):
    """The picture of a raster (raster.Raster)."""
    n_down, n_across, n_y, _ = raster.solver.shape
    wide = (style.WIDTH - 0.7) / n_across
    high = min(TALL / n_down, wide * (FLAT if n_across == 1 else 1.15)) if n_y > 1 else 0.5
    figure, panels = plt.subplots(n_down, n_across, figsize=(style.WIDTH, high * n_down + 1.75), squeeze=False)
    for row, column in np.ndindex(n_down, n_across):
        draw_panel(panels[n_down - 1 - row, column], raster, (row, column), (wide, high))
    put_axes(panels, raster, (wide, high))
    figure.suptitle(title_of(question, raster))
    legend(figure, raster)
    figure.draw_without_rendering()  # what room a panel has is known then
    for row, column in np.ndindex(n_down, n_across):
        panel = panels[n_down - 1 - row, column]
        box = panel.get_window_extent()
        put_names(panel, raster.solver[row, column], raster.gap[row, column], (72 * box.width / figure.dpi, 72 * box.height / figure.dpi))
    figure.set_layout_engine("none")
    style.save(figure, path)
