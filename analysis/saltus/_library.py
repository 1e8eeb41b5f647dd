"""libsaltus by ctypes: structures as in saltus/saltus.h, and calls that raise."""

import ctypes
import functools
import weakref
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int, c_int64, c_void_p

import numpy as np

from . import _find, errors


class Facts(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("name", "title", "source", "note", "time")] + [
        ("span", c_double), ("n_param", c_int), ("n_state", c_int), ("n_contact", c_int), ("watched", c_int),
        ("n_count", c_int)]


class Quantity(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("what", c_char_p), ("preset", c_double), ("least", c_double),
                ("most", c_double), ("word", POINTER(c_char_p))]


class Setup(ctypes.Structure):
    _fields_ = [("solver", c_char_p), ("strategy", c_char_p), ("rtol", c_double), ("atol", c_double), ("t_end", c_double),
                ("max_step", c_double), ("lanes", c_int), ("threads", c_int), ("halt", POINTER(c_int)), ("budget", c_double), ("scale", c_void_p)]


class Runs(ctypes.Structure):
    _fields_ = [("n", c_int64), ("param", c_void_p), ("initial", c_void_p), ("end", c_void_p), ("figures", c_void_p),
                ("samples", c_int64), ("state", c_void_p), ("most_events", c_int64), ("event", c_void_p),
                ("event_state", c_void_p), ("measures", c_void_p), ("measured", c_void_p)]


class Choices(ctypes.Structure):
    _fields_ = [(name, c_char_p) for name in ("solvers", "strategies", "program", "by", "work", "f_costs", "steps", "lanes")]


class Axis(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("lo", c_double), ("hi", c_double), ("whole", c_int)]


class Configuration(ctypes.Structure):
    _fields_ = [("solver", c_char_p), ("strategy", c_char_p), ("rtol", c_double)]


CHOICE = [
    # Members of a choice, from src/answers/answer.def:
    ("solver", c_char_p),
    ("strategy", c_char_p),
    ("rtol", c_double),
    ("probability", c_double),
    ("error", c_double),
    ("work", c_double),
    ("total", c_double),
    # End of the members.
]
ANSWER = [
    # Members of an answer, from src/answers/answer.def:
    ("runner_up_solver", c_char_p),
    ("runner_up_strategy", c_char_p),
    ("margin", c_double),
    ("confidence", c_double),
    ("other_solver", c_char_p),
    ("other_strategy", c_char_p),
    ("other_margin", c_double),
    ("other_confidence", c_double),
    ("reason", c_char_p),
    # End of the members.
]


class Choice(ctypes.Structure):
    _fields_ = [*CHOICE, ("call", c_char_p), ("needed", c_double)]


class Answer(ctypes.Structure):
    _fields_ = [("best", Choice), ("safe", Choice), ("n_attempt", c_int), ("schedule", Choice * 41), *ANSWER,
                ("predicted", c_double), ("observed", c_double), ("estimated_error", c_double), ("attempts", c_int), ("n_outside", c_int), ("unit", c_char * 64)]


class Around(ctypes.Structure):
    _fields_ = [("param", c_void_p), ("initial", c_void_p), ("error", c_double), ("t_end", c_double), ("share", c_double), ("cells", c_int64),
                ("program", c_char_p), ("threads", c_int), ("halt", POINTER(c_int)), ("seconds", c_double)]


COUNTS = ("steps", "failed", "evaluations", "jacobians", "factorisations", "solves", "events")
FIGURES = np.dtype([("t", "f8"), ("outcome", "i4"), ("completed", "i4"), *((name, "i8") for name in COUNTS)])
EVENT = np.dtype([("t", "f8"), ("contact", "i4"), ("closes", "i4")])

SIGNATURES = {  # name: (result, arguments)
    "saltus_message": (c_char_p, []),
    "saltus_version": (c_char_p, []),
    "saltus_name": (c_char_p, [c_int, c_int]),
    "saltus_model_open": (c_int, [c_char_p, POINTER(c_void_p)]),
    "saltus_model_parse": (c_int, [c_char_p, POINTER(c_void_p)]),
    "saltus_model_members": (c_int, [c_void_p, POINTER(c_double), POINTER(c_void_p)]),
    "saltus_model_of_functions": (c_int, [c_void_p, POINTER(c_void_p)]),
    "saltus_model_close": (None, [c_void_p]),
    "saltus_model_about": (Facts, [c_void_p]),
    "saltus_model_param": (Quantity, [c_void_p, c_int]),
    "saltus_model_state": (Quantity, [c_void_p, c_int]),
    "saltus_value": (c_int, [c_char_p, c_char_p, c_char_p, POINTER(c_double)]),
    "saltus_model_event": (c_char_p, [c_void_p, c_int, c_int]),
    "saltus_measures_open": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "saltus_measures_column": (Quantity, [c_void_p, c_int]),
    "saltus_measures_close": (None, [c_void_p]),
    "saltus_integrate": (c_int, [c_void_p, POINTER(Setup), POINTER(Runs)]),
    "saltus_outcome": (c_char_p, [c_int, POINTER(c_char_p)]),
    "saltus_cube_open": (c_int, [c_char_p, POINTER(Choices), POINTER(c_void_p)]),
    "saltus_cube_close": (None, [c_void_p]),
    "saltus_cube_axis": (Axis, [c_void_p, c_int]),
    "saltus_cube_ask": (c_int, [c_void_p, c_char_p, c_double, c_double, POINTER(Answer)]),
    "saltus_cube_config": (Configuration, [c_void_p, c_int]),
    "saltus_cube_costs": (c_int, [c_void_p, c_int64, c_void_p, c_int, c_void_p, c_void_p, c_void_p]),
    "saltus_cube_runs": (c_int, [c_void_p, c_int64, c_void_p, c_void_p, c_void_p]),
    "saltus_advise": (c_int, [c_void_p, POINTER(Around), POINTER(Answer)]),
}


@functools.cache
def library():
    """The library, of the same major version as this package."""
    path = _find.library()
    try:
        found = ctypes.CDLL(path)
    except OSError as why:
        raise errors.FileError(f"libsaltus cannot be loaded: {why}; $SALTUS_LIBRARY may name it") from None
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    _find.check_version(path, found.saltus_version().decode())
    return found


def check(status):
    """Raises the library's message of this thread if a call has failed."""
    if status:
        raise errors.of(status, library().saltus_message().decode(errors="replace"))


def value(what, text, unit):
    """The number of a text such as "1.5 kN", in `unit`."""
    out = c_double()
    check(library().saltus_value(what.encode(), text.encode(), unit.encode(), byref(out)))
    return out.value


class Handle:
    """A pointer that the library has handed out. It is given back with the last object that holds the handle, whatever is copied."""

    def __init__(self, pointer, close):
        self._as_parameter_ = pointer  # what ctypes passes
        weakref.finalize(self, close, pointer)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError("a pointer of the library cannot be pickled")


def opened(function, close, *args):
    """The Handle of what a function hands out in its last argument."""
    out = c_void_p()
    check(function(*args, byref(out)))
    return Handle(out, close)


def names(which):
    """All names of a list of saltus_name."""
    found, i = [], 0
    while (name := library().saltus_name(which, i)) is not None:
        found.append(name.decode())
        i += 1
    return found
