"""Trajectories kept in a cube, by the key `store` and by `saltus store`; cubes made smaller."""
import csv
import os
import pathlib
import shutil
import subprocess
import unittest

import h5py
import numpy as np
import xarray

import cli

ONLY = "store.trajectories=[2,5-7,13]"
CELLS = [2, 5, 6, 7, 13]
MANY = "store.trajectories=[1-4]"  # most of the cube
METRICS = ("cell", "rtol", "strategy", "solver")


class Folder(cli.InFolder):
    def run_sweep(self, out, *pairs, **more):
        self.works("run", cli.DALLAS, "-q", "-o", out, *cli.sets(*cli.SHORT, *pairs), **more)

    def kept(self, path):
        with xarray.open_dataset(self.folder / path, group="trajectories", engine="h5netcdf") as data:
            return data.load()

    def cube(self, path):
        with xarray.open_dataset(self.folder / path, engine="h5netcdf") as data:
            return data.load()

    def same(self, a, b):
        """By our own word, and bit by bit."""
        self.assertIn("the same", self.works("diff", a, b))
        with h5py.File(self.folder / a) as x, h5py.File(self.folder / b) as y:
            x, y = x["trajectories"], y["trajectories"]
            self.assertEqual(sorted(x), sorted(y))
            for name in x:
                self.assertEqual(x[name][()].tobytes(), y[name][()].tobytes(), name)


