"""saltus model: texts to begin with, and what can be said of a model without knowing what it is for."""
import json
import pathlib

import cli

ROBOTS = pathlib.Path(__file__).resolve().parents[1] / "data" / "robots"

KINDS = ("hopper", "oscillator", "friction", "slip", "bodies")
# A runner that does not fall; a contact that is a constraint, and one of the program's own.
NOTED = {"slip": {"run"}, "bodies": {"joints", "run"}}
OF_TEXTS = ["names", "units", "kinks"]
OF_BODIES = ["joints"]
QUESTIONS = ["start", "slopes", "Jacobian", "rates", "jumps", "parameters", "run", "solvers"]
FLAW = 14
BALL = """\
equations: 1
name: my-ball
time: s
span: 2
parameters: {g: {unit: m/s^2, preset: 9.81, range: [9, 10]}, e: {unit: 1, preset: RESTITUTION}}
states: {y: {unit: m, preset: 1, range: [0.1, 2]}, v: {unit: m/s, preset: 0, range: [-2, 2], rate_of: y}}
contacts: {floor: {names: [impact, leaves], gap: y, closes: {y: 0, v: 0 if rests else -e * v}, stays: rests}}
flow: {y: 0 if floor else v, v: 0 if floor else -g}
mechanical: v^2 / 2 + g * y
"""


# Places of a text where a parameter may be used, put in for WHERE; nothing else depends on c.
USES = {"a gap": ("gap: y", "gap: y - c"), "a jump": ("v: 0 if rests else -e * v", "v: 0 if rests else -e * v + c"),
        "what holds": ("gap: y,", "gap: y, release: g - c,"), "rest": ("mechanical", "equilibrium: {y: c, v: 0}\nmechanical"),
        "the flow while it is closed": ("v: 0 if floor else -g", "v: c if floor else -g"),
        "what stays": ("stays: rests", "stays: rests or v > -c")}
# A law that pushes only in contact, where no drawn state is; and a contact that no run reaches.
SOFT = """\
equations: 1
name: soft-ground
span: 1
parameters: {k: {preset: 1e6, range: [1e5, 1e7]}, wall: {preset: 1e4, range: [1e3, 1e5]}}
states: {z: {preset: 0.5}, v: {preset: 0, rate_of: z}}
contacts:
  floor: {names: [hit, off], gap: z, kind: compliant}
  roof: {names: [bumps, drops], gap: 3 - z, kind: compliant}
flow: {z: v, v: "(max(0, -k * z - 50 * v) if floor else 0) - (max(0, wall * (z - 3)) if roof else 0) - 9.81"}
"""
# Gaps that time drives FAST times a second, and one that time drives slowly and the states fast.
CLOCK = """\
equations: 1
name: clock
span: 200 / FAST
parameters: {F: {preset: FAST, range: [0.5 * FAST, 2 * FAST]}}
states: {x: {preset: 0, range: [-1, 1]}}
discrete: {on: {preset: 1, values: [0, 1]}}
contacts: {clock: {names: [tick, tock], gap: sin(2 * pi * F * t + 0.5) + x / 4, kind: surface, closes: {on: 0}, opens: {on: 1}}}
flow: {x: on - x}
longest_step: 0.1 / F
"""
NEURONS = """\
equations: 1
name: cascade
span: 20
states: {a: {preset: 0.1, range: [0, 0.2]}, b: {preset: 0.5, range: [0.4, 0.6]}}
contacts:
  fa: {names: [fires, none], gap: 1 - a, closes: {a: 0, b: b + 0.1}, stays: false}
  fb: {names: [fires-b, none-b], gap: 1 - b, closes: {b: 0, a: a + 0.1}, stays: false}
flow: {a: 1.3 - a, b: 1.3 - b}
"""


CRADLE = """\
equations: 1
name: cradle
IMPACTS
span: 1
coordinates: {x: {preset: -1, rate: {name: u, preset: 1}}, y: {preset: 0, rate: v}, z: {preset: 0, rate: w}, q: {preset: 0, rate: r}}
kinetic: (u^2 + v^2 + w^2 + r^2) / 2
potential: (x^2 + y^2 + z^2 + q^2) / 2
contacts:
  a: {names: [a, a-opens], gap: y - x, law: {rigid: {restitution: 1}}}
  b: {names: [b, b-opens], gap: z - y, law: {rigid: {restitution: 1}}}
  c: {names: [c, c-opens], gap: q - z, law: {rigid: {restitution: 1}}}
"""


