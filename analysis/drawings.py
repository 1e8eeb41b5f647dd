"""The table of drawings: an entry for each model, by its name; NAME-text is drawn as NAME."""

import numpy as np

import drawing_bodies
from cube import NotOurs
from drawing import Bed, Box, Disc, Follow, Ground, Line, Mark, Note, Spring, Wall, scene_of


def _longer(q):
    """How much longer the hopping leg is drawn where its free length would put one mass into the other."""
    room = 0.35 * float(np.ptp(np.concatenate([q.zU, q.zL])) or 1.0)
    return max(0.0, room - float((q.zU - q.zL).min()))


def _lengthened(q):
    more = _longer(q)
    return f"The leg is drawn {more:.3g} longer than it is, so that its masses lie apart." if more else ""


def _slip_foot(q):
    """In stance at the foothold, in flight at the end of the leg, which points where it is set to."""
    angle = np.radians(q.alpha)
    stands = q.trajectory.closed[:, 0]
    return np.where(stands, q.foot, q.x + np.cos(angle)), np.where(stands, 0.0, q.y - np.sin(angle))


def _hip(side):
    return lambda q: (side * q.d * np.cos(q.ph), q.z + side * q.d * np.sin(q.ph))


def _foot(side):
    return lambda q: (side * q.d * np.cos(q.ph), q.z + side * q.d * np.sin(q.ph) - (q.q1 if side > 0 else q.q2))


def _plate_end(side):
    return lambda q: (q.x + side * q.length / 2 * np.cos(q.th), q.z + side * q.length / 2 * np.sin(q.th))


def _block_corner(i, j):
    """Corner (i, j) of a block with a diagonal of 2, from the corner that it stands on."""
    def at(q):
        w, h = np.sin(q.al), np.cos(q.al)
        x, y = (i - q.side) * w, j * 2 * h
        c, s = np.cos(q.th), np.sin(q.th)
        return q.side * w + x * c + y * s, y * c - x * s
    return at


def ball(floor):
    return [Ground(floor, 0), Disc(lambda q: (0, q.y), 0.04, contact=0, name="ball", on=True), Mark(0, lambda q: (0, floor(q) + 0 * q.y))]


# A model can be drawn if it has the states and parameters that the entry of its name uses.
TABLE = {
    "monopod": [
        Ground(contact=0), Spring(lambda q: (0, q.y1), lambda q: (0, q.y2), name="leg"), Box(lambda q: (0, q.y2), 0.3, 0.14, name="body"),
        Disc(lambda q: (0, q.y1), 0.03, "foot", 0, "toe"), Mark(0, lambda q: (0, q.y1)),
    ],
    "hopping-leg": [
        Ground(contact=0), Spring(lambda q: (0, q.zL), lambda q: (0, q.zU + _longer(q)), name="leg"),
        Box(lambda q: (0, q.zU + _longer(q)), 0.3, 0.12, name="upper mass"), Disc(lambda q: (0, q.zL), 0.035, "foot", 0, "foot"),
        Mark(0, lambda q: (0, q.zL)), Note(_lengthened),
    ],
    "two-legged-hopper": [
        Ground(), Spring(_hip(1), _foot(1), name="first leg"), Spring(_hip(-1), _foot(-1), name="second leg"),
        Line(_hip(-1), _hip(1), look="beam", name="body"), Disc(lambda q: (0, q.z), 0.06, name="body"),
        Disc(_foot(1), 0.035, "foot", 0, "first foot"), Disc(_foot(-1), 0.035, "foot", 1, "second foot"), Mark(0, _foot(1)), Mark(1, _foot(-1)),
    ],
    "plate": [
        Ground(), Bed(), Line(_plate_end(-1), _plate_end(1), look="beam", name="plate"), Disc(lambda q: (q.x, q.z), 0.012, "foot", name="its centre"),
    ],
    "slip": [
        Ground(), Spring(_slip_foot, lambda q: (q.x, q.y), name="leg"), Disc(lambda q: (q.x, q.y), 0.08, name="body"),
        Disc(_slip_foot, 0.02, "foot", 0, "foot"), Mark(0, _slip_foot), Follow(lambda q: q.x),
    ],
    "hopper1d": [
        Ground(contact=0), Spring(lambda q: (0, np.maximum(q.z - q.l0, 0)), lambda q: (0, q.z), name="leg"), Disc(lambda q: (0, q.z), 0.05, name="mass"),
        Mark(0, lambda q: (0, np.maximum(q.z - q.l0, 0))),
    ],
    "bouncing-ball": ball(lambda q: 0.0),
    "linear-ground": ball(lambda q: 0.0),
    "shaking-table": ball(lambda q: q.a * np.sin(q.w * q.t)),
    "vibro-impact": [
        Wall(lambda q: q.d, 1, 0, away=0.08), Wall(lambda q: -q.d, -1, 1, away=0.08), Box(lambda q: (q.x, 0), 0.16, 0.16, name="mass"),
        Mark(0, lambda q: (q.d, 0)), Mark(1, lambda q: (-q.d, 0)),
    ],
    "rocking-block": [
        Ground(), Line(*(_block_corner(i, j) for i, j in ((-1, 0), (1, 0), (1, 1), (-1, 1), (-1, 0))), look="beam", name="block"),
        Mark(0, lambda q: (q.side * np.sin(q.al), 0.0)),
    ],
}
CALLED = {"rocking-block-recorded": "rocking-block"}


def entry_of(model):
    """The entry of a model's name; None: there is none."""
    name = model.removesuffix("-text")
    return TABLE.get(CALLED.get(name, name))


def _of_bodies(trajectory):
    try:
        return drawing_bodies.pieces_of(trajectory)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise NotOurs(f"{trajectory.path}: the text of its model and its bodies do not go together") from None


def drawn(trajectory):
    """The scene of a trajectory; None where its model has no drawing."""
    pieces = _of_bodies(trajectory) if trajectory.position else entry_of(trajectory.model)
    if not pieces:
        return None
    try:
        return scene_of(pieces, trajectory)
    except AttributeError as what:  # a model of one's own with that name
        trajectory.notes.append(f"No drawing: the model {trajectory.model} has no {what}.")
        return None
