"""Pictures of contact scaling, from the tables of contacts_data.py.

A configuration with nothing to show (left out, or all its runs failed) has no line and no bar.
"""

import numpy as np
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullFormatter

import style

plt = style.plt
DARK = "#333333"
BAND = 0.18  # opacity
FOOT = 0.2  # of a panel's height: room for the rate of failed runs
BESIDE = 1.3  # ratio of n between the first and the last of the marks that would cover each other
SEPARATE = 2  # decades of an axis below which numbers between powers of ten are needed


def names(rows, column):
    """Values in the order of first appearance."""
    return list(dict.fromkeys(rows[column]))


def solver_handles(solvers):
    return [plt.Line2D([], [], color=style.solver_colour(m), linewidth=2.4, label=m) for m in solvers]


def strategy_handles(strategies):
    """Strategies in colours of their own."""
    handles = []
    for strategy in strategies:
        colour = style.strategy_colour(strategy)
        look = style.strategy_marker(strategy, colour, 5.5) | {"linestyle": "solid", "linewidth": 2}
        handles.append(plt.Line2D([], [], color=colour, label=strategy, **look))
    return handles


def point_handles(solvers):
    """Solvers as what fills a marker."""
    look = {"marker": "s", "markersize": 6, "linestyle": "none", "markeredgecolor": "none"}
    return [
        plt.Line2D([], [], markerfacecolor=style.solver_colour(m), label=m, **look) for m in solvers
    ]


def panels(n, height, **options):
    """A grid of n axes in as few rows as print allows: [n]; what is over is hidden."""
    columns = n if n < 4 else 2 if n == 4 else 3
    rows = -(-n // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(style.WIDTH, 1.0 + height * rows), squeeze=False, **options
    )
    for axes in grid.flat[n:]:
        axes.set_visible(False)
    return figure, list(grid.flat[:n])


def outer(axes):
    """Is this panel in the first column, in the last row?"""
    spec = axes.get_subplotspec()
    return spec.is_first_col(), spec.is_last_row()


def contact_axis(axes, n):
    """Logarithmic, with the numbers themselves; every other one where there are many."""
    axes.set_xscale("log")
    shown = n[:: 2 if len(n) > 7 else 1]
    axes.set_xticks(shown, [f"{x:g}" for x in shown])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", which="minor", length=0)


def save(figure, path):
    style.save(figure, path)


def numbers_on(axis, low, high):
    """Puts numbers on a logarithmic axis; on 2 and 5, too, where there are few powers of ten."""
    if np.log10(high / low) >= SEPARATE:
        axis.set_minor_formatter(NullFormatter())
        return
    axis.set_minor_locator(LogLocator(subs=(2, 5)))
    if low >= 0.1 and high <= 1e4:
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("{x:g}")
    else:
        axis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=(np.inf, np.inf)))


def draw_against_n(rows, name, text, title, path):
    """A column against n: a panel for each strategy, a colour for each solver."""
    strategies, solvers = names(rows, "strategy"), names(rows, "solver")
    failing = rows[rows["failed"] > 0]
    figure, grid = panels(len(strategies), 2.3, sharex=True, sharey=True)
    for axes, strategy in zip(grid, strategies):
        axes.set_yscale("log")
        for solver in solvers:
            one = rows[(rows["strategy"] == strategy) & (rows["solver"] == solver)]
            one = one[one[name] > 0]
            colour = style.solver_colour(solver)
            low, high = one[f"{name}_p10"], one[f"{name}_p90"]
            axes.fill_between(one["n"], low, high, color=colour, alpha=BAND, linewidth=0)
            look = style.strategy_marker(strategy, colour, 4.5) | {"linestyle": "solid"}
            axes.plot(one["n"], one[name], color=colour, **look)
        contact_axis(axes, sorted(set(rows["n"])))
        axes.set_title(strategy)
        first, last = outer(axes)
        axes.set_ylabel(text if first else "")
        axes.set_xlabel("contacts $n$ [1]" if last else "")
        if len(failing):
            failure_rate(axes, failing[failing["strategy"] == strategy], solvers)
    low, high = grid[0].get_ylim()
    if len(failing):
        low *= (low / high) ** (FOOT / (1 - FOOT))
        grid[0].set_ylim(low, high)
    for axes in grid:
        numbers_on(axes.yaxis, low, high)
    style.legend_below(figure, solver_handles(solvers), len(solvers))
    figure.suptitle(title)
    save(figure, path)


