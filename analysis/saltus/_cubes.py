"""Cubes: as xarray.Datasets, what they answer, reports and pictures of them."""

import builtins
import contextlib
import ctypes
import dataclasses
import functools
import html
import io
import os
import tempfile

import numpy as np
import xarray as xr

from . import _arguments, _library, _scripts, errors

BLOCK = 2048  # points of one call of the library


@dataclasses.dataclass(frozen=True)
class Choice:
    """A solver with a strategy at a tolerance."""

    # Members of a choice, from src/answers/answer.def:
    solver: str  # solver and strategy of least expected total work
    strategy: str  # solver and strategy of least expected total work
    rtol: float  # its tolerance
    probability: float  # probability that a run reaches the asked error
    error: float  # expected error of a run, the median [that of the error]
    work: float  # expected work of a run, the median [evaluations of f, or s]
    total: float  # expected work with the attempts that follow a miss [evaluations of f, or s]
    # End of the members.
    needed: float = 1.0  # probability that this attempt of a schedule is needed
    call: str = None  # what is written for it in the program that was asked for; None: nothing is known

    def __str__(self):
        return f"{self.solver} with {self.strategy} at rtol {self.rtol:.3g}"


@dataclasses.dataclass(frozen=True)
class Answer(Choice):
    """The choice of least expected total work, and how far to trust it."""

    schedule: tuple = ()  # of Choice: what to try, each after a miss of the one before; the first is the answer, unless it missed at the point
    safe: Choice = None  # the least work with a probability of 0.99; None: there is none
    # Members of an answer, from src/answers/answer.def:
    runner_up_solver: str = None  # solver and strategy of the next least expected total work
    runner_up_strategy: str = None  # solver and strategy of the next least expected total work
    margin: float = float("nan")  # extra work of the runner-up, as a share of the total
    confidence: float = float("nan")  # probability that the answer needs less work than the runner-up
    other_solver: str = None  # solver and strategy of least expected total work of the other solvers
    other_strategy: str = None  # solver and strategy of least expected total work of the other solvers
    other_margin: float = float("nan")  # extra work of the best of the other solvers, as a share
    other_confidence: float = float("nan")  # probability that the answer needs less work than that one
    reason: str = None  # reason of the answer, or of none
    # End of the members.
    predicted: float = float("nan")  # at cells left out: mean probability, and the share that reached the error
    observed: float = float("nan")
    estimated_error: float = float("nan")  # of advise: that of the answer run at the point, beside a tighter run
    attempts: int = 0  # that advise has run at the point; the last is the answer if there is a schedule
    outside: int = 0  # quantities in which the point lies outside the cube, whose edge answered
    unit: str = "1"  # of errors

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{i}</td><td>{html.escape(str(c))}</td><td>{c.probability:.3g}</td><td>{c.work:.4g}</td></tr>"
                       for i, c in enumerate(self.schedule, 1))
        return f"<table><tr><th></th><th>use</th><th>reaches the error with probability</th><th>work</th></tr>{rows}</table>"


