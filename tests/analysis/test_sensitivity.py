#!/usr/bin/python3
"""test_sensitivity.py ANALYSIS_DIR: shares of variance of functions whose shares are known in closed form."""

import os
import sys
import tempfile
import unittest

import matplotlib.image
import numpy as np
import xarray
from matplotlib.colors import to_rgb

import made_up_map
import script

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import map_data  # noqa: E402
import sensitivity  # noqa: E402
import style  # noqa: E402

B, K, F = np.array([1.0, 2, 3, 4]), np.array([10.0, 20, 40]), np.array([0.1, 0.2])
AXES = {"b": {}, "k": {}, "f": {}}
EXACT = 1e-13


def grid(function):
    b, k, f = np.meshgrid(B, K, F, indexing="ij")
    return xarray.DataArray(function(b, k, f).astype(float), dims=("b", "k", "f"))


def shares(y, axes=None, words=False):
    """{name: (alone, total)}."""
    found = sensitivity.effects(sensitivity.as_words(y) if words else [y], axes or AXES)
    return {effect.name: (effect.alone, effect.total) for effect in found}


class Grids(unittest.TestCase):
    def assert_shares(self, found, **expected):
        self.assertEqual(set(found), set(expected))
        for name, pair in expected.items():
            np.testing.assert_allclose(found[name], pair, rtol=0, atol=EXACT, err_msg=name)

    def test_of_a_sum_each_axis_has_its_own_variance(self):
        parts = 2 * B.var(), 0.3 * K.var(), 70 * F.var()
        y = grid(lambda b, k, f: np.sqrt(2) * b + np.sqrt(0.3) * k + np.sqrt(70) * f)
        share = {name: part / sum(parts) for name, part in zip(AXES, parts)}
        self.assertGreater(min(share.values()), 0.003)
        found = shares(y)
        self.assert_shares(found, **{name: (x, x) for name, x in share.items()})
        self.assertAlmostEqual(sum(alone for alone, _ in found.values()), 1, delta=EXACT)

    def test_a_bilinear_function_has_an_interaction(self):
        """p b + q k + r b k: (p + r mean k)^2 var b, (q + r mean b)^2 var k, and r^2 var b var k together."""
        p, q, r = 2.0, -0.1, 0.03
        y = grid(lambda b, k, f: p * b + q * k + r * b * k + 7)
        by_b, by_k = (p + r * K.mean()) ** 2 * B.var(), (q + r * B.mean()) ** 2 * K.var()
        both = r**2 * B.var() * K.var()
        every = by_b + by_k + both
        self.assertGreater(min(by_b, by_k, both) / every, 0.01)
        found = shares(y)
        with_b, with_k = (by_b + both) / every, (by_k + both) / every
        self.assert_shares(found, b=(by_b / every, with_b), k=(by_k / every, with_k), f=(0, 0))

    def test_words_of_one_axis(self):
        found = shares(grid(lambda b, k, f: k > 15), words=True)
        self.assert_shares(found, b=(0, 0), k=(1, 1), f=(0, 0))
        found = shares(grid(lambda b, k, f: b), words=True)  # four words
        self.assert_shares(found, b=(1, 1), k=(0, 0), f=(0, 0))

    def test_words_of_two_axes_together_alone_explain_nothing(self):
        found = shares(grid(lambda b, k, f: 2 * ((b > 2.5) != (f > 0.15))), words=True)
        self.assert_shares(found, b=(0, 1), k=(0, 0), f=(0, 1))

    def test_words_have_the_variance_of_gini(self):
        """At k = 10 always word 1, else 0 or 2 by f: 2/3 of all, and 1/2 within two thirds of k."""
        found = shares(grid(lambda b, k, f: np.where(k < 15, 1, np.where(f > 0.15, 2, 0))), words=True)
        self.assert_shares(found, b=(0, 0), k=(0.5, 1 - found["f"][0]), f=(found["f"][0], 0.5))
        self.assertGreater(found["f"][0], 0.1)

    def test_cells_without_a_figure_do_not_count(self):
        def holes(y):
            cell = np.arange(y.size).reshape(y.shape)
            return y.where(xarray.DataArray(cell % 5 != 2, dims=y.dims))

        found = shares(holes(grid(lambda b, k, f: 3 * k + 1)))
        self.assertAlmostEqual(found["k"][0], 1, delta=EXACT)
        self.assertTrue(0.6 < found["k"][1] < 1)
        self.assertAlmostEqual(found["b"][1], 0, delta=EXACT)
        self.assertGreater(found["b"][0], 1e-4)  # holes make b and k go together a little
        same = sensitivity.effects([holes(grid(lambda b, k, f: 0 * b + 0.1))], AXES, every=0.0)
        self.assertTrue(all(np.isnan(effect.alone) and np.isnan(effect.total) for effect in same))


