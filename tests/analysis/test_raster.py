#!/usr/bin/python3
"""test_raster.py ANALYSIS_DIR, the program in the environment variable SALTUS_BESIDE: are maps of cells that make no grid
what the program answers there?"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
import xml.etree.ElementTree

import matplotlib.image
import numpy as np

import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
SALTUS = os.environ.get("SALTUS_BESIDE")
os.environ["SALTUS"] = SALTUS or ""  # it answers between the cells
sys.path.insert(0, ANALYSIS)
import map_data  # noqa: E402
import page_data  # noqa: E402
import raster  # noqa: E402
import raster_figures  # noqa: E402
import raster_image  # noqa: E402
import surrogate  # noqa: E402
import readme_picture  # noqa: E402
import report  # noqa: E402
import style  # noqa: E402
from cube import NotOurs  # noqa: E402

SWEEP = """\
title: hoppers
model: monopod
cells:
  axes:
    - {columns: [b, m1, k, f], sobol: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]], log: true, points: 40}
    - {name: adhesion, list: [literal, clamp]}
initial: {y1: 0.5, v1: 0, y2: 1.5, v2: 0}
t_end: 8
mesh: 0.05
solvers: [ode45, ode113, ode15s]
strategies: [switch, event]
rtol: [1e-2, 1e-4, 1e-6, 1e-8]
cutoff: {baselines: [ode113], error: 1e-4, factor: 2}
"""


@unittest.skipIf(SALTUS is None, "no program to compare with")
class Raster(unittest.TestCase):
    """A cube of Sobol points with an option, of which runs are stopped."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.cube = cls.path("hoppers.h5")
        with open(cls.path("hoppers.yaml"), "w", encoding="utf-8") as file:
            file.write(SWEEP)
        cls.saltus("run", cls.path("hoppers.yaml"), "-o", cls.cube, "-q")
        cls.mapped = map_data.open_mapped(cls.cube, ("outcome",))
        cls.runs = page_data.open_runs(cls.cube, cls.mapped.map)
        cls.surrogate = surrogate.open_surrogate(cls.runs, cls.mapped.map)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.temporary.name, name)

    @staticmethod
    def saltus(*arguments):
        return subprocess.run([SALTUS, *arguments], check=True, capture_output=True, text=True).stdout

    def recommend(self, values, word, error):
        """The answer of the program: {method, strategy, tolerance, ..}, {} where there is none."""
        at = ",".join([*(f"{c.name}={v!r}" for c, v in zip(self.runs.columns, values)), f"adhesion={word}"])
        done = subprocess.run([SALTUS, "recommend", "--json", "--at", at, "--error", repr(error), self.cube], capture_output=True, text=True)
        said = json.loads(done.stdout)
        return {name: np.nan if value is None else value for name, value in (said["answer"] or {}).items()}

    def test_answers_in_the_cells_are_those_of_the_map(self):
        places, (_, sample) = np.stack([c.places for c in self.runs.columns], axis=1), page_data.samples_of(self.runs)
        answered = 0
        for question in self.mapped.questions("error"):
            want = map_data.answers(self.mapped, question)
            for which in np.unique(sample):
                cells = np.flatnonzero(sample == which)[::3]
                got = surrogate.answers_at(self.surrogate, self.runs, places[cells], which, question.asked)
                for name in ("solver", "strategy", "unknown"):
                    np.testing.assert_array_equal(getattr(got, name), getattr(want, name)[cells], name)
                for name in ("value", "rtol", "margin", "confidence"):
                    np.testing.assert_allclose(getattr(got, name), getattr(want, name)[cells], rtol=1e-5, atol=1e-6, err_msg=name)
                answered += got.won.sum()
        self.assertGreater(answered, 20)

    def test_answers_between_them_are_those_of_the_program(self):
        draw, answered = random.Random(4), 0
        for _ in range(8):
            z, which, error = [draw.random() for _ in self.runs.columns], draw.randrange(2), float(f"{10 ** draw.uniform(-5, -1.5):.6g}")
            values = [c.at(u) for c, u in zip(self.runs.columns, z)]
            want = self.recommend(values, self.runs.options[0].words[which], error)
            got = self.surrogate.ask(z, which, error)
            self.assertEqual(isinstance(got, dict), bool(want), (z, which, error))
            if want:
                answered += 1
                self.assertEqual(self.runs.pairs[got["pair"]], (want["strategy"], want["solver"]))
                for name in ("rtol", "probability", "error", "work", "total"):
                    self.assertAlmostEqual(got[name] / want[name], 1, delta=1e-6, msg=name)
                np.testing.assert_allclose(got["confidence"], want["confidence"], rtol=1e-6)
                self.assertTrue(0 < got["confidence"] < 1)
        self.assertGreater(answered, 4)

    def of_program(self, question, size=(2, 2), **wanted):
        return raster.of_program(self.mapped, question, size, **wanted)

    def test_the_axes_that_decide_most_are_drawn(self):
        question = self.mapped.questions("error")[0]
        found = self.of_program(question)
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "r.h5")
            said = json.loads(self.saltus("raster", self.cube, "-o", out, "--error", repr(question.asked), "--at", "adhesion=literal", "--json"))
        decides = [part.split("=") for part in said["decides"].split(",")]
        self.assertEqual([name for name, _ in decides], [name for name, _ in sorted(decides, key=lambda d: -float(d[1]))])
        self.assertEqual([found.x.name, found.y.name], [name for name, _ in decides[:2]])
        self.assertEqual(raster.deciding(self.mapped, question), [name for name, _ in decides])
        fit = {"scale": [4, 3, 2, 1]}
        names = [c.name for c in self.runs.columns]
        self.assertEqual([names[i] for i in report.map_axes(self.mapped, self.runs, fit, question)], [name for name, _ in decides[:2]])
        with unittest.mock.patch.dict(os.environ, SALTUS=""):
            self.assertEqual(report.map_axes(self.mapped, self.runs, fit, question), [0, 1])
        self.assertEqual(dict(found.still)["adhesion"], "literal")
        for column in self.runs.columns:
            if column.name not in (found.x.name, found.y.name):
                self.assertAlmostEqual(dict(found.still)[column.name] / column.middle, 1)
        with self.assertRaisesRegex(NotOurs, "unknown axis 'q'; allowed: b, m1, k, f"):
            self.of_program(question, x="q")
        with self.assertRaisesRegex(NotOurs, "b = 1 .. 1 reaches out"):
            self.of_program(question, x="k", y="f", fixed={"b": 1.0})
        with self.assertRaisesRegex(NotOurs, "adhesion = 7 is none of 0: literal, 1: clamp"):
            self.of_program(question, fixed={"adhesion": 7})

    def test_each_place_of_the_raster_is_what_is_answered_there(self):
        question = self.mapped.questions("error")[0]
        found = self.of_program(question, (4, 5), x="k", y="f", across="m1", fixed={"b": 2000.0, "adhesion": 1})
        self.assertEqual(found.solver.shape, (1, 3, 5, 4))
        self.assertEqual(found.still, (("b", 2000.0), ("adhesion", "clamp")))
        for panel, up, right in ((0, 0, 3), (2, 4, 0), (1, 3, 2)):
            at = {"b": 2000.0, "m1": found.across.values[panel], "f": found.y.values[up], "k": found.x.values[right]}
            want = self.recommend([float(at[c.name]) for c in self.runs.columns], "clamp", question.asked)
            place = 0, panel, up, right
            self.assertEqual((found.solver[place], found.strategy[place]), (want.get("solver", ""), want.get("strategy", "")))
            self.assertEqual(found.gap[place] == 0, bool(want))

    def test_the_map_answers_as_it_was_made(self):
        """Solvers that may win, and what one f takes, are those of the map."""
        attrs = dict(self.mapped.map.attrs)
        mapped = types.SimpleNamespace(path="c.h5", metric="end_error", cube=self.mapped.cube,
                                       map=types.SimpleNamespace(attrs=attrs | {"methods": "ode45 ode15s", "f_costs": 1e-6}))
        call = raster.command("saltus", mapped, self.mapped.questions("error")[0], "o.h5", (3, 4), {"x": "initial_y2", "fixed": {"b": 2}})
        text = " ".join(call)
        for words in ("--by end_error", "--solvers ode45,ode15s", "--strategies switch,event", "--f-costs 1e-06s", "--x y2", "--size 3x4",
                      "--at adhesion=literal,b=2.0"):
            self.assertIn(words, text)

    def test_the_picture_has_the_winners(self):
        own = shutil.copy(self.cube, self.path("some.h5"))
        self.saltus("map", own, "--solvers", "ode113,ode15s", "--work", "rhs=1,jacobian=0.25")
        mapped = map_data.open_mapped(own, ("outcome",))
        call = raster.command("saltus", mapped, mapped.questions("error")[0], "o.h5", (3, 4), {})
        self.assertRegex(call[call.index("--work") + 1], r"^rhs=1\.0,jacobian=0\.25,factorisation=1\.06\d+,solve=0\.8$")
        question = mapped.questions("error")[0]
        done = script.run(os.path.join(ANALYSIS, "maps.py"), "map", own, "-o", self.path("pictures"), "--error", repr(question.asked), "--size", "24x16")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        pixels = np.rint(255 * matplotlib.image.imread(done.stdout.strip())[..., :3]).astype(int)
        found = raster.of_program(mapped, question, (24, 16))
        self.assertTrue(set(found.solver.ravel()) <= {"", "ode113", "ode15s"})
        rgb = raster_image.shades(found.solver, found.margin, found.gap, style.solver_colour).round()
        shown = pixels[: int(0.75 * len(pixels))].reshape(-1, 3)
        colours, count = np.unique(rgb[found.gap == 0], axis=0, return_counts=True)
        self.assertGreater(len(colours), 0)
        for colour, n in zip(colours, count):
            if n > 8:
                self.assertGreater((np.abs(shown - colour) <= 1).all(axis=1).sum(), 200 * n, colour)

    def test_without_the_program_there_is_one_line(self):
        with unittest.mock.patch.dict(os.environ, SALTUS=""):
            done = script.run(os.path.join(ANALYSIS, "maps.py"), "map", self.cube, "-o", self.path("none"), "--error", "0.01")
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1))
        self.assertIn("no saltus was found ($SALTUS names one)", done.stderr)

    def test_the_picture_of_the_readme(self):
        written = []
        readme_picture.SIZE = (12, 9)
        for name in ("one.svg", "two.svg"):
            readme_picture.work(types.SimpleNamespace(cube=self.cube, path=self.path(name)))
            with open(self.path(name), encoding="utf-8") as file:
                written.append(file.read())
        self.assertEqual(*written)
        self.assertLess(len(written[0]), 60000)
        xml.etree.ElementTree.fromstring(written[0])
        self.assertEqual(written[0].count("<image"), 3)
        self.assertEqual(written[0].count("data:image/png;base64,"), 3)
        axis = self.of_program(map_data.Question("error", readme_picture.ERROR)).x
        for word in (axis.column.what, "adhesion literal", "border, confidence 95 %"):
            self.assertTrue(word in written[0].replace("\xa0", " "), word)
        for word in ("@font-face", "http-equiv", "<script", "href=\"http"):
            self.assertFalse(word in written[0], word)

    def test_ticks_have_room(self):
        """Numbers do not touch."""
        column = page_data.Column("k", np.array([1.0, 480.0]), log=True, lo=1.0, hi=480.0)
        for n, side in ((20, 7.0), (200, 0.7), (20, 21.0)):
            self.ticks_have_room(map_data.Axis("k", np.zeros(n), "k", "k", "", column), side)
        for values, side in ((np.geomspace(1, 480, 10), 14.0), (np.geomspace(1, 480, 10), 22.0), (np.arange(3) * 1e4, 30.0)):
            self.ticks_have_room(map_data.Axis("k", values, "k", "k", ""), side)

    def ticks_have_room(self, axis, side):
        got = list(zip(*raster_figures.ticks_of(axis, side, upright=False)))
        self.assertGreater(len(got), 1)
        for (a, left), (b, right) in zip(got, got[1:]):
            needed = raster_figures.CHARACTER * (len(left) + len(right)) / 2
            self.assertGreater((b - a) * side, needed, (left, right))


