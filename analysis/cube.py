"""Opening what saltus writes, with checks: cubes of `saltus run`, files of `saltus trajectory`.

Both are HDF5 with dimension scales, so xarray reads them by name; what is added here is one clear
sentence when a file is something else.
A cube is verified by the program before anything of it is read: h5py accepts damaged values, and may crash
on damaged metadata.
"""

import functools
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import xarray as xr

LAYOUT = 4  # the one that is read
FINISHED = ("done", "ended")  # outcomes
STOPPED = ("over_cutoff", "over_budget", "too_inaccurate", "skipped_over_cutoff")
CYCLES = ("cycle", "cycle_beside")  # verdicts of cells that have a cycle
CONFIG = ("rtol", "strategy", "solver")  # the dimensions that make a configuration, in the cube's order
ALIKE = ("model", "model_text", "t_end", "n_mesh", "reference")  # attributes of cubes that are joined
BLOCK = 4 << 20  # of a dataset that is read in parts [B]
GAP = 64 << 10  # between cells that are read in one request, at most [B]


# No text has them, as in the program (src/base/text.h): control characters, what turns the direction of text, and bytes that are not UTF-8.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]|\r(?!\n)")
OF_LINES = ("sweep", "model_text")  # attributes that are files


def plain(text, lines=False):
    """Words of a file without the characters that no text may have; as one line, unless it is one of lines."""
    text = FORBIDDEN.sub("?", text.decode(errors="replace") if isinstance(text, bytes) else text)
    return text if lines else re.sub(r"[\t\r\n]", " ", text)


class NotOurs(Exception):
    """The file cannot be used; the text is one line for the user."""

    def __str__(self):
        return plain(super().__str__())


def program():
    """The program that verifies cubes: $SALTUS, that of the checkout, the one installed with this file, or one on PATH;
    "" or None: there is none."""
    here = os.path.dirname(os.path.abspath(__file__))
    beside = (os.path.join(here, *parts) for parts in (("..", "build", "release", "saltus"), ("..", "..", "..", "bin", "saltus")))
    return os.environ.get("SALTUS", next(filter(os.path.exists, beside), shutil.which("saltus")))


@functools.cache
def verify(path):
    """Refuses a cube that `saltus info --check` refuses.  An empty $SALTUS switches the verification off."""
    saltus = program()
    if not saltus:
        if saltus is None:
            print(f"{path}: not verified, since no saltus was found ($SALTUS names one)", file=sys.stderr)
        return
    try:
        done = subprocess.run([saltus, "info", "--check", path], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL)
    except OSError as why:
        raise NotOurs(f"{path}: cannot be verified: {saltus}: {why.strerror}") from None
    if done.returncode:
        said = [line.removeprefix("saltus info: ") for line in done.stderr.splitlines() if line.startswith("saltus")]
        raise NotOurs(said[-1] if said else f"{path}: saltus info --check ended with {done.returncode}")


def open_group(path, group=None, only=None, lazy=False):
    """The root group of a file, or another one, in memory.

    only: of the datasets over configurations, these alone; without it all of them. lazy: a dataset that is not text stays
    in the file, and is read again at each access.
    """
    try:
        file = xr.open_dataset(path, engine="h5netcdf", group=group, decode_times=False, cache=not lazy)
        large = [n for n in file.data_vars if file[n].ndim == 1 + len(CONFIG) and n not in (only or ())]
        data = file if only is None else file.drop_vars(large)
        if not lazy:
            with file:
                data.load()
    except FileNotFoundError:
        raise NotOurs(f"{path}: no such file") from None
    except Exception as why:  # xarray, h5netcdf and h5py each raise their own kinds
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        cure = "; HDF5_USE_FILE_LOCKING=FALSE reads it on a file system without locks" if "unable to lock" in reason else ""
        raise NotOurs(f"{path}: cannot be read as HDF5 ({reason}){cure}") from None
    layout = int(np.ravel(data.attrs.get("layout", LAYOUT))[0]) if group is None else LAYOUT
    if layout != LAYOUT:
        raise NotOurs(f"{path}: has layout {layout}; layout {LAYOUT} is read here: run its sweep again")
    for name, variable in data.variables.items():
        if variable.dtype.kind in "SO":  # strings of fixed or of variable length
            words = [plain(w) for w in variable.values.ravel()]
            data[name] = (variable.dims, np.array(words, dtype=str).reshape(variable.shape))
    return with_plain_attributes(data)


def with_plain_attributes(data):
    """The dataset, the texts of whose attributes have no forbidden characters."""
    for of in (data, *data.variables.values()):
        of.attrs.update({name: plain(text, name in OF_LINES) for name, text in of.attrs.items() if isinstance(text, (str, bytes))})
    return data


