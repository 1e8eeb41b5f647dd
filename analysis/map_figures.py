"""Pictures of a map: who wins where, and how often."""

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch, Rectangle
from matplotlib.transforms import ScaledTranslation

import style
from map_data import NOBODY, along, label, panels, shares

plt = style.plt
INK = "#222222"
EMPTY = "#999999"  # hatching of cells without a winner
FAINT = 0.45  # opacity of a margin of 0
GAP = 0.7  # between small multiples, in cells
PANELS = 6  # small multiples along a direction, at most
ROW, BESIDE = (
    4,
    8.0,
)  # marks in a row, and points between them, where several cells are at one place
SMALL = 5.0  # points: the least room for a mark
HATCH = ("", "/////", ".....", "xxxxx", "-----")  # of strategies, in bars
OTHERS = "#CCCCCC"


# ---- colours ----


def full_margin(found):
    """The margin that is drawn in full colour: what one winner in ten exceeds, to one digit."""
    margin = found.margin[found.won & np.isfinite(found.margin)]
    top = float(np.quantile(margin, 0.9)) if margin.size else 0
    return float(f"{top:.0e}") or 1.0


def opacity(margin, full):
    """FAINT for a margin of 0, 1 from `full` on; also 1 without a runner-up."""
    share = np.clip(np.where(np.isnan(margin), 1, margin / full), 0, 1)
    return FAINT + (1 - FAINT) * np.sqrt(share)


def colours(found, full):
    """[cell][3]: the colour of the winner's method, paler with a thinner margin; white: none."""
    pure = np.array([to_rgb(style.method_colour(m)) if m else (1, 1, 1) for m in found.method])
    a = opacity(found.margin, full)[:, None]
    return np.where(found.won[:, None], a * pure.reshape(-1, 3) + (1 - a), 1.0)


def ink_on(rgb):
    """What can be read on a colour."""
    return "white" if rgb @ (0.299, 0.587, 0.114) < 0.5 else INK


def amount(question, margin):
    return f"{100 * margin:.3g} %" if question.kind == "error" else f"{margin:.2g} points"


# ---- legends ----


def method_order(names):
    known = list(style.METHOD)
    return sorted(set(names) - {NOBODY}, key=lambda m: (known.index(m) if m in known else 99, m))


def strategy_order(names):
    known = list(style.STRATEGY)
    return sorted(set(names) - {NOBODY}, key=lambda s: (known.index(s) if s in known else 99, s))


def mark(strategy, colour, size):
    look = style.strategy_marker(strategy, colour, size)
    if look["markerfacecolor"] == "white":
        look["markerfacecolor"] = "none"
    return look | {"markeredgewidth": 0.8}


def map_handles(found, question, full):
    handles = [
        Patch(color=style.method_colour(m), label=m) for m in method_order(found.method[found.won])
    ]
    handles += [
        plt.Line2D([], [], label=s, **mark(s, INK, 5))
        for s in strategy_order(found.strategy[found.won])
    ]
    often = np.array(to_rgb(style.method_colour(next(iter(shares(found)))[0])))
    for margin, sign in ((0, ""), (full / 4, ""), (full, "≥ ")):
        a = opacity(np.array(margin), full)
        text = f"margin {sign}{amount(question, margin)}"
        handles.append(Patch(facecolor=tuple(a * often + 1 - a), edgecolor="none", label=text))
    if (~found.won & found.verified).any():
        handles.append(Patch(facecolor="white", edgecolor=EMPTY, hatch="////", label="nobody"))
    if (~found.verified).any():
        handles.append(Patch(facecolor="white", edgecolor=EMPTY, label="no reference"))
    return handles


def finish(figure, handles, title, path, columns=5):
    style.legend_below(figure, handles, min(columns, len(handles)))
    figure.suptitle(title)
    figure.savefig(path)
    plt.close(figure)


# ---- winner maps ----


def thinned(n):
    """At most PANELS of n indices, ends included."""
    return np.unique(np.linspace(0, n - 1, min(n, PANELS)).round().astype(int))


def short(value):
    """A number for a tick: 38k for 38000."""
    return f"{value / 1000:.3g}k" if abs(value) >= 1000 else f"{value:.3g}"


