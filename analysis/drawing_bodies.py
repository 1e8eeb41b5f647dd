"""Drawings of models that a text describes by bodies: made from that text, whatever bodies, joints, springs and tires it has.

Points of a body are where its file fastens something to it; a body is drawn as their hull. Spatial models are seen from the
right, from the rear and above, in parallel projection; the picture follows a body that travels.
"""

import numpy as np
import yaml

from cube import NotOurs
from drawing import Follow, Piece, Shape

BESIDE, ABOVE = 0.42, 0.27  # of a metre to the left: how far to the right and up it is drawn
TRAVELS = 3.0  # a body that moves further than so many sizes of the model is followed
MOVES = {"spatial": "xyz", "planar": "xy", "particle": "z"}  # coordinates of a centre of mass


class Bodies:
    """The content of a text, with parameters put in, and the places of its bodies at every sample."""

    def __init__(self, trajectory):
        try:
            self.text = yaml.safe_load(trajectory.text)
        except yaml.YAMLError:
            raise NotOurs(f"{trajectory.path}: its model's text is not valid YAML") from None
        self.trajectory, self.count = trajectory, trajectory.t.size
        self.kind = {b["name"]: b.get("kind", "spatial") for b in self.text["bodies"]}
        self.flat = "spatial" not in self.kind.values()
        self.particles = set(self.kind.values()) == {"particle"}

    def number(self, written):
        """A number, the name of a parameter, or NUMBER * NAME."""
        if isinstance(written, (int, float)):
            return float(written)
        factor, _, name = str(written).rpartition("*")
        value = self.trajectory.given.get(name.strip())
        return float(name) if value is None else float(factor or 1) * float(value)

    def vector(self, written):
        """[3]; of planar bodies x and y, of particles z."""
        values = [self.number(v) for v in written or ()]
        return np.array((values + [0.0] * 3)[:3])

    def coordinate(self, body, name):
        return self.trajectory.position[f"{body}_{name}"]

    def turned(self, body, s):
        """A vector of a body as the world sees it, [sample][3]."""
        kind = self.kind.get(body)
        if kind == "planar":
            c, d = np.cos(self.coordinate(body, "theta")), np.sin(self.coordinate(body, "theta"))
            return np.stack([c * s[0] - d * s[1], d * s[0] + c * s[1], 0 * c], axis=1)
        if kind == "spatial":
            e0, e = self.coordinate(body, "e0"), np.stack([self.coordinate(body, n) for n in ("e1", "e2", "e3")], axis=1)
            return (2 * e0**2 - 1)[:, None] * s + 2 * e * (e @ s)[:, None] + 2 * e0[:, None] * np.cross(e, s)
        return np.broadcast_to(s, (self.count, 3))

    def middle(self, body):
        """Its centre of mass, [sample][3]."""
        at = np.zeros((self.count, 3))
        for name in MOVES[self.kind[body]] if body in self.kind else "":  # the ground
            at[:, "xyz".index(name)] = self.coordinate(body, name)
        return at

    def point(self, body, written):
        """A point of a body in the world, [sample][3]."""
        return self.middle(body) + self.turned(body, self.vector(written))

    def seen(self, points):
        """[sample][3] in the plane of the picture, [sample][2]."""
        x, y, z = points[:, 0], points[:, 1], points[:, 2]
        if self.particles:
            return np.stack([x, z], axis=1)
        return np.stack([x, y], axis=1) if self.flat else np.stack([x + BESIDE * y, z + ABOVE * y], axis=1)


class Hull(Piece):
    """A body as the hull of its points, which are those of the first sample that lie outside; or a line, or a disc."""

    def __init__(self, bodies, name, points):
        self.bodies, self.name = bodies, name
        self.seen = [bodies.seen(bodies.point(name, p)) for p in points]

    def where(self, q):
        return self.seen

    def shapes(self, q, size):
        first = np.array([p[0] for p in self.seen])
        outside = hull(first)
        every = np.concatenate([self.seen[i] for i in outside], axis=1)
        look = "shell" if len(outside) > 2 else "beam" if len(outside) > 1 else "body"
        made = [Shape(("disc", "line", "area")[min(len(outside), 3) - 1], every, look, 0.045 * size, name=self.name)]
        if len(outside) == 2:  # its centre of mass, which is its first point
            made.append(Shape("disc", self.seen[0], "body", 0.03 * size, name=self.name))
        return made


