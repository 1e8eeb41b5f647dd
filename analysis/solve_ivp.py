#!/usr/bin/python3
"""Runs the tasks of `saltus score --export` with a solver of SciPy's solve_ivp and records the trajectories."""

import math
import time

import numpy as np
import scipy
from scipy import integrate

import written
from command_line import Parser, run
from cube import NotOurs
from hybrid_models import MODELS
from recorded_file import Recorder, Tasks

ORDERS = {"RK45": 5, "DOP853": 8, "LSODA": 12, "Radau": 5, "BDF": 5}
IDLE = 20  # events without time between them, at which a run is given up
BRIEF = 1e-9  # impacts this close leave a contact at rest

EXAMPLES = """\
Strategies: `switch`, an if-else in f; `event`, a terminal event at which the mode changes and the solver begins
anew. Options of solve_ivp are its presets. Counted are all calls of f, those for differences included; LU
factorisations and solves in units of a real n x n one, a complex one counts 4. Failed steps are counted where they
follow from the calls of f (RK45, DOP853). `seconds` is the thread's CPU time of the fastest of --repeats runs.

examples:
  build/release/saltus score sweeps/dallas2017.yaml --export tasks.yaml
  analysis/solve_ivp.py tasks.yaml --method RK45 -o rk45.txt
  build/release/saltus score sweeps/dallas2017.yaml --recorded scipy-rk45=rk45.txt -o results/scored.h5
"""


def arguments():
    parser = Parser(__doc__, EXAMPLES)
    parser.add_argument("tasks", metavar="TASKS.yaml", help="made by `saltus score --export`")
    parser.add_argument("--method", required=True, choices=ORDERS, help="the solver of solve_ivp")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="timed runs of each task (1)")
    parser.add_argument("--most", type=float, default=3e6, metavar="N", help="calls of f at which a run ends (3e6)")
    parser.add_argument("-o", dest="out", metavar="FILE", required=True, help="recorded trajectories")
    return parser.parse_args()


class GivenUp(Exception):
    """A run is over; its text is the outcome."""


class Counter:
    """Calls of f, and the linear algebra of a solver of solve_ivp."""

    def __init__(self, most):
        self.most = most
        self.rhs = self.jacobians = self.factorisations = self.solves = self.steps = self.attempts = 0

    def wrap(self, f):
        def counted(t, y):
            self.rhs += 1
            if self.rhs > self.most:
                raise GivenUp("over_cutoff")
            return f(t, y.tolist())

        return counted

    def solver(self, method):
        """The solver's class with its factorisations and solves counted."""
        return {"Radau": self._newton, "BDF": self._newton, "LSODA": self._lsoda}.get(method, lambda base: base)(
            getattr(integrate, method)
        )

    def _newton(self, base):
        counter = self

        class Counted(base):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs)
                lu, solve_lu = self.lu, self.solve_lu

                def units(a):
                    return 4 if np.iscomplexobj(a) else 1

                def counted_lu(matrix):
                    counter.factorisations += units(matrix)
                    return lu(matrix)

                def counted_solve(factors, b):
                    counter.solves += units(factors[0])
                    return solve_lu(factors, b)

                self.lu, self.solve_lu = counted_lu, counted_solve

        return Counted

    def _lsoda(self, base):
        """In stiff steps, method 2 of ODEPACK, each corrector iteration has one call of f and one solve."""
        counter = self

        class Counted(base):
            def _step_impl(self):
                rhs, jacobians = counter.rhs, self.njev
                result = super()._step_impl()
                if self._lsoda_solver._integrator.iwork[18] == 2:
                    counter.solves += counter.rhs - rhs - self.n * (self.njev - jacobians)
                return result

        return Counted

    def take(self, method, sol, before):
        """Adds the counts of solve_ivp for a piece; before: calls of f ahead of it."""
        steps = len(sol.t) - 1
        self.steps += steps
        self.jacobians += sol.njev
        if method == "LSODA":
            self.factorisations += sol.nlu
        stages, extra = {"RK45": (6, 0), "DOP853": (12, 3)}.get(method, (0, 0))
        if stages:  # two calls choose the first step
            dense = extra * steps if sol.sol is not None else extra * len(sol.t_events or ())
            self.attempts += (self.rhs - before - 2 - dense) // stages


def degree(method, interpolant):
    if method == "LSODA":
        return max(1, interpolant.yh.shape[1] - 1)
    if method == "BDF":
        return max(1, interpolant.order)
    return {"RK45": 4, "DOP853": 7, "Radau": 3}[method]


