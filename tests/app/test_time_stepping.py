"""Sweeps with time stepping: refused questions, and maps beside event-driven configurations."""
import csv
import importlib.util
import json
import re
import subprocess
import unittest

import h5py
import numpy as np

import cli

SWEEP = """
model: {model}
t_end: 2
mesh: 0.01
cells: {{axes: [{{name: e, list: [0.5, 0.7]}}]}}
solvers: [ode45, moreau]
strategies: [event, capture]
unsupported: leave-out
rtol: {rtol}
{more}
"""


BALL = """
equations: 1
name: ball
watch: v
parameters: {e: {preset: 0.7, range: [0, 1]}}
coordinates: {z: {preset: 1, rate: v}}
kinetic: v^2 / 2
potential: 10 * z
contacts: {floor: {names: [impact, lift], gap: z, law: {rigid: {restitution: e}}}}
"""
BOX = """
equations: 1
name: box
coordinates:
  x: {preset: 0, rate: {name: vx, preset: 2}}
  z: {preset: 0.05, rate: vz}
  th: {preset: 0.02, rate: w}
kinetic: (vx^2 + vz^2) / 2 + w^2 / 6
potential: 10 * z
contacts:
  l: {names: [a, b], gap: z - sin(th), law: {rigid: {restitution: 0.3}}, friction: {names: [c, d], along: x - cos(th), mu: 0.25}}
  r: {names: [e, f], gap: z + sin(th), law: {rigid: {restitution: 0.3}}, friction: {names: [g, h], along: x + cos(th), mu: 0.25}}
"""
SPATIAL = """
name: box
gravity: [0, 0, -10]
parameters: {mu: {preset: 0.25, range: [0, 1]}}
independent: [b_x, b_y, b_z, b_e1, b_e2, b_e3]
bodies:
  - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], position: [0, 0, 0.3], velocity: [1, 1, 0]}
contacts:
  - {name: foot, bodies: [ground, b], normal: [0, 0, 1], radius: 0.2, law: {rigid: {}}, friction: {mu: mu}}
"""
PAD = """
equations: 1
name: pad
coordinates: {x: {preset: 0.5, rate: {name: v, preset: 3}}}
kinetic: 2 * v^2 / 2
potential: 20 * x
contacts: {pad: {names: [touch, leave], gap: x, law: {compliant: {k: 800, c: 30}}}}
"""
SICONOS = importlib.util.find_spec("siconos") is not None


