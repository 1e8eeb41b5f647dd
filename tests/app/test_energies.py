"""Models by energies: a hopper against one written by hand, its gait, and the document's example."""
import json
import math
import os
import pathlib

import numpy as np

import cli

MODELS = os.path.join(cli.SWEEPS, "models")

# The hopper of two-legged-hopper.yaml by its bodies: accelerations, touchdowns and liftoffs written by hand.
BY_HAND = """equations: 1
name: hopper-by-hand
time: s
parameters: {m: {preset: 60}, J: {preset: 4}, mf: {preset: 6}, d: {preset: 0.3}, k: {preset: 7500}, l0: {preset: 1}, c: {preset: 40}, F: {preset: 150}, g: {preset: 9.81}}
states:
  z: {preset: 1.1}
  ph: {preset: 0.1}
  z1: {preset: 0.12995002499583399}
  z2: {preset: 0.07004997500416604}
  vz: {preset: 0, rate_of: z}
  w: {preset: 0, rate_of: ph}
  s1: {preset: 0, rate_of: z1}
  s2: {preset: 0, rate_of: z2}
let:
  u1: vz + d * cos(ph) * w - s1
  u2: vz - d * cos(ph) * w - s2
  f1: (F if foot1 and long1 else 0) - c * u1 - k * (z + d * sin(ph) - z1 - l0)
  f2: (F if foot2 and long2 else 0) - c * u2 - k * (z - d * sin(ph) - z2 - l0)
  b1: vz + d * cos(ph) * w > 0
  b2: vz - d * cos(ph) * w > 0
  p1: (F if b1 else 0) - c * (vz + d * cos(ph) * w) - k * (z + d * sin(ph) - l0) + mf * g
  p2: (F if b2 else 0) - c * (vz - d * cos(ph) * w) - k * (z - d * sin(ph) - l0) + mf * g
  n1: (F if closing else 0) - c * u1 - k * (z + d * sin(ph) - z1 - l0) + mf * g
  n2: (F if closing else 0) - c * u2 - k * (z - d * sin(ph) - z2 - l0) + mf * g
contacts:
  foot1: {names: [touchdown-1, liftoff-1], gap: z1, release: f1 + mf * g, closes: {z1: 0, s1: 0}, opens: {z1: 0, s1: 0}, stays: p1 >= 0, sets: {long1: b1}}
  foot2: {names: [touchdown-2, liftoff-2], gap: z2, release: f2 + mf * g, closes: {z2: 0, s2: 0}, opens: {z2: 0, s2: 0}, stays: p2 >= 0, sets: {long2: b2}}
  long1: {names: [extension-1, compression-1], gap: -u1, kind: surface, sets: {foot1: foot1 and n1 >= 0}}
  long2: {names: [extension-2, compression-2], gap: -u2, kind: surface, sets: {foot2: foot2 and n2 >= 0}}
flow:
  z: vz
  ph: w
  z1: 0 if foot1 else s1
  z2: 0 if foot2 else s2
  vz: (f1 + f2) / m - g
  w: d * cos(ph) * (f1 - f2) / J
  s1: 0 if foot1 else -f1 / mf - g
  s2: 0 if foot2 else -f2 / mf - g
"""


