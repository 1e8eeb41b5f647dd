"""A cube as a table of trajectories, from a made-up cube.

Called as test_table.py ANALYSIS.
"""

import csv
import gzip
import os
import re
import sys
import tempfile
import types
import unittest

import h5py
import numpy as np

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)

import made_up  # noqa: E402 (the folder is known only now)
import script  # noqa: E402
import table  # noqa: E402
import written  # noqa: E402

DIMS = ("cell", "rtol", "strategy", "solver")
ERROR, OTHER = list(made_up.POINTS)[:2]
NAMED = f"{ERROR} [m]"


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cube = self.path("cube.h5")
        made_up.write_cube(self.cube)
        with h5py.File(self.cube, "r+") as file:
            self.outcomes = file["outcome"].attrs["flag_meanings"].split()
            stuck = self.outcomes.index(next(o for o in self.outcomes if o != "done"))
            file["outcome"][1, 1, 0, 1] = stuck
            file[ERROR][1, 1, 0, 1] = np.nan
            file[ERROR][0, 0, 0, 0] = 0.1 + 0.2
            file[ERROR].attrs["units"] = "m"

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_it(self, *args):
        return script.run(os.path.join(ANALYSIS, "table.py"), self.cube, *args)

    def works(self, name, *args):
        done = self.run_it("-o", self.path(name), *args)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        opened = gzip.open if name.endswith("gz") else open
        with opened(self.path(name), "rt", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_each_trajectory_is_a_row_with_the_bits_of_the_cube(self):
        rows = self.works("t.csv")
        with h5py.File(self.cube) as file:
            data = {name: file[name][...] for name in (ERROR, OTHER, "outcome")}
            names = {name: [v.decode() if isinstance(v, bytes) else v for v in file[name][...].tolist()] for name in DIMS[1:]}
        self.assertEqual(len(rows), data["outcome"].size)
        missing = 0
        for at, row in zip(np.ndindex(*data["outcome"].shape), rows):
            self.assertEqual([float(row["rtol"]), row["strategy"], row["solver"]], [names[d][k] for d, k in zip(DIMS[1:], at[1:])])
            self.assertEqual(row["outcome"], self.outcomes[data["outcome"][at]])
            error = data[ERROR][at]
            missing += np.isnan(error)
            self.assertEqual(row[NAMED], "" if np.isnan(error) else repr(float(error)))
            self.assertEqual(float(row[OTHER]), data[OTHER][at])
        self.assertEqual(rows[0][NAMED], "0.30000000000000004")
        self.assertGreaterEqual(missing, 1)
        self.assertGreater(len({row["outcome"] for row in rows}), 1)

    def test_cells_some_at_a_time_make_the_same_file(self):
        self.works("whole.csv.gz")
        args = types.SimpleNamespace(cube=self.cube, out=self.path("parts.csv.gz"), only=None)
        rows, table.ROWS = table.ROWS, 1
        try:
            table.work(args)
        finally:
            table.ROWS = rows
        whole, parts = (gzip.open(self.path(n)).read() for n in ("whole.csv.gz", "parts.csv.gz"))
        self.assertEqual(whole, parts)
        self.assertEqual(sorted(os.listdir(self.folder)), ["cube.h5", "parts.csv.gz", "whole.csv.gz"])

    def test_columns_may_be_chosen(self):
        row = self.works("t.csv", "--only", f"{ERROR},outcome")[0]
        self.assertLessEqual({"cell", "rtol", "strategy", "solver", NAMED, "outcome"}, set(row))
        self.assertNotIn(OTHER, row)
        done = self.run_it("-o", self.path("t.csv"), "--only", "outcom")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--only outcom: the cube has no such dataset", done.stderr)

    def test_names_and_missing_libraries_are_told_in_a_line(self):
        for name, says in (("t.xlsx", "the name must end with .csv, .csv.gz, .parquet"), ("none/t.csv", "No such file")):
            done = self.run_it("-o", self.path(name))
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn(says, done.stderr)
        for name in ("pyarrow", "fastparquet"):
            self.addCleanup(sys.modules.pop, name, None)
            sys.modules[name] = None  # what import finds where there is none
        with self.assertRaisesRegex(table.NotOurs, "needs pyarrow or fastparquet"):
            table.parquet(self.path("t.parquet"))
        self.assertEqual(os.listdir(self.folder), ["cube.h5"])


class Written(unittest.TestCase):
    """Files are whole under their name: pages, tables and pictures."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "out.txt")

    def test_a_file_is_on_the_disk_before_it_has_its_name(self):
        calls = []
        for name in ("fsync", "replace"):
            real = getattr(os, name)
            self.addCleanup(setattr, os, name, real)
            setattr(os, name, lambda *args, name=name, real=real: (calls.append(name), real(*args))[1])
        written.text(self.path, "new")
        self.assertEqual(calls, ["fsync", "replace", "fsync"])  # the last one of the folder
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "new")

    def test_what_fails_leaves_the_file_that_was_there(self):
        written.text(self.path, "old")
        os.chmod(self.path, 0o640)
        with self.assertRaises(OSError), written.beside(self.path) as part:
            with open(part, "w", encoding="utf-8") as file:
                file.write("ne")
            raise OSError("disk full")
        self.assertEqual(os.listdir(os.path.dirname(self.path)), ["out.txt"])
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        written.text(self.path, "new")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)

    def test_links_and_devices_stay(self):
        link = self.path + ".link"
        os.symlink(self.path, link)
        written.text(link, "by the link")
        self.assertTrue(os.path.islink(link))
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "by the link")
        written.text("/dev/null", "gone")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_all_scripts_write_so(self):
        in_place = re.compile(r"""open\(\w[^)]*, "w|\.savefig\(|\.to_csv\(|write_text\(""")
        found = {}
        for name in os.listdir(ANALYSIS):
            if name.endswith(".py") and name not in ("written.py", "branch_page.py"):  # that writes into a folder of its own
                with open(os.path.join(ANALYSIS, name), encoding="utf-8") as file:
                    lines = [line.strip() for line in file]
                found.update({name: line for line in lines if in_place.search(line) and "part" not in line and "self.file" not in line})
        self.assertEqual(found, {})


if __name__ == "__main__":
    unittest.main()