class TimeStepping(cli.InFolder):
    def sweep(self, more="", rtol="[1e-2, 1e-3]", model="bouncing-ball"):
        (self.folder / "ball.yaml").write_text(BALL, encoding="utf-8")
        (self.folder / "s.yaml").write_text(SWEEP.format(more=more, rtol=rtol, model=model), encoding="utf-8")

    def test_questions_that_it_cannot_answer(self):
        for model, more, rtol, says in (
                ("ball.yaml", "", "[1e-2]", ("map.by: max_error", "velocity", "integral_absolute_error")),
                ("shaking-table", "orbit: {find: [cycles]}\nmap: {by: multiplier_error}", "[1e-2]", ("map.by: multiplier_error", "no flow")),
                ("bouncing-ball", "", "[1e-9, 1e-8]", ("method moreau", "10000000 steps")),
                ("bouncing-ball", "max_step: 1e-9", "[1e-2]", ("method moreau", "max_step", "10000000 steps"))):
            self.sweep(more, rtol, model)
            self.refused("run", "s.yaml", "-q", "-o", "no.h5", says=("s.yaml", *says))
        self.refused("trajectory", "--model", "bouncing-ball", "--solver", "moreau", "--strategy", "capture", "--rtol", "1e-9", "-o", "no.csv",
                     says=("method moreau", "10000000 steps"))
        (self.folder / "timed.yaml").write_text(BALL.replace("{floor:", "{tick: {names: [t1, t2], gap: 2 - z, kind: surface}, floor:"), encoding="utf-8")
        for model in ("monopod", "timed.yaml"):  # one without contacts with laws, one whose states change at exact times
            self.refused("trajectory", "--model", model, "--solver", "moreau-implicit", "--strategy", "capture", "-o", "no.csv",
                         says=("method moreau-implicit needs mass, forces and rigid contacts",))

    def test_friction_in_space_is_for_time_stepping_alone(self):
        (self.folder / "box.yaml").write_text(SPATIAL, encoding="utf-8")
        (self.folder / "s.yaml").write_text("model: box.yaml\nt_end: 1\ncells: {axes: [{name: mu, list: [0.2, 0.3]}]}\nsolvers: [moreau]\n"
                                            "strategies: [capture]\nrtol: [1e-2]\n", encoding="utf-8")
        run = ("trajectory", "--model", "box.yaml", "--t-end", "1", "--force", "-o", "box.csv")
        self.refused(*run, "--solver", "ode45", "--strategy", "event", says=("model box", "friction in space", "ode45"))
        self.refused("run", "s.yaml", "-q", "-o", "no.h5", says=("s.yaml", "reference", "friction in space"))
        self.works(*run, "--solver", "moreau", "--strategy", "capture", "--rtol", "1e-2")
        self.assertTrue((self.folder / "box.csv").exists())

    def test_a_map_of_both_schools(self):
        self.sweep("map: {by: integral_absolute_error}")
        self.works("run", "s.yaml", "-q", "-o", "c.h5")
        self.refused("map", "c.h5", "--by", "multiplier_error", says=("c.h5",))
        with h5py.File(self.folder / "c.h5") as file:
            self.assertGreater(np.nanmax(file["penetration"][()]), 0)
            self.assertLess(np.nanmax(file["penetration"][()]), 0.1)
            self.assertTrue(np.isfinite(file["integral_absolute_error"][()]).sum() >= 8, "two cells, tolerances and schools")
        self.works("map", "c.h5", "--error", "1e-1")

    def heights(self, rtol):
        """Heights of the ball of e = 0.5 at the mesh."""
        self.works("trajectory", "--model", "ball.yaml", "--param", "e=0.5", "--solver", "moreau", "--strategy", "capture", "--rtol", rtol, "--t-end", 2,
                   "--dt", "0.01", "--force", "-o", "z.csv")
        rows = csv.DictReader(line for line in (self.folder / "z.csv").read_text(encoding="utf-8").splitlines() if line[0] != "#")
        found = {round(100 * float(row["t"])): float(row["z"]) for row in rows if row["z"] and abs(100 * float(row["t"]) % 1 - 0.5) > 0.4999}
        return np.array([found[k] for k in range(201)])

    def test_cells_whose_reference_has_no_end_are_captured(self):
        self.sweep("map: {by: integral_absolute_error}\nbudget: {work: 2000}", "[1e-1, 3e-2]", "ball.yaml")
        (self.folder / "ball.yaml").write_text(BALL.replace("watch: v", "watch: z"), encoding="utf-8")
        text = (self.folder / "s.yaml").read_text(encoding="utf-8")
        (self.folder / "s.yaml").write_text(text.replace("list: [0.5, 0.7]", "linear: [0.3, 0.8], points: 151"), encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "c.h5")
        with h5py.File(self.folder / "c.h5") as file:
            apart, end, error = (file[name][()] for name in ("captured_difference", "reference_outcome", "integral_absolute_error"))
        self.assertTrue(0 < np.isfinite(apart).sum() < 151, "some cells have a reference")
        np.testing.assert_array_equal(np.isnan(apart), end == 0)
        self.assertTrue(np.isnan(error[np.isfinite(apart)]).all(), "no run is scored by it")
        self.assertAlmostEqual(apart[60] / np.abs(self.heights("0.1") - self.heights("0.03")).mean(), 1, delta=1e-9)
        self.refused("recommend", "c.h5", "--at", "e=0.4", "--error", "0.1", says=("c.h5", "not known; captured: two runs of time stepping differ by 0.059"))
        self.assertIn("captured_difference", self.works("info", "c.h5"))
        self.assertIn(f"captured: in {np.isfinite(apart).sum()} cells without a reference two runs of time stepping differ by {np.nanmin(apart):.2g}",
                      self.works("map", "c.h5"))
        shares = json.loads(self.works("raster", "c.h5", "--error", "0.1", "--size", "16x1", "--json", "-o", "r.h5"))
        with h5py.File(self.folder / "r.h5") as file:
            reason = np.array(["", *cli.word(file.attrs["reasons"]).split()])[file["reason_number"][()].ravel()]
            solved = file["solver_number"][()].ravel() > 0
        self.assertEqual(shares["captured"], (reason == "captured").sum())
        self.assertTrue(8 < shares["captured"] < 13 and reason[1] == "captured" and solved[-1], reason)
        told = json.loads(self.works("map", "c.h5", "--json"))["captured"]
        self.assertEqual((told["cells"], told["least"], told["most"]), (np.isfinite(apart).sum(), np.nanmin(apart), np.nanmax(apart)))

    def test_steps_that_pass_through_a_compliant_contact(self):
        (self.folder / "pad.yaml").write_text(PAD, encoding="utf-8")
        run = ("trajectory", "--model", "pad.yaml", "--strategy", "capture", "--t-end", "1", "--force", "-o", "pad.csv", "--solver")
        done = self.saltus(*run, "moreau", "--rtol", "0.0102")
        self.assertNotEqual(done.returncode, 0)
        for word in ("0.2 sqrt(m/k)", "contact 0 (touch)", "allowed: rtol of at most 0.01,"):
            self.assertIn(word, done.stderr)
        self.works(*run, "moreau", "--rtol", "0.00999")
        self.works(*run, "moreau-implicit", "--rtol", "0.0102")

    def test_a_killed_sweep_goes_on_by_any_ranks(self):
        self.sweep("map: {by: integral_absolute_error}")
        text = (self.folder / "s.yaml").read_text(encoding="utf-8").replace("list: [0.5, 0.7]", "linear: [0.3, 0.9], points: 100")
        (self.folder / "s.yaml").write_text(text.replace("[ode45, moreau]", "[ode45, moreau, moreau-implicit]"), encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "whole.h5")
        for ranks in (1, 2):
            self.kill_run("s.yaml", f"{ranks}.h5")
            self.works("run", "s.yaml", "-q", "-o", f"{ranks}.h5", ranks=ranks)
            self.assertIn("the same", self.works("diff", "whole.h5", f"{ranks}.h5"))
        with h5py.File(self.folder / "2.h5") as file:
            self.assertGreater(np.nanmax(file["contact_rows"][()]), 0)

    def test_a_recommendation_in_siconos(self):
        self.sweep("map: {by: integral_absolute_error}", "[1e-1, 3e-2, 1e-2]", "ball.yaml")
        (self.folder / "ball.yaml").write_text(BALL.replace("watch: v", "watch: z"), encoding="utf-8")
        text = (self.folder / "s.yaml").read_text(encoding="utf-8")
        (self.folder / "s.yaml").write_text(text.replace("list: [0.5, 0.7]", "linear: [0.3, 0.8], points: 12"), encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "c.h5")
        answer = json.loads(self.works("recommend", "c.h5", "--at", "e=0.6", "--error", "0.3", "--in", "siconos", "--json"))
        best = answer["answer"]
        self.assertEqual((best["solver"], best["strategy"], answer["in"]), ("moreau", "capture", "siconos"))
        self.assertIn("MoreauJeanOSI", answer["call"])
        words = answer["export"].replace("FILE.yaml", "ball.yaml").split()
        self.assertEqual(words[:4], ["saltus", "export", "--to", "siconos"])
        script, rtol = self.works(*words[1:]), best["rtol"]
        self.refused(*(word if word != "moreau" else "moreau-implicit" for word in words[1:]), says=("moreau-implicit",))
        self.refused("advise", "ball.yaml", "--error", "1e-2", "--in", "siconos", says=("siconos: it has time stepping alone",))
        self.works("regret", "c.h5", "--error", "0.1", "--points", 1, "-r", 1, "-o", "points.h5", "-q")
        with h5py.File(self.folder / "points.h5") as file:
            np.testing.assert_allclose(np.diff(np.log10(file["rtol"][()])), -1 / 8, atol=0.01)  # eighths of a decade
        if not SICONOS:
            return
        (self.folder / "run.py").write_text(script, encoding="utf-8")
        done = subprocess.run(["/usr/bin/python3", "run.py"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.works("trajectory", "--model", "ball.yaml", "--param", "e=0.6", "--solver", "moreau", "--strategy", "capture", "--rtol", rtol, "--t-end", 2,
                   "--dt", 2, "--force", "-o", "own.csv")
        rows = list(csv.DictReader(line for line in (self.folder / "own.csv").read_text(encoding="utf-8").splitlines() if line[0] != "#"))
        theirs = dict(re.findall(r"^(\w+) = (\S+)$", done.stdout, re.M))
        self.assertAlmostEqual(float(theirs["z"]), float(rows[-1]["z"]), delta=1e-8)

    @unittest.skipUnless(SICONOS, "python3-siconos is not on every machine")
    def test_siconos_agrees(self):
        self.sweep()
        (self.folder / "box.yaml").write_text(BOX, encoding="utf-8")
        for model in ("ball.yaml", "box.yaml"):
            run = ("--model", model, "--solver", "moreau", "--strategy", "capture", "--rtol", "1e-3", "--t-end", "1")
            (self.folder / "run.py").write_text(self.works("export", "--to", "siconos", *run), encoding="utf-8")
            done = subprocess.run(["/usr/bin/python3", "run.py"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            theirs = dict(re.findall(r"^(\w+) = (\S+)$", done.stdout, re.M))
            self.works("trajectory", *run, "--dt", "1", "--force", "-o", "own.csv")
            rows = list(csv.DictReader(line for line in (self.folder / "own.csv").read_text(encoding="utf-8").splitlines() if line[0] != "#"))
            self.assertGreaterEqual(len(theirs), 2)
            for name, value in theirs.items():
                self.assertAlmostEqual(float(value), float(rows[-1][name]), delta=1e-8)


cli.main()
