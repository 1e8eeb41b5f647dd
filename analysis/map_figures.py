"""Pictures of a map: what wins in cells that make no grid, and how often."""

import numpy as np
from matplotlib.patches import Patch
from matplotlib.transforms import ScaledTranslation

import style
from map_data import CAPTURED, GAPS, NO_CONFIG, NO_REFERENCE, label, shares
from raster_figures import room_of, short, solver_order, strategy_order
from raster_image import shades

plt = style.plt
INK = "#222222"
GAP_MARKS = dict(zip(GAPS, "x+D"))  # of scattered cells
EMPTY = "#999999"  # hatching of cells without a winner
COLUMNS = 5  # of a legend
ROW, BESIDE = 4, 8.0  # marks in a row, and points between them, of several cells at one place
HATCH = ("", "/////", ".....", "xxxxx", "-----")  # of strategies, in bars
GAP_HATCH = {NO_CONFIG: "////", NO_REFERENCE: "xxxx", CAPTURED: "----"}  # hatching on white where nothing wins


def finish(figure, handles, title, path, columns=COLUMNS):
    style.legend_below(figure, handles, min(columns, len(handles)))
    figure.suptitle(title)
    style.save(figure, path)


# ---- cells that make no grid ----


def logarithmic(values):
    return values.min() > 0 and values.max() > 20 * values.min()


def point_mark(found, cell, colour):
    """How a cell of a scatter looks: that of its strategy, or what it lacks."""
    if found.won[cell]:
        look = style.strategy_marker(found.strategy[cell], colour, 7)
        return look | {"markerfacecolor": colour, "markeredgecolor": INK, "markeredgewidth": 0.4}
    return {"color": EMPTY, "markersize": 5, "linestyle": "none", "fillstyle": "none", "marker": GAP_MARKS[GAPS[found.gap[cell] - 1]]}


def point_handles(found):
    """Handles of the legend: solvers, strategies, cells without a winner."""
    winners = found.winners()
    handles = [Patch(color=style.solver_colour(m), label=m) for m in solver_order(found.solver)]
    for strategy in strategy_order(found.strategy):
        look = style.strategy_marker(strategy, INK, 5) | {"markeredgewidth": 0.8}
        handles.append(plt.Line2D([], [], label=strategy, **look))
    for reason, marker in GAP_MARKS.items():
        if reason in winners:
            text = f"{reason[1]}: {winners.count(reason)} of {len(winners)}"
            handles.append(plt.Line2D([], [], label=text, marker=marker, color=EMPTY, fillstyle="none", linestyle="none"))
    return handles


def draw_scatter(mapped, question, found, path, x, y):
    """Winners of cells that make no grid: a point each. x, y: names of quantities along `cell`."""
    cube = mapped.cube
    rgb = shades(found.solver, found.margin, np.where(found.won, 0, 1), style.solver_colour) / 255
    figure, axis = plt.subplots(figsize=(style.WIDTH, 4.8))
    at = cube[x].values.astype(float), cube[y].values.astype(float)
    axis.plot(*at, linestyle="none")  # sets the limits, which marks beside their place must not
    there = {}  # place -> marks it has, less one
    for cell in range(mapped.n_cell):
        place = at[0][cell], at[1][cell]
        n = there[place] = there.get(place, -1) + 1
        shift = n % ROW * BESIDE / 72, n // ROW * BESIDE / 72
        beside = axis.transData + ScaledTranslation(*shift, figure.dpi_scale_trans)
        look = point_mark(found, cell, tuple(rgb[cell]))
        axis.add_artist(plt.Line2D([place[0]], [place[1]], transform=beside, **look))
    for values, scale in zip(at, (axis.set_xscale, axis.set_yscale)):
        scale("log" if logarithmic(values) else "linear")
    axis.set_xlabel(label(cube[x], x))
    axis.set_ylabel(label(cube[y], y))
    title = question.text(style.power_of_ten)
    finish(figure, point_handles(found), title[:1].upper() + title[1:], path)


# ---- how often ----


def put_bar(axis, at, share, hatches, upright, width=0.8):
    """A bar of the shares of all winners; solvers keep their order, so bars can be compared."""
    pairs = [(m, s) for m in solver_order(m for m, _ in share) for s in hatches]
    below = 0.0
    for pair in (*pairs, *GAPS):
        part = share.get(pair, 0)
        if not part:
            continue
        gap = pair in GAPS
        look = {
            "facecolor": "white" if gap else style.solver_colour(pair[0]),
            "edgecolor": EMPTY if gap else "white",
            "linewidth": 0.4,
            "hatch": GAP_HATCH[pair] if gap else hatches[pair[1]],
        }
        if upright:
            axis.bar(at, 100 * part, width, bottom=100 * below, **look)
        else:
            axis.barh(at, 100 * part, width, left=100 * below, **look)
        below += part


def share_handles(found, hatches):
    """found: several answers of which the bars are made."""
    solvers = solver_order(m for some in found for m in some.solver)
    handles = [Patch(facecolor=style.solver_colour(m), label=m) for m in solvers]
    handles += [
        Patch(facecolor="#777777", edgecolor="white", hatch=h, label=s) for s, h in hatches.items()
    ]
    for number, reason in enumerate(GAPS, 1):
        if any((some.gap == number).any() for some in found):
            look = {"facecolor": "white", "edgecolor": EMPTY, "hatch": GAP_HATCH[reason]}
            handles.append(Patch(label=reason[1], **look))
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
        figsize=(style.WIDTH, 1.5 + 0.24 * sum(heights)),
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
    finish(figure, share_handles(everything, hatches), "How often each configuration is best", path)


def draw_along(question, found, steps, path):
    """Where the answer changes: the shares along each axis. steps: [(label, values, their shares)]."""
    hatches = strategy_hatches([found])
    columns = 2 if len(steps) > 1 else 1
    rows = -(-len(steps) // columns)
    size = (style.WIDTH, 1.1 + 2.1 * rows)
    figure, grid = plt.subplots(rows, columns, figsize=size, sharey=True, squeeze=False)
    for spare in grid.flat[len(steps) :]:
        spare.set_visible(False)
    for i, (panel, (name, values, parts)) in enumerate(zip(grid.flat, steps)):
        for at, share in enumerate(parts):
            put_bar(panel, at, share, hatches, upright=True, width=0.9)
        n = len(values)
        room = 72 * (style.WIDTH / columns - 0.7) / n  # points of a bar
        ticks = range(0, n, max(1, int(np.ceil(room_of([short(v) for v in values], upright=False) / room))))
        panel.set_xticks(ticks, [short(values[t]) for t in ticks])
        panel.tick_params(axis="x", length=0)
        panel.grid(visible=False)
        panel.set_xlabel(name)
        panel.set_ylabel("cells won [%]" if i % columns == 0 else "")
    grid[0, 0].set_ylim(0, 100)
    title = question.text(style.power_of_ten)
    finish(figure, share_handles([found], hatches), f"Where the answer changes: {title}", path)
