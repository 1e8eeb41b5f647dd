"""Many runs of a model, in lanes and on threads."""

import copy
import ctypes
import warnings
from typing import Any, Optional, Union

import numpy as np

from . import _arguments, _interrupts, _library, _models, errors


class Runs:
    """Results of n runs, as arrays over them.

    end [n, n_state]: the state at the end, or where a run stopped.  t [n]: the time there.
    completed [n]: has it gone as far as its model lets it?  outcomes: in a word each.
    steps, failed, evaluations, jacobians, factorisations, solves, events [n]: counts, -1 where one does not apply.
    times [samples + 1], state [n, samples + 1, n_state]: on a mesh, where samples were asked for; NaN after the end of a run that failed.
    measures {NAME: [n], or [n, how many] of `last`}: what `measure` asked for, in units {NAME: text}; NaN of a run that has not come to its end.
    event [n, most]: t, contact, closes of the first events; contact -1 where there are no more.  event_state [n, most, n_state]: after them.
    """

    def __init__(self, model, params, t_end, n, samples, events, columns=()):
        states = len(model.states)
        self.model, self.params = model, params
        self.end = np.empty((n, states))
        self.figures = np.empty(n, _library.FIGURES)
        self.times = np.linspace(0, t_end, samples + 1) if samples else None
        self.state = np.empty((n, samples + 1, states)) if samples else None
        self.event = np.zeros((n, events), _library.EVENT) if events else None
        if events:
            self.event["t"], self.event["contact"] = np.nan, -1
        self.event_state = np.full((n, events, states), np.nan) if events else None
        self.columns = columns  # of measured: Quantity each
        self.measured = np.full((n, len(columns)), np.nan) if columns else None

    def __len__(self) -> int:
        return len(self.figures)

    def __repr__(self):
        words, count = np.unique(self.outcomes, return_counts=True)
        ends = ", ".join(f"{n} {word}" for word, n in zip(words, count))
        kept = [f"state {self.state.shape}" if self.state is not None else "", f"event {self.event.shape}" if self.event is not None else ""]
        return f"<{len(self)} runs of {self.model.name}: {ends}; {self.evaluations.sum()} evaluations of f; {', '.join(filter(None, ['end %s' % (self.end.shape,), *kept]))}>"

    def __copy__(self):
        return self._with(self.__dict__)

    def __deepcopy__(self, memo):
        return self._with(copy.deepcopy(self.__dict__, memo))

    def _with(self, values):
        new = type(self).__new__(type(self))
        new.__dict__.update(values)
        return new

    def __getstate__(self):
        """Content of a pickle: arrays, and of the model its Description, which needs neither its functions nor its file."""
        return {**self.__dict__, "model": self.model.description() if isinstance(self.model, _models.Model) else self.model}

    def __getattr__(self, name):
        if name != "figures" and name in _library.FIGURES.names:
            value = self.figures[name]
            return value.astype(bool) if name == "completed" else value
        raise AttributeError(name)

    def _measured(self):
        """(name, its columns) of each measure."""
        found = []
        for i, q in enumerate(self.columns):
            stem, _, number = q.name.rpartition("_")
            if number == "1" and i + 1 < len(self.columns) and (self.columns[i + 1].name, self.columns[i + 1].what) == (f"{stem}_2", q.what):
                found.append((stem, [i]))
            elif found and found[-1][0] == stem and self.columns[found[-1][1][0]].what == q.what and number == str(len(found[-1][1]) + 1):
                found[-1][1].append(i)
            else:
                found.append((q.name, [i]))
        return found

    @property
    def measures(self) -> dict:
        """{NAME: [n]} of each measure, [n, how many] of `last`, oldest first."""
        return {name: self.measured[:, at[0]] if len(at) == 1 else self.measured[:, at] for name, at in self._measured()}

    @property
    def units(self) -> dict:
        """{NAME: text} of the measures."""
        return {name: self.columns[at[0]].unit for name, at in self._measured()}

    @property
    def outcomes(self) -> np.ndarray:
        """[n] how each ended: "done", "step_underflow", .."""
        words = {int(k): _library.library().saltus_outcome(int(k), None).decode() for k in np.unique(self.outcome)}
        return np.array([words[int(k)] for k in self.outcome])

    def dataset(self):
        """An xarray.Dataset over `run` (and `time`), with names and units.

        A parameter, count or measure that is called as a column before it becomes parameter_NAME, count_NAME, measure_NAME.
        """
        import xarray as xr

        data = xr.Dataset()

        def put(kind, name, column):
            data[f"{kind}_{name}" if name in data.variables or name in data.dims else name] = column

        for i, q in enumerate(self.model.states):
            unit = {"units": q.unit, "long_name": q.what}
            data[f"{q.name}_end"] = ("run", self.end[:, i], unit)
            if self.state is not None:
                data[q.name] = (("run", "time"), self.state[:, :, i], unit)
        if self.times is not None:
            data["time"] = ("time", self.times, {"units": self.model.time})
        for i, q in enumerate(self.model.params):
            put("parameter", q.name, ("run", np.broadcast_to(self.params[:, i], len(self)), {"units": q.unit, "long_name": q.what}))
        for name in _library.COUNTS:
            put("count", name, ("run", self.figures[name], {"units": "1"}))
        put("run", "t_reached", ("run", self.t, {"units": self.model.time}))
        put("run", "outcome", ("run", self.outcomes))
        for name, at in self._measured():
            about = {"units": self.columns[at[0]].unit, "long_name": self.columns[at[0]].what}
            put("measure", name, ("run", self.measured[:, at[0]], about) if len(at) == 1 else (("run", f"{name}_number"), self.measured[:, at], about))
        return data


