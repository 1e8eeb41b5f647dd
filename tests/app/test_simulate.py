"""Results of `saltus simulate` from the measured times of a cube."""
import csv
import io
import json

import cli
import h5py

GRID = cli.sets(*cli.SHORT, "t_end=2", "solvers=[ode45]",
                "cells={axes: [{name: b, log: [600, 30000], points: 40}, {name: f, log: [0.01, 0.3], points: 16}]}")
LOSSES = ("counter", "chunks", "answers", "journal", "tail", "leave", "turns", "start", "read", "write", "map", "remove")
FAST = ("--bandwidth", "1e9TB/s", "--open", 0, "--startup", 0)


class Simulate(cli.InFolder):
    def setUp(self):
        super().setUp()
        self.works("run", cli.DALLAS, "-q", "--no-map", "-o", "cube.h5", *GRID)

    def measured(self, times):
        """Puts these times [s] in place of the measured ones."""
        with cli.edited(self.folder / "cube.h5") as cube:
            cube["cell_seconds"][...] = times

    def simulate(self, *args, **more):
        return json.loads(self.works("simulate", "cube.h5", "--json", *args, **more))

    def test_the_work_is_that_of_the_cube_and_no_time_is_lost(self):
        with h5py.File(self.folder / "cube.h5") as cube:
            seconds = cube["cell_seconds"][...]
        got = self.simulate("--ranks", "1,4,100,3000", "--ranks-per-node", 8, "--scale", 7)
        self.assertEqual((got["cells"], got["scale"]), (640, 7))
        self.assertTrue(sum(seconds) > 0)
        self.assertAlmostEqual(got["cpu_seconds"] / sum(seconds), 1, places=9)
        self.assertEqual([run["nodes"] for run in got["runs"]], [1, 1, 13, 375])
        for run in got["runs"]:
            self.assertAlmostEqual(run["busy"] / sum(seconds) / 7, 1, places=9)
            total = run["busy"] + sum(run[loss] for loss in LOSSES)
            self.assertAlmostEqual(total / (run["wall"] * run["ranks"]), 1, places=9)
            self.assertAlmostEqual(run["efficiency"] * run["wall"] * run["ranks"] / run["busy"], 1, places=9)

    def test_equal_cells_fill_the_ranks(self):
        self.measured(1)
        free = ("--counter", 0, "--answer", 0, "--order", 0, *FAST)
        one, two, all_of_them = self.simulate("--ranks", "1,2,640", *free)["runs"]
        self.assertAlmostEqual(one["wall"], 640, delta=0.1)  # the cube is written
        self.assertAlmostEqual(two["wall"], 320, delta=16)
        self.assertGreaterEqual(two["wall"], 320)
        self.assertEqual((one["breaks"], all_of_them["tiles"]), ("-", 640))
        half = self.simulate("--ranks", 1, "--threads", 2, *free)["runs"][0]
        self.assertAlmostEqual(half["wall"], 320, delta=0.1)

    def test_it_says_where_it_breaks(self):
        self.measured(1)
        self.assertEqual(self.simulate("--ranks", 2000, *FAST)["runs"][0]["breaks"], "cells")
        cases = {"counter": ("--counter", "10s", "--ranks", 64), "answers": ("--answer", "900s", "--ranks", 1),
                 "write": ("--bandwidth", "1000B/s", "--ranks", 4), "start": ("--startup", "1000s", "--ranks", 2),
                 "read": ("--network", "1B/s", "--ranks", 64, "--no-map"),
                 "chunks": ("--answer", "20s", "--ranks", 64, "--ranks-per-node", 1)}
        for word, args in cases.items():
            self.assertEqual(self.simulate(*args)["runs"][0]["breaks"], word)
        self.measured(639 * [1e-3] + [1e4])
        self.assertEqual(self.simulate("--ranks", 16)["runs"][0]["breaks"], "heaviest")
        self.measured([1e4] + 639 * [1e-3])  # now the leader has it, and hands out nothing meanwhile
        self.assertEqual(self.simulate("--ranks", 16)["runs"][0]["breaks"], "chunks")

    def test_text_json_and_csv_agree_and_stay_the_same(self):
        args = ("simulate", "cube.h5", "--ranks", "3,50", "--ranks-per-node", 10)
        text, table = self.works(*args), self.works(*args, "--csv")
        self.assertEqual((text, table), (self.works(*args), self.works(*args, "--csv")))
        rows = list(csv.DictReader(io.StringIO(table)))
        runs = self.simulate(*args[2:])["runs"]
        self.assertEqual([row["ranks"] for row in rows], ["3", "50"])
        for row, run in zip(rows, runs):
            self.assertEqual((float(row["wall_s"]), row["breaks"]), (run["wall"], run["breaks"]))
            self.assertEqual([float(row[f"{loss}_s"]) for loss in LOSSES], [run[loss] for loss in LOSSES])
            self.assertRegex(text, rf"(?m)^ +{run['ranks']} +{run['nodes']} +{run['tiles']} +{run['wall']:.4g} ")

    def test_bad_input_is_refused(self):
        for args, says in ((("--ranks", "4,x"), ("--ranks", "'x'", "from 1 to")), (("--ranks", "0"), ("'0'",)),
                           (("--ranks", "4,"), ("--ranks", "''")), (("--scale", "0"), ("--scale", "'0'")),
                           (("--scale", "999999999"), ("--scale", "640 cells")),
                           (("--latency", "2"), ("--latency", "no unit", "us")),
                           (("--latency", "2 min"), ("--latency", "'min'", "ms")),
                           (("--latency", "-2us"), ("--latency", "-2us")),
                           (("--bandwidth", "0GB/s"), ("--bandwidth", "above 0")),
                           (("--ranks-per-node", "1.5"), ("--ranks-per-node", "'1.5'")),
                           (("--json", "--csv"), ("not both",)), (("more.h5",), ("one cube",))):
            self.refused("simulate", "cube.h5", *args, says=says)
        self.refused("simulate", "none.h5", says=("none.h5",), code=4)

    def test_times_that_are_missing_are_counted(self):
        self.measured(639 * [1] + [float("nan")])
        self.refused("simulate", "cube.h5", says=("1 of its 640 cells", "cell_seconds"))
        self.measured(0)
        self.refused("simulate", "cube.h5", says=("took no time",))


cli.main()