class Image(unittest.TestCase):
    """The picture of a raster, in numbers."""

    LOOK = {"ode45": "#312E97", "ode15s": "#84086B"}.get

    def halves(self, confidence=0.99, margin=1.0, strategy="switch", gap=0):
        """ode45 to the left and ode15s to the right, 40 x 40; gap: to the right in its place."""
        solver = np.full((40, 40), "ode45", dtype=object)
        solver[:, 20:] = "" if gap else "ode15s"
        gaps = np.zeros((40, 40), dtype=int)
        gaps[:, 20:] = gap
        full = lambda value: np.where(gaps > 0, np.nan, value)  # noqa: E731
        return raster_image.picture(solver, np.where(gaps > 0, "", strategy).astype(object), full(margin), full(confidence), gaps, self.LOOK, (4, 5)).astype(int)

    def dark(self, rgb):
        """Width of the border, and how dark it is at its darkest."""
        row = rgb[80, 80:120].sum(axis=1)
        line = row < 0.9 * min(row[0], row[-1])
        return int(line.sum()), int(row.min())

    def test_a_border_is_thick_where_it_is_sure(self):
        drawn = [self.dark(self.halves(confidence, margin=0.01)) for confidence in (0.6, 0.8, 0.85, 0.97)]
        self.assertEqual([width for width, _ in drawn], sorted({width for width, _ in drawn}))
        self.assertEqual([depth for _, depth in drawn], sorted({depth for _, depth in drawn}, reverse=True))
        self.assertEqual((drawn[0][0], drawn[-1][0]), (raster_image.WIDTHS[0], raster_image.WIDTHS[-1]))
        steps = raster_image.border_steps(np.where(np.indices((100, 100))[0] < 50, 0.6, 0.99))
        self.assertEqual((steps[10].max(), steps[90].min()), (0, raster_image.STEPS - 1))

    def test_colour_is_the_solver_and_paleness_the_lead(self):
        left = []
        for margin in (0.01, 0.1, 0.3, 0.8, np.nan):
            rgb = self.halves(margin=margin)
            left.append(rgb[80, 40])
            pure = np.array([49, 46, 151])
            share = (255 - rgb[80, 40]) / (255 - pure)  # one colour, mixed with white
            self.assertLess(np.ptp(share), 0.02)
        self.assertTrue((np.diff(np.sum(left, axis=1))[:3] < -60).all())
        np.testing.assert_array_equal(left[3], left[4])
        np.testing.assert_array_equal(left[3], pure)

    def test_a_strategy_is_a_light_texture(self):
        plain = self.halves()
        for strategy, least, most in (("event", 0.02, 0.15), ("ess2", 0.1, 0.25), ("ess", 0.1, 0.25), ("mine", 0.1, 0.25)):
            rgb = self.halves(strategy=strategy)
            other = (rgb != plain).any(axis=2)
            self.assertTrue(least < other.mean() < most, (strategy, other.mean()))
            self.assertGreater((rgb[other] / np.maximum(plain[other], 1)).mean(), 0.75)
        self.assertEqual(len({self.halves(strategy=s).tobytes() for s in ("switch", "event", "ess", "ess2", "mine")}), 5)

    def test_two_kinds_of_gaps_are_told_apart(self):
        ground = [tuple(np.median(self.halves(gap=gap)[:, 120:].reshape(-1, 3), axis=0)) for gap in (1, 2)]
        self.assertEqual(ground, [(208, 208, 208), (255, 255, 255)])
        lines = [(self.halves(gap=gap)[:, 120:] == raster_image.rgb(raster_image.GAP_LINES)).all(axis=2).mean() for gap in (1, 2)]
        self.assertTrue(0.1 < lines[0] < 0.3 and lines[1] > 1.5 * lines[0], lines)

    def test_a_name_stands_in_its_region(self):
        y, x = np.indices((60, 80))
        disc = (x - 50) ** 2 + (y - 20) ** 2 < 15**2
        boxes = [(30, 40), (8, 20), (2, 4)]
        at_x, at_y, which = raster_image.name_place(disc, boxes)
        self.assertEqual(which, 1)
        self.assertLess(abs(at_x - 50.5) + abs(at_y - 20.5), 2)
        self.assertIsNone(raster_image.name_place(disc & (x % 2 == 0), boxes))
        self.assertIsNone(raster_image.name_place(np.zeros((3, 3), dtype=bool), boxes))
        self.assertEqual(raster_image.name_place(np.abs(x - y) < 4, boxes)[2], 2)  # the least one fits into a stripe

    def test_means_are_of_what_there_is(self):
        values = np.arange(35.0).reshape(5, 7)
        values[2, 3] = np.nan
        got = raster_image.box_mean(values, 1)
        self.assertAlmostEqual(got[0, 0], np.mean([0, 1, 7, 8]))
        self.assertAlmostEqual(got[2, 3], np.mean([9, 10, 11, 16, 18, 23, 24, 25]))
        self.assertTrue(np.isnan(raster_image.box_mean(np.full((4, 4), np.nan), 1)).all())


unittest.main()