def hull(points):
    """Indices of the corners of the convex hull, one after the other; of points on a line its two ends."""
    scale = float(np.ptp(points, axis=0).max())
    if scale < 1e-9:
        return [0]
    order = sorted(range(len(points)), key=lambda i: (points[i][0], points[i][1]))

    def half(indices):
        found = []
        for i in indices:
            while len(found) > 1 and _turn(points[found[-2]], points[found[-1]], points[i]) <= 1e-9 * scale**2:
                found.pop()
            found.append(i)
        return found[:-1]

    return half(order) + half(order[::-1])


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


class Between(Piece):
    """A spring, a damper or a rod between points of two bodies."""

    def __init__(self, bodies, entry, kind, look, contact=-1):
        a, b = entry["bodies"]
        self.kind, self.look, self.contact, self.name = kind, look, contact, str(entry.get("name", ""))
        self.ends = [bodies.seen(bodies.point(body, entry.get(key))) for body, key in ((a, "P_i"), (b, "P_j"))]

    def where(self, q):
        return self.ends

    def shapes(self, q, size):
        return [Shape(self.kind, np.concatenate(self.ends, axis=1), self.look, 0.025 * size, self.contact, self.name)]


class Wheel(Piece):
    """Its rim, a circle of the tire's radius across the axle, and two spokes, which turn with the body alone."""

    def __init__(self, bodies, tire, contact):
        self.bodies, self.tire, self.contact = bodies, tire, contact
        self.centre = bodies.point(tire["body"], tire.get("P"))
        self.radius = bodies.number(tire["radius"])

    def where(self, q):
        return [self.bodies.seen(self.centre + self.radius * np.array(v)) for v in ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))]

    def shapes(self, q, size):
        body = self.tire["body"]
        ahead, up = (self.bodies.turned(body, np.array(v)) for v in ((1.0, 0, 0), (0, 0, 1.0)))
        around = np.linspace(0, 2 * np.pi, 33)
        rim = [self.bodies.seen(self.centre + self.radius * (np.cos(a) * ahead + np.sin(a) * up)) for a in around]
        name = str(self.tire.get("name", ""))
        return [Shape("area", np.concatenate(rim, axis=1), "wheel", contact=self.contact, name=name),
                Shape("disc", self.bodies.seen(self.centre), "foot", 0.012 * size, name=name)]

    def marks(self, q):
        return {self.contact: self.bodies.seen(self.centre - np.array([0, 0, self.radius]))}


class Point(Piece):
    """Where a contact is."""

    def __init__(self, bodies, body, written, contact):
        self.at, self.contact = bodies.seen(bodies.point(body, written)), contact

    def marks(self, q):
        return {self.contact: self.at}

    def shapes(self, q, size):
        return [Shape("disc", self.at, "foot", 0.02 * size, self.contact)]


class Plane(Piece):
    """The ground's side of a contact with a normal, or the level that points land on."""

    def __init__(self, bodies, at, normal):
        self.at, self.normal = np.asarray(at, dtype=float), np.asarray(normal, dtype=float) / np.linalg.norm(normal)

    def where(self, q):
        return [np.broadcast_to(self.at, (q.count, 2))]

    def shapes(self, q, size):
        along, back = np.array([self.normal[1], -self.normal[0]]), -0.05 * size * self.normal
        ends = [self.at + s * 0.6 * size * along for s in (-1, 1)]
        corners = [ends[0], ends[1], ends[1] + back, ends[0] + back]
        return [Shape("area", np.concatenate(corners), "ground")]


class Road(Piece):
    """The road below the wheels of either side, and where it is not level; of a planar model there is none."""

    def __init__(self, bodies):
        self.bodies = bodies
        sides = [bodies.point(t["body"], t.get("P"))[:, 1] for t in bodies.text.get("tires", [])]
        self.sides = [float(min(s.min() for s in sides)) - 0.3, float(max(s.max() for s in sides)) + 0.3] if sides else [-1.0, 1.0]
        ahead = np.concatenate([bodies.middle(b)[:, 0] for b in bodies.kind])
        self.ends = float(ahead.min()) - 8, float(ahead.max()) + 8

    def profile(self):
        """[point][2] x and z of the road itself."""
        road, number = self.bodies.text.get("road") or {}, self.bodies.number
        kind, (begin, end) = road.get("type", "flat"), self.ends
        if kind == "points":
            points = [[number(v) for v in p] for p in road["points"]]
            return np.array([[min(begin, points[0][0]), points[0][1]], *points, [max(end, points[-1][0]), points[-1][1]]])
        if kind == "cylinder":
            around, r, at = np.linspace(np.pi, 0, 13), number(road["radius"]), number(road["x"])
            return np.array([[begin, 0], *([at + r * np.cos(a), r * np.sin(a)] for a in around), [end, 0]])
        return np.array([[begin, 0.0], [end, 0.0]])

    def shapes(self, q, size):
        profile = self.profile()
        level, over = (np.concatenate([self.bodies.seen(np.stack([along[:, 0], 0 * along[:, 0] + y, along[:, 1]], axis=1))[::turn]
                                       for y, turn in zip(self.sides, (1, -1))]) for along in (profile[[0, -1]] * [1, 0], profile[1:-1]))
        posts = np.arange(np.floor(self.ends[0]), self.ends[1])  # one a metre: without them no speed is seen
        across = [Shape("line", self.bodies.seen(np.array([[x, y, 0] for y in self.sides])).ravel(), "faint") for x in posts]
        return [Shape("area", level.ravel(), "ground", name="road"), *([Shape("area", over.ravel(), "bump", name="road")] if len(over) else []), *across]


