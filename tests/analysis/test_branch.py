"""Branches and orbits drawn, from made-up files; real ones are in tests/app/test_continue.py.

Called as test_branch.py ANALYSIS.
"""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import h5py
import numpy as np

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)

import branch as branches  # noqa: E402 (the folder is known only now)
import branch_page  # noqa: E402
import trajectory  # noqa: E402
import cube as cubes  # noqa: E402
import made_up  # noqa: E402
import style  # noqa: E402
from embedded import Page  # noqa: E402

N = 9
TYPES = ["EP", "RG", "RG", "LP", "RG", "PD", "RG", "AD", "EP"]
STABLE = [1, 1, 1, 0, 0, 0, 1, 1, 1]


def write_branch(path, curve="branch", free="dG"):
    """A parabola with a fold at its fourth point; beyond the doubling it is stable again."""
    s = np.linspace(-3, 5, N)
    columns = {"dG": -(s**2), "dF": s, "period": 2 + 0 * s, "open_touchdown": s + 4, "open_load": 1 + 0 * s}
    columns |= {"apex_zU": s + 5, "apex_zL": s + 4, "apex_vU": s + 3, "zU": s, "vU": s}
    with h5py.File(path, "w") as file:
        text = h5py.string_dtype()
        made_up.coordinate(file, "point", np.arange(1, N + 1))
        made_up.coordinate(file, "multiplier", np.arange(1, 3))
        for name, values in columns.items():
            made_up.dataset(file, name, values, ("point",), units="N*s/m")
        made_up.dataset(file, "type_name", np.array(TYPES, dtype=text), ("point",))
        made_up.dataset(file, "label", np.cumsum([t != "RG" for t in TYPES]) * [t != "RG" for t in TYPES], ("point",))
        made_up.dataset(file, "stable", np.array(STABLE), ("point",))
        lead = np.array([0.2, 0.5, 0.9, 1, 1.4, -1, -0.5, -0.3, -0.1])
        made_up.dataset(file, "multiplier_re", np.stack([lead, 0 * lead], 1), ("point", "multiplier"))
        made_up.dataset(file, "multiplier_im", np.zeros((N, 2)), ("point", "multiplier"))
        file.attrs.update(content="saltus branch", free_parameters=free, curve=curve, title="a leg", layout=4)
        file.attrs["first_contact"] = "touchdown"


def write_orbit(path):
    """A foot that falls for a second, stops, and rests."""
    t = np.linspace(0, 2, 201)
    with h5py.File(path, "w") as file:
        text = h5py.string_dtype()
        made_up.coordinate(file, "t", t)
        made_up.coordinate(file, "event_t", np.array([1.0]))
        for name, values in {
            "zL": np.maximum(1 - t, 0), "vL": np.where(t < 1, -1.0, 0), "zU": 2 - t / 2, "vU": -0.5 + 0 * t,
        }.items():
            made_up.dataset(file, name, values, ("t",), units="m")
            made_up.dataset(file, "event_" + name, np.array([values[100]]), ("event_t",))
        made_up.dataset(file, "event_name", np.array(["touchdown"], dtype=text), ("event_t",))
        for name, value in {"m": 2.0, "mu": 0.75, "k": 4.0, "g": 10.0, "L0": 1.0}.items():
            file[name] = value
        file.attrs.update(content="saltus trajectory", model="hopping-leg", title="a leg", layout=4)