class Store(Folder):
    @unittest.skipIf(cli.SLOW, "takes long with sanitizers")
    def test_ranks_threads_lanes_and_the_way_they_came_change_no_bit(self):
        self.run_sweep("plain.h5", ONLY, "width=1", threads=1)
        for ranks, threads, width in ((1, 1, 8), (2, 1, 4), (1, 2, 1), (3, 2, 0)):
            out = f"{ranks}{threads}{width}.h5"
            self.run_sweep(out, ONLY, f"width={width}", ranks=ranks, threads=threads)
            self.same("plain.h5", out)
        self.run_sweep("bare.h5")
        with h5py.File(self.folder / "bare.h5") as bare:
            self.assertNotIn("trajectories", bare)
        self.works("store", "bare.h5", "--cells", "13,7,2,5-6", ranks=2, threads=1)
        self.same("plain.h5", "bare.h5")

    def test_errors_made_from_them_are_those_of_the_cube(self):
        for reference in ("certified", "paper"):
            self.run_sweep(f"{reference}.h5", ONLY, f"reference={reference}")
            kept, cube = self.kept(f"{reference}.h5"), self.cube(f"{reference}.h5").isel(cell=np.array(CELLS) - 1)
            self.assertEqual(kept.cell_number.values.tolist(), CELLS)
            r = kept.reference_y1
            error = abs(kept.y1 - r)
            weight = np.full(kept.t.size, kept.t.values[1])
            weight[[0, -1]] /= 2
            far = (error >= xarray.DataArray([0.05, 0.01], dims="rtol") * abs(r)) & (abs(r) >= 0.05)
            first = far.idxmax("t").where(far.any("t"))
            found = {"max_error": error.max("t"), "integral_absolute_error": (error * weight).sum("t"),
                     "divergence_time": first.transpose(*METRICS)}
            np.testing.assert_array_equal(found["max_error"].transpose(*METRICS), cube.max_error)
            np.testing.assert_allclose(found["integral_absolute_error"].transpose(*METRICS),
                                       cube.integral_absolute_error, rtol=1e-12)
            np.testing.assert_array_equal(found["divergence_time"], cube.divergence_time)
            self.assertGreater(float(cube.max_error.min()), 1e-9)
            self.assertTrue(bool(far.any()) and not bool(far.any("t").all()))
            self.assertGreater(float(abs(kept.reference_v1).max()), 0.1)

    def test_the_mean_of_four_is_one_in_all_states(self):
        one = ("rtol=[1e-12]", "solvers=[ode23,ode45,ode113,ode15s]", "strategies=[event]", "t_end=6")
        self.run_sweep("a.h5", "store.trajectories=[1]", "reference=paper", "reference_tolerance=1e-12", *one)
        kept = self.kept("a.h5").isel(rtol=0, strategy=0)
        for name in ("y1", "v1", "y2", "v2"):
            mean = sum(0.25 * kept[name].sel(solver=m) for m in ("ode23", "ode45", "ode113", "ode15s"))
            np.testing.assert_array_equal(mean, kept["reference_" + name])
            self.assertTrue(np.any(kept[name].sel(solver="ode15s") != kept["reference_" + name]))

    def test_they_are_what_saltus_trajectory_writes(self):
        strategies = ("switch", "event", "ess", "ess2")
        self.run_sweep("a.h5", "store={trajectories: [5], every: 0.5}", "solvers=[ode45,ode23tb]",
                       f"strategies=[{','.join(strategies)}]", "rtol=[1e-5]")
        kept = self.kept("a.h5").isel(cell=0, rtol=0)
        self.assertEqual(kept.t.values.tolist(), [0.5 * j for j in range(23)])
        param = ",".join(f"{name}={float(kept[name]):.17g}" for name in ("b", "m1", "k", "f"))
        for method in ("ode45", "ode23tb"):
            for strategy in strategies:
                self.works("trajectory", "--param", param, "--solver", method, "--strategy", strategy, "--rtol",
                           1e-5, "--t-end", 11, "--dt", 0.5, "-f", "-o", "one.csv")
                with open(self.folder / "one.csv", encoding="utf-8", newline="") as file:
                    rows = [row for row in csv.DictReader(file) if not row["event"]]
                one = kept.sel(solver=method, strategy=strategy)
                for name in ("y1", "v1", "y2", "v2", "mode"):
                    self.assertEqual(one[name].values.tolist(), [float(row[name]) for row in rows], (method, name))
                self.assertEqual({*one["mode"].values.tolist()}, {0, 1})

    def test_runs_that_ended_early_and_pairs_left_out_say_so(self):
        self.run_sweep("a.h5", ONLY, "strategies=[event,ess2]", "solvers=[ode45,ode15s]", "unsupported=leave-out",
                       "max_attempts=60")
        kept, cube = self.kept("a.h5"), self.cube("a.h5").isel(cell=np.array(CELLS) - 1)
        words = dict(enumerate(kept["mode"].attrs["flag_meanings"].split()))
        self.assertEqual(words, {0: "open", 1: "closed", 2: "ended", 3: "incompatible"})
        ended = kept["mode"] == 2
        reached = kept.t.where(~ended).max("t").transpose(*METRICS)
        late = cube.t_reached.where(cube.outcome != 6)
        self.assertTrue(bool((reached.where(cube.outcome != 6) <= late).where(cube.outcome != 6, True).all()))
        self.assertTrue(bool((reached + 0.01001 > late).where((cube.outcome != 6) & (late < 11), True).all()))
        self.assertTrue(bool(ended.any()) and bool((~ended).any()))
        out = kept.sel(strategy="ess2", solver="ode15s")
        self.assertTrue(bool((out["mode"] == 3).all()))
        for name in ("y1", "v2"):
            np.testing.assert_array_equal(np.isnan(kept[name]), kept["mode"] >= 2)
        np.testing.assert_array_equal(np.isnan(kept.reference_y1), kept.reference_mode == 2)  # 60 are few for it, too

    def test_xarray_finds_names_units_and_dimensions(self):
        self.run_sweep("a.h5", "store={trajectories: all, every: 1}")
        kept = self.kept("a.h5")
        self.assertEqual(dict(kept.sizes), {"cell": 13, "rtol": 2, "strategy": 2, "solver": 7, "t": 12})
        self.assertEqual(kept.y1.dims, (*METRICS, "t"))
        self.assertEqual(kept.reference_mode.dims, ("cell", "t"))
        cube = self.cube("a.h5")
        for name in ("b", "m1", "k", "f"):
            self.assertIn(name, kept.coords)
            np.testing.assert_array_equal(kept[name], cube[name])
        for name in ("y1", "v1", "reference_y1", "reference_v1", "t", "mode"):
            self.assertTrue(kept[name].attrs["long_name"], name)
        self.works("trajectory", "--t-end", 1, "-o", "one.h5")
        with xarray.open_dataset(self.folder / "one.h5", engine="h5netcdf") as one:
            for name in ("t", "y1", "v1"):
                self.assertEqual(kept[name].attrs["units"], one[name].attrs["units"])
        np.testing.assert_array_equal(kept.y1.isel({"t": 0}), np.full((13, 2, 2, 7), 0.5))

    def test_info_and_plan_tell_of_them(self):
        self.assertNotIn("kept", self.works("plan", cli.DALLAS, "--sample", 0))
        self.assertIn("5 cells at 1101 points", self.works("plan", cli.DALLAS, "--sample", 0,
                                                           *cli.sets(*cli.SHORT, ONLY)))
        said = self.works("plan", cli.DALLAS, "--sample", 0, "--json", *cli.sets(*cli.SHORT, ONLY))
        self.run_sweep("a.h5", ONLY)
        with h5py.File(self.folder / "a.h5") as cube:
            sizes = [s.nbytes for name, s in cube["trajectories"].items() if name.lstrip("reference_")[-2:] in
                     ("y1", "v1", "y2", "v2", "de")]
        self.assertEqual(len(sizes), 10)
        self.assertIn(f'"stored_bytes": {sum(sizes)},', said)
        self.assertIn("5 cells at 1101 points", self.works("info", "a.h5"))

    def test_a_cube_keeps_what_else_it_has(self):
        self.run_sweep("a.h5")
        self.works("map", "a.h5")
        shutil.copy(self.folder / "a.h5", self.folder / "b.h5")
        self.works("store", "-q", "b.h5", "--cells", 3, "--every", 0.5)
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
        with h5py.File(self.folder / "b.h5") as cube:
            self.assertIn("map", cube)
            self.assertEqual(cube["trajectories/t"].size, 23)
        self.refused("store", "b.h5", "--cells", 4, says=("b.h5: has trajectories; --force replaces",), code=3)
        self.works("store", "b.h5", "--cells", 4, "--force")
        self.assertEqual(self.kept("b.h5").cell_number.values.tolist(), [4])
        self.works("map", "b.h5")
        self.assertEqual(self.kept("b.h5").cell_number.values.tolist(), [4])

    def test_runs_that_are_not_repeated_are_refused(self):
        self.run_sweep("a.h5")
        with cli.edited(self.folder / "a.h5") as cube:
            cube["steps"][4, 1, 0, 1] += 1
        self.refused("store", "-q", "a.h5", "--cells", "1-13",
                     says=("cell 5, tolerance 1e-06, switch, ode45: steps is", "does not repeat"))
        self.works("store", "a.h5", "--cells", "1-4,6-13")

    def test_what_is_kept_is_no_part_of_a_run(self):
        """Parts and resumed runs may ask for other trajectories; the sweep of the first is that of the cube."""
        self.run_sweep("whole.h5", "store.trajectories=[1]")
        for part, key in (("1/2", "store.trajectories=[1]"), ("2/2", "store={trajectories: all, every: 2}")):
            self.works("run", cli.DALLAS, "-q", "-o", "a.h5", "--part", part, *cli.sets(*cli.SHORT, key))
        self.works("merge", "-q", "a.h5", ranks=2)
        self.same("whole.h5", "a.h5")

    def test_bad_keys(self):
        for pair, *says in (
                ("store.trajectories=[0]", "cell 0 is not there", "from 1 to 13"),
                ("store.trajectories=[3-14]", "cell 14 is not there"),
                ("store={every: 12}", "store.every: a spacing of 12 is wider than t_end = 11"),
                ("store={trajectories: [1], often: 2}", "often"),
                ("store={every: 1e-7}", "store.every: ", "1.1e+08 points; allowed: to 1e+08"),
                ("store={trajectories: all, every: 1.2e-7}", "1.14e+03 GB; allowed: to 1000 GB", "13 cells", "28 configurations")):
            self.refused("run", cli.DALLAS, "-o", "a.h5", *cli.sets(*cli.SHORT, pair), says=says)

    def test_bad_commands(self):
        self.run_sweep("a.h5")
        for args, *says in (
                ((), "--cells: which cells?", "1 to 13"),
                (("--cells", "14"), "--cells: cell 14 is not there", "from 1 to 13"),
                (("--cells", "1,2-"), "'2-' is not a cell", "20-29"),
                (("--cells", ""), "'' is not a cell"),
                (("--cells", "7-5"), "'7-5' ends before it begins", "5-7"),
                (("--cells", "1,3-5,4"), "cell 4 is there twice"),
                (("--cells", "all", "--every", "0"), "--every: spacing = 0 is out of range", "greater than 0"),
                (("--cells", "1", "--every", "11.5"), "--every: a spacing of 11.5 is wider than t_end = 11"),
                (("--cells", "1", "--every", "1e-9"), "--every: ", "1.1e+10 points")):
            self.refused("store", "a.h5", *args, says=says)
        self.refused("store", "b.h5", "--cells", "1", says=("b.h5: cannot be read",), code=4)
        self.refused("store", "a.h5", "--cells", "99", ranks=2, says=("cell 99",))


