"""Made-up cubes with a map, in the layout of src/io/cube/map_write.c: the winners are planted."""

import h5py
import numpy as np

import made_up

ERRORS = (1e-2, 1e-4)
WEIGHTS = ("sd=2,dt=0,iae=1", "sd=1,dt=1,iae=1")
REASONS = "nobody alone work"


def write(path, axes, winner, with_map=True, scattered=False, without=()):
    """axes: {name: values}, the last runs fastest. winner(cell, {name: index}) -> (method,
    strategy, margin) or None where nobody wins; the same for every question."""
    sizes = [len(values) for values in axes.values()]
    n_cell = int(np.prod(sizes))
    made_up.write_cube(path, n_cell=n_cell)
    places = np.stack(np.unravel_index(np.arange(n_cell), sizes), axis=1)
    with h5py.File(path, "a") as file:
        put_axes(file, axes, places, scattered)
        put_costs(file, n_cell)
        for name in without:
            del file[name]
        file.attrs["model_title"] = "made up <b>model</b>"
        if with_map:
            found = [winner(cell, dict(zip(axes, place))) for cell, place in enumerate(places)]
            put_map(file.create_group("map"), n_cell, found)


def put_axes(file, axes, places, scattered):
    for i, (name, values) in enumerate(axes.items()):
        values = np.array(values, dtype=float)
        what = {"units": "1", "kind": "coordinate", "long_name": f"made-up {name} (7)"}
        made_up.dataset(file, name, values[places[:, i]], ("cell",), **what)
        if not scattered:
            made_up.coordinate(file, f"axis_{name}", values)
            file[f"axis_{name}"].attrs.update(what)
    if scattered:
        made_up.coordinate(file, "axis_random", np.arange(len(places)))
    file.attrs["axes"] = "cell" if scattered else " ".join(axes)
    file.attrs["axis_sizes"] = [len(places)] if scattered else [len(v) for v in axes.values()]
    file["outcome"].attrs["coordinates"] = " ".join(axes)


def put_costs(file, n_cell):
    """The tighter the tolerance and the later the method, the dearer and the more accurate."""
    dims = ("cell", "tolerance", "strategy", "method")
    shape = (n_cell, len(made_up.TOLERANCES), len(made_up.STRATEGIES), len(made_up.METHODS))
    cell, tolerance, strategy, method = np.indices(shape)
    rhs = 100.0 * 4.0**tolerance * (1 + method) + strategy + cell
    error = 10.0 ** (-2.0 * tolerance - 0.2 * method - 1)
    made_up.dataset(file, "rhs_evaluations", rhs, dims, units="1")
    made_up.dataset(file, "max_error", error, dims, units="1")
    made_up.dataset(file, "stiffness_ratio", 10.0 ** np.arange(n_cell), ("cell",), units="1")


def put_map(group, n_cell, found):
    made_up.coordinate(group, "cell", np.arange(n_cell) + 1)
    made_up.coordinate(group, "error", np.array(ERRORS))
    made_up.coordinate(group, "tolerance", np.array(made_up.TOLERANCES))
    made_up.coordinate(group, "weights", np.array(WEIGHTS, dtype=h5py.string_dtype()))
    group.attrs.update(work_terms="rhs jacobian", work_weights=[1.0, 0.0])
    methods, strategies = list(made_up.METHODS), list(made_up.STRATEGIES)
    nobody = (None, None, np.nan)
    rows = [row or nobody for row in found]
    columns = {
        "method": ([methods.index(r[0]) + 1 if r[0] else 0 for r in rows], ["none", *methods]),
        "strategy": (
            [strategies.index(r[1]) + 1 if r[1] else 0 for r in rows],
            ["none", *strategies],
        ),
        "reason": ([2 if r[0] else 0 for r in rows], REASONS.split()),
        "margin": ([r[2] for r in rows], None),
        "at": ([1e-3 if r[0] else np.nan for r in rows], None),
    }
    dims = {"by_error": ("cell", "error"), "by_points": ("cell", "weights", "tolerance")}
    for prefix, over in dims.items():
        shape = [len(group[d]) for d in over]
        for name, (values, words) in columns.items():
            data = np.array(values, dtype=np.int8 if words else float)
            data = np.broadcast_to(data.reshape(-1, *[1] * (len(shape) - 1)), shape)
            more = {"flag_meanings": " ".join(words)} if words else {}
            made_up.dataset(group, f"{prefix}_{name}", data, over, **more)
