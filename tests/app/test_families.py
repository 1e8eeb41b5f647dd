"""Texts with counts of members: given by --param, fixed by a sweep, and as an axis, on ranks, killed and resumed."""
import json
import os
import pathlib

import h5py
import numpy as np

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
ROW = os.path.join(MODELS, "impact-row.yaml")
SWEEP = """model: %s
cells:
  axes:
    - {name: n, list: [5, 1, 2]}
    - {name: e, list: [0.5, 0.6, 0.7, 0.8]}
solvers: [ode45, ode15s]
strategies: [event]
rtol: [1e-3, 1e-5]
t_end: 3
mesh: 0.1
timing: {repeats: 0}
""" % ROW

STATES = """equations: 1
name: small-and-large
span: 5
counts:
  n: {what: states, preset: 2, range: [1, 4], allowed: [1, 4]}
parameters:
  c: {what: rate, preset: 1, range: [0.5, 2], allowed: [0, 10]}
states:
  x: {for: i in 1..n, what: state, preset: 1, range: [0, 1], allowed: [-1e3, 1e3]}
flow:
  x: {for: i in 1..n, is: (1e-4 + i - 1) * cos(3 * c * t) * x(i)}
watch: x(n)
"""


class Families(cli.InFolder):
    def end(self, *more):
        self.works("trajectory", "--model", ROW, "--solver", "dop853", "--rtol", "1e-10", "--t-end", "4", "--dt", "1", "-f", "-o", "row.csv", *more)
        rows = [line for line in (self.folder / "row.csv").read_text().splitlines() if not line.startswith("#")]
        return dict(zip(rows[0].split(","), rows[-1].split(",")))

    def test_a_count_by_param_makes_members(self):
        three, one = self.end("--param", "n=3"), self.end("--param", "n=3,kc=0")
        self.assertIn("x(3)", "".join(three))
        self.assertNotIn("x(4)", "".join(three))
        alone = self.end("--param", "n=1")
        name = next(key for key in alone if key.startswith("x(1)"))
        self.assertAlmostEqual(float(one[name]), float(self.end("--param", "n=1,kc=0")[name]), delta=0.05)
        self.refused("trajectory", "--model", ROW, "--param", "n=0", "-o", "no.csv", says=("n = 0 is out of range; allowed: from 1 to 512",))
        self.refused("trajectory", "--model", ROW, "--param", "n=2.5", "-o", "no.csv", says=("n = 2.5",))

    def test_checks_of_shipped_families_find_nothing(self):
        for name in ("beads", "gear-train", "soft-row", "soft-table"):
            with self.subTest(name=name):
                done = self.saltus("model", "check", os.path.join(MODELS, name + ".yaml"), "--t-end", "0.05", "--json")
                found = {v["question"]: v["verdict"] for v in json.loads(done.stdout)["verdicts"]}
                self.assertEqual((found["units"], found["parameters"], found["names"]), ("fine", "fine", "fine"), done.stdout)

    def test_a_file_of_cells_may_have_counts_beyond_the_preset(self):
        points = [[2, 0.5], [12, 0.6], [3, 0.7]]
        (self.folder / "cells.csv").write_text("n,e\n" + "".join(f"{n},{e}\n" for n, e in points))
        head, tail = SWEEP.split("cells:\n")[0], "solvers:" + SWEEP.split("solvers:")[1]
        found = []
        for name, cells in (("file", "cells: {file: cells.csv}\n"), ("rows", f"cells: {{columns: [n, e], rows: {points}}}\n")):
            (self.folder / f"{name}.yaml").write_text(head + cells + tail)
            self.works("run", f"{name}.yaml", "-o", f"{name}.h5", "-q", "--no-map")
            with h5py.File(self.folder / f"{name}.h5") as cube:
                found.append([cube[key][...] for key in ("rhs_evaluations", "events", "max_error")])
        for file, rows in zip(*found):
            np.testing.assert_array_equal(file, rows)
        self.assertGreater(found[0][1].min(), 0)

    def one_cell(self, cells, out="one.h5", watch="x(n)", more=""):
        (self.folder / "m.yaml").write_text(pathlib.Path(ROW).read_text().replace("watch: x\n", f"watch: {watch}\n"))
        tail = "solvers:" + SWEEP.split("solvers:")[1].replace("ode45, ode15s", "ode45").replace("[1e-3, 1e-5]", "[1e-3]")
        (self.folder / "s.yaml").write_text(f"model: m.yaml\ncells: {cells}\n{tail}{more}")
        self.works("run", "s.yaml", "-o", out, "-q", "-f", "--no-map")
        return {key: value[...] for key, value in h5py.File(self.folder / out).items() if isinstance(value, h5py.Dataset) and value.shape}

    def test_a_watched_family_has_the_mean_error_of_its_members(self):
        cells = "{axes: [{name: n, list: [3, 2]}, {name: e, list: [0.5, 0.7]}]}"
        mean = self.one_cell(cells, "mean.h5", "x")
        each = [self.one_cell(cells, watch=f"x({i})") for i in (1, 2, "n")]
        for n, members in ((3, each), (2, [each[0], each[2]])):
            at = mean["n"] == n
            for key in ("integral_absolute_error", "end_error"):
                all_members = [member[key][at] for member in members]
                np.testing.assert_allclose(mean[key][at], np.mean(all_members, axis=0), rtol=1e-12)
                self.assertGreater(np.ptp(all_members, axis=0).max(), 0)
            largest = [member["max_error"][at] for member in members]
            self.assertTrue((mean["max_error"][at] <= np.mean(largest, axis=0) * (1 + 1e-12)).all())
            self.assertTrue((mean["max_error"][at] >= np.max(largest, axis=0) / n).all())
        with h5py.File(self.folder / "mean.h5") as cube:
            self.assertEqual(cube.attrs["watched_state"], b"x")

    def test_starts_of_members_beyond_the_preset(self):
        """In a file, a table, an axis and `initial`; a member that a cell's model lacks is refused."""
        (self.folder / "cells.csv").write_text("n,x(12)\n12,0.3\n13,0.3\n")
        ways = ("{file: cells.csv}", "{columns: [n, x(12)], rows: [[12, 0.3], [13, 0.3]]}",
                "{axes: [{name: n, list: [12, 13]}, {name: x(12), list: [0.3]}]}")
        found = [self.one_cell(way) for way in ways] + [self.one_cell("{axes: [{name: n, list: [12, 13]}]}", more="initial: {x(12): 0.3}\n")]
        preset = self.one_cell("{axes: [{name: n, list: [12, 13]}]}")
        for key in ("rhs_evaluations", "end_error"):
            for other in found[1:]:
                np.testing.assert_array_equal(found[0][key].ravel(), other[key].ravel())
        self.assertTrue((found[0]["end_error"].ravel() != preset["end_error"].ravel()).all())
        for cells in ("{columns: [n, x(12)], rows: [[12, 0.3], [2, 0.5]]}", "{axes: [{name: n, list: [12, 2]}, {name: x(12), list: [0.5]}]}"):
            (self.folder / "s.yaml").write_text(f"model: m.yaml\ncells: {cells}\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n")
            self.refused("run", "s.yaml", "-o", "no.h5", says=("x(12) = 0.5 in a cell of n = 2, whose model has no such state",))

    def test_a_discrete_state_that_follows_from_the_initial_state(self):
        """A block on a belt on either side of the belt's speed: its sense is that of the slip, and a mirrored start has the mirrored run."""
        text = pathlib.Path(MODELS, "stick-slip-equations.yaml").read_text()
        (self.folder / "plain.yaml").write_text(text)
        (self.folder / "belt.yaml").write_text(text.replace("preset: -1, values: [-1, 1]", "preset: -1, values: [-1, 1], start: 1 if v > vb else -1"))
        sweep = "model: %s\ncells: {axes: [{name: vb, list: [0.2, -0.2]}, {name: v, list: [-0.5, 0.5]}]}\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-6]\nt_end: 5\n"
        found = {}
        for name in ("plain", "belt"):
            (self.folder / "s.yaml").write_text(sweep % (name + ".yaml"))
            self.works("run", "s.yaml", "-o", "s.h5", "-q", "-f", "--no-map")
            with h5py.File(self.folder / "s.h5") as cube:
                found[name] = {key: cube[key][...].reshape(2, 2) for key in ("outcome", "events", "steps", "end_error")}
        self.assertTrue((found["belt"]["outcome"] == 0).all())
        self.assertFalse((found["plain"]["outcome"] == 0).all())
        np.testing.assert_array_equal(found["belt"]["events"][0], found["belt"]["events"][1][::-1])
        self.works("trajectory", "--model", "belt.yaml", "--initial", "v=0.5", "--t-end", "0.1", "--dt", "0.1", "-f", "-o", "t.csv")
        first = [line for line in (self.folder / "t.csv").read_text().splitlines() if line.startswith("0,")][0]
        self.assertEqual(first.split(",")[3], "1")
        self.refused("trajectory", "--model", "belt.yaml", "--initial", "sense=1", "-o", "no.csv", says=("sense follows from the other initial states",))
        (self.folder / "s.yaml").write_text((sweep % "belt.yaml").replace("name: v, list: [-0.5, 0.5]", "name: sense, list: [-1, 1]"))
        self.refused("run", "s.yaml", "-o", "no.h5", says=("sense follows from the other initial states",))
        (self.folder / "s.yaml").write_text(sweep % "belt.yaml" + "initial: {sense: 1}\n")
        self.refused("run", "s.yaml", "-o", "no.h5", says=("s.yaml:7: initial: sense follows from the other initial states",))
        self.works("advise", "belt.yaml", "--at", "v=0.5", "--error", "1e-2", "--t-end", 1, "--cells", 24, "-q", "--keep", "kept.yaml")
        self.assertNotIn("sense", (self.folder / "kept.yaml").read_text())
        one = ("calibrate-eps", "--curve", "--model", "belt.yaml", "--strategy", "event", "--t-end", 1, "--points", 3, "--initial", "x=0,v=0.5", "-f", "--csv")
        for name, starts in (("one.csv", ()), ("drawn.csv", ("--starts", 3))):
            self.works(*one, name, *starts)
        errors = [[line.split(",")[:6] for line in (self.folder / name).read_text().splitlines()] for name in ("one.csv", "drawn.csv")]
        self.assertEqual(*errors)

    def test_events_of_members_have_their_numbers(self):
        self.works("trajectory", "--model", ROW, "--param", "n=3", "--t-end", "3", "--dt", "1", "-f", "-o", "e.csv")
        rows = (self.folder / "e.csv").read_text()
        for i in (1, 2, 3):
            self.assertIn(f"impact({i}):{i - 1}", rows)

    def test_cells_of_a_sweep_have_the_model_of_their_count(self):
        (self.folder / "row.yaml").write_text(SWEEP)
        self.works("run", "row.yaml", "-q", "-o", "row.h5")
        self.works("run", "row.yaml", "-q", "-o", "two.h5", ranks=2)
        self.works("diff", "row.h5", "two.h5")
        n_axis, e_axis = SWEEP.splitlines(True)[3:5]
        (self.folder / "inner.yaml").write_text(SWEEP.replace(n_axis + e_axis, e_axis + n_axis))
        self.works("run", "inner.yaml", "-q", "-o", "inner.h5")
        for n in (1, 2, 5):
            alone = SWEEP.replace("    - {name: n, list: [5, 1, 2]}\n", "") + "parameters: {n: %d}\n" % n
            (self.folder / "alone.yaml").write_text(alone)
            self.works("run", "alone.yaml", "-q", "-f", "-o", "alone.h5")
            for cube in ("row.h5", "inner.h5"):
                with h5py.File(self.folder / cube) as all_cells, h5py.File(self.folder / "alone.h5") as one:
                    at = all_cells["n"][:] == n
                    self.assertEqual(at.sum(), 4)
                    for name in ("events", "rhs_evaluations", "integral_absolute_error", "outcome"):
                        np.testing.assert_array_equal(all_cells[name][at], one[name][:], err_msg="%s, n = %d in %s" % (name, n, cube))
        answer = self.works("recommend", "row.h5", "--at", "n=2,e=0.5", "--error", "1e-2")
        self.assertIn("event", answer)

    def test_more_than_128_states(self):
        """Matrices of implicit solvers are bands, or too large; the largest eigenvalue of a row without contact is known."""
        wide = SWEEP.replace("[5, 1, 2]", "[2, 32, 80]").replace("[0.5, 0.6, 0.7, 0.8]", "[0.5, 0.8]")
        (self.folder / "wide.yaml").write_text(wide)
        self.works("run", "wide.yaml", "-q", "-o", "wide.h5")
        self.works("run", "wide.yaml", "-q", "-o", "two.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "wide.h5", "two.h5"))
        with h5py.File(self.folder / "wide.h5") as cube:
            at = cube["n"][:] == 80
            radius = cube["spectral_radius_trajectory"][:][at]
            jacobians, f = (cube[name][:][at][..., 1] for name in ("jacobians", "rhs_evaluations"))
            self.assertTrue((cube["outcome"][:] == 0).all())
        self.assertTrue((jacobians > 0).all() and (f < 160 * jacobians).all())
        largest = np.sqrt(1 + 0.8 * np.sin(79 * np.pi / 160) ** 2)
        np.testing.assert_allclose(radius, largest, rtol=0.015)

    def test_libraries_factorise_bands(self):
        """Implicit solvers of PETSc and SUNDIALS agree with dop853 at 132 states."""
        def end(solver, n):
            self.works("trajectory", "--model", ROW, "--param", "n=%d" % n, "--t-end", 1, "--dt", 1, "--rtol", "1e-6", "--solver", solver, "-f", "-o", "r.csv")
            return np.array((self.folder / "r.csv").read_text().splitlines()[-1].split(",")[1:2 * n + 1], float)

        right = end("dop853", 66)
        solvers = [line.split()[0] for line in self.works("list", "solvers").splitlines()
                   if line.startswith(("petsc-rosw-ra34pw2", "petsc-bdf", "sundials-cvode-bdf", "sundials-cvode-adams-newton", "sundials-dirk"))]
        for solver in solvers:
            worst = abs(end(solver, 66) - right).max()
            self.assertTrue(1e-9 < worst < 1e-3, (solver, worst))

    def test_a_full_jacobian_of_more_than_128_states_is_refused(self):
        text = pathlib.Path(ROW).read_text()
        (self.folder / "mean.yaml").write_text(text.replace("right(n): 0", 'right(n): "-0.01 * sum(i in 1..n, x(i))"').replace("left(1): 0", 'left(1): "-0.01 * sum(i in 1..n, x(i))"'))
        (self.folder / "wide.yaml").write_text(SWEEP.replace(ROW, "mean.yaml").replace("[5, 1, 2]", "[2, 80]"))
        self.refused("run", "wide.yaml", "-q", "-o", "wide.h5",
                     says=("method ode15s factorises full Jacobians of at most 128 states and bands of at most 64 on each side", "impact-row has more"))
        with (self.folder / "wide.yaml").open("a") as more:
            more.write("unsupported: leave-out\n")
        self.works("run", "wide.yaml", "-q", "-o", "wide.h5")
        with h5py.File(self.folder / "wide.h5") as cube:
            done = cube["outcome"][:] == 0
        self.assertTrue(done[..., 0].all() and not done[..., 1].any())

    def test_a_killed_sweep_goes_on_and_another_count_is_refused(self):
        (self.folder / "row.yaml").write_text(SWEEP.replace("list: [0.5, 0.6, 0.7, 0.8]", "linear: [0.5, 0.8], points: 120"))
        self.works("run", "row.yaml", "-q", "-o", "row.h5")
        self.kill_run("row.yaml", "killed.h5")
        self.works("run", "row.yaml", "-q", "-o", "killed.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "row.h5", "killed.h5"))
        fixed = (self.folder / "row.yaml").read_text().replace("    - {name: n, list: [5, 1, 2]}\n", "").replace("points: 120", "points: 600") + "parameters: {n: %d}\n"
        (self.folder / "five.yaml").write_text(fixed % 5)
        (self.folder / "six.yaml").write_text(fixed % 6)
        self.kill_run("five.yaml", "fixed.h5")
        other = self.saltus("run", "six.yaml", "-q", "-o", "fixed.h5")
        self.assertNotEqual(other.returncode, 0)
        self.assertIn("- parameters.n: 5", other.stderr)
        self.works("run", "five.yaml", "-q", "-o", "fixed.h5")

    def test_checks_regret_and_reuse_are_of_the_model_of_a_count(self):
        text = SWEEP.replace("list: [0.5, 0.6, 0.7, 0.8]", "linear: [0.5, 0.8], points: 8").replace("ode45, ode15s", "ode45")
        two = text.replace("    - {name: n, list: [5, 1, 2]}\n", "") + "parameters: {n: 2}\n"
        for name, sweep in (("row", text), ("two", two), ("six", text.replace("[5, 1, 2]", "[5, 1, 2, 6]"))):
            (self.folder / (name + ".yaml")).write_text(sweep)
            self.works("run", name + ".yaml", "-q", "-o", name + ".h5")
        checks = [json.loads(self.works("check", cube + ".h5", "--at", at, "--error", "1e-2", "--cells", "24", "--json"))
                  for cube, at in (("row", "n=2,e=0.6"), ("two", "e=0.6"))]
        self.assertEqual(checks[0]["run"]["rtol"], checks[1]["run"]["rtol"])
        self.assertGreater(checks[0]["difference"], 0)
        self.assertEqual(checks[0]["difference"], checks[1]["difference"])
        self.assertEqual(checks[0]["map"], {"hits": 24, "false_alarms": 0, "misses": 0, "unseen": 0})
        advised = self.works("regret", "row.h5", "--from", "two.h5", "--error", "1e-2", "-q").splitlines()
        self.assertEqual(len(advised), 1 + 8)
        self.refused("regret", "two.h5", "--from", "row.h5", "-q", says=("n is 5 at point 1, and 2 everywhere in two.h5",))
        (self.folder / "starts.yaml").write_text(text.replace("{name: e, linear: [0.5, 0.8]", "{name: v(1), linear: [0, 1]"))
        self.works("run", "starts.yaml", "-q", "-o", "starts.h5")
        self.refused("regret", "starts.h5", "--from", "two.h5", "-q", says=("two.h5: 4 states at most; starts.h5 varies v(1) and has 10",))
        for name, taken in (("six", 24), ("two", 8)):
            done = self.saltus("run", name + ".yaml", "-o", "taken.h5", "-f", "--from", "row.h5")
            self.assertIn("row.h5: %d of " % (2 * taken), done.stderr)
            self.assertIn("the same", self.works("diff", name + ".h5", "taken.h5"))

    def test_cells_are_checked_by_the_model_of_their_count(self):
        """One state hardly moves and the second does: errors of the two are not taken for each other's."""
        (self.folder / "m.yaml").write_text(STATES)
        (self.folder / "s.yaml").write_text(SWEEP.replace(ROW, "m.yaml").replace("[5, 1, 2]", "[2, 1]").replace("{name: e, list: [0.5, 0.6, 0.7, 0.8]}", "{name: c, linear: [0.5, 2], points: 8}")
                                            .replace("ode45, ode15s", "ode45").replace("[1e-3, 1e-5]", "[1e-2, 1e-3, 1e-4]").replace("t_end: 3", "t_end: 5"))
        self.works("run", "s.yaml", "-q", "-o", "s.h5")
        checks = json.loads(self.works("check", "s.h5", "--at", "n=1,c=1", "--error", "1e-5", "--cells", "16", "--json"))
        self.assertGreaterEqual(checks["map"]["hits"], 2)
        self.assertEqual(checks["map"]["false_alarms"], 0)

    def test_what_needs_the_same_states_is_refused(self):
        (self.folder / "row.yaml").write_text(SWEEP + "store: {trajectories: all, every: 0.5}\n")
        self.refused("run", "row.yaml", "-o", "no.h5", says=("store.trajectories: it needs the same states in all cells, and n varies",))
        (self.folder / "row.yaml").write_text(SWEEP)
        (self.folder / "x.txt").write_text((pathlib.Path(__file__).parent.parent / "data" / "recorded" / "solve_ivp_rk45.txt").read_text(encoding="utf-8"))
        self.refused("score", "row.yaml", "--recorded", "x=x.txt", "-o", "no.h5", says=("library recorded: it needs the same states in all cells, and n varies",))
        self.refused("score", "row.yaml", "--export", "tasks.yaml", says=("tasks need the same states in all cells, and n varies",))


cli.main()
