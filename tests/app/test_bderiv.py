"""Output, files and error messages of `saltus bderiv`."""
import csv
import math
import re

import cli

AFFINE3 = ("bderiv", "--model", "affine3", "--t-end", 0.5)
PLATE = ("bderiv", "--model", "plate", "--initial", "th=0", "--t-end", 1)
HOPPER = ("bderiv", "--model", "hopper1d", "--direction", "z=1", "--t-end", 2)


class Derivative(cli.InFolder):
    def rows(self, *args):
        self.works(*args, "--csv", "out.csv", "--force")
        with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def test_decay_has_its_exponential(self):
        row, = self.rows("bderiv", "--model", "decay", "--t-end", 2, "--direction", "y=-3")
        self.assertEqual(row["from_y"], -3)
        self.assertAlmostEqual(row["to_y"], -3 * math.exp(-2), delta=1e-11)

    def test_events_are_listed_with_their_contacts(self):
        text = self.works(*AFFINE3, "--direction", "x=1,z=0.1")
        found = [(float(t), int(k)) for t, k in re.findall(r"(?m)^ +(0\.\d+)  (\d)$", text)]
        self.assertEqual([k for _, k in found], [1, 2, 0])
        for (t, _), truth in zip(found, (0.209588078334644671, 0.262364264467491052, 0.369207153821750016)):
            self.assertAlmostEqual(t, truth, delta=1e-9)

    def test_the_table_shows_what_the_csv_holds(self):
        args = (*AFFINE3, "--direction", "x=1,z=0.1")
        row, = self.rows(*args)
        text = self.works(*args)
        for name, start in (("x", 1), ("y", 0), ("z", 0.1)):
            self.assertEqual(row["from_" + name], start)
            self.assertRegex(text, rf"(?m)^{name} +{re.escape(f'{start:.10g}')} +{re.escape('%.10g' % row['to_' + name])}$")
        self.assertAlmostEqual(row["to_z"], 0.1569163919, delta=1e-9)

    def test_the_matrix_holds_every_state_in_both_senses(self):
        rows = self.rows(*AFFINE3, "--matrix")
        self.assertEqual(len(rows), 6)
        for i, row in enumerate(rows):
            self.assertEqual([row["from_" + name] for name in "xyz"],
                             [(1 if i < 3 else -1) * (i % 3 == k) for k in range(3)])
        one, = self.rows(*AFFINE3, "--direction", "x=2,y=-1")
        for name in "xyz":
            self.assertAlmostEqual(one["to_" + name], 2 * rows[0]["to_" + name] + rows[4]["to_" + name], delta=1e-12)

    def test_contacts_that_close_together_stand_in_the_order_of_the_direction(self):
        for sign, order in ((1, "0 1 2 3 4 5 6 7 8 9"), (-1, "9 8 7 6 5 4 3 2 1 0")):
            text = self.works(*PLATE, "--direction", f"th={sign}")
            self.assertEqual(len(re.findall(rf"(?m)^ +0\.\d+  {order}$", text)), 2, text)

    def test_a_level_landing_is_linear_and_says_so(self):
        text = self.works(*PLATE, "--matrix")
        self.assertRegex(text, r"The map is linear: antisymmetry defect \S+, superposition defect \S+\.\n")
        self.assertIn("no two contacts change together", self.works(*AFFINE3, "--matrix"))

    def test_the_method_may_be_another_one(self):
        a, = self.rows(*HOPPER)
        b, = self.rows(*HOPPER, "--solver", "ode15s", "--rtol", 1e-8)
        self.assertAlmostEqual(a["to_v"], b["to_v"], delta=1e-4 * abs(a["to_v"]))
        self.assertNotEqual(a["to_v"], b["to_v"])


class Refusals(cli.InFolder):
    def test_what_is_no_direction(self):
        for text, says in {"q=1": ("unknown state 'q'", "allowed: z, v"), "z=0": ("not a direction",),
                           "z=up": ("'up' is not a number",), "z": ("NAME=VALUE",), "z=nan": ("not a number",)}.items():
            self.refused("bderiv", "--model", "hopper1d", "--direction", text, says=("--direction", *says))

    def test_one_thing_is_asked_at_a_time(self):
        self.refused("bderiv", says=("--direction NAME=VALUE,.. or --matrix is required",))
        self.refused("bderiv", "--matrix", "--direction", "z=1", says=("not both",))

    def test_only_event_locates_events(self):
        for name in ("switch", "ess", "ess2"):
            self.refused(*HOPPER, "--strategy", name, says=("--strategy", name, "allowed: event"))

    def test_models_from_files(self):
        leg, pendulum = (f"{cli.SWEEPS}/models/{name}.yaml" for name in ("hopping-leg-dae", "double-pendulum-cartesian"))
        text = self.works("bderiv", "--model", leg, "--t-end", 0.5, "--direction", "hip_z=1")
        self.assertIn("11.2429733", text)  # hip_vz, after a touchdown and a release
        self.refused("bderiv", "--model", pendulum, "--matrix", says=("chooses its coordinates anew",))

    def test_trajectories_without_a_derivative(self):
        for says, args in {
            "at the start": ("affine3", "--initial", "x=0", "--t-end", "1"),
            "at the end": ("affine3", "--t-end", "0.369207153821750016"),
            "infinitely many impacts": ("bouncing-ball", "--t-end", "10"),
            "ended early, at t = ": ("plate", "--param", "K=1e9,n=3,C=0", "--t-end", "50"),
            "is grazed at t = ": ("hopper1d", "--initial", "z=0.901899999999995", "--t-end", 0.4),
        }.items():
            self.refused("bderiv", "--model", *args, "--matrix", "--csv", "out.csv", says=("no B-derivative", says))

    def test_a_file_that_exists_is_kept(self):
        (self.folder / "out.csv").write_text("mine")
        self.refused(*HOPPER, "--csv", "out.csv", says=("out.csv", "--force"), code=3)
        self.refused(*HOPPER, "--csv", "missing/out.csv", says=("missing/out.csv",), code=4)


cli.main()