def draw_map(question, found, axes, path, x, y=None, across=None, down=None, at=None):
    """Winners over two axes, small multiples over two more. Returns the cells [down][across][y][x].

    x, y, across, down: names of axes; at: {name: index} for those that are not drawn.
    """
    by_name = {axis.name: axis for axis in axes}
    cells = panels(axes, x, y, across, down, at)
    cells = cells[thinned(cells.shape[0])][:, thinned(cells.shape[1])]
    n_down, n_across, n_y, n_x = cells.shape
    full = full_margin(found)
    rgb = colours(found, full)
    side = min(0.62 * 72, 72 * 6.1 / (n_across * (n_x + GAP)))  # points a cell
    width = style.WIDTH
    height = side * n_down * (n_y + GAP) / 72 + 1.75
    figure, axis = plt.subplots(figsize=(width, min(height, 9.0)))
    axis.set_aspect("equal", anchor="N")
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=2, pad=2)
    for row in range(n_down):
        for column in range(n_across):
            corner = (column * (n_x + GAP), row * (n_y + GAP))
            draw_panel(axis, cells[row, column], corner, rgb, found, side)
    axis.set_xlim(-0.1, n_across * (n_x + GAP) - GAP + 0.1)
    axis.set_ylim(-0.1, n_down * (n_y + GAP) - GAP + 0.1)
    put_ticks(axis.set_xticks, by_name[x].values, n_across, n_x, side, upright=False)
    axis.set_xlabel(by_name[x].label)
    axis.set_yticks([])
    if y is not None:
        put_ticks(axis.set_yticks, by_name[y].values, n_down, n_y, side, upright=True)
        axis.set_ylabel(by_name[y].label)
    head_panels(axis, across and by_name[across], n_across, n_x, True)
    head_panels(axis, down and by_name[down], n_down, n_y, False)
    title = question.text(style.power_of_ten)
    for name, index in (at or {}).items():
        title += f", {by_name[name].symbol} = {short(by_name[name].values[index])}"
    finish(figure, map_handles(found, question, full), title[:1].upper() + title[1:], path)
    return cells


