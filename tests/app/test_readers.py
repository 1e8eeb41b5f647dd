"""All files that saltus writes, read by all that read netCDF and HDF5: each value and each attribute as h5py has it.

--octave: GNU Octave as well, which needs its package netcdf.
"""
import pathlib
import re
import subprocess
import sys
import warnings

import h5py
import netCDF4
import numpy as np
import xarray

import cli

OCTAVE = "--octave" in sys.argv
if OCTAVE:
    sys.argv.remove("--octave")
DATA = pathlib.Path(__file__).parent.parent / "data" / "recorded"
SWEEP = """title: größer "als" 1 \\ 2
model: hopping-leg
solvers: [ode23, ode45, ode15s]
strategies: [event]
rtol: [1e-3, 1e-5]
t_end: 0.5
mesh: 0.01
cells: {axes: [{name: k, linear: [10000, 20000], points: 3}, {name: dG, list: [-80, -20]},
               {name: release, list: [paper, unilateral]}]}
orbit: {find: [cycles, transient]}
cutoff: {baselines: [ode45], factor: 1}
store: {trajectories: [1, 5], every: 0.1}
"""
SCORED = """model: monopod
cells: {columns: [m1], rows: [[1.88], [10.4]]}
t_end: 6
mesh: 0.01
solvers: [ode45, dop853]
strategies: [switch, event]
rtol: [1e-3, 1e-6]
reference_tolerance: 1e-12
"""
ENGINES = ("h5netcdf", "netcdf4", None)  # None: the one that xarray takes by itself
TITLE = 'größer "als" 1 \\ 2'


def text_of(row):
    """A row of characters, or an attribute."""
    joined = b"".join(row) if isinstance(row, np.ndarray) else row
    return joined.decode() if isinstance(joined, bytes) else joined


