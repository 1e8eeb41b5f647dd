"""Drawings of models: shapes whose points are functions of states and parameters, a table with an entry for each model.

An entry is a list of pieces. A piece is given the trajectory, as `q` with q.NAME for states and parameters, and returns its place;
sizes are shares of the height of the picture. Coordinates are the model's own, x to the right and z upwards.
"""

from dataclasses import dataclass, field

import numpy as np

MOST_SPRINGS = 64  # of a bed
MOST_POSTS = 400  # along a road


@dataclass
class Shape:
    """Points x, y, x, y, .. of every sample, or the same for all of them."""

    kind: str  # line, area, disc, spring
    at: np.ndarray  # [sample][2 n] or [2 n]
    look: str  # its class: body, foot, rod, spring, ground, wheel, faint
    size: float = 0.0  # radius of a disc, half the width of a spring
    contact: int = -1  # that colours it while it is closed
    name: str = ""


@dataclass
class Scene:
    shapes: list
    marks: dict = field(default_factory=dict)  # {contact: [sample][2]} where it is
    camera: np.ndarray = None  # [sample] x that the picture follows
    view: tuple = (0, 0, 1, 1)  # least x and y, width, height
    notes: list = field(default_factory=list)
    unit: str = "1"  # of lengths


class Quantities:
    """States, parameters and time of a trajectory by name."""

    def __init__(self, trajectory):
        self._of = {**trajectory.given, **trajectory.state, "t": trajectory.t}
        self.trajectory, self.count = trajectory, trajectory.t.size
        self.camera = np.zeros(1)  # x that the picture follows

    def __getattr__(self, name):
        try:
            return self._of[name]
        except KeyError:
            raise AttributeError(name) from None

    def points(self, *pairs):
        """[sample][2 n] of pairs (x, y), each a number or an array."""
        return np.stack([np.broadcast_to(np.asarray(v, dtype=float), self.count) for pair in pairs for v in pair], axis=1)


# ---- pieces: shapes(q, size) gives shapes; where(q) points that the picture has to hold ----


class Piece:
    def where(self, q):
        return []

    def shapes(self, q, size):
        return []

    def marks(self, q):
        return {}


class Disc(Piece):
    """About a point, or on it: above the point by its radius."""

    def __init__(self, at, size, look="body", contact=-1, name="", on=False):
        self.at, self.size, self.look, self.contact, self.name, self.on = at, size, look, contact, name, on

    def where(self, q):
        return [q.points(self.at(q))]

    def shapes(self, q, size):
        (x, y), r = self.at(q), self.size * size
        return [Shape("disc", q.points((x, y + self.on * r)), self.look, r, self.contact, self.name)]


