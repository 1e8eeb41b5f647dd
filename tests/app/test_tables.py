"""The output of analysis/dallas_tables.py, from a cube and from the paper, and the sums of `saltus tables`."""
import json
import math
import os
import re
import shutil
import sys

import h5py
import numpy as np

import cli

sys.path.insert(0, os.path.join(os.path.dirname(cli.SWEEPS), "tests", "analysis"))
import script  # noqa: E402

SCRIPT = os.path.join(os.path.dirname(cli.SWEEPS), "analysis", "dallas_tables.py")
METHODS = ("ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb")
PUBLISHED = (35, 172, 1328, 3564, 7010, 17805, 31044, 36144, 50072, 72942, 176750, 181160, 234440)
CORRECTED = ("6.0", "25.7", "193", "431", "431", "793", "1646", "1161", "440", "6970", "857", "16860", "168")
TABLE5 = {"ode15s": 364.47, "ode45": 376.16, "ode23s": 287.71, "ode113": 376.80, "ode23tb": 335.03, "ode23t": 329.50,
          "ode23": 371.36}
NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"


def block(text, start):
    """The lines from the one that begins with `start` to the next empty one."""
    lines = text[text.index("\n" + start) + 1:].splitlines()
    return lines[:lines.index("")] if "" in lines else lines


