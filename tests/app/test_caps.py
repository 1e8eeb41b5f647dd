"""Capped sweeps as a user meets them: the winners of the sweep without caps, and answers that say what was stopped."""
import json
import os
import re
import subprocess

import h5py
import numpy as np

import cli

SWEEP = """
model: monopod
t_end: 11
mesh: 0.01
cells:
  axes:
    - {name: b, log: [550, 38000], points: 3}
    - {name: k, log: [2, 480], points: 2}
    - {name: f, log: [0.03, 0.3], points: 2}
solvers: [ode23, ode45, dop853, ode23s]
strategies: [switch, event]
rtol: [1e-3, 1e-5, 1e-7]
"""
CAP = ("--set", "cap={pacemakers: [dop853], error: 1e-4, factor: 1}")
ERRORS = ("1e-1", "1e-2", "1e-3", "1e-4")


class Caps(cli.InFolder):
    cubes = {}  # made once

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        if not self.cubes:
            self.works("run", "s.yaml", "-q", "-o", "full.h5")
            self.works("run", "s.yaml", "-q", "-o", "capped.h5", *CAP, ranks=2, threads=1)
            self.cubes.update((name, (self.folder / name).read_bytes()) for name in ("full.h5", "capped.h5"))
        for name, bytes_of in self.cubes.items():
            (self.folder / name).write_bytes(bytes_of)

    def winners(self, cube, *args):
        self.works("map", cube, "--error", ",".join(ERRORS), *args)
        with h5py.File(self.folder / cube) as file:
            found = {name: file["map"][name][()] for name in file["map"] if name.startswith("by_error_")}
            labels = cli.word(file["map/by_error_reason"].attrs["flag_meanings"]).split()
        return found, labels

    def test_winners_and_what_they_take_are_the_same(self):
        full, labels = self.winners("full.h5")
        capped, _ = self.winners("capped.h5")
        outworked = self.stopped("capped.h5")
        self.assertGreater(outworked, 40)
        self.assertEqual(self.stopped("full.h5"), 0)
        for name in ("best", "value"):
            np.testing.assert_array_equal(full["by_error_" + name], capped["by_error_" + name])
        self.assertGreater((full["by_error_best"] >= 0).sum(), 20)
        self.assertNotIn(labels.index("outworked"), capped["by_error_reason"])
        # a tighter error, another choice: known, or said not to be
        tight, labels = self.winners("capped.h5", "--solvers", "ode23s")
        whole, _ = self.winners("full.h5", "--solvers", "ode23s")
        unproven = tight["by_error_reason"] == labels.index("outworked")
        self.assertTrue(unproven.any())
        np.testing.assert_array_equal(tight["by_error_best"][~unproven], whole["by_error_best"][~unproven])

    def stopped(self, cube):
        return json.loads(self.works("info", cube, "--json"))["outcomes"].get("outworked", 0)

    def advice(self, cube, at, error):
        done = self.saltus("recommend", cube, "--json", "--at", at, "--error", error)
        return json.loads(done.stdout)

    def test_advice_is_nearly_the_same(self):
        """A run that was stopped is a miss to the reader, of one that would not have been the answer."""
        same = other = 0
        for error in ERRORS[1::2]:
            for at in ("b=550,k=2,f=0.03", "b=38000,k=480,f=0.3", "b=4000,k=30,f=0.1"):
                full, capped = (self.advice(cube, at, error) for cube in ("full.h5", "capped.h5"))
                best, stopped = full["answer"], capped["answer"]
                self.assertEqual(bool(best), bool(stopped))
                if best:
                    self.assertAlmostEqual(stopped["work"] / best["work"], 1, delta=0.5)
                if best and any(best[name] != stopped[name] for name in ("solver", "strategy")):
                    other += 1  # of a plane through all of twelve cells; no worse than by half
                else:
                    same += 1
        self.assertGreater(same, other)

    def by_points(self, cube, *args):
        """Winners [cell][weights][rtol], why, and what `saltus map` says."""
        weights = ("sd=2,iae=1", "sd=1", "dt=1", "iae=1", "sd=1,dt=1,iae=1")
        said = json.loads(self.works("map", cube, "--json", *args, *(word for w in weights for word in ("--weights", w)), ranks=2, threads=1))
        with h5py.File(self.folder / cube) as file:
            found = {name: file["map"][f"by_points_{name}"][()] for name in ("best", "value", "reason")}
            labels = cli.word(file["map/by_points_reason"].attrs["flag_meanings"]).split()
        return found, found["reason"] == labels.index("bounds"), found["reason"] == labels.index("outworked"), said

    def check_points(self, capped, full):
        """Who is said to win in spite of stopped runs wins in the cube without caps, and what is known there is the same."""
        self.assertIsNone(full[-1]["second_cube"])
        self.assertFalse(full[1].any() or full[2].any())
        found, sure, unknown, said = capped
        np.testing.assert_array_equal(found["best"][~unknown], full[0]["best"][~unknown])
        np.testing.assert_array_equal(found["value"][~unknown & ~sure], full[0]["value"][~unknown & ~sure])
        self.assertTrue((found["best"][unknown] == 0).all() and np.isnan(found["value"][sure]).all())
        self.assertTrue(unknown.any() and (found["best"][sure] > 0).all())
        self.assertIn("--set 'rtol=[", said["second_cube"]["commands"])
        return sure

    def test_winners_by_points_are_those_of_the_whole_sweep(self):
        by_order = ("--set", "cap={pacemakers: [dop853], order: tolerances, error: 1e-4, factor: 1, loosest: 3e-2}")
        self.works("run", "s.yaml", "-q", "-o", "order.h5", *by_order, "--no-map")
        with h5py.File(self.folder / "order.h5") as file:
            self.assertGreaterEqual(set(np.unique(file["outcome"][()])), {10, 14, 15})  # outworked, too inaccurate, not begun
        for scope in ("global", "per-cell"):
            full = self.by_points("full.h5", "--points", scope)
            for cube in ("capped.h5", "order.h5"):
                sure = self.check_points(self.by_points(cube, "--points", scope), full)
                self.assertGreater(sure.sum(), 20, (cube, scope))

    def test_points_come_from_a_second_cube(self):
        """By the commands that are printed, for a tolerance of the capped cube; where no run was stopped they are there at once."""
        at = ("--at", "b=4000,k=30,f=0.1", "--rtol", "1e-5", "--weights", "sd=2,iae=1", "--json")
        self.refused("recommend", "capped.h5", *at, says=("capped.h5: points at rtol 1e-05 are not known", "minutes of one core"))
        refused = self.saltus("recommend", "capped.h5", *at).stderr
        commands = refused.split(" of one core: ")[1].strip()
        self.assertIn("'rtol=[1e-05]'", commands)
        path = {"PATH": f"{os.path.dirname(os.path.abspath(cli.SALTUS))}:{os.environ['PATH']}"}
        subprocess.run(["sh", "-c", commands], cwd=self.folder, env=os.environ | path, check=True, capture_output=True)
        self.assertGreater(len(json.loads(self.works("recommend", "capped-whole.h5", *at))["ranking"]), 4)
        second, points = (self.by_points(cube)[0]["value"] for cube in ("capped-whole.h5", "full.h5"))
        np.testing.assert_array_equal(second[:, :, 0], points[:, :, 1])
        with h5py.File(self.folder / "capped.h5") as cube, h5py.File(self.folder / "full.h5") as full:
            seconds, work, whole = cube["cell_seconds"][()].sum(), cube["rhs_evaluations"][()].sum(), full["rhs_evaluations"][()][:, 1].sum()
            minutes = float(re.search("about ([^ ]+) minutes", refused)[1])
            self.assertTrue(0.6 < 60 * minutes / (seconds * whole / work) < 1.7, (minutes, seconds, whole / work))
            gone = cube["outcome"][()] == 10
            self.assertTrue(np.isnan(cube["points_rhs_evaluations"][()][gone]).all())
            self.assertNotIn("by_points_best", cube["map"])
            self.assertTrue((full["rhs_evaluations"][()][~gone] == cube["rhs_evaluations"][()][~gone]).all())
        # where no run of a tolerance was stopped its points are there
        self.works("run", "s.yaml", "-q", "-o", "some.h5", "--set", "cap={pacemakers: [dop853], error: 1e-4, factor: 4}")
        with h5py.File(self.folder / "some.h5") as some:
            stopped = (some["outcome"][()] == 10).sum(axis=(0, 2, 3))
            self.assertTrue(stopped[0] == 0 and stopped[2] > 0 and "by_points_best" in some["map"])
        np.testing.assert_array_equal(self.by_points("some.h5")[0]["value"][:, :, 0], points[:, :, 0])
        loose = [word if word != "1e-5" else "1e-3" for word in at]
        self.assertGreater(len(json.loads(self.works("recommend", "some.h5", *loose))["ranking"]), 4)
        self.refused("recommend", "some.h5", *at, says=("points at rtol 1e-05 are not known",))

    def test_a_run_without_caps_is_another_one(self):
        self.works("run", "s.yaml", "-q", "-o", "off.h5", *CAP, "--set", "cap={}")
        self.assertIn("the same", self.works("diff", "full.h5", "off.h5"))
        self.works("store", "capped.h5", "--cells", "1")


if __name__ == "__main__":
    cli.main()
