"""The predictions of `saltus plan`, against the run."""
import json
import os
import pathlib
import resource
import sys
import types

import cli
import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
import bill  # noqa: E402

CONTACTS = os.path.join(cli.SWEEPS, "contacts.yaml")
SOME = cli.sets("t_end=20", "rtol=[1e-3,1e-6]", "divergence={}", "timing.repeats=2")


class Plan(cli.InFolder):
    def plan(self, *args):
        """The plan of one run, with what stands above it."""
        plan = json.loads(self.works("plan", *args, "--json", threads=1))
        run, = plan.pop("runs")
        return plan | run

    def test_counts_are_those_of_the_sweep(self):
        plan = self.plan(CONTACTS, "--sample", 0)
        self.assertEqual([(a["name"], a["kind"], a["points"]) for a in plan["axes"]],
                         [("n", "log", 7), ("z_th", "random", 4)])
        self.assertEqual((plan["cells"], plan["configs"], plan["trajectories"]), (28, 48, 1344))
        self.assertEqual(self.plan(CONTACTS, "--sample", 0, "--set", "solvers=[ode45]")["trajectories"], 336)
        self.assertNotIn("seconds", plan)
        self.assertEqual([*self.files()], [])

    def compare(self):
        """Predicted and spent CPU time of a whole sweep."""
        plan = self.plan(cli.DALLAS, *SOME, "--sample", 60)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.works("run", cli.DALLAS, "-q", "-f", "-o", "out.h5", *SOME, threads=1)
        self.assertEqual((plan["sampled_cells"], plan["uncertainty"]), (13, 0))
        self.assertTrue(0 <= plan["sample_waited"] < 1)  # a core that others had, too, is measured less well
        spread = (0.05 + 0.5 * plan["sample_waited"]) * plan["compute_seconds"]
        self.assertAlmostEqual(plan["seconds_high"] - plan["seconds"], spread, delta=1e-6)
        return plan["cpu_seconds"], resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    def test_the_time_is_that_of_the_run(self):
        for _ in range(10):  # a busy machine disturbs the clocks, but not each time
            told, spent = self.compare()
            if 0.5 < told / spent < 2:
                return
        self.fail(f"predicted {told} s, spent {spent} s")

    # Cells whose cost does not follow from their number: the last axis runs fastest, and decides it.
    DEAR = cli.sets("cells={axes: [{name: b, log: [1000, 2000], points: 8}, {name: m1, log: [1, 2], points: 8}, "
                    "{name: k, log: [1, 480], points: 16}]}", "t_end=8", "mesh=0.01", "solvers=[ode45, ode23s]",
                    "rtol=[1e-3, 1e-6]", "divergence={}", "timing.repeats=0")

    def test_a_sample_tells_how_far_it_can_be_trusted(self):
        for _ in range(3):  # as above
            plan = self.plan(cli.DALLAS, *self.DEAR, "--sample", 0.3)
            self.assertTrue(0 < plan["sampled_cells"] < 1024, plan)
            self.assertTrue(0 < plan["uncertainty"] < 1, plan)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.works("run", cli.DALLAS, "-q", "-f", "--no-map", "-o", "out.h5", *self.DEAR, threads=1)
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            if abs(plan["cpu_seconds"] / spent - 1) < 0.4 + plan["uncertainty"]:
                return
        self.fail(f"predicted {plan}, spent {spent} s")

    def test_one_tile_tells_no_uncertainty_or_a_wide_one(self):
        narrow = (*self.DEAR, *cli.sets("width=1"))
        self.assertIsNone(self.plan(cli.DALLAS, *narrow, "--sample", 1e-6)["uncertainty"])
        self.assertIn(" or so with ", self.works("plan", cli.DALLAS, *narrow, "--sample", 1e-6, threads=1))
        self.assertRegex(self.works("plan", cli.DALLAS, *narrow, "--sample", 0.3, threads=1),
                         r"time +[\d.]+ \w+, [\d.]+-[\d.]+ (s|min) with ")

    def test_disk_has_room_for_journals_too(self):
        pairs = cli.sets(*cli.SHORT, "cells={axes: [{name: b, linear: [100, 2000], points: 400}]}")
        plan = self.plan(cli.DALLAS, "--sample", 2, *pairs)
        for part in ("1/2", "2/2"):
            self.works("run", cli.DALLAS, "-q", "--part", part, "-o", "out.h5", *pairs)
        journals = sum(len(data) for name, data in self.files().items() if name.startswith("out.h5.journal"))
        self.assertTrue(0.9 < plan["journal_bytes"] / journals < 1.1, (plan, journals))
        self.assertEqual(plan["disk_bytes"], plan["cube_bytes"] + plan["map_bytes"] + plan["journal_bytes"] + plan["stored_bytes"])

    def test_the_bill_is_that_of_the_calls(self):
        pairs = cli.sets(*cli.SHORT, "cells={axes: [{name: b, linear: [100, 2000], points: 400}]}")
        phases = {phase["name"]: phase for phase in self.plan(cli.DALLAS, "--sample", 2, "--ranks", 2, *pairs)["phases"]}
        here = types.SimpleNamespace(ranks=2, build=pathlib.Path(cli.SALTUS).parent)
        calls = bill.traced(here, self.folder, "run", cli.DALLAS, "-q", "-o", self.folder / "out.h5", *pairs)
        self.assertTrue(0.9 < phases["journal"]["bytes"] / calls["journal", "written", "bytes"] < 1.1, (phases, calls))
        self.assertTrue(0.8 < phases["journal"]["requests"] / calls["journal", "written", "requests"] < 1.2, (phases, calls))
        self.assertEqual(phases["journal"]["files"], 2)  # one for both ranks, and its folder
        self.assertEqual(calls["journal", "files"], 2)  # made, and opened to see that it may be removed
        self.assertLessEqual(calls["journal", "read", "bytes"], 8)  # is it ours?
        self.assertTrue(0.5 < (phases["write"]["files"] - 2 + phases["map"]["files"]) / calls["cube", "files"] < 2, (phases, calls))

    def test_the_size_is_that_of_the_cube(self):
        for pairs in (cli.SHORT, (*cli.SHORT, "cells={axes: [{name: b, linear: [100, 200], points: 400}]}", "t_end=1")):
            self.works("run", cli.DALLAS, "-q", "-f", "--no-map", "-o", "out.h5", *cli.sets(*pairs))
            told = self.plan(cli.DALLAS, *cli.sets(*pairs), "--sample", 0)["cube_bytes"]
            self.assertTrue(0.9 < told / os.path.getsize(self.folder / "out.h5") < 1.1, (pairs, told))

    def test_workers_share_the_time_and_ranks_the_memory(self):
        grid = cli.sets("cells={axes: [{name: b, log: [100,10000], points: 8000}]}", "t_end=1", "solvers=[ode45]",
                        "rtol=[1e-3]", "divergence={}", "timing.repeats=0")
        one, many = (self.plan(cli.DALLAS, *grid, "--sample", 0.01, "--ranks", ranks, "--threads", 2)
                     for ranks in (1, 4))
        for plan in (one, many):
            self.assertTrue(0 < plan["sampled_cells"] < 20000, plan)
            self.assertAlmostEqual(plan["cpu_seconds"] / plan["ranks"] / 2, plan["compute_seconds"],
                                   delta=1e-4 * plan["compute_seconds"])
        self.assertLess(many["other_bytes"], one["other_bytes"])

    def test_the_bill_has_all_phases_and_follows_the_machine(self):
        def phases(*args):
            plan = self.plan(cli.DALLAS, "--sample", 0, "--ranks", 256, *args)
            return plan, {phase["name"]: phase for phase in plan["phases"]}

        plan, at = phases()
        self.assertEqual([*at], ["start", "compute", "journal", "write", "map"])
        self.assertIsNone(at["compute"]["seconds"])
        self.assertEqual(at["journal"]["bytes"], plan["journal_bytes"])
        self.assertAlmostEqual(at["write"]["message_bytes"], plan["journal_bytes"] * 255 / 256, delta=1)
        self.assertEqual(at["write"]["bytes"], plan["cube_bytes"])  # ranks have the journals in memory
        for memory in ("rank0_bytes", "other_bytes"):
            self.assertEqual(plan[memory], max(phase[memory] for phase in at.values()))
        _, slow = phases("--bandwidth", "1000B/s")
        self.assertAlmostEqual(slow["write"]["seconds"] - at["write"]["seconds"], at["write"]["bytes"] / 1000,
                               delta=1e-3 * at["write"]["bytes"] / 1000)
        _, thin = phases("--network", "1000B/s")
        self.assertAlmostEqual(thin["write"]["seconds"] - at["write"]["seconds"], plan["journal_bytes"] / 1000 / 4,
                               delta=0.01 * plan["journal_bytes"] / 1000 / 4)  # four nodes
        _, far = phases("--open", "2s", "--startup", "7s", "--ranks-per-node", 1, "--no-map")
        self.assertEqual(far["start"]["seconds"], 7 * 9)
        self.assertEqual(far["journal"]["files"], 256 + 3)
        self.assertEqual(far["write"]["files"], 12 + 256 + 256 + 3)  # the frame, the cube on each node, journals removed
        fast = phases("--open", 0, "--ranks-per-node", 1, "--no-map")[1]
        self.assertAlmostEqual(far["write"]["seconds"] - fast["write"]["seconds"], 2 * far["write"]["files"], delta=1e-6)
        self.assertEqual((at["map"]["bytes"] > 0, far["map"]["bytes"]), (True, 0))

    def test_requests_wait_for_the_disk_and_ranks_share_them(self):
        def phases(*args):
            return {phase["name"]: phase for phase in self.plan(cli.DALLAS, "--sample", 0, *args)["phases"]}

        one, four = phases("--ranks", 4), phases("--ranks", 4, "--request", "2s")
        for name in ("journal", "write", "map"):
            self.assertGreater(four[name]["requests"], 0, name)
            self.assertAlmostEqual(four[name]["seconds"] - one[name]["seconds"], 2 * four[name]["requests"] / 4, delta=1e-6)

    def test_several_numbers_of_ranks_have_a_run_each(self):
        args = (cli.DALLAS, "--sample", 0)
        every = json.loads(self.works("plan", *args, "--ranks", "1,8", "--json", threads=1))
        top = {name: value for name, value in every.items() if name != "runs"}
        for ranks, run in zip((1, 8), every["runs"], strict=True):
            self.assertEqual(self.plan(*args, "--ranks", ranks), top | run)
        self.assertRegex(self.works("plan", *args, "--ranks", "1,8"), r"(?s)ranks +time +busy % .*\n +1 .*\n +8 ")

    def test_all_shipped_sweeps_have_a_plan(self):
        sweeps = sorted(pathlib.Path(cli.DALLAS).parent.glob("*.yaml"))
        self.assertGreater(len(sweeps), 10)
        for sweep in sweeps:
            with self.subTest(sweep.name):
                self.works("plan", sweep, "--sample", 0)

    def test_a_layout_that_does_not_fit_is_named_with_one_that_does(self):
        large = ("--ranks", 256, "--ranks-per-node", 64, "--threads", 1, "--sample", 0)
        plan = self.plan(cli.DALLAS, *large, "--memory", "1TB")
        self.assertNotIn("fitting", plan)
        self.assertAlmostEqual(plan["node_bytes"], plan["rank0_bytes"] + 63 * plan["other_bytes"], delta=1)
        less = self.plan(cli.DALLAS, *large, "--memory", f"{plan['node_bytes'] / 2.8:.0f}B")
        fits = less["fitting"]
        self.assertEqual((fits["ranks"], fits["ranks_per_node"], fits["threads"]), (64, 16, 4))
        self.assertLessEqual(fits["node_bytes"], less["node_memory"])
        again = self.plan(cli.DALLAS, "--ranks", 64, "--ranks-per-node", 16, "--threads", 4, "--sample", 0, "--memory", "1TB")
        self.assertEqual(again["node_bytes"], fits["node_bytes"])
        self.assertIsNone(self.plan(cli.DALLAS, *large, "--memory", "1MB")["fitting"])
        text = self.works("plan", cli.DALLAS, *large, "--memory", "1MB")
        self.assertIn("too much: 64 ranks of a node take ", text)
        self.assertIn("it has 1.0 MB; one rank a node does not fit, either\n", text)

    def test_more_threads_than_cores_take_turns(self):
        grid = ("--sample", 0.01, "--ranks", 8, "--threads", 2, "--ranks-per-node", 4)
        plan = self.plan(cli.DALLAS, *grid, "--cores-per-node", 2)
        self.assertAlmostEqual(plan["compute_seconds"] / (plan["cpu_seconds"] / 16), 4, places=3)
        self.refused("plan", cli.DALLAS, "--memory", "5", says=("--memory", "5"))

    def test_memory_is_about_that_of_the_run(self):
        grid = cli.sets("cells={axes: [{name: b, log: [100,10000], points: 20000}]}", "t_end=0.1", "solvers=[ode45]",
                        "rtol=[1e-3]", "divergence={}", "timing.repeats=0")
        plan = self.plan(cli.DALLAS, *grid, "--sample", 0, "--threads", 1, "--no-map")
        self.works("run", cli.DALLAS, "-q", "--no-map", "-o", "out.h5", *grid, threads=1)
        used = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # of the largest so far
        self.assertTrue(0.7 < plan["rank0_bytes"] / used < 1.4, (plan, used))

    def test_the_text_has_it_all(self):
        text = self.works("plan", CONTACTS, "--sample", 0, "--ranks", 2)
        for words in ("contacts.yaml: the plate on 2 to 128 springs", "plate, contacts: 128",
                      "axes         n                 7 points, log 2 .. 128\n",
                      "             z_th              4 points, random 2 .. 3, -0.1 .. 0.1\n",
                      "cells        7 x 4 = 28\n", "4 solvers x 4 strategies x 3 tolerances = 48\n",
                      "trajectories 1344\n", " kB, its map ", " while it runs: all that and ", " kB of journals\n",
                      " MB of rank 0\n", " MB of each other rank\n", "  start       500 ms ", "  compute          - "):
            self.assertIn(words, text)
        text = self.works("plan", CONTACTS, *cli.sets("t_end=0.1", "max_step=0", "timing.repeats=0"), "--sample", 0.01,
                          "--ranks", 4096, "--threads", 1)
        for words in ("time ", "with 4096 ranks x 1 thread", "of one core", "the time is that of 4096 like them"):
            self.assertIn(words, text)

    def test_words_that_are_no_numbers_are_refused(self):
        for option, value in (("--ranks", "0"), ("--ranks", "two"), ("--ranks", "4,x"), ("--threads", "-1"), ("--sample", "-1"),
                              ("--sample", "nan"), ("--ranks", "1e9"), ("--bandwidth", "3"), ("--open", "-1s")):
            self.refused("plan", CONTACTS, option, value, says=(option, value.split(",")[-1]))
        for args, says in (((CONTACTS, "--scale", 2), "a cube alone takes --scale"), ((CONTACTS, "--ranks", "4,"), "''")):
            self.refused("plan", *args, says=(says,))


