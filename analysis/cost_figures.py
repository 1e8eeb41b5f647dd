"""Pictures of cost against error, of Pareto fronts, of stiffness and of points."""

import numpy as np
from matplotlib.ticker import LogFormatterSciNotation, LogLocator

import style
from cost_data import FEW, error_label, front, middle, over_cutoff, spent, totals, typical, work, worth_drawing
from map_data import quantities, symbol
from map_figures import finish
from raster_figures import short, solver_order, strategy_order

plt = style.plt
INK = "#222222"
WORK = "work [evaluations of $f$]"
STOPPED = f"over {100 * FEW:.0f} % of the runs were stopped at a cutoff:\nat least this work, the error of the others"
BINS = 8  # of the stiffness ratio


def solver_lines(solvers):
    return [
        plt.Line2D([], [], color=style.solver_colour(m), label=m, linewidth=2.4, markersize=4.5, markerfacecolor="white", **style.solver_line(m)) for m in solvers
    ]


def strategy_marks(strategies):
    return [plt.Line2D([], [], label=s, **style.strategy_marker(s, INK, 5.5)) for s in strategies]


def within(wrong, top):
    """Errors that can be drawn; infinite where there are none."""
    return np.where((wrong > 0) & (wrong <= top), wrong, np.inf)


def draw_precision(cube, of_map, cells, title, path):
    """Error against work: a panel for each strategy with a run to show, a line through the tolerances of a solver, bars between the quartiles."""
    solvers, place = list(cube["solver"].values), list(cube["strategy"].values)
    found = typical(cube, of_map, cells)
    top = worth_drawing(found.known[1])
    cost, wrong = found.cost, within(found.wrong, top)
    full = (np.isfinite(cost) & np.isfinite(wrong)).any(axis=(0, 2))
    strategies = strategy_order([name for name, any_run in zip(place, full) if any_run] or place[:1])
    best = front_steps(found.known[0], wrong)
    figure, grid = plt.subplots(
        1, len(strategies), figsize=(style.WIDTH, 3.6), sharex=True, sharey=True, squeeze=False
    )
    for axes, strategy in zip(grid[0], strategies):
        s = place.index(strategy)
        axes.set(xscale="log", yscale="log", title=strategy, xlabel=WORK)
        axes.plot(*best, color="#D0D0D0", linewidth=5, zorder=1, solid_joinstyle="round")
        for solver in solver_order(solvers):
            m = solvers.index(solver)
            seen = np.isfinite(cost[:, s, m]) & np.isfinite(wrong[:, s, m])
            colour = style.solver_colour(solver)
            look = style.strategy_marker(strategy, colour, 4) | style.solver_line(solver)
            whole = seen & ~found.bound[:, s, m]
            axes.plot(cost[whole, s, m], wrong[whole, s, m], color=colour, zorder=3, **look)
            low, high = (np.minimum(q[whole, s, m], top) for q in found.spread)
            if len(cells) > 1:
                axes.vlines(cost[whole, s, m], low, high, color=colour, linewidth=0.7, alpha=0.6, zorder=2)
            put_bounds(axes, cost[:, s, m], wrong[:, s, m], seen & found.bound[:, s, m], colour)
    grid[0][0].set_ylabel(error_label(cube))
    handles = solver_lines(solver_order(solvers)) + bound_handles(found.bound)
    handles.append(plt.Line2D([], [], color="#D0D0D0", linewidth=5, label="best of all"))
    finish(figure, handles, title, path, 5)


def put_bounds(axes, cost, wrong, bound, colour, marker=">"):
    """Points whose cost is a lower bound: pale, and open towards where they may be."""
    axes.plot(cost[bound], wrong[bound], color=colour, zorder=2, **bound_look(marker))


def bound_look(marker):
    return {"marker": marker, "markersize": 4, "markerfacecolor": "white", "markeredgewidth": 0.8, "linestyle": "none", "alpha": 0.7}


def bound_handles(bound, marker=">"):
    return [plt.Line2D([], [], color=INK, label=STOPPED, **bound_look(marker))] if np.any(bound) else []


