"""Pictures of contact scaling, from the tables of contenders.py.

A contender with nothing to show (left out, or all its runs failed) has no line and no bar.
"""

import numpy as np
from matplotlib.ticker import NullFormatter

import style

plt = style.plt
DARK = "#333333"
BAND = 0.18  # opacity
FOOT = 0.2  # of a panel's height: room for the rate of failed runs
CUBE_DASHES = ("solid", (0, (4, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.2, 1.2, 1.2)))  # by cube


def names(rows, column):
    """Values in the order of first appearance."""
    return list(dict.fromkeys(rows[column]))


def method_handles(methods):
    return [plt.Line2D([], [], color=style.method_colour(m), linewidth=2.4, label=m) for m in methods]


def strategy_handles(strategies):
    return [
        plt.Line2D([], [], label=s, **style.strategy_marker(s, DARK, 5.0)) for s in strategies
    ]


def legend_groups(figure, groups):
    """A legend below all axes, one group a column."""
    tallest = max(len(group) for group in groups)
    blank = plt.Line2D([], [], linestyle="none", label=" ")
    handles = [h for group in groups for h in group + [blank] * (tallest - len(group))]
    style.legend_below(figure, handles, len(groups))


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
    figure.savefig(path)
    plt.close(figure)


def draw_cost(rows, cost, title, path):
    """Cost of a simulated second against n: a panel for each strategy, a colour for each method."""
    strategies, methods = names(rows, "strategy"), names(rows, "method")
    failing = rows[rows["failed"] > 0]
    figure, grid = panels(len(strategies), 2.3, sharex=True, sharey=True)
    for axes, strategy in zip(grid, strategies):
        axes.set_yscale("log")
        for method in methods:
            one = rows[(rows["strategy"] == strategy) & (rows["method"] == method)]
            one = one[np.isfinite(one[cost.name])]
            colour = style.method_colour(method)
            low, high = one[f"{cost.name}_p10"], one[f"{cost.name}_p90"]
            axes.fill_between(one["n"], low, high, color=colour, alpha=BAND, linewidth=0)
            look = style.strategy_marker(strategy, colour, 4.5) | {"linestyle": "solid"}
            axes.plot(one["n"], one[cost.name], color=colour, **look)
        contact_axis(axes, sorted(set(rows["n"])))
        axes.set_title(strategy)
        first, last = outer(axes)
        if first:
            axes.set_ylabel(f"{cost.title}\nper simulated second [{cost.unit}]")
        if last:
            axes.set_xlabel("contacts $n$ [1]")
        if len(failing):
            failure_rate(axes, failing[failing["strategy"] == strategy], methods)
    if len(failing):
        low, high = np.log(grid[0].get_ylim())
        grid[0].set_ylim(np.exp(low - FOOT / (1 - FOOT) * (high - low)), np.exp(high))
    style.legend_below(figure, method_handles(methods), len(methods))
    figure.suptitle(title)
    save(figure, path)


def failure_rate(axes, rows, methods):
    """Bars at the foot of the panel, a fifth of its height for 100 %, and the worst rate in words."""
    for i, method in enumerate(methods):
        one = rows[rows["method"] == method]
        share = one["failed"] / (one["runs"] - one["left_out"])
        beside = 1.07 ** (i - (len(methods) - 1) / 2)
        look = {"color": style.method_colour(method), "linewidth": 3}
        axes.vlines(
            beside * one["n"], 0, FOOT * share, transform=axes.get_xaxis_transform(), **look
        )
    if len(rows):
        worst = 100 * (rows["failed"] / (rows["runs"] - rows["left_out"])).max()
        look = {"transform": axes.transAxes, "ha": "right", "va": "bottom"}
        axes.text(1, FOOT + 0.01, f"runs that failed: up to {worst:.0f} %", **look)


def draw_marginal(tables, title, path):
    """Slopes with their intervals: a column for each (cost, rows), a bar for each contender."""
    some = tables[0][1]
    strategies, methods = names(some, "strategy"), names(some, "method")
    place = {}  # (strategy, method) -> height of its bar
    for strategy in strategies:
        for method in methods:
            place[strategy, method] = len(place) + 0.8 * strategies.index(strategy)
    figure, grid = plt.subplots(
        1,
        len(tables),
        figsize=(style.WIDTH, 1.1 + 0.19 * max(place.values())),
        sharey=True,
        squeeze=False,
    )
    for axes, (cost, rows) in zip(grid[0], tables):
        for row in rows[np.isfinite(rows["slope"])].to_dict("records"):
            at = place[row["strategy"], row["method"]]
            axes.barh(at, row["slope"], 0.85, color=style.method_colour(row["method"]))
            axes.hlines(at, row["low"], row["high"], color=DARK, linewidth=1.0)
            caps = {"color": DARK, "marker": "|", "markersize": 4.5, "linestyle": "none"}
            axes.plot([row["low"], row["high"]], [at, at], **caps)
        axes.axvline(0, color=DARK, linewidth=0.8)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(f"{cost.title} per contact\nand simulated second [{cost.unit}]")
    middle = [np.mean([place[s, m] for m in methods]) for s in strategies]
    grid[0][0].set_yticks(middle, strategies)
    for axes in grid[0]:
        axes.tick_params(axis="y", length=0)
    grid[0][0].set_ylim(max(place.values()) + 0.9, -0.9)
    style.legend_below(figure, method_handles(methods), len(methods))
    figure.suptitle(title)
    save(figure, path)


