#!/usr/bin/python3
"""Draws the comparison of ODE solvers for a hopping monopod from a cube of `saltus run`."""

import os

import numpy as np

import written
from command_line import Parser, run
from cube import NotOurs, open_cube, open_trajectory

TOE = "y1"  # its height over the ground, which is at 0
SPEEDS = (  # the second where the sweep was not timed
    ("points_solution_duration", "Solution duration (SD)"),
    ("points_rhs_evaluations", "Evaluations of $f$ (not timed)"),
)
ACCURACIES = (
    ("points_divergence_time", "Divergence time (DT)"),
    ("points_integral_absolute_error", "Integral of |error| (IAE)"),
)

EXAMPLES = """\
points.png shows, for each tolerance (row) and criterion (column), the points a solver won, summed
over all cells, with a marker for each strategy. Solution duration (SD) is drawn when the sweep was
timed; else the evaluations of f take its place.

trajectory.png shows the toe of one trajectory above the ground, stance in grey, and below its
distance from the reference, then that over the modulus of the reference where this is at least the sweep's
divergence.floor, as in the paper's eq. (32): where it first comes to epsilon the run has diverged, and a vertical
line marks that time. Both files come from `saltus trajectory`, with the same --t-end and --dt.

examples:
  analysis/dallas.py results/dallas2017.h5 -o results
  saltus trajectory --model monopod --solver ode45 --strategy event --rtol 1e-3 --atol 1e-3 \\
      --t-end 50 --dt 0.01 -o results/ode45.h5
  saltus trajectory --model monopod --solver dop853 --strategy event --rtol 1e-13 --atol 1e-13 \\
      --t-end 50 --dt 0.01 -o results/reference.h5
  analysis/dallas.py results/dallas2017.h5 -o results \\
      --trajectory results/ode45.h5 --reference results/reference.h5
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("cube", metavar="CUBE.h5", help="result of `saltus run`")
    parser.add_argument("--trajectory", metavar="FILE.h5", help="a trajectory to be drawn")
    parser.add_argument("--reference", metavar="FILE.h5", help="the expected cube")
    parser.add_argument(
        "--state", metavar="NAME", default=TOE, help="the state drawn (preset: y1, the toe)"
    )
    parser.add_argument(
        "--epsilon", type=float, metavar="E", help="relative error at which the trajectory has diverged (preset: 0.05 for rtol from 1e-3, 0.01 below)"
    )
    parser.add_argument(
        "-o", dest="folder", metavar="DIR", required=True, help="folder for the pictures; FILE.pdf, FILE.svg: FILE-NAME of that kind"
    )
    args = parser.parse_args()
    if (args.trajectory is None) != (args.reference is None):
        parser.error("--trajectory and --reference need each other")
    return args


def criteria(cube):
    """[(title, points)] of the three columns, summed over cells, and how many points are NaN.

    A configuration without any point has no marker; one that lacks some stands too far left.
    """
    timed = cube[SPEEDS[0][0]].notnull().any()
    columns = [SPEEDS[0 if timed else 1], *ACCURACIES]
    for name, _ in columns:
        if not cube[name].notnull().any():
            raise NotOurs(f"{name} is NaN everywhere: the sweep scored nothing")
    unscored = sum(int(cube[name].isnull().sum()) for name, _ in columns)
    return [(title, cube[name].sum("cell", min_count=1)) for name, title in columns], unscored


def draw_panel(axes, points, solvers, strategies, most, style):
    """One solver a row: a marker per strategy, the best ones with their figure."""
    best = float(points.max())
    lift = np.linspace(-0.17, 0.17, len(strategies)) if len(strategies) > 1 else [0]
    for row, solver in enumerate(solvers):
        colour = style.solver_colour(solver)
        values = [float(points.sel(solver=solver, strategy=s)) for s in strategies]
        axes.plot(values, row + lift, color=colour, linewidth=1.5, alpha=0.5)
        for strategy, value, up in zip(strategies, values, lift):
            axes.plot(value, row + up, zorder=3, **style.strategy_marker(strategy, colour))
        if best in values:  # written where there is room
            left = best > 0.6 * most
            axes.annotate(
                f"{best:.1f}",
                (np.nanmin(values) if left else best, row),
                xytext=(-7 if left else 7, 0),
                textcoords="offset points",
                ha="right" if left else "left",
                va="center",
                fontweight="bold",
            )
    axes.set_xlim(0, 1.04 * most)
    axes.set_ylim(len(solvers) - 0.5, -0.5)
    axes.set_yticks(range(len(solvers)), solvers)
    axes.tick_params(axis="y", length=0)


def draw_points(cube, path, style):
    plt = style.plt
    solvers, strategies = cube["solver"].values, cube["strategy"].values
    columns, unscored = criteria(cube)
    cells, n_row = cube.sizes["cell"], cube.sizes["rtol"]
    size = (style.WIDTH, 1.0 + n_row * (0.45 + 0.21 * len(solvers)))
    figure, grid = plt.subplots(
        n_row, len(columns), figsize=size, sharex=True, sharey=True, squeeze=False
    )
    for axes_row, rtol in zip(grid, cube["rtol"].values):
        for axes, (_, points) in zip(axes_row, columns):
            draw_panel(axes, points.sel(rtol=rtol), solvers, strategies, 10 * cells, style)
        axes_row[0].set_ylabel(f"rtol {style.power_of_ten(rtol)}")
    for axes, (title, _) in zip(grid[0], columns):
        axes.set_title(title)
    for axes in grid[-1]:
        axes.set_xlabel("points [1]")
    handles = [
        plt.Line2D([], [], label=f"strategy {name}", **style.strategy_marker(name, "#333333"))
        for name in strategies
    ]
    style.legend_below(figure, handles, len(handles))
    title = f"Points of each solver, summed over {cells} cell{'s' * (cells != 1)} (more is better)"
    if unscored:
        title += f"\n{unscored} points are missing: not scored"
    figure.suptitle(title)
    style.save(figure, path)


def spans(t, closed):
    """Intervals [from, to] of t in which `closed` holds."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], closed.astype(np.int8), [0]))))
    last = len(t) - 1
    return [(t[a], t[min(b, last)]) for a, b in zip(edges[::2], edges[1::2])]


