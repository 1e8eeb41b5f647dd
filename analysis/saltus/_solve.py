"""solve_ivp with SciPy's signature and result, by our solvers and handling of events."""

from typing import Any, Callable, List, Optional, Sequence, Union

import numpy as np

from . import _arguments, _functions, _runs, errors

METHODS = {"RK45": "ode45", "RK23": "ode23", "DOP853": "dop853", "Radau": "radau5", "BDF": "ode15s"}
INTERVALS = 200  # of the times without t_eval
MOST_INTERVALS = 10**6
EVENTS = 1000  # that are kept at first


class Result(dict):
    """As scipy.optimize.OptimizeResult: a dictionary whose items are attributes.

    t [m], y [n, m]: times and states; t_events, y_events: an array for each event; status: 0, 1 (a terminal event), -1 (failed); message, success;
    nfev, njev, nlu; sol is None.  Further: outcome, the word for how it ended, and steps.
    """

    __setattr__ = dict.__setitem__

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return list(self)

    def __repr__(self):
        wide = max(map(len, self), default=0)
        return "\n".join(f"{name.rjust(wide)}: {value!r}" for name, value in self.items())


def solve_ivp(fun: Callable, t_span: Sequence, y0: Any, method: str = "RK45", t_eval: Any = None, dense_output: bool = False, events: Any = None, vectorized: bool = False,
              args: Optional[tuple] = None, *, reset: Any = None, rtol: float = 1e-3, atol: Any = 1e-6, max_step: Optional[float] = np.inf, first_step: None = None, jac: Any = None,
              budget: Optional[float] = None) -> Union[Result, List[Result]]:
    """scipy.integrate.solve_ivp with resets: a Result, or for y0 [m, n] a list of one for each row.

    fun, t_span, y0, events (their `terminal` and `direction`), args: as SciPy takes them; reset: y after an event, as saltus.Functions takes it.
    method: SciPy's RK45, RK23, DOP853, Radau, BDF (our solvers of the same formulas), or any of saltus.solvers(). rtol, atol: a number, or of atol one for each state.
    t_eval: times at equal distances, or some of such; None: 201 of them and the end.  jac is not used: implicit solvers form differences.
    dense_output and first_step are not allowed.  Our error test takes the largest error of the states where SciPy's takes a mean.
    """
    for name, value in (("dense_output", dense_output), ("first_step", first_step)):
        if value:
            raise errors.InvalidError(f"{name} = {value!r}; allowed: {name}={'False' if name == 'dense_output' else None}; t_eval names times")
    rows = _arguments.array("y0", y0)
    if rows.ndim not in (1, 2) or not rows.size:
        raise errors.InvalidError(f"y0 has shape {rows.shape}; allowed: [n], or [m, n] for m runs")
    start, end = _arguments.span(t_span)
    rtol = _arguments.real("rtol", rtol, **_arguments.TOLERANCE)
    floor = np.broadcast_to(_arguments.array("atol", atol), rows.shape[-1:])
    if not np.all(floor > 0):
        raise errors.InvalidError(f"atol = {atol!r}; allowed: above 0")
    _check_terminals(events, reset)
    every = rows.reshape(-1, rows.shape[-1])
    model = _functions.Functions(fun, (start, end), every[0], events=events, reset=reset, args=args or ())
    samples = _samples(t_eval, start, end)
    give = dict(initial=every, solver=METHODS.get(method, method), rtol=rtol, atol=rtol, scale=floor / rtol,
                max_step=None if max_step is None or np.isinf(max_step) else max_step, samples=samples, budget=budget)
    runs = _runs.integrate(model, events=EVENTS if events is not None else 0, **give)
    if events is not None and runs.events.max() > EVENTS:
        runs = _runs.integrate(model, events=int(runs.events.max()), **give)
    found = [_result(runs, i, start, t_eval, events) for i in range(len(runs))]
    return found[0] if rows.ndim == 1 else found


def _check_terminals(events, reset):
    """A run ends at the first event of a terminal one, and an event with a reset goes on."""
    for k, event in enumerate([events] if callable(events) else events or ()):
        terminal = getattr(event, "terminal", False)
        if terminal not in (False, True):
            raise errors.InvalidError(f"events[{k}].terminal = {terminal!r}; allowed: False, True")
        if terminal and reset is not None and (callable(reset) or list(reset)[k] is not None):
            raise errors.InvalidError(f"events[{k}]: terminal, and with a reset; allowed: one of them")


def _samples(t_eval, start, end):
    """Intervals of a mesh over the span that has all times of t_eval."""
    if t_eval is None:
        return INTERVALS
    t = _arguments.array("t_eval", t_eval)
    if t.ndim != 1 or not t.size or np.any(np.diff(t) <= 0) or t[0] < start or t[-1] > end + 1e-14 * (end - start):
        raise errors.InvalidError(f"t_eval: allowed: ascending times in [{start:g}, {end:g}]")
    gaps = np.diff(np.concatenate([[start], t, [end]]))
    least = gaps[gaps > 1e-9 * (end - start)].min()
    for part in range(1, 65):
        n = (end - start) * part / least
        if n > MOST_INTERVALS:
            break
        places = (t - start) * round(n) / (end - start)
        if abs(n - round(n)) < 1e-6 * n and np.abs(places - np.round(places)).max() < 1e-6:
            return round(n)
    raise errors.InvalidError("t_eval: its times are not multiples of a part of t_span; allowed: numpy.linspace(*t_span, m), or some of such times")


def _result(runs, i, start, t_eval, events):
    t, y = start + runs.times, runs.state[i]
    reached = start + float(runs.t[i])
    if t_eval is not None:
        at = np.rint((np.asarray(t_eval, float) - start) * (len(t) - 1) / (t[-1] - start)).astype(int)
        t, y = np.asarray(t_eval, float), y[at]
    went = (t <= reached + 1e-12 * (t[-1] - start)) & np.isfinite(y).all(axis=1)
    t, y = t[went], y[went]
    if t_eval is None and (not t.size or t[-1] < reached):
        t, y = np.append(t, reached), np.vstack([y, runs.end[i]])
    done, outcome = bool(runs.completed[i]), str(runs.outcomes[i])
    status = (1 if outcome == "ended" else 0) if done else -1
    message = {0: "The solver successfully reached the end of the integration interval.", 1: "A termination event occurred."}.get(
        status, f"The run ended early: {outcome}.")
    out = Result(message=message, success=done, status=status, t=t, y=y.T, sol=None, t_events=None, y_events=None, nfev=int(runs.evaluations[i]),
                 njev=max(int(runs.jacobians[i]), 0), nlu=max(int(runs.factorisations[i]), 0), outcome=outcome, steps=int(runs.steps[i]))
    if events is not None:
        out.t_events, out.y_events = _events(runs, i, start, [events] if callable(events) else list(events))
    return out


def _events(runs, i, start, events):
    """Times and states after each event; one with a direction counts where it closes its contact."""
    seen, state = runs.event[i], runs.event_state[i]
    when, where = [], []
    for k, event in enumerate(events):
        mine = seen["contact"] == k
        if getattr(event, "direction", 0):
            mine &= seen["closes"] == 1
        when.append(start + seen["t"][mine])
        where.append(state[mine])
    return when, where
