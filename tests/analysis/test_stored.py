"""Stored trajectories drawn, from a made-up cube; the real ones are in tests/app/test_store.py.

Called as test_stored.py ANALYSIS.
"""

import os
import subprocess
import sys
import tempfile
import types
import unittest

import h5py
import matplotlib
import numpy as np

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)

import cube as cubes  # noqa: E402 (the folder is known only now)
import made_up  # noqa: E402
import stored  # noqa: E402
import style  # noqa: E402

CELLS, T = (2, 7), np.linspace(0, 10, 101)


def height(cell):
    return np.cos(T * cell / 2)


class Stored(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(folder.name, "cube.h5")
        made_up.write_cube(self.path)
        shape = (len(CELLS), len(made_up.TOLERANCES), len(made_up.STRATEGIES), len(made_up.SOLVERS), T.size)
        y = np.empty(shape)
        for i, cell in enumerate(CELLS):
            y[i] = height(cell) + 0.01 * np.arange(shape[3])[:, None] * T
        mode = np.zeros(shape, dtype=np.int8)
        mode[..., 0, 40:], mode[..., 1, 3, :] = 2, 3  # ode23 ends at t = 4, ode15s goes without `event`
        y[mode > 1] = np.nan
        with h5py.File(self.path, "a") as file:
            group = file.create_group("trajectories")
            made_up.coordinate(group, "cell", np.array(CELLS))
            made_up.coordinate(group, "rtol", np.array(made_up.TOLERANCES))
            made_up.coordinate(group, "strategy", np.array(made_up.STRATEGIES, dtype=h5py.string_dtype()))
            made_up.coordinate(group, "solver", np.array(made_up.SOLVERS, dtype=h5py.string_dtype()))
            made_up.coordinate(group, "t", T)
            group["t"].attrs["units"] = "s"
            dims = ("cell", "rtol", "strategy", "solver", "t")
            made_up.dataset(group, "y1", y, dims, units="m", long_name="height")
            made_up.dataset(group, "mode", mode, dims)
            r = np.array([height(cell) for cell in CELLS])
            made_up.dataset(group, "reference_y1", r, ("cell", "t"), units="m")
            made_up.dataset(group, "reference_mode", (r <= 0).astype(np.int8), ("cell", "t"))
            group.attrs["watched_state"] = "y1"

    def select(self, **words):
        wanted = dict(cell=None, state=None, rtol=None, strategy=None, solver=None) | words
        return stored.select(self.path, cubes.open_stored(self.path), types.SimpleNamespace(**wanted))

    def test_what_is_asked_for_is_selected(self):
        state, one = self.select()
        self.assertEqual((state, int(one["cell_number"])), ("y1", 2))
        self.assertEqual((one["rtol"].values.tolist(), one.sizes["solver"], one.sizes["strategy"]), ([1e-3], 7, 2))
        _, one = self.select(cell=7, rtol=[1e-6, 1e-9], solver=["ode45"], strategy=["event"])
        self.assertEqual(one["y1"].shape, (2, 1, 1, T.size))
        np.testing.assert_array_equal(one["y1"].values.ravel()[: T.size], height(7) + 0.01 * T)

    def test_impacts_are_where_the_reference_touches_down(self):
        t, y = stored.impacts(self.select()[1], "y1")
        np.testing.assert_allclose(t, [1.6, 7.9], atol=1e-12)  # cos t falls below 0 after pi/2 and 5 pi/2
        np.testing.assert_array_equal(y, height(2)[[16, 79]])
        self.assertEqual(len(stored.impacts(self.select(cell=7)[1], "y1")[0]), 6)

    def test_a_panel_shows_every_run_to_its_end_and_the_reference(self):
        _, one = self.select()
        for strategy, drawn in (("switch", 7), ("event", 6)):
            figure, axes = style.plt.subplots()
            stored.draw_panel(axes, one.sel(strategy=strategy, rtol=1e-3), "y1", style)
            lines = {line.get_color(): line for line in axes.lines if line.get_linestyle() == "-"}
            seen = [line for line in lines.values() if np.isfinite(line.get_ydata()).any()]
            self.assertEqual(len(seen), drawn + 1)
            np.testing.assert_array_equal(lines[style.REFERENCE].get_ydata(), height(2))
            self.assertEqual(np.isfinite(lines[style.solver_colour("ode23")].get_ydata()).sum(), 40)
            (cross,) = [line for line in axes.lines if line.get_marker() == "x"]
            self.assertEqual((cross.get_xdata()[0], cross.get_color()), (T[39], style.solver_colour("ode23")))
            style.plt.close(figure)

    def test_the_reference_has_a_colour_of_its_own(self):
        others = [*style.SOLVER.values(), *(look[0] for look in style.STRATEGY.values()), *(pair[0] for pair in style.colours.OWN)]
        self.assertNotIn(style.REFERENCE, others)
        figure, axes = style.plt.subplots()
        stored.draw_panel(axes, self.select()[1].sel(strategy="event", rtol=1e-3), "y1", style)
        widest = max((line for line in axes.lines if line.get_linestyle() == "-"), key=lambda line: line.get_linewidth())
        self.assertEqual(widest.get_color(), style.REFERENCE)
        self.assertEqual(widest.get_zorder(), min(line.get_zorder() for line in axes.lines))
        style.plt.close(figure)

    def test_axes_have_symbols_and_units(self):
        _, one = self.select(rtol=[1e-3, 1e-6])
        saved = []
        style.use()
        matplotlib.figure.Figure.savefig, before = lambda figure, path: (saved.append(figure), open(path, "w").close()), \
            matplotlib.figure.Figure.savefig
        try:
            stored.draw(one, "y1", os.path.join(self.folder, "none.png"), style)
        finally:
            matplotlib.figure.Figure.savefig = before
        axes = saved[0].axes
        self.assertEqual(len(axes), 4)
        self.assertEqual(axes[0].get_ylabel(), "$y_{1}$ [m]")
        self.assertEqual(axes[2].get_xlabel(), "time $t$ [s]")
        self.assertIn("event", axes[2].get_title())
        self.assertEqual(saved[0]._suptitle.get_text(), "Cell 2: height")

    def run_it(self, *args):
        return subprocess.run(["/usr/bin/python3", "-B", os.path.join(ANALYSIS, "stored.py"), *args], text=True,
                              capture_output=True, cwd=self.folder, timeout=1200)

    def test_the_picture_is_written(self):
        done = self.run_it("cube.h5", "--cell", "7", "-o", "out")
        self.assertEqual((done.returncode, done.stdout), (0, "out/stored-7-y1.png\n"), done.stderr)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "out/stored-7-y1.png")), 20000)

    def test_what_is_not_there_is_told(self):
        made_up.write_cube(os.path.join(self.folder, "bare.h5"))
        for args, says in ((("cube.h5", "--cell", "3"), "no stored trajectory of cell 3; allowed: 2, 7"),
                           (("cube.h5", "--state", "z"), "no state z; allowed: y1"),
                           (("cube.h5", "--solver", "ode4"), "no stored trajectory of solver ode4; allowed: ode23, "),
                           (("bare.h5",), "bare.h5: no stored trajectories; saltus store bare.h5"),
                           (("none.h5",), "none.h5: no such file")):
            done = self.run_it(*args, "-o", "out")
            self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
            self.assertIn(says, done.stderr)


unittest.main(verbosity=2)
