"""Models: by name, by file, or by the text of their equations."""

import ctypes
import dataclasses
import difflib
import os

import numpy as np

from . import _arguments, _interrupts, _library, errors


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


class Description:
    """The names, units and presets of a model. `Runs` that come out of a pickle have one in place of their model."""

    start = 0.0  # of the user's time, at which runs begin

    def __init__(self, pointer):
        each = _library.library()
        facts = each.saltus_model_about(pointer)
        self.name, self.title = facts.name.decode(), (facts.title or b"").decode()
        self.note = facts.note and facts.note.decode()  # what of a text is not taken as it stands
        self.time, self.span = facts.time.decode(), facts.span  # unit of time; length of a run by preset
        self.params = tuple(_quantity(each.saltus_model_param(pointer, i)) for i in range(facts.n_param))
        self.states = tuple(_quantity(each.saltus_model_state(pointer, i)) for i in range(facts.n_state))
        self.counts = tuple(q.name for q in self.params[:facts.n_count])  # parameters that are counts of members
        self.watched = self.states[facts.watched].name  # the state whose error is scored

    def __repr__(self):
        return f"<saltus.{type(self).__name__} {self.name}: {', '.join(q.name for q in self.states)}>"


class Model(Description):
    """A hybrid system: states, parameters, a flow, and contacts whose closing and opening are its events.

    source: the name of a model of the library (`saltus.models()` has them), a file (.yaml) of equations or bodies, or the
    text of one, which has several lines.  counts: {NAME: number} of members of families, the presets unless given.  Threads may share a model.  A model does not change: copies are the model itself, and
    a pickle opens its source again.
    """

    def __init__(self, source, counts=None):
        source = _arguments.path("model", source)
        if "\n" in source:
            self._source, word, call = source, _arguments.word("model", source), _library.library().saltus_model_parse
        else:
            self._source, word, call = source, os.fsencode(source), _library.library().saltus_model_open
            if source.endswith((".yaml", ".yml")):
                self._source = os.path.abspath(source)
        self._take(call, word)
        self._given = dict(counts or {})
        if self._given:
            self._count(self._given)

    def _count(self, given):
        for name in given:
            if name not in self.counts:
                raise errors.InvalidError(f"counts: unknown '{name}'; allowed: {', '.join(self.counts) or 'none, the model has no counts'}")
        presets, values = self._pointer, [float(given.get(q.name, q.preset)) for q in self.params[:len(self.counts)]]
        self._take(_library.library().saltus_model_members, presets, (ctypes.c_double * len(values))(*values))

    def _take(self, function, *args):
        self._pointer = _library.opened(function, _library.library().saltus_model_close, *args)
        super().__init__(self._pointer)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return type(self), (self._source, self._given)

    def description(self):
        """A Description of it, without a pointer of the library."""
        plain = Description.__new__(Description)
        plain.__dict__.update({name: value for name, value in self.__dict__.items() if not name.startswith("_")})
        return plain

    def call(self, function, halt):
        """Runs a function that returns a status of the library; Ctrl-C sets `halt`, a c_int that the library reads."""
        _interrupts.in_thread(lambda: _library.check(function()), halt)

    def threads(self, value):
        """The number of threads that runs of this model may have."""
        return _arguments.threads(value)

    def event(self, contact, closes=True):
        """Name of the closing, or the opening, of a contact; None: it has no name."""
        name = _library.library().saltus_model_event(self._pointer, _arguments.whole("contact", contact, most=2**31 - 1), int(closes))
        return name and name.decode()

    def params_of(self, values=None):
        """Parameters as an array [n, n_param] of float64: presets, except those that a mapping sets, NAME: number, word of an
        option, or array [n]; an array of that shape is taken as it is, without a copy where it is one in C order."""
        return _rows("params", self.params, values)

    def states_of(self, values=None):
        """States, likewise."""
        return _rows("initial", self.states, values)


def model(source):
    """The model of a name, a file or a text, or the model itself."""
    if isinstance(source, Description) and not isinstance(source, Model):
        raise errors.InvalidError(f"model: {source!r} came out of a pickle and cannot be run; allowed: a saltus.Model, or its source")
    return source if isinstance(source, Model) else Model(source)


def measured(name, value, unit):
    """A number: a text such as "1mm" is read as one in the unit `unit`; anything else stays as it is."""
    return _library.value(name, _arguments.string(name, value), unit) if isinstance(value, str) else value


def _value(quantity, value):
    if isinstance(value, str) and quantity.words:
        if value not in quantity.words:
            raise errors.InvalidError(f"{quantity.name}: unknown word '{value}'; allowed: {', '.join(quantity.words)}")
        return float(quantity.words.index(value))
    if isinstance(value, str):
        value = measured(quantity.name, value, quantity.unit)
    return np.atleast_1d(_arguments.array(quantity.name, quantity.preset if value is None else value))


def _rows(what, quantities, values):
    names = [q.name for q in quantities]
    if values is None or hasattr(values, "keys"):
        given = dict(values or {})
        for name in given:
            if name not in names:
                near = difflib.get_close_matches(str(name), names, 1)
                raise errors.InvalidError(f"{what}: unknown name '{name}'; allowed: {', '.join(names)}" + (f"; did you mean '{near[0]}'?" if near else ""))
        columns = [np.atleast_1d(_value(q, given.get(q.name))) for q in quantities]
        for q, column in zip(quantities, columns):
            if column.ndim != 1:
                raise errors.InvalidError(f"{what}: {q.name} has shape {column.shape}; allowed: a number, or [n]")
        try:
            return np.stack(np.broadcast_arrays(*columns), axis=1) if quantities else np.zeros((1, 0))
        except ValueError:
            sizes = ", ".join(f"{q.name} {len(column)}" for q, column in zip(quantities, columns) if len(column) != 1)
            raise errors.InvalidError(f"{what}: arrays of several lengths: {sizes}; allowed: one length, and 1") from None
    rows = np.ascontiguousarray(_arguments.array(what, values))
    rows = rows[None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or rows.shape[1] != len(names):
        raise errors.InvalidError(f"{what}: has shape {np.shape(values)}; allowed: [n, {len(names)}], {', '.join(names)}")
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
