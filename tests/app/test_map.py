"""Maps and recommendations as a user meets them: a real cube with figures put in by hand, so that winners are known."""
import json
import shutil
import subprocess
import time
import warnings

import h5py
import numpy as np
import xarray

import cli

SWEEP = """
model: monopod
t_end: 1
mesh: 0.1
cells:
  axes:
    - {name: b, log: [1000, 4000], points: 3}
    - {name: k, log: [10, 40], points: 2}
methods: [ode23, ode45, ode15s]
strategies: [switch, event]
tolerances: [1e-3, 1e-6]
"""
N = 6
INSIDE = ("--at", "b=1000,k=10")


class WithCube(cli.InFolder):
    """cube.h5: 3 x 2 cells.  Work is 100 (1 + number of the contender) in every cell, errors are 1e-3 at the loose
    tolerance and 1e-6 at the fine one."""

    sweep = SWEEP

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(self.sweep, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "--no-map", "-o", "cube.h5")
        self.edit(self.fill)

    def edit(self, change):
        with cli.edited(self.folder / "cube.h5") as file:
            change(file)

    @staticmethod
    def fill(file):
        number = np.arange(12).reshape(2, 2, 3)
        file["rhs_evaluations"][...] = 100 * (1 + number)
        for name in ("jacobians", "factorisations", "solves"):
            file[name][...] = 0
        for name in ("max_error", "integral_absolute_error"):
            file[name][...] = np.where(number < 6, 1e-3, 1e-6)
        file["reference_error_watched"][...] = 0

    def read(self, name="cube.h5"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with xarray.open_dataset(self.folder / name, group="map", engine="h5netcdf") as found:
                return found.load()

    def winner(self, prefix, what):
        """What wins the first question in the first cell."""
        found = self.read()
        return found[f"contender_{what}"].values[found[f"{prefix}_best"].values[0, 0]]

    def ask(self, *args, code=0):
        done = self.saltus("recommend", "cube.h5", "--json", *args)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)


