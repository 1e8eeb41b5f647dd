"""Opens what test_trajectory_write leaves as a user would, and checks names, coordinates and values."""
import sys
import warnings

import numpy as np
import xarray

warnings.simplefilter("error")


def flags(variable):
    """Words of a flag, through its CF attributes."""
    word = dict(zip(variable.attrs["flag_values"], variable.attrs["flag_meanings"].split()))
    return [word[int(v)] for v in variable.values.ravel()]


def check_cube(cube):
    assert dict(cube.sizes) == {"cell": 11, "rtol": 2, "strategy": 2, "solver": 3}, cube.sizes
    wanted = {"cell_number", "rtol", "strategy", "solver", "b", "k", "adhesion", "initial_y", "initial_v"}
    assert set(cube.coords) == wanted and "cell" not in cube.indexes, cube.coords
    for name, variable in cube.data_vars.items():
        if variable.dims in (("strategy",), ("solver",)):
            assert name in ("solver_title", "strategy_title", "strategy_about"), name
            continue
        assert variable.dims in (("cell",), ("cell", "rtol", "strategy", "solver")), name
        assert variable.attrs["long_name"], name
        words = "flag_values" in variable.attrs or name == "reference_error"  # of metres and of metres a second
        assert ("units" in variable.attrs) != words, name
    assert list(cube.cell_number.values) == list(range(1, 12))
    assert list(cube.solver.values) == ["ode23", "ode45", "ode15s"]
    one = cube.sel(solver="ode45", strategy="event", rtol=1e-6).isel(cell=2)
    # the sample numbers all metrics, those too that only some sweeps ask for
    n_metric = float(np.diff(cube.steps.sel(solver="ode45", strategy="event", rtol=1e-6)[1:3])[0]) / (1001 * 12)
    assert n_metric > sum(v.ndim == 4 for v in cube.data_vars.values()), n_metric
    assert one.steps // (1001 * n_metric) == 2 * 12 + 1 * 6 + 1 * 3 + 1, one.steps
    assert cube.outcome.dtype == np.int8 and set(flags(cube.outcome)) >= {"done", "stuck"}
    assert flags(cube.adhesion)[:2] == ["keep", "clamp"]
    check_counts(cube)
    assert cube.solver.dtype == object and all(isinstance(name, str) for name in cube.solver.values)
    assert cube.b.attrs["units"] == "N s/m" and float(cube.b[3]) == 4 * 195.1
    check_provenance(cube.attrs)


def check_counts(cube):
    """int64 where none is missing, as in jacobians, and masked float64 where some are."""
    counts = {name: v for name, v in cube.data_vars.items() if v.attrs["kind"] == "count"}
    missing = {name for name, v in counts.items() if v.isnull().any()}
    assert missing and "steps" in missing and "jacobians" not in missing, missing
    for name, v in counts.items():
        assert v.dtype == (np.float64 if name in missing else np.int64), (name, v.dtype)
        assert ("_FillValue" in v.encoding) == (name in missing), name
        assert float(v.min()) >= 0, name


def check_provenance(attrs):
    wanted = {"title": "Höhe over damping", "model": "sample", "layout": 4, "n_mesh": 1000, "t_end": 10,
              "sweep": 'model: sample\n# grüße, "quoted"\n', "command": "saltus run sample.yaml",
              "ranks": 3, "threads": 2, "width": 4, "wall_seconds": 1.5, "reference": "certified",
              "axes": "cell", "axis_sizes": 11, "jacobian": "differences", "points_scope": "global", "reference_tolerance": 1e-13}
    for name, value in wanted.items():
        assert attrs[name] == value, (name, attrs[name])
    assert list(attrs["epsilon"]) == [0.1, 0.01]
    for name in ("git_commit", "version", "compiler", "compiler_flags", "hdf5_version", "mpi_version",
                 "host", "created"):
        assert attrs[name], name


def check_trajectory(file):
    assert dict(file.sizes) == {"t": 5, "event_t": 2, "contact": 2, "multiplier": 2}, file.sizes
    assert list(file.event_name.values) == ["touchdown", "lift-off"]
    assert list(file.event_t.values) == [0.5, 0.625] and list(file.event_y.values) == [0, 0]
    assert list(file.ahead_v.values) == [-3, 1] and list(file.event_v.values) == [-2, 2]
    assert list(file.start_closed.values) == [0, 1] and file.event_closed.values.tolist() == [[1, 1], [0, 1]]
    assert list(file.multiplier_re.values + 1j * file.multiplier_im.values) == [0.5 + 0.25j, 0.5 - 0.25j]
    assert float(file.y.sel(t=0.25)) == 0.5 and np.isnan(file.y[-1])
    assert flags(file.mode) == ["open", "open", "closed", "open", "open"]
    assert float(file.b) == 1951 and "b" in file.coords and file.attrs["solver"] == "ode45"


def check_quiet(file):
    assert file.sizes["event_t"] == 0 and "mode" not in file


CHECKS = {"sample_cube.h5": check_cube, "sample_trajectory.h5": check_trajectory,
          "sample_quiet.h5": check_quiet}
for path, check in CHECKS.items():
    with xarray.open_dataset(f"{sys.argv[1]}/{path}", engine="h5netcdf") as dataset:
        assert "phony" not in str(dataset), dataset
        check(dataset)
