"""The picture of a scaling study: time, efficiency, phases."""

import numpy as np

import style
from scaling_data import PHASES, in_order

plt = style.plt
CASE_COLOURS = ("#0077BB", "#EE7733", "#009988", "#CC3311", "#33BBEE", "#EE3377", "#555555")  # Paul Tol's "vibrant" scheme
MARKERS = {"strong": "o", "weak": "D", "threads": "^"}
SHIFT = {"strong": 1, "weak": 1.03, "threads": 0.97}  # beside each other where efficiencies are alike
PHASE_COLOURS = dict(zip(PHASES, ("#4477AA", "#CCBB44", "#AA3377", "#BBBBBB")))
NAMES = {"computing": "computing", "waiting": "waiting for tiles and ranks", "cube": "cube and map", "start": "start of MPI, journals"}


def count_of(machine):
    """Quantity of which cases are numbers."""
    return machine.get("count", "contacts")


def label_of(case, machine):
    return f"{case} {count_of(machine)}" if case.isdigit() else case


def of(table, series, case):
    return table[(table["series"] == series) & (table["case"] == case)]


def shade_shared(axes, table, cores):
    most = table["workers"].max()
    if most > cores:
        axes.axvspan(cores, most * 1.15, color=style.STANCE, zorder=0)


def workers_axis(axes, table, cores, label):
    ticks = sorted(set(table["workers"]))
    axes.set(xscale="log", xlabel=label, xlim=(min(ticks) / 1.15, max(ticks) * 1.15))
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.xaxis.set_minor_locator(style.plt.NullLocator())
    shade_shared(axes, table, cores)


def plain_ticks(axes):
    """Numbers in place of powers."""
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:e}"[0] in "25" else "")


def draw_time(axes, table, series, colours):
    """Measured with the range of repeats, what was predicted, and what perfect scaling would take."""
    for case, colour in colours.items():
        one = of(table, series, case)
        if not len(one):
            continue
        reach = [np.zeros(len(one)), one["longest"] - one["seconds"]]
        axes.errorbar(one["workers"], one["seconds"], yerr=reach, color=colour, marker=MARKERS[series], markersize=4.5, capsize=2,
                      markerfacecolor="white" if series == "weak" else colour, linewidth=0 if series == "threads" else 1.2, elinewidth=1)  # fmt: skip
        axes.plot(one["workers"], one["median"], color=colour, marker="_", markersize=7, linewidth=0)
        if series != "threads":
            axes.plot(one["workers"], one["predicted"], color=colour, linestyle="dashed", linewidth=1)
            first = one.iloc[0]
            ideal = first["seconds"] * (first["workers"] / one["workers"] if series == "strong" else one["workers"] ** 0)
            axes.plot(one["workers"], ideal, color=style.REFERENCE, linewidth=0.9, zorder=1)


def draw_efficiency(axes, table, colours):
    for case, colour in colours.items():
        for series, marker in MARKERS.items():
            one = of(table, series, case)
            if not len(one):
                continue
            reach = [100 * one["efficiency"] * (1 - one["seconds"] / one["longest"]), np.zeros(len(one))]
            beside = one["workers"] * SHIFT[series]
            axes.errorbar(beside, 100 * one["efficiency"], yerr=reach, color=colour, marker=marker, markersize=4.5, capsize=2,
                          markerfacecolor="white" if series == "weak" else colour, linewidth=0.9, elinewidth=1)  # fmt: skip
    axes.axhline(100, color=style.REFERENCE, linewidth=0.9, zorder=1)
    axes.set(ylabel="efficiency [%]", ylim=(0, 1.08 * max(100, 100 * table["efficiency"].max())))


def by_count(table):
    """Cases that are numbers, of contacts or members, in the strong series; empty: there are not two of them."""
    strong = table[(table["series"] == "strong") & table["case"].str.isdigit()]
    return strong.assign(count=strong["case"].astype(int)) if strong["case"].nunique() > 1 else strong.iloc[:0]


def draw_counts(time, efficiency, counted, label):
    """The same figures with the count on the axis: a line for each number of ranks."""
    counts, numbers = sorted(set(counted["count"])), sorted(set(counted["ranks"]))
    for i, ranks in enumerate(numbers):
        one = counted[counted["ranks"] == ranks].sort_values("count")
        look = {"color": plt.cm.viridis(0.85 * i / max(1, len(numbers) - 1)), "marker": "o", "markersize": 4, "linewidth": 1.2}
        time.plot(one["count"], 1e3 * one["seconds"] * ranks / one["cells"], label=f"{ranks} rank{'s' if ranks > 1 else ''}", **look)
        efficiency.plot(one["count"], 100 * one["efficiency"], **look)
    for axes in (time, efficiency):
        axes.set(xscale="log", xlabel=label)
        axes.set_xticks(counts, [str(n) for n in counts])
        axes.xaxis.set_minor_locator(plt.NullLocator())
    time.set(yscale="log", ylabel="rank time of a cell [ms]")
    plain_ticks(time)
    time.legend(fontsize=7, frameon=False)
    efficiency.axhline(100, color=style.REFERENCE, linewidth=0.9, zorder=1)
    efficiency.set(ylabel="efficiency, strong [%]", ylim=(0, None))


