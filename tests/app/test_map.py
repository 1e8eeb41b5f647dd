"""Maps by the command line: known winners, and messages where no map can be made."""
import json
import math
import os
import shutil
import subprocess
import time

import h5py
import numpy as np
import xarray

import cli
from filled_cube import N, WithCube


class Map(WithCube):
    def test_winners_are_known_and_have_names(self):
        out = self.works("map", "cube.h5", "--error", "1e-2,1e-5,1e-9", "--weights", "iae=1")
        self.assertIn("switch:ode23 100 %", out)
        self.assertIn("no configuration 100 %", out)
        found = self.read()
        self.assertEqual(found.by_error_best.dims, ("cell", "error"))
        self.assertEqual(found.by_points_best.dims, ("cell", "weights", "rtol"))
        self.assertEqual(list(found.error.values), [1e-2, 1e-5, 1e-9])
        self.assertEqual(list(found.weights.values), ["sd=0,dt=0,iae=1"])
        self.assertEqual(list(found.b.values), [1000, 1000, 2000, 2000, 4000, 4000])
        names = found.config.values[found.by_error_best.values]
        self.assertEqual([set(column) for column in names.T],
                         [{"switch:ode23:0.001"}, {"switch:ode23:1e-06"}, {"none"}])
        self.assertEqual((found.by_error_best.dtype, found.by_error_value.dtype), (np.uint8, np.float32))
        second = found.by_error_second.values[0]
        self.assertEqual(list(found.config_solver.values[second]), ["ode45", "ode45", "none"])
        self.assertEqual(list(found.config_strategy.values[second]), ["switch", "switch", "none"])
        np.testing.assert_array_equal(found.config_rtol.values[second], [1e-3, 1e-6, np.nan])
        reasons = found.by_error_reason.attrs["flag_meanings"].split()
        self.assertEqual([reasons[i] for i in found.by_error_reason.values[0]], ["work", "work", "no_config"])
        self.assertEqual(list(found.by_error_value.values[0, :2]), [100, 700])
        np.testing.assert_allclose(found.by_error_margin.values[0, :2], [1, 1 / 7])
        self.assertTrue(np.isnan(found.by_error_value.values[:, 2]).all())

    def test_a_reference_that_is_not_good_enough_is_no_miss(self):
        """The error of the reference alone may exceed the asked one, or only together with the configuration's."""
        def change(file):
            file["reference_error_watched"][...] = [0, 0.9e-6, 1e-5, 1e-5, 2e-4, 0]
            file["reference_outcome"][5] = 3
        self.edit(change)
        out = self.works("map", "cube.h5", "--error", "1e-4,1e-6", "--weights", "iae=1")
        self.assertRegex(out, r"0.0001 .* no good reference 33 %")
        self.assertRegex(out, r"1e-06 .* no configuration 17 %  no good reference 67 %")
        found = self.read()
        words = found.by_error_reason.attrs["flag_meanings"].split()
        self.assertEqual([[words[i] for i in column] for column in found.by_error_reason.values.T],
                         [["work"] * 4 + ["no_reference"] * 2, ["work", "no_config"] + ["no_reference"] * 4])
        by_points = [[words[i] for i in row] for row in found.by_points_reason.values[:, 0]]
        self.assertEqual(by_points[5], ["no_reference"] * 2)
        self.assertNotIn("no_reference", sum(by_points[:5], []))
        told = self.works("info", "cube.h5")
        self.assertRegex(told, r"(?m)^  0\.0001 +answered in 4 of 6 cells, 2 of 6 references worse than 0\.0001$")
        self.assertRegex(told, r"(?m)^  1e-06 +answered in 1 of 6 cells, no configuration in 1, "
                               r"4 of 6 references worse than 1e-06$")
        self.assertEqual(json.loads(self.works("info", "cube.h5", "--json"))["map"],
                         [{"error": 1e-4, "answered": 4, "no_config": 0, "no_reference": 2},
                          {"error": 1e-6, "answered": 1, "no_config": 1, "no_reference": 4}])

    def test_a_cube_without_a_map_tells_of_none(self):
        self.assertNotIn("Map", self.works("info", "cube.h5"))
        self.works("map", "cube.h5", "--error", "1e-2")
        self.assertRegex(self.works("info", "cube.h5"), r"(?m)^  0\.01 +answered in 6 of 6 cells$")

    def test_one_cell_differs_from_its_neighbours(self):
        def change(file):
            file["rhs_evaluations"][2, 0, 1, 2] = 1  # ode15s with event, loose
            file["outcome"][3, 0] = 3                # a step cap for all at the loose tolerance
            file["max_error"][4, 0, 0, 0] = np.nan
        self.edit(change)
        self.works("map", "cube.h5", "--error", "1e-2")
        found = self.read()
        self.assertEqual(list(found.config.values[found.by_error_best.values[:, 0]]),
                         ["switch:ode23:0.001"] * 2 + ["event:ode15s:0.001", "switch:ode23:1e-06", "switch:ode45:0.001",
                                                       "switch:ode23:0.001"])

    def test_the_summary_is_json_with_all_winners(self):
        told = json.loads(self.works("map", "cube.h5", "--error", "1e-2,1e-9", "--weights", "iae=1", "--json"),
                          parse_constant=self.fail)
        found = self.read()
        self.assertEqual((told["model"], told["cells"]), ("monopod", 6))
        self.assertEqual([q.get("asked_error") for q in told["questions"]], [1e-2, 1e-9, None, None])
        self.assertEqual(told["questions"][2]["weights"], {"sd": 0, "dt": 0, "iae": 1})
        for e, question in enumerate(told["questions"][:2]):
            best = list(found.config.values[found.by_error_best.values[:, e]])
            self.assertEqual(question["unanswered"], best.count("none"))
            names = [name.split(":")[:2] for name in best if name != "none"]
            self.assertEqual({(w["strategy"], w["solver"]): w["cells"] for w in question["winners"]},
                             {tuple(name): names.count(name) for name in names})

    def test_a_second_pass_replaces_the_first_whatever_the_threads(self):
        self.works("map", "cube.h5", "--error", "1e-3")
        self.works("map", "cube.h5", threads=1)
        self.works("run", "s.yaml", "-q", "--no-map", "-o", "other.h5", ranks=2)
        self.works("diff", "cube.h5", "cube.h5")
        first = self.read()
        self.works("map", "cube.h5", threads=3)
        self.assertTrue(first.identical(self.read()))
        self.assertEqual(list(first.error.values), [1e-2, 1e-4, 1e-6])
        with h5py.File(self.folder / "cube.h5") as file, h5py.File(self.folder / "other.h5") as other:
            self.assertEqual(set(file) - set(other), {"map"})
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["cube.h5", "other.h5", "s.yaml"])

    def test_ranks_change_no_byte(self):
        shutil.copy(self.folder / "cube.h5", self.folder / "other.h5")
        out = self.works("map", "cube.h5")
        for ranks in (2, 3):
            shutil.copy(self.folder / "other.h5", self.folder / "some.h5")
            self.assertEqual(self.works("map", "some.h5", ranks=ranks), out)
            self.assertEqual((self.folder / "some.h5").read_bytes(), (self.folder / "cube.h5").read_bytes())

    def test_a_map_that_is_killed_leaves_the_cube_whole(self):
        """At any moment: the cube has its first map or its second, and each byte that it had but for the superblock."""
        self.works("map", "cube.h5", "--error", "1e-3")
        before = (self.folder / "cube.h5").read_bytes()
        first, seen = self.read(), set()
        self.works("map", "cube.h5", "--error", "1e-2,1e-4", "--weights", "iae=1")
        second = self.read()
        start = time.monotonic()
        (self.folder / "cube.h5").write_bytes(before)
        self.works("map", "cube.h5", "--error", "1e-2,1e-4", "--weights", "iae=1")
        whole = time.monotonic() - start
        for i in range(12):
            (self.folder / "cube.h5").write_bytes(before)
            map_ = subprocess.Popen([cli.SALTUS, "map", "cube.h5", "--error", "1e-2,1e-4", "--weights", "iae=1"],
                                    cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(whole * i / 11)
            map_.kill()
            map_.wait()
            after = (self.folder / "cube.h5").read_bytes()
            self.assertEqual(after[48:len(before)], before[48:], i)
            self.assertIn("have the values", self.works("info", "--check", "cube.h5"))
            found = self.read()
            seen.add(found.identical(second))
            self.assertTrue(found.identical(first) or found.identical(second), i)
        self.assertIn(False, seen)

    def test_hints_are_given_or_refused(self):
        self.works("run", "s.yaml", "-q", "-o", "striped.h5", "--hints", "cb_nodes=1,romio_cb_write=enable")
        self.works("info", "--check", "striped.h5")
        for hints in ("cb_nodes", "=1", "cb_nodes=", "a=1,,b=2", "a=1=2"):
            self.refused("run", "s.yaml", "-o", "no.h5", "--hints", hints, says=("--hints", "expected KEY=VALUE"))

    def test_without_memory_for_rows_enough_ranks_are_named(self):
        self.works("run", "s.yaml", "-q", "-o", "whole.h5", ranks=2)
        with h5py.File(self.folder / "whole.h5") as file:
            cells, runs = file["max_error"].shape[0], math.prod(file["max_error"].shape[1:])
        half = dict(os.environ, SALTUS_ROWS_MEMORY=str((24 + (runs + 1) // 2 + 40 * runs) * ((cells + 1) // 2)))
        plan = json.loads(self.works("plan", "s.yaml", "--sample", 0, "--json", env=half))
        self.assertEqual(plan["runs"][0]["map_bytes"], 0)
        words = r"the rows of the map take .* in each of 1 rank; allowed: .* \(SALTUS_ROWS_MEMORY\); 2 ranks suffice: mpirun -n N saltus map CUBE"
        self.assertRegex(self.works("plan", "s.yaml", "--sample", 0, env=half), "map +none: " + words)
        done = self.saltus("run", "s.yaml", "-o", "bare.h5", env=half)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, "no map: " + words)
        with h5py.File(self.folder / "bare.h5") as file:
            self.assertNotIn("map", file)
        self.assertRegex(self.refused("map", "bare.h5", env=half, says=("SALTUS_ROWS_MEMORY",)), words)
        self.works("map", "bare.h5", ranks=2, env=half)
        self.assertIn("the same", self.works("diff", "whole.h5", "bare.h5"))
        self.refused("map", "bare.h5", env=dict(os.environ, SALTUS_ROWS_MEMORY="0"), says=("allowed: 0 MB (SALTUS_ROWS_MEMORY)",))

    def test_cubes_without_points_have_the_same_map(self):
        for points, out in (("global", "with.h5"), ("none", "without.h5")):
            self.works("run", "s.yaml", "-q", "-o", out, "--set", f"points={points}", ranks=2)
        with xarray.open_dataset(self.folder / "with.h5") as full, xarray.open_dataset(self.folder / "without.h5") as bare:
            self.assertEqual({name for name in full.variables if name not in bare.variables},
                             {name for name in full.variables if name.startswith("points_")})
            self.assertTrue(bare["max_error"].identical(full["max_error"]))
        maps = [self.read(out) for out in ("with.h5", "without.h5")]
        self.assertTrue(maps[0].identical(maps[1]))
        self.assertTrue(maps[0]["by_points_value"].notnull().any())
        self.assertIn("have the values", self.works("info", "--check", "without.h5"))
        self.refused("tables", "without.h5", says=("without.h5: has no points", "points: none"))

    def test_a_cube_keeps_the_metrics_that_are_asked_for(self):
        self.works("run", "s.yaml", "-q", "-o", "with.h5", ranks=2)
        self.works("run", "s.yaml", "-q", "-o", "kept.h5", "--set", "keep=[end_error]", ranks=2)
        with xarray.open_dataset(self.folder / "with.h5") as full, xarray.open_dataset(self.folder / "kept.h5") as kept:
            runs = {name for name in full.variables if full[name].dims == ("cell", "rtol", "strategy", "solver")}
            stays = {"outcome", "max_error", "max_error_partial", "end_error", "rhs_evaluations", "jacobians", "factorisations", "solves"}
            self.assertEqual(runs & set(kept.variables), stays)
            self.assertEqual(set(full.variables) - set(kept.variables), runs - stays)
            for name in stays:
                self.assertTrue(kept[name].equals(full[name]), name)
        full, kept = self.read("with.h5"), self.read("kept.h5")
        self.assertTrue(kept.equals(full[list(kept.variables)]))
        self.assertEqual({name for name in full.variables if name not in kept}, {n for n in full.variables if n.startswith("by_points") or n == "weights"})
        self.assertIn("have the values", self.works("info", "--check", "kept.h5"))
        self.refused("tables", "kept.h5", says=("kept.h5: has no points", "keep"))
        self.refused("map", "kept.h5", "--weights", "sd=1", says=("kept.h5: has no points", "keep"))
        self.refused("map", "kept.h5", "--by", "integral_absolute_error", says=("has no integral_absolute_error", "keep"))
        done = self.saltus("run", "s.yaml", "-o", "x.h5", "--from", "kept.h5")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("\n- keep: [end_error]\n", done.stderr)
        self.refused("run", "s.yaml", "-o", "x.h5", "--set", "keep=[end_eror]", says=("did you mean 'end_error'",))
        self.refused("run", "s.yaml", "-o", "x.h5", "--set", "keep=[multiplier_re]", says=("nothing in this sweep measures multiplier_re",))

    def test_a_run_ends_with_the_map(self):
        self.works("run", "s.yaml", "-q", "-o", "run.h5", ranks=2)
        self.works("run", "s.yaml", "-q", "--no-map", "-o", "twice.h5")
        with h5py.File(self.folder / "twice.h5") as file:
            self.assertNotIn("map", file)
        self.works("map", "twice.h5")
        self.works("diff", "run.h5", "twice.h5")
        with h5py.File(self.folder / "run.h5") as one, h5py.File(self.folder / "twice.h5") as two:
            self.assertEqual(set(one["map"]), set(two["map"]))
            best = one["map/by_error_best"][...]
            np.testing.assert_array_equal(best, two["map/by_error_best"][...])
            self.assertTrue((best >= 0).any())

    def test_a_run_that_gives_no_map_gives_its_cube(self):
        done = self.saltus("run", "s.yaml", "-o", "run.h5", *cli.sets("max_attempts=3"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("no map: "), 1)
        with h5py.File(self.folder / "run.h5") as file:
            self.assertNotIn("map", file)
            self.assertIn("outcome", file)

    def test_a_map_leaves_the_rest_of_the_file_as_it_is(self):
        path = self.folder / "cube.h5"
        path.chmod(0o640)
        (self.folder / "before.h5").write_bytes(path.read_bytes())
        self.works("map", "cube.h5")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        with h5py.File(path) as file, h5py.File(self.folder / "before.h5") as before:
            self.assertEqual(list(file.attrs), list(before.attrs))
            for name in cli.datasets(before):
                np.testing.assert_array_equal(file[name][...], before[name][...], err_msg=name)
                self.assertEqual(set(file[name].attrs), set(before[name].attrs), name)

    def test_diff_looks_into_maps(self):
        self.works("map", "cube.h5")
        (self.folder / "same.h5").write_bytes((self.folder / "cube.h5").read_bytes())
        self.works("diff", "cube.h5", "same.h5")
        self.edit(lambda file: file["map/by_error_best"].__setitem__((0, 0), 5))
        done = self.saltus("diff", "cube.h5", "same.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("map/by_error_best: 1 of 18 values differ", done.stdout)
        self.edit(lambda file: file.__delitem__("map"))
        self.works("diff", "cube.h5", "same.h5")  # a map is made from the rest

    def test_the_cube_still_opens_without_its_map(self):
        self.works("map", "cube.h5")
        with xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf") as cube:
            self.assertEqual(cube.sizes["cell"], N)
            self.assertNotIn("phony", str(cube))
        self.works("info", "cube.h5")
        self.works("tables", "cube.h5")

    def test_points_are_those_of_the_cube(self):
        for scope in ("global", "per-cell"):
            self.works("run", cli.DALLAS, "-q", "-f", "-o", "cube.h5",
                       *cli.sets(*cli.SHORT, "timing.repeats=1", f"points={scope}"))
            self.works("map", "cube.h5", "--weights", "sd=2,dt=1,iae=1", "--duration", "time")
            with xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf") as cube:
                total = (2 * cube.points_solution_duration + cube.points_divergence_time
                         + cube.points_integral_absolute_error).stack(pair=("strategy", "solver"))
                best = total.values.max(axis=-1)
                pair = [f"{s}:{m}" for s, m in total.pair.values[total.values.argmax(axis=-1)].ravel()]
            found = self.read()
            np.testing.assert_array_equal(found.by_points_value.values[:, 0, :], best.astype(np.float32))
            winners = found.config.values[found.by_points_best.values[:, 0, :]].ravel()
            self.assertEqual([str(name).rpartition(":")[0] for name in winners], pair)
            self.assertGreater(len(set(pair)), 1)

    def test_points_and_work_may_be_counted_in_other_ways(self):
        def change(file):
            file["factorisations"][..., 0] = 1000
            file["solution_duration"][...] = np.arange(12, 0, -1).reshape(2, 2, 3)
        self.edit(change)
        self.works("map", "cube.h5", "--error", "1e-2", "--weights", "sd=1")
        self.assertEqual(self.winner("by_error", "solver"), "ode45")  # factorisations cost ode23 its place
        self.works("map", "cube.h5", "--error", "1e-2", "--weights", "sd=1", "--work", "factorisation=0",
                   "--duration", "time", "--points", "per-cell", "--strategies", "switch")
        found = self.read()
        self.assertEqual(self.winner("by_error", "solver"), "ode23")
        names = set(found.config.values[found.by_points_best.values].ravel())
        self.assertEqual({name.rpartition(":")[0] for name in names}, {"switch:ode15s"})
        self.assertEqual(found.attrs["solution_duration"], "time")
        self.assertEqual((found.attrs["points_scope"], found.attrs["strategies"]), ("per-cell", "switch"))
        self.assertEqual(found.by_points_best.attrs["kind"], "timing")


cli.main()