def events(data, state):
    """{name: (times, heights)} in the order of first appearance; empty without events."""
    height = f"event_{state}"
    if not {"event_t", "event_name", height} <= set(data.variables) or not data["event_t"].size:
        return {}
    names = data["event_name"].values
    found = {}
    for name in dict.fromkeys(names):
        there = names == name
        found[name] = (data["event_t"].values[there], data[height].values[there])
    return found


def name_of(data):
    """The solver of a trajectory; "" when its file does not say."""
    return str(data.attrs.get("solver", data.attrs.get("method", "")))


def label_of(data, path):
    """Label of a trajectory, from its attributes, or from the name of its file."""
    words = [word for word in (name_of(data), str(data.attrs.get("strategy", ""))) if word]
    if "rtol" in data.attrs:
        words.append(f"rtol {float(data.attrs['rtol']):g}")
    return ", ".join(words) or os.path.splitext(os.path.basename(path))[0]


def open_pair(args):
    """The trajectory and its reference, on the same times and not the same."""
    ours = open_trajectory(args.trajectory, args.state)
    exact = open_trajectory(args.reference, args.state)
    both = f"{args.trajectory} and {args.reference}"
    t, t_exact = ours["t"].values, exact["t"].values
    if t.shape != t_exact.shape or not np.allclose(t, t_exact, rtol=0, atol=1e-9 * t_exact[-1]):
        raise NotOurs(f"{both} have different times: give both the same --t-end and --dt")
    if not (ours[args.state].values != exact[args.state].values).any():
        raise NotOurs(f"{both} hold the same values: nothing to compare")
    return ours, exact


def unit_of(data):
    """The unit in brackets, [1] for a pure number."""
    return f"[{data.attrs.get('units', '1')}]"


