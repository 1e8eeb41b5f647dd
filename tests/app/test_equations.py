"""Models from equations: the bits of the program's own in trajectories and cubes, cubes without the file, and wrong texts."""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import h5py
import numpy as np

import cli

MODELS = os.path.join(cli.SWEEPS, "models")
NAMES = ("monopod", "vibro-impact", "stick-slip", "slip", "shaking-table", "hopping-leg")
SOLVERS = ("ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "dop853", "radau5", "rosnys4", "rosnysw2", "tsit5")
STRATEGIES = ("switch", "event", "ess", "ess2", "ess-listing1")
SWEEP = """title: hoppers
model: MODEL
cells: {axes: [{name: m1, list: [1.88, 4, 9]}, {name: k, list: [10, 22.8]}]}
t_end: 8
solvers: [ode45, radau5, ode23s]
strategies: [event, switch, ess]
rtol: [1.0e-3, 1.0e-5]
mesh: 0.01
"""
LOST = """equations: 1
name: lost
span: 3
parameters: {a: {preset: 3}}
let: {c: C}
contacts:
  floor: {names: [lands, leaves], gap: GAP, release: HOLDS, closes: {x: 0, v: JUMP}}
states: {x: {preset: 1}, v: {preset: 0, rate_of: x}}
tables: {steps: {rows: [[-1, 0], [1, 1]]}}
flow:
  x: 0 if floor else v
  v: 0 if floor else FLOW
"""


class Equations(cli.InFolder):
    def file_of(self, name):
        return os.path.join(MODELS, f"{name}-equations.yaml")

    def compare(self, pairs):
        """How many trajectories of these pairs of the six models ran; the others are refused alike."""
        done = 0
        for name in NAMES:
            for solver, strategy in pairs:
                ran = [self.saltus("trajectory", "--model", model, "--solver", solver, "--strategy", strategy, "--dt", "0.1", "--t-end", "5",
                                   "--force", "-o", out) for model, out in ((name, "a.csv"), (self.file_of(name), "b.csv"))]
                self.assertEqual(ran[0].returncode, ran[1].returncode, (name, solver, strategy, ran[1].stderr))
                if ran[0].returncode == 0:
                    rows = [(self.folder / f).read_bytes() for f in ("a.csv", "b.csv")]
                    self.assertGreater(len(rows[0]), 1000)
                    self.assertEqual(rows[0], rows[1], (name, solver, strategy))
                    done += 1
        return done

    def test_trajectories_have_the_bits_of_the_models_of_the_program(self):
        some = [(solver, "event") for solver in ("ode45", "ode15s", "radau5", "rosnys4")] + [("ode45", strategy) for strategy in STRATEGIES if strategy != "event"]
        self.assertGreater(self.compare(some), 25)

    def all_pairs_have_those_bits(self):
        """Nightly: app.equations_all."""
        self.assertGreater(self.compare([(solver, strategy) for solver in SOLVERS for strategy in STRATEGIES]), 190)

    def run_sweep(self, model, out, *pairs, **more):
        (self.folder / "s.yaml").write_text(SWEEP.replace("MODEL", model))
        self.works("run", "s.yaml", "-q", "-o", out, *cli.sets(*pairs), **more)

    def test_cubes_do_too_at_every_width_and_number_of_ranks(self):
        shutil.copy(self.file_of("monopod"), self.folder / "own.yaml")
        self.run_sweep("monopod", "built.h5")
        self.run_sweep("own.yaml", "own.h5")
        self.run_sweep("own.yaml", "narrow.h5", "width=1")
        self.run_sweep("own.yaml", "wide.h5", "width=4", ranks=2, threads=2)
        self.run_sweep("own.yaml", "widest.h5", "width=8", ranks=1)
        os.remove(self.folder / "own.yaml")
        for other in ("narrow.h5", "wide.h5", "widest.h5"):
            self.assertIn("the same", self.works("diff", "own.h5", other))
        told = []
        with h5py.File(self.folder / "built.h5") as a, h5py.File(self.folder / "own.h5") as b:
            self.assertEqual(cli.datasets(a), cli.datasets(b))
            self.assertIn("equations: 1", cli.word(b.attrs["sweep"]))
            for name in cli.datasets(a):
                if cli.word(a[name].attrs.get("kind")) not in ("timing", "checksum") and a[name][()].tobytes() != b[name][()].tobytes():
                    told.append(name)
                    np.testing.assert_allclose(a[name][()], b[name][()], rtol=1e-10)
        # Results from Jacobians differ: the program adds up their terms in another order than the hand-written code.
        self.assertEqual([name for name in told if not name.startswith(("spectral_radius", "stiffness_ratio"))], [])
        self.assertIn("vertical hopper", self.works("info", "own.h5"))
        self.assertIn("ode45", self.works("tables", "own.h5"))

    def test_a_killed_run_goes_on_with_the_same_text_alone(self):
        path = self.folder / "own.yaml"
        shutil.copy(self.file_of("monopod"), path)
        good = path.read_text()
        many = cli.sets("cells.axes=[{name: b, linear: [1000, 2000], points: 700}]", "width=1", "solvers=[ode45]", "rtol=[1e-5]", "strategies=[event]")
        (self.folder / "s.yaml").write_text(SWEEP.replace("MODEL", "own.yaml"))
        begun = ["run", "s.yaml", "-q", *many, "--sync", "0.1", "-o"]
        self.works(*begun, "whole.h5", ranks=2)
        run = subprocess.Popen([cli.SALTUS, *begun, "a.h5", "--status", "status", "--every", "0.02"], cwd=self.folder,
                               env=dict(os.environ, OMP_NUM_THREADS="1"), stdin=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        status = self.folder / "status"
        self.assertTrue(cli.wait_until(lambda: status.exists() and any(
            json.loads(line)["done"] > 0 for line in status.read_text().splitlines() if line.endswith("}")), run))
        run.kill()
        run.wait()
        path.write_text(good.replace("- ground", "- 2 * ground"))
        refused = self.saltus(*begun, "a.h5")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("is of another sweep or program", refused.stderr)
        self.assertIn("- model.", refused.stderr)
        path.write_text(good)
        self.works(*begun, "a.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "whole.h5", "a.h5"))

    def test_a_block_rocks_as_its_closed_form(self):
        """From rest at th0 it falls onto its other corner after acosh(1 / (1 - th0 / al)) / p, and keeps r of its rate."""
        path = self.folder / "slim.yaml"
        text = pathlib.Path(os.path.join(MODELS, "rocking-block.yaml")).read_text(encoding="utf-8")
        path.write_text(text)
        self.works("trajectory", "--model", "slim.yaml", "-p", "A=0,al=0.01,r=0.8", "--initial", "th=0.005", "--solver", "dop853", "--rtol", "1e-10",
                   "--strategy", "event", "--t-end", "3", "--dt", "3", "-o", "t.csv")
        rows = [line.split(",") for line in (self.folder / "t.csv").read_text().splitlines()]
        hits = [[float(x) for x in row[:4]] for row in rows[1:] if row[-1] == "impact:0"]
        p, al, th0, r = 2, 0.01, 0.005, 0.8
        first = math.acosh(1 / (1 - th0 / al)) / p
        self.assertAlmostEqual(hits[0][0], first, delta=1e-4 * first)
        self.assertEqual([hit[3] for hit in hits[:4]], [-1, 1, -1, 1])
        self.assertAlmostEqual(hits[1][2] / hits[0][2], -r, delta=1e-6)
        top = 1 - math.sqrt(1 - r * r * (1 - (1 - th0 / al)**2))  # of the next swing, over al
        self.assertAlmostEqual(hits[1][0], first + 2 * math.acosh(1 / (1 - top)) / p, delta=2e-4 * first)

    def test_a_damper_lets_go_before_its_gap_opens(self):
        """z'' = -z - 2 a z' from z = 0, z' = -1: the force is 0 where tan(b t) = 2 a b / (a^2 - b^2), b^2 = 1 - a^2, and z < 0 there."""
        a, b = 0.2, math.sqrt(0.96)
        t = (math.pi - math.atan2(2 * a * b, b * b - a * a)) / b
        z, v = (-math.exp(-a * t) / b * x for x in (math.sin(b * t), b * math.cos(b * t) - a * math.sin(b * t)))
        self.assertTrue(z < -0.2 and v > 0.5)
        for holds in ("push", "push if pad else 0"):
            (self.folder / "pad.yaml").write_text(f"""
equations: 1
name: soft-landing
span: 6
states: {{z: {{preset: 0.5}}, v: {{preset: -1, rate_of: z}}}}
let: {{push: -z - 0.4 * v}}
contacts: {{pad: {{names: [lands, lets-go], kind: compliant, gap: z, release: "{holds}"}}}}
flow: {{z: v, v: push if pad else 0}}
""", encoding="utf-8")
            for solver in ("ode45", "dop853", "radau5", "ode15s"):
                for strategy in ("event", "switch"):
                    with self.subTest(holds=holds, solver=solver, strategy=strategy):
                        self.works("trajectory", "-m", "pad.yaml", "--solver", solver, "--strategy", strategy, "--rtol", 1e-9, "-f", "-o", "t.csv")
                        rows = list(csv.DictReader((self.folder / "t.csv").read_text(encoding="utf-8").splitlines()))
                        self.assertAlmostEqual(float(rows[-1]["v"]), v, delta=1e-6)
                        self.assertAlmostEqual(float(rows[-1]["z"]), z + v * (5.5 - t), delta=1e-5)
                        if strategy == "event":
                            let_go = [float(row["t"]) for row in rows if row["event"].startswith("lets-go")]
                            self.assertEqual(len(let_go), 1)
                            self.assertAlmostEqual(let_go[0], 0.5 + t, delta=1e-6)

    def test_the_example_of_the_documents_runs(self):
        text = pathlib.Path(os.path.join(MODELS, "README.md")).read_text(encoding="utf-8")
        (self.folder / "my.yaml").write_text(text.split("```yaml\n")[1].split("```")[0])
        self.works("trajectory", "--model", "my.yaml", "--strategy", "event", "-o", "t.csv")
        self.assertIn("impact:0", (self.folder / "t.csv").read_text())

    def test_what_is_wrong_is_said_with_file_and_line(self):
        path = self.folder / "own.yaml"
        good = pathlib.Path(self.file_of("monopod")).read_text(encoding="utf-8")
        at = next(i for i, line in enumerate(good.split("\n")) if line.startswith("  v1: c * damped"))
        path.write_text(good.replace("  v1: c * damped", "  v1: c * dampd"))
        (self.folder / "s.yaml").write_text(SWEEP.replace("MODEL", "own.yaml"))
        self.refused("plan", "s.yaml", says=(f"own.yaml:{at + 1}: flow: v1: unknown name 'dampd'; did you mean 'damped'?",))
        path.write_bytes(good.encode().replace(b"damped", b"dam\0ped"))
        self.refused("plan", "s.yaml", says=("own.yaml", "NUL"), code=2)

    def test_a_value_that_is_not_finite_is_named_with_its_place(self):
        """Time and state by free fall from 1; the line of the expression; `model check` prints it, too."""
        fine = {"C": "a", "GAP": "x", "JUMP": "-v / 2", "FLOW": "-1", "HOLDS": "1"}
        for changed, value, t, place in (
                ({"FLOW": "-1 + 0 * sqrt(x - 0.5)"}, "v' is nan", 1, "12: flow: v: sqrt(-"),
                ({"FLOW": "-1 + 0 * c", "C": "sqrt(a)"}, "v' is nan", 0, "5: c: sqrt(-3)"),
                ({"FLOW": "-1 + 0 * steps(log(x - 0.5))"}, "v' is nan", 1, "12: flow: v: log(-"),
                ({"FLOW": "-1 + (t - t) / max(0, x - 0.5)"}, "v' is nan", 1, "12: flow: v: div(0, 0)"),
                ({"GAP": "x + 0 * asin(1.75 - x)"}, "the gap of contact 0 (lands) is nan", 0.5 ** 0.5, "7: floor: asin(1.0000000"),
                ({"JUMP": "0 * log(v)"}, "the jump of contact 0 (lands) makes v nan", 2 ** 0.5, "7: floor: closes: v: log(-1.4"),
                ({"HOLDS": "sqrt(1.5 - t)", "JUMP": "0"}, "the gap of the closed contact 0 (lands) is nan", 1.5, "7: release: sqrt(-")):
            text = LOST
            for word, expression in (fine | changed).items():
                text = text.replace(word, expression)
            (self.folder / "lost.yaml").write_text(text)
            run = self.saltus("trajectory", "--model", "lost.yaml", "--param", "a=-3", "--dt", "0.1", "--compile", "never", "--force", "-o", "o.csv")
            self.assertEqual(run.returncode, 10, run.stderr)
            self.assertIn(f"; {value} at t = ", run.stderr)
            self.assertIn(f"; lost.yaml:{place}", run.stderr)
            found = [float(re.search(word + r" = ([-\d.e]+)", run.stderr.split(value)[1])[1]) for word in ("at t", " x", " v")]
            self.assertAlmostEqual(found[0], t, 6)
            self.assertAlmostEqual(found[1], 0 if t > 1.42 else 1 - t * t / 2, 6)
            self.assertAlmostEqual(found[2], 0 if t > 1.42 else -t, 6)
            check = self.saltus("model", "check", "lost.yaml", "--param", "a=-3")
            self.assertEqual(check.returncode, 14, check.stderr)
            self.assertIn(f"; {value} at t = ", check.stdout)
            self.assertIn(f"lost.yaml:{place}", check.stdout)

    def test_a_mass_that_vanishes_is_named_by_its_coordinate(self):
        """M(y) y'^2 stays, so M = 1 - y is 0 at t = 2/3, its square at 1/2, and .88 - x(12) of 12 coordinates at .88 2/3."""
        one = "{preset: 0, rate: u}, y: {preset: 0, rate: v}"
        many = "{for: i in 1..12, preset: 0, rate: v}"
        for coordinates, kinetic, name, at, t in (
                (one, "u^2 / 2 + (1 - y) / 2 * v^2", "y", "v", 2 / 3),
                (one, "u^2 / 2 + (1 - y)^2 / 2 * v^2", "y", "v", 1 / 2),
                (many, "sum(i in 1..12, (1 - x(i) - i / 100) / 2 * v(i)^2)", "x(12)", "v(12)", .88 * 2 / 3)):
            (self.folder / "bead.yaml").write_text(f"equations: 1\nname: bead\ncoordinates: {{x: {coordinates}}}\nkinetic: {kinetic}\npotential: 0\n")
            for solver in ("ode45", "ode15s", "dop853"):
                run = self.saltus("trajectory", "--model", "bead.yaml", "--solver", solver, "--initial", f"{at}=1", "--compile", "never", "-f", "-o", "o.csv")
                self.assertEqual(run.returncode, 10, run.stderr)
                self.assertIn(f"the mass of {name}, what moves with coordinates before it taken off, has come from ", run.stderr)
                self.assertAlmostEqual(float(re.search(r" at t = ([\d.e-]+)", run.stderr.split("the mass of")[1])[1]), t, 4)

    def test_a_surface_that_both_sides_lead_back_to_is_named(self):
        """Two levels that valves drive towards each other, and friction by sign: `friction` is what both need."""
        head = "equations: 1\nname: chatters\nspan: 2\n"
        (self.folder / "levels.yaml").write_text(head + """states: {a: {preset: 1}, b: {preset: 0.4}}
contacts: {valve: {names: [shuts, opens], gap: a - b}}
flow: {a: "1 if valve else -2", b: "-1 if valve else 1"}
""")
        run = self.saltus("trajectory", "--model", "levels.yaml", "-o", "o.csv")
        self.assertEqual(run.returncode, 10, run.stderr)
        self.assertIn("the slope of b leaps between -1 and 1 on a surface that both sides lead back to", run.stderr)
        self.assertIn("kind friction", run.stderr)
        (self.folder / "sign.yaml").write_text(head + "states: {x: {preset: 0}, v: {preset: 3, rate_of: x}}\nflow: {x: v, v: -4 * sign(v) - x}\n")
        for solver in ("ode45", "dop853"):
            run = self.saltus("trajectory", "--model", "sign.yaml", "--solver", solver, "-f", "-o", "o.csv")
            self.assertEqual(run.returncode, 10, run.stderr)
            self.assertRegex(run.stderr, "the slope of v leaps between -5 and 3 on .* kind friction")
        self.refused("advise", "sign.yaml", "--error", "1e-3", says=("runs get no further at t = 0.65", "the slope of v leaps between", "kind friction"))
        self.assertRegex(self.saltus("model", "check", "sign.yaml").stdout, r"(?s)of kind friction where both sides lead to it.*\nwrong  run .*the slope of v leaps between")

    def test_lists_and_orbits_take_the_file(self):
        self.assertIn("ground damping", self.works("list", "models", self.file_of("monopod")))
        here = self.works("orbit", "--model", self.file_of("hopping-leg"), "--json")
        there = self.works("orbit", "--model", "hopping-leg", "--json")
        self.assertEqual(here.replace("hopping-leg-text", "hopping-leg").count("\n"), there.count("\n"))

    def test_a_discrete_state_has_the_values_that_are_listed(self):
        block = os.path.join(MODELS, "rocking-block.yaml")
        self.refused("trajectory", "-m", block, "--initial", "side=0", "--dt", "1", "-o", "x.csv", says=("side = 0; allowed: -1, 1",))
        sweep = f"model: {block}\ncells: {{axes: [{{name: side, CHOSEN}}]}}\nt_end: 1\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-4]\n"
        (self.folder / "s.yaml").write_text(sweep.replace("CHOSEN", "list: [-1, 0, 1]"))
        self.refused("plan", "s.yaml", says=("cell 2 with side = 0: side = 0; allowed: -1, 1",))
        (self.folder / "s.yaml").write_text(sweep.replace("CHOSEN", "list: [-1, 1]"))
        self.works("run", "s.yaml", "-q", "-o", "x.h5")


class Tables(cli.InFolder):
    def setUp(self):
        super().setUp()
        for name in ("rocking-block-recorded.yaml", "ground-motion.csv"):
            shutil.copy(os.path.join(MODELS, name), self.folder)
        (self.folder / "s.yaml").write_text("model: rocking-block-recorded.yaml\ncells: {axes: [{name: A, list: [1.2, 2]}, {name: p, list: [1.5, 3]}]}\n"
                                            "t_end: 4\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1.0e-4]\nmesh: 0.01\n")

    def test_a_cube_holds_its_tables(self):
        self.works("run", "s.yaml", "-q", "-o", "a.h5")
        self.works("run", "s.yaml", "-q", "-o", "b.h5", *cli.sets("width=1"), ranks=2)
        motion = (self.folder / "ground-motion.csv").read_text()
        os.remove(self.folder / "ground-motion.csv")
        os.remove(self.folder / "rocking-block-recorded.yaml")
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
        with h5py.File(self.folder / "a.h5") as cube:
            kept = cli.word(cube.attrs["sweep"])
        self.assertIn("file: ground-motion.csv", kept)
        self.assertIn("table_rows: # of the files", kept)
        self.assertEqual(kept.count("- ["), len(motion.splitlines()) - 2)
        self.works("store", "a.h5", "--cells", "1", "--every", "1")
        self.works("map", "a.h5")

    def test_another_table_is_another_model(self):
        self.works("trajectory", "-m", "rocking-block-recorded.yaml", "--dt", "1", "-o", "one.csv")
        one = (self.folder / "one.csv").read_text()
        motion = self.folder / "ground-motion.csv"
        self.works("run", "s.yaml", "-q", "-o", "a.h5", "--part", "1/2")
        motion.write_text(motion.read_text().replace("1.50,", "1.51,"))
        self.works("trajectory", "-m", "rocking-block-recorded.yaml", "--dt", "1", "-f", "-o", "two.csv")
        self.assertNotEqual(one, (self.folder / "two.csv").read_text())
        done = self.saltus("run", "s.yaml", "-q", "-o", "a.h5", "--part", "1/2")
        self.assertEqual(done.returncode, 3)
        self.assertIn("is of another sweep", done.stderr)
        self.assertIn("+ model.", done.stderr)

    def test_files_of_other_programs_are_the_same_table(self):
        def rows(text):
            (self.folder / "ground-motion.csv").write_text(text)
            self.works("trajectory", "-m", "rocking-block-recorded.yaml", "--dt", "1", "-f", "-o", "x.csv")
            return (self.folder / "x.csv").read_text()

        plain = rows("t,a\n0,1\n1,-2\n3,0\n")
        for text in ("\ufefft,a\r\n0,1\r\n1,-2\r\n3,0\r\n", '"n";"a";"t"\n7;1;0\n;-2;1\n;0;3\n', "# by hand\n t  a\n\n 0\t1 # first\n1 -2\n3 0",
                     "a (g), t, a,\n9, 0, 1,\n9, 1, -2,\n9, 3, 0,\n"):
            self.assertEqual(rows(text), plain, text)
        self.assertNotEqual(rows("t,a\n0,1\n1,-2\n3,1\n"), plain)

    def test_wrong_files_are_refused_with_their_line(self):
        for text, says in (("t,a\n0,1\n", "1 row; a table has at least 2"), ("t,b\n0,1\n1,2\n", ":1: none of its 2 columns is called 'a'"),
                           ("t,a\n0,1\nx,2\n", ":3: column 1 is not a number"), ("t,a\n0,1\n1\n", ":3: 1 column; the first line has 2"),
                           ("0,1\n1,2\n", ":1: the first line has to name its columns"), ("t,a\n0,nan\n1,2\n", ":2: column 2 is not a number"),
                           ("t,a\n0,1\n0,2\n", "motion.csv:3: 0 after 0; the first numbers of the rows have to rise"),
                           ("t,a\n0,,1\n1,2,3\n", ":2: 3 columns; the first line has 2"), ("t,b,a\n0,1,\n", ":2: column 3 is not a number"),
                           ("t;a\n0;1,5\n", ":2: column 2 is not a number"), ("t,a,t\n0,1,5\n", ":1: two columns are called 't'"),
                           ("t,a\nO,1\n1,2\n", ":2: column 1 is not a number"),
                           ("t,a\n0,1e308\n1e-9,2\n", "yaml:15: table ground: from 0 to 1e-09 it is too steep for doubles")):
            (self.folder / "ground-motion.csv").write_text(text)
            self.refused("trajectory", "-m", "rocking-block-recorded.yaml", "--dt", "1", "-o", "x.csv", says=(says,))
        os.remove(self.folder / "ground-motion.csv")
        self.refused("trajectory", "-m", "rocking-block-recorded.yaml", "--dt", "1", "-o", "x.csv", says=("rocking-block-recorded.yaml:", "table ", "ground-motion.csv: cannot be read"), code=4)


cli.main()
