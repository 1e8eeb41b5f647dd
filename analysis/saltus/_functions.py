"""Models of Python functions, with SciPy's signatures."""

import ctypes
import inspect
import numbers

import numpy as np

from . import _library, _models, errors

CLOSING, OPENING = 1, 2
MOST_VIEWS = 4096  # arrays that are kept of places in memory

_F = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p, ctypes.c_double, *[ctypes.c_void_p] * 4])
_GAPS = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p, ctypes.c_double, *[ctypes.c_void_p] * 3])
_JUMP = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 2])


class _Contact(ctypes.Structure):
    _fields_ = [("resets", ctypes.c_int), ("ends", ctypes.c_int)]


class _Given(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("n_state", ctypes.c_int), ("n_param", ctypes.c_int), ("n_contact", ctypes.c_int), ("span", ctypes.c_double),
                ("initial", ctypes.c_void_p), ("param", ctypes.c_void_p), ("contact", ctypes.POINTER(_Contact)), ("with_", ctypes.c_void_p),
                ("f", _F), ("gaps", _GAPS), ("jump", _JUMP)]


class _Views:
    """Arrays of n doubles at addresses that come again and again."""

    def __init__(self, n):
        self.n, self.known = n, {}

    def at(self, address):
        view = self.known.get(address)
        if view is None:
            if len(self.known) >= MOST_VIEWS:
                self.known.clear()
            view = self.known[address] = np.frombuffer((ctypes.c_double * self.n).from_address(address))
        return view


class Functions(_models.Model):
    """A model of Python functions, as scipy.integrate.solve_ivp takes them; it runs at width 1.

    fun(t, y, *args) -> dy/dt [n]; with a parameter named `closed` it gets a tuple that says which contacts are closed.
    events: event(t, y, *args) -> number, one or several, each a contact: its event is where the number passes through 0, downwards where the
    attribute `direction` is -1, upwards where it is 1, either way where it is 0 or missing.  `terminal`: it ends the run, unless it has a reset.
    reset: reset(k, t, y) -> y after event k, or a list with a function (t, y) -> y, or None, for each event.
    args: more arguments; those that are numbers are the model's parameters p0, p1, ..

    What a function raises ends the call that runs it, and is raised there.
    """

    def __init__(self, fun, t_span, y0, *, events=None, reset=None, args=(), name=None):
        self._t0, t_end = (float(t) for t in t_span)
        self._fun, self._args = fun, tuple(args)
        self._y0 = np.ascontiguousarray(y0, dtype=np.float64)
        if self._y0.ndim != 1 or not self._y0.size:
            raise errors.InvalidError(f"y0 has shape {self._y0.shape}; allowed: [n]")
        if not t_end > self._t0:
            raise errors.InvalidError(f"t_span: from {self._t0:g} to {t_end:g}; allowed: forwards in time")
        self._events = [] if events is None else [events] if callable(events) else list(events)
        self._numbers = [i for i, value in enumerate(self._args) if isinstance(value, numbers.Real) and not isinstance(value, bool)]
        self._asks_mode = "closed" in _parameters(fun)
        self._views = {n: _Views(n) for n in {self._y0.size, len(self._numbers), len(self._events)} - {0}}
        self._failure, self._halt = None, ctypes.c_int(0)
        self._contacts(reset)
        self._try_once()
        self._open(t_end - self._t0, name or getattr(fun, "__name__", "functions"))

    # ---- what is given ----

    def _contacts(self, reset):
        n = len(self._events)
        if reset is None:
            self._resets = [None] * n
        elif callable(reset):
            self._resets = [lambda t, y, k=k: reset(k, t, y) for k in range(n)]
        else:
            self._resets = list(reset)
        if len(self._resets) != n:
            raise errors.InvalidError(f"reset: {len(self._resets)} for {n} events; allowed: one for each")
        self._signs, self._given_contacts = [], (_Contact * max(n, 1))()
        for k, event in enumerate(self._events):
            direction = np.sign(getattr(event, "direction", 0) or 0)
            start = self._number(k, self._t0, self._y0, self._args)
            self._signs.append(-direction if direction else 1.0 if start >= 0 else -1.0)
            has = self._resets[k] is not None
            self._given_contacts[k].resets = (CLOSING if direction else CLOSING | OPENING) if has else 0
            self._given_contacts[k].ends = int(bool(getattr(event, "terminal", False)) and not has)

    def _try_once(self):
        """What is wrong at the start is raised at once."""
        closed = (False,) * len(self._events)
        self._checked("fun", self._fun(self._t0, self._y0.copy(), *self._args, **({"closed": closed} if self._asks_mode else {})))

    def _open(self, span, name):
        param = np.array([float(self._args[i]) for i in self._numbers])
        self._calls = _F(self._f), _GAPS(self._gaps), _JUMP(self._jump)
        given = _Given(name.encode(), self._y0.size, len(param), len(self._events), span, self._y0.ctypes.data, param.ctypes.data,
                       self._given_contacts, None, *self._calls)
        pointer = _library.opened(_library.library().saltus_model_of_functions, ctypes.byref(given))
        self._take(pointer)

    # ---- calls from C: 0, or 1 where something was raised ----

    def _args_at(self, p):
        if not self._numbers:
            return self._args
        args, values = list(self._args), self._views[len(self._numbers)].at(p)
        for i, value in zip(self._numbers, values):
            args[i] = float(value)
        return args

    def _checked(self, what, value):
        value = np.asarray(value, dtype=np.float64)
        if value.shape != self._y0.shape:
            raise errors.InvalidError(f"{what} returns an array of shape {value.shape}; allowed: {self._y0.shape}, as y0")
        return value

    def _number(self, k, t, y, args):
        value = np.asarray(self._events[k](t, y.copy(), *args), dtype=np.float64)
        if value.size != 1:
            raise errors.InvalidError(f"events[{k}] returns an array of shape {value.shape}; allowed: a number")
        return value.item()

    def _kept(self, why):
        self._failure = self._failure or why
        self._halt.value = 1
        return 1

    def _f(self, _, t, y, p, closed, out):
        try:
            states = self._views[self._y0.size]
            more = {}
            if self._asks_mode:
                modes = (ctypes.c_int * len(self._events)).from_address(closed) if self._events else ()
                more["closed"] = tuple(mode != 0 for mode in modes)
            states.at(out)[:] = self._checked("fun", self._fun(self._t0 + t, states.at(y).copy(), *self._args_at(p), **more))
        except BaseException as why:
            return self._kept(why)
        return 0

    def _gaps(self, _, t, y, p, out):
        try:
            state, args, gap = self._views[self._y0.size].at(y), self._args_at(p), self._views[len(self._events)].at(out)
            for k, sign in enumerate(self._signs):
                gap[k] = sign * self._number(k, self._t0 + t, state, args)
        except BaseException as why:
            return self._kept(why)
        return 0

    def _jump(self, _, k, closes, t, y, p):
        try:
            state = self._views[self._y0.size].at(y)
            state[:] = self._checked(f"reset of event {k}", self._resets[k](self._t0 + t, state.copy()))
        except BaseException as why:
            return self._kept(why)
        return 0

    def call(self, function, halt):
        self._failure, self._halt = None, halt
        try:
            return super().call(function, halt)
        except errors.Error:
            if self._failure is None:
                raise
        why, self._failure = self._failure, None
        raise why


def _parameters(fun):
    try:
        return inspect.signature(fun).parameters
    except (TypeError, ValueError):  # of a function in C
        return {}