class Surrogate:
    """The surrogate of a cube; opened once, queried often.  Copies are the surrogate itself, and a pickle opens the cube again.

    solvers, strategies: names that may answer ("ode45,dop853" or a list); having: a program ("scipy", "matlab", "julia", ..) whose solvers
    alone may; by: the error that is asked for, such as "max_error"; work: weights of what counts as work, {"rhs": 1, "jacobian": 2} in
    evaluations of f; f_costs: the time of one evaluation of f, "1us" or in s, which makes work a time in s; steps, lanes: with it a file of
    `saltus calibrate-work`, and 1, 4 or 8.  None: all, or as in the sweep.
    """

    def __init__(self, path, *, solvers=None, strategies=None, having=None, by=None, work=None, f_costs=None, steps=None, lanes=None):
        given = {"solvers": solvers, "strategies": strategies, "having": having, "by": by,
                 "work": _arguments.pairs("work", work) if isinstance(work, dict) else work,
                 "f_costs": f_costs if f_costs is None or isinstance(f_costs, str) else f"{_arguments.real('f_costs', f_costs)!r} s",
                 "steps": steps if steps is None else _arguments.path("steps", steps), "lanes": lanes if lanes is None else str(lanes)}
        words = (_arguments.words(name, value) for name, value in given.items())
        self.path = _arguments.path("path", path)
        self._again = functools.partial(type(self), os.path.abspath(self.path), solvers=solvers, strategies=strategies, having=having, by=by,
                                        work=work, f_costs=f_costs, steps=steps, lanes=lanes)
        self._pointer = _library.opened(_library.library().saltus_cube_open, _library.library().saltus_cube_close, os.fsencode(self.path),
                                        ctypes.byref(_library.Choices(*words)))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return self._again, ()

    @property
    def axes(self):
        """{NAME: (lo, hi)} of the quantities that the cells differ in."""
        return {axis.name.decode(): (axis.lo, axis.hi) for axis in self._axes}

    @property
    def whole(self):
        """Names of the quantities that are integers, or numbers of an option's words."""
        return {axis.name.decode() for axis in self._axes if axis.whole}

    @functools.cached_property
    def _axes(self):
        found = []
        while (axis := _library.library().saltus_cube_axis(self._pointer, len(found))).name is not None:
            found.append(axis)
        return found

    def recommend(self, at, error, probability=None):
        """The Answer at a point, {"b": 1951, ..} or "b=1951,.."; error > 0 in the unit of the watched state; probability: least work
        of one run with this probability, None: least expected total work."""
        at = _arguments.word("at", at if isinstance(at, str) else _arguments.pairs("at", at))
        found = _library.Answer()
        _library.check(_library.library().saltus_cube_ask(
            self._pointer, at, _arguments.real("error", error, **_arguments.POSITIVE),
            _arguments.real("probability", probability, above=0, most=1), ctypes.byref(found)))
        return answer_of(found)


    @functools.cached_property
    def configurations(self):
        """[(solver, strategy, rtol)] in the order of `costs` and `runs`, which is [rtol][strategy][solver] of the cube."""
        found = []
        while (one := _library.library().saltus_cube_config(self._pointer, len(found))).solver is not None:
            found.append((one.solver.decode(), one.strategy.decode(), one.rtol))
        return found

    def costs(self, points, error):
        """(total, probability) of every configuration: the expected work with the attempts that follow a miss, in evaluations of f, and
        the probability that its run reaches the error.

        points: {NAME: numbers} for each of `axes`, an option by the number of its word, or an array [point][axis] in their order.
        error: one > 0, in the unit of answers, for arrays [point][configuration], or several for [error][point][configuration].  NaN:
        nothing is known of the configuration there, or it may not answer; of all configurations where none answers.
        """
        asked = np.array([_arguments.real("error", one, **_arguments.POSITIVE) for one in np.atleast_1d(np.asarray(error, dtype=object))])
        at = _points(points, list(self.axes))
        found = np.empty((2, asked.size, len(at), len(self.configurations)))
        for first in range(0, len(at), BLOCK):  # Ctrl-C is heeded between blocks
            some = np.ascontiguousarray(at[first:first + BLOCK])
            total, probability = (np.empty((asked.size, len(some), found.shape[-1])) for _ in range(2))
            _library.check(_library.library().saltus_cube_costs(self._pointer, len(some), some.ctypes.data, asked.size, asked.ctypes.data,
                                                                total.ctypes.data, probability.ctypes.data))
            found[:, :, first:first + BLOCK] = total, probability
        return tuple(found if np.ndim(error) else found[:, 0])

    def runs(self, cells):
        """(work, error) [cell][configuration] of the runs in these cells, numbers from 0: work in evaluations of f, the error of the
        reference included.  A failed run has an error of NaN, one stopped at its cutoff an infinite one; both are NaN of a run that was not
        made and of a configuration that may not answer."""
        cells = np.ascontiguousarray(np.atleast_1d(np.asarray(cells)), dtype=np.int64)
        found = tuple(np.empty((cells.size, len(self.configurations))) for _ in range(2))
        _library.check(_library.library().saltus_cube_runs(self._pointer, cells.size, cells.ctypes.data, *(a.ctypes.data for a in found)))
        return found


def _points(points, names):
    """[point][axis] of a mapping or an array."""
    if not isinstance(points, dict):
        found = np.atleast_2d(_arguments.array("points", points))
    elif {*points} != {*names}:
        raise errors.InvalidError(f"points: {', '.join(map(str, points))}; allowed: {', '.join(names)}, each once")
    else:
        found = np.stack(np.broadcast_arrays(*(np.atleast_1d(_arguments.array(f"points: {n}", points[n])) for n in names)), axis=-1)
    if found.ndim != 2 or found.shape[1] != len(names):
        raise errors.InvalidError(f"points: of shape {found.shape}; allowed: (number of points, {len(names)}) for {', '.join(names)}")
    return found


def answer_of(found):
    """The Answer of a structure of the library."""
    return Answer(**_members(found.best), **_members(found, _library.ANSWER), schedule=tuple(_choice(found.schedule[i]) for i in range(found.n_attempt)),
                  safe=_choice(found.safe), predicted=found.predicted, observed=found.observed, estimated_error=found.estimated_error, attempts=found.attempts,
                  outside=found.n_outside, unit=found.unit.decode())


def _members(found, fields=None):
    """{name: value} of a structure, texts decoded."""
    values = {name: getattr(found, name) for name, _ in fields or found._fields_}
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}


def _choice(found):
    return None if found.solver is None else Choice(**_members(found))


def open(path):
    """The cube of `saltus run` as an xarray.Dataset in memory, once the program has verified it; with .saltus.recommend(..)
    and the rest of Cube."""
    if not os.path.exists(_arguments.path("path", path)):
        raise errors.FileError(f"{os.fspath(path)}: no such file")
    with _scripts.loaded("cube") as (cube,):
        data = cube.open_cube(_arguments.path_word("path", path))
    data.encoding["source"] = os.path.abspath(path)
    return data


