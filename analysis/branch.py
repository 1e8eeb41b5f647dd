#!/usr/bin/python3
"""Draws branches of periodic orbits (saltus continue), and an orbit with its jumps (saltus orbit)."""

import os

import numpy as np

import branch_page
import written
from command_line import Parser, run
from trajectory import pairs
from cube import NotOurs, open_group
from dallas import unit_of

EXAMPLES = """\
A branch: times in the open and the closed phase, period, multiplier and apexes against the parameter and
against the time for which the first contact is open; solid where the orbit is stable, dashed where not;
special points are marked and named.  A curve in two parameters is drawn in their plane.
With -o FILE.html a branch is a page in which points are chosen: multipliers and phase portrait of each.
An orbit: phase portrait of each position with its velocity, jumps dotted, and the states and energies in time.

example:
  saltus continue --model hopping-leg --param mu=0.8,dG=-80,L0=0 --initial zU=0.1 --in dG -o leg.h5
  analysis/branch.py leg.h5 -o results
  analysis/branch.py leg.h5 -o leg.html
  saltus orbit --model hopping-leg --param mu=0.8,dG=-80,L0=0 --initial zU=0.1 -o orbit.h5
  analysis/branch.py orbit.h5 -o results
"""

# Marker and colour (Paul Tol's "bright" scheme) of the special points.
SPECIAL = {
    "LP": ("o", "#EE6677"),
    "BP": ("X", "#BBBBBB"),
    "PD": ("D", "#4477AA"),
    "TR": ("h", "#AA3377"),
    "GR": ("^", "#66CCEE"),
    "AD": ("s", "#CCBB44"),
    "SP": ("v", "#228833"),
    "CP": ("*", "#000000"),
    "MX": ("x", "#000000"),
}
WORDS = {  # of the letters, in legends
    "LP": "fold", "BP": "branch point", "PD": "period doubling", "TR": "torus", "GR": "grazing", "AD": "a force changes sign",
    "SP": "a phase of no length", "CP": "cusp", "MX": "no convergence",
}
BRANCH, ORBIT = "saltus branch", "saltus trajectory"  # the content of a file, by its attribute
WIDE = 30  # a ratio of values for which an axis becomes logarithmic
LINE = "#222222"
LOOK = {True: {"linestyle": "-", "linewidth": 1.6}, False: {"linestyle": (0, (4, 2)), "linewidth": 1.0}}
NEUTRAL = ("LP", "PD", "TR", "BP", "CP")  # of neither kind: both lines end there


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("files", metavar="FILE.h5", nargs="+", help="branches that belong together, or one orbit")
    add("-o", dest="folder", metavar="DIR", required=True, help="folder for the picture, or FILE.png, FILE.pdf, FILE.svg; FILE.html: a page of branches")
    add("--orbits", type=int, default=branch_page.ORBITS, metavar="N",
        help=f"of a page: points whose orbits are computed ({branch_page.ORBITS}), special ones first")
    return parser.parse_args()


# ---- branches ----


def open_branch(path):
    data = open_group(path)
    if data.attrs.get("content") != BRANCH:
        raise NotOurs(f"{path}: no branch of saltus (saltus continue writes them)")
    return data


def free_parameters(branch):
    return str(branch.attrs["free_parameters"]).split(",")


def contact(branch):
    """Name of the closing of the first contact, and the time for which the contact is open."""
    first = str(branch.attrs["first_contact"])
    return (first, branch[str(branch.attrs.get("first_open", "open_" + first))]) if first else (None, None)


def stability(branch):
    """For each piece from a point to the next: is the orbit stable along it?  The point that is
    not a border decides."""
    stable = branch["stable"].values.astype(bool)
    neutral = np.isin(branch["type_name"].values, NEUTRAL)
    return np.where(neutral[:-1], stable[1:], stable[:-1])


def runs(flags):
    """First and last piece of each run of equal flags, and the flag."""
    edges = np.flatnonzero(np.diff(flags.astype(int))) + 1
    for first, last in zip([0, *edges], [*edges, flags.size]):
        if last > first:
            yield first, last, bool(flags[first])


