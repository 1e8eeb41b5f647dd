"""How pictures of saltus look: the same colour for a solver and the same marker for a strategy
everywhere, legible in print and with any kind of colour vision."""

import contextlib
import re
import sys

import matplotlib
import matplotlib.text

import colours
import written

if "matplotlib.pyplot" not in sys.modules:
    matplotlib.use("Agg")  # files only, no screen
import matplotlib.pyplot as plt  # noqa: E402

SOLVER = {name: on_white for name, (on_white, _) in colours.SOLVER.items()}

# Colour (Paul Tol's "vibrant" scheme), marker, and whether that is filled.
STRATEGY = {
    "switch": ("#EE7733", "o", True),
    "event": ("#0077BB", "D", False),
    "ess": ("#EE3377", "^", True),
    "ess2": ("#009988", "*", True),
    "ess-listing1": ("#888888", "v", False),
}
OTHER_STRATEGY = ("#777777", "s", False)
SIZE = {"D": 0.85, "*": 1.5}  # of markers that look larger or smaller than they are

STANCE = "#E4E4E4"
GROUND = "#555555"
ALONE, TOTAL = "#332288", "#B8B2DD"  # of sensitivities, one shade of one colour
REFERENCE = "#BBBBBB"  # of no solver
REFERENCE_LINE = {"color": REFERENCE, "linewidth": 3.2, "zorder": 1}

# Mathematics of pictures: numbers of axes, letters, symbols of quantities.
_POWER = r"[-−\d.]*(?:\\(?:times|cdot))?10\^(?:\{[-−\d.]+\}|\d)"
OURS = re.compile(rf"\$(?:{_POWER}|\\mathdefault\{{(?:{_POWER}|[-−\d.]+)\}}"
                  r"|(?:\\varepsilon|[A-Za-z]+|\\mathrm\{(?:\w|\\_)+\})(?:_\{(?:\w|\\_)+\})?(?:\(0\))?)\$")
UNESCAPED = re.compile(r"(?<!\\)\$")

WIDTH = 7.1  # inches: the text width of a page
MOST_COLUMNS = 7  # of a legend with short words


def solver_colour(name):
    return colours.of_solver(name)[0]


OWN_LINES = (((0, (5, 1.2)), "s"), ((0, (1.5, 1)), "^"), ((0, (5, 1, 1, 1)), "p"), ((0, (3, 1, 1, 1, 1, 1)), "v"))


def solver_line(name):
    """Keyword arguments of Axes.plot where panels divide the strategies: solvers of the user have dashes and markers of their own."""
    own = colours.number_of_own(name)
    return {"linestyle": "solid"} if own is None else dict(zip(("linestyle", "marker"), OWN_LINES[own % len(OWN_LINES)]))


def strategy_marker(name, colour, size=6.0):
    """Keyword arguments of Axes.plot for the marker of a strategy in the colour of a solver."""
    _, marker, filled = STRATEGY.get(name, OTHER_STRATEGY)
    return {
        "marker": marker,
        "markersize": size * SIZE.get(marker, 1),
        "markerfacecolor": colour if filled else "white",
        "markeredgecolor": colour,
        "markeredgewidth": 1.4,
        "linestyle": "none",
    }


def strategy_colour(name):
    return STRATEGY.get(name, OTHER_STRATEGY)[0]


def use():
    """Sets the defaults of every figure."""
    plt.rcParams.update(
        {
            "font.size": 8.5,
            "axes.titlesize": 9.5,
            "axes.labelsize": 8.5,
            "xtick.labelsize": 8,
            "ytick.labelsize": 8,
            "legend.fontsize": 8,
            "figure.titlesize": 11,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": "#E0E0E0",
            "grid.linewidth": 0.6,
            "lines.linewidth": 1.2,
            "legend.frameon": False,
            "figure.constrained_layout.use": True,
            "savefig.dpi": 200,
        }
    )


_kept = []  # lists that take figures in place of files, the innermost last


def words(text):
    """Text of which nothing but what is written here, and by matplotlib's axes, is drawn as mathematics: words of a file are none."""
    return UNESCAPED.sub(r"\\$", text) if UNESCAPED.search(OURS.sub("", text)) else text


def texts(artist):
    """The texts of an artist, but for those of ticks: to list ticks makes them all, the minor ones that no picture shows as well."""
    if isinstance(artist, matplotlib.text.Text):
        yield artist
    for child in (artist.label, artist.offsetText) if isinstance(artist, matplotlib.axis.Axis) else artist.get_children():
        yield from texts(child)


def take_words(figure):
    """All texts of a figure, so; those of ticks with names are made when they are drawn."""
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        for of in (axis.get_major_formatter(), axis.get_minor_formatter()):
            of.format_ticks = lambda values, made=of.format_ticks: [words(text) for text in made(values)]
    for text in texts(figure):
        text.set_text(words(text.get_text()))


def save(figure, path):
    """Writes a figure to its file, or hands it to the block of `kept` that it is drawn in."""
    take_words(figure)
    if _kept:
        _kept[-1].append(figure)
    else:
        written.figure(figure, path)
    plt.close(figure)


@contextlib.contextmanager
def kept():
    """A list of the figures that are drawn in the block, with the look of saltus; that of other figures stays."""
    with matplotlib.rc_context():
        use()
        _kept.append([])
        try:
            yield _kept[-1]
        finally:
            _kept.pop()


def power_of_ten(value):
    """1e-3 as 10 to the -3 where it is one, else as %g."""
    mantissa, exponent = f"{value:.3e}".split("e")
    if float(mantissa) == 1.0:
        return rf"$10^{{{int(exponent)}}}$"
    return f"{value:g}"


def symbol(state):
    """y1 as it stands in an equation."""
    match = re.fullmatch(r"([A-Za-z]+?)_?(\d+)", state)
    return f"${match[1]}_{{{match[2]}}}$" if match else f"${state}$" if state.isalpha() else state


def legend_below(figure, handles, columns, foot=""):
    """A legend under all axes, in a strip of its own, a line of small print below; fewer columns where the page is too narrow."""
    lines = -(-len(handles) // min(columns, MOST_COLUMNS))
    columns = -(-len(handles) // lines)
    small = 0.15 * len(foot.splitlines()) / figure.get_figheight()
    strip = small + (0.12 + 0.17 * lines) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
    figure.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, small), ncol=columns)
    figure.text(0.5, small / 3, foot, fontsize=6.5, color=GROUND, ha="center", va="bottom")
