#!/usr/bin/python3
"""test_maps.py ANALYSIS_DIR: do the pictures of a map show the winners that are in it?"""

import os
import shutil
import sys
import tempfile
import types
import unittest

import h5py
import matplotlib.image
import numpy as np
from matplotlib.colors import to_rgb

import made_up
import made_up_map
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import cost_data  # noqa: E402
import map_data  # noqa: E402
import maps  # noqa: E402
import raster  # noqa: E402
import raster_figures  # noqa: E402
import raster_image  # noqa: E402
import style  # noqa: E402
import written  # noqa: E402
from cube import NotOurs  # noqa: E402

AXES = {"b": (1, 10), "k": (1, 10, 100), "f": (0.1, 0.2)}
SURE = 0.5


def planted(cell, at):
    """ode45 where k is low, ode15s where it is high, ode113 between."""
    if at["k"] == 1:
        return "ode113", "event", SURE
    return ("ode45", "switch", SURE) if at["k"] == 0 else ("ode15s", "event", SURE)


def planted_everywhere(cell, at):
    return "ode45", "event", SURE


class Maps(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = os.path.join(self.temporary.name, "cube.h5")
        self.out = os.path.join(self.temporary.name, "pictures")

    def run_script(self, *arguments):
        return script.run(os.path.join(ANALYSIS, "maps.py"), *arguments)

    def draw(self, picture, *arguments):
        """Pixels [row][column][3] of a picture, 0..255."""
        done = self.run_script(picture, self.cube, "-o", self.out, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        pixels = matplotlib.image.imread(done.stdout.strip())
        self.assertGreater(pixels.shape[1], 1000)
        return np.rint(255 * pixels[..., :3]).astype(int)

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(saying, done.stderr)

    def where(self, picture, colour):
        """(row, column) of the pixels of a colour."""
        wanted = np.rint(255 * np.array(to_rgb(colour)))
        same = (np.abs(picture - wanted) <= 1).all(axis=-1)
        return np.argwhere(same)

    def area(self, picture, method):
        return len(self.where(picture, style.solver_colour(method)))

    @staticmethod
    def shades(found):
        """The colours of cells, 0 .. 1."""
        return raster_image.shades(found.solver, found.margin, found.gap, style.solver_colour) / 255

    def mapped(self, kind="error", asked=1e-4, *weights):
        mapped = map_data.open_mapped(self.cube)
        found = map_data.answers(mapped, map_data.Question(kind, asked, *weights))
        return mapped, found, map_data.grid_axes(mapped.cube)

    # ---- arrays ----

    def test_colours_are_those_of_the_planted_winners(self):
        made_up_map.write(self.cube, AXES, planted)
        mapped, found, axes = self.mapped()
        rgb = self.shades(found)
        for cell in range(mapped.n_cell):
            k = cell // 2 % 3
            method = ("ode45", "ode113", "ode15s")[k]
            self.assertEqual(found.solver[cell], method)
            np.testing.assert_allclose(rgb[cell], to_rgb(style.solver_colour(method)), atol=1e-12)
        cells = map_data.panels(axes, "k", "b", across="f")
        self.assertEqual(cells.shape, (1, 2, 2, 3))
        self.assertEqual(cells[0, 1].tolist(), [[1, 3, 5], [7, 9, 11]])

    def test_a_thin_lead_is_pale_and_one_scale_is_for_all(self):
        margins = (0.049, 0.1, 0.5, 0.9, np.nan)
        made_up_map.write(
            self.cube,
            {"b": range(1, 7)},
            lambda c, at: ("ode15s", "event", margins[c]) if c < 5 else None,
        )
        first = self.shades(self.mapped()[1])
        grey = first.sum(axis=1)
        self.assertTrue(grey[0] > grey[1] + 0.1 > grey[2] + 0.2)
        self.assertEqual(grey[2], grey[3])  # the largest step
        self.assertEqual(grey[4], grey[3])  # alone: nothing to be compared with
        np.testing.assert_array_equal(first[5], raster_image.rgb(raster_image.GAP_COLOURS[raster_image.NO_CONFIG]) / 255)
        self.assertLess(grey[0], 2.9)  # thin, but not invisible
        small = (0.049, 0.1, 0.1, 0.1, 0.1, 0.1)  # the same margins look the same beside others
        made_up_map.write(self.cube, {"b": range(1, 7)}, lambda c, at: ("ode15s", "event", small[c]))
        second = self.shades(self.mapped()[1])
        np.testing.assert_array_equal(second[:2], first[:2])

    def test_a_lead_in_points_is_a_share_of_them(self):
        values = (30.0, 30.0, 3.0)
        made_up_map.write(
            self.cube, {"b": (1, 2, 3)}, lambda c, at: ("ode45", "event", (0.3, 2.0, 2.0)[c], values[c])
        )
        _, found, _ = self.mapped("points", 1e-6, made_up_map.WEIGHTS[0])
        np.testing.assert_allclose(found.margin, [0.3 / 29.7, 2 / 28, 2.0])
        self.assertEqual(found.tied.tolist(), [True, False, False])
        np.testing.assert_allclose(self.mapped()[1].margin, [0.3, 2, 2])  # by error it is one already

    def test_reasons_for_no_winner_are_told_apart(self):
        kinds = {0: None, 1: made_up_map.NO_REFERENCE}
        made_up_map.write(self.cube, AXES, lambda c, at: made_up_map.CAPTURED if at["k"] == 2 and at["b"] == 0 else kinds.get(at["k"], ("ode45", "event", SURE)))
        _, found, _ = self.mapped()
        self.assertEqual((found.missed.sum(), found.unknown.sum(), found.captured.sum(), found.won.sum()), (4, 6, 2, 2))
        self.assertFalse((found.missed & found.unknown).any())
        share = map_data.shares(found)
        self.assertEqual([share[reason] for reason in map_data.GAPS], [1 / 3, 1 / 3, 1 / 6])
        handles = raster_figures.solver_handles(raster.of_cells(found, map_data.grid_axes(self.mapped()[0].cube), "k", "b", "f"))
        self.assertEqual([h.get_label() for h in handles], ["ode45 17 %", "none reaches it 33 %", "not known: references too coarse 33 %", "not known: captured 17 %"])
        self.assertEqual(len({h.get_hatch() for h in handles}), 4)

    def test_shares_and_where_they_change(self):
        made_up_map.write(self.cube, AXES, lambda c, at: None if c == 0 else planted(c, at))
        _, found, axes = self.mapped()
        share = map_data.shares(found)
        self.assertAlmostEqual(sum(share.values()), 1)
        self.assertAlmostEqual(share[map_data.NO_CONFIG], 1 / 12)
        self.assertAlmostEqual(share["ode15s", "event"], 4 / 12)
        by_k = map_data.along(found, axes, "k")
        self.assertEqual([list(s)[0][0] for s in by_k], ["ode45", "ode113", "ode15s"])
        by_b = map_data.along(found, axes, "b")
        self.assertAlmostEqual(by_b[0]["ode45", "switch"], 1 / 6)
        self.assertAlmostEqual(by_b[1]["ode45", "switch"], 2 / 6)

    def test_a_front_has_no_failed_run(self):
        cost = np.array([1, 2, 3, 4, 5, np.inf])
        wrong = np.array([1e-1, 1e-3, 1e-2, np.inf, 1e-4, 1e-9])
        self.assertEqual(
            cost_data.front(cost, wrong).tolist(), [True, True, False, False, True, False]
        )
        self.assertEqual(cost_data.middle(np.array([1.0, np.inf, np.inf, 2.0])), np.inf)
        self.assertEqual(cost_data.middle(np.array([1.0, 3.0, np.inf, 2.0, 2.5])), 2.5)

    def test_an_error_is_asked_for_in_its_unit(self):
        made_up_map.write(self.cube, AXES, planted)
        self.assertEqual(self.mapped()[0].questions("error")[1].text(), "least work for a largest error of 0.0001")
        with h5py.File(self.cube, "a") as file:
            file.attrs["watched_unit"] = "m"
        self.assertEqual(self.mapped()[0].questions("error")[1].text(), "least work for a largest error of 0.0001 m")

    def test_units_of_an_error_and_kinds_of_pictures(self):
        for text, unit, value in (("0.01mm", "m", 1e-5), ("1e-4", "m", 1e-4), ("5um", "mm", 5e-3), ("1E-3", "1", 1e-3), ("2 km", "m", 2e3)):
            self.assertAlmostEqual(maps.error_of(text, unit) / value, 1, places=12)
        for text, unit in (("1mm", "1"), ("3kg", "m"), ("-1", "m"), ("0", "m"), ("much", "m"), ("1e", "1")):
            with self.assertRaisesRegex(NotOurs, f"--error: {text} is not allowed"):
                maps.error_of(text, unit)
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for out, name, kind, alone, path in (("a", "map", ".png", True, "a/map.png"), ("b/f.pdf", "map", ".png", True, "b/f.pdf"), ("b/f.svg", "map", ".png", False, "b/f-map.svg"),
                                             ("f.pdf", "map", ".csv", True, "f.csv"), ("c.d", "map", ".csv", False, "c.d/map.csv")):
            found = written.place(os.path.join(folder, out), name, kind, alone)
            self.assertEqual(found, os.path.join(folder, path))
            self.assertTrue(os.path.isdir(os.path.dirname(found)))

    def test_cells_by_range_and_by_nearest_value(self):
        made_up_map.write(self.cube, AXES, planted)
        cube = map_data.open_mapped(self.cube).cube
        self.assertEqual(cost_data.select(cube, ["k=5:50", "b=2"]).tolist(), [2, 3])
        with self.assertRaisesRegex(NotOurs, "no cell is within k=2:3"):
            cost_data.select(cube, ["k=2:3"])

    def test_a_failed_run_costs_everything(self):
        made_up_map.write(self.cube, AXES, planted)
        with h5py.File(self.cube, "a") as file:
            file["outcome"][3, 1, 0, 2] = 1
        cube = map_data.open_mapped(self.cube).cube
        work, error = cost_data.work(cube).values, cost_data.error(cube).values
        for values in (work, error):
            self.assertFalse(np.isnan(values).any())
            self.assertEqual(np.argwhere(np.isinf(values)).tolist(), [[3, 1, 0, 2]])
        self.assertEqual(work[2, 1, 0, 2], 100 * 4 * 3 + 2)
        found = {"rhs": 1.0, "jacobian": 2.0}
        of_map = {"work_terms": " ".join(found), "work_weights": list(found.values())}
        with self.assertRaisesRegex(NotOurs, "no dataset jacobians"):
            cost_data.work(cube, types.SimpleNamespace(attrs=of_map))
        unknown = {"work_terms": "rhs magic", "work_weights": [1.0, 1.0]}
        with self.assertRaisesRegex(NotOurs, "the map counts magic as work; rhs, jacobian"):
            cost_data.work(cube, types.SimpleNamespace(attrs=unknown))

    def stop(self, cells):
        """ode45 with event is stopped in so many cells at the tightest tolerance, after 50 evaluations and a small error."""
        made_up_map.write(self.cube, {"b": range(1, 5), "k": range(1, 6)}, planted_everywhere)
        with h5py.File(self.cube, "a") as file:
            words = str(file["outcome"].attrs["flag_meanings"])
            file["outcome"].attrs["flag_meanings"] = f"{words} over_cutoff"
            file["outcome"][:cells, 2, 1, 1] = 2
            file["rhs_evaluations"][:cells, 2, 1, 1] = 50
            file["max_error"][:cells, 2, 1, 1] = np.nan
            made_up.dataset(file, "max_error_partial", np.zeros(file["max_error"].shape), made_up.DIMS)
        return map_data.open_mapped(self.cube)

    def test_what_was_stopped_is_a_bound(self):
        for stopped, bound, there in ((0, False, True), (1, False, True), (2, True, True), (10, True, True), (11, False, False)):
            mapped = self.stop(stopped)
            self.assertEqual(int(np.isnan(mapped.cube["max_error"]).sum()), stopped)
            found = cost_data.typical(mapped.cube, mapped.map, np.arange(20))
            at = 2, 1, 1
            self.assertEqual((bool(found.bound[at]), bool(np.isfinite(found.cost[at]))), (bound, there), stopped)
            self.assertEqual(int(found.bound.sum()), int(bound))
            if there:  # the errors of those that ended are all the same
                self.assertAlmostEqual(found.wrong[at] / 10.0**-5.2, 1)
            if bound:
                rhs = np.sort([50.0] * stopped + [100 * 16 * 2 + 1 + c for c in range(stopped, 20)])
                self.assertEqual(found.cost[at], rhs[10])
                self.assertTrue(np.isinf(found.known[0][at]) and np.isinf(found.known[1][at]))

    def test_stopped_runs_in_pictures(self):
        self.stop(4)
        for name in ("precision", "pareto", "stiffness"):
            self.draw(name, *(("--cells", "b=1:4") if name == "pareto" else ()))
        tight = str(10.0 ** np.log10(map_data.open_mapped(self.cube).cube["rtol"].values[2]))
        self.refuses("scores", self.cube, "-o", self.out, "--rtol", tight, saying="no points to be compared, since 4 runs were stopped at cutoffs")
        self.draw("scores")  # of the tolerances at which none was
        with_gap, _ = cost_data.totals(map_data.open_mapped(self.cube).cube, "sd=2,iae=1", range(3))
        self.stop(0)
        whole, _ = cost_data.totals(map_data.open_mapped(self.cube).cube, "sd=2,iae=1", range(3))
        self.assertTrue(np.isnan(with_gap[2]).all() and np.isfinite(whole).all())
        np.testing.assert_array_equal(with_gap[:2], whole[:2])
        self.draw("scores")

    def test_points_of_failed_runs_alone_are_no_timing(self):
        """A run that failed has 1 point for its duration even where nothing was timed."""
        made_up_map.write(self.cube, AXES, planted)
        with h5py.File(self.cube, "a") as file:
            points = file["points_solution_duration"]
            points[...] = np.nan
            points[0, 0, 0, 0] = 1
            file["outcome"][0, 0, 0, 0] = 1
            rhs = file.create_dataset("spare", data=np.full(points.shape, 4.0))
            del file["points_rhs_evaluations"]
            file.move("spare", "points_rhs_evaluations")
            for axis, dim in enumerate(made_up.DIMS):
                rhs.dims[axis].attach_scale(file[dim])
        total, by_work = cost_data.totals(map_data.open_mapped(self.cube).cube, "sd=2,dt=0,iae=0", [0])
        self.assertTrue(by_work)
        self.assertTrue((total == 8).all())

    # ---- pictures ----

    def test_winners_stand_where_they_were_planted(self):
        made_up_map.write(self.cube, AXES, planted)
        picture = self.draw("map", "--error", "1e-4", "--x", "k", "--y", "b", "--fix", "f=0.1")
        centres = {}
        for method in ("ode45", "ode113", "ode15s"):
            pixels = self.where(picture, style.solver_colour(method))
            self.assertGreater(len(pixels), 10000)
            centres[method] = np.median(pixels[:, 1])
        self.assertLess(centres["ode45"] + 100, centres["ode113"])
        self.assertLess(centres["ode113"] + 100, centres["ode15s"])
        self.assertEqual(self.area(picture, "ode23tb"), 0)

    def test_the_y_axis_grows_upwards(self):
        low = lambda c, at: ("ode45" if at["b"] == 0 else "ode15s", "switch", SURE)  # noqa: E731
        made_up_map.write(self.cube, AXES, low)
        picture = self.draw("map", "--error", "1e-4", "--x", "k", "--y", "b", "--fix", "f=0.1")
        rows = [
            np.median(self.where(picture, style.solver_colour(m))[:, 0])
            for m in ("ode45", "ode15s")
        ]
        self.assertGreater(rows[0], rows[1] + 50)  # rows are counted from the top

    def test_gaps_are_hatched_in_three_ways(self):
        question = ("--error", "1e-4", "--x", "k", "--y", "b", "--fix", "f=0.1")
        made_up_map.write(self.cube, AXES, planted)
        pictures = [self.draw("map", *question)]
        for gap in (None, made_up_map.NO_REFERENCE, made_up_map.CAPTURED):
            made_up_map.write(
                self.cube, AXES, lambda c, at: gap if at["k"] == 2 else planted(c, at)  # noqa: B023
            )
            pictures.append(self.draw("map", *question))
        pictures = [p[: int(0.7 * len(p))] for p in pictures]  # above the legend
        self.assertGreater(self.area(pictures[0], "ode15s"), 10000)
        before, lines, crosses, level = (self.where(p, raster_image.GAP_LINES) for p in pictures)
        self.assertGreater(len(level), len(before) + 1000)
        self.assertLess(len(np.unique(level[:, 0])), 0.5 * len(np.unique(crosses[:, 0])), "rows that have lines")
        self.assertGreater(len(lines), len(before) + 1000)
        self.assertGreater(len(crosses), 1.3 * len(lines))
        for picture, hatched in zip(pictures[1:], (lines, crosses, level)):
            self.assertEqual(self.area(picture, "ode15s"), 0)
            right = np.median(self.where(picture, style.solver_colour("ode113"))[:, 1])
            self.assertGreater(np.median(hatched[:, 1]), right)

    def test_an_axis_of_length_one(self):
        made_up_map.write(self.cube, {"b": (5,), "k": (1, 10, 100)}, planted)
        picture = self.draw("map", "--error", "1e-4")
        for method in ("ode45", "ode113", "ode15s"):
            self.assertGreater(self.area(picture, method), 1000)
        made_up_map.write(self.cube, {"k": (1,)}, planted)
        self.assertGreater(self.area(self.draw("map", "--error", "1e-4"), "ode45"), 1000)
        self.draw("along", "--error", "1e-4")
        self.draw("stiffness", "--rtol", "1e-3")

    def test_scattered_cells_are_marks(self):
        made_up_map.write(self.cube, AXES, planted, scattered=True)
        self.assertEqual(map_data.grid_axes(map_data.open_mapped(self.cube).cube), [])
        picture = self.draw("map", "--error", "1e-4", "--x", "k", "--y", "f")
        picture = picture[: int(0.8 * len(picture))]  # above the legend
        for method in ("ode45", "ode113", "ode15s"):
            area = self.area(picture, method)
            self.assertGreater(area, 300)
            self.assertLess(area, 10000)  # four marks, no image
        left, right = (
            np.median(self.where(picture, style.solver_colour(m))[:, 1])
            for m in ("ode45", "ode15s")
        )
        self.assertLess(left + 300, right)
        mapped, found, _ = self.mapped()
        steps = {name: parts for name, (_, _, parts) in zip(("b", "f", "k"), map_data.steps_of_cells(mapped, found))}
        self.assertEqual(steps["k"][0], {("ode45", "switch"): 1.0})  # the lowest of all cells
        self.assertEqual(steps["k"][-1], {("ode15s", "event"): 1.0})
        self.assertGreater(self.area(self.draw("along", "--error", "1e-4"), "ode45"), 300)
        self.refuses(
            "map",
            self.cube,
            "-o",
            self.out,
            "--x",
            "q",
            saying="no quantity q differs among the cells; there are b, f, k",
        )

    def test_cells_at_one_place_stand_side_by_side(self):
        made_up_map.write(self.cube, {"b": (1, 2), "k": (1, 2, 3)}, planted, scattered=True)
        apart = self.draw("map", "--error", "1e-4", "--x", "k", "--y", "b")
        made_up_map.write(
            self.cube, {"b": (1, 1), "k": (1, 1, 1), "f": (1, 2)}, planted, scattered=True
        )
        here = self.draw("map", "--error", "1e-4", "--x", "f", "--y", "f")
        for method in ("ode45", "ode113", "ode15s"):
            self.assertGreater(self.area(here[: int(0.8 * len(here))], method), 200)
            self.assertGreater(self.area(apart[: int(0.8 * len(apart))], method), 200)

    def test_every_other_picture_is_drawn(self):
        made_up_map.write(self.cube, AXES, planted)
        for name in ("along", "shares", "precision", "pareto", "stiffness", "scores"):
            picture = self.draw(name, "--cells", "k=1:10")
            self.assertLess((picture == 255).mean(), 0.97, name)
            if name != "scores":
                self.assertGreater(self.area(picture, "ode45"), 300, name)

    def test_without_a_stiffness_ratio(self):
        made_up_map.write(self.cube, AXES, planted)
        with h5py.File(self.cube, "r+") as cube:
            cube["stiffness_ratio"][...] = np.nan
        self.draw("pareto")
        self.refuses("stiffness", self.cube, "-o", self.out, saying="no cell has a stiffness ratio")

    # ---- what cannot be drawn ----

    def test_a_cube_without_a_map(self):
        made_up_map.write(self.cube, AXES, planted, with_map=False)
        self.refuses(
            "map",
            self.cube,
            "-o",
            self.out,
            saying=f"the cube has no map; make it with `saltus map {self.cube}`",
        )
        self.assertFalse(os.path.exists(self.out))

    def test_questions_the_map_was_not_asked(self):
        made_up_map.write(self.cube, AXES, planted, without=("max_error",))
        at = (self.cube, "-o", self.out)
        self.refuses(
            "map",
            *at,
            "--error",
            "1e-3",
            saying=f"not asked for error 0.001; there are 0.01, 0.0001 (saltus map {self.cube} --error 0.001)",
        )
        self.refuses(
            "map",
            *at,
            "--rtol",
            "1e-5",
            saying="not asked for tolerance 1e-05; there are 0.001, 1e-06, 1e-09",
        )
        self.refuses(
            "map",
            *at,
            "--rtol",
            "1e-3",
            "--weights",
            "sd=7",
            saying="no weights sd=7; there are sd=2,dt=0,iae=1; ",
        )
        self.refuses("map", *at, "--x", "q", saying="no axis q; there are b, k, f")
        self.refuses("map", *at, "--x", "k", "--y", "k", saying="axis k is asked for twice")
        self.refuses("map", *at, "--error", "1", "--rtol", "1", saying="two different questions")
        self.refuses("precision", *at, "--cells", "k=1:x", saying="no number")
        self.refuses("precision", *at, saying="no dataset max_error")
        self.refuses("map", self.path_of_rubbish(), "-o", self.out, saying="cannot be read as HDF5")

    def path_of_rubbish(self):
        path = os.path.join(self.temporary.name, "rubbish.h5")
        with open(path, "w", encoding="utf-8") as file:
            file.write("no cube")
        return path


unittest.main()