def varies(values):
    return np.ptp(values) > 1e-6 * np.abs(values).max()


def quantities(branch):
    """Rows of the diagram: name of the axis, and the lines with their labels."""
    first, opened = contact(branch)
    times = {"period": branch["period"].values}
    if first:
        times |= {"open": opened.values}
        times |= {"closed": times["period"] - times["open"]}
    size = np.hypot(branch["multiplier_re"].values, branch["multiplier_im"].values)
    lead = np.where(
        branch["multiplier_im"].values[:, 0] == 0, branch["multiplier_re"].values[:, 0], size[:, 0]
    )
    apexes = [str(n) for n in branch.data_vars if str(n).startswith("apex_")]
    positions = [n for n in apexes if not n.startswith("apex_v")] or apexes
    rows = {"times": times, "multiplier": {"multiplier": lead}}
    if any(varies(branch[n].values) for n in positions):
        rows["apex"] = {n.removeprefix("apex_"): branch[n].values for n in positions}
    else:  # as between walls
        rows["at the section"] = {n: branch[n].values for n in (n.removeprefix("apex_") for n in positions)}
    if "impact_loss" in branch:
        rows["share of energy lost"] = {"impact": branch["impact_loss"].values}
    return rows


def draw_line(axes, x, y, flags, colour):
    for first, last, stable in runs(flags):
        axes.plot(x[first : last + 1], y[first : last + 1], color=colour, **LOOK[stable])


def has_name(branch, i):
    """Is the last point of a branch, where it could not be followed any farther, that of a grazing or the like, too?"""
    kinds, arc = branch["type_name"].values, branch["arclength"].values
    return any(kinds[k] in SPECIAL and arc[k] == arc[i] for k in (i - 1, i + 1) if 0 <= k < len(kinds))


def mark_special(axes, branch, x, y, names):
    for kind in np.unique(branch["type_name"].values):
        if kind not in SPECIAL:
            continue
        at = [i for i in np.flatnonzero(branch["type_name"].values == kind) if kind != "MX" or not has_name(branch, i)]
        marker, colour = SPECIAL[kind]
        axes.plot(x[at], y[at], marker, color=colour, markersize=4.5, zorder=4)
        for i in at if names else ():
            text = f"{kind}{int(branch['label'].values[i])}"
            axes.annotate(text, (x[i], y[i]), (3, 3), textcoords="offset points", fontsize=6)


def colours(style, n):
    return [style.plt.get_cmap("viridis")(0.85 * i / max(n - 1, 1)) for i in range(n)]


def abscissas(branch):
    """The axes along which a branch is drawn: the parameter, and the time the first contact is open."""
    (name,), (first, opened) = free_parameters(branch), contact(branch)
    found = [(f"{name} {unit_of(branch[name])}", branch[name].values)]
    return found + ([(f"open until {first} {unit_of(opened)}", opened.values)] if first and varies(opened.values) else [])


def draw_branches(branches, path, style):
    rows, columns = list(quantities(branches[0])), len(abscissas(branches[0]))
    size = (style.WIDTH, 1.0 + 2.0 * len(rows))
    figure, grid = style.plt.subplots(len(rows), columns, figsize=size, sharex="col", squeeze=False)
    for branch in branches:
        flags = stability(branch)
        for line, row in zip(grid, rows):
            values = quantities(branch)[row]
            for axes, (_, x) in zip(line, abscissas(branch)):
                for colour, y in zip(colours(style, len(values)), values.values()):
                    draw_line(axes, x, y, flags, colour if len(values) > 1 else LINE)
                mark_special(axes, branch, x, next(iter(values.values())), names=row == "multiplier")
    for line, row in zip(grid, rows):
        line[0].set_ylabel(row)
        for axes in line if is_wide(list(quantities(branches[0])[row].values())) else ():
            axes.set_yscale("log")
        names = list(quantities(branches[0])[row])
        for colour, name in zip(colours(style, len(names)), names) if len(names) > 1 else ():
            line[-1].plot([], [], color=colour, label=name)
        if len(names) > 1:
            line[-1].legend(loc="best")
        if row == "multiplier":
            for axes in line:
                axes.axhline(1, color=style.GROUND, linewidth=0.6)
    for axes, (label, x) in zip(grid[-1], abscissas(branches[0])):
        axes.set_xlabel(label)
        if is_wide([x]):
            axes.set_xscale("log")
    finish(figure, branches, both_lines(style), path, style)


