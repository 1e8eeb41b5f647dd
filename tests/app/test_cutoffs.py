"""Sweeps with cutoffs: the winners of the sweep without cutoffs, and answers that report which runs were stopped."""
import json

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
CAP = ("--set", "cutoff={baselines: [dop853], error: 1e-4, factor: 1}")
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
        over_cutoff = self.stopped("capped.h5")
        self.assertGreater(over_cutoff, 40)
        self.assertEqual(self.stopped("full.h5"), 0)
        for name in ("best", "value"):
            np.testing.assert_array_equal(full["by_error_" + name], capped["by_error_" + name])
        self.assertGreater((full["by_error_best"] >= 0).sum(), 20)
        self.assertNotIn(labels.index("over_cutoff"), capped["by_error_reason"])
        # a tighter error, another choice: known, or said not to be
        tight, labels = self.winners("capped.h5", "--solvers", "ode23s")
        whole, _ = self.winners("full.h5", "--solvers", "ode23s")
        unproven = tight["by_error_reason"] == labels.index("over_cutoff")
        self.assertTrue(unproven.any())
        np.testing.assert_array_equal(tight["by_error_best"][~unproven], whole["by_error_best"][~unproven])

    def stopped(self, cube):
        return json.loads(self.works("info", cube, "--json"))["outcomes"].get("over_cutoff", 0)

    def advice(self, cube, at, error):
        done = self.saltus("recommend", cube, "--json", "--at", at, "--error", error)
        return json.loads(done.stdout)

    def test_advice_is_nearly_the_same(self):
        """A run that was stopped is a miss to the surrogate, of one that would not have been the answer."""
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

    def test_a_sweep_with_caps_has_no_points(self):
        """Whichever of its runs were stopped; the message explains how to get points, and without cutoffs they are there."""
        at = ("--at", "b=4000,k=30,f=0.1", "--rtol", "1e-3", "--weights", "sd=2,iae=1")
        says = ("capped.h5: has no points, which compare whole runs", "--set 'cutoff={}' --set 'pilots={}'")
        for args in (("recommend", *at), ("map", "--weights", "sd=1")):
            self.refused(args[0], "capped.h5", *args[1:], says=says)
        with h5py.File(self.folder / "capped.h5") as capped, h5py.File(self.folder / "full.h5") as full:
            self.assertTrue("by_points_best" in full["map"] and "by_points_best" not in capped["map"])
            self.assertTrue((full["map/by_points_best"][()] > 0).any())
            gone = capped["outcome"][()] == 10
            self.assertTrue(np.isnan(capped["points_rhs_evaluations"][()][gone]).all())
            self.assertTrue((full["rhs_evaluations"][()][~gone] == capped["rhs_evaluations"][()][~gone]).all())
        self.assertGreater(len(json.loads(self.works("recommend", "full.h5", "--json", *at))["ranking"]), 4)

    def test_a_run_without_caps_is_another_one(self):
        self.works("run", "s.yaml", "-q", "-o", "off.h5", *CAP, "--set", "cutoff={}")
        self.assertIn("the same", self.works("diff", "full.h5", "off.h5"))
        self.works("store", "capped.h5", "--cells", "1")


if __name__ == "__main__":
    cli.main()