def front_steps(cost, wrong):
    """The Pareto front as a line that steps: what is to be had for less than the next."""
    best = front(cost.ravel(), wrong.ravel())
    order = np.argsort(cost.ravel()[best])
    x, y = cost.ravel()[best][order], wrong.ravel()[best][order]
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def draw_pareto(cube, of_map, sets, title, path):
    """sets: [(title, cell numbers)], a panel each: configurations pale, those of the front in full."""
    solvers, strategies = list(cube["solver"].values), list(cube["strategy"].values)
    columns = min(3, len(sets))
    rows = -(-len(sets) // columns)
    size = (style.WIDTH, 1.2 + 2.35 * rows)
    figure, grid = plt.subplots(
        rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for spare in grid.flat[len(sets) :]:
        spare.set_visible(False)
    drawn = [typical(cube, of_map, cells) for _, cells in sets]
    top = max(worth_drawing(found.known[1]) for found in drawn)
    for i, (axes, (name, _), found) in enumerate(zip(grid.flat, sets, drawn)):
        axes.set(xscale="log", yscale="log")
        axes.set_title(name, fontsize=7.5)
        draw_front(axes, found.known[0], within(found.wrong, top), strategies, solvers)
        for m, solver in enumerate(solvers):
            at = [of[..., m] for of in (found.cost, within(found.wrong, top), found.bound)]
            put_bounds(axes, *at, style.solver_colour(solver))
        axes.set_xlabel(WORK if i // columns == (len(sets) - 1 - i % columns) // columns else "")
        axes.set_ylabel(error_label(cube) if i % columns == 0 else "")
        axes.tick_params(labelbottom=bool(axes.get_xlabel()))
    handles = solver_lines(solver_order(solvers)) + strategy_marks(strategy_order(strategies))
    handles += bound_handles([found.bound.any() for found in drawn])
    finish(figure, handles, title, path, 6)


def draw_front(axes, cost, wrong, strategies, solvers):
    """All configurations of one panel and their front; cost, wrong [rtol][strategy][solver]."""
    axes.plot(*front_steps(cost, wrong), color=INK, linewidth=0.8, zorder=2)
    best = front(cost.ravel(), wrong.ravel()).reshape(cost.shape)
    for s, strategy in enumerate(strategies):
        for m, solver in enumerate(solvers):
            look = style.strategy_marker(strategy, style.solver_colour(solver), 4.5)
            x, y, on = cost[:, s, m], wrong[:, s, m], best[:, s, m]
            off = ~on & np.isfinite(x) & np.isfinite(y)
            pale = look | {"alpha": 0.25, "markersize": 2.5, "markeredgewidth": 0.6}
            axes.plot(x[off], y[off], zorder=1, **pale)
            axes.plot(x[on], y[on], zorder=3, **look)


def by_stiffness(cube, name="stiffness_ratio", n=6):
    """n cells from the least stiff to the stiffest, at equal shares, with titles."""
    ratio = cube[name].values
    order = np.argsort(ratio, kind="stable")
    order = order[np.isfinite(ratio[order])]
    picks = order[np.linspace(0, order.size - 1, min(n, order.size)).round().astype(int)]
    varied = [(name, cube[name].values.astype(float)) for name in quantities(cube)]
    where = [", ".join(f"{symbol(n)} {short(v[c])}" for n, v in varied[:4]) for c in picks]
    return [(f"cell {c + 1}, SR = {round_off(ratio[c])}\n{at}".strip(), [int(c)]) for c, at in zip(picks, where)]


def round_off(value):
    """Two digits, a power of ten where the number is large."""
    if value < 1000:
        return f"{value:.2g}" if value < 100 else f"{value:.0f}"
    power = int(np.floor(np.log10(value)))
    return rf"${value / 10**power:.1f}\cdot10^{power}$"


def stiffness_bins(ratio):
    """Cell numbers of BINS groups of equal size, from the least stiff to the stiffest."""
    there = np.isfinite(ratio)
    edges = np.unique(np.quantile(ratio[there], np.linspace(0, 1, BINS + 1)))
    n = max(edges.size - 1, 1)
    which = np.clip(np.searchsorted(edges, ratio, side="right") - 1, 0, n - 1)
    bins = [np.flatnonzero((which == b) & there) for b in range(n)]
    return [b for b in bins if b.size]


def draw_stiffness(cube, of_map, rtol, title, path, name="stiffness_ratio"):
    """Work against the stiffness ratio: the middle of the cells of each bin of equal numbers."""
    ratio = cube[name].values
    solvers, strategies = list(cube["solver"].values), list(cube["strategy"].values)
    near = cube.sel({"rtol": rtol}, method="nearest")
    most, least = (of(near, of_map).transpose("cell", "strategy", "solver").values for of in (work, spent))
    least = np.where(np.isinf(most) & ~over_cutoff(near).transpose("cell", "strategy", "solver").values, np.inf, least)
    bins = stiffness_bins(ratio)
    x, bounds = np.array([np.median(ratio[b]) for b in bins]), []
    figure, grid = plt.subplots(
        1, len(strategies), figsize=(style.WIDTH, 3.6), sharex=True, sharey=True, squeeze=False
    )
    for axes, strategy in zip(grid[0], strategy_order(strategies)):
        s = strategies.index(strategy)
        axes.set(xscale="log", yscale="log", title=strategy, xlabel="stiffness ratio SR [1]")
        for solver in solver_order(solvers):
            m = solvers.index(solver)
            low, high = (np.array([float(middle(of[b, s, m])) for b in bins]) for of in (least, most))
            colour = style.solver_colour(solver)
            look = style.strategy_marker(strategy, colour, 4) | style.solver_line(solver)
            sure = np.isfinite(high) & (high <= (1 + FEW) * low)
            axes.plot(x, np.where(sure, high, np.nan), color=colour, **look)
            put_bounds(axes, x, low, np.isfinite(low) & ~sure, colour, "^")
            bounds.append((np.isfinite(low) & ~sure).any())
    grid[0][0].set_ylabel(WORK)
    number_between(grid[0][0].yaxis)
    handles = bound_handles(bounds, "^")
    for handle in handles:
        handle.set_label("at least: runs were stopped at a cutoff")
    finish(figure, solver_lines(solver_order(solvers)) + handles, title, path, 4)


def number_between(axis):
    """Numbers at 2 and 5 as well, for a logarithmic axis of about two powers of ten."""
    low, high = axis.get_view_interval()
    if high < 300 * low:
        axis.set_minor_locator(LogLocator(subs=(2, 5)))
        axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(np.inf, np.inf)))


def draw_scores(cube, weights, tolerances, title, path):
    """A row for each tolerance and strategy, a column for each solver, the best in bold."""
    solvers = solver_order(cube["solver"].values)
    strategies = strategy_order(cube["strategy"].values)
    near = [int(np.abs(np.log(cube["rtol"].values / t)).argmin()) for t in tolerances]
    score, by_work = totals(cube, weights, near)
    rows = [(t, s) for t in near for s in strategies]
    table = np.array(
        [
            [float(score.isel(rtol=t).sel(strategy=s, solver=m)) for m in solvers]
            for t, s in rows
        ]
    )
    figure, axes = plt.subplots(figsize=(style.WIDTH, 1.15 + 0.24 * len(rows)))
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    image = axes.pcolormesh(table, cmap="cividis", edgecolors="white", linewidth=1.0)
    write_scores(axes, table, [t for t, _ in rows])
    axes.set_xticks(np.arange(len(solvers)) + 0.5, solvers)
    names = [f"{style.power_of_ten(cube['rtol'].values[t])}  {s}" for t, s in rows]
    axes.set_yticks(np.arange(len(rows)) + 0.5, names)
    axes.set_ylim(len(rows), 0)
    axes.tick_params(length=0)
    axes.set_xlabel("solver")
    axes.set_ylabel("rtol [1], strategy")
    figure.colorbar(image, ax=axes, label="weighted points, mean [1]", pad=0.01, aspect=12)
    figure.suptitle(title)
    style.save(figure, path)
    return by_work


def write_scores(axes, table, group):
    """The numbers themselves; the best of the rows of one group in bold. group [row]."""
    low, high = np.nanmin(table), np.nanmax(table)
    for (r, m), value in np.ndenumerate(table):
        same = table[[g == group[r] for g in group]]
        best = value == same[~np.isnan(same)].max(initial=-np.inf)
        dark = (value - low) / (high - low or 1) < 0.55
        text = "-" if np.isnan(value) else f"{value:.2f}"
        look = {"color": INK if np.isnan(value) or not dark else "white"}
        look |= {"weight": "bold"} if best else {}
        axes.text(m + 0.5, r + 0.5, text, ha="center", va="center", **look)