def is_wide(lines):
    """Do values above 0 span so much that only a logarithmic axis shows them all?"""
    values = np.concatenate(lines)
    return values.min() > 0 and values.max() > WIDE * values.min()


def both_lines(style):
    line = style.plt.Line2D
    return [
        line([], [], color=LINE, label=word, **LOOK[flag]) for flag, word in ((True, "stable"), (False, "unstable"))
    ]


def finish(figure, branches, handles, path, style):
    line = style.plt.Line2D
    there = {kind for b in branches for kind in b["type_name"].values}
    for kind, (marker, colour) in SPECIAL.items():
        if kind in there:
            handles.append(line([], [], color=colour, marker=marker, linestyle="none", label=f"{kind}: {WORDS[kind]}"))
    if handles:
        style.legend_below(figure, handles, 4)
    figure.suptitle(str(branches[0].attrs["title"]))
    style.save(figure, path)


def draw_curves(curves, path, style):
    """Curves of special points in the plane of two parameters."""
    first, second = free_parameters(curves[0])
    figure, axes = style.plt.subplots(figsize=(style.WIDTH, 4.2))
    for curve in curves:
        x, y = curve[first].values, curve[second].values
        axes.plot(x, y, color=SPECIAL.get(str(curve.attrs["curve"]).upper(), ("", LINE))[1])
        mark_special(axes, curve, x, y, names=True)
    axes.set_xlabel(f"{first} {unit_of(curves[0][first])}")
    axes.set_ylabel(f"{second} {unit_of(curves[0][second])}")
    finish(figure, curves, [], path, style)


def opened(args):
    branches = [open_branch(path) for path in args.files]
    if len({tuple(free_parameters(b)) for b in branches}) > 1:
        raise NotOurs("branches along different parameters make no diagram")
    return branches


def diagram(args):
    branches = opened(args)
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    draw = draw_branches if len(free_parameters(branches[0])) == 1 else draw_curves
    draw(branches, target(args, "branch"), style)


# ---- orbits ----


def states_of(orbit):
    return [str(n) for n in orbit.data_vars if orbit[n].dims == ("t",) and n != "mode"]


def phases(orbit):
    """Pieces of the trajectory between events: indices of their first and last point."""
    edges = np.searchsorted(orbit["t"].values, orbit["event_t"].values, side="left")
    edges = [0, *[int(e) for e in edges if 0 < e < orbit["t"].size], orbit["t"].size]
    return [(a, b) for a, b in zip(edges, edges[1:]) if b > a]


def hopping_leg_energies(orbit):
    """Kinetic energy of both masses, of the foot alone, that of gravity, of the spring, and their sum."""
    p = {n: float(orbit[n]) for n in ("m", "mu", "k", "g", "L0")}
    upper, lower = p["mu"] * p["m"], (1 - p["mu"]) * p["m"]
    z, v, foot, fall = (orbit[n].values for n in ("zU", "vU", "zL", "vL"))
    parts = {
        "kinetic": upper * v**2 / 2 + lower * fall**2 / 2,
        "kinetic, foot": lower * fall**2 / 2,
        "gravity": p["g"] * (upper * z + lower * foot),
        "spring": p["k"] * (z - foot - p["L0"]) ** 2 / 2,
    }
    return parts | {"all": parts["kinetic"] + parts["gravity"] + parts["spring"]}


ENERGIES = {"hopping-leg": hopping_leg_energies}


