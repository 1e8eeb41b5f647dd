"""Pictures of cost against error, of Pareto fronts, of stiffness and of points."""

import numpy as np
from matplotlib.ticker import LogFormatterSciNotation, LogLocator

import style
from cost_data import error, front, left_out, middle, totals, work, worth_drawing
from map_figures import finish, method_order, strategy_order

plt = style.plt
INK = "#222222"
WORK = "work [evaluations of $f$]"
ERROR = "largest error [1]"
BINS = 8  # of the stiffness ratio


def method_lines(methods):
    return [
        plt.Line2D([], [], color=style.method_colour(m), linewidth=2.4, label=m) for m in methods
    ]


def strategy_marks(strategies):
    return [plt.Line2D([], [], label=s, **style.strategy_marker(s, INK, 5.5)) for s in strategies]


def points(cube, of_map, cells):
    """(work, error), [tolerance][strategy][method]: median of the cells, inf when half fail."""
    some = cube.isel(cell=cells)
    dims = ("cell", "tolerance", "strategy", "method")
    cost = work(some, of_map).transpose(*dims)
    wrong = error(some).transpose(*dims)
    gone = left_out(some).transpose(*dims).isel(cell=0).values
    nowhere = np.where(gone, np.inf, 0)
    return middle(cost.values) + nowhere, middle(wrong.values) + nowhere


def within(wrong, top):
    """Errors that can be drawn; infinite where there are none."""
    return np.where((wrong > 0) & (wrong <= top), wrong, np.inf)


def draw_precision(cube, of_map, cells, title, path):
    """Error against work: a panel for each strategy, a line through the tolerances of a method."""
    methods, strategies = list(cube["method"].values), strategy_order(cube["strategy"].values)
    place = list(cube["strategy"].values)
    cost, wrong = points(cube, of_map, cells)
    wrong = within(wrong, worth_drawing(wrong))
    best = front_steps(cost, wrong)
    figure, grid = plt.subplots(
        1, len(strategies), figsize=(style.WIDTH, 3.6), sharex=True, sharey=True, squeeze=False
    )
    for axes, strategy in zip(grid[0], strategies):
        s = place.index(strategy)
        axes.set(xscale="log", yscale="log", title=strategy, xlabel=WORK)
        axes.plot(*best, color="#D0D0D0", linewidth=5, zorder=1, solid_joinstyle="round")
        for method in method_order(methods):
            m = methods.index(method)
            seen = np.isfinite(cost[:, s, m]) & np.isfinite(wrong[:, s, m])
            colour = style.method_colour(method)
            look = style.strategy_marker(strategy, colour, 4) | {"linestyle": "solid"}
            axes.plot(cost[seen, s, m], wrong[seen, s, m], color=colour, zorder=3, **look)
    grid[0][0].set_ylabel(ERROR)
    handles = method_lines(method_order(methods))
    handles.append(plt.Line2D([], [], color="#D0D0D0", linewidth=5, label="best of all"))
    finish(figure, handles, title, path, 5)


