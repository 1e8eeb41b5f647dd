"""Files of `saltus trajectory`."""
import csv
import json
import math
import re

import h5py

import cli

NOMINAL = ("--model", "monopod", "--param", "b=1951,m1=1.88,k=22.8,f=0.051", "--initial", "y1=0.5,v1=0,y2=1.5,v2=0")
FINE = ("--rtol", "1e-9", "--atol", "1e-9")


class Trajectory(cli.InFolder):
    def rows(self, *args):
        self.works("trajectory", *NOMINAL, *args, "-o", "flight.csv", "--force")
        with open(self.folder / "flight.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_the_header_is_what_was_agreed(self):
        self.rows()
        text = (self.folder / "flight.csv").read_text()
        self.assertEqual(text.splitlines()[0], "t,y1,v1,y2,v2,mode,event")
        self.assertTrue(text.endswith("\n"))
        self.assertNotIn("\r", text)

    def test_numbers_have_17_significant_digits(self):
        seen = 0
        for row in self.rows(*FINE):
            for name in ("t", "y1", "v1", "y2", "v2"):
                self.assertEqual(row[name], "%.17g" % float(row[name]))
                seen += len(re.sub(r"e.*|[-.]", "", row[name]).lstrip("0")) == 17
        self.assertGreater(seen, 5000)

    def test_there_is_a_row_for_every_multiple_one_for_every_event_and_the_end(self):
        for t_end, dt, wanted, ends in ((50, 0.01, 5001, False), (50, 0.3, 167, True), (20, 7, 3, True), (6, 6, 2, False), (1, 5, 1, True)):
            rows = self.rows(*FINE, "--t-end", str(t_end), "--dt", str(dt))
            plain = [float(row["t"]) for row in rows if not row["event"]]
            self.assertEqual(plain, [j * dt for j in range(wanted)] + ends * [t_end])
            self.assertLess(abs(plain[-1] - t_end), 1e-12 * t_end)
            wanted += ends
            times = [float(row["t"]) for row in rows]
            self.assertEqual(times, sorted(times))
            self.assertEqual(len(rows), wanted + sum(1 for row in rows if row["event"]))

    def test_accepted_steps_have_a_row_each(self):
        for solver, strategy in (("ode45", "event"), ("ode15s", "event"), ("ode23", "switch")):
            done = self.saltus("trajectory", *NOMINAL, "--solver", solver, "--strategy", strategy, "--t-end", "9", "--accepted-steps", "-o", "steps.csv", "-f")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.folder / "steps.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            plain = [float(row["t"]) for row in rows if not row["event"]]
            self.assertEqual(len(plain) - 1, int(re.search(r": (\d+) steps", done.stderr)[1]))
            self.assertEqual((plain[0], plain[-1]), (0, 9))
            self.assertTrue(all(a < b for a, b in zip(plain, plain[1:])))
            for before, after in zip(rows, rows[1:]):
                if after["event"]:
                    self.assertEqual(before["t"], after["t"])
            at = plain[len(plain) // 2]
            end = self.rows("--solver", solver, "--strategy", strategy, "--t-end", "9", "--dt", str(at))
            there = next(row for row in end if float(row["t"]) == at)
            ours = next(row for row in rows if float(row["t"]) == at)
            for name in ("y1", "v1", "y2", "v2"):
                self.assertAlmostEqual(float(there[name]), float(ours[name]), delta=1e-12)
        self.refused("trajectory", *NOMINAL, "--accepted-steps", "--dt", "0.1", "-o", "no.csv", says=("--accepted-steps: rows are those of the steps; allowed: without --dt",))

    def test_no_run_is_without_an_end(self):
        """Steps far too short, and a run far too long: what there is is written, and an option is named."""
        for args, outcome in ((("--max-step", "1e-300", "--budget", "3000"), "over_budget"), (("--t-end", "1e300", "--dt", "1e297", "--budget", "1e5"), "over_budget")):
            with self.subTest(args=args):
                done = self.saltus("trajectory", *NOMINAL, *args, "-o", "flight.csv", "--force")
                self.assertEqual(done.returncode, 10, done.stderr)
                self.assertIn(f"{outcome} at t = ", done.stderr)
                self.assertIn("a larger --budget lets it go on", done.stderr)
                self.assertTrue((self.folder / "flight.csv").read_text().count("\n") > 1)
        self.works("trajectory", *NOMINAL, "--budget", "1e5", "-o", "flight.csv", "--force")
        self.refused("trajectory", *NOMINAL, "--budget", "0", "-o", "no.csv", says=("--budget",))

    def test_infinitely_many_impacts_end_where_they_accumulate(self):
        """A ball on a floor that nothing holds on it; errors of the second solver are larger than the last flights."""
        (self.folder / "ball.yaml").write_text(
            "equations: 1\nname: ball\nspan: 10\nstates: {y: {preset: 1}, v: {preset: 0, rate_of: y}}\nflow: {y: v, v: -9.81}\n"
            "contacts: {floor: {names: [hit, leave], gap: y, closes: {y: 0, v: -0.8 * v}, stays: false}}\n")
        for solver, error in (("ode45", 1e-5), ("sundials-cvode-bdf", 0.02)):
            done = self.saltus("trajectory", "--model", "ball.yaml", "--solver", solver, "-o", "ball.csv", "--force")
            if done.returncode == 2 and solver != "ode45":
                self.skipTest("without SUNDIALS")
            self.assertEqual(done.returncode, 10, done.stderr)
            self.assertIn("zeno at t = ", done.stderr)
            with open(self.folder / "ball.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertIn("contact 0 (hit) changed", done.stderr)
            self.assertEqual([row["event"] for row in rows if row["event"].startswith("(")], ["(zeno)"])
            self.assertEqual(rows[-1]["event"], "(zeno)")
            self.assertLess(abs(float(rows[-1]["t"]) - 9 * math.sqrt(2 / 9.81)), error)
            self.assertGreater(min(float(row["y"]) for row in rows), -1e-9)
        self.saltus("trajectory", "--model", "ball.yaml", "-o", "ball.h5", "--force")
        with h5py.File(self.folder / "ball.h5") as file:
            self.assertEqual(file.attrs["outcome"].decode(), "zeno")
            self.assertIn("contact 0 (hit) changed", file.attrs["ending"].decode())
            self.assertLess(abs(file.attrs["t_reached"] - 9 * math.sqrt(2 / 9.81)), 1e-5)
            self.assertAlmostEqual(file["t"][1], 10 / 2000)

    def test_touchdown_and_liftoff_alternate_eleven_times(self):
        methods = [m["name"] for m in json.loads(self.works("list", "solvers", "--json"))["solvers"]
                   if not m["library"]]
        self.assertGreater(len(methods), 1)
        for method in methods:
            rows = self.rows(*FINE, "--solver", method, "--dt", "0.5")
            events = [row for row in rows if row["event"]]
            self.assertEqual([e["event"] for e in events], (["touchdown", "liftoff"] * 6)[:11], method)
            for e in events:
                self.assertEqual(float(e["y1"]), 0)
                self.assertEqual(e["mode"], "1" if e["event"] == "touchdown" else "0")
                self.assertEqual(float(e["v1"]) < 0, e["event"] == "touchdown")

    def test_the_event_points_are_written_whatever_finds_them(self):
        for strategy in ("event", "ess", "ess2"):
            with self.subTest(strategy):
                events = [row for row in self.rows("--strategy", strategy, "--dt", "0.5") if row["event"]]
                self.assertEqual([e["event"] for e in events], (["touchdown", "liftoff"] * 6)[:11])
                self.assertEqual({float(e["y1"]) for e in events}, {0})
                self.assertAlmostEqual(float(events[0]["t"]), math.sqrt(1 / 0.051), delta=1e-3)

    def test_the_mode_is_the_one_since_the_last_event(self):
        mode = "0"
        for row in self.rows(*FINE):
            if row["event"]:
                mode = row["mode"]
            self.assertEqual(row["mode"], mode)

    def test_switch_has_a_mode_and_no_events(self):
        rows = self.rows("--strategy", "switch")
        self.assertEqual({row["event"] for row in rows}, {""})
        for row in rows:
            self.assertEqual(row["mode"], "1" if float(row["y1"]) <= 0 else "0")
        self.assertEqual({row["mode"] for row in rows}, {"0", "1"})

    def test_the_first_flight_is_the_parabola(self):
        rows = [row for row in self.rows(*FINE, "--t-end", "4.4", "--dt", "0.1")]
        for row in rows:
            self.assertAlmostEqual(float(row["y1"]), 0.5 - 0.051 / 2 * float(row["t"]) ** 2, delta=1e-9)
        touch = next(row for row in self.rows(*FINE) if row["event"])
        self.assertAlmostEqual(float(touch["t"]), math.sqrt(1 / 0.051), delta=1e-8)

    def test_a_spacing_beyond_the_end_leaves_both_ends(self):
        rows = self.rows("--t-end", "1", "--dt", "2")
        values = [[float(row[n]) for n in ("t", "y1", "v1", "y2", "v2")] for row in rows]
        self.assertEqual(values[0], [0, 0.5, 0, 1.5, 0])
        self.assertEqual((len(values), values[1][0]), (2, 1))
        self.assertAlmostEqual(values[1][1], 0.5 - 0.051 / 2, delta=1e-12)

    def test_hdf5_holds_the_same_as_csv(self):
        rows = self.rows(*FINE)
        self.works("trajectory", *NOMINAL, *FINE, "-o", "flight.h5")
        plain = [row for row in rows if not row["event"]]
        events = [row for row in rows if row["event"]]
        with h5py.File(self.folder / "flight.h5") as file:
            for name in ("t", "y1", "v1", "y2", "v2", "mode"):
                self.assertEqual([float(v) for v in file[name]], [float(row[name]) for row in plain], name)
            for name in ("t", "y1", "v1", "y2", "v2"):
                self.assertEqual([float(v) for v in file["event_" + name]], [float(e[name]) for e in events], name)
            self.assertEqual([cli.word(v) for v in file["event_name"]], [e["event"] for e in events])
            self.assertEqual(file["y1"].dims[0][0].name, "/t")
            self.assertEqual((cli.word(file.attrs["solver"]), file.attrs["rtol"], float(file["b"][()])), ("ode45", 1e-9, 1951))

    def test_the_jacobian_may_come_from_the_model(self):
        a, b = (self.rows("--solver", "ode23s", "--dt", "1", "--jacobian", word)
                for word in ("analytic", "differences"))
        self.assertEqual(len(a), len(b))
        apart = max(abs(float(x["y1"]) - float(y["y1"])) for x, y in zip(a, b))
        self.assertLess(apart, 1e-3)
        self.assertGreater(apart, 0)

    def start_of(self, model, start, *args):
        self.works("trajectory", "--model", model, "--initial", start, *args, "--t-end", "0.05", "-o", "s.csv",
                   "--force")
        with open(self.folder / "s.csv", encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if float(row["t"]) == 0]

    def test_a_run_that_begins_on_a_surface_meets_it_or_leaves(self):
        table = ("--param", "a=0.1,w=3")
        for model, start, args, event, state, speed in (
                ("bouncing-ball", "y=0,v=-1", (), "impact", "v", 0.8),
                ("shaking-table", "y=0,v=0", table, "impact", "v", 0.45),
                ("shaking-table", "y=0,v=1", table, None, "v", 1),
                ("vibro-impact", "x=1,v=0.5", (), "impact-right:0", "v", -0.25),
                ("vibro-impact", "x=-1,v=0.5", (), None, "v", 0.5),
                ("hopping-leg", "zL=0,vL=1", (), None, "vL", 1),
                ("hopping-leg", "zL=0,vL=-1", (), "touchdown:0", "vL", 0)):
            rows = self.start_of(model, start, *args)
            self.assertEqual([row["event"] for row in rows if row["event"]], [event] if event else [], start)
            self.assertAlmostEqual(float(rows[-1][state]), speed, delta=1e-15, msg=start)

    def test_a_run_that_begins_beyond_a_surface_is_refused(self):
        for model, start, contact, gap in (("shaking-table", "y=-0.5,v=1", "0 (impact)", "-0.5"),
                                           ("vibro-impact", "x=1.2", "0 (impact-right)", "-0.2"),
                                           ("vibro-impact", "x=-1.25", "1 (impact-left)", "-0.25")):
            for command, *more in (("trajectory", "-o", "s.csv"), ("orbit",),
                                   ("bderiv", "--t-end", "1", "--matrix")):
                self.refused(command, "--model", model, "--initial", start, *more, says=(
                    f"--initial: model {model} begins beyond the surface of contact {contact}: its gap is {gap};"
                    " allowed: 0, on the surface, or more",))

    def test_what_is_reported_is_what_was_done(self):
        done = self.saltus("trajectory", *NOMINAL, *FINE, "-o", "flight.csv")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, r"^done at t = 50: \d+ steps, \d+ failed, \d+ evaluations of f, 11 events\n$")


cli.main()