def contents(path):
    """{path of a dataset: its values}, {path of an object: its attributes}, by h5py."""
    values, attributes = {}, {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and b"not a netCDF variable" in item.attrs.get("NAME", b""):
            return
        attributes[name] = {k: text_of(v) if isinstance(v, (bytes, str)) else v for k, v in item.attrs.items()
                            if not isinstance(v, h5py.Empty) and k not in HIDDEN}
        if isinstance(item, h5py.Dataset):
            value = item[()]
            values[name] = np.array([text_of(v) for v in value], dtype=object) if item.dtype.kind == "S" else value

    with h5py.File(path) as file:
        file.visititems(take)
        take("", file)
        for name, link in file.get("map", {}).items():  # links are not visited
            if f"map/{name}" not in values and isinstance(link, h5py.Dataset) and link.name.count("/") == 1:
                values[f"map/{name}"] = link[()]
    return values, attributes


HIDDEN = ("CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates")


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind in "OU":
        return [str(x) for x in a.ravel()] == [str(x) for x in b.ravel()]
    return a.shape == b.shape and a.tobytes() == np.asarray(b, dtype=a.dtype).tobytes()


def groups_of(values):
    return sorted({name.rpartition("/")[0] for name in values})


def by_xarray(path, values, engine):
    found = {}
    for group in groups_of(values):
        with xarray.open_dataset(path, engine=engine, group=group or None, decode_times=False, mask_and_scale=False) as data:
            assert "phony" not in str(data), data
            for name, variable in data.variables.items():
                found[f"{group}/{name}".strip("/")] = variable.values
    return found


def by_netcdf4(path, values):
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        return {name: file[name][...] for name in values}


def number(word, dtype, fill):
    """A number of CDL: NaNf, _ for the fill value, 1.5f, 7LL, 3US."""
    if word == "_":
        return fill
    word = re.sub(r"(?<=[0-9])(f|LL|UB|US|ULL|b|s)$|(?<=NaN)f$|(?<=Infinity)f$", "", word)
    return dtype.type(word) if dtype.kind == "f" else int(word)


def unescaped(text):
    return re.sub(r"\\(.)", r"\1", text)


def by_ncdump(path, values):
    cdl = subprocess.run(["ncdump", "-p", "9,17", path], check=True, capture_output=True, text=True).stdout
    found, at, data = {}, [], False
    for statement in re.split(r" ?;\n|(?<=[{}:])\n", cdl):
        statement = statement.strip()
        if match := re.search(r"group: (\w+) \{$", statement):
            at, data = [match[1]], False
        data = data or statement.endswith("data:")
        match = re.match(r"(\w+) =\s*(.*)$", statement, re.S) if data else None
        name = "/".join([*at, match[1]]) if match else None
        if name not in values:
            continue
        held = values[name]
        if held.dtype == object:
            found[name] = [unescaped(t) for t in re.findall(r'"((?:[^"\\]|\\.)*)"', match[2])]
        else:
            fill = np.nan if held.dtype.kind == "f" else -1
            words = re.split(r",\s*", match[2].strip()) if held.size else []
            found[name] = np.array([number(w, held.dtype, fill) for w in words], held.dtype).reshape(held.shape)
    return found


def by_h5dump(path, values):
    """Datasets by their last names within their groups, in the order of the dump."""
    text = subprocess.run(["h5dump", "-y", "-w", "0", "-m", "%.17g", path], check=True, capture_output=True, text=True).stdout
    found, at = {}, []
    for match in re.finditer(r'^( *)(GROUP|DATASET) "([^"]+)" \{|^ *DATA \{\n(.*?)^ *\}$', text, re.S | re.M):
        if match[2]:
            depth = len(match[1]) // 3
            at = [*at[:depth], match[3]]
            fresh = match[2] == "DATASET"
            continue
        name = "/".join(at[1:])
        if not fresh or name not in values:
            continue
        fresh, held = False, values[name]
        if held.dtype == object:
            letters = [re.sub(r"\\([\"\\])", r"\1", t) for t in re.findall(r'"((?:[^"\\]|\\.)*)"', match[4])]
            found[name] = letters
        else:
            words = re.findall(r"[^\s,]+", match[4])
            found[name] = np.array([float(w) if held.dtype.kind == "f" else int(w) for w in words], held.dtype)
    return found


def joined(letters, held):
    """h5dump's characters, NUL as \\000 and bytes above 127 as \\ooo, as texts."""
    raw = [bytes([int(t[1:], 8)]) if re.fullmatch(r"\\\d{3}", t) else t.encode() for t in letters]
    each = len(raw) // len(held) if len(held) else 0
    return [b"".join(raw[i * each:(i + 1) * each]).rstrip(b"\0").decode() for i in range(len(held))]


OCTAVE_READS = """pkg load netcdf
names = {%s};
for k = 1:numel(names)
  v = ncread('%s', names{k});
  if ischar(v)
    printf('%%s\\t%%s\\n', names{k}, strjoin(cellstr(v'), '\\t'));
  else
    printf('%%s\\t%%s\\n', names{k}, strtrim(sprintf('%%.17g ', double(v))));
  end
end
"""


def by_octave(path, values):
    code = OCTAVE_READS % (", ".join(f"'/{name}'" for name in values), path)
    text = subprocess.run(["octave-cli", "--no-gui", "--eval", code], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        name, *words = line.split("\t")
        held = values[name[1:]]
        if held.dtype == object:
            found[name[1:]] = words
        else:  # its first index runs fastest, and is netCDF's last
            found[name[1:]] = np.array([float(w) for w in words[0].split()]).reshape(held.shape)
    return found


class Readers(cli.InFolder):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("error")
        (self.folder / "sweep.yaml").write_text(SWEEP)

    def check_values(self, reader, path, found, values):
        if reader in ("ncdump", "octave"):  # say nothing of what is empty
            values = {name: held for name, held in values.items() if held.size}
        self.assertLessEqual(set(values), set(found), (path, reader))
        for name, held in values.items():
            read = found[name]
            if reader == "h5dump":
                read = joined(read, held) if held.dtype == object else read.reshape(held.shape)
            elif reader == "octave" and held.dtype != object:
                wanted = np.where(held == -1, np.nan, held) if "_FillValue" in self.attributes.get(name, {}) else held
                np.testing.assert_array_equal(read, np.asarray(wanted, float), f"{path} {name} by octave")
                continue
            self.assertTrue(same(held, read), f"{path}: {name} by {reader}: {read} for {held}")

    def check_attributes(self, path, attributes):
        with netCDF4.Dataset(path) as file:
            for name, held in attributes.items():
                item = file[name] if name else file
                for key, value in held.items():
                    got = item.getncattr(key)
                    self.assertTrue(got == value if isinstance(value, str) else np.array_equal(np.ravel(got), np.ravel(value), True),
                                    f"{path}: {name}.{key}: {got!r} for {value!r}")

    def check(self, name, *texts, brief=False):
        """By all readers, or, of a file made like another one, by netCDF-C alone."""
        path = str(self.folder / name)
        values, attributes = contents(path)
        self.attributes = attributes
        for text in texts:
            self.assertEqual(values[text].dtype, object)
        readers = {f"xarray {engine}": lambda engine=engine: by_xarray(path, values, engine) for engine in ENGINES}
        readers |= {"netCDF4": lambda: by_netcdf4(path, values), "ncdump": lambda: by_ncdump(path, values),
                    "h5dump": lambda: by_h5dump(path, values)}
        if brief:
            readers = {reader: readers[reader] for reader in ("xarray None", "netCDF4")}
        if OCTAVE:
            readers = {"octave": lambda: by_octave(path, values)}
        for reader, read in readers.items():
            self.check_values(reader, name, read(), values)
        self.check_attributes(path, attributes)
        return values, attributes

    def test_cubes(self):
        self.works("run", "sweep.yaml", "-q", "-o", "cube.h5")
        values, attributes = self.check("cube.h5", "solver", "strategy", "map/config", "map/config_solver", "trajectories/solver")
        self.assertEqual(list(values["solver"]), ["ode23", "ode45", "ode15s"])
        self.assertEqual(attributes[""]["title"], TITLE)
        self.assertEqual(attributes[""]["sweep"], SWEEP)
        for engine in ENGINES:
            with xarray.open_dataset(self.folder / "cube.h5", engine=engine) as cube:
                one = cube.max_error.sel(solver="ode45", strategy="event", rtol=1e-5)
                np.testing.assert_array_equal(one.values, values["max_error"][:, 1, 0, 1])
        self.works("refine", "cube.h5", "-q", "--cells", 2, "-o", "more.h5", "--no-map")
        self.check("more.h5", "solver", brief=True)
        for part in (1, 2):
            self.works("run", "sweep.yaml", "-q", "-o", "parts.h5", "--part", f"{part}/2")
        self.works("merge", "-q", "parts.h5")
        self.check("parts.h5", "solver", "map/config_strategy", brief=True)

    def test_units(self):
        self.works("run", "sweep.yaml", "-q", "-o", "cube.h5")
        wanted = {"max_error": "m", "max_error_partial": "m", "end_error": "m", "integral_absolute_error": "m s", "t_reached": "s",
                  "divergence_time": "s", "spectral_radius": "1/s", "orbit_period": "s", "orbit_apex": "m", "steps": "1",
                  "stiffness_ratio": "1", "last_opening": "s", "equilibrium_rate": "1/s", "outcome": None, "reference_error": None,
                  "orbit_verdict": None, "map/error": "m", "map/by_error_achieved": "m", "map/by_error_value": "1",
                  "map/by_error_reason": None, "trajectories/t": "s", "trajectories/zU": "m", "release": None}
        _, attributes = contents(str(self.folder / "cube.h5"))
        self.assertEqual({name: attributes[name].get("units") for name in wanted}, wanted)
        for group in ("", "trajectories"):
            told = attributes[group]
            self.assertEqual([told[k] for k in ("watched_state", "watched_unit", "time_unit")], ["zU", "m", "s"])
        with xarray.open_dataset(self.folder / "cube.h5") as cube:
            done = cube.outcome == 0
            self.assertTrue(bool((~done).any()))  # the cutoff stops some
            self.assertTrue(bool((cube.max_error.notnull() == done).all() and (cube.max_error_partial.notnull() == ~done).all()))
        self.works("map", "cube.h5", "--error", "1mm,20 um")
        with h5py.File(self.folder / "cube.h5") as file:
            np.testing.assert_allclose(file["map/error"][()], [1e-3, 2e-5], rtol=1e-15)
        for bad in ("3kg", "1deg", "1 foo"):
            self.refused("map", "cube.h5", "--error", bad, says=(f"--error: '{bad}'", "a largest error of zU: a number, in m", "nm, um, mm"))
        self.refused("run", "cube.h5", "-o", "x.h5", says=("cube.h5: is an HDF5 file; a sweep file is expected", "saltus info"))

    def test_a_run_and_a_branch(self):
        self.works("trajectory", "--model", "hopping-leg", "--t-end", 1, "-o", "run.h5")
        values, attributes = self.check("run.h5", "event_name")
        self.assertIn("touchdown", list(values["event_name"]))
        self.works("trajectory", "--model", "decay", "-o", "quiet.h5")
        self.check("quiet.h5", "event_name")
        self.works("continue", "--model", "hopping-leg", "--in", "dG", "--from", -60, "--to", -50, "-o", "branch.h5")
        self.check("branch.h5", "type_name", "reason")

    def test_recorded_runs(self):
        (self.folder / "scored.yaml").write_text(SCORED)
        (self.folder / "rk45.txt").write_text((DATA / "solve_ivp_rk45.txt").read_text())
        self.works("score", "scored.yaml", "--recorded", "scipy-rk45=rk45.txt", "-o", "scored.h5", "-q")
        self.check("scored.h5", "solver", brief=True)


cli.main()
