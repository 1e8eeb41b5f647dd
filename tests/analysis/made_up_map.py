"""Made-up cubes with a map, in the layout of src/io/cube/map_frame.c: the winners are planted."""

import h5py
import numpy as np
import yaml

import made_up

ERRORS = (1e-2, 1e-4)
WEIGHTS = ("sd=2,dt=0,iae=1", "sd=1,dt=1,iae=1")
REASONS = "no_config alone work no_reference captured"
NO_REFERENCE, CAPTURED = ((None, reason, np.nan) for reason in ("no_reference", "captured"))  # as winners
WORK = 100.0  # of a winner


SURROGATE = {"width": [1.2, 1, 1.5], "shape_at": [-2.5, -1, 0, 1, 2.5], "shape_below": [0.02, 0.15, 0.5, 0.85, 0.995],
          "asked": [30, 20, 0], "predicted": [0.9, 0.8, np.nan], "observed": [0.91, 0.79, np.nan]}
FAILED = 1  # an outcome


def write(path, axes, winner, with_map=True, scattered=False, without=(), noise=False):
    """axes: {name: values}, the last runs fastest. winner(cell, {name: index}) -> (solver,
    strategy, margin), (.., value) if it is not WORK, NO_REFERENCE, or None where no configuration gets
    there; the same for every question. noise: errors and work
    differ from cell to cell, some runs fail, and every tenth reference is bad."""
    sizes = [len(values) for values in axes.values()]
    n_cell = int(np.prod(sizes))
    made_up.write_cube(path, n_cell=n_cell)
    places = np.stack(np.unravel_index(np.arange(n_cell), sizes), axis=1)
    with h5py.File(path, "a") as file:
        put_axes(file, axes, places, scattered)
        put_costs(file, n_cell, noise)
        for name in without:
            del file[name]
        file.attrs["model_title"] = "made up <b>model</b>"
        if with_map:
            found = [winner(cell, dict(zip(axes, place))) for cell, place in enumerate(places)]
            put_map(file.create_group("map"), n_cell, found)
            put_reader(file, sum(len(set(values)) > 1 for values in axes.values()))


def put_axes(file, axes, places, scattered):
    for i, (name, values) in enumerate(axes.items()):
        values = np.array(values, dtype=float)
        what = {"units": "1", "kind": "coordinate", "long_name": f"made-up {name} (7)"}
        made_up.dataset(file, name, values[places[:, i]], ("cell",), **what)
        if not scattered:
            made_up.coordinate(file.require_group("axes"), name, values)
            file["axes"][name].attrs.update(what)
    file.attrs["axes"] = "cell" if scattered else " ".join(axes)
    file.attrs["axis_sizes"] = [len(places)] if scattered else [len(v) for v in axes.values()]
    file["outcome"].attrs["coordinates"] = " ".join(("cell_number", *axes))
    lists = [{"name": name, "list": [float(v) for v in values]} for name, values in axes.items()]
    rows = [[float(axes[name][i]) for name, i in zip(axes, place)] for place in places]
    cells = {"columns": list(axes), "rows": rows} if scattered else {"axes": lists}
    file.attrs.update(sweep=yaml.safe_dump({"cells": cells}))


def put_costs(file, n_cell, noise=False):
    """The tighter the tolerance and the later the solver, the more expensive and the more accurate."""
    dims = made_up.DIMS
    shape = (n_cell, len(made_up.TOLERANCES), len(made_up.STRATEGIES), len(made_up.SOLVERS))
    cell, rtol, strategy, solver = np.indices(shape)
    rhs = 100 * 4**rtol * (1 + solver) + strategy + cell  # counts, none missing
    error = 10.0 ** (-2.0 * rtol - 0.2 * solver - 1)
    truth, random = np.full(n_cell, 1e-11), np.random.default_rng(7)
    if noise:
        rhs = np.rint(rhs * random.uniform(0.6, 1.7, shape) * (1 + (solver + strategy) % 3 * np.linspace(0, 2, n_cell)[cell])).astype(int)
        error = error * np.exp(random.normal(0, 0.8, shape)) * 10 ** (cell / n_cell * (solver % 3 - 1))
        failed = (random.uniform(size=shape) < 0.05) | ((solver == 0) & (rtol == 2))
        file["outcome"][...] = np.where(failed, FAILED, 0)
        error[failed] = np.nan
        truth[:: 10] = 1e-3
    made_up.dataset(file, "rhs_evaluations", rhs, dims, units="1")
    made_up.dataset(file, "max_error", error, dims, units="1")
    made_up.dataset(file, "stiffness_ratio", 10.0 ** np.arange(n_cell), ("cell",), units="1")
    made_up.dataset(file, "reference_error_watched", truth, ("cell",), units="1")
    made_up.dataset(file, "reference_outcome", np.zeros(n_cell, dtype=np.int8), ("cell",), flag_meanings="done stuck")