def draw_flights(upper, ours, exact, args, style):
    """The trajectory over its reference, with events; returns handles of a legend."""
    line, t = style.plt.Line2D, exact["t"].values
    colour = style.solver_colour(name_of(ours))
    names = label_of(ours, args.trajectory), label_of(exact, args.reference)
    handles = [
        line([], [], label=f"reference: {names[1]}", **style.REFERENCE_LINE),
        line([], [], color=colour, label=names[0]),
    ]
    if args.state == TOE:
        look = {"color": style.GROUND, "linewidth": 1.6}
        upper.axhline(0, zorder=1, **look)
        handles.append(line([], [], label="ground", **look))
    upper.plot(t, exact[args.state].values, **style.REFERENCE_LINE)
    upper.plot(t, ours[args.state].values, color=colour, zorder=3)
    for marker, (what, (when, height)) in zip("v^sx", events(ours, args.state).items()):
        look = {"marker": marker, "linestyle": "none", "markersize": 4.5, "markeredgewidth": 0.9}
        look |= {"markerfacecolor": "white", "markeredgecolor": colour}
        upper.plot(when, height, zorder=4, **look)
        handles.append(line([], [], label=what, **look))
    return handles


def divergence(t, error, reference, floor, epsilon):
    """(relative error, NaN where the reference is below the floor; the first time at which it comes to epsilon, NaN: never)."""
    size = np.abs(reference)
    relative = np.where((size >= floor) & (size > 0), error / np.where(size > 0, size, 1), np.nan)
    far = np.flatnonzero(relative >= epsilon)
    return relative, t[far[0]] if far.size else np.nan


def draw_relative(axes, ours, exact, error, args, style):
    """The relative error, epsilon, and the time of divergence; returns handles of a legend."""
    t = exact["t"].values
    epsilon = args.epsilon or (0.05 if float(ours.attrs.get("rtol", 1)) >= 1e-3 * (1 - 1e-9) else 0.01)
    relative, when = divergence(t, error, exact[args.state].values, args.floor, epsilon)
    axes.semilogy(t, np.where(relative > 0, relative, np.nan), color=style.solver_colour(name_of(ours)), linewidth=0.9)
    handles = [axes.axhline(epsilon, color="#222222", linestyle="--", linewidth=0.8, label=f"$\\epsilon$ = {epsilon:g}")]
    if np.isfinite(when):
        handles.append(axes.axvline(when, color="#AA3377", linewidth=1.2, label=f"diverged at t = {when:.4g}"))
    axes.set_ylabel("relative error [1]")
    return handles


def draw_trajectory(ours, exact, args, path, style):
    plt, t = style.plt, exact["t"].values
    error = np.abs(ours[args.state].values - exact[args.state].values)
    name, unit = style.symbol(args.state), unit_of(ours[args.state])
    figure, (upper, lower, last) = plt.subplots(
        3, 1, figsize=(style.WIDTH, 6.2), sharex=True, height_ratios=(3, 2, 2)
    )
    handles = draw_flights(upper, ours, exact, args, style)
    stance = spans(t, exact["mode"].values > 0) if "mode" in exact else []
    for axes in (upper, lower, last):
        for begin, end in stance:
            axes.axvspan(begin, end, color=style.STANCE, linewidth=0, zorder=0)
        axes.grid(axis="x", visible=False)
    if stance:
        grey = plt.Rectangle((0, 0), 1, 1, color=style.STANCE, label="stance of the reference")
        handles.append(grey)
    colour = style.solver_colour(name_of(ours))
    lower.semilogy(t, np.where(error > 0, error, np.nan), color=colour, linewidth=0.9)
    upper.set_ylabel(f"{name} {unit}")
    lower.set_ylabel(f"|error of {name}| {unit}")
    handles += draw_relative(last, ours, exact, error, args, style)
    last.set_xlabel(f"time $t$ {unit_of(ours['t'])}")
    lower.set_xlim(t[0], t[-1])
    style.legend_below(figure, handles, 3)
    what = ours[args.state].attrs.get("long_name", f"state {args.state}")
    figure.suptitle(f"{what[:1].upper()}{what[1:]}, and its distance from the reference")
    style.save(figure, path)


def work(args):
    cube = open_cube(args.cube, *(name for name, _ in (*SPEEDS, *ACCURACIES)))
    args.floor = float(cube.attrs.get("floor", 0.05))
    pair = open_pair(args) if args.trajectory is not None else None
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    paths = [written.place(args.folder, "points")]
    draw_points(cube, paths[0], style)
    if pair is not None:
        paths.append(written.place(args.folder, "trajectory"))
        draw_trajectory(*pair, args, paths[1], style)
    print("\n".join(paths))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