def integrate(model: Any, params: Any = None, initial: Any = None, *, t_end: Union[float, str, None] = None, solver: str = "ode45", strategy: str = "event", rtol: float = 1e-6,
              atol: Optional[float] = None, max_step: Union[float, str, None] = None, samples: int = 0, events: int = 0, lanes: Optional[int] = None, threads: int = 1,
              budget: Optional[float] = None, scale: Any = None, measure: Any = None) -> Runs:
    """Integrates runs of a model from t = 0 to t_end (the model's span), in SIMD lanes and on threads.

    model: as saltus.Model takes it.  params, initial: mappings NAME: number or array [n], or arrays [n, n_param] and [n, n_state];
    presets where nothing is said, and one row is that of all runs.  Times and states are in the model's units, or texts with one: "1.2 kN", "5 ms".
    None is the preset of an argument, and 0 is a number.
    rtol, atol: 1e-14 .. 0.1, atol the same as rtol without it.  scale: a mapping STATE: number, or an array [n_state]: the absolute tolerance of a
    state is atol times this (its scale in the model, 1 as a rule).  samples: intervals of a mesh on which states are kept.
    events: how many changes of contacts are kept of each run.  lanes: 1, 4 or 8; None: the widest there are.
    measure: {NAME: "FUNCTION(ARGUMENTS) [from TIME] [in UNIT]"}, numbers taken from each whole run, beside those of the model's text: max, min, mean and rms
    of an expression of states, parameters and t, value(EXPRESSION, TIME), count and rate(CONTACT), loss(EXPRESSION, CONTACT) where it closes,
    last(EXPRESSION, CONTACT, HOW MANY) after it has closed; results are in Runs.measures.  Or names alone, ["peak", "impacts"], of measures that any model
    has: peak and low of positions, speed of velocities, impacts and loss of contacts, all.
    budget: the most work of a run in evaluations of f (1e8, of functions 1e6); one that needs more ends with "over_budget".
    Results have the same bits for any lanes and threads.  A run that cannot go on is an outcome, and a warning, OutcomeWarning; what is
    out of range raises InvalidError before anything runs.  Ctrl-C ends all runs, also inside of a function of the model's.
    """
    _interrupts.refuse_inside_advise("integrate")
    model = _models.model(model)
    samples, events = _arguments.whole("samples", samples), _arguments.whole("events", events)
    params, initial = model.params_of(params), model.states_of(initial)
    n = max(len(params), len(initial))
    for what, rows in (("params", params), ("initial", initial)):
        if len(rows) not in (1, n):
            raise errors.InvalidError(f"{what}: {len(rows)} rows, and {n} runs; allowed: 1 or {n}")
    params, initial = (np.ascontiguousarray(np.broadcast_to(rows, (n, rows.shape[1]))) for rows in (params, initial))
    halt = ctypes.c_int(0)
    t_end, max_step = (_models.measured(name, value, model.time) for name, value in (("t_end", t_end), ("max_step", max_step)))
    scale = _scales(model, scale)
    setup = _library.Setup(
        _arguments.word("solver", solver), _arguments.word("strategy", strategy), _arguments.real("rtol", rtol, **_arguments.TOLERANCE),
        _arguments.real("atol", atol, **_arguments.TOLERANCE), _arguments.real("t_end", t_end, **_arguments.POSITIVE),
        _arguments.real("max_step", max_step, **_arguments.POSITIVE), _arguments.lanes(lanes), model.threads(threads), ctypes.pointer(halt),
        _arguments.real("budget", budget, **_arguments.BUDGET), _at(scale))
    measures, columns = _measures(model, measure)
    out = Runs(model, params, setup.t_end or model.span, n, samples, events, columns)
    runs = _library.Runs(n, params.ctypes.data, initial.ctypes.data, out.end.ctypes.data, out.figures.ctypes.data, samples, _at(out.state),
                         events, _at(out.event), _at(out.event_state), measures._as_parameter_ if columns else None, _at(out.measured))
    call = _library.library().saltus_integrate
    model.call(lambda: call(model._pointer, ctypes.byref(setup), ctypes.byref(runs)), halt)
    if message := _unfinished(out):
        warnings.warn(message, errors.OutcomeWarning, stacklevel=2)
    return out