def failure_rate(axes, rows, solvers):
    """Bars at the foot of the panel, a fifth of its height for 100 %, and the worst rate in words."""
    for i, solver in enumerate(solvers):
        one = rows[rows["solver"] == solver]
        share = one["failed"] / (one["runs"] - one["incompatible"])
        beside = BESIDE ** ((i + 0.5) / len(solvers) - 0.5)
        look = {"color": style.solver_colour(solver), "linewidth": 3}
        axes.vlines(
            beside * one["n"], 0, FOOT * share, transform=axes.get_xaxis_transform(), **look
        )
    if len(rows):
        worst = 100 * (rows["failed"] / (rows["runs"] - rows["incompatible"])).max()
        look = {"transform": axes.transAxes, "ha": "right", "va": "bottom"}
        axes.text(1, FOOT + 0.01, f"runs that failed: up to {worst:.0f} %", **look)


def draw_marginal(tables, title, path):
    """Slopes with their intervals: a column for each (cost, rows), a bar for each configuration."""
    some = tables[0][1]
    strategies, solvers = names(some, "strategy"), names(some, "solver")
    place = {}  # (strategy, solver) -> height of its bar
    for strategy in strategies:
        for solver in solvers:
            place[strategy, solver] = len(place) + 0.8 * strategies.index(strategy)
    figure, grid = plt.subplots(
        1,
        len(tables),
        figsize=(style.WIDTH, 1.1 + 0.19 * max(place.values())),
        sharey=True,
        squeeze=False,
    )
    for axes, (cost, rows) in zip(grid[0], tables):
        for row in rows[np.isfinite(rows["slope"])].to_dict("records"):
            at = place[row["strategy"], row["solver"]]
            axes.barh(at, row["slope"], 0.85, color=style.solver_colour(row["solver"]))
            axes.hlines(at, row["low"], row["high"], color=DARK, linewidth=1.0)
            caps = {"color": DARK, "marker": "|", "markersize": 4.5, "linestyle": "none"}
            axes.plot([row["low"], row["high"]], [at, at], **caps)
        axes.axvline(0, color=DARK, linewidth=0.8)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{cost.title} per contact\nand simulated second [{cost.unit}]")
    middle = [np.mean([place[s, m] for m in solvers]) for s in strategies]
    grid[0][0].set_yticks(middle, strategies)
    for axes in grid[0]:
        axes.tick_params(axis="y", length=0)
    grid[0][0].set_ylim(max(place.values()) + 0.9, -0.9)
    style.legend_below(figure, solver_handles(solvers), len(solvers))
    figure.suptitle(title)
    save(figure, path)


def draw_precision(rows, cost, text, title, path):
    """Error, as `text` names it, against cost: a panel for each n, a colour for each strategy, joined where best."""
    rows = rows[np.isfinite(rows[cost.name])]
    shown = sorted(set(rows["n"]))
    strategies, solvers = names(rows, "strategy"), names(rows, "solver")
    figure, grid = panels(len(shown), 2.75, sharex=True, sharey=True)
    for axes, n in zip(grid, shown):
        axes.set(xscale="log", yscale="log", title=f"$n$ = {n:g} contacts")
        for strategy in strategies:
            draw_configs(axes, rows[(rows["n"] == n) & (rows["strategy"] == strategy)], cost)
        first, last = outer(axes)
        axes.set_ylabel(text if first else "")
        axes.set_xlabel(f"{cost.title}\nper simulated second [{cost.unit}]" if last else "")
    handles = strategy_handles(strategies) + point_handles(solvers)
    if (rows["failed"] > 0).any():
        look = {"marker": "x", "color": DARK, "markersize": 6, "linestyle": "none"}
        handles.append(plt.Line2D([], [], label="some runs failed", **look))
    style.legend_below(figure, handles, len(handles))
    figure.suptitle(title)
    save(figure, path)