class Box(Piece):
    """Its middle, and its width and height; turned by `angle`."""

    def __init__(self, at, wide, high, angle=lambda q: 0.0, look="body", name=""):
        self.at, self.wide, self.high, self.angle, self.look, self.name = at, wide, high, angle, look, name

    def where(self, q):
        return [q.points(self.at(q))]

    def shapes(self, q, size):
        (x, y), a = self.at(q), self.angle(q)
        c, s, w, h = np.cos(a), np.sin(a), self.wide * size / 2, self.high * size / 2
        corners = [(x + c * i * w - s * j * h, y + s * i * w + c * j * h) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return [Shape("area", q.points(*corners), self.look, name=self.name)]


class Line(Piece):
    """Through points, each a function."""

    kind = "line"

    def __init__(self, *points, look="rod", contact=-1, size=0.0, name=""):
        self.points, self.look, self.contact, self.size, self.name = points, look, contact, size, name

    def where(self, q):
        return [q.points(p(q)) for p in self.points]

    def shapes(self, q, size):
        return [Shape(self.kind, q.points(*(p(q) for p in self.points)), self.look, self.size * size, self.contact, self.name)]


class Spring(Line):
    kind = "spring"

    def __init__(self, a, b, size=0.05, name="", look="spring", contact=-1):
        super().__init__(a, b, look=look, size=size, name=name, contact=contact)


class Ground(Piece):
    """Below the height y, as far as the picture goes; where that travels with a strip that shows how fast."""

    def __init__(self, y=lambda q: 0.0, contact=-1, deep=0.06, name="ground"):
        self.y, self.contact, self.deep, self.name = y, contact, deep, name

    def where(self, q):
        return [q.points((np.nan, self.y(q)))]

    def shapes(self, q, size):
        y, deep, far = self.y(q), self.deep * size, 6 * size
        left, right = q.camera.min() - far, q.camera.max() + far
        made = [Shape("area", q.points((left, y), (right, y), (right, y - deep), (left, y - deep)), "ground", contact=self.contact, name=self.name)]
        if np.ptp(q.camera) == 0:
            return made
        posts = np.linspace(left, right, int(min((right - left) / (0.25 * size), MOST_POSTS)))
        return made + [Shape("line", np.array([x, float(np.min(y)), x - deep, float(np.min(y)) - deep]), "faint") for x in posts]


class Wall(Piece):
    """At x, or further by `away`, half the width of what hits it with its middle at x."""

    def __init__(self, x, side, contact=-1, name="wall", away=0.0):
        self.x, self.side, self.contact, self.name, self.away = x, side, contact, name, away

    def where(self, q):
        return [q.points((self.x(q), 0.0))]

    def shapes(self, q, size):
        x = self.x(q) + self.side * self.away * size
        beyond = x + self.side * 0.06 * size
        corners = ((x, -0.3 * size), (x, 0.3 * size), (beyond, 0.3 * size), (beyond, -0.3 * size))
        return [Shape("area", q.points(*corners), "ground", contact=self.contact, name=self.name)]


class Mark(Piece):
    """Where a contact is: what flashes when it changes."""

    def __init__(self, contact, at):
        self.contact, self.at = contact, at

    def marks(self, q):
        return {self.contact: q.points(self.at(q))}


class Bed(Piece):
    """The springs below a plate, each coloured by its own contact."""

    def ranks(self, q):
        n = int(q.n)
        return np.unique(np.linspace(0, n - 1, min(n, MOST_SPRINGS)).round().astype(int))

    def tops(self, q, i):
        """x of spring i, and the height of its free or pressed end."""
        n = int(q.n)
        x = (i - (n - 1) / 2) * q.width / max(n - 1, 1)
        free = q.l0 + q.A * np.sin(q.omega * q.t)
        return x, np.where(q.trajectory.closed[:, i], q.z + np.tan(q.th) * (x - q.x), free)

    def where(self, q):
        return [q.points(self.tops(q, i)) for i in (0, int(q.n) - 1)]

    def shapes(self, q, size):
        wide = min(0.03 * size, 0.3 * q.width / max(len(self.ranks(q)), 1))
        made = []
        for i in self.ranks(q):
            x, top = self.tops(q, i)
            made.append(Shape("spring", q.points((x, 0.0), (x, top)), "spring", wide, int(i), f"spring {i}"))
        return made

    def marks(self, q):
        return {int(i): q.points(self.tops(q, i)) for i in self.ranks(q)}


class Note(Piece):
    """A sentence about what is drawn otherwise than it is; "" where there is nothing to say."""

    def __init__(self, words):
        self.words = words


class Follow(Piece):
    """The picture moves with x."""

    def __init__(self, x):
        self.x = x


def scene_of(pieces, trajectory):
    """The scene of an entry of the table."""
    q = Quantities(trajectory)
    camera = next((np.broadcast_to(piece.x(q), q.count) for piece in pieces if isinstance(piece, Follow)), None)
    if camera is not None:
        q.camera = camera
    moves = np.stack([np.broadcast_to(q.camera, q.count), np.zeros(q.count)], axis=1)[:, None]
    points = np.concatenate([(p.reshape(q.count, -1, 2) - moves).reshape(-1, 2) for piece in pieces for p in piece.where(q)])
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    size = float(max(high[1] - low[1], (high[0] - low[0]) * 0.6)) or 1.0
    margin = 0.14 * size
    wide, tall = high[0] - low[0] + 2 * margin, high[1] - low[1] + 2 * margin
    wide, tall = max(wide, 0.9 * tall), max(tall, 0.4 * wide)
    middle = (high + low) / 2
    shapes = [s for piece in pieces for s in piece.shapes(q, size)]
    marks = {k: at for piece in pieces for k, at in piece.marks(q).items()}
    notes = [words for piece in pieces if isinstance(piece, Note) for words in [piece.words(q)] if words]
    return Scene(shapes, marks, camera, (middle[0] - wide / 2, middle[1] - tall / 2, wide, tall), notes, _unit(trajectory))


def _unit(trajectory):
    lengths = [u for u in trajectory.unit.values() if u in ("m", "mm", "cm")]
    return lengths[0] if lengths else "1"
