"""Output, files and error messages of `saltus orbit`."""
import csv
import json
import math

import cli
import h5py

LEG = ("orbit", "--model", "hopping-leg", "--param", "mu=0.8,L0=0")
GUESS = ("--guess", "zU=0.02,vU=1.7")
# A wheel of eight spokes on a slope of .08: w+ = cos(pi/4) w-, w-^2 - w+^2 = 4 g sin(pi/8) sin(.08); multiplier cos(pi/4)^2.
WHEEL = """\
equations: 1
name: spoked-wheel
span: 10
watch: w
parameters: {al: {preset: 0.39269908169872414, range: [0.3, 0.45], allowed: [0.01, 1.5]}, ga: {preset: 0.08, range: [0.06, 0.1]}}
states: {th: {preset: 0, range: [-0.1, 0.1]}, w: {preset: 5, range: [4, 6], rate_of: th}}
contacts:
  spoke: {names: [step, unstep], gap: ga + al - th, while: w > 0, closes: {th: ga - al, w: w * cos(2 * al)}, stays: false}
flow: {th: w, w: 9.81 * sin(th)}
section: {contact: spoke, event: closes}
"""
# A floor that kicks: v+ = -.8 v- + .5, so v = 2.5 and the period is 2 v / g; the height is left where the event was located.
KICK = """\
equations: 1
name: kicked-ball
span: 10
watch: y
states: {y: {preset: 1, range: [0.5, 2]}, v: {preset: 0, range: [-1, 1], rate_of: y}}
contacts: {floor: {names: [hit, leave], gap: y, closes: {v: "KICK"}, stays: false}}
flow: {y: v, v: -9.81}
section: {contact: floor, event: closes}
"""
# A lift rises at the rate p from its stop when a timer runs out: `release` of the stop leaps below 0 at the timer's event, and
# both are at one instant.  With P = p there, a rise takes s = -log(1 - 1/P), the timer runs back as long, and P' = (4 + (P - 1) / 4)
# (1 - 1/P'): P = 3, s = log 1.5, dP'/dP = 1/4 (1 - 1/P) + 1/(P - 1) = 2/3, whatever the section is.
LIFT = """\
equations: 1
name: timed-lift
span: 10
watch: x
states: {u: {preset: 0.4, range: [0.3, 0.5]}, x: {preset: 0}, p: {preset: 4, range: [3.5, 4.5]}}
discrete: {up: {preset: 0, values: [0, 1]}}
contacts:
  timer: {names: [rings, is-wound], gap: u, closes: {up: 1}, stays: false}
  stop: {names: [lands, lifts], gap: x, release: -p if up > 0 else p, closes: {x: 0}, opens: {x: 0}}
  top: {names: [arrives, leaves], gap: 1 - x, closes: {up: 0, p: 4 + p / 4}, stays: false}
flow: {u: 1 if up > 0 else -1, x: 0 if stop else (p if up > 0 else -4), p: -p}
section: {contact: SECTION, event: closes}
"""
NU = 0.4713876308238840  # Zana, Bodor, Bencsik, Zelei (2018), section 4.2, certified