class Tables(cli.InFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls("works")
        folder.setUp()
        cls.addClassCleanup(folder.doCleanups)
        folder.works("run", cli.DALLAS, "-q", "-o", "cube.h5",
                     *cli.sets("mesh=0.01", "rtol=[1e-3,1e-6]", "divergence={}", "timing.repeats=1"))
        cls.cube = folder.folder / "cube.h5"

    def script(self, *args):
        os.chdir(self.folder)
        return script.run(SCRIPT, *map(str, args))

    printed = dict()  # of the cube of the class, by the other arguments

    def tables(self, *args):
        """Runs the script in the folder, expects success, and returns what it prints."""
        if args in self.printed:
            return self.printed[args]
        done = self.script(*args)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        if args[0] == self.cube:
            self.printed[args] = done.stdout
        return done.stdout

    def sums(self, metric):
        """Points summed over the cells, [tolerance][strategy][method]."""
        with h5py.File(self.cube) as cube:
            return np.sum(cube[metric][()], axis=0)

    def test_table_2_has_the_published_and_the_corrected_ratios(self):
        lines = block(self.tables(self.cube), "    #")[1:]
        self.assertEqual(len(lines), 13)
        for line, published, corrected in zip(lines, PUBLISHED, CORRECTED):
            column = line.split()
            self.assertEqual(float(column[5]), published)
            self.assertLess(abs(float(column[6]) - published), 0.01 * published + 0.5)
            digits = len(corrected.split(".")[1]) if "." in corrected else 0
            step = 10 if len(corrected) > 4 else 10.0 ** -digits
            self.assertLessEqual(abs(float(column[7]) - float(corrected)), 0.501 * step, line)
        events = [int(line.split()[11]) for line in lines]
        self.assertEqual(events, [29, 16, 4, 11, 11, 16, 8, 16, 11, 82, 17, 108, 1])

    def test_published_ratios_stand_beside_published_sets_only(self):
        rows = {"both": "[[1951, 1.88, 22.8, 0.051], [1951, 1.88, 22.8, 0.052]]", "other": "[[1951, 1.88, 22.8, 0.052]]"}
        for name, row in rows.items():
            self.works("run", cli.DALLAS, "-q", "-o", f"{name}.h5",
                       *cli.sets(f"cells.rows={row}", "t_end=1", "mesh=0.1", "solvers=[ode45]", "strategies=[event]",
                                 "rtol=[1e-3]", "divergence={}", "timing.repeats=0"))
        both, other = (block(self.tables(f"{name}.h5"), "    #") for name in rows)
        self.assertIn("SR paper", both[0])
        self.assertEqual([line.split()[5] for line in both[1:]], ["7010", "-"])
        self.assertNotIn("SR paper", other[0])

    def test_tables_3_and_4_are_sums_over_the_cells_with_ranks(self):
        text = self.tables(self.cube)
        columns = [self.sums("points_" + name) for name in
                   ("solution_duration", "rhs_evaluations", "divergence_time", "divergence_time_zero",
                    "integral_absolute_error")]
        for s, strategy in enumerate(("switch", "event")):
            for t, tolerance in enumerate(("0.001", "1e-06")):
                lines = block(text, f"{strategy}, tolerance {tolerance}")[2:]
                self.assertEqual([line.split()[0] for line in lines], list(METHODS))
                for m, line in enumerate(lines):
                    pairs = re.findall(r" +([\d.]+) +([123-])", line[8:])
                    self.assertEqual(len(pairs), 5, line)
                    for (points, rank), column in zip(pairs, columns):
                        self.assertAlmostEqual(float(points), column[t, s, m], delta=0.00501)
                        place = 1 + int(np.sum(column[t, s] > column[t, s, m]))
                        self.assertEqual(rank, str(place) if place <= 3 else "-")
                        self.assertGreaterEqual(float(points), 13)

    def test_table_5_weighs_the_sums_of_the_cube(self):
        sd, dt, iae = (self.sums("points_" + n) for n in ("solution_duration", "divergence_time",
                                                          "integral_absolute_error"))
        for option, total in (((), 2 * sd + iae), (("--weights", "dt=3,iae=0.5"), 3 * dt + 0.5 * iae),
                              (("--weights", "iae=1"), iae)):
            lines = block(self.tables(self.cube, *option).split("\nTable 5: p_tot")[1], "ode23")
            for m, line in enumerate(lines):
                printed = [float(v) for v, _ in re.findall(r" +([\d.]+) +([123-])", line[8:])]
                self.assertEqual(line.split()[0], METHODS[m])
                for value, wanted in zip(printed, total[:, :, m].T.ravel()):
                    self.assertAlmostEqual(value, wanted, delta=0.0051)
                self.assertEqual(len(printed), 4)

    def test_table_5_follows_from_the_published_points(self):
        text = self.tables(self.cube).split("Table 5 from the published points")[1]
        found = dict()
        for name, ours, rank, theirs in re.findall(rf"(?m)^(ode\w+) +{NUMBER} (\d) +{NUMBER}$", text):
            self.assertAlmostEqual(float(ours), float(theirs), delta=0.0101)
            self.assertAlmostEqual(float(theirs), TABLE5[name], delta=1e-9)
            found[name] = int(rank)
        self.assertEqual(sorted(found, key=found.get)[:3], ["ode113", "ode45", "ode23"])
        self.assertEqual(set(found), set(TABLE5))

    def test_the_fit_says_how_far_it_goes_and_why(self):
        text = self.tables(self.cube, "--paper-fit")
        flat = " ".join(text.split())
        for words in ("nothing here is tuned", "DT at 1e-3 is reproduced", "IAE agrees in tendency only",
                      "DT at 1e-6 and 1e-9 cannot be reproduced under any reading", "sampling"):
            self.assertIn(words, flat)

    def fit(self, text, title):
        """(rms, constant, r) at each tolerance, as printed."""
        line = next(line for line in text.splitlines() if line.startswith(title + " "))
        return [tuple(map(float, v)) for v in re.findall(rf"{NUMBER} \( *{NUMBER}\) +{NUMBER}", line[16:])]

    def test_the_fit_is_the_rms_distance_and_correlation_of_what_it_prints(self):
        text = self.tables(self.cube, "--paper-fit")
        for k, title in enumerate(("SD, CPU time", "DT, never = end", "DT, never = 0", "IAE")):
            printed = self.fit(text, title)
            self.assertEqual(len(printed), 2)
            for t, tolerance in enumerate(("0.001", "1e-06")):
                lines = block(text, f"tolerance {tolerance}: ours / published")[2:]
                pairs = np.array([re.findall(rf"{NUMBER} */ *{NUMBER}", line)[k] for line in lines], dtype=float)
                self.assertEqual(pairs.shape, (14, 2))
                ours, theirs = pairs.T
                for value, wanted in zip(printed[t], (np.sqrt(np.mean((ours - theirs) ** 2)), np.std(theirs),
                                                      np.corrcoef(ours, theirs)[0, 1])):
                    self.assertAlmostEqual(value, wanted, delta=0.0101)

    def test_the_divergence_column_at_1e_3_is_the_papers(self):
        rms, constant, r = self.fit(self.tables(self.cube, "--paper-fit"), "DT, never = 0")[0]
        self.assertLess(rms, 5)
        self.assertGreater(rms, 0.5)
        self.assertGreater(constant, 10)
        self.assertGreater(r, 0.9)

    def test_many_cells_are_cut_off_unless_all_are_asked_for(self):
        rows = ", ".join(f"[{k}]" for k in range(1, 61))
        self.works("run", cli.DALLAS, "-q", "-o", "many.h5", *cli.sets(
            "t_end=1", "mesh=0.1", "solvers=[ode45]", "strategies=[switch]", "rtol=[1e-3]", "divergence={}",
            "timing.repeats=0", "cells={columns: [k], rows: [" + rows + "]}"))
        text = self.tables("many.h5")
        self.assertEqual(len(re.findall(r"(?m)^ +\d+ +1951 ", text)), 40)
        self.assertIn("\n  ..  20 more cells; --all prints them\n", text)
        self.assertEqual(len(re.findall(r"(?m)^ +\d+ +1951 ", self.tables("many.h5", "--all"))), 60)
        self.assertEqual(len(json.loads(self.tables("many.h5", "--json"))["stiffness"]), 60)

    def test_json_has_the_same_tables(self):
        told = json.loads(self.tables(self.cube, "--json", "--weights", "sd=2,iae=1"), parse_constant=self.fail)
        self.assertEqual([row["stiffness_ratio_printed"] for row in told["stiffness"]], list(PUBLISHED))
        with h5py.File(self.cube) as cube:
            self.assertEqual([row["stiffness_ratio"] for row in told["stiffness"]], list(cube["stiffness_ratio"][()]))
        sums = {name: self.sums(name) for name in ("points_solution_duration", "points_integral_absolute_error")}
        rows = {(p["rtol"], p["strategy"], p["solver"]): p for p in told["points"]}
        self.assertEqual(len(rows), 2 * 2 * 7)
        for t, tolerance in enumerate((1e-3, 1e-6)):
            for s, strategy in enumerate(("switch", "event")):
                for m, method in enumerate(METHODS):
                    row = rows[tolerance, strategy, method]
                    for name, values in sums.items():
                        self.assertAlmostEqual(row[name], values[t, s, m], delta=1e-9)
                    self.assertAlmostEqual(row["total"], 2 * row["points_solution_duration"] +
                                           row["points_integral_absolute_error"], delta=1e-9)

    def test_what_cannot_be_is_refused_in_one_line(self):
        for args, said in (((self.cube, "--json", "--paper-fit"), "not allowed with"), (("no.h5",), "no.h5"),
                           *(((self.cube, "--weights", text), "--weights") for text in
                             ("", "sd", "sd=", "sd=x", "sd=-1", "sd=nan", "up=1", "sd=0", "sd=1,,iae=1"))):
            done = self.script(*args)
            self.assertEqual((done.returncode, done.stdout), (2, ""), args)
            self.assertIn(said, done.stderr.splitlines()[-1])

    def test_the_program_prints_the_same_sums(self):
        text, short = self.tables(self.cube), self.works("tables", self.cube)
        self.assertIn("total = 2 SD + 0 DT + 1 IAE", short)
        lines = [line.split() for line in short[short.index("\nstrategy "):].splitlines()[2:]]
        self.assertEqual(len(lines), 2 * 2 * 7)
        for strategy, rtol, solver, *sums in lines:
            row = next(line for line in block(text, f"{strategy}, tolerance {float(rtol):g}") if line.startswith(solver + " "))
            self.assertEqual([pair[0] for pair in re.findall(r" +([\d.]+) +([123-])", row[8:])], sums[:5])
            self.assertAlmostEqual(float(sums[5]), 2 * float(sums[0]) + float(sums[4]), delta=0.0251)
        for weights in ("sd=2,iae=1", "dt=3", "iae=0.5"):
            ours, theirs = (json.loads(told, parse_constant=self.fail) for told in
                            (self.works("tables", self.cube, "--json", "--weights", weights),
                             self.tables(self.cube, "--json", "--weights", weights)))
            for name in ("title", "model", "cells", "weights"):
                self.assertEqual(ours[name], theirs[name])
            self.assertEqual(ours["points"], [{name: row[name] for name in ours["points"][0]} for row in theirs["points"]])

    def test_what_a_cube_says_of_itself_does_no_harm_to_a_terminal(self):
        shutil.copy(self.cube, self.folder / "red.h5")
        with cli.edited(self.folder / "red.h5") as cube:
            cube.attrs["title"] = "red \x1b[31m\x07"
            names = cube["solver"][()]
            names[1] = np.frombuffer(b"ode\x1b[2J", dtype="S1")
            held = cube["solver"].id  # as netCDF keeps characters: numpy's own would be cut to none
            held.write(h5py.h5s.ALL, h5py.h5s.ALL, names, mtype=held.get_type())
        for option in ((), ("--paper-fit",), ("--json",)):
            text = self.tables("red.h5", *option)
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f]", option)
            self.assertIn("red ?[31m?", text)

    def test_what_was_not_timed_is_not_summed(self):
        self.works("run", cli.DALLAS, "-q", "-o", "untimed.h5", *cli.sets(*cli.SHORT))
        lines = block(self.tables("untimed.h5"), "switch, tolerance 0.001")[2:]
        for line in lines:
            self.assertEqual(line.split()[1], "n/a")
            self.assertGreater(float(line.split()[2]), 13)
        for weights, total in (("sd=2,iae=1", "n/a"), ("sd=0,iae=1", None)):
            lines = self.works("tables", "untimed.h5", "--weights", weights).splitlines()[4:]
            self.assertEqual(len(lines), 2 * 2 * 7)
            for line in lines:
                _, _, _, duration, evaluations, _, _, error, weighed = line.split()
                self.assertEqual((duration, weighed), ("n/a", total or error))
                self.assertGreater(float(evaluations), 13)

    def made_up(self, spread, busy=1):
        """A cube in which method m takes m + 1 seconds everywhere: 10, 8.5, .. 1 points, `spread` [7] seconds."""
        shutil.copy(self.cube, self.folder / "made_up.h5")
        seconds = np.arange(1.0, 8.0)
        with cli.edited(self.folder / "made_up.h5") as cube:
            cube["outcome"][...] = 0
            cube["solution_duration"][...] = seconds
            cube["points_solution_duration"][...] = 1 + 9 * (seconds.max() - seconds) / np.ptp(seconds)
            cube["solution_duration_spread"][...] = spread
            cube["points_integral_absolute_error"][...] = 5
            cube["cell_wall_seconds"][...] = busy * cube["cell_seconds"][...]
        return self.tables("made_up.h5")

    def test_sums_within_their_spread_share_a_rank(self):
        """Neighbours are 13 * 1.5 = 19.5 points apart; the spread of the sum is 19.5 times that of the seconds."""
        for spread, ranks in (((1.1, 0.1, 0, 0, 0, 0, 0), ["1=", "1=", "3", "-", "-", "-", "-"]),
                              ((0.1, 0.1, 1.1, 0, 0, 0, 0), ["1", "2=", "2=", "3", "-", "-", "-"]),
                              ((0.1, 2.1, 0.1, 0, 0, 0, 0), ["1=", "1=", "2", "3", "-", "-", "-"]),
                              ((0.9,) * 7, ["1", "2", "3", "-", "-", "-", "-"]),
                              ((9,) * 7, ["1="] * 7)):
            text = self.made_up(spread)
            self.assertIn("=  sums that differ by no more than that share a rank", text)
            for heading, weight, constant in (("event, tolerance 1e-06", 1, 0), ("Table 5: p_tot", 2, 65)):
                rows = block(text.split("\n" + heading)[1], "ode23")
                self.assertEqual(len(rows), 7)
                for m, row in enumerate(rows):
                    points, noise, rank = re.match(r"ode\w+ +([\d.]+) \+- ([\d.]+) +(\S+)", row).groups()
                    self.assertAlmostEqual(float(points), weight * 13 * (10 - 1.5 * m) + constant, delta=0.0051)
                    self.assertAlmostEqual(float(noise), weight * 19.5 * spread[m], delta=0.0051)
                    self.assertEqual(rank, ranks[m], (spread, row))
            told = json.loads(self.tables("made_up.h5", "--json"), parse_constant=self.fail)["points"][-7:]
            for name, weight in (("points_solution_duration", 1), ("total", 2)):
                places = [p["rank"][name] for p in told]
                shown = [f"{k}{'=' * (places.count(k) > 1)}" if k <= 3 else "-" for k in places]
                self.assertEqual(shown, ranks)
                for m, row in enumerate(told):
                    self.assertAlmostEqual(row["spread"][name], weight * 19.5 * spread[m], delta=1e-9)

    def test_a_busy_machine_is_named(self):
        spread = (0.1,) * 7
        self.assertIn("busy machine: the runs took 2.0 times as long by the clock", self.made_up(spread, 2))
        told = json.loads(self.tables("made_up.h5", "--json"))
        self.assertAlmostEqual(told["wall_over_cpu_time"], 2, delta=1e-9)
        self.assertNotIn("busy", self.made_up(spread, 1.2))

    def test_without_spreads_only_equal_sums_are_tied(self):
        text = self.made_up((math.nan,) * 7)
        self.assertNotIn("+-", text)
        rows = block(text, "switch, tolerance 0.001")[2:]
        self.assertEqual([row.split()[2] for row in rows], ["1", "2", "3", "-", "-", "-", "-"])
        self.assertEqual([row.split()[-1] for row in rows], ["1="] * 7)  # IAE: all the same
        told = json.loads(self.tables("made_up.h5", "--json"))["points"]
        self.assertEqual([p["spread"] for p in told], [{}] * len(told))
        with cli.edited(self.folder / "made_up.h5") as cube:  # as it was before there were spreads
            del cube["solution_duration_spread"], cube["cell_wall_seconds"]
        self.assertEqual(self.tables("made_up.h5"), text)


cli.main()
