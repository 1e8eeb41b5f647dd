"""Which solver for a model, or for functions, at a point: from runs made now."""

import ctypes
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _arguments, _cubes, _functions, _interrupts, _library, _models, errors

MOST_CELLS = 100_000


def advise(fun: Any, t_span: Sequence, y0: Any = None, *, error: Union[float, str], events: Any = None, reset: Any = None, args: tuple = (), having: Optional[str] = "scipy",
           around: Optional[float] = None, cells: Optional[int] = None, threads: int = 1, params: Any = None, seconds: Optional[float] = None) -> _cubes.Answer:
    """Which solver, strategy and tolerance reach the error, with least expected work: an Answer.

    fun, t_span, y0, events, args: as scipy.integrate.solve_ivp takes them (`events`, `reset` and `args`: see Functions); or, in place of
    functions, a model as saltus.Model takes it, with `params` and y0 its parameters and states.
    error: the largest that is allowed, on all of t_span, of the first state (of a model, the one that it watches), in its unit, or "1mm".
    having: the program whose solvers may answer ("scipy", "matlab", "julia", "octave"); None or "saltus": all of ours.
    Errors are those of our solvers. SciPy's error test takes a mean over the states where ours takes the largest: at the same rtol its runs
    were seen to err up to 8 times as much, so ask for less where the error has to be kept there.
    Around the point `cells` runs of each solver, strategy and tolerance are made (None: as few as an answer needs), for which states that are not 0
    and numbers among `args` vary by the share `around` (None: 0.05), and each is measured against a reference.  Where more than a quarter of the references do not reach the error, and `cells` is None,
    solvers run at the point alone, each beside another one: the answer has no schedule and no probability.  Work is counted in evaluations of fun, so that
    slow functions make the answer no other one.  With `seconds`, by the clock, there are as many cells, quantities, solvers and tolerances as there is time
    for (None: any).  Functions are called in this thread; what one raises, and Ctrl-C, end all of it. A function
    that is called here may not call advise or integrate.
    """
    with _interrupts.advising():
        return _asked(fun, t_span, y0, error, events, reset, args, having, around, cells, threads, params, seconds)


def _asked(fun, t_span, y0, error, events, reset, args, having, around, cells, threads, params, seconds):
    if callable(fun):
        if y0 is None or params is not None:
            raise errors.InvalidError("functions take y0, and `args` in place of `params`")
        model = _functions.Functions(fun, t_span, y0, events=events, reset=reset, args=args)
        param = initial = None
    else:
        if events is not None or reset is not None or args:
            raise errors.InvalidError("events, reset and args go with functions; a model has its own")
        model = _models.model(fun)
        param, initial = model.params_of(params), model.states_of(y0)
        if len(param) != 1 or len(initial) != 1:
            raise errors.InvalidError("params and y0 are those of one point")
        if _arguments.span(t_span)[0] != 0:
            raise errors.InvalidError(f"t_span: from {t_span[0]:g}; allowed with a model: from 0")
    start, end = _arguments.span(t_span)
    error = _models.measured("error", error, next(q.unit for q in model.states if q.name == model.watched))
    halt, found = ctypes.c_int(0), _library.Answer()
    asked = _library.Around(
        _at(param), _at(initial), _arguments.real("error", error, **_arguments.POSITIVE), end - start,
        _arguments.real("around", around, above=0, most=0.9), _arguments.whole("cells", cells, least=1, most=MOST_CELLS),
        _arguments.word("having", having), model.threads(threads), ctypes.pointer(halt), _arguments.real("seconds", seconds, **_arguments.POSITIVE))
    model.call(lambda: _library.library().saltus_advise(model._pointer, ctypes.byref(asked), ctypes.byref(found)), halt)
    return _cubes.answer_of(found)


def _at(array):
    return None if array is None else np.ascontiguousarray(array).ctypes.data
