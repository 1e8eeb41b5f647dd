"""Sweeps with axes from end to end: the cells, their coordinates, the grid, and the same bits."""
import os
import sys

import h5py
import numpy as np

import cli

sys.path.insert(0, os.path.join(cli.SWEEPS, "..", "analysis"))
import cube as cubes  # noqa: E402 (the folder is known only now)

HEAD = """
model: monopod
t_end: 3
mesh: 0.01
solvers: [ode45, ode23s]
strategies: [event]
rtol: [1e-4]
"""
GRID = HEAD + """
cells:
  axes:
    - {name: b, log: [100, 10000], points: 3}
    - {name: adhesion, list: [clamp, literal]}
    - {columns: [k, y1], random: [[10, 30], [0.25, 0.5]], points: 4, seed: 7}
    - {name: v2, linear: [-0.5, 0.5], points: 3}
"""
SIZES = {"b": 3, "adhesion": 2, "k_y1": 4, "initial_v2": 3}


class Axes(cli.InFolder):
    def run_text(self, text, out, *args, **more):
        (self.folder / "sweep.yaml").write_text(text, encoding="utf-8")
        self.works("run", "sweep.yaml", "-q", "-o", out, *args, **more)
        return cubes.open_cube(self.folder / out)

    def test_the_cube_becomes_a_grid(self):
        cube = self.run_text(GRID, "grid.h5", ranks=2)
        self.assertEqual(cube.sizes["cell"], 72)
        self.assertEqual(cube.attrs["axes"].split(), [*SIZES])
        self.assertEqual(list(cube.attrs["axis_sizes"]), [*SIZES.values()])
        grid = cubes.unstack(cube)
        self.assertEqual(dict(grid.sizes), {**SIZES, "rtol": 1, "strategy": 1, "solver": 2})
        self.assertEqual(list(grid.b.values), [100, 1000, 10000])
        self.assertEqual(list(grid.adhesion.values), [1, 0])  # literal is choice 0
        self.assertEqual(grid.adhesion.attrs["flag_meanings"], "literal clamp")
        self.assertEqual(list(grid.initial_v2.values), [-0.5, 0, 0.5])
        self.assertEqual(list(grid.k_y1.values), [1, 2, 3, 4])
        self.assertEqual((grid.k.dims, grid.initial_y1.dims), (("k_y1",), ("k_y1",)))
        self.assertEqual(grid.m1.dims, ())
        self.assertTrue(10 <= grid.k.min() < grid.k.max() < 30 and grid.initial_y1.min() >= 0.25)
        self.assertEqual(grid.steps.dims, (*SIZES, "rtol", "strategy", "solver"))
        at = {"b": 1, "adhesion": 0, "k_y1": 2, "initial_v2": 1}
        cell = ((1 * 2 + 0) * 4 + 2) * 3 + 1
        self.assertEqual(int(grid.cell_number.isel(at)), cell + 1)
        self.assertTrue((grid.steps.isel(at).values == cube.steps.isel(cell=cell).values).all())
        self.assertGreater(len(np.unique(grid.steps)), 10)

    def test_a_grid_is_the_table_of_its_cells(self):
        cube = self.run_text(GRID.replace("[clamp, literal]", "[literal]"), "grid.h5")
        rows = [[repr(float(cube[name][i])) for name in ("b", "k", "initial_y1", "initial_v2")] for i in range(36)]
        table = "cells:\n  columns: [b, k, y1, v2]\n  rows:\n" + "".join(f"  - [{', '.join(r)}]\n" for r in rows)
        self.run_text(HEAD + table, "table.h5")
        with h5py.File(self.folder / "grid.h5") as a, h5py.File(self.folder / "table.h5") as b:
            self.assertEqual((cli.word(b.attrs["axes"]), list(b.attrs["axis_sizes"])), ("cell", [36]))
            names = [name for name in b if name not in ("cell", "map", "sums") and cli.word(b[name].attrs.get("kind")) != "timing"]
            self.assertEqual((set(a) - set(b), set(a["axes"])), ({"axes"}, set(SIZES)))
            self.assertEqual([list(a["axes/k_y1"]), list(a["axes/initial_v2"])], [[1, 2, 3, 4], [-0.5, 0, 0.5]])
            self.assertGreater(len(names), 30)
            for name in names:
                np.testing.assert_array_equal(a[name][()], b[name][()], name)

    def test_ranks_and_threads_leave_no_trace(self):
        self.run_text(GRID, "1x1.h5", threads=1)
        for ranks, threads in ((1, 2), (2, 1), (3, 2)):
            self.run_text(GRID, "other.h5", "--force", ranks=ranks, threads=threads)
            self.assertIn("the same", self.works("diff", "1x1.h5", "other.h5"))
        self.run_text(GRID.replace("seed: 7", "seed: 8"), "other.h5", "--force")
        self.assertIn("k: 72 of 72 values differ", self.saltus("diff", "1x1.h5", "other.h5").stdout)

    def test_the_shipped_sweeps_are_what_they_say(self):
        small, full = (os.path.join(cli.SWEEPS, name) for name in ("contacts.yaml", "contacts-full.yaml"))
        self.assertIn("7 x 4 = 28\n", self.works("plan", small, "--sample", 0))
        self.assertIn("10 x 120 = 1200\n", self.works("plan", full, "--sample", 0))
        short = cli.sets("t_end=0.1", "mesh=0.01", "solvers=[ode45]", "strategies=[event]", "timing.repeats=0",
                         "rtol=[1e-3]", "divergence={}")
        starts = []
        for name in (small, full):
            self.works("run", name, "-q", "-f", "-o", "out.h5", *short, "--set", "max_step=0")
            grid = cubes.unstack(cubes.open_cube(self.folder / "out.h5"))
            self.assertTrue((grid.n.values == 2.0 ** np.arange(1, grid.sizes["n"] + 1)).all())
            starts.append(np.stack([grid.initial_z.values, grid.initial_th.values]))
        self.assertTrue((starts[0] == starts[1][:, :4]).all())
        self.assertEqual(len(np.unique(starts[1])), 240)

    def test_one_message_on_all_ranks(self):
        (self.folder / "bad.yaml").write_text(GRID.replace("[100, 10000]", "[0, 10000]"), encoding="utf-8")
        self.refused("run", "bad.yaml", "-o", "x.h5", says=("bad.yaml:11: log of b = [0, 10000] comes to 0",), ranks=2)
        self.refused("plan", "bad.yaml", says=("bad.yaml:11: log of b",))


cli.main()
