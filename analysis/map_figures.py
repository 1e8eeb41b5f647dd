"""Pictures of a map: what wins where, and how often."""

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

import style
from map_data import NO_CONTENDER, NO_REFERENCE, NONE, TIE, label, panels, shares

plt = style.plt
INK = "#222222"
EMPTY = "#999999"  # hatching of cells without a winner
TIED = "#DCDCDC"  # of cells whose lead is below TIE, in no colour of a solver
FULL = 0.5  # the lead that is drawn in full colour, in every picture
FAINT = 0.45  # opacity of the thinnest lead that is none
TALL = 5.0  # inches: the most that one row of small multiples takes
GAP = 0.7  # between small multiples, in cells
COLUMNS = 5  # of a legend
PANELS = 6  # small multiples along a direction, at most
ROW, BESIDE = 4, 8.0  # marks in a row, and points between them, of several cells at one place
CHARACTER = 5.2  # points a digit of a tick takes, at most
SMALL = 5.0  # points: the least room for a mark
HATCH = ("", "/////", ".....", "xxxxx", "-----")  # of strategies, in bars
GAPS = {NO_CONTENDER: "////", NO_REFERENCE: "xxxx"}  # hatching on white where nothing wins


TIE_TEXT = f"tie: lead < {100 * TIE:.0f} %"


# ---- colours ----


def opacity(lead):
    """FAINT for a lead of TIE, 1 from FULL on; also 1 without a runner-up. Equal ratios, equal steps."""
    lead = np.where(np.isnan(lead), FULL, np.clip(lead, TIE, FULL))
    return FAINT + (1 - FAINT) * np.log(lead / TIE) / np.log(FULL / TIE)


def colours(found):
    """[cell][3]: the colour of the winning solver, paler with a thinner lead; TIED; white: none."""
    pure = np.array([to_rgb(style.solver_colour(m)) if m else (1, 1, 1) for m in found.solver])
    a = opacity(found.lead)[:, None]
    rgb = np.where(found.won[:, None], a * pure.reshape(-1, 3) + (1 - a), 1.0)
    return np.where(found.tied[:, None], to_rgb(TIED), rgb)


def ink_on(rgb):
    """What can be read on a colour."""
    return "white" if rgb @ (0.299, 0.587, 0.114) < 0.5 else INK


# ---- legends ----


def solver_order(names):
    known = list(style.SOLVER)
    return sorted(set(names) - {NONE}, key=lambda m: (known.index(m) if m in known else 99, m))


def strategy_order(names):
    known = list(style.STRATEGY)
    return sorted(set(names) - {NONE}, key=lambda s: (known.index(s) if s in known else 99, s))


def mark(strategy, colour, size):
    """A marker of a strategy on a coloured cell: filled where it is in legends, else see-through."""
    look = style.strategy_marker(strategy, colour, size)
    filled = style.STRATEGY.get(strategy, style.OTHER_STRATEGY)[2]
    return look | {"markeredgewidth": 0.8, "markerfacecolor": colour if filled else "none"}


def gap_handles(winners):
    """What hatching stands for, and of how many of these cells."""
    return [
        Patch(
            facecolor="white",
            edgecolor=EMPTY,
            hatch=hatch,
            label=f"{reason[1]}: {winners.count(reason)} of {len(winners)}",
        )
        for reason, hatch in GAPS.items()
        if reason in winners
    ]


def lead_handles(colour):
    """The scale of leads, the same in every picture, in the colour of one solver."""
    found = []
    pure = np.array(to_rgb(colour))
    for lead, sign in ((TIE, ""), (np.sqrt(TIE * FULL), ""), (FULL, "≥ ")):
        a = opacity(np.array(lead))
        text = f"lead {sign}{100 * lead:.2g} %"
        found.append(Patch(facecolor=tuple(a * pure + 1 - a), edgecolor="none", label=text))
    return [*found, Patch(facecolor=TIED, edgecolor="none", label=TIE_TEXT)]


def map_handles(found, cells):
    """Of the solvers and strategies that lead in these cells, of the leads and of gaps."""
    winners = found.winners(cells)
    won = [pair for pair, tied in zip(winners, found.tied[cells]) if pair not in GAPS and not tied]
    handles = [
        Patch(color=style.solver_colour(m), label=m) for m in solver_order(m for m, _ in won)
    ]
    handles += [
        plt.Line2D([], [], label=s, **mark(s, INK, 5)) for s in strategy_order(s for _, s in won)
    ]
    often = max(won, key=won.count)[0] if won else NONE
    return handles + lead_handles(style.solver_colour(often)) + gap_handles(winners)