def draw_panel(axis, cells, corner, rgb, found, side):
    """One small multiple: an image, hatching where nobody wins, and a mark for the strategy."""
    n_y, n_x = cells.shape
    extent = (corner[0], corner[0] + n_x, corner[1], corner[1] + n_y)
    axis.imshow(
        rgb[cells], extent=extent, origin="lower", interpolation="nearest", zorder=1, aspect="equal"
    )
    empty = ~found.won[cells] & found.verified[cells]
    boxes = [Rectangle((corner[0] + i, corner[1] + j), 1, 1) for j, i in np.argwhere(empty)]
    if boxes:
        hatched = PatchCollection(boxes, facecolor="white", edgecolor=EMPTY, hatch="////")
        hatched.set_linewidth(0.3)
        axis.add_collection(hatched)
    frame = Rectangle(corner, n_x, n_y, fill=False, edgecolor=EMPTY, linewidth=0.6, zorder=3)
    axis.add_patch(frame)
    every = max(1, int(np.ceil(SMALL / side)))
    size = min(6.0, 0.42 * side * every)
    marks = {}
    for j in range(every // 2, n_y, every):
        for i in range(every // 2, n_x, every):
            cell = cells[j, i]
            if found.won[cell]:
                key = found.strategy[cell], ink_on(rgb[cell])
                marks.setdefault(key, []).append((corner[0] + i + 0.5, corner[1] + j + 0.5))
    for (strategy, ink), points in marks.items():
        axis.plot(*np.transpose(points), zorder=4, **mark(strategy, ink, size))


def put_ticks(put, values, n_panel, n, side, upright):
    """The values of the inner axis, in every panel; fewer where they would touch."""
    room = 11.0 if upright else 24.0  # points a label takes
    every = max(1, int(np.ceil(room / side)))
    last = n - 1
    inner = [0, last] if 1 < n and last < 2 * every else list(range(0, n, every))
    if n > 1 and last * side < room:
        inner = [0]
    places = [p * (n + GAP) + i + 0.5 for p in range(n_panel) for i in inner]
    put(places, [short(values[i]) for _ in range(n_panel) for i in inner])


def head_panels(axis, outer, n_panel, n, top):
    """The value of the outer axis over each column, or beside each row."""
    if outer is None:
        return
    values = outer.values[thinned(outer.values.size)]
    for p in range(n_panel):
        middle = p * (n + GAP) + n / 2
        text = f"{outer.symbol} = {short(values[p])}"
        if top:
            place = {"xy": (middle, 1), "xycoords": ("data", "axes fraction"), "xytext": (0, 3)}
            axis.annotate(text, **place, textcoords="offset points", ha="center", va="bottom")
        else:
            place = {"xy": (1, middle), "xycoords": ("axes fraction", "data"), "xytext": (3, 0)}
            axis.annotate(
                text, **place, textcoords="offset points", ha="left", va="center", rotation=270
            )


def logarithmic(values):
    return values.min() > 0 and values.max() > 20 * values.min()


def draw_scatter(atlas, question, found, path, x, y):
    """Winners of cells that make no grid: a point each. x, y: names of quantities along `cell`."""
    cube = atlas.cube
    full = full_margin(found)
    rgb = colours(found, full)
    figure, axis = plt.subplots(figsize=(style.WIDTH, 4.8))
    at = cube[x].values.astype(float), cube[y].values.astype(float)
    axis.plot(*at, linestyle="none")  # sets the limits, which marks beside their place must not
    there = {}  # place -> marks it has, less one
    for cell in range(atlas.n_cell):
        look = {"marker": "x", "color": EMPTY, "markersize": 5, "linestyle": "none"}
        if found.won[cell]:
            look = style.strategy_marker(found.strategy[cell], tuple(rgb[cell]), 7)
            look["markerfacecolor"] = tuple(rgb[cell])
            look |= {"markeredgecolor": INK, "markeredgewidth": 0.4}
        place = at[0][cell], at[1][cell]
        n = there[place] = there.get(place, -1) + 1
        beside = ScaledTranslation(
            n % ROW * BESIDE / 72, n // ROW * BESIDE / 72, figure.dpi_scale_trans
        )
        mark_there = plt.Line2D([place[0]], [place[1]], transform=axis.transData + beside, **look)
        axis.add_artist(mark_there)
    for values, scale in zip(at, (axis.set_xscale, axis.set_yscale)):
        scale("log" if logarithmic(values) else "linear")
    axis.set_xlabel(label(cube[x], x))
    axis.set_ylabel(label(cube[y], y))
    handles = [
        h
        for h in map_handles(found, question, full)
        if h.get_label() not in ("nobody", "no reference")
    ]
    if (~found.won).any():
        look = {"marker": "x", "color": EMPTY, "linestyle": "none"}
        handles.append(plt.Line2D([], [], label="nobody", **look))
    title = question.text(style.power_of_ten)
    finish(figure, handles, title[:1].upper() + title[1:], path)


# ---- how often ----


def put_bar(axis, at, share, hatches, upright, width=0.8):
    """A bar of the shares of all winners; methods keep their order, so bars can be compared."""
    order = [*method_order(m for m, _ in share), NOBODY]
    below = 0.0
    for method in order:
        for strategy in (*hatches, NOBODY):
            part = share.get((method, strategy), 0)
            if not part:
                continue
            colour = style.method_colour(method) if method else "white"
            look = {
                "facecolor": colour,
                "edgecolor": "white" if method else EMPTY,
                "linewidth": 0.4,
            }
            look["hatch"] = hatches.get(strategy, "////")
            put = axis.bar if upright else axis.barh
            if upright:
                put(at, 100 * part, width, bottom=100 * below, **look)
            else:
                put(at, 100 * part, width, left=100 * below, **look)
            below += part


def share_handles(found, hatches):
    """found: several answers of which the bars are made."""
    methods = method_order(m for some in found for m in some.method)
    handles = [Patch(facecolor=style.method_colour(m), label=m) for m in methods]
    handles += [
        Patch(facecolor="#777777", edgecolor="white", hatch=h, label=s) for s, h in hatches.items()
    ]
    if any((~some.won).any() for some in found):
        handles.append(Patch(facecolor="white", edgecolor=EMPTY, hatch="////", label="nobody"))
    return handles


def strategy_hatches(found):
    names = strategy_order(s for some in found for s in some.strategy)
    return dict(zip(names, HATCH))


def draw_shares(groups, path):
    """groups: [(title, [(label, answers)])]; a panel for each, a bar for each answer."""
    everything = [some for _, rows in groups for _, some in rows]
    hatches = strategy_hatches(everything)
    heights = [len(rows) + 1.2 for _, rows in groups]
    figure, grid = plt.subplots(
        len(groups),
        1,
        figsize=(style.WIDTH, 0.9 + 0.2 * sum(heights)),
        height_ratios=heights,
        sharex=True,
        squeeze=False,
    )
    for axis, (title, rows) in zip(grid[:, 0], groups):
        for i, (_, some) in enumerate(rows):
            put_bar(axis, i, shares(some), hatches, upright=False)
        axis.set_yticks(range(len(rows)), [text for text, _ in rows])
        axis.set_ylim(len(rows) - 0.5, -0.5)
        axis.tick_params(axis="y", length=0)
        axis.grid(visible=False)
        axis.set_title(title, loc="left")
    grid[-1, 0].set_xlabel("cells won [%]")
    grid[-1, 0].set_xlim(0, 100)
    finish(figure, share_handles(everything, hatches), "How often each contender is best", path, 6)


def draw_along(question, found, axes, path):
    """Where the answer changes: the shares along each axis of the sweep."""
    varied = [axis for axis in axes if axis.values.size > 1] or axes[:1]
    hatches = strategy_hatches([found])
    columns = 2 if len(varied) > 1 else 1
    rows = -(-len(varied) // columns)
    size = (style.WIDTH, 1.1 + 2.1 * rows)
    figure, grid = plt.subplots(rows, columns, figsize=size, sharey=True, squeeze=False)
    for spare in grid.flat[len(varied) :]:
        spare.set_visible(False)
    for i, (panel, axis) in enumerate(zip(grid.flat, varied)):
        for at, share in enumerate(along(found, axes, axis.name)):
            put_bar(panel, at, share, hatches, upright=True, width=0.9)
        n = axis.values.size
        ticks = range(0, n, max(1, -(-n // 8)))
        panel.set_xticks(ticks, [short(axis.values[t]) for t in ticks])
        panel.tick_params(axis="x", length=0)
        panel.grid(visible=False)
        panel.set_xlabel(axis.label)
        panel.set_ylabel("cells won [%]" if i % columns == 0 else "")
    grid[0, 0].set_ylim(0, 100)
    title = question.text(style.power_of_ten)
    finish(figure, share_handles([found], hatches), f"Where the answer changes: {title}", path, 6)