def open_cube(path, *needed, only=None, lazy=False):
    """The cube as an xarray.Dataset, with the datasets `needed` over cells and configurations; only, lazy: see open_group."""
    if os.path.exists(path):
        verify(os.fspath(path))
    data = open_group(path, only=only, lazy=lazy)
    missing = [name for name in ("cell", *CONFIG) if name not in data.dims]
    if missing:
        raise NotOurs(f"{path}: no cube of saltus (no dimension {', '.join(missing)})")
    for name in CONFIG:
        if name not in data.coords:
            raise NotOurs(f"{path}: no cube of saltus (dimension {name} has no values)")
    for name in needed:
        if name not in data:
            raise NotOurs(f"{path}: the cube has no dataset {name}")
        if set(data[name].dims) != {"cell", *CONFIG}:
            raise NotOurs(f"{path}: {name} does not run over cell, {', '.join(CONFIG)}")
    return data


def concat(paths, name="sweep"):
    """The cubes of several sweeps of one model as one, their cells one after another along `cell`; the coordinate `name` numbers the sweeps
    from 0, in the order of paths. Points of eq. (36) are left out where they compare the runs of one sweep."""
    if not paths:
        raise NotOurs("no cube to join")
    cubes = [open_cube(path) for path in paths]
    for path, cube in zip(paths, cubes):
        if name in cube.variables:
            raise NotOurs(f"{path}: has '{name}' itself; another name is allowed for the number of the sweep")
        _check_alike(paths[0], cubes[0], path, cube)
    of_sweep = any(cube.attrs.get("points_scope") == "global" for cube in cubes)
    incompatible = [n for n in cubes[0].data_vars if n.startswith("points_") and of_sweep]
    whole = xr.concat([cube.drop_vars(incompatible).assign_coords({name: ("cell", np.full(cube.sizes["cell"], i))}) for i, cube in enumerate(cubes)],
                      "cell", data_vars="minimal", coords="minimal", compat="override", join="exact", combine_attrs="drop_conflicts")
    whole.attrs.pop("scattered_cells", None)
    for variable in whole.variables.values():
        variable.attrs.pop("checksum", None)  # of the values of one file
    return whole.assign_attrs(axes="cell", axis_sizes=whole.sizes["cell"])


def _check_alike(first, a, path, b):
    """Refuses a cube that has not the model, configurations and datasets of the first one."""
    sides = {key: (a.attrs.get(key, "none"), b.attrs.get(key, "none")) for key in ALIKE}
    sides |= {key: tuple(", ".join(map(str, cube[key].values)) for cube in (a, b)) for key in CONFIG}
    for key, (mine, its) in sides.items():
        if mine != its:
            said = f"another {key.replace('_', ' ')}" if key == "model_text" else f"{key} {its}"
            raise NotOurs(f"{path}: has {said}, but {first} {'its own' if key == 'model_text' else mine}; cubes of one model with the same "
                          "solvers, strategies, rtol, t_end, mesh and reference can be joined")
    for name in {*a.variables} ^ {*b.variables}:
        without, other = (path, first) if name in a.variables else (first, path)
        raise NotOurs(f"{without}: has no dataset {name}, which {other} has; cubes with the same datasets can be joined")


def with_outcome(outcome, *wanted):
    """Which runs ended in one of these ways."""
    names = str(outcome.attrs.get("flag_meanings", "done")).split()
    values = np.atleast_1d(outcome.attrs.get("flag_values", np.arange(len(names))))
    return outcome.isin([v for v, name in zip(values, names) if name in wanted])


def finished(outcome):
    """Which runs have gone as far as their model lets them: to the end, or to a contact that ends them."""
    return with_outcome(outcome, *FINISHED)


def stopped(outcome):
    """Which runs were stopped, or not begun, for their work or since they could win nothing: all of it would have been more."""
    return with_outcome(outcome, *STOPPED)