class Orbit(cli.InFolder):
    def orbit(self, *args):
        return json.loads(self.works(*args, "--json"))

    def test_the_hopping_leg_of_section_4_2(self):
        found = self.orbit(*LEG, *GUESS)
        self.assertEqual((found["outcome"], found["verdict"], found["returns"]), ("cycle", "stable", 1))
        self.assertAlmostEqual(found["period"], 0.548240660888677266, delta=1e-11)
        self.assertEqual([p["event"] for p in found["phases"]], ["touchdown", "release"])
        self.assertAlmostEqual(found["phases"][0]["end"], 0.298898121589078119, delta=1e-11)
        self.assertAlmostEqual(found["phases"][0]["last"]["vL"], -1.52170395822451969, delta=1e-9)
        (by_saltation,), (by_steps,) = found["multipliers"], found["multipliers_by_differences"]
        self.assertAlmostEqual(by_saltation["re"], NU, delta=1e-10)
        self.assertAlmostEqual(by_steps["re"], NU, delta=1e-6)
        self.assertNotEqual(by_saltation["re"], by_steps["re"])
        self.assertEqual(found["return_map"]["states"], ["zU", "vU"])
        self.assertAlmostEqual(found["monodromy"]["rows"][3][0], -11.4518810059120902, delta=1e-8)
        for name, bound in (("closure", 1e-12), ("gap", 1e-10), ("flow", 1e-11)):
            self.assertLess(found["checks"][name], bound)

    def test_a_model_from_a_file_has_the_same_orbit(self):
        found = self.orbit("orbit", "--model", f"{cli.SWEEPS}/models/hopping-leg-dae.yaml",
                           "--guess", "hip_z=0.02,hip_vz=1.7")
        self.assertAlmostEqual(found["period"], 0.548240660888677266, delta=1e-10)
        self.assertAlmostEqual(found["multipliers"][0]["re"], NU, delta=1e-10)

    def test_text_shows_what_json_holds(self):
        found, text = self.orbit(*LEG, *GUESS), self.works(*LEG, *GUESS, "--matrices")
        for value in (f"{found['period']:.15g}", f"{found['multipliers'][0]['re']:.13g}",
                      f"{found['multipliers_by_differences'][0]['re']:.13g}", "touchdown (contact 0)",
                      "monodromy matrix", f"{found['monodromy']['rows'][3][0]:.9g}", "stable: largest multiplier"):
            self.assertIn(value, text)
        self.assertNotIn("monodromy matrix,", self.works(*LEG, *GUESS))

    def test_two_visits_of_an_orbit_of_one_are_told(self):
        found = self.orbit(*LEG, *GUESS, "--returns", 2)
        self.assertEqual((found["returns"], found["least_returns"]), (2, 1))
        self.assertAlmostEqual(found["multipliers"][0]["re"], NU * NU, delta=1e-9)
        self.assertIn("2 times the orbit of 1", self.works(*LEG, *GUESS, "--returns", 2))

    def test_a_driven_orbit_that_winds_in_is_one_of_one_period(self):
        wall = ("orbit", "-m", "vibro-impact", "-p", "zeta=0.04,w=2.6,a=1.67,e=0.38")
        found = self.orbit(*wall)
        self.assertEqual((found["returns"], found["least_returns"], found["phases"][0]["closed"]), (1, 1, [False, False]))
        self.assertAlmostEqual(found["period"], 2.4166097335306, delta=1e-12)
        twice = self.orbit(*wall, "-k", 2)
        self.assertEqual((twice["returns"], twice["least_returns"]), (2, 1))
        one, two = (complex(f["multipliers"][0]["re"], abs(f["multipliers"][0]["im"])) for f in (found, twice))
        self.assertAlmostEqual(abs(one) ** 2, abs(two), delta=1e-9)
        for a, b in zip(found["multipliers"], found["multipliers_by_differences"]):
            self.assertAlmostEqual(complex(a["re"], a["im"]), complex(b["re"], b["im"]), delta=1e-7)

    def test_a_wall_that_is_missed_is_told(self):
        def near(gap):  # amplitude 1 - gap between walls at 1 and -1
            return ("orbit", "-m", "vibro-impact", "-g", "x=-0.9,v=0.2", "-p",
                    f"zeta=0.05,w=1.3,a={(1 - gap) * ((1 - 1.3**2)**2 + 0.13**2)**0.5!r}")

        found = self.orbit(*near(1e-9))
        self.assertEqual(found["verdict"], "stable")
        self.assertAlmostEqual(found["checks"]["clearance"], 1e-9, delta=1e-12)
        text = self.works(*near(1e-9))
        self.assertRegex(text, r"stable: largest multiplier 0\.785.*\n +for pushes that move the gap of contact \d \(impact-\w+\) by less than 1e-09")
        for gap in (1e-12, 0):
            done = self.saltus(*near(gap))
            self.assertEqual(done.returncode, 13)
            self.assertIn("verdict     grazing: contact", done.stdout)
        meets = near(-1e-9)  # that orbit is gone; one with impacts lives beside it
        self.assertIn("scan", self.orbit(*meets))
        done = self.saltus(*meets[:3], "-i", "x=-0.98,v=0.23", "--visits", 1, "-k", 1, *meets[5:])
        self.assertEqual(done.returncode, 13)
        self.assertIn("grazing: where it ended", done.stdout)
        self.assertNotIn("clearance", self.orbit(*LEG, *GUESS)["checks"])  # the foot touches its only surface

    def test_a_simulation_finds_the_cycle_of_a_powered_monopod(self):
        found = self.orbit("orbit", "--model", "monopod", "--param", "zeta_F=0.02,zeta_G=-0.05")
        self.assertAlmostEqual(found["period"], 11.40736, delta=6e-6)
        self.assertAlmostEqual(found["most"]["y1"], 0.4768, delta=6e-5)
        self.assertAlmostEqual(found["multipliers"][0]["re"], 0.5007, delta=6e-5)
        self.assertGreater(found["visits"], 3)

    def test_a_scan_is_told(self):
        far = ("orbit", "-m", "hopping-leg", "-p", "m=1,k=1,g=1,L0=0,mu=0.774,dF=0.066,dG=-0.114", "-g", "zU=5.91,vU=11.46")
        found = self.orbit(*far)
        self.assertAlmostEqual(found["start"]["vU"], 9.366703130335, delta=1e-9)
        self.assertEqual((found["scan"]["from_the_guess"], found["scan"]["points"]), ("no convergence", 160))
        self.assertIn("found by    a scan and Newton's iteration", self.works(*far))
        self.assertIn("of 160 points around it", self.works(*far))
        self.assertNotIn("scan", self.orbit(*LEG, *GUESS))  # where the guess itself leads to one

    def test_the_course_is_written(self):
        for out in ("o.csv", "o.h5"):
            self.works(*LEG, *GUESS, "-o", out, "--points", 64)
        with open(self.folder / "o.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([r["event"] for r in rows if r["event"]], ["touchdown:0", "release:0"])
        trajectory = [r for r in rows if not r["event"]]
        self.assertEqual(len(trajectory), 65)
        self.assertAlmostEqual(float(trajectory[0]["vU"]), float(trajectory[-1]["vU"]), delta=1e-9)
        self.assertGreater(max(float(r["zL"]) for r in trajectory), 0.1)
        self.assertEqual({r["mode"] for r in trajectory}, {"0", "1"})
        with h5py.File(self.folder / "o.h5") as file:
            self.assertEqual(len(file["zU"]), 65)
            self.assertEqual(float(file["zU"][7]), float(trajectory[7]["zU"]))
            self.assertEqual(len(file["event_zU"]), 2)
            self.assertLess(file["ahead_vL"][0], -1)
            self.assertEqual(file["event_vL"][0], 0)
            self.assertEqual(file["start_closed"][()].tolist(), [0, 0])
            self.assertEqual(file["event_closed"][()].tolist(), [[1, 1], [0, 0]])
            self.assertEqual(file["event_closes"][()].tolist(), [1, 0])
            self.assertAlmostEqual(file["multiplier_re"][0], NU, delta=1e-10)
            self.assertAlmostEqual(file.attrs["period"], 0.548240660888677266, delta=1e-11)

    def text(self, text):
        (self.folder / "mine.yaml").write_text(text, encoding="utf-8")
        return "orbit", "-m", "mine.yaml"

    def test_extremes_are_those_of_the_way_to_the_section(self):
        steps = self.text(WHEEL)
        after = math.sqrt(4 * 9.81 * math.sin(math.pi / 8) * math.sin(0.08))  # cos^2 / (1 - cos^2) = 1
        for points in (16, 64, 2048, 3000):
            found = self.orbit(*steps, "--points", points)
            self.assertAlmostEqual(found["start"]["w"], after, delta=1e-11)
            self.assertAlmostEqual(found["most"]["th"], 0.08 + math.pi / 8, delta=1e-12)
            self.assertAlmostEqual(found["most"]["w"], after / math.cos(math.pi / 4), delta=1e-11)
            self.assertAlmostEqual(found["least"]["w"], math.sqrt(after**2 - 4 * 9.81 * math.sin(math.pi / 16 - 0.04)**2), delta=1e-9)
            self.assertAlmostEqual(found["multipliers"][0]["re"], 0.5, delta=1e-11)

    def test_rounding_of_a_section_is_no_visit(self):
        found = self.orbit(*self.text(KICK.replace("KICK", "-0.8 * v + 0.5")))
        self.assertEqual((found["outcome"], found["returns"]), ("cycle", 1))
        self.assertAlmostEqual(found["start"]["v"], 2.5, delta=1e-11)
        self.assertAlmostEqual(found["period"], 5 / 9.81, delta=1e-11)
        self.assertAlmostEqual(found["multipliers"][0]["re"], 0.8, delta=1e-11)
        self.assertAlmostEqual(found["most"]["y"], 2.5**2 / 2 / 9.81, delta=1e-9)

    def test_two_events_of_one_instant_one_of_them_by_a_leap(self):
        for section in ("timer", "top"):  # where the run begins in that instant, and where it passes it
            found = self.orbit(*self.text(LIFT.replace("SECTION", section)))
            self.assertEqual((found["outcome"], found["returns"]), ("cycle", 1))
            self.assertAlmostEqual(found["start"]["p"], 3 if section == "timer" else 4.5, delta=1e-11)
            self.assertAlmostEqual(found["period"], 2 * math.log(1.5), delta=1e-11)
            for name in ("multipliers", "multipliers_by_differences"):
                most = max(m["re"] for m in found[name])
                self.assertAlmostEqual(most, 2 / 3, delta=1e-10 if name == "multipliers" else 1e-6)
            self.assertEqual(sum(p["begin"] == p["end"] for p in found["phases"]), 1)
            self.assertLess(found["checks"]["gap"], 1e-10)  # of surfaces that are met
            self.assertGreater(found["checks"]["crossing"], 0.3)

    def test_a_ball_at_rest_on_a_table_that_moves_when_the_section_comes(self):
        for a, e in ((0.2833, 0.75), (0.29, 0.8)):
            found = self.orbit("orbit", "-m", "shaking-table", "-p", f"a={a},e={e}")
            self.assertEqual((found["outcome"], found["verdict"], found["phases"][0]["closed"]), ("cycle", "stable", [True]))
            self.assertAlmostEqual(found["start"]["v"], 2 * math.pi * a, delta=1e-12)
            self.assertAlmostEqual(found["phases"][0]["end"], math.asin(9.81 / (a * 4 * math.pi**2)) / (2 * math.pi), delta=1e-9)
            self.assertEqual([m["re"] for m in found["multipliers"]], [0, 0])
            self.assertEqual(found["checks"]["chatter"], 1)

    def test_an_orbit_at_another_energy_says_so(self):
        far = ("orbit", "-m", "slip", "-g", "y=0.97,vx=1.6")
        energy, text = self.orbit(*far)["energy"], self.works(*far)
        self.assertAlmostEqual(energy["start"], 1.6**2 / 2 + 0.97, delta=1e-12)
        self.assertLess(energy["orbit"], energy["start"] - 0.01)
        self.assertRegex(text, r"energy +2\.23156\d* on the orbit, 2\.25 at the start: the model conserves energy")
        self.assertIn("energy  ", self.works("orbit", "-m", "slip"))  # Newton's iteration is free along the family
        self.assertNotIn("energy  ", self.works("orbit", "-m", "slip", "--rtol", 1e-6))  # to what that run keeps
        self.assertNotIn("energy", self.orbit(*LEG, *GUESS))

    def test_an_orbit_that_drifts(self):
        found = self.orbit("orbit", "--model", "slip", "--guess", "y=0.94,vx=1.637,vy=0")
        self.assertEqual(found["return_map"]["states"], ["y", "vx"])
        self.assertAlmostEqual(found["multipliers"][0]["re"], 1, delta=1e-6)


class NoOrbit(cli.InFolder):
    def none(self, *args):
        done = self.saltus(*args)
        self.assertEqual(done.returncode, 13, done.stderr)
        self.assertEqual(json.loads(self.saltus(*args, "--json").stdout)["verdict"], "no orbit")
        return done.stdout

    def test_reasons_are_given_in_words(self):
        for args, says in ((("orbit", "--model", "monopod", "--param", "zeta_F=0.2"), "came to rest"),
                           (("orbit", "--model", "monopod"), "`saltus list models`"),
                           ((*LEG, *GUESS, "--t-end", 0.2), "the guard is never reached: no release within t = 0.2"),
                           ((*LEG[:3], "--param", "dG=0"), "verdict"),
                           ((*LEG, *GUESS, "--t-end", 0.2), "a scan of 480 points around the guess finds none either"),
                           (("orbit", "--model", "monopod", "--t-end", 0.1), "touchdown is never reached")):
            self.assertIn(says, self.none(*args))

    def test_what_moves_has_not_come_to_rest(self):
        for kick, says, never in (("-0.8 * v", "came to rest", "event lost"), ("30 - 0.8 * v", "event lost", "came to rest")):
            (self.folder / "mine.yaml").write_text(KICK.replace("KICK", kick), encoding="utf-8")
            printed = self.none("orbit", "-m", "mine.yaml", "-i", "y=1", "--t-end", 2)  # the second flies for 6 s
            self.assertIn(says, printed)
            self.assertNotIn(never, printed)

    def refused(self, *args):
        done = self.saltus("orbit", *args)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_what_makes_no_sense_is_refused(self):
        leg = ("--model", "hopping-leg")
        for args, says in (((*leg, "--guess", "zU=1.02,vU=-1.7"), ("wrong phase", "contact 0 would not open")),
                           (("--model", "monopod", "--guess", "v1=0.2"), ("wrong phase", "opens at once")),
                           ((*leg, "--param", "mu=0"), ("mu = 0 leaves no upper mass",)),
                           ((*leg, "--param", "mu=1"), ("mu = 1 leaves no lower mass",)),
                           (("--model", "decay"), ("decay has no section",)),
                           ((*leg, "--strategy", "switch"), ("switch",)),
                           ((*leg, "--guess", "zQ=1"), ("unknown state 'zQ'", "did you mean 'zU'")),
                           ((*leg, "--guess", "zU=1", "--initial", "zU=1"), ("not both",)),
                           ((*leg, "--returns", 0), ("--returns",)),
                           ((*leg, "-o", "trajectory.txt"), (".csv or .h5",))):
            text = self.refused(*args)
            for part in says:
                self.assertIn(part, text)
            self.assertEqual(len([line for line in text.splitlines() if "Try" not in line]), 1, text)

    def test_an_existing_file_stays(self):
        (self.folder / "o.csv").write_text("mine", encoding="utf-8")
        done = self.saltus(*LEG, *GUESS, "-o", "o.csv")
        self.assertEqual(done.returncode, 3)
        self.assertEqual((self.folder / "o.csv").read_text(encoding="utf-8"), "mine")


cli.main()