class Branch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "leg.h5")
        self.orbit = os.path.join(self.folder, "orbit.h5")

    def draw(self, *files):
        branches.work(types.SimpleNamespace(files=files, folder=self.folder))

    def refused(self, *files, says):
        with self.assertRaisesRegex(cubes.NotOurs, says):
            self.draw(*files)

    def test_stable_and_unstable_parts_meet_at_special_points(self):
        write_branch(self.path)
        flags = branches.stability(branches.open_branch(self.path))
        self.assertEqual(flags.tolist(), [True, True, True, False, False, True, True, True])
        self.assertEqual(list(branches.runs(flags)), [(0, 3, True), (3, 5, False), (5, 8, True)])

    def test_the_time_of_the_first_contact_is_the_one_that_counts(self):
        write_branch(self.path)
        data = branches.open_branch(self.path)
        times = branches.quantities(data)["times"]
        np.testing.assert_array_equal(times["open"], data["open_touchdown"])
        np.testing.assert_array_equal(times["open"] + times["closed"], data["period"])
        self.assertEqual(list(branches.quantities(data)["apex"]), ["zL", "zU"])

    def test_every_special_point_is_marked(self):
        write_branch(self.path)
        data = branches.open_branch(self.path)
        figure, axes = style.plt.subplots()
        branches.mark_special(axes, data, data["dG"].values, data["period"].values, names=True)
        self.assertEqual([t.get_text() for t in axes.texts], ["AD4", "LP2", "PD3"])
        self.assertEqual([tuple(line.get_xdata()) for line in axes.lines], [(-16.0,), (0.0,), (-4.0,)])
        style.plt.close(figure)

    def test_the_foot_loses_its_kinetic_energy_at_touchdown(self):
        write_orbit(self.orbit)
        orbit = cubes.open_group(self.orbit)
        self.assertEqual(branches.pairs(branches.states_of(orbit)), [("zL", "vL"), ("zU", "vU")])
        energy = branches.hopping_leg_energies(orbit)
        self.assertAlmostEqual(energy["kinetic, foot"][99], 0.25 * 1 * 2 / 2)
        self.assertEqual(energy["kinetic, foot"][100], 0)
        self.assertAlmostEqual(energy["all"][0], 0.4375 + 10 * (1.5 * 2 + 0.5 * 1) + 0)
        self.assertEqual(branches.phases(orbit), [(0, 100), (100, 201)])

    def test_pictures_are_written(self):
        write_branch(self.path)
        write_orbit(self.orbit)
        folds = os.path.join(self.folder, "folds.h5")
        write_branch(folds, "lp", "dG,dF")
        for path, name in ((self.path, "branch-leg"), (folds, "branch-folds"), (self.orbit, "orbit-orbit")):
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.draw(path)
            picture = os.path.join(self.folder, name + ".png")
            self.assertEqual(said.getvalue().strip(), picture)
            self.assertGreater(os.path.getsize(picture), 20000)

    def test_the_script_says_in_one_line_what_is_wrong(self):
        command = ["/usr/bin/python3", "-B", os.path.join(ANALYSIS, "branch.py"), "nix.h5", "-o", self.folder]
        done = subprocess.run(command, text=True, capture_output=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (2, "branch.py: nix.h5: no such file\n"))

    def page(self, *files, orbits=0):
        out = os.path.join(self.folder, "branch.html")
        with contextlib.redirect_stdout(io.StringIO()):
            branches.work(types.SimpleNamespace(files=files, folder=out, orbits=orbits))
        with open(out, encoding="utf-8") as file:
            return Page(file.read())

    def test_a_page_holds_the_branch(self):
        write_branch(self.path)
        with h5py.File(self.path, "a") as file:
            file.attrs.update(title='<script>alert("x")</script>', returns=1, solver="dop853", strategy="event", rtol=1e-12, atol=1e-12, max_step=0, model="hopping-leg")
        page = self.page(self.path)
        (branch,) = page.meta["branches"]
        np.testing.assert_allclose(branch["free"]["dG"], -(np.linspace(-3, 5, N) ** 2), rtol=1e-8)
        self.assertEqual(branch["stable"], branches.stability(branches.open_branch(self.path)).tolist())
        self.assertEqual((branch["kind"], page.meta["orbits"]), (TYPES, []))
        self.assertEqual(branch["quantities"]["apex_zU"][1], (np.linspace(-3, 5, N) + 5).tolist())
        self.assertNotIn("<script>alert", page.text)
        self.assertEqual([s.get("id") for s in page.scripts], ["meta", "numbers", None])

    def test_orbits_of_a_page_are_those_of_special_points_first(self):
        write_branch(self.path)
        data = branches.open_branch(self.path)
        self.assertEqual(branch_page.chosen([data], 3), [(0, 0), (0, 5), (0, 8)])
        self.assertEqual(branch_page.chosen([data], 6), [(0, 0), (0, 3), (0, 5), (0, 7), (0, 8)])
        self.assertEqual(len(branch_page.chosen([data, data], 100)), 2 * N)
        self.assertEqual(branch_page.chosen([data], 0), [])
        self.assertEqual([b for b, _ in branch_page.chosen([data, data], 4)], [0, 0, 1, 1])

    def test_a_page_that_would_be_too_large_has_fewer_orbits(self):
        write_branch(self.path)
        write_orbit(self.orbit)
        with h5py.File(self.path, "a") as file:
            file.attrs.update(returns=1, solver="dop853", strategy="event", rtol=1e-12, atol=1e-12, max_step=0, model="hopping-leg")
        orbits = {(0, i): trajectory.read(self.orbit) for i in range(8)} | {(0, 8): "no orbit was found from its state"}
        with unittest.mock.patch.object(branch_page, "orbits_of", lambda branches, most: orbits):
            whole = self.page(self.path, orbits=9)
            with unittest.mock.patch.object(branch_page, "MOST_BYTES", len(whole.text) - 1):
                half = self.page(self.path, orbits=9)
        self.assertEqual([o["point"] for o in whole.meta["orbits"]], [*range(8)])
        self.assertEqual([o["point"] for o in half.meta["orbits"]], [0, 2, 4, 6])
        self.assertIn("Point 9: no orbit was found from its state.", whole.text)
        self.assertIn("the orbits of 4 of them", half.text)
        one = whole.meta["orbits"][3]
        np.testing.assert_allclose(whole.numbers[one["from"] : one["from"] + one["n"]], trajectory.read(self.orbit).t, rtol=1e-6)

    def test_pages_that_cannot_be_made_are_refused(self):
        write_branch(self.path)
        write_orbit(self.orbit)
        with self.assertRaisesRegex(cubes.NotOurs, "analysis/motion.py makes the page of one"):
            self.page(self.orbit)
        with self.assertRaisesRegex(cubes.NotOurs, "--orbits: -1 is not allowed"):
            self.page(self.path, orbits=-1)
        with h5py.File(self.path, "a") as file:
            file.attrs.update(returns=1, solver="dop853", strategy="event", rtol=1e-12, atol=1e-12, max_step=0, model="hopping-leg")
        with self.assertRaisesRegex(cubes.NotOurs, "--orbits 0 does without"):
            self.page(self.path, orbits=2)

    def test_what_is_neither_is_refused(self):
        write_branch(self.path)
        write_orbit(self.orbit)
        other = os.path.join(self.folder, "cube.h5")
        made_up.write_cube(other)
        self.refused(other, says="neither a branch")
        self.refused(self.path, self.orbit, says="no branch of saltus")
        self.refused(self.orbit, self.path, says="one orbit at a time")


if __name__ == "__main__":
    unittest.main(verbosity=2)
