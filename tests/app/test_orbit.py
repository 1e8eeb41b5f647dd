"""What `saltus orbit` prints, writes and refuses."""
import csv
import json

import cli
import h5py

LEG = ("orbit", "--model", "hopping-leg", "--param", "mu=0.8,L0=0")
GUESS = ("--guess", "zU=0.02,vU=1.7")
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

    def test_solvers_agree(self):
        starts = [self.orbit(*LEG, *GUESS, "--search", s)["start"] for s in ("newton", "single", "multiple")]
        for start in starts[1:]:
            for name, value in start.items():
                self.assertAlmostEqual(value, starts[0][name], delta=1e-10)
        self.assertIn("SNES over 2 pieces", self.works(*LEG, *GUESS, "--search", "multiple"))

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
        self.assertNotIn("clearance", self.orbit(*LEG, *GUESS)["checks"])  # the foot meets its only surface

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
        for args in ((*LEG, *GUESS), (*LEG, *GUESS, "--search", "single")):  # where the guess itself leads to one
            self.assertNotIn("scan", self.orbit(*args))
        self.assertNotIn("scan", self.saltus(*far, "--search", "single").stdout)  # what was asked for, and nothing else

    def test_the_course_is_written(self):
        for out in ("o.csv", "o.h5"):
            self.works(*LEG, *GUESS, "-o", out, "--points", 64)
        with open(self.folder / "o.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([r["event"] for r in rows if r["event"]], ["touchdown:0", "release:0"])
        course = [r for r in rows if not r["event"]]
        self.assertEqual(len(course), 65)
        self.assertAlmostEqual(float(course[0]["vU"]), float(course[-1]["vU"]), delta=1e-9)
        self.assertGreater(max(float(r["zL"]) for r in course), 0.1)
        self.assertEqual({r["mode"] for r in course}, {"0", "1"})
        with h5py.File(self.folder / "o.h5") as file:
            self.assertEqual(len(file["zU"]), 65)
            self.assertEqual(float(file["zU"][7]), float(course[7]["zU"]))
            self.assertEqual(len(file["event_zU"]), 2)
            self.assertLess(file["ahead_vL"][0], -1)
            self.assertEqual(file["event_vL"][0], 0)
            self.assertEqual(file["start_closed"][()].tolist(), [0, 0])
            self.assertEqual(file["event_closed"][()].tolist(), [[1, 1], [0, 0]])
            self.assertEqual(file["event_closes"][()].tolist(), [1, 0])
            self.assertAlmostEqual(file["multiplier_re"][0], NU, delta=1e-10)
            self.assertAlmostEqual(file.attrs["period"], 0.548240660888677266, delta=1e-11)

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
                           (("orbit", "--model", "monopod"), "what a parameter may feed says `saltus list models`"),
                           ((*LEG, *GUESS, "--t-end", 0.2), "the guard is never reached: no release within t = 0.2"),
                           ((*LEG[:3], "--param", "dG=0"), "verdict"),
                           ((*LEG, *GUESS, "--t-end", 0.2), "a scan of 480 points around the guess finds none either"),
                           (("orbit", "--model", "monopod", "--t-end", 0.1), "touchdown is never reached")):
            self.assertIn(says, self.none(*args))

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
                           ((*leg, "--search", "newtn"), ("newtn", "did you mean 'newton'")),
                           ((*leg, "--solver", "multiple"), ("a search for orbits: --search multiple",)),
                           ((*leg, "--returns", 0), ("--returns",)),
                           ((*leg, "-o", "course.txt"), (".csv or .h5",))):
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
