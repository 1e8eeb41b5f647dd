"""Small files in the layout of src/io/cube/cube.h, for tests of the pictures."""

import h5py
import numpy as np

SOLVERS = ("ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb")
STRATEGIES = ("switch", "event")
TOLERANCES = (1e-3, 1e-6, 1e-9)
LAYOUT = 4
DIMS = ("cell", "rtol", "strategy", "solver")
BARE = "This is a netCDF dimension but not a netCDF variable."
POINTS = {
    "points_solution_duration": "1..10 points for the solution duration",
    "points_rhs_evaluations": "1..10 points for the evaluations of f",
    "points_divergence_time": "1..10 points for the divergence time, never = end of the run",
    "points_integral_absolute_error": "1..10 points for the integral of the absolute error",
}


def coordinate(file, name, values):
    if name == "cell":  # its numbers are not a scale
        file.create_dataset(name, (len(values),), "f4")
        file[name].make_scale(f"{BARE}{len(values):10}")
        dataset(file, "cell_number", values, (name,))
        file.attrs["coordinates"] = "cell_number"
        return
    file.create_dataset(name, data=values)
    file[name].make_scale(name)


def dataset(file, name, data, dims, **attributes):
    file.create_dataset(name, data=data)
    for axis, dim in enumerate(dims):
        file[name].dims[axis].attach_scale(file[dim])
    file[name].attrs.update(attributes)


def write_cube(path, n_cell=5, timed=True, without=(), points=None):
    """points(dataset name) -> [cell][rtol][strategy][solver]; random when not given."""
    shape = (n_cell, len(TOLERANCES), len(STRATEGIES), len(SOLVERS))
    dims = DIMS
    random = np.random.default_rng(1)
    with h5py.File(path, "w") as file:
        coordinate(file, dims[0], np.arange(n_cell))
        coordinate(file, dims[1], np.array(TOLERANCES))
        coordinate(file, dims[2], np.array(STRATEGIES, dtype=h5py.string_dtype()))
        coordinate(file, dims[3], np.array(SOLVERS, dtype="S8"))  # either kind of string
        for name, what in POINTS.items():
            if name in without:
                continue
            data = points(name) if points else random.uniform(1, 10, shape)
            if name == "points_solution_duration" and not timed:
                data = np.full(shape, np.nan)
            dataset(file, name, data, dims, units="1", long_name=what, _FillValue=np.nan)
        dataset(file, "outcome", np.zeros(shape, dtype=np.int8), dims, flag_meanings="done stuck")
        file.attrs.update(title="made up", layout=LAYOUT)


def write_trajectory(path, t, state, closed, events=()):
    """state: {name: [n]}; events: (time, name, {state: value})."""
    with h5py.File(path, "w") as file:
        coordinate(file, "t", t)
        for name, values in state.items():
            dataset(file, name, values, ("t",), units="1", long_name=f"height of {name}")
        dataset(file, "mode", np.asarray(closed, dtype=np.int8), ("t",))
        coordinate(file, "event_t", np.array([e[0] for e in events], dtype=float))
        names = np.array([e[1] for e in events], dtype=h5py.string_dtype())
        dataset(file, "event_name", names, ("event_t",))
        for name in state:
            values = np.array([e[2][name] for e in events], dtype=float)
            dataset(file, f"event_{name}", values, ("event_t",))
        file.attrs.update(solver="ode45", strategy="event" if events else "switch", rtol=1e-3)
