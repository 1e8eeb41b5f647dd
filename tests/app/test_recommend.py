"""Recommendations by the command line, and questions that cannot be answered."""
import subprocess

import h5py
import numpy as np
import xarray

import cli
from filled_cube import INSIDE, SWEEP, WithPlane


SLIP = """
model: slip
t_end: 1
mesh: 0.1
cells:
  axes:
    - {name: alpha, linear: [65, 75], points: 4}
    - {name: y, linear: [0.95, 1.1], points: 4}
initial: {vx: 1.5}
solvers: [ode45]
strategies: [event]
rtol: [1e-3, 1e-5]
"""


class Reads(cli.InFolder):
    def test_an_answer_reads_what_is_around_the_point(self):
        """Bytes of a cube of 5 MB, by the system calls."""
        box = "[{columns: [b, k], sobol: [[550, 38000], [1, 480]], log: true, points: 6000}]"
        (self.folder / "s.yaml").write_text("model: monopod\nt_end: 0.1\nmesh: 0.1\nsolvers: [ode23, ode45]\nstrategies: [switch]\n"
                                            f"rtol: [1e-3]\ncells: {{axes: {box}}}\n", encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "cube.h5")
        calls = self.folder / "calls"
        subprocess.run(["strace", "-f", "-y", "-s", "0", "-e", "trace=read,pread64", "-o", calls, cli.SALTUS, "recommend", "cube.h5",
                        "--at", "b=4000,k=50", "--error", "1e-2"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        read = [int(line.rpartition(" ")[2]) for line in calls.read_text().splitlines() if "cube.h5>" in line]
        self.assertGreater(len(read), 50)
        self.assertLess(sum(read), 0.95e6)


class Recommend(WithPlane):
    def test_of_two_tolerances_none_between_is_an_answer(self):
        """Nothing is known of what errors do between them (answers_between_levels tests more than two)."""
        answer = self.ask(*INSIDE, "--error", "1.02e-5")
        best, sure = answer["answer"], 1 - 1 / 240  # of 240 runs at cells left out none missed
        self.assertEqual((best["solver"], best["strategy"]), ("ode23", "switch"))
        np.testing.assert_allclose([best[name] for name in ("rtol", "probability", "error", "work", "total")],
                                   [1e-6, sure, 1e-6, 700, 700 + (1 - 0.998 * sure) * 1200], rtol=1e-9)
        self.assertEqual((answer["neighbours"], answer["outside"], answer["unverified"]), (20, [], 0))
        self.assertEqual(answer["runners_up"], [])
        self.assertEqual(answer["safe"], {name: best[name] for name in answer["safe"]})
        self.assertNotIn("ranking", answer)
        calibration = answer["calibration"]
        self.assertEqual(calibration["asked"], 20)
        self.assertTrue(0.95 < calibration["predicted"] < 1 and abs(calibration["observed"] - calibration["predicted"]) < 0.04, calibration)

    def test_an_answer_selects_its_runs_in_the_cube(self):
        """Members of the JSON are the cube's names, so that nothing has to be renamed to join them."""
        best = self.ask(*INSIDE, "--error", "1.02e-5")["answer"]
        with xarray.open_dataset(self.folder / "cube.h5", engine="h5netcdf") as cube:
            config = {name: best[name] for name in cube["outcome"].dims if name != "cell"}
            self.assertEqual(set(config), {"solver", "strategy", "rtol"})
            near = cube.sel(rtol=config.pop("rtol"), method="nearest").sel(config)
            self.assertEqual((str(near.solver.values), str(near.strategy.values)), (best["solver"], best["strategy"]))
            self.assertEqual(near["rhs_evaluations"].dims, ("cell",))

    def test_planes_answer_between_cells(self):
        def change(file):
            b, k = self.logs(file)
            file["rhs_evaluations"][...] = np.rint(1e6 * np.exp(b + 0.5 * k) * (1 + np.arange(12).reshape(2, 2, 3)))
            file["max_error"][...] *= np.exp(0.7 * b + 0.4 * k)
        self.edit(change)
        best = self.ask("--at", "b=2900,k=17", "--error", "1")["answer"]
        b, k = np.log(2.9) / np.log(4), np.log(1.7) / np.log(4)
        self.assertEqual(best["rtol"], 1e-3)
        np.testing.assert_allclose(best["error"], 1e-3 * np.exp(0.7 * b + 0.4 * k), rtol=5e-3)
        np.testing.assert_allclose(best["work"], 1e6 * np.exp(b + 0.5 * k), rtol=2e-2)  # neighbours lie along lines of equal error

    def test_misses_have_a_probability_and_a_cost(self):
        def change(file):
            file["max_error"][:5, 0] = 1e-1  # a quarter of the cells at the loose tolerance, without a plane in it
            file["max_error"][5:, 0] = 1e-5
            file["max_error"][:, :, 1] = 1e-1
            file["max_error"][...] = file["max_error"][...][np.argsort(np.arange(20) * 7 % 20)]
        self.edit(change)
        answer = self.ask("--at", "b=2000,k=20", "--error", "1e-3")
        best, safe = answer["answer"], answer["safe"]
        self.assertEqual(best["strategy"], "switch")
        self.assertTrue(best["probability"] < 1 and best["total"] > best["work"])
        self.assertTrue(safe["probability"] >= 0.99 and safe["work"] > best["work"])
        sure = self.ask("--at", "b=2000,k=20", "--error", "1e-3", "--probability", "0.99")
        self.assertEqual({name: sure["answer"][name] for name in safe}, safe)
        self.assertEqual(sure["asked_probability"], 0.99)
        least = [self.ask("--at", "b=2000,k=20", "--error", "1e-3", "--probability", p)["answer"]["work"] for p in (0.6, 0.8, 0.95)]
        self.assertEqual(least, sorted(least))
        text = self.works("recommend", "cube.h5", "--at", "b=2000,k=20", "--error", "1e-3")
        self.assertIn(f"with a probability of {best['probability']:.3g}", text)
        for rival in self.ask("--at", "b=2000,k=20", "--error", "1e-3")["runners_up"]:
            self.assertLessEqual(rival["total"], 1.1 * best["total"])

    def test_runners_up_say_what_speaks_for_them(self):
        def change(file):
            file["rhs_evaluations"][:, :, 0, 1] = [104, 690]  # ode45 with switch: 4 % more, but less at the fine end
            file["max_error"][:, 0, 0, 1] = 1.1e-3
            file["max_error"][:, 1, 0, 1] = 0.9e-6
        self.edit(change)
        rival, = self.ask(*INSIDE, "--error", "2e-3")["runners_up"]
        self.assertEqual((rival["solver"], rival["for"]), ("ode45", ""))
        rival, = self.ask(*INSIDE, "--error", "1.02e-6", "--solvers", "ode23,ode45")["runners_up"]
        self.assertEqual((rival["solver"], rival["for"]), ("ode23", ""))
        text = self.works("recommend", "cube.h5", *INSIDE, "--error", "2e-3")
        self.assertRegex(text, r"runners-up within 10 %:\n.*for it\n +ode45 +switch +0\.001 +104 +111\.4 +\+4 %")

    def test_an_answer_says_why(self):
        def change(file):
            file["steps"][...] = 100
            file["failed_steps"][...] = 0
            file["steps"][..., 1] = 900  # ode45 at both tolerances: its steps do not grow
            file["rhs_evaluations"][..., 0] = 1000
            file["rhs_evaluations"][..., 1] = 9000
            file["rhs_evaluations"][..., 2] = 3000
            file["factorisations"][..., 2] = 3000
            b, _ = self.logs(file)
            file["stiffness_ratio"][...] = 1e4 * np.exp(b.ravel())
            file["reference_events"][...] = 7
        self.edit(change)
        at = ("--at", "b=2000,k=20", "--error", "2e-3")
        asked = self.ask(*at)
        why, best = asked["why"], asked["answer"]
        np.testing.assert_allclose([why["stiffness_ratio"], why["events"]], [1e4 * np.exp(0.5), 7], rtol=5e-3)
        self.assertEqual((best["runner_up_solver"], best["runner_up_strategy"], best["reason"]), ("ode23", "event", "work"))
        self.assertTrue(0.5 <= best["confidence"] < 1)
        self.assertEqual(best["margin"], asked["runners_up"][0]["total"] / best["total"] - 1)
        first, second = why["others"]
        self.assertEqual((first["solver"], first["cause"], second["solver"], second["cause"]), ("ode15s", "algebra", "ode45", "stability"))
        np.testing.assert_allclose([second["steps"], second["work_per_step"], first["steps"]], [9, 1, 1], rtol=1e-2)
        self.assertTrue(8 < second["times"] < 9)  # in total, since the same most expensive run follows both
        text = self.works("recommend", "cube.h5", *at)
        self.assertRegex(text, r"ode45 needs 8[.0-9]+ times the work.*: 9 times the steps, held by stability, whatever the rtol \(stiffness ratio 2e\+04\)")
        self.assertRegex(text, "with a probability of (over )?0[.][5-9]")
        self.edit(lambda file: file["max_error"].__setitem__((..., 1), 1))
        self.assertEqual([(o["solver"], o["times"]) for o in self.ask(*at)["why"]["others"]][1], ("ode45", None))
        alone = self.ask(*at, "--solvers", "ode23", "--strategies", "event")
        self.assertEqual([alone["answer"][name] for name in ("runner_up_solver", "margin", "confidence", "other_solver", "reason")], [None] * 4 + ["alone"])
        self.assertEqual(alone["why"]["others"], [])

    def test_errors_of_several_kinds_are_asked_for(self):
        def change(file):
            file["integral_absolute_error"][..., 0] = 1  # of ode23 at all tolerances
            file["end_error"][...] = 1
            file["end_error"][..., 2] = 1e-5
            file["reference_error_watched"][...] = 1e-12
        self.edit(change)
        best = {by: self.ask(*INSIDE, "--error", "1.1e-3", "--by", by)["answer"]["solver"] for by in ("max_error", "integral_absolute_error", "end_error")}
        self.assertEqual(best, {"max_error": "ode23", "integral_absolute_error": "ode45", "end_error": "ode15s"})
        self.works("map", "cube.h5", "--by", "integral_absolute_error", "--error", "1.1e-3")
        with h5py.File(self.folder / "cube.h5") as file:
            self.assertEqual(file["map"].attrs["error_metric"], b"integral_absolute_error")
        for command in ("recommend", "map"):
            at = INSIDE if command == "recommend" else ()
            self.refused(command, "cube.h5", *at, "--error", "1e-3", "--by", "multiplier_error",
                         says=("has no multiplier_error; it has max_error, integral_absolute_error, end_error", "orbit: {find: [cycles]}"))
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-3", "--by", "end_eror", says=("--by", "did you mean 'end_error'?"))

    def test_a_box_has_a_middle_and_who_answers_where(self):
        def change(file):
            b, _ = self.logs(file)
            file["rhs_evaluations"][:, :, :, 0] = 100 * 7 ** np.arange(2)[None, :, None] * (1 + 3 * b[:, :, :, 0] ** 0)
            file["rhs_evaluations"][:, :, :, 1] = 400 * 7 ** np.arange(2)[None, :, None] * np.exp(2 * (b[:, :, :, 0] - 0.3))
        self.edit(change)  # the second is more expensive where ln b is more than 0.3 of its way, whatever k is
        found = self.ask("--at", "b=1000..4000", "--error", "1.1e-3", "--solvers", "ode23,ode45")
        self.assertAlmostEqual(found["at"]["b"], 2000, delta=1e-6)
        self.assertAlmostEqual(found["at"]["k"], 20, delta=1e-6)
        box = found["box"]
        np.testing.assert_allclose([box["ranges"]["b"], box["ranges"]["k"]], [[1000, 4000], [10, 40]], rtol=1e-12)
        share = {w["solver"]: w["share"] for w in box["winners"]}
        self.assertAlmostEqual(share["ode23"], 0.7, delta=0.03)
        self.assertAlmostEqual(share["ode23"] + share["ode45"] + box["unanswered"], 1, delta=1e-12)
        self.assertEqual(box["one"]["solver"], "ode23")
        self.assertTrue(0.03 < box["one"]["more"] < 0.2, box["one"])
        text = self.works("recommend", "cube.h5", "--at", "b=1500..2500,k=20", "--error", "1e-3")
        self.assertIn("over the box b = 1500 .. 2500, at 256 points", text)
        self.assertNotIn("box", self.ask(*INSIDE, "--error", "1e-3"))
        self.refused("recommend", "cube.h5", "--at", "b=1000..4000", "--error", "1e-3", "--run", says=("--run runs at a point",))

    def test_a_program_has_its_solvers(self):
        ask = (*INSIDE, "--error", "1e-3", "--solvers", "ode45,ode15s")
        self.assertEqual(self.ask(*ask)["answer"]["solver"], "ode45")
        for home, call in (("octave", "ode45(@f"), ("julia", "DP5()"), ("scipy", "method='RK45'"), ("matlab", "ode45(@f")):
            found = self.ask(*ask, "--in", home)
            self.assertEqual((found["in"], found["answer"]["solver"]), (home, "ode45"))
            self.assertIn(call, found["call"])
        self.assertIn("LSODA", self.ask(*ask, "--in", "scipy")["not_measured"])
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-3", "--solvers", "ode15s", "--in", "octave",
                     says=("--in octave", "none of the solvers", "ode15s"))
        self.refused("recommend", "cube.h5", *ask, "--in", "petsc", says=("--in petsc", "ode45"))
        self.refused("recommend", "cube.h5", *ask, "--in", "scipyy", says=("unknown program 'scipyy'", "did you mean 'scipy'?"))
        self.works("map", "cube.h5", "--in", "octave")
        with h5py.File(self.folder / "cube.h5") as file:
            self.assertEqual(file["map"].attrs["methods"], b"ode23 ode45")
            self.assertEqual(file["map"].attrs["strategies"], b"switch event")

    def test_an_error_that_no_run_reaches_has_no_answer(self):
        answer = self.ask(*INSIDE, "--error", "1e-8")
        self.assertEqual((answer["answer"], answer["safe"], answer["reason"]), (None, None, "no_config"))
        self.assertEqual(answer["likely"]["probability"], 0)
        answer = self.ask(*INSIDE, "--error", "1e-8", "--run")  # errors were put in by hand, so that a run at the point hits
        self.assertEqual((answer["here"][-1]["verdict"], answer["runners_up"]), ("hit", []))
        self.assertEqual(answer["answer"]["rtol"], answer["here"][-1]["rtol"])
        self.assertLess(answer["estimated_error"], 1e-8)
        self.assertIn("estimated error", self.works("recommend", "cube.h5", *INSIDE, "--error", "1e-8", "--run"))
        self.edit(lambda file: file["reference_error_watched"].__setitem__(slice(0, 18), 1e-4))
        answer = self.ask(*INSIDE, "--error", "1e-5")
        self.assertEqual((answer["answer"], answer["reason"]), (None, "no_reference"))
        self.assertGreater(answer["unverified"], 0.5)
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-5", says=("references", "do not reach an error of 1e-05"))
        self.edit(lambda file: file["reference_error_watched"].__setitem__(slice(0, 15), 0))
        first = self.works("recommend", "cube.h5", "--at", "b=1000,k=10", "--error", "1e-5").splitlines()[0]
        self.assertIn("not verified: references around the point do not reach 1e-05", first)

    def test_points_at_a_tolerance(self):
        answer = self.ask(*INSIDE, "--rtol", "1e-6", "--weights", "sd=2,dt=0,iae=1")
        self.assertEqual(answer["rtol"], 1e-6)
        self.assertEqual([c["solver"] for c in answer["ranking"]], ["ode23", "ode45", "ode15s"] * 2)
        np.testing.assert_allclose([c["points"] for c in answer["ranking"]], [30, 26.4, 22.8, 19.2, 15.6, 12])
        self.assertIn("most points 2 SD", self.works("recommend", "cube.h5", *INSIDE, "--rtol", "1e-6", "--weights", "sd=2,iae=1"))

    def test_outside_the_map_the_edge_answers_and_says_so_first(self):
        answer = self.ask("--at", "b=50,k=10", "--error", "2e-5", code=12)
        self.assertEqual(answer["outside"], ["b"])
        inside = self.ask("--at", "b=1000,k=10", "--error", "2e-5")
        self.assertEqual(answer["answer"], inside["answer"])
        done = self.saltus("recommend", "cube.h5", "--at", "b=50,k=1000", "--error", "2e-5")
        self.assertEqual(done.returncode, 12)
        first = done.stdout.splitlines()
        self.assertIn("outside the mapped region: b = 50, the map has 1000 .. 4000", first[0])
        self.assertIn("outside the mapped region: k = 1000, the map has 10 .. 40", first[1])

    def test_text_says_what_why_and_from_where(self):
        text = self.works("recommend", "cube.h5", "--at", "b=1500,k=20", "--error", "2e-3")
        for words in ("least work for a largest error of y1 of 0.002, over [0, 1]", "use ode23 with switch at rtol 0.001",
                      "probability of over 0.95; expected: an error of 0.001, work 100", "safe choice: ode23", "none within 10 %; next:",
                      "from a plane through the 20 nearest cells", "in 40 answers at cells and tolerances left out of it"):
            self.assertIn(words, text)
        self.assertNotIn("outside", text)

    def test_a_run_at_the_point_says_what_came_out(self):
        self.works("run", "s.yaml", "-q", "-f", "--no-map", "-o", "cube.h5")
        at = ("--at", "b=1500,k=17", "--error", "1e-3")
        answer = self.ask(*at, "--run")
        best, ran = answer["answer"], answer["run"]
        self.assertEqual([best[name] for name in ("solver", "strategy", "rtol")],
                         [ran["answer"][name] for name in ("solver", "strategy", "rtol")])
        self.works("run", "s.yaml", "-q", "-o", "one.h5", *cli.sets(
            "cells={columns: [b, k], rows: [[1500, 17]]}", f"solvers=[{best['solver']}]", f"strategies=[{best['strategy']}]",
            f"rtol=[{best['rtol']!r}]"))
        with h5py.File(self.folder / "one.h5") as file:
            error = file["max_error"][0, 0, 0, 0] + file["reference_error_watched"][0]
            self.assertGreaterEqual(ran["answer"]["work"], file["rhs_evaluations"][0, 0, 0, 0])
        self.assertAlmostEqual(ran["answer"]["error"] / error, 1, delta=1e-6)
        self.assertEqual(ran["answer"]["hit"], error <= 1e-3)
        text = self.works("recommend", "cube.h5", *at, "--run")
        self.assertRegex(text, r"(?s)run at the point:\n  answer +" + best["solver"] + r".*: (hit|miss)\n  runner-up ")

    def test_a_miss_at_the_point_goes_on_to_the_next_attempt(self):
        self.works("run", "s.yaml", "-q", "-f", "--no-map", "-o", "cube.h5", *cli.sets("t_end=8"))
        self.edit(self.fill)
        self.edit(lambda file: file["max_error"].__setitem__(..., 1e-16))  # so that the first attempt is the least work
        at = ("--at", "b=1500,k=17", "--error", "1e-6")
        told = self.ask(*at, "--run")
        here, answer = told["here"], told["answer"]
        self.assertEqual([run["verdict"] for run in here], ["miss"] * (len(here) - 1) + ["hit"])
        self.assertGreater(len(here), 1)
        for name in ("solver", "strategy", "rtol"):
            self.assertEqual(here[0][name], told["schedule"][0][name])
            self.assertEqual(here[-1][name], answer[name])
            self.assertEqual(here[-1][name], told["run"]["answer"][name])
        self.assertAlmostEqual(here[-1]["check"]["rtol"] / answer["rtol"], 0.1)
        self.assertEqual(told["estimated_error"], here[-1]["estimated_error"])
        self.assertTrue(0.5 < told["estimated_error"] / told["run"]["answer"]["error"] < 2, told)
        text = self.works("recommend", "cube.h5", *at, "--run")
        self.assertRegex(text, r"run here: .*: estimated error [^ ]+, more than 1e-06, .*\n(run here: .*\n)+\nuse " + answer["solver"])
        self.assertNotIn("here", self.ask(*at))
        told = self.ask("--at", "b=1500,k=17", "--error", "1e-16", "--run")
        self.assertEqual((told["answer"], told["reason"], {run["verdict"] for run in told["here"]}), (None, "missed_here", {"miss"}))
        done = self.saltus("recommend", "cube.h5", "--at", "b=1500,k=17", "--error", "1e-16", "--run")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "no attempt reaches an error of 1e-16 at the point itself, where .* has an estimated error of")

    def test_a_point_that_begins_in_penetration_is_refused(self):
        (self.folder / "slip.yaml").write_text(SLIP, encoding="utf-8")
        self.works("run", "slip.yaml", "-q", "--no-map", "-o", "slip.h5")
        self.works("recommend", "slip.h5", "--at", "alpha=70,y=1", "--error", "1e-1", "--json")
        self.refused("recommend", "slip.h5", "--at", "alpha=74.5,y=0.952", "--error", "1e-1",
                     says=("the point: model slip begins beyond the surface of contact 0 (touchdown): its gap is -0.0116", "allowed: 0"))

    def test_a_map_of_few_cells_is_asked_for_its_winners(self):
        self.works("run", "s.yaml", "-q", "-f", "-o", "cube.h5", *cli.sets("cells.axes=[{name: b, list: [1000, 2000]}, {name: k, linear: [10, 40], points: 4}]"))
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1e-2",
                     says=("cube.h5: has 8 cells; a plane in 2 coordinates needs 9 at least; `saltus map` shows the winner of each cell",))

    def test_a_real_hopper_is_converted(self):
        axes = "".join(f"    - {{name: {name}, log: [{lo}, {hi}], points: 2}}\n"
                       for name, lo, hi in (("b", 550, 38000), ("m1", 0.8, 20), ("k", 1, 480), ("f", 0.01, 0.3)))
        text = SWEEP[:SWEEP.index("    - {")] + axes + SWEEP[SWEEP.index("solvers:"):]
        (self.folder / "s.yaml").write_text(text, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-f", "-o", "cube.h5")
        m1, m2, k, l0, kg, bg = 0.5, 10, 5000, 0.4, 2e5, 1e5
        robot = f"m1={m1}kg,m2={m2}kg,k=5kN/m,l0=40cm,kg=2e5N/m^1.5,bg=1e5N*s/m^2.5"
        answer = self.ask("--physical", robot, "--error", "1")
        period = 2 * np.pi * np.sqrt(m1 * m2 / ((m1 + m2) * k))
        expected = {"b": period * bg * l0 ** 1.5 / m1, "m1": 4 * np.pi ** 2 * m1 / (m1 + m2), "k": kg * l0 ** 0.5 / k,
                    "f": 4 * np.pi ** 2 * m1 * m2 * 9.81 / ((m1 + m2) * k * l0)}
        self.assertEqual(list(answer["at"]), list(expected))
        np.testing.assert_allclose(list(answer["at"].values()), list(expected.values()), rtol=1e-5)
        np.testing.assert_allclose([answer["second"], answer["metre"]], [period, l0], rtol=1e-5)
        self.assertEqual((answer["neighbours"], answer["outside"]), (16, []))
        self.refused("recommend", "cube.h5", "--error", "1", "--physical", "m1=0.5", says=("has no unit", "kg"))
        self.refused("recommend", "cube.h5", "--error", "1", "--physical", robot, *INSIDE, says=("not both",))


class BadInput(WithPlane):
    def check(self, *args, says):
        self.refused("recommend", "cube.h5", *args, says=says)

    def test_questions_that_make_no_sense(self):
        at = ("--at", "b=1500,k=20")
        for args, says in {
                (*at, "--rtol", "1e-6", "--weights", "sd=0,dt=0"): "all weights are 0",
                (*at, "--rtol", "1e-6", "--weights", "sd=-1,dt=3"): "sd = -1 is negative",
                (*at, "--rtol", "1e-5", "--weights", "sd=1"): "1e-05 is not in this cube; allowed: 0.001, 1e-06",
                (*at, "--error", "0"): "allowed: greater than 0",
                (*at, "--error", "1e-12"): "no configuration reaches an error of 1e-12 there with a probability of 0.5; the largest is 0",
                (*at, "--error", "1e-13"): "the tightest rtol tried is 1e-06",
                (*at, "--error", "1", "--probability", "1.5"): "allowed: ",
                (*at, "--error", "1e-6", "--probability", "0.999", "--json", "--run", "--rtol", "1"): "not both",
                (*at, "--rtol", "1e-6", "--weights", "sd=1", "--run"): "--run goes with --error",
                (*at, "--error", "1", "--solvers", "ode46"): "did you mean 'ode45'?",
                (*at, "--error", "1", "--work", "rhs=0"): "rhs = 0",
                (*at, "--rtol", "1e-6", "--weights", "sd=1", "--duration", "time"): "was not timed",
                (*at, "--weights", "sd=1"): "--error E, or --rtol R with --weights",
                (*at,): "--error E, or --rtol R with --weights",
                ("--error", "1"): "--at NAME=VALUE,.. or --physical NAME=VALUE,.. is required",
                ("--at", "b=1500,kk=20", "--error", "1"): "unknown axis 'kk'; allowed: b, k; did you mean 'k'?",
                ("--at", "b=1500", "--rtol", "1e-6", "--weights", "sd=1"): "points are asked for at a point",
        }.items():
            self.check(*args, says=(says,))
        for args, says in {("--weights", "dt=0"): "all weights are 0", ("--error", "-1"): "greater than 0",
                           ("--error", "1,1"): "there twice"}.items():
            self.refused("map", "cube.h5", *args, says=(says,))

    def both(self, says, code=2):
        self.refused("map", "cube.h5", says=("cube.h5", says), code=code)
        self.refused("recommend", "cube.h5", *INSIDE, "--error", "1", says=("cube.h5", says), code=code)

    def test_every_command_refuses_the_same_words(self):
        """A program, an error, a cost or work that is none, and an error that the cube has not: before anything is read or written."""
        at = ("--at", "b=2000", "--error", "1e-3")
        commands = (("recommend", "cube.h5", *at), ("check", "cube.h5", *at), ("map", "cube.h5"),
                    ("raster", "cube.h5", "--error", "1e-3", "-o", "r.h5"), ("regret", "cube.h5", "-n", "1", "-o", "p.h5"))
        words = ((("--in", "scipyy"), ("--in: unknown program 'scipyy'", "did you mean 'scipy'?")),
                 (("--by", "end_eror"), ("--by: unknown error 'end_eror'", "did you mean 'end_error'?")),
                 (("--by", "period_error"), ("cube.h5: has no period_error; it has ", "orbit: {find: [cycles]}")),
                 (("--f-costs", "nan"), ("--f-costs: 'nan' is not a number",)), (("--f-costs", "1km"), ("--f-costs: '1km'", "ns, us, ms")),
                 (("--work", "rhs=x"), ("--work: rhs: 'x' is not a number",)), (("--work", "rhs=0"), ("--work: rhs = 0 is not allowed",)),
                 (("--solvers", "ode46"), ("--solvers: unknown solver", "ode4")))
        for command in commands:
            for options, says in words:
                with self.subTest(command=command[0], options=options):
                    self.refused(*command, *options, says=says)

    def test_a_box_outside_is_no_box_of_the_cube(self):
        for at, says in (("b=1..2", "reaches out of this cube, which has 1000 .. 4000"), ("b=900..5e4", "reaches out of this cube"), ("b=3000..2000", "from the less to the more"),
                         ("b=nan..2000", "'nan' is not a number"), ("b=1000..", "'' is not a number"), ("q=1..2", "unknown axis 'q'")):
            with self.subTest(at=at):
                self.refused("recommend", "cube.h5", "--at", at, "--error", "1e-3", says=("--at", says))
                self.refused("raster", "cube.h5", "--at", at, "--error", "1e-3", "-o", "r.h5", says=("--at", says))

    def test_a_cube_without_references(self):
        self.edit(lambda file: file["reference_outcome"].__setitem__(..., -1))
        self.both("no errors against a reference")
        self.edit(lambda file: file.__delitem__("reference_outcome"))
        self.both("no errors against a reference")

    def test_a_truncated_cube(self):
        path = self.folder / "cube.h5"
        path.write_bytes(path.read_bytes()[:-1000])
        self.both("truncated file", code=4)

    def test_a_cube_of_another_layout(self):
        self.edit(lambda file: file.attrs.modify("layout", 0))
        self.both("has layout 0; this saltus reads layout 4: run its sweep again")

    def test_a_cube_whose_parts_do_not_belong_together(self):
        def shorten(file):
            file.attrs["sweep"] = cli.word(file.attrs["sweep"]).replace("points: 5", "points: 6")
        self.edit(shorten)
        self.both("its sweep and its dimensions do not belong together")

    def test_what_is_no_cube(self):
        (self.folder / "cube.h5").write_text("nothing", encoding="utf-8")
        self.both("is not an HDF5 file")
        (self.folder / "cube.h5").unlink()
        self.both("No such file", code=4)


cli.main()
