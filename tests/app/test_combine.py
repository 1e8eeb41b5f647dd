"""Cubes of several sweeps in xarray and pandas: cells of two sweeps are never taken for the same ones, and joined they have the figures of
each.

test_combine.py .. SOURCE BUILD [--many]: --many: by fifty cubes, too.
"""
import importlib.util
import os
import sys

import numpy as np
import xarray

import cli

MANY = "--many" in sys.argv
SOURCE, BUILD = [word for word in sys.argv[1:] if word != "--many"][:2]
sys.argv[1:] = []
os.environ["SALTUS_LIBRARY"] = os.path.join(BUILD, "libsaltus.so.4")
sys.path.insert(0, os.path.join(SOURCE, "analysis"))
import saltus  # noqa: E402

SWEEP = """
model: monopod
t_end: 1
solvers: [ode45, ode23]
strategies: [event]
rtol: [1e-3, 1e-6]
cells:
  axes:
    - {name: b, list: [%s]}
    - {name: k, linear: [10, 30], points: 3}
"""
FIRST, SECOND = (1000, 2000, 4000), (5000, 30000)
# 2400 cells
TABLE = ("model=monopod", "t_end=0.05", "mesh=0.01", "solvers=[ode45]", "strategies=[event]", "rtol=[1e-3]", "divergence={}",
         "cells={axes: [{name: b, log: [1000, 4000], points: 15}, {name: k, linear: [10, 30], points: 16},"
         " {name: f, list: [0.05, 0.1, .12, .13, .14, .15, .16, .17, .18, .19]}]}")
NESTED = {"combine": "nested", "concat_dim": "cell"}