class Map(WithCube):
    def test_winners_are_known_and_have_names(self):
        out = self.works("map", "cube.h5", "--error", "1e-2,1e-5,1e-9", "--weights", "iae=1")
        self.assertIn("switch:ode23 100 %", out)
        self.assertIn("no contender 100 %", out)
        found = self.read()
        self.assertEqual(found.by_error_best.dims, ("cell", "error"))
        self.assertEqual(found.by_points_best.dims, ("cell", "weights", "rtol"))
        self.assertEqual(list(found.error.values), [1e-2, 1e-5, 1e-9])
        self.assertEqual(list(found.weights.values), ["sd=0,dt=0,iae=1"])
        self.assertEqual(list(found.b.values), [1000, 1000, 2000, 2000, 4000, 4000])
        names = found.contender.values[found.by_error_best.values]
        self.assertEqual([set(column) for column in names.T],
                         [{"switch:ode23:0.001"}, {"switch:ode23:1e-06"}, {"none"}])
        self.assertEqual((found.by_error_best.dtype, found.by_error_value.dtype), (np.uint8, np.float32))
        second = found.by_error_second.values[0]
        self.assertEqual(list(found.contender_solver.values[second]), ["ode45", "ode45", "none"])
        self.assertEqual(list(found.contender_strategy.values[second]), ["switch", "switch", "none"])
        np.testing.assert_array_equal(found.contender_rtol.values[second], [1e-3, 1e-6, np.nan])
        reasons = found.by_error_reason.attrs["flag_meanings"].split()
        self.assertEqual([reasons[i] for i in found.by_error_reason.values[0]], ["work", "work", "no_contender"])
        self.assertEqual(list(found.by_error_value.values[0, :2]), [100, 700])
        np.testing.assert_allclose(found.by_error_margin.values[0, :2], [1, 1 / 7])
        self.assertTrue(np.isnan(found.by_error_value.values[:, 2]).all())

    def test_a_reference_that_is_not_good_enough_is_no_miss(self):
        """The error of the reference alone may exceed the asked one, or only together with the contender's."""
        def change(file):
            file["reference_error_watched"][...] = [0, 0.9e-6, 1e-5, 1e-5, 2e-4, 0]
            file["reference_outcome"][5] = 3
        self.edit(change)
        out = self.works("map", "cube.h5", "--error", "1e-4,1e-6", "--weights", "iae=1")
        self.assertRegex(out, r"0.0001 .* no good reference 33 %")
        self.assertRegex(out, r"1e-06 .* no contender 17 %  no good reference 67 %")
        found = self.read()
        words = found.by_error_reason.attrs["flag_meanings"].split()
        self.assertEqual([[words[i] for i in column] for column in found.by_error_reason.values.T],
                         [["work"] * 4 + ["no_reference"] * 2, ["work", "no_contender"] + ["no_reference"] * 4])
        by_points = [[words[i] for i in row] for row in found.by_points_reason.values[:, 0]]
        self.assertEqual(by_points[5], ["no_reference"] * 2)
        self.assertNotIn("no_reference", sum(by_points[:5], []))
        told = self.works("info", "cube.h5")
        self.assertRegex(told, r"(?m)^  0\.0001 +answered in 4 of 6 cells, 2 of 6 references worse than 0\.0001$")
        self.assertRegex(told, r"(?m)^  1e-06 +answered in 1 of 6 cells, no contender in 1, "
                               r"4 of 6 references worse than 1e-06$")
        self.assertEqual(json.loads(self.works("info", "cube.h5", "--json"))["map"],
                         [{"error": 1e-4, "answered": 4, "no_contender": 0, "no_reference": 2},
                          {"error": 1e-6, "answered": 1, "no_contender": 1, "no_reference": 4}])

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
        self.assertEqual(list(found.contender.values[found.by_error_best.values[:, 0]]),
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
            best = list(found.contender.values[found.by_error_best.values[:, e]])
            self.assertEqual(question["unanswered"], best.count("none"))
            names = [name.split(":")[:2] for name in best if name != "none"]
            self.assertEqual({(w["strategy"], w["method"]): w["cells"] for w in question["winners"]},
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
        self.works("map", "cube.h5", "--hints", "cb_nodes=1,romio_cb_write=enable")
        for hints in ("cb_nodes", "=1", "cb_nodes=", "a=1,,b=2", "a=1=2"):
            self.refused("map", "cube.h5", "--hints", hints, says=("--hints", "is no KEY=VALUE"))

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
            for name in before:
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
            winners = found.contender.values[found.by_points_best.values[:, 0, :]].ravel()
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
        names = set(found.contender.values[found.by_points_best.values].ravel())
        self.assertEqual({name.rpartition(":")[0] for name in names}, {"switch:ode15s"})
        self.assertEqual(found.attrs["solution_duration"], "time")
        self.assertEqual((found.attrs["points_scope"], found.attrs["strategies"]), ("per-cell", "switch"))
        self.assertEqual(found.by_points_best.attrs["kind"], "timing")


class WithPlane(WithCube):
    """cube.h5: 5 x 4 cells, filled in the same way."""

    sweep = SWEEP.replace("points: 3", "points: 5").replace("points: 2", "points: 4")

    def logs(self, file):
        """b and k of the cells, 0 .. 1."""
        return (np.log(np.asarray(file[name]) / lo).reshape(-1, 1, 1, 1) / np.log(4) for name, lo in (("b", 1000), ("k", 10)))


class Recommend(WithPlane):
    def test_the_tolerance_is_any_between_those_of_the_cube(self):
        answer = self.ask(*INSIDE, "--error", "1.02e-5")
        best = answer["answer"]
        self.assertEqual((best["method"], best["strategy"]), ("ode23", "switch"))
        np.testing.assert_allclose([best[name] for name in ("tolerance", "probability", "error", "work", "total")],
                                   [1e-5, 1, 1e-5, 100 * 7 ** (2 / 3), 100 * 7 ** (2 / 3)], rtol=1e-9)
        self.assertEqual((answer["neighbours"], answer["outside"], answer["unverified"]), (20, [], 0))
        self.assertEqual(answer["runners_up"], [])
        self.assertEqual(answer["safe"], best)
        self.assertNotIn("ranking", answer)
        self.assertEqual(answer["promise"], {"error": 1e-6, "asked": 20, "promised": 1, "kept": 1}
                         | {"error": answer["promise"]["error"]})

    def test_planes_answer_between_cells(self):
        def change(file):
            b, k = self.logs(file)
            file["rhs_evaluations"][...] = np.rint(1e6 * np.exp(b + 0.5 * k) * (1 + np.arange(12).reshape(2, 2, 3)))
            file["max_error"][...] *= np.exp(0.7 * b + 0.4 * k)
        self.edit(change)
        best = self.ask("--at", "b=2900,k=17", "--error", "1")["answer"]
        b, k = np.log(2.9) / np.log(4), np.log(1.7) / np.log(4)
        self.assertEqual(best["tolerance"], 1e-3)
        np.testing.assert_allclose([best["work"], best["error"]], [1e6 * np.exp(b + 0.5 * k), 1e-3 * np.exp(0.7 * b + 0.4 * k)], rtol=5e-3)

    def test_misses_have_a_probability_and_a_price(self):
        def change(file):
            file["max_error"][:5, 0] = 1e-1  # a quarter of the cells at the loose tolerance, without a plane in it
            file["max_error"][5:, 0] = 1e-5
            file["max_error"][:, :, 1] = 1e-1
            file["max_error"][...] = file["max_error"][...][np.argsort(np.arange(20) * 7 % 20)]
        self.edit(change)
        answer = self.ask("--at", "b=2000,k=20", "--error", "1e-3")
        best, safe = answer["answer"], answer["safe"]
        self.assertEqual(best["strategy"], "switch")
        self.assertTrue(best["probability"] < 1 and best["total"] > best["work"])
        self.assertTrue(safe["probability"] >= 0.99 and safe["work"] > best["work"])
        sure = self.ask("--at", "b=2000,k=20", "--error", "1e-3", "--confidence", "0.99")
        self.assertEqual(sure["answer"], safe)
        self.assertEqual(sure["confidence"], 0.99)
        least = [self.ask("--at", "b=2000,k=20", "--error", "1e-3", "--confidence", p)["answer"]["work"] for p in (0.6, 0.8, 0.95)]
        self.assertEqual(least, sorted(least))
        text = self.works("recommend", "cube.h5", "--at", "b=2000,k=20", "--error", "1e-3")
        self.assertIn(f"with a probability of {best['probability']:.3g}", text)
        for rival in self.ask("--at", "b=2000,k=20", "--error", "1e-3")["runners_up"]:
            self.assertLessEqual(rival["total"], 1.1 * best["total"])

    def test_who_comes_close_has_something_for_it(self):
        def change(file):
            file["rhs_evaluations"][:, :, 0, 1] = [104, 690]  # ode45 with switch: 4 % more, but less at the fine end
            file["max_error"][:, 0, 0, 1] = 1.1e-3
            file["max_error"][:, 1, 0, 1] = 0.9e-6
        self.edit(change)
        rival, = self.ask(*INSIDE, "--error", "2e-3")["runners_up"]
        self.assertEqual((rival["method"], rival["for"]), ("ode45", ""))
        rival, = self.ask(*INSIDE, "--error", "1.02e-6", "--methods", "ode23,ode45")["runners_up"]
        self.assertEqual((rival["method"], rival["for"]), ("ode23", ""))
        text = self.works("recommend", "cube.h5", *INSIDE, "--error", "2e-3")
        self.assertRegex(text, r"runners-up within 10 %:\n.*for it\n +ode45 +switch +0\.001 +104 +104 +\+4 %")

    def test_nobody(self):
        answer = self.ask(*INSIDE, "--error", "1e-8", code=1)
        self.assertEqual((answer["answer"], answer["safe"], answer["reason"]), (None, None, "no_contender"))
        self.assertEqual(answer["likely"]["probability"], 0)
        self.edit(lambda file: file["reference_error_watched"].__setitem__(slice(0, 18), 1e-4))
        answer = self.ask(*INSIDE, "--error", "1e-5", code=1)
        self.assertEqual((answer["answer"], answer["reason"]), (None, "no_reference"))
        self.assertGreater(answer["unverified"], 0.5)
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-5", says=("references", "do not reach an error of 1e-05"))
        self.edit(lambda file: file["reference_error_watched"].__setitem__(slice(0, 15), 0))
        first = self.works("recommend", "cube.h5", "--at", "b=1000,k=10", "--error", "1e-5").splitlines()[0]
        self.assertIn("not verified: references around the point do not reach 1e-05", first)

    def test_points_at_a_tolerance(self):
        answer = self.ask(*INSIDE, "--tol", "1e-6", "--weights", "sd=2,dt=0,iae=1")
        self.assertEqual(answer["tolerance"], 1e-6)
        self.assertEqual([c["method"] for c in answer["ranking"]], ["ode23", "ode45", "ode15s"] * 2)
        np.testing.assert_allclose([c["points"] for c in answer["ranking"]], [30, 26.4, 22.8, 19.2, 15.6, 12])
        self.assertIn("most points 2 SD", self.works("recommend", "cube.h5", *INSIDE, "--tol", "1e-6", "--weights", "sd=2,iae=1"))

    def test_outside_the_map_the_edge_answers_and_says_so_first(self):
        answer = self.ask("--at", "b=50,k=10", "--error", "2e-5", code=1)
        self.assertEqual(answer["outside"], ["b"])
        inside = self.ask("--at", "b=1000,k=10", "--error", "2e-5")
        self.assertEqual(answer["answer"], inside["answer"])
        done = self.saltus("recommend", "cube.h5", "--at", "b=50,k=1000", "--error", "2e-5")
        self.assertEqual(done.returncode, 1)
        first = done.stdout.splitlines()
        self.assertIn("outside the mapped region: b = 50, the map has 1000 .. 4000", first[0])
        self.assertIn("outside the mapped region: k = 1000, the map has 10 .. 40", first[1])

    def test_text_says_what_why_and_from_where(self):
        text = self.works("recommend", "cube.h5", "--at", "b=1500,k=20", "--error", "2e-3")
        for words in ("least work for a largest error of 0.002", "use ode23 with switch at a tolerance of 0.001",
                      "probability of 1; expected: an error of 0.001, work 100", "safe choice: ode23", "none within 10 %; next:",
                      "from a plane through the 20 nearest cells", "at 20 cells left out of it"):
            self.assertIn(words, text)
        self.assertNotIn("outside", text)

    def test_a_run_at_the_point_says_what_came_out(self):
        self.works("run", "s.yaml", "-q", "-f", "--no-map", "-o", "cube.h5")
        at = ("--at", "b=1500,k=17", "--error", "1e-3")
        answer = self.ask(*at, "--run")
        best, ran = answer["answer"], answer["run"]
        self.assertEqual([best[name] for name in ("method", "strategy", "tolerance")],
                         [ran["answer"][name] for name in ("method", "strategy", "tolerance")])
        self.works("run", "s.yaml", "-q", "-o", "one.h5", *cli.sets(
            "cells={columns: [b, k], rows: [[1500, 17]]}", f"methods=[{best['method']}]", f"strategies=[{best['strategy']}]",
            f"tolerances=[{best['tolerance']!r}]"))
        with h5py.File(self.folder / "one.h5") as file:
            error = file["max_error"][0, 0, 0, 0] + file["reference_error_watched"][0]
            self.assertGreaterEqual(ran["answer"]["work"], file["rhs_evaluations"][0, 0, 0, 0])
        self.assertAlmostEqual(ran["answer"]["error"] / error, 1, delta=1e-6)
        self.assertEqual(ran["answer"]["hit"], error <= 1e-3)
        text = self.works("recommend", "cube.h5", *at, "--run")
        self.assertRegex(text, r"(?s)run at the point:\n  answer +" + best["method"] + r".*: (hit|miss)\n  runner-up ")

    def test_a_map_of_few_cells_is_asked_for_its_winners(self):
        self.works("run", "s.yaml", "-q", "-f", "-o", "cube.h5", *cli.sets("cells.axes=[{name: b, list: [1000, 2000]}, {name: k, linear: [10, 40], points: 4}]"))
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-2",
                     says=("cube.h5: has 8 cells; a plane in 2 coordinates needs 9 at least; `saltus map` shows the winner of each cell",))

    def test_a_real_hopper_is_converted(self):
        axes = "".join(f"    - {{name: {name}, log: [{lo}, {hi}], points: 2}}\n"
                       for name, lo, hi in (("b", 550, 38000), ("m1", 0.8, 20), ("k", 1, 480), ("f", 0.01, 0.3)))
        text = SWEEP[:SWEEP.index("    - {")] + axes + SWEEP[SWEEP.index("methods:"):]
        (self.folder / "s.yaml").write_text(text, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-f", "-o", "cube.h5")
        m1, m2, k, l0, kg, bg = 0.5, 10, 5000, 0.4, 2e5, 1e5
        robot = f"m1={m1}kg,m2={m2}kg,k=5kN/m,l0=40cm,kg=2e5N/m^1.5,bg=1e5N*s/m^2.5"
        answer = self.ask("--physical", robot, "--error", "1")
        period = 2 * np.pi * np.sqrt(m1 * m2 / ((m1 + m2) * k))
        expected = {"b": period * bg * l0 ** 1.5 / m1, "m1": 4 * np.pi ** 2 * m1 / (m1 + m2), "k": kg * l0 ** 0.5 / k,
                    "f": 4 * np.pi ** 2 * m1 * m2 * 9.81 / ((m1 + m2) * k * l0)}
        self.assertEqual(list(answer["at"]), list(expected))
        np.testing.assert_allclose(list(answer["at"].values()), list(expected.values()), rtol=1e-5)
        np.testing.assert_allclose([answer["second"], answer["metre"]], [period, l0], rtol=1e-5)
        self.assertEqual((answer["neighbours"], answer["outside"]), (16, []))
        self.refused("recommend", "cube.h5", "--error", "1", "--physical", "m1=0.5", says=("has no unit", "kg"))
        self.refused("recommend", "cube.h5", "--error", "1", "--physical", robot, *INSIDE, says=("not both",))


class BadInput(WithPlane):
    def check(self, *args, says):
        self.refused("recommend", "cube.h5", *args, says=says)

    def test_questions_that_make_no_sense(self):
        at = ("--at", "b=1500,k=20")
        for args, says in {
                (*at, "--tol", "1e-6", "--weights", "sd=0,dt=0"): "all weights are 0",
                (*at, "--tol", "1e-6", "--weights", "sd=-1,dt=3"): "sd = -1 is negative",
                (*at, "--tol", "1e-5", "--weights", "sd=1"): "1e-05 is not in this cube; allowed: 0.001, 1e-06",
                (*at, "--error", "0"): "allowed: greater than 0",
                (*at, "--error", "1e-12"): "no contender reaches an error of 1e-12 there with a probability of 0.5; the largest is 0",
                (*at, "--error", "1", "--caution", "1"): "--caution has given way to --confidence",
                (*at, "--error", "1", "--confidence", "1.5"): "allowed: ",
                (*at, "--error", "1e-6", "--confidence", "0.999", "--json", "--run", "--tol", "1"): "not both",
                (*at, "--tol", "1e-6", "--weights", "sd=1", "--run"): "--run goes with --error",
                (*at, "--error", "1", "--methods", "ode46"): "did you mean 'ode45'?",
                (*at, "--error", "1", "--work", "rhs=0"): "rhs = 0",
                (*at, "--tol", "1e-6", "--weights", "sd=1", "--duration", "time"): "was not timed",
                (*at, "--weights", "sd=1"): "what is asked for?",
                (*at,): "what is asked for?",
                ("--error", "1"): "where?",
                ("--at", "b=1500,kk=20", "--error", "1"): "unknown axis 'kk'; allowed: b, k; did you mean 'k'?",
                ("--at", "b=1500", "--error", "1"): "k varies in this cube, and is missing",
        }.items():
            self.check(*args, says=(says,))
        for args, says in {("--weights", "dt=0"): "all weights are 0", ("--error", "-1"): "greater than 0",
                           ("--error", "1,1"): "there twice"}.items():
            self.refused("map", "cube.h5", *args, says=(says,))

    def both(self, says, code=2):
        self.refused("map", "cube.h5", says=("cube.h5", says), code=code)
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1", says=("cube.h5", says), code=code)

    def test_a_cube_without_references(self):
        self.edit(lambda file: file["reference_outcome"].__setitem__(..., -1))
        self.both("no errors against a reference")
        self.edit(lambda file: file.__delitem__("reference_outcome"))
        self.both("no errors against a reference")

    def test_a_truncated_cube(self):
        path = self.folder / "cube.h5"
        path.write_bytes(path.read_bytes()[:-1000])
        self.both("truncated file", code=4)

    def test_a_cube_of_an_older_layout(self):
        self.edit(lambda file: file.attrs.modify("layout", 0))
        self.both("has layout 0; this saltus reads layouts 1 to 2")

    def test_a_cube_whose_parts_do_not_belong_together(self):
        def shorten(file):
            file.attrs["sweep"] = cli.word(file.attrs["sweep"]).replace("points: 5", "points: 6")
        self.edit(shorten)
        self.both("its sweep and its dimensions do not belong together")

    def test_what_is_no_cube(self):
        (self.folder / "cube.h5").write_text("nothing", encoding="utf-8")
        self.both("is no HDF5 file")
        (self.folder / "cube.h5").unlink()
        self.both("No such file", code=4)


cli.main()
