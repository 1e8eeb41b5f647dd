"""Cells back into a grid, from a made-up cube; real ones: tests/app/test_axes.py.

Called as test_unstack.py ANALYSIS.
"""

import os
import sys
import tempfile
import unittest

import h5py
import numpy as np
import xarray

sys.path.insert(0, sys.argv.pop(1))

import cube as cubes  # noqa: E402 (the folder is known only now)
import made_up  # noqa: E402

N, START = (2, 4, 8), 2


class Unstack(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "cube.h5")

    def number(self, name):
        """A value that distinguishes cells, tolerances, strategies and solvers."""
        shape = (len(N) * START, len(made_up.TOLERANCES), len(made_up.STRATEGIES), len(made_up.SOLVERS))
        return np.arange(np.prod(shape), dtype=float).reshape(shape)

    def test_stock_xarray_selects_by_name(self):
        made_up.write_cube(self.path)
        with xarray.open_dataset(self.path, engine="h5netcdf") as cube:
            one = cube["points_divergence_time"].sel(strategy="event", rtol=1e-6)
            self.assertEqual((one.dims, one.shape), (("cell", "solver"), (5, 7)))

    def test_another_layout_is_refused(self):
        made_up.write_cube(self.path)
        with h5py.File(self.path, "a") as file:
            file.attrs["layout"] = cubes.LAYOUT + 1
        with self.assertRaisesRegex(cubes.NotOurs, "has layout 5; layout 4 is read here: run its sweep again"):
            cubes.open_cube(self.path)

    def test_counts_are_integers_unless_one_is_missing(self):
        made_up.write_cube(self.path)
        counts = np.arange(5 * 3 * 2 * 7).reshape(5, 3, 2, 7)
        with h5py.File(self.path, "a") as file:
            made_up.dataset(file, "steps", counts, made_up.DIMS)
            made_up.dataset(file, "events", counts - 1, made_up.DIMS, _FillValue=np.int64(-1))
        cube = cubes.open_cube(self.path)
        self.assertEqual((cube["steps"].dtype, cube["events"].dtype), (np.int64, np.float64))
        self.assertEqual(int(cube["events"].isnull().sum()), 1)

    def cube(self, sizes=(len(N), START)):
        """n x (z, th), the last axis fastest; g is the same everywhere."""
        made_up.write_cube(self.path, n_cell=len(N) * START, points=self.number)
        with h5py.File(self.path, "a") as file:
            made_up.coordinate(file.require_group("axes"), "n", np.array(N, dtype=float))
            for name, values in {"n": np.repeat(N, START), "initial_z": [2.5, 2.25] * 3, "g": [9.81] * 6}.items():
                made_up.dataset(file, name, np.array(values, dtype=float), ("cell",), units="1", kind="coordinate")
            made_up.dataset(file, "reference_error", np.arange(6.0), ("cell",))
            file["outcome"].attrs["coordinates"] = "cell_number n initial_z g"
            file.attrs["axes"] = "n z_th"
            file.attrs["axis_sizes"] = np.array(sizes)
        return cubes.open_cube(self.path)

    def test_cells_become_dimensions(self):
        cube = self.cube()
        grid = cubes.unstack(cube)
        dims = ("n", "z_th", "rtol", "strategy", "solver")
        self.assertEqual(grid["outcome"].dims, dims)
        self.assertNotIn("cell", grid.dims)
        self.assertEqual(list(grid["n"].values), list(N))
        self.assertEqual(list(grid["z_th"].values), [1, 2])
        self.assertEqual(grid["reference_error"].values.tolist(), [[0, 1], [2, 3], [4, 5]])
        steps = grid["points_rhs_evaluations"]
        for i, n in enumerate(N):
            for j in range(START):
                whole = cube["points_rhs_evaluations"].isel(cell=START * i + j).values
                self.assertTrue(np.array_equal(steps.sel(n=n).isel(z_th=j).values, whole))
        self.assertNotEqual(float(steps[0, 0, 0, 0, 0]), float(steps[0, 1, 0, 0, 0]))
        self.assertEqual(grid.attrs["title"], "made up")
        self.assertEqual(grid["outcome"].attrs["flag_meanings"], "done stuck")

    def test_coordinates_stand_along_what_they_change_with(self):
        grid = cubes.unstack(self.cube())
        self.assertEqual(grid["initial_z"].dims, ("z_th",))
        self.assertEqual(list(grid["initial_z"].values), [2.5, 2.25])
        self.assertEqual((grid["g"].dims, float(grid["g"])), ((), 9.81))
        self.assertEqual(grid["cell_number"].values.tolist(), [[0, 1], [2, 3], [4, 5]])
        self.assertEqual(set(grid.coords) - {"rtol", "strategy", "solver"}, {"n", "z_th", "initial_z", "g", "cell_number"})

    def test_without_axes_cells_stay_cells(self):
        made_up.write_cube(self.path)
        cube = cubes.open_cube(self.path)
        self.assertIs(cubes.unstack(cube), cube)

    def test_scattered_cells_are_left_out(self):
        self.cube(sizes=(2, START))
        with h5py.File(self.path, "a") as file:
            file.attrs["scattered_cells"] = 2
        cube = cubes.open_cube(self.path)
        self.assertEqual(cubes.grid_part(cube).sizes["cell"], 4)
        grid = cubes.unstack(cube)
        self.assertEqual(grid["reference_error"].values.tolist(), [[0, 1], [2, 3]])
        self.assertEqual(list(grid["n"].values), list(N[:2]))

    def test_cells_that_are_picked_are_read_in_parts(self):
        """Parts begin where the gap is wide or a block is full; what lies outside of them is not read."""
        made_up.write_cube(self.path, n_cell=40, points=lambda name: np.arange(1680.0).reshape(40, 3, 2, 7))
        own = cubes.BLOCK, cubes.GAP
        self.addCleanup(lambda: vars(cubes).update(BLOCK=own[0], GAP=own[1]))
        lazy = cubes.open_cube(self.path, lazy=True)["points_divergence_time"]
        whole, read, row = lazy.values, [], 42 * 8
        self.addCleanup(setattr, xarray.DataArray, "isel", xarray.DataArray.isel)
        isel = xarray.DataArray.isel
        xarray.DataArray.isel = lambda self, cell: read.append((cell.start, cell.stop)) or isel(self, cell=cell)
        for block, gap, cells, parts in (
            (100 * row, 100 * row, [3, 5, 30, 39], [(3, 40)]),
            (100 * row, 10 * row, [3, 5, 30, 39], [(3, 6), (30, 40)]),
            (16 * row, 100 * row, [3, 5, 30, 39], [(3, 6), (30, 31), (39, 40)]),
            (1, 1, [0, 1, 7], [(0, 1), (1, 2), (7, 8)]),
            (100 * row, 10 * row, np.arange(40), [(0, 40)]),
        ):
            cubes.BLOCK, cubes.GAP = block, gap
            read.clear()
            found = cubes.picked(lazy, np.array(cells))
            np.testing.assert_array_equal(found.values, whole[cells])
            self.assertEqual((read, found.dims, found.attrs), (parts, lazy.dims, lazy.attrs))
        cubes.BLOCK = 7 * row
        some = list(cubes.blocks(lazy))
        self.assertEqual([len(values) for values in some], [7, 7, 7, 7, 7, 5])
        np.testing.assert_array_equal(np.concatenate(some), whole)

    def test_sizes_that_do_not_fit_are_told(self):
        with self.assertRaisesRegex(cubes.NotOurs, "3 x 3 do not make 6 cells"):
            cubes.unstack(self.cube(sizes=(3, 3)))


unittest.main()
