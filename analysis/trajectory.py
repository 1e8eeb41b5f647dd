"""A trajectory or a periodic orbit as it is looked at: samples, with those of events between them, and which contacts are closed when.

Each event makes two samples of one time, ahead of it and after it, so that nothing is drawn between what a jump separates.
"""

import os
from dataclasses import dataclass, field

import numpy as np

from cube import NotOurs, open_group

CONTENT = "saltus trajectory"
OWN = {"t", "mode", "event_t", "event_name", "event_contact", "event_closes", "contact", "contact_closes", "start_closed", "event_closed", "closed", "body_coordinate",
       "body_position", "event_body_position", "multiplier", "multiplier_re", "multiplier_im"}
MOST_SAMPLES = 1500  # that a picture holds
MOST_EVENTS = 400  # of them whose samples are all kept


@dataclass
class Trajectory:
    """Arrays over samples; the description of the model as in the file."""

    path: str
    title: str
    model: str
    time_unit: str
    made: str  # by which solver
    t: np.ndarray
    state: dict  # {NAME: [sample]}
    unit: dict  # {NAME: text}, of states and parameters
    what: dict
    given: dict  # {NAME: number or word} of parameters and options
    closed: np.ndarray  # [sample][contact]
    closes: list  # what the closing of each contact is called; "": the file does not say
    event_t: np.ndarray
    event_name: list
    event_contact: np.ndarray
    event_closes: np.ndarray  # bool; empty where the file does not say
    position: dict = field(default_factory=dict)  # {COORDINATE: [sample]} of bodies
    text: str = ""  # of the model, where it is one of a text
    period: float = 0.0  # 0: no orbit
    multipliers: np.ndarray = None
    rows: int = 0  # of the file
    ending: str = ""  # of a run that failed: how and when
    notes: list = field(default_factory=list)  # what is not shown

    @property
    def end(self):
        return self.period or float(self.t[-1])

    def intervals(self, contact):
        """[(from, to)] in which it is closed."""
        flags = np.concatenate([[0], self.closed[:, contact].astype(int), [0]])
        steps = np.diff(flags)
        return [(float(self.t[a]), float(self.t[min(b, len(self.t) - 1)])) for a, b in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1))]


def pairs(names):
    """Positions with their velocities: zU with vU, y1 with v1, x with vx, chassis_x with chassis_vx."""
    found = []
    for velocity in names:
        before, line, last = velocity.rpartition("_")
        places = [before + line + p for p in (*(p + last[1:] for p in "zyx"), last[1:]) if p]
        position = [p for p in places if p in names]
        if last.startswith("v") and position:
            found.append((position[0], velocity))
    return found


def _in_order(names, watched):
    """Positions, then their velocities, then the rest; the watched state and its velocity come first."""
    found = sorted(pairs(names), key=lambda pair: watched not in pair)
    first = [p for p, _ in found] + [v for _, v in found]
    return [*dict.fromkeys(first), *(n for n in names if n not in first)]


def _texts(values):
    return [str(v) for v in np.atleast_1d(values)]


def _single(data, name):
    """A parameter as a number, an option as its word."""
    words = str(data[name].attrs.get("flag_meanings", "")).split()
    value = float(data[name].values)
    return words[int(value)] if words and 0 <= int(value) < len(words) else value


class _Samples:
    """The order of rows and events, and any quantity in it."""

    def __init__(self, t, event_t, ahead):
        n, m = t.size, event_t.size
        self.times = [t, event_t, event_t] if ahead else [t, event_t]
        turn = np.arange(m)
        turns = [np.full(n, -1), 2 * turn, 2 * turn + 1] if ahead else [np.full(n, -1), 2 * turn + 1]
        every = np.concatenate(self.times)
        self.order = np.lexsort((np.concatenate(turns), every))
        self.t = every[self.order]
        self.after = np.concatenate([np.zeros(a.size, bool) for a in self.times[:-1]] + [np.ones(m, bool)])[self.order]
        self.row = (np.arange(every.size) < n)[self.order]

    def of(self, rows, ahead, after):
        parts = [rows, ahead, after] if len(self.times) == 3 else [rows, after]
        return np.concatenate(parts)[self.order]