class Quantities(unittest.TestCase):
    """Points of several quantities at once, by an axis w of its own."""

    N = 2000

    def setUp(self):
        steps = np.outer(np.arange(1, self.N + 1), (0.8191725134, 0.6710436067, 0.5497004779))  # even in 3-D
        self.u, self.v, self.z = (steps % 1).T
        self.axes = {"points": {name: sensitivity.Quantity.of(of) for name, of in (("u", self.u), ("v", self.v), ("z", self.z))}, "w": {}}

    def field(self, values):
        return xarray.DataArray(values, dims=("points", "w"))

    def test_they_are_told_apart(self):
        w = np.array([0, 0.5])
        found = shares(self.field((3 * self.u + self.v)[:, None] + w), self.axes)
        every = 10 / 12 + 0.0625
        self.assertAlmostEqual(found["points"][0], 10 / 12 / every, delta=0.002)
        self.assertAlmostEqual(found["points"][1], found["points"][0], delta=1e-12)
        self.assertAlmostEqual(found["u"][0], 9 / 12 / every, delta=0.01)
        self.assertAlmostEqual(found["v"][0], 1 / 12 / every, delta=0.01)
        self.assertGreater(found["v"][0], 0.08)
        self.assertLess(found["z"][0], 0.005)
        self.assertAlmostEqual(found["w"][0], 0.0625 / every, delta=0.002)
        for name, right in (("u", 9 / 12 / every), ("v", 1 / 12 / every), ("z", 0.0)):
            self.assertAlmostEqual(found[name][1], right, delta=0.02)  # a sum: as alone

    def test_totals_of_ishigami(self):
        """sin x1 + 7 sin^2 x2 + x3^4 sin(x1) / 10 on [-pi, pi]^3: first-order and total indices in closed form."""
        x1, x2, x3 = (np.pi * (2 * of - 1) for of in (self.u, self.v, self.z))
        a, b = 7.0, 0.1
        first, second, both = 0.5 * (1 + b * np.pi**4 / 5) ** 2, a**2 / 8, b**2 * np.pi**8 * (1 / 18 - 1 / 50)
        every = first + second + both
        right = {"u": (first / every, (first + both) / every), "v": (second / every, second / every), "z": (0.0, both / every)}
        self.assertAlmostEqual(right["u"][1], 0.5576, delta=1e-4)
        y = self.field((np.sin(x1) + a * np.sin(x2) ** 2 + b * x3**4 * np.sin(x1))[:, None] * np.ones(2))
        found = shares(y, self.axes)
        for name, pair in right.items():
            np.testing.assert_allclose(found[name], pair, rtol=0, atol=0.035, err_msg=name)
        noise = self.field(np.random.default_rng(2).normal(size=(self.N, 2)))
        self.assertTrue(all(np.isnan(shares(noise, self.axes)[name][1]) for name in "uvz"))  # no quantity explains it

    def test_what_chance_explains_is_taken_off(self):
        """16 bins of 2000 random words explain 15/1999 = 0.75 %."""
        random, taken, plain = np.random.default_rng(3), 0, 0
        for _ in range(20):
            word = random.integers(0, 2, self.N).astype(float)
            words, bins = list(sensitivity.as_words(self.field(np.repeat(word[:, None], 2, axis=1)))), sensitivity.bins_of(self.u)
            square = sum(sensitivity.epsilon_squares(y, "points", bins)[0] for y in words)
            taken += square / sum(sensitivity.squares(y, ["points", "w"]) for y in words) / 20
            means = np.array([word[bins == b].mean() for b in bins])
            plain += means.var() / word.var() / 20
        self.assertEqual(len(set(sensitivity.bins_of(self.u))), 16)
        self.assertGreater(plain, 0.005)
        self.assertLess(abs(taken), 0.002)

    def test_epsilon_of_bins_that_were_worked_out_by_hand(self):
        """Eight points in three bins by rank: 0 1 2 | 3 4 5 | 6 7."""
        x, y = np.arange(8.0), np.array([0, 0, 3, 3, 3, 6, 6, 8.0])
        self.assertEqual(sensitivity.bins_of(x).tolist(), [0, 0, 0, 1, 1, 1, 2, 2])
        inside, mean = 6 + 6 + 2, y.mean()
        outside = 3 * (1 - mean) ** 2 + 3 * (4 - mean) ** 2 + 2 * (7 - mean) ** 2
        found, chance = sensitivity.epsilon_squares(xarray.DataArray(y, dims="cell"), "cell", sensitivity.bins_of(x))
        self.assertAlmostEqual(found, outside - 2 * inside / 5, delta=EXACT)
        self.assertAlmostEqual(chance, 2 * np.sqrt(4) / 5, delta=EXACT)
        self.assertEqual(sensitivity.bins_of(np.array([1.0, 1, 1, 1, 1, 1, 1, 2])).tolist(), [0] * 7 + [1])