def draw_configs(axes, rows, cost):
    """Points of one strategy, and a line along those that no other of its points beats."""
    best = rows[rows[f"front_{cost.name}"]].sort_values(cost.name)
    if len(best):
        colour = style.strategy_colour(best["strategy"].iloc[0])
        axes.plot(best[cost.name], best["error"], color=colour, linewidth=1.6, zorder=3)
        x, y = best[cost.name].values, best["error"].values
        along = np.abs(best[["error_p10", "error_p90"]].values.T - y)
        look = {"fmt": "none", "ecolor": colour, "elinewidth": 0.7, "alpha": 0.6, "zorder": 2}
        axes.errorbar(x, y, yerr=along, **look)
    for solver, one in rows.groupby("solver", sort=False):
        strategy = one["strategy"].iloc[0]
        on_front = one[f"front_{cost.name}"]
        for some, size, alpha in ((one[~on_front], 3.2, 0.45), (one[on_front], 4.5, 1.0)):
            look = style.strategy_marker(strategy, style.strategy_colour(strategy), size)
            look |= {"markerfacecolor": style.solver_colour(solver), "markeredgewidth": size / 5}
            axes.plot(some[cost.name], some["error"], zorder=2 + 2 * alpha, alpha=alpha, **look)
    lame = rows[rows["failed"] > 0]
    axes.plot(lame[cost.name], lame["error"], "x", color=DARK, markersize=6, zorder=5)


# Column of the table, text of the axis, factor.
ROWS_OF_EVENTS = (
    ("events_per_contact", "events\nper contact", 1),
    ("miscounted", "runs with a\nwrong count [%]", 100),
    ("grazes", "grazes\nper run", 1),
    ("guarded_steps", "guarded steps\nper run", 1),
    ("zeno_contacts", "Zeno contacts\nper run", 1),
    ("leaps", "leaps\nper run", 1),
    ("unmet_crossings", "unmet crossings\nper run", 1),
    ("failed_share", "failed runs\n[%]", 100),
)


def draw_events(rows, title, path):
    """Events and anomalies against n: a column for each strategy, a row for each anomaly seen."""
    strategies, solvers = names(rows, "strategy"), names(rows, "solver")
    known = [line for line in ROWS_OF_EVENTS if line[0] in rows]
    there = [line for line in known if (rows[line[0]] > 0).any()] or known[:1]
    absent = [line[1].replace("\n", " ").removesuffix(" [%]").removesuffix(" per run") for line in known if line not in there]
    figure, grid = plt.subplots(
        len(there),
        len(strategies),
        figsize=(style.WIDTH, 1.1 + 1.15 * len(there)),
        sharex=True,
        sharey="row",
        squeeze=False,
    )
    for axes_row, (name, text, factor) in zip(grid, there):
        for axes, strategy in zip(axes_row, strategies):
            draw_counts(axes, rows[rows["strategy"] == strategy], name, factor, solvers)
            contact_axis(axes, sorted(set(rows["n"])))
        top = factor * np.nanmax(rows.get("reference_per_contact", 0))
        top = max(factor * rows[name].max(), top if name == "events_per_contact" else 0)
        axes_row[0].set_ylim(-0.06 * top, 1.12 * top)
        axes_row[0].set_ylabel(text if "[" in text else f"{text} [1]")
    for top, bottom, strategy in zip(grid[0], grid[-1], strategies):
        top.set_title(strategy)
        bottom.set_xlabel("contacts $n$ [1]")
        bottom.tick_params(axis="x", labelsize=6.5)
    figure.align_ylabels(grid[:, 0])
    handles = solver_handles(solvers)
    if "reference_per_contact" in rows:
        handles.append(plt.Line2D([], [], color=style.REFERENCE, linewidth=5, label="reference"))
    style.legend_below(figure, handles, len(handles))
    figure.suptitle(title + (f"\nseen in no run: {', '.join(absent)}" if absent else ""))
    save(figure, path)


def draw_counts(axes, rows, name, factor, solvers):
    """One row of the picture for one strategy; solvers with the same counts stand side by side."""
    counts_events = name in ("events_per_contact", "miscounted")
    if counts_events and not (rows["events"] > 0).any():
        axes.text(0.5, 0.5, "locates none", transform=axes.transAxes, ha="center")
        return
    if name == "events_per_contact" and "reference_per_contact" in rows:
        reference = rows.groupby("n")["reference_per_contact"].first()
        axes.plot(reference.index, reference, color=style.REFERENCE, linewidth=5, zorder=1)
    for i, solver in enumerate(solvers):
        one = rows[(rows["solver"] == solver) & np.isfinite(rows[name])]
        colour = style.solver_colour(solver)
        look = style.strategy_marker(one["strategy"].iloc[0] if len(one) else "", colour, 3.0)
        beside = BESIDE ** ((i + 0.5) / len(solvers) - 0.5)
        look |= {"linestyle": "solid", "linewidth": 0.9, "markeredgewidth": 0.9}
        axes.plot(beside * one["n"], factor * one[name], color=colour, zorder=2, **look)