def read(path):
    """The trajectory that a file of `saltus trajectory` or `saltus orbit` holds."""
    data = open_group(path)
    if data.attrs.get("content") != CONTENT or "t" not in data or data["t"].size < 2:
        raise NotOurs(f"{path}: no trajectory of saltus with two rows or more (saltus trajectory and saltus orbit write them)")
    names = _in_order([str(n) for n in data.data_vars if data[n].dims == ("t",) and n not in OWN], str(data.attrs.get("watched_state", "")))
    event_t = data["event_t"].values if "event_t" in data else np.zeros(0)
    ahead = all(f"ahead_{n}" in data for n in names) and event_t.size > 0
    samples = _Samples(data["t"].values, event_t, ahead)
    take = lambda name: samples.of(data[name].values, data[f"ahead_{name}"].values if ahead else None,  # noqa: E731
                                   data[f"event_{name}"].values if event_t.size else np.zeros(0))
    contacts = data["event_contact"].values.astype(int) if "event_contact" in data else np.zeros(event_t.size, int)
    closed = _closed(data, samples, contacts)
    event_closes = data["event_closes"].values.astype(bool) if "event_closes" in data else np.zeros(0, bool)
    given = {str(n): _single(data, n) for n in data.variables if data[n].dims == () and n not in OWN}
    events = _texts(data["event_name"].values) if event_t.size else []
    trajectory = Trajectory(
        path=os.fspath(path), title=str(data.attrs.get("title", "")) or os.path.basename(path), model=str(data.attrs.get("model", "")),
        time_unit=str(data.attrs.get("time_unit", "1")), made=_made(data.attrs), t=samples.t, state={n: take(n) for n in names},
        unit={str(n): str(data[n].attrs.get("units", "1")) for n in (*names, *given)},
        what={str(n): str(data[n].attrs.get("long_name", "")) for n in (*names, *given)}, given=given, closed=closed,
        closes=_texts(data["contact_closes"].values) if "contact_closes" in data else _names(events, contacts, event_closes, closed.shape[1]), event_t=event_t, event_name=events, event_contact=contacts,
        event_closes=event_closes, text=str(data.attrs.get("model_text", "")), period=float(data.attrs.get("period", 0)), rows=data["t"].size,
        ending=_ending(data.attrs))
    if trajectory.ending:
        trajectory.notes.append(f"The run failed: {trajectory.ending}.")
    if "body_position" in data:
        both = data["event_body_position"].values
        every = samples.of(data["body_position"].values, both, both)
        trajectory.position = {name: every[:, i] for i, name in enumerate(_texts(data["body_coordinate"].values))}
    if "multiplier_re" in data:
        trajectory.multipliers = data["multiplier_re"].values + 1j * data["multiplier_im"].values
    return _finite(trajectory)


def _made(attrs):
    if not attrs.get("solver"):
        return ""
    return f"{attrs['solver']} with {attrs.get('strategy', '')} at rtol {float(attrs.get('rtol', 0)):g}"


def _ending(attrs):
    """How a run failed, which is said wherever it is shown."""
    if "ending" not in attrs:
        return ""
    return f"{attrs['outcome']} at t = {float(attrs['t_reached']):.6g}: {attrs['ending']}"


def _closed(data, samples, contacts):
    """[sample][contact]"""
    if "start_closed" in data:
        start = data["start_closed"].values.astype(bool)
        after = data["event_closed"].values.astype(bool).reshape(-1, start.size) if contacts.size else np.zeros((0, start.size), bool)
        # A row at the very time of an event stands ahead of it.
        return np.concatenate([start[None], after])[np.cumsum(samples.after)]
    name = "closed" if "closed" in data else "mode" if "mode" in data else None
    if name is None:
        return np.zeros((samples.t.size, 0), bool)
    rows = data[name].values.astype(bool).reshape(data["t"].size, -1)
    last = np.maximum(np.cumsum(samples.row) - 1, 0)  # events of older files show by the row before
    return rows[last]


def _names(events, contacts, closes, n):
    found = [""] * n
    for name, k, is_closed in zip(events, contacts, closes):
        if is_closed and k < n:
            found[k] = name
    return found


def _finite(trajectory):
    """Without what comes after the end of a run that failed."""
    good = np.all([np.isfinite(v) for v in (*trajectory.state.values(), *trajectory.position.values())], axis=0)
    if good.all():
        return trajectory
    last = int(np.argmin(good))
    if last < 2:
        raise NotOurs(f"{trajectory.path}: the trajectory ends at its start")
    trajectory.notes.append(f"The run ended early, at t = {trajectory.t[last - 1]:.6g}.")
    return _kept(trajectory, np.arange(last))


def _kept(trajectory, which):
    trajectory.t, trajectory.closed = trajectory.t[which], trajectory.closed[which]
    trajectory.state = {n: v[which] for n, v in trajectory.state.items()}
    trajectory.position = {n: v[which] for n, v in trajectory.position.items()}
    return trajectory


def thinned(trajectory, most=MOST_SAMPLES, wanted=()):
    """The trajectory with at most so many samples: those of its first events, and others at even distances; what is left out is noted."""
    n = trajectory.t.size
    event = np.concatenate([[False], np.diff(trajectory.t) == 0])
    event[:-1] |= event[1:]
    edges = np.flatnonzero(event)
    if n <= most:
        return trajectory
    kept = edges[: 2 * min(MOST_EVENTS, most // 4)]
    even = np.unique(np.searchsorted(trajectory.t, np.linspace(trajectory.t[0], trajectory.t[-1], most - kept.size)).clip(0, n - 1))
    which = np.union1d(np.union1d(kept, even), [0, n - 1])
    words = f"Drawn are {which.size} of {n} samples"
    trajectory.notes.append(words + ("; all events are on the time axis, but not all of them have samples of their own." if kept.size < edges.size else ", with those at all events."))
    return _kept(trajectory, which)
