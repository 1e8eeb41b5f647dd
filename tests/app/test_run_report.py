"""The table at the end of `saltus run`: where the time of each rank went."""
import os
import re

import h5py

import cli

COLUMNS = ("busy", "cpu", "waiting", "io", "tiles", "cells", "lanes")
GRID = "cells={axes: [{columns: [b, m1, k, f], points: 60, random: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}"


class RunReport(cli.InFolder):
    def report(self, *pairs, args=(), **more):
        done = self.saltus("run", cli.DALLAS, "-f", "-o", "out.h5", *args, *cli.sets(*cli.SHORT, GRID, *pairs), **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.said = done.stderr
        rows = re.findall(r"(?m)^ *(\d+|all)((?: +\d+\.\d\d){4}(?: +\d+){2} +\d+\.\d)$", done.stderr)
        return {name: dict(zip(COLUMNS, map(float, rest.split()))) for name, rest in rows}

    def test_each_rank_has_a_line_and_they_add_up(self):
        for threads in (1, 2):
            table = self.report(ranks=3, threads=threads)
            self.assertEqual([*table], ["0", "1", "2", "all"], self.said)
            everybody = table.pop("all")
            for name in COLUMNS[:-1]:
                self.assertAlmostEqual(sum(row[name] for row in table.values()), everybody[name], delta=0.021)
            self.assertEqual(everybody["cells"], 60)
            self.assertGreaterEqual(everybody["tiles"], 6)
            wall = float(re.search(r"wrote out.h5 in (\d+\.\d) s", self.said)[1])
            for row in table.values():
                self.assertLessEqual(row["cpu"], threads * row["busy"] + 0.03)
                self.assertLessEqual(row["busy"] + row["waiting"] + row["io"], wall + 0.1)
                if row["cells"] >= 10:
                    self.assertGreater(row["cpu"], 0)
            self.assertGreater(everybody["cpu"], 0)

    def test_the_imbalance_is_that_of_the_lines(self):
        for _ in range(10):  # on a busy machine one of them may do it all
            table = self.report("t_end=44", ranks=2, threads=1)
            if min(table[rank]["busy"] for rank in "01") > 0.05 < min(table[rank]["cpu"] for rank in "01"):
                break
        said = re.search(r"imbalance (\d+\.\d) % of the busy time, (\d+\.\d) % of the CPU time", self.said)
        for name, percent in zip(("busy", "cpu"), said.groups()):
            one, two = (table[rank][name] for rank in "01")
            self.assertGreater(min(one, two), 0.05)
            slack = 200 * 0.011 / min(one, two)  # figures of the table end at the hundredth
            self.assertAlmostEqual(float(percent), 100 * (2 * max(one, two) / (one + two) - 1), delta=slack)

    def test_one_rank_has_no_imbalance(self):
        table = self.report(threads=1)
        self.assertEqual([*table], ["0"])
        self.assertNotIn("imbalance", self.said)
        self.assertEqual((table["0"]["cells"], table["0"]["waiting"]), (60, 0))

    def test_lanes_are_full_at_width_1_only(self):
        self.assertEqual(self.report("width=1", threads=1)["0"]["lanes"], 100)
        self.assertTrue(30 < self.report("width=4", threads=1)["0"]["lanes"] < 100)

    def test_ranks_of_a_node_share_its_cores(self):
        cores = len(os.sched_getaffinity(0))
        for ranks in (1, cores, cores + 1):
            self.report(ranks=ranks, threads=None)
            with h5py.File(self.folder / "out.h5") as cube:
                self.assertEqual(cube.attrs["threads"], max(1, cores // ranks))

    def test_quiet_is_quiet(self):
        self.assertEqual(self.report(args=["-q"], ranks=2), {})
        self.assertEqual(self.said, "")


cli.main()
