"""Opening what saltus writes, with checks: cubes of `saltus run`, files of `saltus trajectory`.

Both are HDF5 with dimension scales, so xarray reads them by name; what is added here is one clear
sentence when a file is something else.

Two dimensions of a cube, method and tolerance, are also names of arguments of xarray's sel: select
with a dictionary, cube.sel({"method": "ode45", "tolerance": 1e-3}), never with sel(method="ode45").
"""

import numpy as np
import xarray as xr

CONTENDER = ("cell", "tolerance", "strategy", "method")


class NotOurs(Exception):
    """The file cannot be used; the text is one line for the user."""


def _open(path):
    try:
        with xr.open_dataset(path, engine="h5netcdf", decode_times=False) as file:
            data = file.load()
    except FileNotFoundError:
        raise NotOurs(f"{path}: no such file") from None
    except Exception as why:  # xarray, h5netcdf and h5py each raise their own kinds
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        raise NotOurs(f"{path}: cannot be read as HDF5 ({reason})") from None
    for name, variable in data.variables.items():
        if variable.dtype.kind in "SO":  # strings of fixed or of variable length
            words = [w.decode() if isinstance(w, bytes) else w for w in variable.values.ravel()]
            data[name] = (variable.dims, np.array(words, dtype=str).reshape(variable.shape))
    return data


def open_cube(path, *needed):
    """The cube as an xarray.Dataset, with the datasets `needed` over cells and contenders."""
    data = _open(path)
    missing = [name for name in CONTENDER if name not in data.dims]
    if missing:
        raise NotOurs(f"{path}: no cube of saltus (no dimension {', '.join(missing)})")
    for name in ("tolerance", "strategy", "method"):
        if name not in data.coords:
            raise NotOurs(f"{path}: no cube of saltus (dimension {name} has no values)")
    for name in needed:
        if name not in data:
            raise NotOurs(f"{path}: the cube has no dataset {name}")
        if set(data[name].dims) != set(CONTENDER):
            raise NotOurs(f"{path}: {name} does not run over {', '.join(CONTENDER)}")
    return data


def open_trajectory(path, state):
    """One trajectory as an xarray.Dataset with t and the state asked for."""
    data = _open(path)
    if "t" not in data.variables:
        raise NotOurs(f"{path}: no trajectory of saltus (no dataset t)")
    if state not in data.variables:
        there = [str(n) for n in data.data_vars if data[n].dims == data["t"].dims and n != "mode"]
        raise NotOurs(f"{path}: no state {state}; there are {', '.join(there)}")
    if data["t"].size < 2:
        raise NotOurs(f"{path}: the trajectory has fewer than two points")
    return data