def put_reader(file, n):
    """Writes the estimates of `saltus map` over all cells, for n coordinates."""
    scale = np.geomspace(1.5, 1 / 1.5, n) if n > 1 else np.array([1.0])
    metric = np.diag(scale) + np.tril(np.full((n, n), 0.2), -1)
    own = {"scale": np.sqrt((metric**2).sum(axis=1)), "metric": metric[np.tril_indices(n)]}
    file["map"].attrs.update({f"surrogate_{name}": value for name, value in (SURROGATE | own | between_levels()).items()})


def between_levels():
    """How far errors lie from the line between tolerances, another in each pair and gap."""
    pairs, parts = len(made_up.STRATEGIES) * len(made_up.SOLVERS), len(made_up.TOLERANCES) - 1
    of = np.arange(pairs * parts)
    found = {"parts": parts, "power": np.arange(pairs) % 3 / 2, "shift": 0.1 * (of % 5 - 2), "spread": 0.2 + 0.1 * (of % 4), "at": np.linspace(-1.7, 1.8, 32)}
    return {f"between_{name}": value for name, value in found.items()}


def put_configs(group):
    """The list of configurations, "none" the first, and what each is; returns the number of a pair at the first tolerance."""
    pairs = [(s, m) for s in made_up.STRATEGIES for m in made_up.SOLVERS]
    all_of = [("none", "none", np.nan)] + [(s, m, t) for t in made_up.TOLERANCES for s, m in pairs]
    text = h5py.string_dtype()
    made_up.coordinate(group, "config", np.array([f"{s}:{m}:{t:g}" for s, m, t in all_of], dtype=text))
    for i, what in enumerate(("strategy", "solver")):
        made_up.dataset(group, f"config_{what}", np.array([row[i] for row in all_of], dtype=text), ("config",))
    made_up.dataset(group, "config_rtol", np.array([row[2] for row in all_of]), ("config",))
    return {(m, s): 1 + i for i, (s, m) in enumerate(pairs)}


def put_map(group, n_cell, found):
    made_up.coordinate(group, "cell", np.arange(n_cell) + 1)
    made_up.coordinate(group, "error", np.array(ERRORS))
    made_up.coordinate(group, "rtol", np.array(made_up.TOLERANCES))
    made_up.coordinate(group, "weights", np.array(WEIGHTS, dtype=h5py.string_dtype()))
    group.attrs.update(work_terms="rhs jacobian", work_weights=[1.0, 0.0])
    reasons = REASONS.split()
    rows = [row or (None, None, np.nan) for row in found]
    won = [row[0] is not None for row in rows]
    lacks = [reasons.index(row[1]) if row[1] in reasons else 0 for row in rows]
    columns = {
        "reason": ([2 if w else lack for w, lack in zip(won, lacks)], reasons),
        "margin": ([r[2] for r in rows], None),
        "value": ([(*r, WORK)[3] if r[0] else np.nan for r in rows], None),
    }
    number = put_configs(group)
    columns["best"] = ([number[r[0], r[1]] if r[0] else 0 for r in rows], None)
    kept = {"best": np.uint8, "margin": np.float32, "value": np.float32}
    dims = {"by_error": ("cell", "error"), "by_points": ("cell", "weights", "rtol")}
    for prefix, over in dims.items():
        shape = [len(group[d]) for d in over]
        for name, (values, words) in columns.items():
            data = np.array(values, dtype=np.int8 if words else kept.get(name, float))
            data = np.broadcast_to(data.reshape(-1, *[1] * (len(shape) - 1)), shape)
            more = {"flag_meanings": " ".join(words)} if words else {}
            made_up.dataset(group, f"{prefix}_{name}", data, over, **more)