def _attached(bodies, name):
    """The points of a body that its text names, its centre of mass first."""
    found = [[0, 0, 0]]
    for kind in ("joints", "springs", "contacts"):
        for entry in bodies.text.get(kind) or []:
            for body, key in zip(entry.get("bodies", ()), ("P_i", "P_j")):
                if body == name:
                    found.append(entry.get(key) or [0, 0, 0])
            if entry.get("body") == name:
                found.append(entry.get("P") or [0, 0, 0])
    return found + [t.get("P") or [0, 0, 0] for t in bodies.text.get("tires") or [] if t["body"] == name]


def contact_numbers(text):
    """{id of an entry: number of its contact}, in the order of src/multibody/reading_forces.c: contacts that land, those with a law, each with its
    friction after it, springs that act on one side, tires."""
    lands = [c for c in text.get("contacts") or [] if "law" not in c]
    laws = [c for c in text.get("contacts") or [] if "law" in c]
    found, number = {}, 0
    for entry in [*lands, *laws, *(s for s in text.get("springs") or [] if "only" in s), *(text.get("tires") or [])]:
        found[id(entry)] = number
        number += 2 if "friction" in entry else 1
    return found


def _of_contact(bodies, entry, contact):
    if "body" in entry:  # it lands on the level 0
        made = [Plane(bodies, (0, 0), (0, 1))]
        return [*made, Point(bodies, entry["body"], entry.get("P"), contact)]
    made = []
    if entry["bodies"][0] == "ground" and "normal" in entry and bodies.flat:
        flat = [1, 2] if bodies.particles else [0, 1]
        at, normal = (bodies.vector(entry.get(key))[flat if not bodies.particles else [0, 2]] for key in ("P_i", "normal"))
        made.append(Plane(bodies, at, normal))
    return [*made, Point(bodies, entry["bodies"][1], entry.get("P_j"), contact)]


def pieces_of(trajectory):
    """The bodies of a trajectory's model, from its text, as pieces of a drawing; the nearest ones last."""
    bodies = Bodies(trajectory)
    text, number, contact = bodies.text, bodies.number, contact_numbers(bodies.text)
    made = [Road(bodies)] if not bodies.flat else []
    for entry in text.get("contacts") or []:
        made += _of_contact(bodies, entry, contact[id(entry)])
    if bodies.particles and any("ground" in s["bodies"] for s in text.get("springs") or []):
        made.append(Plane(bodies, (0, 0), (0, 1)))
    made += [Hull(bodies, name, _attached(bodies, name) if bodies.kind[name] != "particle" else [()]) for name in sorted(bodies.kind, key=lambda b: -float(bodies.middle(b)[0, 1]))]
    for spring in text.get("springs") or []:
        if spring.get("type", "line") != "angle":
            stiff = number(spring.get("k", 0)) > 0
            made.append(Between(bodies, spring, "spring" if stiff else "line", "spring" if stiff else "faint", contact.get(id(spring), -1)))
    made += [Between(bodies, j, "line", "rod") for j in text.get("joints") or [] if j["type"] == "distance"]
    made += [Wheel(bodies, t, contact[id(t)]) for t in sorted(text.get("tires") or [], key=lambda t: -float(bodies.point(t["body"], t.get("P"))[0, 1]))]
    lead = bodies.middle(next(iter(bodies.kind)))[:, 0]
    if np.ptp(lead) > TRAVELS:
        made.append(Follow(lambda q: lead))
    return made