def front_steps(cost, wrong):
    """The Pareto front as a line that steps: what is to be had for less than the next."""
    best = front(cost.ravel(), wrong.ravel())
    order = np.argsort(cost.ravel()[best])
    x, y = cost.ravel()[best][order], wrong.ravel()[best][order]
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def draw_pareto(cube, of_map, sets, title, path):
    """sets: [(title, cell numbers)], a panel each: contenders pale, those of the front in full."""
    methods, strategies = list(cube["method"].values), list(cube["strategy"].values)
    columns = min(3, len(sets))
    rows = -(-len(sets) // columns)
    size = (style.WIDTH, 1.2 + 2.35 * rows)
    figure, grid = plt.subplots(
        rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for spare in grid.flat[len(sets) :]:
        spare.set_visible(False)
    drawn = [points(cube, of_map, cells) for _, cells in sets]
    top = max(worth_drawing(wrong) for _, wrong in drawn)
    for i, (axes, (name, _), (cost, wrong)) in enumerate(zip(grid.flat, sets, drawn)):
        wrong = within(wrong, top)
        axes.set(xscale="log", yscale="log", title=name)
        axes.plot(*front_steps(cost, wrong), color=INK, linewidth=0.8, zorder=2)
        best = front(cost.ravel(), wrong.ravel()).reshape(cost.shape)
        for s, strategy in enumerate(strategies):
            for m, method in enumerate(methods):
                look = style.strategy_marker(strategy, style.method_colour(method), 4.5)
                x, y, on = cost[:, s, m], wrong[:, s, m], best[:, s, m]
                off = ~on & np.isfinite(x) & np.isfinite(y)
                pale = look | {"alpha": 0.25, "markersize": 2.5, "markeredgewidth": 0.6}
                axes.plot(x[off], y[off], zorder=1, **pale)
                axes.plot(x[on], y[on], zorder=3, **look)
        axes.set_xlabel(WORK if i // columns == (len(sets) - 1 - i % columns) // columns else "")
        axes.set_ylabel(ERROR if i % columns == 0 else "")
        axes.tick_params(labelbottom=bool(axes.get_xlabel()))
    handles = method_lines(method_order(methods)) + strategy_marks(strategy_order(strategies))
    finish(figure, handles, title, path, 6)


def by_stiffness(cube, name="stiffness_ratio", n=6):
    """n cells from the least stiff to the stiffest, at equal shares, with titles."""
    ratio = cube[name].values
    order = np.argsort(ratio, kind="stable")
    order = order[np.isfinite(ratio[order])]
    picks = order[np.linspace(0, order.size - 1, min(n, order.size)).round().astype(int)]
    return [(f"cell {c + 1}, SR = {round_off(ratio[c])}", [int(c)]) for c in picks]


def round_off(value):
    """Two digits, a power of ten where the number is large."""
    if value < 1000:
        return f"{value:.2g}" if value < 100 else f"{value:.0f}"
    power = int(np.floor(np.log10(value)))
    return rf"${value / 10**power:.1f}\cdot10^{power}$"


def draw_stiffness(cube, of_map, tolerance, title, path, name="stiffness_ratio"):
    """Work against the stiffness ratio: the middle of the cells of each bin of equal numbers."""
    ratio = cube[name].values
    methods, strategies = list(cube["method"].values), list(cube["strategy"].values)
    cost = work(cube, of_map).sel({"tolerance": tolerance}, method="nearest")
    cost = cost.transpose("cell", "strategy", "method").values
    edges = np.unique(np.quantile(ratio[np.isfinite(ratio)], np.linspace(0, 1, BINS + 1)))
    which = np.clip(np.searchsorted(edges, ratio, side="right") - 1, 0, max(edges.size - 2, 0))
    bins = [
        np.flatnonzero((which == b) & np.isfinite(ratio)) for b in range(max(edges.size - 1, 1))
    ]
    bins = [b for b in bins if b.size]
    x = np.array([np.median(ratio[b]) for b in bins])
    figure, grid = plt.subplots(
        1, len(strategies), figsize=(style.WIDTH, 3.6), sharex=True, sharey=True, squeeze=False
    )
    for axes, strategy in zip(grid[0], strategy_order(strategies)):
        s = strategies.index(strategy)
        axes.set(xscale="log", yscale="log", title=strategy, xlabel="stiffness ratio SR [1]")
        for method in method_order(methods):
            of = cost[:, s, methods.index(method)]
            typical = np.array([float(middle(of[b])) for b in bins])
            colour = style.method_colour(method)
            look = style.strategy_marker(strategy, colour, 4) | {"linestyle": "solid"}
            axes.plot(x, np.where(np.isfinite(typical), typical, np.nan), color=colour, **look)
    grid[0][0].set_ylabel(WORK)
    number_between(grid[0][0].yaxis)
    finish(figure, method_lines(method_order(methods)), title, path, 4)


def number_between(axis):
    """Numbers at 2 and 5 as well, for a logarithmic axis of about two powers of ten."""
    low, high = axis.get_view_interval()
    if high < 300 * low:
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(np.inf, np.inf)))


def draw_scores(cube, weights, tolerances, title, path):
    """A row for each tolerance and strategy, a column for each method, the best in bold."""
    score, by_work = totals(cube, weights)
    score = score.transpose("tolerance", "strategy", "method")
    methods = method_order(cube["method"].values)
    strategies = strategy_order(cube["strategy"].values)
    kept = [int(np.abs(np.log(cube["tolerance"].values / t)).argmin()) for t in tolerances]
    rows = [(t, s) for t in kept for s in strategies]
    table = np.array(
        [
            [float(score.isel(tolerance=t).sel({"strategy": s, "method": m})) for m in methods]
            for t, s in rows
        ]
    )
    figure, axes = plt.subplots(figsize=(style.WIDTH, 1.15 + 0.24 * len(rows)))
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    image = axes.pcolormesh(table, cmap="cividis", edgecolors="white", linewidth=1.0)
    low, high = np.nanmin(table), np.nanmax(table)
    for r, (t, _) in enumerate(rows):
        group = table[[i for i, (other, _) in enumerate(rows) if other == t]]
        for m in range(len(methods)):
            value = table[r, m]
            dark = (value - low) / (high - low or 1) < 0.55
            look = (
                {"weight": "bold"} if value == group[~np.isnan(group)].max(initial=-np.inf) else {}
            )
            text = "-" if np.isnan(value) else f"{value:.2f}"
            colour = INK if np.isnan(value) or not dark else "white"
            axes.text(m + 0.5, r + 0.5, text, ha="center", va="center", color=colour, **look)
    axes.set_xticks(np.arange(len(methods)) + 0.5, methods)
    axes.set_yticks(
        np.arange(len(rows)) + 0.5,
        [f"{style.power_of_ten(cube['tolerance'].values[t])}  {s}" for t, s in rows],
    )
    axes.set_ylim(len(rows), 0)
    axes.tick_params(length=0)
    axes.set_xlabel("method")
    axes.set_ylabel("tolerance [1], strategy")
    figure.colorbar(image, ax=axes, label="weighted points, mean [1]", pad=0.01, aspect=12)
    figure.suptitle(title)
    figure.savefig(path)
    plt.close(figure)
    return by_work