def draw_phases(axes, table, machine, cases):
    """Where the time of the ranks went in the strong series: a bar for each case and number of ranks."""
    strong = table[table["series"] == "strong"]
    at, ticks, left = 0.0, [], []
    for ranks in sorted(set(strong["ranks"])):
        left.append(at)
        for case in cases:
            one = strong[(strong["ranks"] == ranks) & (strong["case"] == case)]
            below = 0.0
            for phase in PHASES:
                share = 100 * float(one[phase].iloc[0] / one[list(PHASES)].sum(axis=1).iloc[0]) if len(one) else 0.0
                axes.bar(at, share, 0.85, bottom=below, color=PHASE_COLOURS[phase])
                below += share
            if len(cases) > 1:
                axes.annotate(case, (at, 0), (0, -2), textcoords="offset points", ha="center", va="top", fontsize=6, rotation=90)
            at += 1
        ticks.append((left[-1] + at - 1) / 2)
        at += 0.7
    axes.set_xticks(ticks, [str(n) for n in sorted(set(strong["ranks"]))])
    axes.tick_params(axis="x", length=0, pad=22 if len(cases) > 1 else 3)
    axes.grid(axis="x", visible=False)
    axes.set(xlabel="ranks" + (f"; {count_of(machine)} above" if cases[0].isdigit() else ""), ylabel="share of the time, strong [%]")


def foot_of(table, machine):
    """The layout, in words."""
    one = table[table["workers"] == table["workers"].min()].iloc[0]
    nodes = "1 node" if machine["nodes"] == 1 else f"{machine['nodes']} nodes"
    first = "a rank" if one["ranks"] == 1 else f"{one['ranks']} ranks"
    low, high = table["cpu_over_busy"].min(), table["cpu_over_busy"].max()  # 1: ranks had their cores to themselves
    return (f"{machine['study']}: {one['cells']} cells (weak: {first}); shortest of {table['repeats'].max()}, dash: median, bars to the longest; "
            f"CPU time / busy time {low:.2f} to {high:.2f}\n"
            f"{nodes}, {machine['cores']} cores, {machine['cpu']}; {machine['program']}")  # fmt: skip


def legend(figure, table, colours, machine):
    line = plt.Line2D
    handles = [line([], [], color=colour, label=label_of(case, machine)) for case, colour in colours.items()]
    for series, marker in MARKERS.items():
        fill = "white" if series == "weak" else style.GROUND
        handles.append(line([], [], color=style.GROUND, marker=marker, markersize=4.5, markerfacecolor=fill, linewidth=0, label=series))
    handles.append(line([], [], color=style.GROUND, linestyle="dashed", linewidth=1, label="predicted"))
    handles.append(line([], [], color=style.REFERENCE, linewidth=0.9, label="ideal"))
    handles += [plt.Rectangle((0, 0), 1, 1, color=PHASE_COLOURS[p], label=NAMES[p]) for p in PHASES]
    if table["shared_cores"].any():
        handles.append(plt.Rectangle((0, 0), 1, 1, color=style.STANCE, label=f"more workers than {machine['cores']} cores"))
    style.legend_below(figure, handles, 5, foot_of(table, machine))


def draw(table, machine, path):
    style.use()
    cases = in_order(set(table["case"]))
    colours = {case: CASE_COLOURS[i % len(CASE_COLOURS)] for i, case in enumerate(cases)}
    counted = by_count(table)
    rows = 3 if len(counted) else 2
    figure, grid = plt.subplots(rows, 2, figsize=(style.WIDTH, 3.1 * rows))
    (strong, weak), (efficiency, phases) = grid[:2]
    times = [(strong, "the same cells", "workers: ranks x threads")]
    if (table["series"] == "weak").any():
        draw_time(weak, table, "weak", colours)
        times.append((weak, "as many cells for each rank", "ranks"))
    else:
        weak.remove()
        strong.set_subplotspec(grid[0, 0].get_gridspec()[0, :])
    if len(counted):
        draw_counts(*grid[2], counted, count_of(machine))
    draw_time(strong, table, "strong", colours)
    draw_time(strong, table, "threads", colours)
    for axes, title, label in times:
        axes.set(yscale="log", ylabel="time of the command [s]", title=title)
        plain_ticks(axes)
        workers_axis(axes, table, machine["cores"], label)
    draw_efficiency(efficiency, table, colours)
    workers_axis(efficiency, table, machine["cores"], "workers: ranks x threads")
    draw_phases(phases, table, machine, cases)
    legend(figure, table, colours, machine)
    style.save(figure, path)