def draw_portrait(axes, orbit, position, velocity):
    x, y = orbit[position].values, orbit[velocity].values
    for first, last in phases(orbit):
        axes.plot(x[first:last], y[first:last], color=LINE)
    for i, t in enumerate(orbit["event_t"].values):
        before = max(np.searchsorted(orbit["t"].values, t, side="left") - 1, 0)
        behind = (float(orbit["event_" + position][i]), float(orbit["event_" + velocity][i]))
        axes.plot([x[before], behind[0]], [y[before], behind[1]], ":", color=SPECIAL["LP"][1])
        axes.plot(*behind, "o", color=SPECIAL["LP"][1], markersize=3)
        axes.annotate(str(orbit["event_name"].values[i]), behind, (4, 4 if i % 2 == 0 else -9), textcoords="offset points", fontsize=6)
    axes.set_xlabel(f"{position} {unit_of(orbit[position])}")
    axes.set_ylabel(f"{velocity} {unit_of(orbit[velocity])}")


def draw_histories(axes, orbit, lines, style):
    t = orbit["t"].values
    for colour, (name, y) in zip(colours(style, len(lines)), lines.items()):
        for n, (first, last) in enumerate(phases(orbit)):
            axes.plot(t[first:last], y[first:last], color=colour, label=name if n == 0 else None)
    for at in orbit["event_t"].values:
        axes.axvline(at, color=style.GROUND, linewidth=0.6)
    axes.legend(loc="best")


def draw_orbit(orbit, portraits, path, style):
    energies = ENERGIES.get(str(orbit.attrs["model"]))
    rows = 2 + (energies is not None)
    figure = style.plt.figure(figsize=(style.WIDTH, 1.0 + 2.3 * rows))
    grid = figure.add_gridspec(rows, len(portraits))
    for i, (position, velocity) in enumerate(portraits):
        draw_portrait(figure.add_subplot(grid[0, i]), orbit, position, velocity)
    below = figure.add_subplot(grid[1, :])
    draw_histories(below, orbit, {p: orbit[p].values for p, _ in portraits}, style)
    below.set_ylabel(f"positions {unit_of(orbit[portraits[0][0]])}")
    if energies:
        below = figure.add_subplot(grid[2, :])
        draw_histories(below, orbit, energies(orbit), style)
        below.set_ylabel("energy")
    below.set_xlabel(f"time $t$ {unit_of(orbit['t'])}")
    figure.suptitle(str(orbit.attrs["title"]))
    style.save(figure, path)


def orbit_picture(args):
    path = args.files[0]
    if len(args.files) > 1:
        raise NotOurs(f"{path}: one orbit at a time")
    orbit = open_group(path)
    portraits = pairs(states_of(orbit))
    if not portraits:
        raise NotOurs(f"{path}: no position with its velocity among {', '.join(states_of(orbit))}")
    import style  # after the checks: loading matplotlib takes a second

    style.use()
    draw_orbit(orbit, portraits, target(args, "orbit"), style)


def web_page(args):
    if args.orbits < 0:
        raise NotOurs(f"--orbits: {args.orbits} is not allowed; allowed: 0 or more")
    text = branch_page.html_of(opened(args), stability, WORDS, args.orbits)
    os.makedirs(os.path.dirname(args.folder) or ".", exist_ok=True)
    written.text(args.folder, text)
    print(args.folder)


def target(args, kind):
    stem = os.path.splitext(os.path.basename(args.files[0]))[0]
    path = written.place(args.folder, f"{kind}-{stem}", alone=True)
    print(path)
    return path


def work(args):
    kind = {BRANCH: diagram, ORBIT: orbit_picture}.get(open_group(args.files[0]).attrs.get("content"))
    if not kind:
        raise NotOurs(f"{args.files[0]}: neither a branch (saltus continue) nor an orbit (saltus orbit)")
    if args.folder.endswith(".html"):
        if kind is orbit_picture:
            raise NotOurs(f"{args.files[0]}: an orbit; analysis/motion.py makes the page of one")
        kind = web_page
    kind(args)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