class Mirrored(cli.InFolder):
    """A sledge on two points, thrown to the right and to the left, and with its points in the other order."""
    POINTS = {end: f"""  {end}: {{names: [{end} lands, {end} lifts], gap: z + ({way}) * s * sin(th) - 0.1 * cos(th), law: {{rigid: {{restitution: 0.5}}}},
    friction: {{names: [{end} sticks, {end} slides], along: x + ({way}) * 0.2 * cos(th) + s / 2 * sin(th), mu: 0.4}}}}
""" for end, way in (("rear", -1), ("front", 1))}

    def run_of(self, order, side):
        text = """equations: 1
name: mirrored
parameters: {s: {preset: 0.2, allowed: [-1, 1]}}
coordinates: {x: {preset: 0, rate: {name: v, preset: 2}}, z: {preset: 0.3, rate: w}, th: {preset: 0.1, rate: u}}
kinetic: (v^2 + w^2) / 2 + u^2 / 50
potential: 9.81 * z
contacts:
""" + "".join(self.POINTS[end] for end in order)
        if side < 0:
            text = text.replace("preset: 2", "preset: -2").replace("preset: 0.1,", "preset: -0.1,").replace("s * sin", "-s * sin").replace("s / 2", "-s / 2").replace("along: x", "along: -x")
        (self.folder / "m.yaml").write_text(text, encoding="utf-8")
        self.works("trajectory", "--model", "m.yaml", "--solver", "dop853", "--rtol", "1e-10", "--atol", "1e-10", "--t-end", 6, "-f", "-o", "m.csv")
        lines = [line.split(",") for line in (self.folder / "m.csv").read_text(encoding="utf-8").splitlines()]
        events = [(row[0], row[lines[0].index("event")].split(":")[0]) for row in lines[1:] if row[lines[0].index("event")]]
        return events, {name: float(value) for name, value in zip(lines[0][1:7], lines[-1][1:7])}

    def test_only_rounding_sees_sides_and_orders(self):
        events, end = self.run_of(("rear", "front"), 1)
        mirrored, mirror_end = self.run_of(("rear", "front"), -1)
        self.assertEqual(events, mirrored)
        self.assertEqual((mirror_end["x"], mirror_end["z"]), (-end["x"], end["z"]))
        others, other_end = self.run_of(("front", "rear"), 1)
        self.assertGreater(len(events), 100)
        self.assertEqual(events[:33], others[:33])  # the first chatter, up to the first event of both points
        self.assertLessEqual(abs(len(events) - len(others)), len(events) // 20)  # last flights of chatters
        for name, value in end.items():
            self.assertLess(abs(value - other_end[name]), 1e-13, name)


class Tumbler(cli.InFolder):
    def test_all_solvers_come_to_its_end(self):
        """Foot and tail bounce, stick and slide at once, off their surfaces by the errors of steps."""
        model = os.path.join(os.path.dirname(cli.SWEEPS), "tests", "data", "robots", "tumbler.yaml")
        known = (1.2616386244, -0.2618376756, -2.1866187040, 0.4532965137)  # by dop853 at 1e-9
        best = [("dop853", 1e-5), ("dop853", 1e-6), ("tsit5", 1e-4), ("tsit5", 1e-6), ("ode45", 1e-4), ("radau5", 1e-4)]
        others = "ode23 ode45 tsit5 ode113 ode15s ode23s ode23t ode23tb radau5 rosnys4 rosnysw2".split()
        for solver, rtol, most in ([(*each, 0.5 * each[1]**0.9) for each in best] + [("ode23s", 1e-6, 1e-4)]
                                   + [(each, rtol, 8 * rtol**0.85) for each in others for rtol in (1e-2, 1e-4) if (each, rtol) not in best]):
            with self.subTest(solver=solver, rtol=rtol):
                self.works("trajectory", "--model", model, "--solver", solver, "--rtol", rtol, "--atol", rtol, "-f", "-o", "t.csv")
                rows = [line.split(",") for line in (self.folder / "t.csv").read_text().splitlines()]
                np.testing.assert_allclose([float(word) for word in rows[-1][1:5]], known, rtol=0, atol=most)
                self.assertLess(sum(row[-1] != "" for row in rows[1:]), 100)  # errors of steps make no events of their own


class Block(cli.InFolder):
    def test_a_block_on_a_spring_sticks_where_it_stands(self):
        """Dry friction takes 2 mu m g / k off the amplitude in each half period, and holds the block where it stops within half of that."""
        start, m, k, mu, g = 1.2049201510208778, 0.6561841442271338, 22.148653617673745, 0.28007390944273375, 9.81
        (self.folder / "block.yaml").write_text(
            "equations: 1\nname: block\nspan: 10\nwatch: x\nparameters: {m: {preset: 1}, k: {preset: 40}, mu: {preset: 0.5}, g: {preset: 9.81}}\n"
            "coordinates: {x: {preset: 1, rate: v}, y: {preset: 0, rate: u}}\nkinetic: m / 2 * (v^2 + u^2)\npotential: k / 2 * x^2 + m * g * y\n"
            "contacts: {floor: {names: [lands, leaves], gap: y, law: {rigid: {restitution: 0}}, friction: {names: [sticks, slides], along: x, mu: mu}}}\n", encoding="utf-8")
        held = mu * m * g / k
        halves = math.ceil((start - held) / (2 * held))
        known = (-1) ** halves * (start - 2 * held * halves)
        for solver, rtol in (*((name, 1e-3) for name in ("ode113", "ode45", "ode23", "ode15s", "dop853", "radau5", "rosnys4")), ("ode23", 1e-2), ("ode113", 1e-6)):
            with self.subTest(solver=solver, rtol=rtol):
                self.works("trajectory", "--model", "block.yaml", "--solver", solver, "--rtol", rtol, "-p", f"m={m!r},k={k!r},mu={mu!r}",
                           "-i", f"x={start!r}", "-f", "-o", "t.csv")
                rows = [line.split(",") for line in (self.folder / "t.csv").read_text(encoding="utf-8").splitlines()]
                self.assertLess(abs(float(rows[-1][1]) - known), 20 * rtol)
                self.assertLess(sum(row[-1] != "" for row in rows[1:]), 2 * halves + 4)


class Energies(cli.InFolder):
    hopper = os.path.join(MODELS, "two-legged-hopper.yaml")

    def trajectory(self, model, start):
        self.works("trajectory", "--model", model, "--initial", start, "--solver", "dop853", "--rtol", "1e-12", "--t-end", "1.5", "--dt", "0.5", "-f", "-o", "c.csv")
        rows = [line.split(",") for line in (self.folder / "c.csv").read_text().splitlines()]
        at = [rows[0].index(name) for name in ("t", "z", "ph", "vz", "w")]
        return np.array([[float(row[i]) for i in at] for row in rows[1:]]), [row[-1] for row in rows[1:]]

    def test_a_hopper_by_energies_goes_as_one_written_by_hand(self):
        (self.folder / "hand.yaml").write_text(BY_HAND)
        by_energies, events = self.trajectory(self.hopper, "u1=-0.1,u2=0.2")
        by_hand, others = self.trajectory("hand.yaml", "s1=0.1,s2=-0.2")
        self.assertEqual(events, others)
        self.assertGreater(len([e for e in events if e.startswith(("touchdown", "liftoff"))]), 10)
        self.assertGreater(abs(by_hand[:, 2]).max(), 0.1)
        np.testing.assert_allclose(by_energies, by_hand, rtol=0, atol=2e-9)

    def test_it_has_a_stable_gait_whose_multipliers_are_had_in_two_ways(self):
        found = json.loads(self.works("orbit", "--model", self.hopper, "--json"))
        self.assertAlmostEqual(found["period"], 0.375131071582, places=9)
        first, third = found["multipliers"][0], found["multipliers"][2]
        self.assertAlmostEqual(first["re"], 0.079941559883, places=8)  # jumps of one contact after the other, by both ways
        self.assertAlmostEqual(abs(first["im"]), 0.719223039973, places=8)
        self.assertAlmostEqual(third["re"], 0.272926703059, places=8)
        # a landing moves positions onto the surface, by what the isolation of its time leaves: noise of differences
        pairs = zip(found["multipliers"], found["multipliers_by_differences"])
        for ours, theirs in pairs:
            self.assertAlmostEqual(math.hypot(ours["re"] - theirs["re"], ours["im"] - theirs["im"]), 0, delta=5e-6)

    def test_the_hopper_of_the_document_runs_and_passes(self):
        text = (pathlib.Path(MODELS) / "README.md").read_text()
        example = next(part for part in text.split("```") if "name: my-hopper" in part)
        (self.folder / "my.yaml").write_text(example.removeprefix("yaml"))
        self.assertNotIn("wrong", self.works("model", "check", "my.yaml"))

    def test_redundant_friction_on_scaled_gaps_is_noted(self):
        for scale in (1, 3):  # of the second foot's gaps
            (self.folder / "table.yaml").write_text(
                "equations: 1\nname: table\nspan: 0.1\ncoordinates: {x: {preset: 0, rate: {name: vx, preset: 1}}, z: {preset: 0.3, rate: vz}, a: {preset: 0, rate: w}}\n"
                "kinetic: (vx^2 + vz^2) / 2 + w^2 / 6\npotential: 9.81 * z\ncontacts:\n"
                "  f1: {names: [d1, u1], gap: z + sin(a), law: {rigid: {}}, friction: {names: [s1, g1], along: x + cos(a), mu: 0.3}}\n"
                f"  f2: {{names: [d2, u2], gap: {scale} * (z - sin(a)), law: {{rigid: {{}}}}, friction: {{names: [s2, g2], along: {scale} * (x - cos(a)), mu: 0.3}}}}\n")
            note = "friction at 2 contacts of 3 coordinates is redundant"
            self.assertEqual(note in self.works("model", "check", "table.yaml"), scale > 1)


# Up to 8 contacts are written out, more are solved for at run time.
ROW = """equations: 1
name: row-of-energies
span: 4
counts: {n: {preset: 16, range: [1, 64], allowed: [1, 512]}}
parameters: {e: {preset: 0.7, range: [0.3, 0.9], allowed: [0, 1]}}
coordinates: {x: {for: i in 1..n, preset: 0.5 + 0.02 * i / n, rate: v}}
kinetic: sum(i in 1..n, v(i)^2 / 2)
potential: sum(i in 1..n, x(i)^2 / 2) + sum(i in 1..n - 1, 0.1 * (x(i + 1) - x(i))^2)
forces: {x: {for: i in 1..n, is: cos(2 * t + 0.37 * i) - 0.1 * v(i)}}
contacts: {stop: {for: i in 1..n, names: [hit, leave], gap: x(i) + 0.1, law: {rigid: {restitution: e}}}}
watch: x
"""
SWEEP = """model: row.yaml
cells: {axes: [{name: n, list: [4, 16]}, {name: e, linear: [0.3, 0.9], points: 7}]}
solvers: [ode45, dop853]
strategies: [event]
rtol: [1e-4]
mesh: 0.2
t_end: 2
"""


class Many(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "row.yaml").write_text(ROW)

    def test_a_sweep_over_counts_on_both_sides_of_the_limit_is_the_same_on_ranks(self):
        (self.folder / "sweep.yaml").write_text(SWEEP)
        self.works("run", "sweep.yaml", "-q", "-o", "whole.h5")
        self.works("run", "sweep.yaml", "-q", "-o", "ranks.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "whole.h5", "ranks.h5"))
        advice = json.loads(self.works("recommend", "whole.h5", "--at", "n=16,e=0.6", "--error", "1e-3", "--json"))
        self.assertIn(advice["answer"]["solver"], ("ode45", "dop853"))

    def test_it_is_stepped_through_and_not_written_out(self):
        self.works("trajectory", "--model", "row.yaml", "--solver", "moreau", "--strategy", "capture", "--rtol", "1e-3", "-o", "t.csv")
        self.refused("export", "--model", "row.yaml", "--to", "scipy", says=("row-of-energies has more than 8 coordinates", "solved for at run time"))
        (self.folder / "row.yaml").write_text(ROW.replace("cos(2 * t + 0.37 * i)", "1 / (2 - t)^0.5"))
        lost = self.saltus("trajectory", "--model", "row.yaml", "--force", "-o", "t.csv")
        self.assertEqual(lost.returncode, 10)
        self.assertIn("forces: x(1)", lost.stderr)


cli.main()