class Model(cli.InFolder):
    def new(self, kind, *changes):
        text = self.works("model", "new", kind)
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        (self.folder / "mine.yaml").write_text(text, encoding="utf-8")
        return text

    def check(self, model="mine.yaml", code=0):
        done = self.saltus("model", "check", model, "--json")
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        verdicts = json.loads(done.stdout)["verdicts"]
        asked = list(dict.fromkeys(v["question"] for v in verdicts))
        self.assertIn(asked, (QUESTIONS, OF_TEXTS + QUESTIONS, OF_BODIES + QUESTIONS))
        return {v["question"]: (v["verdict"], v["found"]) for v in verdicts}

    def test_texts_to_begin_with_run_and_nothing_is_wrong(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                text = self.new(kind)
                self.assertGreater(text.count("#"), 5)
                found = self.check()
                self.assertEqual({question for question, (verdict, _) in found.items() if verdict != "fine"}, NOTED.get(kind, set()))
                self.assertNotIn("wrong", {verdict for verdict, _ in found.values()})
                self.works("trajectory", "--model", "mine.yaml", "--strategy", "event", "-f", "-o", "t.csv")

    def test_how_bodies_are_solved_is_told(self):
        vehicle = cli.SWEEPS + "/models/vehicle-dof10.yaml"
        self.new("bodies")
        self.assertRegex(self.check()["joints"][1], "all joints at once: it has contacts")
        done = self.saltus("model", "check", vehicle, "--t-end", "0.01")
        self.assertIn("recursion along the joints: 32 relative speeds, 6 at once", done.stdout)

    def test_a_chain_of_contacts_that_touch_is_noted(self):
        for key, says in (("impacts: together", "they share one impact"), ("impacts: in-sequence", "impacts: in-sequence, as with small gaps")):
            (self.folder / "mine.yaml").write_text(CRADLE.replace("IMPACTS", key), encoding="utf-8")
            verdict, found = self.check()["start"]
            self.assertEqual(verdict, "note")
            self.assertIn(says, found)

    def test_models_of_the_program_have_no_flaw(self):
        for name in ("monopod", "vibro-impact", "slip", "plate", "stick-slip"):
            with self.subTest(name=name):
                self.assertNotIn("wrong", {verdict for verdict, _ in self.check(name).values()})

    def test_a_slope_that_is_no_number_is_found(self):
        self.new("oscillator", ("v: 0 if stop else drive - x", "v: 0 if stop else drive - sqrt(x + 0.2)"))
        verdict, found = self.check(code=FLAW)["slopes"]
        self.assertEqual(verdict, "wrong")
        self.assertRegex(found, r"v' is -?nan at t = .*x = -0\.[234]")

    def test_a_jump_that_leaves_its_surface_is_found(self):
        self.new("oscillator", ("closes: {x: d, v: -e * v", "closes: {x: d + 0.01, v: -e * v"))
        verdict, found = self.check(code=FLAW)["jumps"]
        self.assertEqual(verdict, "wrong")
        self.assertIn("impact leaves its contact open with a gap of -0.01", found)

    def test_a_parameter_without_use_is_noted(self):
        self.new("friction", ("(k * x + r * sense)", "(k * x + 0.6 * sense)"),
                 ('  "s < r: friction at rest is above friction in motion": s < r', '  s = 0 holds nothing: s <= 0'))
        self.assertEqual(self.check()["parameters"], ("note", "nothing depends on r"))

    def test_units_that_clash_are_wrong_and_kinks_are_noted(self):
        self.new("hopper", ("  y: v\n", "  y: v + w * y\n"), ("  z: w\n", "  z: w + abs(v)\n"))
        found = self.check(code=FLAW)
        self.assertEqual(found["units"][0], "wrong")
        self.assertRegex(found["units"][1], r"^mine\.yaml:\d+: flow: y: a sum of m/s and m\^2/s$")
        self.assertEqual(found["kinks"][0], "note")
        self.assertRegex(found["kinks"][1], r"^mine\.yaml:\d+: flow: z: abs changes where no contact")

    def test_a_gap_that_leaps_is_wrong(self):
        self.new("oscillator", ("gap: d - x ", "gap: d - x - (2 if t > 3 else 0) "))
        verdict, found = self.check(code=FLAW)["run"]
        self.assertEqual(verdict, "wrong")
        self.assertRegex(found, r"the gap of impact leaps at t = 3(\.0\d*)?: it is -?\d")

    def test_a_discrete_state_that_is_not_allowed_is_wrong(self):
        self.new("friction", ("opens: {v: u, sense: -sign(pull)}", "opens: {v: u, sense: -3 * sign(pull)}"))
        verdict, found = self.check(code=FLAW)["run"]
        self.assertEqual(verdict, "wrong")
        self.assertRegex(found, r"slip at t = .* leaves sense = -?3; allowed: whole numbers from -1 to 1")

    def test_states_without_a_range_are_drawn_from_the_run(self):
        text = BALL.replace("RESTITUTION", "0.5").replace(", range: [0.1, 2]", "").replace(", range: [-2, 2]", "")
        (self.folder / "mine.yaml").write_text(text, encoding="utf-8")
        found = self.check()
        self.assertEqual(found["parameters"][0], "fine", found)
        self.assertRegex(found["jumps"][1], r"^[1-9]\d+ impacts from drawn states")

    def test_a_parameter_is_used_wherever_it_stands(self):
        ball = BALL.replace("RESTITUTION", "0.5").replace("e: {unit", "c: {preset: 0.01, range: [0.005, 0.02]}, e: {unit", 1)
        for where, (old, new) in {**USES, "nowhere": ("mechanical", "mechanical")}.items():
            with self.subTest(where=where):
                self.assertEqual(ball.count(old), 1)
                (self.folder / "mine.yaml").write_text(ball.replace(old, new), encoding="utf-8")
                found = json.loads(self.saltus("model", "check", "mine.yaml", "--t-end", 0.5, "--json").stdout)["verdicts"]
                said = next(v for v in found if v["question"] == "parameters")
                self.assertEqual((said["verdict"], "on c" in said["found"]), ("note", True) if where == "nowhere" else ("fine", False))

    def test_what_acts_only_beyond_a_surface_is_used(self):
        (self.folder / "mine.yaml").write_text(SOFT, encoding="utf-8")
        self.assertEqual(self.check()["parameters"][0], "fine")
        (self.folder / "mine.yaml").write_text(SOFT.replace("-k * z", "-1e6 * z").replace("wall * (z", "1e4 * (z"), encoding="utf-8")
        self.assertEqual(self.check()["parameters"], ("note", "nothing depends on k, wall"))

    def test_rates_are_compared_at_the_time_scale_of_the_gap(self):
        for fast in (1, 1e4, 1e8):
            with self.subTest(fast=fast):
                text = CLOCK.replace("span: 200 / FAST", f"span: {20 / fast!r}").replace("0.5 * FAST", repr(0.5 * fast)).replace("2 * FAST", repr(2 * fast))
                (self.folder / "mine.yaml").write_text(text.replace("FAST", repr(float(fast))), encoding="utf-8")
                self.assertEqual(self.check()["rates"], ("fine", "400 rates agree with differences"))

    def test_a_gap_that_a_reset_makes_leap_is_fine(self):
        (self.folder / "mine.yaml").write_text(NEURONS, encoding="utf-8")
        found = self.check()
        self.assertEqual((found["jumps"][0], found["run"][0]), ("fine", "fine"), found)
        self.works("trajectory", "-m", "mine.yaml", "-o", "t.csv")
        events = [line.split(",") for line in (self.folder / "t.csv").read_text(encoding="utf-8").splitlines() if "fires" in line]
        at_once = [a for a, b in zip(events, events[1:]) if a[0] == b[0]]
        self.assertTrue(at_once, events)  # one makes the other fire

    def test_the_gap_at_the_start_is_the_gap(self):
        text = BALL.replace("RESTITUTION", "0.5").replace("gap: y,", "gap: y, release: g,").replace("preset: 1, range: [0.1, 2]", "preset: 0, range: [0, 2]")
        (self.folder / "mine.yaml").write_text(text, encoding="utf-8")
        self.assertEqual(self.check()["start"], ("fine", "impact: closed, gap 0, rate 0, held by 9.81"))

    def test_impacts_that_bring_energy_in_are_noted(self):
        for e, kind in ((1, "fine"), (1.1, "note")):
            with self.subTest(e=e):
                (self.folder / "mine.yaml").write_text(BALL.replace("RESTITUTION", str(e)), encoding="utf-8")
                found = self.check()
                self.assertEqual((found["jumps"][0], found["run"][0]), (kind, kind), found)
                self.assertEqual("bring energy in, up to" in found["jumps"][1], e > 1)
                self.assertEqual("brings in an energy of" in found["run"][1], e > 1)

    def test_a_contact_that_never_changes_is_noted(self):
        self.new("oscillator", ("a: {what: its amplitude, preset: 1", "a: {what: its amplitude, preset: 0.2"))
        verdict, found = self.check()["run"]
        self.assertEqual(verdict, "note")
        self.assertIn("contact impact never changes", found)

    def test_a_text_that_begins_beyond_a_surface_is_refused(self):
        self.new("oscillator", ("x: {what: position, preset: 0, range: [-0.4, 0.4]", "x: {what: position, preset: 2, range: [-0.4, 2]"))
        for command in (("trajectory", "-m", "mine.yaml", "-o", "t.csv"), ("model", "check", "mine.yaml"),
                        ("advise", "mine.yaml", "--error", "1e-3", "-q")):
            with self.subTest(command=command[0]):
                self.refused(*command, says=("mine.yaml: model my-oscillator begins beyond the surface of contact 0 (impact): its gap is -1",))

    def test_robots_run(self):
        for robot in ("hopper.urdf", "biped.xml", "arm.xml"):
            with self.subTest(robot=robot):
                done = self.saltus("model", "import", str(ROBOTS / robot))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"{robot}:", done.stderr)
                for line in done.stderr.splitlines():
                    self.assertIn(f"# {line}\n", done.stdout)
                (self.folder / "robot.yaml").write_text(done.stdout, encoding="utf-8")
                self.works("trajectory", "--model", "robot.yaml", "--solver", "radau5", "--rtol", "1e-4", "--t-end", "0.8", "-f", "-o", "t.csv")
                self.assertTrue("_down1:" in (self.folder / "t.csv").read_text(encoding="utf-8"))
                if robot == "biped.xml":  # it lies on four spheres, which land in turn
                    self.works("trajectory", "--model", "robot.yaml", "--rtol", "1e-3", "--t-end", "1.4", "--budget", "5000", "-f", "-o", "t.csv")
                    # a foot stops with a speed of the size of the tolerance, with which no force lets it slide
                    self.works("trajectory", "--model", "robot.yaml", "--solver", "ode15s", "--rtol", "1e-3", "--t-end", "0.5", "-f", "-o", "t.csv")
        self.refused("model", "import", "robot.yaml", says=("robot.yaml:1: not well-formed XML",))
        free = '<body><freejoint/><geom size="1"/></body>'  # each has 7 coordinates, and a text up to 512
        (self.folder / "many.xml").write_text("<mujoco><worldbody>" + 80 * free + "</worldbody></mujoco>", encoding="utf-8")
        self.refused("model", "import", "many.xml", says=("many.xml: its text of bodies:", "560 coordinates; allowed: 1 to 512"))

    def test_what_cannot_be_is_refused(self):
        self.refused("model", "nwe", "hopper", says=("unknown action 'nwe'", "did you mean 'new'?"))
        self.refused("model", "new", "hoper", says=("unknown kind 'hoper'", "did you mean 'hopper'?"))
        self.refused("model", "check", "monopot", says=("monopot", "did you mean 'monopod'?"))
        self.refused("model", "new", says=("KIND, MODEL or FILE is missing",))
        self.refused("model", "check", "vibro-impact", "--initial", "x=3", says=("--initial", "begins beyond"))


if __name__ == "__main__":
    cli.main()
