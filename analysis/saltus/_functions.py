"""Models of Python functions, with SciPy's signatures."""

import ctypes
import functools
import inspect
import numbers

import numpy as np

from . import _arguments, _interrupts, _library, _models, errors

CLOSING, OPENING = 1, 2
_FLOAT, _Masked = np.dtype(np.float64), np.ma.MaskedArray
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


class _Call:
    """A call of the library, which runs the functions."""

    def __init__(self, halt):
        self.halt, self.gate, self.failure = halt, _interrupts.Gate(), None

    def failed(self, why):
        """Keeps what a function has raised and ends the call."""
        self.gate.inside = False
        self.failure = self.failure or why
        self.halt.value = 1
        return 1


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

    fun(t, y, *args) -> dy/dt [n]; with a parameter named `closed` it gets a tuple of which contacts are closed.
    events: event(t, y, *args) -> number, one or several, each a contact: its event is where the number passes through 0, downwards where the
    attribute `direction` is -1, upwards where it is 1, either way where it is 0 or missing.  `terminal`: it ends the run, unless it has a reset.
    reset: reset(k, t, y) -> y after event k, or a list with a function (t, y) -> y, or None, for each event.
    Infinitely many resets in a finite time, as of a ball that comes to rest, leave the contact closed and its speed 0; a fun that does not hold it there by
    `closed` ends with the outcome "zeno", at that time.
    args: more arguments; those that are numbers are the model's parameters p0, p1, ..

    Functions are called in the thread that calls integrate or advise, as solve_ivp calls them. An exception of one ends that call, and is raised there;
    so does Ctrl-C, whatever a function does.
    """

    def __init__(self, fun, t_span, y0, *, events=None, reset=None, args=(), name=None):
        self._again = functools.partial(type(self), fun, t_span, y0, events=events, reset=reset, args=args, name=name)
        self.start, t_end = _arguments.span(t_span)
        self._fun, self._args = fun, tuple(args)
        self._y0 = np.ascontiguousarray(_arguments.array("y0", y0))
        if self._y0.ndim != 1 or not self._y0.size:
            raise errors.InvalidError(f"y0 has shape {self._y0.shape}; allowed: [n]")
        self._events = [] if events is None else [events] if callable(events) else list(events)
        self._numbers = [i for i, value in enumerate(self._args) if isinstance(value, numbers.Real) and not isinstance(value, bool)]
        self._asks_mode = "closed" in _parameters(fun)
        self._views = {n: _Views(n) for n in {self._y0.size, len(self._numbers), len(self._events)} - {0}}
        self._states = self._views[self._y0.size]
        self._turn, self._call = _interrupts.Turn(), _Call(ctypes.c_int(0))
        self._contacts(reset)
        self._try_once()
        self._open(t_end - self.start, name or getattr(fun, "__name__", "functions"))

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
            start = self._number(k, self.start, self._y0, self._args)
            self._signs.append(-direction if direction else 1.0 if start >= 0 else -1.0)
            has = self._resets[k] is not None
            self._given_contacts[k].resets = (CLOSING if direction else CLOSING | OPENING) if has else 0
            self._given_contacts[k].ends = int(bool(getattr(event, "terminal", False)) and not has)

    def _try_once(self):
        """Raises the errors of the start at once."""
        closed = (False,) * len(self._events)
        self._checked("fun", self._fun(self.start, self._y0.copy(), *self._args, **({"closed": closed} if self._asks_mode else {})))

    def _open(self, span, name):
        param = np.array([float(self._args[i]) for i in self._numbers])
        self._calls = _F(self._f), _GAPS(self._gaps), _JUMP(self._jump)
        given = _Given(_arguments.word("name", name), self._y0.size, len(param), len(self._events), span, self._y0.ctypes.data, param.ctypes.data,
                       self._given_contacts, None, *self._calls)
        self._take(_library.library().saltus_model_of_functions, ctypes.byref(given))

    def __reduce__(self):
        return self._again, ()

    # ---- calls from C: 0, or 1 where something was raised ----

    def _args_at(self, p):
        if not self._numbers:
            return self._args
        args, values = list(self._args), self._views[len(self._numbers)].at(p)
        for i, value in zip(self._numbers, values):
            args[i] = float(value)
        return args

    def _checked(self, what, value):
        value = _reals(what, value)
        if value.shape != self._y0.shape:
            raise errors.InvalidError(f"{what} returns an array of shape {value.shape}; allowed: {self._y0.shape}, as y0")
        return value

    def _number(self, k, t, y, args):
        value = _reals(f"events[{k}]", self._events[k](t, y.copy(), *args))
        if value.size != 1:
            raise errors.InvalidError(f"events[{k}] returns an array of shape {value.shape}; allowed: a number")
        return value.item()

    def _f(self, _, t, y, p, closed, out):
        call, gate = self._call, self._call.gate
        try:
            gate.inside = True
            if gate.kept:
                gate.handle()
            states = self._states
            if self._asks_mode:
                modes = (ctypes.c_int * len(self._events)).from_address(closed) if self._events else ()
                value = self._fun(self.start + t, states.at(y).copy(), *self._args_at(p), closed=tuple(mode != 0 for mode in modes))
            else:
                value = self._fun(self.start + t, states.at(y).copy(), *self._args_at(p))
            states.at(out)[:] = self._checked("fun", value)
            gate.inside = False
        except BaseException as why:
            return call.failed(why)
        return 0

    def _gaps(self, _, t, y, p, out):
        call, gate = self._call, self._call.gate
        try:
            gate.inside = True
            if gate.kept:
                gate.handle()
            state, args, gap = self._states.at(y), self._args_at(p), self._views[len(self._events)].at(out)
            for k, sign in enumerate(self._signs):
                gap[k] = sign * self._number(k, self.start + t, state, args)
            gate.inside = False
        except BaseException as why:
            return call.failed(why)
        return 0

    def _jump(self, _, k, closes, t, y, p):
        call, gate = self._call, self._call.gate
        try:
            gate.inside = True
            if gate.kept:
                gate.handle()
            state = self._states.at(y)
            state[:] = self._checked(f"reset of event {k}", self._resets[k](self.start + t, state.copy()))
            gate.inside = False
        except BaseException as why:
            return call.failed(why)
        return 0

    def threads(self, value):
        if _arguments.threads(value) != 1:
            raise errors.InvalidError(f"threads = {value}; allowed with functions: 1, since they are called in the thread of the caller")
        return 1

    def call(self, function, halt):
        """Runs it in this thread, so that functions are called here, and signals end them. Other threads that share the model wait."""
        with self._turn:
            before, self._call = self._call, _Call(halt)
            call = self._call
            try:
                with call.gate:
                    status = function()
            finally:
                self._call = before
        if call.failure is not None:
            raise call.failure
        _library.check(status)


def _reals(what, value):
    """The value of a function, as an array of float64."""
    found = np.asarray(value)
    if found.dtype is not _FLOAT or isinstance(value, _Masked):
        return _arguments.array(f"the value of {what}", value)
    return found


def _parameters(fun):
    try:
        return inspect.signature(fun).parameters
    except (TypeError, ValueError):  # of a function in C
        return {}