class Script(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.cube = os.path.join(self.temporary.name, "cube.h5")
        self.out = os.path.join(self.temporary.name, "pictures")

    def run_script(self, *arguments):
        return script.run(os.path.join(ANALYSIS, "sensitivity.py"), self.cube, "-o", self.out, *arguments)

    def says(self, *arguments):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuses(self, *arguments, saying):
        done = self.run_script(*arguments)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
        self.assertIn(saying, done.stderr)

    def planted(self, cell, at):
        """The solver by k; the work by b (alone) and b and k (with); cells of the last f have no winner."""
        if at["f"] == 3:
            return None
        work = np.exp(at["b"] + (2 * at["k"] - 3) * (2 * at["b"] - 3) / 4)
        return ("ode45" if at["k"] < 2 else "ode15s", "event", 0.5, work)

    def test_a_planted_map(self):
        made_up_map.write(self.cube, {"b": range(1, 5), "k": range(1, 5), "f": range(1, 5)}, self.planted)
        said = self.says("--error", "1e-4")
        self.assertIn("least work for a largest error of 0.0001; 48 of 64 cells", said)
        both = np.var([-3, -1, 1, 3]) ** 2 / 16
        b, k = 1.25 / (1.25 + both), both / (1.25 + both)
        self.assertTrue(0.4 < b < 0.6)
        self.assertRegex(said, rf"(?m)^    b +{100 * b:.1f} % +100\.0 % +0\.0 % +0\.0 % +- +-$")
        self.assertRegex(said, rf"(?m)^    k +0\.0 % +{100 * k:.1f} % +100\.0 % +100\.0 % +- +-$")
        self.assertRegex(said, r"(?m)^    f +0\.0 % +0\.0 % +0\.0 % +0\.0 % +- +-$")
        self.assertRegex(said, rf"(?m)^    all alone +{100 * b:.1f} % +100\.0 % +-$")
        picture = os.path.join(self.out, "sensitivity-error-0.0001.png")
        self.assertEqual(said.splitlines()[-1], picture)
        pixels = matplotlib.image.imread(picture)[..., :3]
        pixels = pixels[: int(0.6 * len(pixels))]  # above the legend
        alone, total = (
            (np.abs(pixels - to_rgb(colour)) < 0.01).all(axis=-1) for colour in (style.ALONE, style.TOTAL)
        )
        first = slice(0, int(0.4 * pixels.shape[1]))  # the panel of work: b alone half, with all the rest all
        longest = [there[:, first].sum(axis=1).max() for there in (alone, total)]
        self.assertAlmostEqual(longest[0] / longest[1], b, delta=0.03)

    def test_few_cells_say_so(self):
        def by_b(cell, at):
            return "ode45", "event", 0.5, 1.0 + at["b"]

        made_up_map.write(self.cube, {"b": range(1, 14)}, by_b, scattered=True)
        said = self.says("--error", "1e-4")
        self.assertNotIn("points", said)  # each cell is a point: no line
        self.assertRegex(said, r"(?m)^ +b +too few cells +- +- +- +-$")
        self.assertNotIn("%", said)
        made_up_map.write(self.cube, {"b": range(1, 201)}, by_b, scattered=True)
        said = self.says("--error", "1e-4")
        self.assertNotIn("too few cells", said)
        self.assertRegex(said, r"(?m)^ +b +[89]\d\.\d % +(9\d\.\d|100\.0) % +- +- +- +-$")
        made_up_map.write(self.cube, {"b": (1, 2), "k": (1, 2)}, by_b)
        self.assertEqual(self.says("--error", "1e-4").count("too few cells"), 2)

    def test_points_and_all_questions(self):
        made_up_map.write(self.cube, {"b": range(1, 5), "k": range(1, 5), "f": range(1, 4)}, self.planted)
        said = self.says("--rtol", "1e-6")
        self.assertIn("most points at rtol 1e-06, weights sd=2,dt=0,iae=1; 48 of 48 cells", said)
        mapped = map_data.open_mapped(self.cube)
        by_error, _ = sensitivity.sensitivities(mapped, map_data.Question("error", 1e-4))
        by_points, _ = sensitivity.sensitivities(mapped, map_data.Question("points", 1e-6, made_up_map.WEIGHTS[0]))
        self.assertGreater(abs(by_error["cost"][0].alone - by_points["cost"][0].alone), 0.01)  # no logarithm
        self.assertEqual(self.says().count("least work for"), len(made_up_map.ERRORS))

    def test_a_question_without_answers(self):
        made_up_map.write(self.cube, {"b": (1, 2, 3)}, lambda cell, at: None)
        self.assertIn("error of 0.0001; 0 of 3 cells", self.says("--error", "1e-4"))

    def test_wrong_input_is_one_line_and_exit_2(self):
        self.refuses(saying="no such file")
        made_up_map.write(self.cube, {"b": (1,)}, lambda cell, at: ("ode45", "event", 0.5))
        self.refuses("--error", "1e-4", saying="nothing varies in it")
        self.refuses("--error", "1e-5", saying=f"(saltus map {self.cube} --error 1e-05)")
        self.refuses("--error", "1e-4", "--rtol", "1e-3", saying="two different questions")


if __name__ == "__main__":
    unittest.main()