GRID = cli.sets(*cli.SHORT, "t_end=2", "solvers=[ode45]",
                "cells={axes: [{name: b, log: [600, 30000], points: 40}, {name: f, log: [0.01, 0.3], points: 16}]}")
LOSSES = ("counter", "chunks", "answers", "journal", "tail", "leave", "turns", "start", "write", "map")
FAST = ("--bandwidth", "1e9TB/s", "--open", 0, "--startup", 0)


class PlanOfCube(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.works("run", cli.DALLAS, "-q", "--no-map", "-o", "cube.h5", *GRID)

    def measured(self, times):
        """Puts these times [s] in place of the measured ones."""
        with cli.edited(self.folder / "cube.h5") as cube:
            cube["cell_seconds"][...] = times

    def runs(self, *args, **more):
        return json.loads(self.works("plan", "cube.h5", "--json", *args, **more))

    def test_the_work_is_that_of_the_cube_and_no_time_is_lost(self):
        with h5py.File(self.folder / "cube.h5") as cube:
            seconds = cube["cell_seconds"][...]
        got = self.runs("--ranks", "1,4,100,3000", "--ranks-per-node", 8, "--scale", 7)
        self.assertEqual((got["cells"], got["scale"]), (640, 7))
        self.assertTrue(sum(seconds) > 0)
        self.assertAlmostEqual(got["cpu_seconds"] / sum(seconds), 1, places=9)
        self.assertEqual([run["nodes"] for run in got["runs"]], [1, 1, 13, 375])
        for run in got["runs"]:
            self.assertAlmostEqual(run["busy_seconds"] / sum(seconds) / 7, 1, places=9)
            total = run["busy_seconds"] + sum(run["lost"][loss] for loss in LOSSES)
            self.assertAlmostEqual(total / (run["seconds"] * run["ranks"]), 1, places=9)
            journal, = (phase["seconds"] for phase in run["phases"] if phase["name"] == "journal")
            self.assertEqual(journal, 0)  # the schedule has it
            others = min(run["ranks"], 8) - 1
            self.assertAlmostEqual(run["node_bytes"], run["rank0_bytes"] + others * run["other_bytes"], delta=1)
            self.assertAlmostEqual(run["efficiency"] * run["seconds"] * run["ranks"] / run["busy_seconds"], 1, places=9)

    def test_equal_cells_fill_the_ranks(self):
        self.measured(1)
        free = ("--latency", 0, *FAST)
        one, two, all_of_them = self.runs("--ranks", "1,2,640", *free)["runs"]
        self.assertAlmostEqual(one["seconds"], 640, delta=0.1)  # the cube is written
        self.assertAlmostEqual(two["seconds"], 320, delta=16)
        self.assertGreaterEqual(two["seconds"], 320)
        self.assertEqual((one["bottleneck"], all_of_them["tiles"]), ("-", 640))
        half = self.runs("--ranks", 1, "--threads", 2, *free)["runs"][0]
        self.assertAlmostEqual(half["seconds"], 320, delta=0.1)

    def test_the_bottleneck_is_named(self):
        self.measured(1)
        self.assertEqual(self.runs("--ranks", 2000, *FAST)["runs"][0]["bottleneck"], "cells")
        cases = {"write": ("--bandwidth", "1000B/s", "--ranks", 4), "start": ("--startup", "1000s", "--ranks", 2),
                 "turns": ("--cores-per-node", 1, "--ranks", 4, *FAST), "leave": ("--latency", "900s", "--ranks", 2, "--ranks-per-node", 1)}
        for word, args in cases.items():
            self.assertEqual(self.runs(*args)["runs"][0]["bottleneck"], word)
        self.measured(639 * [1e-3] + [1e4])
        self.assertEqual(self.runs("--ranks", 16)["runs"][0]["bottleneck"], "heaviest")
        self.measured([1e4] + 639 * [1e-3])  # now the leader has it, and hands out nothing meanwhile
        self.assertEqual(self.runs("--ranks", 16)["runs"][0]["bottleneck"], "chunks")

    def test_text_and_json_agree_and_stay_the_same(self):
        args = ("plan", "cube.h5", "--ranks", "3,50", "--ranks-per-node", 10)
        text = self.works(*args)
        self.assertEqual(text, self.works(*args))
        for run in self.runs(*args[2:])["runs"]:
            shares = [run["lost"][loss] / run["seconds"] / run["ranks"] for loss in LOSSES]
            words = " +".join(f"{100 * share:.1f}" for share in (run["efficiency"], *shares)).replace(" +", " [|]? *", 1)
            self.assertRegex(text, rf"(?m)^ +{run['ranks']} +[\d.]+ m?s +{words} .* {run['bottleneck']}$")
        one = self.works(*args, "--ranks", 3)
        self.assertRegex(one, r"(?m)^time  .* with 3 ranks x 1 thread$")
        self.assertRegex(one, r"(?m)^  write  ")

    def test_bad_input_is_refused(self):
        for args, says in ((("--ranks", "4,x"), ("--ranks", "'x'", "from 1 to")), (("--ranks", "0"), ("'0'",)),
                           (("--ranks", "4,"), ("--ranks", "''")), (("--scale", "0"), ("--scale", "'0'")),
                           (("--scale", "999999999"), ("--scale", "640 cells")),
                           (("--latency", "2"), ("--latency", "no unit", "us")),
                           (("--latency", "2 min"), ("--latency", "'min'", "ms")),
                           (("--latency", "-2us"), ("--latency", "-2us")),
                           (("--bandwidth", "0GB/s"), ("--bandwidth", "above 0")),
                           (("--ranks-per-node", "1.5"), ("--ranks-per-node", "'1.5'")),
                           (("--set", "t_end=1"), ("--set",)), (("--sample", 1), ("--sample",)), (("--csv",), ("--csv",)),
                           (("more.h5",), ("one sweep file",))):
            self.refused("plan", "cube.h5", *args, says=says)
        os.mkfifo(self.folder / "pipe")  # that nothing writes to
        self.refused("plan", "pipe", says=("pipe: is a pipe",))
        self.refused("plan", "none.h5", says=("none.h5",), code=4)

    def test_times_that_are_missing_are_counted(self):
        self.measured(639 * [1] + [float("nan")])
        self.refused("plan", "cube.h5", says=("1 of its 640 cells", "cell_seconds"))
        self.measured(0)
        self.refused("plan", "cube.h5", says=("took no time",))


cli.main()
