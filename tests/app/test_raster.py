"""Rasters of answers: the numbers of `recommend`, point by point, and the axes they are drawn over."""
import h5py
import numpy as np
import xarray

import cli
from filled_cube import WithPlane


class Raster(WithPlane):
    """ode45 needs less than ode23 where b is small, and which strategy needs less depends on k a little."""

    @staticmethod
    def fill(file):
        WithPlane.fill(file)
        b, k = WithPlane.logs(None, file)
        file["rhs_evaluations"][..., 1] = np.rint(400 * 7 ** np.arange(2)[None, :, None] * np.exp(3 * (b[..., 0] - 0.4)) * (1 + 0.1 * k[..., 0]))
        file["rhs_evaluations"][..., 0] = np.rint(400 * 7 ** np.arange(2)[None, :, None] * (1 + 0.2 * np.arange(2) * (k[..., 0] - 0.5)))
        file["rhs_evaluations"][..., 2] = 100000
        file["rhs_evaluations"][3, 0, 0, 0] *= 2
        file["max_error"][...] *= 1 + 0.2 * np.cos(np.arange(240)).reshape(20, 2, 2, 3)

    def raster(self, *args, ranks=0, name="r.h5"):
        self.said = self.works("raster", "cube.h5", "-f", "-o", name, *args, ranks=ranks)
        with xarray.open_dataset(self.folder / name, engine="h5netcdf") as found:
            return found.load()

    def number(self, found, pixel):
        """The answer there, with the names that recommend gives it."""
        here = found.isel(pixel=pixel)
        names = {n: cli.word(found.attrs[n]).split() for n in ("solvers", "strategies", "reasons")}
        lists = {"solver": "solvers", "strategy": "strategies", "reason": "reasons"}
        own = {}
        for name in (name for name, values in found.data_vars.items() if values.dims == ("pixel",)):
            value, kind = float(here[name]), name.removesuffix("_number").rpartition("_")[2]
            if name.endswith("_number"):
                own[name.removesuffix("_number")] = ["", *names[lists[kind]]][int(value)] or None
            elif name not in ("b", "k"):
                own[name] = None if np.isnan(value) else value
        return own

    def test_points_have_the_bits_of_recommend(self):
        for more in ((), ("--solvers", "ode45,ode15s"), ("--f-costs", "1us", "--strategies", "event")):
            found = self.raster("--error", "1.02e-5", "--size", "9x7", *more)
            self.assertEqual(found.sizes["pixel"], 63)
            seen = set()
            for pixel in range(0, 63, 7):
                here = found.isel(pixel=pixel)
                asked = self.ask("--at", f"b={float(here.b)!r},k={float(here.k)!r}", "--error", "1.02e-5", *more)
                own = self.number(found, pixel)
                seen.add(own["solver"])
                self.assertEqual(own, asked["answer"])
                for rival in asked["runners_up"][:1]:
                    self.assertEqual(float(here.margin), rival["total"] / own["total"] - 1)
                    self.assertEqual(cli.word(found.attrs["solvers"]).split()[int(here.runner_up_solver_number) - 1], rival["solver"])
            self.assertEqual(seen, {"ode45"} if more[:1] == ("--solvers",) else {"ode23", "ode45"})

    def test_the_best_of_the_other_solvers_stands_beside_it(self):
        found = self.raster("--error", "1.02e-5", "--size", "9x7")
        self.assertTrue((found.other_solver_number != found.solver_number).all())
        self.assertTrue((found.other_margin >= found.margin).all() and (found.other_margin > found.margin).any())
        same = (found.other_margin == found.margin).values
        np.testing.assert_array_equal(found.other_confidence.values[same], found.confidence.values[same])
        some = int(np.flatnonzero(~same)[0])
        here = found.isel(pixel=some)
        asked = self.ask("--at", f"b={float(here.b)!r},k={float(here.k)!r}", "--error", "1.02e-5")
        others = {o["solver"]: o["times"] for o in asked["why"]["others"]}
        self.assertAlmostEqual(float(here.other_margin), min(t for t in others.values() if t) - 1, delta=1e-12)

    def test_ranks_change_no_bit(self):
        one = self.raster("--error", "1e-3", "--size", "12")
        for ranks in (2, 3):
            found = self.raster("--error", "1e-3", "--size", "12", ranks=ranks)
            found.attrs = one.attrs  # they have the time
            xarray.testing.assert_identical(found, one)

    def test_pixels_lie_in_the_middle_of_equal_parts(self):
        found = self.raster("--error", "1e-3", "--size", "6x2", "--x", "b", "--at", "k=20..30")
        b, k = (found[name].values.reshape(2, 6) for name in "bk")
        np.testing.assert_allclose(b[0], 1000 * 4 ** ((np.arange(6) + 0.5) / 6), rtol=1e-12)
        np.testing.assert_allclose(k[:, 0], 20 * 1.5 ** ((np.arange(2) + 0.5) / 2), rtol=1e-12)
        self.assertTrue((b == b[0]).all() and (k == k[:, :1]).all())
        self.assertEqual([found.attrs[n] for n in ("x", "y", "panel")], ["b", "k", ""])
        numbers = [found.attrs[n] for n in ("x_size", "y_size", "panel_size", "x_lo", "x_hi", "y_lo", "y_hi", "x_log")]
        np.testing.assert_allclose(numbers, [6, 2, 1, 1000, 4000, 20, 30, 1], rtol=1e-12)
        self.assertEqual(found.b.attrs["units"], "1")
        self.assertEqual((cli.word(found.attrs["error_metric"]), found.attrs["asked_error"]), ("max_error", 1e-3))
        line = self.raster("--error", "1e-3", "--size", "5", "--at", "k=20")
        self.assertEqual((line.sizes["pixel"], line.attrs["y"], line.attrs["at"]), (5, "", "k=20"))

    def test_the_axis_that_decides_is_found(self):
        """ode45 is the better one where b is less than about 0.4 of its way, whatever k is."""
        found = self.raster("--error", "1.02e-5", "--size", "4", "--solvers", "ode23,ode45")
        decides = dict(part.split("=") for part in cli.word(found.attrs["decides"]).split(","))
        self.assertEqual(list(decides), ["b", "k"])
        self.assertAlmostEqual(float(decides["b"]), 1, delta=0.15)
        self.assertLess(float(decides["k"]), 0.25)
        self.assertEqual((found.attrs["x"], found.attrs["y"]), ("b", "k"))
        turned = self.raster("--error", "1.02e-5", "--size", "4", "--solvers", "ode23,ode45", "--x", "k")
        self.assertEqual((turned.attrs["x"], turned.attrs["y"]), ("k", "b"))
        one = self.raster("--error", "1.02e-5", "--size", "4", "--solvers", "ode23")
        self.assertEqual(cli.word(one.attrs["decides"]), "b=0,k=0")  # one answer everywhere: the order of the sweep

    def test_panels_and_the_middle(self):
        found = self.raster("--error", "1e-3", "--size", "3x1", "--panels", "2", "--x", "k", "--across", "b")
        self.assertEqual(found.attrs["panel"], "b")
        np.testing.assert_allclose(found.b.values.reshape(2, 3)[:, 0], 1000 * 4 ** np.array([0.25, 0.75]), rtol=1e-12)
        line = self.raster("--error", "1e-3", "--size", "3x1")
        self.assertEqual((line.attrs["x"], line.attrs["at"]), ("b", "k=20"))

    def test_gaps_have_a_reason(self):
        self.edit(lambda file: file["reference_error_watched"].__setitem__(slice(0, 8), 1e-4))  # where b is small
        found = self.raster("--error", "1e-5", "--size", "8x4", "--x", "b")
        reason = np.array(["", *cli.word(found.attrs["reasons"]).split()])[found.reason_number.values].reshape(4, 8)
        self.assertTrue((reason[:, 0] == "no_reference").all() and (reason[:, -1] == "work").all())
        np.testing.assert_array_equal(reason.ravel() == "work", found.solver_number > 0)
        self.assertTrue(np.isnan(found.total.values[found.solver_number == 0]).all())
        self.edit(lambda file: file["reference_error_watched"].__setitem__(..., 0))
        found = self.raster("--error", "1e-8", "--size", "4", "--json")
        self.assertEqual(self.number(found, 0)["reason"], "no_config")
        self.assertTrue((found.reason_number == found.reason_number[0]).all())
        self.assertIn('"no_config": 16, "no_reference": 0, "captured": 0', self.said)

    def test_text_says_which_axes_and_who(self):
        self.raster("--error", "2e-3", "--size", "10")
        for words in ("least work for a largest error of y1 of 0.002", "100 points, x 10 of b, y 10 of k",
                      "how much each axis decides: b=", "ode23   ", " %\nr.h5\n"):
            self.assertIn(words, self.said)

    def test_bad_input(self):
        ask = ("raster", "cube.h5", "--error", "1e-3")
        out = ("-o", "r.h5")
        for args, says in {
                (*ask,): "--output FILE.h5 is required",
                ("raster", "cube.h5", *out): "--error E is required",
                (*ask, *out, "--size", "0x4"): "--size: '0x4' is not a size; allowed: 200x120, or 200 for both, 1..4096",
                (*ask, *out, "--size", "4x4x4"): "--size: '4x4x4' is not a size",
                (*ask, *out, "--x", "bb"): "--x: unknown axis 'bb'; allowed: b, k; did you mean 'b'?",
                (*ask, *out, "--x", "b", "--y", "b"): "--x and --y: b is asked for twice",
                (*ask, *out, "--x", "b", "--at", "b=2000"): "--x: b is fixed by --at",
                (*ask, *out, "--at", "b=2000,k=20"): "one point is not a raster",
                (*ask, *out, "--at", "b=10..2000"): "b = 10 .. 2000 reaches out of this cube, which has 1000 .. 4000",
                (*ask, *out, "--at", "b=5000"): "which has 1000 .. 4000",
                (*ask, *out, "--across", "b"): "--across goes with --panels 2 or more",
                (*ask, *out, "--panels", "0"): "--panels",
                ("raster", "cube.h5", *out, "--error", "x"): "--error",
                (*ask, "-o", "cube.h5"): "cube.h5: the output would overwrite a file that this command reads",
        }.items():
            self.refused(*args, says=(says,))
        self.works("run", "s.yaml", "-q", "-f", "-o", "few.h5",
                   *cli.sets("cells.axes=[{name: b, list: [1000, 2000]}, {name: k, linear: [10, 40], points: 4}]"))
        self.refused("raster", "few.h5", *out, "--error", "1e-2", says=("few.h5: has 8 cells; a plane in 2 coordinates needs 9 at least",))
        self.refused("raster", "nothing.h5", *out, "--error", "1e-2", says=("No such file",), code=4)

    def test_the_file_is_one_of_ours(self):
        self.raster("--error", "1e-3", "--size", "3")
        with h5py.File(self.folder / "r.h5") as file:
            self.assertEqual(file.attrs["content"], b"saltus raster")
            self.assertEqual(file.attrs["strategies"], b"switch event")


cli.main()
