#!/usr/bin/python3
"""Draws the order of projection, error against the width of the zone, from a curve of
`saltus calibrate-eps`."""


import numpy as np
import pandas as pd

import written
from command_line import Parser, run
from contacts_data import line
from cube import NotOurs

NEEDED = ("strategy", "solver", "parameter", "value", "rms", "ended_early")
LEAST_R2 = 0.95
SHADES = ("#E4E4E4", "#F2F2F2")

EXAMPLES = """\
order_test.png is Figure 3 of Anderson and Revzen, A Rapid Integrator for a Class of Multi-Contact
Systems, over eps itself: error of the piecewise affine test system, with lines of slope 2 and 3. The
slope of log error against log eps is printed and written to order_test.csv, in two intervals: small
eps, where the order shows, and large ones, the paper's. None is given where R^2 is below 0.95: the
steps of ess-listing1 leap over a narrow zone. The zone is one in units of the gap (--zone-in-gap), so
that the steps of ess and ess2 are cut where it begins.

example:
  saltus calibrate-eps --model affine3 --t-end 0.5 --state all --zone-in-gap --rtol 1e-12 \\
      --curve --points 41 --eps-min 1e-5 --eps-max 0.14 --csv results/order.csv
  analysis/order_test.py results/order.csv -o results
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("curve", metavar="CURVE.csv", help="from calibrate-eps --curve --csv")
    parser.add_argument(
        "-o", dest="folder", metavar="DIR", required=True, help="folder for the picture, or FILE.png, FILE.pdf, FILE.svg"
    )
    parser.add_argument(
        "--fit",
        metavar=("LO", "HI"),
        nargs=2,
        type=float,
        action="append",
        help="where slopes are taken; may be given again (1e-4 1e-2 and 1e-2 1e-1)",
    )
    args = parser.parse_args()
    args.fit = args.fit or [[1e-4, 1e-2], [1e-2, 1e-1]]
    for low, high in args.fit:
        if not 0 < low < high:
            parser.error(f"--fit {low:g} {high:g}: LO must be above 0 and below HI")
    return args


def read_curve(path):
    """Runs of the strategies that have a zone, those to the end only."""
    try:
        rows = pd.read_csv(path)
    except FileNotFoundError:
        raise NotOurs(f"{path}: no such file") from None
    except (ValueError, UnicodeError) as why:  # pandas' parser raises kinds of ValueError
        raise NotOurs(f"{path}: cannot be read as CSV ({str(why).splitlines()[0]})") from None
    missing = [name for name in NEEDED if name not in rows]
    if missing:
        raise NotOurs(f"{path}: no curve of calibrate-eps (no column {', '.join(missing)})")
    rows = rows[(rows["parameter"] == "eps") & (rows["ended_early"] == 0) & (rows["rms"] > 0)]
    if rows.empty:
        raise NotOurs(f"{path}: no strategy of the curve has an eps")
    return rows.sort_values("value")


def slope_of(one, low, high):
    """(points, slope, R^2) over low <= eps <= high; NaN with fewer than three points there."""
    near = 1 + 1e-9  # the ends of the grid are not exact
    inside = one[(one["value"] >= low / near) & (one["value"] <= high * near)]
    if len(inside) < 3:
        return len(inside), np.nan, np.nan
    slope, r2 = line(np.log(inside["value"].values), np.log(inside["rms"].values))
    return len(inside), float(slope), float(r2)


def slopes(rows, fits):
    """Order of each strategy over each interval; no slope where no line fits."""
    found = []
    for strategy, one in rows.groupby("strategy", sort=False):
        for low, high in fits:
            points, slope, r2 = slope_of(one, low, high)
            slope = slope if r2 >= LEAST_R2 else np.nan
            words = {"strategy": strategy, "solver": one["solver"].iloc[0], "low": low, "high": high}
            found.append(words | {"points": points, "slope": slope, "r2": r2})
    return pd.DataFrame(found)


def text_of(slope):
    return f"{slope:.2f}" if np.isfinite(slope) else "none"


def guide(axes, rows, strategy, order, low, style):
    """A line of this slope beside the points of a strategy, half a decade below them."""
    one = rows[rows["strategy"] == strategy]
    eps = np.array([max(low, one["value"].min()), one["value"].max()])
    inside = one[one["value"] >= eps[0]]
    factor = 0.3 * np.min(inside["rms"] / inside["value"] ** order)
    axes.plot(eps, factor * eps**order, color=style.GROUND, linewidth=1.0, zorder=1)
    where = np.sqrt(eps[0] * eps[1])
    look = {"textcoords": "offset points", "ha": "left", "va": "top", "color": style.GROUND}
    axes.annotate(f"slope {order}", (where, factor * where**order), xytext=(6, -2), **look)


def draw(rows, table, fits, path, style):
    plt = style.plt
    figure, axes = plt.subplots(figsize=(style.WIDTH, 4.4))
    shades = [SHADES[i % len(SHADES)] for i in range(len(fits))]
    for fit, shade in zip(fits, shades):
        axes.axvspan(*fit, color=shade, linewidth=0, zorder=0)
    for strategy, of in table.groupby("strategy", sort=False):
        one = rows[rows["strategy"] == strategy]
        colour = style.strategy_colour(strategy)
        look = style.strategy_marker(strategy, colour, 4.5) | {"linestyle": "solid"}
        label = f"{strategy}: slope {', '.join(map(text_of, of['slope']))}"
        axes.plot(one["value"], one["rms"], color=colour, label=label, zorder=2, **look)
    axes.set(xscale="log", yscale="log")
    bottom, top = axes.get_ylim()
    for strategy, order in (("ess", 2), ("ess2", 3)):
        if strategy in set(rows["strategy"]):
            guide(axes, rows, strategy, order, fits[0][0], style)
    axes.set_ylim(bottom, top)
    axes.set_xlabel(r"half-width $\varepsilon$ of the zone [1]")
    axes.set_ylabel("RMS error [1]")
    handles, _ = axes.get_legend_handles_labels()
    for (low, high), shade in zip(fits, shades):
        label = rf"slopes over {style.power_of_ten(low)} ... {style.power_of_ten(high)}"
        handles.append(plt.Rectangle((0, 0), 1, 1, color=shade, label=label))
    style.legend_below(figure, handles, 3)
    solvers = ", ".join(dict.fromkeys(rows["solver"]))
    figure.suptitle(f"Order of projection, {solvers}")
    style.save(figure, path)


def work(args):
    rows = read_curve(args.curve)
    table = slopes(rows, args.fit)
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    paths = [written.place(args.folder, "order_test", kind, alone=True) for kind in (".png", ".csv")]
    draw(rows, table, args.fit, paths[0], style)
    with written.beside(paths[1]) as part:
        table.to_csv(part, index=False)
    print("slope of log RMS against log eps")
    for row in table.to_dict("records"):
        where = f"over {row['low']:g} .. {row['high']:g}"
        print(f"{row['strategy']:<13} {where:<18} {text_of(row['slope']):>5}", end="")
        print(f"   R^2 {row['r2']:.5f}   {row['points']} points")
    print("\n" + "\n".join(paths))


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