def finish(figure, handles, title, path, columns=COLUMNS):
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


def map_canvas(shape, n_handle):
    """(figure, axes, points a cell has) for cells [down][across][y][x] and a legend of n_handle."""
    n_down, n_across, n_y, n_x = shape
    side = min(0.62 * 72, 72 * 6.1 / (n_across * (n_x + GAP)))
    if n_down == 1:
        side = min(side, 72 * TALL / (n_y + GAP))
    height = side * n_down * (n_y + GAP) / 72 + 1.22 + 0.18 * -(-n_handle // COLUMNS)
    figure, axis = plt.subplots(figsize=(style.WIDTH, min(height, 9.4)))
    axis.set_aspect("equal", anchor="N")
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    axis.tick_params(length=2, pad=2)
    axis.set_xlim(-0.1, n_across * (n_x + GAP) - GAP + 0.1)
    axis.set_ylim(-0.1, n_down * (n_y + GAP) - GAP + 0.1)
    return figure, axis, side


def draw_map(question, found, axes, path, x, y=None, across=None, down=None, at=None, words=""):
    """Winners over two axes, small multiples over two more. Returns the cells [down][across][y][x].

    x, y, across, down: names of axes; at: {name: index} for those that are not drawn; words: what else stands still.
    """
    by_name = {axis.name: axis for axis in axes}
    cells = panels(axes, x, y, across, down, at)
    cells = cells[thinned(cells.shape[0])][:, thinned(cells.shape[1])]
    n_down, n_across, n_y, n_x = cells.shape
    rgb = colours(found)
    handles = map_handles(found, cells.ravel())
    figure, axis, side = map_canvas(cells.shape, len(handles))
    for row, column in np.ndindex(n_down, n_across):
        corner = (column * (n_x + GAP), row * (n_y + GAP))
        draw_panel(axis, cells[row, column], corner, rgb, found, side)
    put_ticks(axis.set_xticks, by_name[x], n_across, side, upright=False)
    axis.set_xlabel(by_name[x].label)
    axis.set_yticks([])
    if y is not None:
        put_ticks(axis.set_yticks, by_name[y], n_down, side, upright=True)
        axis.set_ylabel(by_name[y].label)
    head_panels(axis, across and by_name[across], n_across, n_x, True)
    head_panels(axis, down and by_name[down], n_down, n_y, False)
    title = question.text(style.power_of_ten)
    for name, index in (at or {}).items():
        title += f", {by_name[name].symbol} = {short(by_name[name].values[index])}"
    title += f", {words}" if words else ""
    finish(figure, handles, title[:1].upper() + title[1:], path)
    return cells


def draw_panel(axis, cells, corner, rgb, found, side):
    """One small multiple: a square for each cell, and a mark for the strategy where one leads."""
    n_y, n_x = cells.shape
    places = [(corner[0] + i, corner[1] + j) for j in range(n_y) for i in range(n_x)]
    boxes = [Rectangle(place, 1, 1) for place in places]
    look = {"facecolor": rgb[cells.ravel()], "linewidth": 0, "antialiased": False, "clip_on": False}
    axis.add_collection(PatchCollection(boxes, zorder=1, **look))
    for gap, hatch in ((found.missed, GAPS[NO_CONTENDER]), (found.unknown, GAPS[NO_REFERENCE])):
        some = [box for box, empty in zip(boxes, gap[cells.ravel()]) if empty]
        if some:
            look = {"facecolor": "white", "edgecolor": EMPTY, "hatch": hatch, "linewidth": 0.3}
            look["clip_on"] = False  # for small vector files
            axis.add_collection(PatchCollection(some, **look))
    frame = Rectangle(corner, n_x, n_y, fill=False, edgecolor=EMPTY, linewidth=0.6, zorder=3)
    axis.add_patch(frame)
    every = max(1, int(np.ceil(SMALL / side)))
    size = min(6.0, 0.42 * side * every)
    marks = {}
    for j in range(every // 2, n_y, every):
        for i in range(every // 2, n_x, every):
            cell = cells[j, i]
            if found.won[cell] and not found.tied[cell]:
                key = found.strategy[cell], ink_on(rgb[cell])
                marks.setdefault(key, []).append((corner[0] + i + 0.5, corner[1] + j + 0.5))
    for (strategy, ink), points in marks.items():
        axis.plot(*np.transpose(points), zorder=4, **mark(strategy, ink, size))


def put_ticks(put, axis, n_panel, side, upright):
    """Values of the inner axis in every panel; as many as have room beside each other."""
    n = axis.values.size
    at, texts = round_ticks(axis, side, upright) if axis.column else value_ticks(axis.values, n_panel, side, upright)
    places = [p * (n + GAP) + i for p in range(n_panel) for i in at]
    put(places, texts * n_panel)


def room_of(texts, upright):
    """Points that a label takes."""
    return 11.0 if upright else 6.0 + CHARACTER * max(map(len, texts))


def value_ticks(values, n_panel, side, upright):
    """(places, texts) of values of cells, those at both ends among them if the next panel leaves room."""
    n, texts = values.size, [short(v) for v in values]
    step = max(1, int(np.ceil(room_of(texts, upright) / side)))
    if n_panel > 1 and (1 + GAP) * side < room_of(texts, upright):
        inner = [i for i in range(0, n, step) if i == 0 or n - i + GAP >= step]
    else:
        inner = [*range(0, n - step, step), n - 1]
    return [i + 0.5 for i in inner], [texts[i] for i in inner]


def round_ticks(axis, side, upright):
    """(places, texts) of round numbers between the ends of a continuous axis."""
    column, n = axis.column, axis.values.size
    for values in round_numbers(column):
        at = [n * column.place(v) for v in values]
        texts = [short(v) for v in values]
        if values and (len(at) < 2 or min(np.diff(at)) * side >= room_of(texts, upright)):
            if upright or (n - at[-1] + GAP + at[0]) * side >= room_of(texts, upright):
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


def cell_mark(found, cell, rgb):
    """How a cell of a scatter looks: that of its strategy, or what it lacks."""
    if found.won[cell]:
        strategy = NONE if found.tied[cell] else found.strategy[cell]
        look = style.strategy_marker(strategy, tuple(rgb[cell]), 7)
        look["markerfacecolor"] = tuple(rgb[cell])
        return look | {"markeredgecolor": INK, "markeredgewidth": 0.4}
    look = {"color": EMPTY, "markersize": 5, "linestyle": "none"}
    return look | {"marker": "+" if found.unknown[cell] else "x"}


def scatter_handles(found):
    """Those of a map, with marks in place of hatching."""
    winners = found.winners()
    handles = map_handles(found, np.arange(found.won.size))
    handles = handles[: len(handles) - len(gap_handles(winners)) - 1]
    _, shape, _ = style.OTHER_STRATEGY
    look = {"marker": shape, "markersize": 7, "markerfacecolor": TIED, "markeredgecolor": INK, "markeredgewidth": 0.4}
    handles.append(plt.Line2D([], [], label=TIE_TEXT, linestyle="none", **look))
    for reason, marker in ((NO_CONTENDER, "x"), (NO_REFERENCE, "+")):
        if reason in winners:
            text = f"{reason[1]}: {winners.count(reason)} of {len(winners)}"
            look = {"marker": marker, "color": EMPTY, "linestyle": "none"}
            handles.append(plt.Line2D([], [], label=text, **look))
    return handles


def draw_scatter(mapped, question, found, path, x, y):
    """Winners of cells that make no grid: a point each. x, y: names of quantities along `cell`."""
    cube = mapped.cube
    rgb = colours(found)
    figure, axis = plt.subplots(figsize=(style.WIDTH, 4.8))
    at = cube[x].values.astype(float), cube[y].values.astype(float)
    axis.plot(*at, linestyle="none")  # sets the limits, which marks beside their place must not
    there = {}  # place -> marks it has, less one
    for cell in range(mapped.n_cell):
        place = at[0][cell], at[1][cell]
        n = there[place] = there.get(place, -1) + 1
        shift = n % ROW * BESIDE / 72, n // ROW * BESIDE / 72
        beside = axis.transData + ScaledTranslation(*shift, figure.dpi_scale_trans)
        look = cell_mark(found, cell, rgb)
        axis.add_artist(plt.Line2D([place[0]], [place[1]], transform=beside, **look))
    for values, scale in zip(at, (axis.set_xscale, axis.set_yscale)):
        scale("log" if logarithmic(values) else "linear")
    axis.set_xlabel(label(cube[x], x))
    axis.set_ylabel(label(cube[y], y))
    title = question.text(style.power_of_ten)
    finish(figure, scatter_handles(found), title[:1].upper() + title[1:], path)


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
            "hatch": GAPS[pair] if gap else hatches[pair[1]],
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
    missed = {NO_CONTENDER: "missed", NO_REFERENCE: "unknown"}
    for reason, name in missed.items():
        if any(getattr(some, name).any() for some in found):
            look = {"facecolor": "white", "edgecolor": EMPTY, "hatch": GAPS[reason]}
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
    finish(figure, share_handles(everything, hatches), "How often each contender is best", path)


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
