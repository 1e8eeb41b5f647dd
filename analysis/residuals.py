#!/usr/bin/python3
"""Draws trajectories of `saltus trajectory` over their reference, and what each leaves of it."""


import numpy as np

import written
from command_line import Parser, run
from cube import NotOurs, open_trajectory
from dallas import label_of, spans, unit_of

DEPTH = 1e-9  # of the largest distance: below is what rounding leaves

EXAMPLES = """\
residuals.png is Figure 4 of Anderson and Revzen, A Rapid Integrator for a Class of Multi-Contact
Systems: a column for each state, above the trajectories, below the distance of each from the
reference. Grey: a contact is closed. All files need the same --t-end and --dt. The largest distances
are printed.

example:
  saltus trajectory -m hopper1d --t-end 2 --dt 0.002 -M dop853 -S event --rtol 1e-13 -o exact.h5
  saltus trajectory -m hopper1d --t-end 2 --dt 0.002 -S ess --zone 0.13 --zone-in-gap -o ess.h5
  saltus trajectory -m hopper1d --t-end 2 --dt 0.002 -S ess2 -o ess2.h5
  analysis/residuals.py exact.h5 ess.h5 ess2.h5 --states z v -o results
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("reference", metavar="REFERENCE.h5", help="the expected cube")
    parser.add_argument("runs", metavar="RUN.h5", nargs="+", help="trajectories, by strategy")
    parser.add_argument(
        "--states", metavar="NAME", nargs="+", required=True, help="states drawn, a column each"
    )
    parser.add_argument(
        "-o", dest="folder", metavar="DIR", required=True, help="folder for the picture, or FILE.png, FILE.pdf, FILE.svg"
    )
    return parser.parse_args()


def open_all(args):
    """The reference and the runs, all of them on the same times and with the states asked for."""
    for state in args.states:
        opened = [open_trajectory(path, state) for path in (args.reference, *args.runs)]
    exact, runs = opened[0], opened[1:]
    t = exact["t"].values
    for one, path in zip(runs, args.runs):
        there = one["t"].values
        if there.shape != t.shape or not np.allclose(there, t, rtol=0, atol=1e-9 * t[-1]):
            raise NotOurs(
                f"{path} and {args.reference} have different times: "
                "give both the same --t-end and --dt"
            )
        if all((one[state].values == exact[state].values).all() for state in args.states):
            raise NotOurs(f"{path} and {args.reference} hold the same values: nothing to compare")
    return exact, runs


def draw_state(upper, lower, state, exact, runs, style):
    t, truth = exact["t"].values, exact[state].values
    for axes in (upper, lower):
        for begin, end in spans(t, exact["mode"].values > 0) if "mode" in exact else []:
            axes.axvspan(begin, end, color=style.STANCE, linewidth=0, zorder=0)
        axes.grid(axis="x", visible=False)
    upper.plot(t, truth, **style.REFERENCE_LINE)
    for one in runs:
        colour = style.strategy_colour(str(one.attrs.get("strategy", "")))
        error = np.abs(one[state].values - truth)
        upper.plot(t, one[state].values, color=colour, linewidth=1.0, zorder=2)
        lower.semilogy(t, np.where(error > 0, error, np.nan), color=colour, linewidth=0.9)
    what, unit = style.symbol(state), unit_of(exact[state])
    upper.set_ylabel(f"{exact[state].attrs.get('long_name', 'state')} {what} {unit}")
    lower.set_ylabel(f"distance |Δ{what}| {unit}")
    top = max(np.abs(one[state].values - truth).max() for one in runs)
    lower.set_ylim(bottom=max(lower.get_ylim()[0], DEPTH * top))
    lower.set_xlabel(f"time $t$ {unit_of(exact['t'])}")
    lower.set_xlim(t[0], t[-1])


def draw(exact, runs, labels, states, path, style):
    plt = style.plt
    figure, grid = plt.subplots(
        2, len(states), figsize=(style.WIDTH, 5.4), sharex=True, squeeze=False
    )
    for (upper, lower), state in zip(grid.T, states):
        draw_state(upper, lower, state, exact, runs, style)
    handles = [plt.Line2D([], [], label=labels[0], **style.REFERENCE_LINE)]
    for one, label in zip(runs, labels[1:]):
        colour = style.strategy_colour(str(one.attrs.get("strategy", "")))
        handles.append(plt.Line2D([], [], color=colour, label=label))
    if "mode" in exact and (exact["mode"].values > 0).any():
        handles.append(plt.Rectangle((0, 0), 1, 1, color=style.STANCE, label="contact closed"))
    style.legend_below(figure, handles, 3)
    figure.suptitle("Trajectories, and their distance from the reference")
    style.save(figure, path)


def work(args):
    exact, opened = open_all(args)
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    path = written.place(args.folder, "residuals", alone=True)
    names = [label_of(*pair) for pair in zip((exact, *opened), (args.reference, *args.runs))]
    names[0] = f"reference: {names[0]}"
    draw(exact, opened, names, args.states, path, style)
    for one, name in zip(opened, names[1:]):
        most = [float(np.abs(one[s].values - exact[s].values).max()) for s in args.states]
        print(f"{name:<32}" + "  ".join(f"|d{s}| <= {m:.3g}" for s, m in zip(args.states, most)))
    print("\n" + path)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