def steps_of(method, sol, tasks):
    """(t, y, inner) of each step: the inner points are those of the mesh, or, where these are more, as many as make
    the polynomial of the solver's own dense output."""
    for t0, t1, y1, interpolant in zip(sol.t, sol.t[1:], sol.y.T[1:], sol.sol.interpolants):
        n = degree(method, interpolant)
        at = tasks.mesh_inside(t0, t1)
        if len(at) >= n:
            at = [t0 + (t1 - t0) * 0.5 * (1 - math.cos(math.pi * k / n)) for k in range(1, n)]
        yield t1, y1, [(t, interpolant(t)) for t in at if t0 < t < t1]


class Task:
    """One trajectory."""

    def __init__(self, tasks, cell, strategy, tolerance, method, most):
        self.model = MODELS[tasks.model](tasks.cells[cell])
        self.tasks, self.y0, self.t_end = tasks, tasks.initial(cell), tasks.t_end
        self.strategy, self.tolerance, self.method, self.most = strategy, tolerance, method, most

    def pieces(self, counter, dense):
        """The results of solve_ivp from event to event, each with the state that it begins with."""
        model, switch = self.model, self.strategy == "switch"
        t, y, closed = 0.0, self.y0, model.gap(self.y0) <= 0
        idle, last = 0, -math.inf
        while t < self.t_end:
            if switch:
                f, events = lambda t, y: model.f(t, y, model.gap(y) <= 0), None
            else:
                f, events = lambda t, y, mode=closed: model.f(t, y, mode), lambda _t, y: model.gap(y)
                events.terminal, events.direction = True, 1 if closed else -1
            before = counter.rhs
            sol = integrate.solve_ivp(
                counter.wrap(f), (t, self.t_end), y, counter.solver(self.method), events=events,
                dense_output=dense, rtol=self.tolerance, atol=self.tolerance,
            )
            counter.take(self.method, sol, before)
            yield t, y, sol
            if sol.status < 0:
                raise GivenUp("step_underflow")
            if sol.status == 0:
                return
            idle = 0 if sol.t[-1] > t else idle + 1
            if idle > IDLE:
                raise GivenUp("stuck")
            t, y = float(sol.t[-1]), tuple(sol.y[:, -1].tolist())
            y, closed = model.change(y, not closed, t - last < BRIEF)
            last = t

    def run(self, dense):
        """(counts, pieces, CPU seconds)."""
        counter, pieces, outcome = Counter(self.most), [], "done"
        began = time.thread_time()
        try:
            pieces.extend(self.pieces(counter, dense))
        except GivenUp as why:
            outcome = str(why)
        except ValueError:  # LSODA's dense output may not meet the ends of its steps: no sign changes for brentq
            outcome = "library_failure"
        seconds = time.thread_time() - began
        counts = {
            "outcome": outcome, "steps": counter.steps, "rhs": counter.rhs, "jacobians": counter.jacobians,
            "factorisations": counter.factorisations, "solves": counter.solves,
        }
        if counter.attempts:
            counts["failed"] = max(0, counter.attempts - counter.steps)
        if self.strategy != "switch":
            counts["events"] = counts["restarts"] = max(0, len(pieces) - (outcome == "done"))
        return counts, pieces, seconds

    def trajectory(self, pieces):
        if not pieces:
            yield 0.0, self.y0, ()
        for t, y, sol in pieces:
            yield t, y, ()
            yield from steps_of(self.method, sol, self.tasks)


def work(args):
    tasks = Tasks(args.tasks)
    if tasks.model not in MODELS:
        raise NotOurs(f"{args.tasks}: no model '{tasks.model}' here; there are: {', '.join(MODELS)}")
    about = (
        ("library", f"SciPy {scipy.__version__}"),
        ("type", f"solve_ivp {args.method}"),
        ("order", ORDERS[args.method]),
        ("select", f'scipy.integrate.solve_ivp(f, (0, t_end), y0, method="{args.method}", rtol=rtol, atol=rtol)'),
    )
    with written.beside(args.out) as part, open(part, "w", encoding="utf-8") as file:
        recorder = Recorder(file, tasks, about)
        for cell in range(len(tasks.cells)):
            for strategy in (name for name in tasks.strategies if name in ("switch", "event")):
                for tolerance in tasks.tolerances:
                    task = Task(tasks, cell, strategy, tolerance, args.method, args.most)
                    counts, pieces, _ = task.run(dense=True)
                    plain = [task.run(dense=False) for _ in range(args.repeats)]
                    counts["seconds"] = f"{min(seconds for *_, seconds in plain):.6g}"
                    recorder.run(cell, strategy, tolerance, counts, task.trajectory(pieces))
        recorder.end()


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