def blocks(variable):
    """The values of a variable over cells, some cells at a time, all of them once."""
    n = variable.sizes["cell"]
    each = max(1, BLOCK * n // max(1, variable.nbytes))
    for first in range(0, n, each):
        yield variable.isel(cell=slice(first, first + each)).values


def picked(variable, cells):
    """A variable in some cells, whose numbers ascend: of the file what lies between near ones is read with them."""
    row = max(1, variable.nbytes // variable.sizes["cell"])
    far = (np.diff(cells) * row > GAP) | (np.diff(cells // max(1, BLOCK // row)) > 0)
    parts = [
        variable.isel(cell=slice(some[0], some[-1] + 1)).values[some - some[0]]
        for some in np.split(cells, np.flatnonzero(far) + 1)
    ]
    return xr.DataArray(np.concatenate(parts), dims=variable.dims, attrs=variable.attrs)


def unit_of(variable):
    """Unit of a dataset; 1 where it has none."""
    return str(variable.attrs.get("units", "1"))


def open_stored(path):
    """The stored trajectories of a cube (`saltus store`) as an xarray.Dataset."""
    if os.path.exists(path):
        verify(os.fspath(path))
    try:
        return open_group(path, "trajectories")
    except NotOurs:
        open_cube(path)  # is it one at all?
        raise NotOurs(f"{path}: no stored trajectories; saltus store {path} --cells 1") from None


def scattered_cells(cube):
    """How many cells lie between those of the axes; they are the last ones."""
    return int(np.ravel(cube.attrs.get("scattered_cells", 0))[0])


def grid_part(cube):
    """The cube without scattered cells."""
    more = scattered_cells(cube)
    return cube.isel(cell=slice(cube.sizes["cell"] - more)).assign_attrs(scattered_cells=0) if more else cube


def unstack(cube):
    """The cube with one dimension per axis of its sweep in place of `cell`.

    An axis of one quantity becomes a dimension with its values: n, initial_z. One of several (rows,
    random, sobol) becomes a dimension of point numbers, named after them: z_th; its quantities stand
    along it. `cell_number` stays as the number of each cell. A cube whose sweep has no axes but one of
    several quantities, or none at all, is returned as it is: `cell` is that axis. Scattered cells
    are left out.
    """
    cube = grid_part(cube)
    names = str(cube.attrs.get("axes", "cell")).split()
    if names == ["cell"]:
        return cube
    sizes = axis_sizes(cube)
    if len(sizes) != len(names) or np.prod(sizes) != cube.sizes["cell"]:
        raise NotOurs(f"axes {' x '.join(map(str, sizes))} do not make {cube.sizes['cell']} cells")
    grid, coords = {}, {}
    for name, variable in cube.variables.items():
        (coords if name in cube.coords else grid)[name] = _on_grid(variable, names, sizes)
    for name in coords:
        if name != "cell_number" and "cell" in cube[name].dims:
            coords[name] = _without_constant(coords[name], names)
    for name in names:  # the values themselves, even of an axis with a single point
        coords[name] = axis_points(cube, name, names, sizes)
        grid.pop(name, None)
    return xr.Dataset(grid, coords, cube.attrs)


def axis_sizes(cube):
    """How many points each axis of the sweep has."""
    return tuple(int(n) for n in np.atleast_1d(cube.attrs.get("axis_sizes", ())))


def axis_points(cube, name, names, sizes):
    """The points of an axis along itself: values of its quantity, or numbers from 1 where it has several."""
    at = names.index(name)
    if name not in cube.variables:
        return xr.Variable((name,), np.arange(1, sizes[at] + 1), {"units": "1", "long_name": "number of the point of the axis"})
    step = int(np.prod(sizes[at + 1 :], dtype=int))
    return xr.Variable((name,), cube[name].values[: step * sizes[at] : step], cube[name].attrs)


def along_axes(variable, names, sizes):
    """A variable over cells with the axes that it changes along in place of `cell`; of one axis it keeps it."""
    whole = xr.Variable(variable.dims, variable.values, variable.attrs)
    return whole if len(names) == 1 and names[0] == "cell" else _without_constant(_on_grid(whole, names, sizes), names)


def _on_grid(variable, names, sizes):
    """The variable with the axes in place of `cell`; the last axis runs fastest."""
    if "cell" not in variable.dims:
        return variable
    at = variable.dims.index("cell")
    dims = (*variable.dims[:at], *names, *variable.dims[at + 1 :])
    shape = (*variable.shape[:at], *sizes, *variable.shape[at + 1 :])
    return xr.Variable(dims, variable.values.reshape(shape), variable.attrs)


def _without_constant(variable, names):
    """The variable without the axes along which it does not change."""
    for name in names:
        first = variable.isel({name: 0})
        if bool((variable == first).all()):
            variable = first
    return variable


def open_trajectory(path, state):
    """One trajectory as an xarray.Dataset with t and the state asked for."""
    data = open_group(path)
    if "t" not in data.variables:
        raise NotOurs(f"{path}: no trajectory of saltus (no dataset t)")
    if state not in data.variables:
        there = [str(n) for n in data.data_vars if data[n].dims == data["t"].dims and n != "mode"]
        raise NotOurs(f"{path}: no state {state}; there are {', '.join(there)}")
    if data["t"].size < 2:
        raise NotOurs(f"{path}: the trajectory has fewer than two points")
    return data