def concat(paths, name="sweep"):
    """The cubes of several sweeps of one model as one xarray.Dataset in memory: their cells one after another, the coordinate `name` with
    the number of the sweep, 0 for the first of the paths.

    Cubes of different models, solvers, strategies, rtol, t_end, mesh or reference are refused.  Points are left out where they compare
    the runs of one sweep.
    """
    paths = [_arguments.path_word("paths", path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    with _scripts.loaded("cube") as (cube,):
        return cube.concat(paths, _arguments.string("name", name))


@xr.register_dataset_accessor("saltus")
class Cube:
    """dataset.saltus: what can be asked of the cube that a dataset was opened from."""

    def __init__(self, data):
        self._data, self._surrogates = data, {}

    @property
    def path(self):
        """The file of the cube."""
        source = self._data.encoding.get("source")
        if not source:
            raise errors.InvalidError("the dataset comes from no file; allowed: what saltus.open gives")
        return source

    def recommend(self, at, error, probability=None, **who):
        """See Surrogate and its `recommend`."""
        return self._reader(who).recommend(at, error, probability)

    def _reader(self, who):
        key = tuple(sorted((name, repr(value)) for name, value in who.items()))
        if key not in self._surrogates:
            self._surrogates[key] = Surrogate(self.path, **who)
        return self._surrogates[key]

    def costs(self, error, points=None, **who):
        """An xarray.Dataset with `total` and `probability` of `Surrogate.costs` over point (`cell` without points: in all cells of the cube), rtol,
        strategy and solver, for one error."""
        surrogate, data = self._reader(who), self._data
        if points is None:
            points = {n: data[n if n in data.variables else f"initial_{n}"].values for n in surrogate.axes}
            place = "cell"
        else:
            place = "point"
        dims = ("rtol", "strategy", "solver")
        shape = (-1, *(data.sizes[d] for d in dims))
        found = dict(zip(("total", "probability"), surrogate.costs(points, _arguments.real("error", error, **_arguments.POSITIVE))))
        return xr.Dataset({n: ((place, *dims), a.reshape(shape)) for n, a in found.items()}, {d: data[d] for d in dims})

    def report(self, **options):
        """See saltus.report."""
        return report(self.path, **options)

    def picture(self, kind="map", **options):
        """See saltus.picture."""
        return picture(self.path, kind, **options)


class Report:
    """A report as one web page: .html is its text, .save(path) writes it, Jupyter shows it."""

    what = "report of saltus"

    def __init__(self, text):
        self.html = text

    def save(self, path):
        _scripts.write(path, self.html)

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:900px;border:0" title="{self.what}"></iframe>'


_open = builtins.open


def report(cube, *, at=None, error=None):
    """The page of analysis/report.py on a cube with a map (a path): the answer anywhere in its box.

    at: where it opens, {NAME: value}; error: the error that it opens with.
    """
    asked = [f"--at={_arguments.pairs('at', at)}"] if at else []
    asked += [f"--error={_arguments.real('error', error)!r}"] if error is not None else []
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder, _scripts.loaded("report") as (module,):
        out = os.path.join(folder, "report.html")
        with contextlib.redirect_stdout(io.StringIO()):  # it prints where the page is
            module.work(module.arguments([_arguments.path_word("cube", cube), "-o", out, *asked]))
        with _open(out, encoding="utf-8") as file:
            return Report(file.read())


def picture(cube, kind="map", *, error=None, rtol=None, weights="sd=2,dt=0,iae=1", x=None, y=None, across=None, down=None, size=(200, 200),
            fix=None, cells=()):
    """A picture of analysis/maps.py of a cube with a map (a path), as a matplotlib Figure.

    kind: "map", "along", "shares", "precision", "pareto", "stiffness" or "scores"; the rest as the options of maps.py: error asked for,
    or rtol and weights of points; axes x, y, across, down; fix: {NAME: value} of axes not drawn; cells: ["k=100:480", ..].
    """
    with _scripts.loaded("maps", "style") as (maps, style):
        if kind not in maps.PICTURES:
            raise errors.InvalidError(f"picture: unknown kind '{kind}'; allowed: {', '.join(sorted(maps.PICTURES))}")
        given = {"error": error, "rtol": rtol, "weights": weights, "x": x, "y": y, "across": across, "down": down, "size": f"{size[0]}x{size[1]}"}
        words = [f"--{name}={value}" for name, value in given.items() if value is not None]
        words += [f"--fix={name}={value!r}" for name, value in (fix or {}).items()] + [f"--cells={which}" for which in cells]
        args = maps.arguments([kind, _arguments.path_word("cube", cube), "-o", "", *words])
        with style.kept() as figures:
            maps.draw(args, maps.open_mapped(args.cube), None)
        return figures[-1]
