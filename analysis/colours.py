"""One colour for a solver and one mark for a strategy, in pictures and on pages, light and dark.

Every colour has a contrast of at least 3 with what it is drawn on (WCAG 2.1, 1.4.11), and any two
stay apart in normal vision and in each kind of dichromacy; tests/analysis/test_colours.py measures
both. Cold colours are explicit methods, warm ones implicit ones.
"""

PAPER = {"light": "#FFFFFF", "dark": "#181C20"}
SOLVER = {  # on white, on dark
    "ode23": ("#8361C4", "#BBADFF"),
    "ode45": ("#312E97", "#7772D6"),
    "ode113": ("#10A37E", "#3FD4B8"),
    "ode15s": ("#84086B", "#C14A72"),
    "ode23s": ("#BE5204", "#FEA384"),
    "ode23t": ("#943D93", "#C67EF2"),
    "ode23tb": ("#B08A27", "#ECCB50"),
    "rosnys4": ("#257158", "#32A13D"),
    "rosnysw2": ("#525200", "#BFB51A"),
    "dop853": ("#23212E", "#F2F2F3"),
    "tsit5": ("#8189C4", "#74B1C6"),
    "radau5": ("#5F260A", "#F6685D"),
}
OWN = (("#558189", "#8E9592"), ("#D83CFC", "#6C6C00"), ("#000000", "#B4D8FC"), ("#6C0CE4", "#9024FC"))  # of solvers that a user brings, in turn

# Markers of strategies: shape, whether it is filled, dashes of a line.
MARKS = {
    "switch": ("circle", True, ""),
    "event": ("diamond", False, "7 3"),
    "ess": ("triangle", True, "2 3"),
    "ess2": ("square", False, "9 3 2 3"),
}
OTHER_MARK = ("cross", False, "1 3")


_own = {}  # {NAME: its number} of the solvers that are not ours


def number_of_own(name):
    """Which of the solvers of the user it is, from 0; None: one of ours."""
    return None if name in SOLVER else _own.setdefault(name, len(_own))


def of_solver(name):
    """(on white, on dark); a solver of the user's keeps what it got first."""
    own = number_of_own(name)
    return SOLVER[name] if own is None else OWN[own % len(OWN)]