def draw_precision(rows, cost, title, path):
    """Error against cost: a panel for each n, with what no other contender beats on a grey line."""
    rows = rows[np.isfinite(rows[cost.name])]
    shown = sorted(set(rows["n"]))
    strategies, methods, cubes = (names(rows, c) for c in ("strategy", "method", "cube"))
    figure, grid = panels(len(shown), 2.75, sharey=True)
    for axes, n in zip(grid, shown):
        here = rows[rows["n"] == n]
        axes.set(xscale="log", yscale="log", title=f"$n$ = {n:g} contacts")
        best = here[here[f"front_{cost.name}"]].sort_values(cost.name)
        axes.step(
            best[cost.name],
            best["error"],
            where="post",
            color=style.REFERENCE,
            linewidth=5,
            zorder=1,
            solid_capstyle="round",
        )
        for (cube, strategy, method), one in here.groupby(
            ["cube", "strategy", "method"], sort=False
        ):
            look = {"linestyle": CUBE_DASHES[cubes.index(cube) % len(CUBE_DASHES)]}
            draw_contender(axes, one.sort_values("tolerance"), cost, strategy, method, look)
        first, last = outer(axes)
        if first:
            axes.set_ylabel("largest error of the watched state [1]")
        axes.set_xlabel(f"{cost.title} per simulated second [{cost.unit}]" if last else "")
    best = plt.Line2D([], [], color=style.REFERENCE, linewidth=5, label="beaten by no other")
    groups = [method_handles(methods), strategy_handles(strategies), [best]]
    if len(cubes) > 1:
        groups[2] += [
            plt.Line2D([], [], color=DARK, linestyle=CUBE_DASHES[i % len(CUBE_DASHES)], label=cube)
            for i, cube in enumerate(cubes)
        ]
    legend_groups(figure, groups)
    figure.suptitle(title)
    save(figure, path)


def draw_contender(axes, one, cost, strategy, method, look):
    """Points of one contender joined along the tolerances; with failed runs, crossed out."""
    colour = style.method_colour(method)
    x, y = one[cost.name].values, one["error"].values
    axes.plot(x, y, color=colour, linewidth=0.8, zorder=2, **look)
    across = np.abs(one[[f"{cost.name}_p10", f"{cost.name}_p90"]].values.T - x)
    along = np.abs(one[["error_p10", "error_p90"]].values.T - y)
    axes.errorbar(
        x, y, xerr=across, yerr=along, fmt="none", ecolor=colour, elinewidth=0.6, alpha=0.4, zorder=2
    )
    on_front = one[f"front_{cost.name}"].values
    for size, some in ((3.2, ~on_front), (5.5, on_front)):
        axes.plot(x[some], y[some], zorder=3, **style.strategy_marker(strategy, colour, size))
    lame = one["failed"].values > 0
    axes.plot(x[lame], y[lame], "x", color=DARK, markersize=6, zorder=4)


# Column of the table, text of the axis, factor.
ROWS_OF_EVENTS = (
    ("events_per_contact", "events\nper contact", 1),
    ("miscounted", "runs with a\nwrong count [%]", 100),
    ("grazes", "grazes\nper run", 1),
    ("guarded_steps", "guarded steps\nper run", 1),
    ("zeno_contacts", "Zeno contacts\nper run", 1),
    ("failed_share", "failed runs\n[%]", 100),
)


def draw_events(rows, title, path):
    """Events and anomalies against n: a column for each strategy, a row for each anomaly seen."""
    strategies, methods = names(rows, "strategy"), names(rows, "method")
    there = [line for line in ROWS_OF_EVENTS if line[0] in rows and (rows[line[0]] > 0).any()]
    absent = [text.split("\n")[0] for name, text, _ in ROWS_OF_EVENTS if name in rows]
    absent = [text for text in absent if text not in [line[1].split("\n")[0] for line in there]]
    if not there:  # no strategy of the cube locates an event
        there = [ROWS_OF_EVENTS[0]]
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
            here = rows[rows["strategy"] == strategy]
            if name == "events_per_contact" and "reference_per_contact" in rows:
                axes.plot(
                    *here.groupby("n")["reference_per_contact"].first().reset_index().values.T,
                    color=style.REFERENCE,
                    linewidth=5,
                    zorder=1,
                )
            for method in methods:
                one = here[(here["method"] == method) & np.isfinite(here[name])]
                colour = style.method_colour(method)
                look = style.strategy_marker(strategy, colour, 3.5) | {"linestyle": "solid"}
                axes.plot(one["n"], factor * one[name], color=colour, zorder=2, **look)
            if name == "miscounted" and not here[name].notnull().any():
                axes.text(0.5, 0.5, "locates none", transform=axes.transAxes, ha="center")
            contact_axis(axes, sorted(set(rows["n"])))
        top = factor * rows[name].max()
        if name != "events_per_contact":
            axes_row[0].set_ylim(-0.05 * top, 1.12 * top)
        axes_row[0].set_ylabel(text if "[" in text else f"{text} [1]")
    for top, bottom, strategy in zip(grid[0], grid[-1], strategies):
        top.set_title(strategy)
        bottom.set_xlabel("contacts $n$ [1]")
        bottom.tick_params(axis="x", labelsize=6.5)
    figure.align_ylabels(grid[:, 0])
    handles = method_handles(methods)
    if "reference_per_contact" in rows:
        handles.append(plt.Line2D([], [], color=style.REFERENCE, linewidth=5, label="reference"))
    style.legend_below(figure, handles, len(handles))
    figure.suptitle(title + (f"\nseen in no run: {', '.join(absent)}" if absent else ""))
    save(figure, path)