class Compress(Folder):
    cube = b""  # made by the first test

    def setUp(self):
        super().setUp()
        if not Compress.cube:
            self.run_sweep("a.h5", MANY)
            Compress.cube = (self.folder / "a.h5").read_bytes()
        for name in ("a.h5", "b.h5"):
            (self.folder / name).write_bytes(Compress.cube)

    def size(self, path):
        return os.path.getsize(self.folder / path)

    def objects(self, path):
        """Every object with its labels, and for datasets what their dimensions are."""
        found = {}

        def note(name, item):
            labels = {k: repr(np.asarray(v).tolist()) for k, v in item.attrs.items()
                      if k not in ("DIMENSION_LIST", "REFERENCE_LIST")}
            if not isinstance(item, h5py.Dataset):
                found[name] = labels
                return
            found[name] = (labels, [[s.name for s in d.values()] for d in item.dims], item.dtype, item.shape,
                           repr(item.fillvalue))

        with h5py.File(self.folder / path) as file:
            file.visititems(note)
            note("/", file)
        return found

    def compress(self, *paths):
        script = pathlib.Path(__file__).parents[2] / "jobscripts" / "compress.sh"
        return subprocess.run(["bash", script, *paths], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "SALTUS": cli.SALTUS}, check=False)

    def test_a_smaller_cube_is_the_same(self):
        os.chmod(self.folder / "b.h5", 0o640)
        done = self.compress("b.h5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLess(self.size("b.h5"), 0.6 * self.size("a.h5"))
        self.same("a.h5", "b.h5")
        self.assertEqual(self.objects("a.h5"), self.objects("b.h5"))
        self.assertIn("steps", self.objects("b.h5"))
        self.assertEqual(os.stat(self.folder / "b.h5").st_mode & 0o777, 0o640)
        with h5py.File(self.folder / "b.h5") as cube:
            for name in ("trajectories/y1", "trajectories/mode"):
                self.assertEqual((cube[name].shuffle, cube[name].compression), (True, "gzip"))
        xarray.testing.assert_identical(self.kept("a.h5"), self.kept("b.h5"))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.h5", "b.h5"])

    def test_it_stays_a_cube_of_ours(self):
        self.compress("b.h5")
        once = self.size("b.h5")
        self.compress("b.h5")
        self.assertLessEqual(self.size("b.h5"), once)
        for path in ("a.h5", "b.h5"):
            self.works("store", "-q", "-f", path, "--cells", "5-7", "--every", 1, ranks=2)
            self.works("map", path)
        self.same("a.h5", "b.h5")
        self.works("tables", "b.h5")
        self.works("info", "b.h5")

    def test_other_files_are_refused(self):
        (self.folder / "text.h5").write_text("no cube")
        for path in ("text.h5", "none.h5"):
            done = self.compress(path)
            self.assertNotEqual(done.returncode, 0)
            self.assertFalse((self.folder / (path + ".part")).exists())
        self.assertEqual((self.folder / "text.h5").read_text(), "no cube")

cli.main()
