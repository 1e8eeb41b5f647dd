"""Models: by name, by file, or by the text of their equations."""

import dataclasses
import os
import weakref

import numpy as np

from . import _library


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A parameter or a state of a model."""

    name: str
    unit: str  # "1": none
    what: str
    preset: float
    least: float  # what a run may have
    most: float
    words: tuple = ()  # of an option, whose values are the numbers of these


def _quantity(c):
    words = []
    while c.word and c.word[len(words)] is not None:
        words.append(c.word[len(words)].decode())
    return Quantity(c.name.decode(), (c.unit or b"1").decode(), (c.what or b"").decode(), c.preset, c.least, c.most, tuple(words))


class Model:
    """A hybrid system: states, parameters, a flow, and contacts whose closing and opening are its events.

    source: the name of a model of the library (`saltus.models()` has them), a file (.yaml) of equations or bodies, or the
    text of one, which has several lines.  Threads may share a model.
    """

    def __init__(self, source):
        source = os.fspath(source)
        call = "saltus_model_parse" if "\n" in source else "saltus_model_open"
        self._take(_library.opened(getattr(_library.library(), call), source.encode()))

    def _take(self, pointer):
        self._pointer = pointer
        self._freed = weakref.finalize(self, _library.library().saltus_model_close, pointer)
        facts = _library.library().saltus_model_about(pointer)
        self.name, self.title = facts.name.decode(), (facts.title or b"").decode()
        self.note = facts.note and facts.note.decode()  # what of a text is not taken as it stands
        self.time, self.span = facts.time.decode(), facts.span  # unit of time; length of a run by preset
        each = _library.library()
        self.params = tuple(_quantity(each.saltus_model_param(self._pointer, i)) for i in range(facts.n_param))
        self.states = tuple(_quantity(each.saltus_model_state(self._pointer, i)) for i in range(facts.n_state))
        self.watched = self.states[facts.watched].name  # the state whose error is scored

    def __repr__(self):
        return f"<saltus.Model {self.name}: {', '.join(q.name for q in self.states)}>"

    def call(self, function, halt):
        """Runs a function that returns a status of the library; Ctrl-C raises `halt`, a c_int that the library looks at."""
        _library.interruptible(lambda: _library.check(function()), halt)

    def event(self, contact, closes=True):
        """What the closing, or the opening, of a contact is called; None: it has no name."""
        name = _library.library().saltus_model_event(self._pointer, contact, int(closes))
        return name and name.decode()

    def params_of(self, values=None):
        """Parameters as an array [n, n_param] of float64: presets, but for what a mapping says, NAME: number, word of an
        option, or array [n]; an array of that shape is taken as it is, without a copy where it is one in C order."""
        return _rows("params", self.params, values)

    def states_of(self, values=None):
        """States, likewise."""
        return _rows("initial", self.states, values)


def model(source):
    """The model of a name, a file or a text, or the model itself."""
    return source if isinstance(source, Model) else Model(source)


def _value(quantity, value):
    if isinstance(value, str) and quantity.words:
        if value not in quantity.words:
            raise _library.errors.InvalidError(f"{quantity.name}: unknown word '{value}'; allowed: {', '.join(quantity.words)}")
        return quantity.words.index(value)
    return value


def _rows(what, quantities, values):
    names = [q.name for q in quantities]
    if values is None or hasattr(values, "keys"):
        given = dict(values or {})
        for name in given:
            if name not in names:
                raise _library.errors.InvalidError(f"{what}: unknown name '{name}'; allowed: {', '.join(names)}")
        columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(_value(q, given.get(q.name, q.preset)), float)) for q in quantities)) \
            if quantities else [np.zeros(1)]
        return np.ascontiguousarray(np.stack(columns, axis=1)) if quantities else np.zeros((1, 0))
    rows = np.ascontiguousarray(values, dtype=np.float64)
    rows = rows[None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise _library.errors.InvalidError(f"{what}: has shape {np.shape(values)}; allowed: [n, {len(names)}], {', '.join(names)}")
    return rows


def models():
    """Names of all models of the library."""
    return _library.names(0)


def solvers():
    """Names of all solvers that runs may have."""
    return _library.names(1)


def strategies():
    """Names of all ways in which changes of contacts are met."""
    return _library.names(2)
