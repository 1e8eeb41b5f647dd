"""A made-up cube of contact scaling, with a cost and an error known for each configuration."""

import h5py
import numpy as np

from made_up import coordinate, dataset

N = (2, 10, 100, 1000)
STARTS = 20
TOLERANCES = (1e-3, 1e-6)
STRATEGIES = ("switch", "event", "ess2")
SOLVERS = ("ode23", "ode45")
T_END = 2.0
DONE, STUCK, INCOMPATIBLE, ENDED = 0, 4, 6, 7
DIMS = ("cell", "rtol", "strategy", "solver")
SHAPE = (len(N) * STARTS, len(TOLERANCES), len(STRATEGIES), len(SOLVERS))
BASE = {"switch": 5000.0, "event": 400.0, "ess2": 500.0}  # evaluations of f of a run without contacts
SLOPE = {"switch": 0.0, "event": 10.0, "ess2": 3.0}  # and for each contact
SWEEP = "projection: {zone: 5e-4, measure: time, step: 5e-4}\n"


def by_config(value):
    """value(n, rtol, strategy, solver) as an array [cell][rtol][strategy][solver]."""
    cells = np.repeat(N, STARTS)
    return np.array(
        [[[[value(n, t, s, m) for m in SOLVERS] for s in STRATEGIES] for t in TOLERANCES] for n in cells]
    )


def at(strategy=None, solver=None):
    """Index of configurations in an array over DIMS."""
    return (
        slice(None),
        slice(None),
        slice(None) if strategy is None else STRATEGIES.index(strategy),
        slice(None) if solver is None else SOLVERS.index(solver),
    )


def write(path, outcome=None, timed=True, noise=0.05, sweep=SWEEP, without=(), axis="n", meanings=None):
    """Cost BASE + SLOPE n of a run, the same for each solver, one start more expensive than another by a share
    `noise`; the error is the tolerance, half of it with ode45. A run takes 1 us for each evaluation."""
    start = np.tile(np.random.default_rng(5).normal(0, 1, STARTS), len(N))[:, None, None, None]
    rhs = by_config(lambda n, t, s, m: BASE[s] + SLOPE[s] * n) * (1 + noise * start)
    rhs = np.rint(rhs).astype(np.int64)
    outcome = np.full(SHAPE, DONE, dtype=np.int8) if outcome is None else outcome
    dead = ~np.isin(outcome, (DONE, ENDED))
    counts = by_config(lambda n, t, s, m: -1 if s == "switch" else 3 * n)  # missing: it looks for none
    data = {
        "outcome": outcome,
        "rhs_evaluations": np.where(dead, -1, rhs),
        "solution_duration": np.where(dead | (not timed), np.nan, 1e-6 * rhs),
        "max_error": np.where(dead, np.nan, by_config(lambda n, t, s, m: t if m == "ode23" else t / 2)),
        "events": np.where(dead, -1, counts).astype(np.int64),
        "leaps": np.where(dead, -1, by_config(lambda n, t, s, m: s == "ess2")).astype(np.int64),
    }
    with h5py.File(path, "w") as file:
        coordinate(file, "cell", np.arange(SHAPE[0]))
        coordinate(file, "rtol", np.array(TOLERANCES))
        coordinate(file, "strategy", np.array(STRATEGIES, dtype=h5py.string_dtype()))
        coordinate(file, "solver", np.array(SOLVERS, dtype=h5py.string_dtype()))
        dataset(file, axis, np.repeat(np.array(N, dtype=float), STARTS), ("cell",), kind="coordinate")
        for name in set(data) - set(without):
            missing = {"_FillValue": np.nan}
            if data[name].dtype.kind == "i":  # of a count only where one is missing
                missing = {"_FillValue": -1} if (data[name] < 0).any() else {}
            dataset(file, name, data[name], DIMS, units="1", **missing)
        named = meanings or "done step_underflow not_finite step_cap stuck not_event_selected incompatible ended"
        file["outcome"].attrs["flag_meanings"] = named
        file["outcome"].attrs["flag_values"] = np.arange(len(named.split()), dtype=np.int8)
        dataset(file, "reference_events", 3 * np.repeat(N, STARTS), ("cell",), units="1")
        file.attrs.update(axes=f"{axis} z_th", axis_sizes=np.array([len(N), STARTS]), t_end=T_END, sweep=sweep)