class Combine(cli.InFolder):
    def cube(self, name, points, *pairs):
        (self.folder / f"{name}.yaml").write_text(SWEEP % ", ".join(map(str, points)))
        self.works("run", f"{name}.yaml", "-q", "-o", f"{name}.h5", "--no-map", *cli.sets(*pairs))
        return str(self.folder / f"{name}.h5")

    def opened(self, path, group=None):
        with xarray.open_dataset(path, group=group) as data:
            return data.load()

    def never_combined(self, paths, group=None):
        says = "Could not find any dimension coordinates to use to order the datasets|cannot reindex or align along dimension 'cell'"
        with self.assertRaisesRegex(ValueError, says):  # by what open_mfdataset calls on the open files
            xarray.combine_by_coords([self.opened(path, group) for path in paths], combine_attrs="override")
        if importlib.util.find_spec("dask"):
            with self.assertRaisesRegex(ValueError, says):
                xarray.open_mfdataset(paths, group=group)

    def check_means(self, whole, paths):
        """Means of evaluations by hand, of each cube alone."""
        for path, points in zip(paths, (FIRST, SECOND)):
            cube = self.opened(path)
            for b in points:
                cells = [i for i in range(cube.sizes["cell"]) if cube["b"].values[i] == b]
                wanted = np.mean([cube["rhs_evaluations"].values[i] for i in cells])
                self.assertEqual(float(whole.rhs_evaluations.where(whole.b == b, drop=True).mean()), wanted)
        self.assertEqual(whole.sizes["cell"], 3 * (len(FIRST) + len(SECOND)))

    def test_cells_of_two_sweeps_are_not_the_same_ones(self):
        paths = [self.cube("a", FIRST), self.cube("b", SECOND)]
        self.never_combined(paths)
        nested = xarray.combine_nested([self.opened(path) for path in paths], "cell", data_vars="minimal", combine_attrs="drop_conflicts")
        self.check_means(nested, paths)
        joined = saltus.concat(paths)
        self.check_means(joined, paths)
        self.assertEqual(joined.sweep.values.tolist(), [0] * 9 + [1] * 6)
        self.assertEqual(joined.cell_number.values.tolist(), [*range(1, 10), *range(1, 7)])
        for i, path in enumerate(paths):
            part, alone = joined.isel(cell=joined.sweep == i), saltus.open(path)
            for variable in alone.variables.values():
                variable.attrs.pop("checksum", None)
            for name in part.drop_vars("sweep").variables:
                self.assertTrue(part[name].variable.identical(alone[name].variable), name)
        self.assertEqual({*alone.variables} - {*joined.variables}, {n for n in alone.data_vars if n.startswith("points_")})
        self.assertEqual([joined.attrs[name] for name in ("t_end", "axes", "axis_sizes")], [1, "cell", 15])
        self.assertEqual(saltus.concat(paths, name="run").run.values.tolist(), joined.sweep.values.tolist())
        if importlib.util.find_spec("dask"):
            self.check_means(xarray.open_mfdataset(paths, data_vars="minimal", **NESTED), paths)

    def test_groups_have_no_index_of_cells_either(self):
        paths = [self.cube("a", FIRST), self.cube("b", SECOND)]
        for path in paths:
            self.works("map", path)
            self.works("store", "-q", path, "--cells", "1,2", "--every", 0.5)
            for group in ("map", "trajectories"):
                data = self.opened(path, group)
                self.assertNotIn("cell", data.indexes)
                self.assertEqual(data.cell_number.values[:2].tolist(), [1, 2])
        for group in ("map", "trajectories"):
            self.never_combined(paths, group)

    def test_what_does_not_belong_together_is_refused(self):
        first = self.cube("a", FIRST)
        for pair, says in (("solvers=[ode45]", r"has solver ode45, but .*a.h5 ode45, ode23"), ("rtol=[1e-3]", r"has rtol 0.001, but .* 0.001, 1e-06"),
                           ("t_end=2", r"has t_end 2.0, but .*a.h5 1.0"), ("strategies=[switch]", "has strategy switch"),
                           ("points=none", "has no dataset points_.*, which .*a.h5 has")):
            other = self.cube("b", SECOND, pair)
            with self.assertRaisesRegex(saltus.InvalidError, rf"b\.h5: {says}"):
                saltus.concat([first, other])
            os.remove(other)
        (self.folder / "c.yaml").write_text(SWEEP.replace("monopod", "decay").replace("event", "switch").partition("cells")[0])
        self.works("run", "c.yaml", "-q", "-o", "c.h5")
        with self.assertRaisesRegex(saltus.InvalidError, r"c\.h5: has model decay, but .*a.h5 monopod"):
            saltus.concat([first, self.folder / "c.h5"])
        with self.assertRaisesRegex(saltus.InvalidError, r"a\.h5: has 'k' itself"):
            saltus.concat([first], name="k")
        with self.assertRaisesRegex(saltus.InvalidError, "no cube to join"):
            saltus.concat([])
        with self.assertRaisesRegex(saltus.InvalidError, "nowhere.h5: no such file"):
            saltus.concat([first, self.folder / "nowhere.h5"])

    def test_a_frame_has_a_row_for_each_cell_and_configuration(self):
        self.works("run", cli.DALLAS, "-q", "--no-map", "-o", "t.h5", *cli.sets(*TABLE))
        table = self.opened(self.folder / "t.h5")
        self.assertEqual(dict(table.sizes), {"cell": 2400, "rtol": 1, "strategy": 1, "solver": 1})
        self.assertEqual(len(table.to_dataframe()), 2400)
        cube = self.opened(self.cube("a", FIRST))
        frame = cube.to_dataframe()
        self.assertEqual(len(frame), 9 * 2 * 1 * 2)
        row = frame.loc[(4, 1e-6, "event", "ode23")]
        self.assertEqual((row.cell_number, row.b, row.k, row.steps), (5, 2000, 20, int(cube.steps[4].sel(rtol=1e-6, solver="ode23"))))

    if MANY:
        def test_fifty_cubes(self):
            paths = [self.cube(f"c{i}", (1000 + i, 2000 + i)) for i in range(50)]
            self.never_combined(paths)
            whole = saltus.concat(paths)
            for i, path in enumerate(paths):
                self.assertEqual(float(whole.steps.where(whole.sweep == i).mean()), float(self.opened(path).steps.mean()))


cli.main()