def _measures(model, measure):
    """The handle of measures, and a Quantity of each column."""
    if isinstance(measure, str):
        measure = [measure]
    if isinstance(measure, (list, tuple)):
        measure = dict.fromkeys(_arguments.string("measure", name) for name in measure)
    if measure is not None and not hasattr(measure, "items"):
        raise errors.InvalidError(f"measure: is of type {type(measure).__name__}; allowed: a mapping NAME: text, or names of measures that any model has")
    for name, text in (measure or {}).items():
        if set(_arguments.string("measure", name)) & set(":;\n") or set(_arguments.string(f"measure: {name}", text or "")) & set(";\n"):
            raise errors.InvalidError(f"measure: {name!r}: {text!r}; allowed: a name without a colon, a text of one line")
    lines = "\n".join(f"{name}: {text}" if text is not None else name for name, text in (measure or {}).items())
    each = _library.library()
    handle = _library.opened(each.saltus_measures_open, each.saltus_measures_close, model._pointer, _arguments.word("measure", lines))
    columns = []
    while (found := each.saltus_measures_column(handle, len(columns))).name:
        columns.append(_models._quantity(found))
    return handle, tuple(columns)


def _scales(model, scale):
    """[n_state], or None where there are none; states that are not named keep 1."""
    if scale is None:
        return None
    if hasattr(scale, "items"):
        names = [q.name for q in model.states]
        for name in scale:
            if name not in names:
                raise errors.InvalidError(f"scale: no state {name!r}; allowed: {', '.join(names)}")
        scale = [scale.get(name, 1.0) for name in names]
    found = np.ascontiguousarray(_arguments.array("scale", scale))
    if found.shape != (len(model.states),) or not np.all((found > 0) & (found <= 1e30)):
        raise errors.InvalidError(f"scale = {found}; allowed: {len(model.states)} numbers above 0, up to 1e30")
    return found


def _unfinished(runs):
    """A text with the reason and the time of runs that have ended early, "" where there are none."""
    found = []
    for outcome in np.unique(runs.outcome[~runs.completed]):
        which = np.flatnonzero((runs.outcome == outcome) & ~runs.completed)
        sentence = ctypes.c_char_p()
        word = _library.library().saltus_outcome(int(outcome), ctypes.byref(sentence)).decode()
        count = f"{len(which)} of {len(runs)} runs, the first of them run {which[0]}" if len(runs) > 1 else "the run"
        found.append(f"{count} ended at t = {runs.model.start + runs.t[which[0]]:.6g} with {word}: {sentence.value.decode()}")
    return "; ".join(found)


def _at(array):
    return None if array is None else array.ctypes.data
