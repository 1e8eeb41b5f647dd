"""Scenes, contacts and events as pages have them."""

import numpy as np

ROWS = 12  # contacts, and states, that are shown
MOST_EVENTS = 3000  # on the axis of time


class Columns:
    """Columns of numbers for a page, one after the other."""

    def __init__(self):
        self.columns = []

    def put(self, values):
        """values [sample][n]; the number of the first of n columns."""
        first = len(self.columns)
        self.columns += list(np.asarray(values, dtype=np.float32).T)
        return first


def scene_data(scene, columns):
    """The scene as the page has it; what does not move stands in it."""
    shapes = []
    for s in scene.shapes:
        still = s.at if s.at.ndim == 1 else s.at[0] if np.ptp(s.at, axis=0).max() == 0 else None
        points = {"still": [round(float(v), 6) for v in still]} if still is not None else {"from": columns.put(s.at), "n": s.at.shape[1]}
        shapes.append({"kind": s.kind, "look": s.look, "size": round(float(s.size), 6), "contact": s.contact, "name": s.name, **points})
    return {"shapes": shapes, "view": [float(v) for v in scene.view], "marks": {str(k): columns.put(at) for k, at in scene.marks.items()},
            "camera": -1 if scene.camera is None else columns.put(scene.camera[:, None])}


def contacts_data(trajectory, scene):
    """Contacts that are on the axis of time or in the drawing: all, or those that close first."""
    n = trajectory.closed.shape[1]
    of = {k: trajectory.intervals(k) for k in range(n)}
    drawn_ones = {s.contact for s in scene.shapes} | set(scene.marks) if scene else set()
    busy = [k for k in range(n) if of[k] or n <= ROWS]
    shown = set(busy[:ROWS])
    if len(busy) > ROWS:
        trajectory.notes.append(f"The first {ROWS} of {len(busy)} contacts that close are on the axis of time.")
    return [{"number": k, "name": contact_name(trajectory, k), "shown": k in shown, "closed": [v for pair in of[k] for v in pair]}
            for k in range(n) if k in shown or k in drawn_ones]


def contact_name(trajectory, k):
    """Name of the contact's closing, with its number where several have that name."""
    name = trajectory.closes[k]
    return f"contact {k}" if not name else f"{name} {k}" if trajectory.closes.count(name) > 1 else name


def events_data(trajectory):
    n = min(len(trajectory.event_name), MOST_EVENTS)
    if n < len(trajectory.event_name):
        trajectory.notes.append(f"The first {n} of {len(trajectory.event_name)} events are on the axis of time.")
    closes = trajectory.event_closes if trajectory.event_closes.size else np.ones(len(trajectory.event_name), bool)
    return {"t": [float(t) for t in trajectory.event_t[:n]], "name": trajectory.event_name[:n], "contact": [int(k) for k in trajectory.event_contact[:n]],
            "closes": [bool(c) for c in closes[:n]]}
