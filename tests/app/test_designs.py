"""Cells from a file: the designs that other programs write, and the way through journals and cubes."""
import json
import os

import cli
import h5py
import numpy as np

SWEEP = """model: monopod
t_end: 1
solvers: [ode45, ode23]
strategies: [event]
rtol: [1e-3]
mesh: 0.01
cells:
  %s
"""
POINTS = [(1000 + 37.25 * i, 20 - 0.125 * (i * i % 7)) for i in range(12)]
ROWS = "columns: [b, k]\n  rows: [%s]" % ", ".join(f"[{b!r}, {k!r}]" for b, k in POINTS)


def lines(form, header="", end="\n"):
    return header + end.join(form % (i + 1, b, k) for i, (b, k) in enumerate(POINTS)) + end


# Name of the file, its text, `columns` of the sweep or none.
DESIGNS = {
    "excel.csv": ('\ufeff"b","k"\r\n' + "".join(f'"{b}","{k}"\r\n' for b, k in POINTS), ""),
    "dakota.dat": (lines("%d NO_ID %.17g %.17g 0.5", "%eval_id interface             b      k obj_fn\n"), "[b, k]"),
    "salib.txt": ("".join("%.18e %.18e\n" % p for p in POINTS), "[b, k]"),
    "numpy.txt": ("# b k\n" + "".join("%.18e %.18e\n" % p for p in POINTS), "[b, k]"),
    "pandas.csv": (lines("%d,%r,%r", ",b,k\n"), "[b, k]"),
    "pydoe.csv": ("k, b\n" + "".join(f"{k},{b}\n" for b, k in POINTS), "[b, k]"),
    "semicolons.csv": ("b;k\n" + "".join(f"{b};{k}\n" for b, k in POINTS), ""),
    "tabs.tsv": ("# a comment\n\nb\tk\n" + "".join(f"{b}\t{k} # {b}\n" for b, k in POINTS), ""),
}


class Designs(cli.InFolder):
    def sweep(self, cells, name="s.yaml"):
        (self.folder / name).write_text(SWEEP % cells, encoding="utf-8")
        return name

    def design(self, name, text, columns=""):
        (self.folder / name).write_text(text, encoding="utf-8", newline="")
        return self.sweep(f"file: {name}" + (f"\n  columns: {columns}" if columns else ""))

    def test_what_other_programs_write_is_the_same_as_rows(self):
        self.works("run", self.sweep(ROWS), "-q", "-o", "rows.h5", "--no-map")
        for name, (text, columns) in DESIGNS.items():
            with self.subTest(name):
                self.works("run", self.design(name, text, columns), "-q", "-o", "a.h5", "-f", "--no-map")
                (self.folder / name).unlink()
                with h5py.File(self.folder / "rows.h5") as a, h5py.File(self.folder / "a.h5") as b:
                    for key in ("b", "k", "max_error", "steps"):
                        np.testing.assert_array_equal(a[key][...], b[key][...])
        self.works("info", "a.h5", "--check")

    def test_commands_need_the_cube_alone(self):
        text = "b,k\n" + "".join(f"{b},{k}\n" for b, k in POINTS)
        self.works("run", self.design("d.csv", text), "-q", "-o", "a.h5", "--no-map", ranks=2)
        self.works("run", "s.yaml", "-q", "-o", "c.h5", ranks=1)
        (self.folder / "d.csv").unlink()
        self.works("map", "a.h5", ranks=2)
        for args in (("info", "a.h5"), ("recommend", "a.h5", "--at", "b=1037.25,k=19.875", "--error", "1e-2"),
                     ("store", "a.h5", "--cells", "1,2", "--force"),
                     ("tables", "a.h5"), ("plan", "a.h5", "--ranks", "4")):
            with self.subTest(args[0]):
                done = self.saltus(*args)
                self.assertNotIn("missing", done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the same", self.works("diff", "a.h5", "c.h5"))
        self.assertIn("have no neighbours", self.saltus("refine", "a.h5", "--cells", "3", "-o", "b.h5").stderr)

    def test_parts_are_merged_and_a_stopped_run_goes_on(self):
        text = "b,k\n" + "".join(f"{b},{k}\n" for b, k in POINTS)
        self.works("run", self.design("d.csv", text), "-q", "-o", "whole.h5")
        for part in (1, 2):
            self.works("run", "s.yaml", "-q", "-o", "a.h5", "--part", f"{part}/2")
        (self.folder / "d.csv").unlink()
        self.works("merge", "a.h5", "--remove")
        self.assertIn("the same", self.works("diff", "a.h5", "whole.h5"))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir() if "journal" in p.name), [])
        # Another line end or comment is the same design, another value is another one.
        (self.folder / "d.csv").write_text(text, encoding="utf-8")
        self.works("run", "s.yaml", "-q", "-o", "b.h5", "--part", "1/2")
        (self.folder / "e.csv").write_text("# of today\n" + text.replace("\n", "\r\n"), encoding="utf-8", newline="")
        self.sweep("file: e.csv")
        self.works("run", "s.yaml", "-q", "-o", "b.h5", "--part", "1/2")
        (self.folder / "e.csv").write_text(text.replace("1037.25", "1037.5"), encoding="utf-8")
        self.assertIn("is of another sweep", self.saltus("run", "s.yaml", "-o", "b.h5", "--part", "1/2").stderr)

    def test_bad_files_are_refused_with_their_line(self):
        for text, columns, says in (
                ("b;k\n1000;20\n1001,5;20\n", "", ("d.csv:3", "b = '1001,5'", "decimal comma")),
                ("b,k\n1000,20\n1001,x\n", "", ("d.csv:3", "k = 'x' is not a number")),
                ("b,k\n1000,\n", "", ("d.csv:2", "k is missing")),
                ("b,k\n1000,20\n1001\n", "", ("d.csv:3", "1 column; the first line has 2")),
                ("b,kk\n1000,20\n", "", ("d.csv:1", "'kk'", "did you mean", "cells.columns chooses")),
                ("b,b\n1000,20\n", "", ("d.csv:1", "two columns are called 'b'")),
                ("b,k\n1000,20\n", "[b, f]", ("d.csv:1", "none of its 2 columns is called 'f'")),
                ("1000,20\n", "", ("d.csv:1", "cells.columns: [..] names them")),
                ("b,k\n1000,20\n", "[q]", ("entry 1 of cells.columns: unknown word 'q'",)),
                ("b,k\n1000,20\n", "b", ("cells.columns: a single value",)),
                ("1000,20,3\n", "[b, k]", ("d.csv:1", "3 columns without names; cells.columns names 2")),
                ("b,k\n# 1000,20\n", "", ("d.csv", "has no rows")),
                ("b [s],k\n1000,20\n", "", ("d.csv:1", "column 'b' is in 's'")),
                ("b,k\n1000,-1e99\n", "", ("d.csv:2", "k = -1e+99 is out of range")),
                ("b,k\n1000,2\x00\n", "", ("d.csv:2", "no text (NUL)")),
                ("b,k\n1000,20\n", "[b, kk]", ("s.yaml:", "'kk'")),
                ("b,k\n1000,\x1b[1m\n", "", ("d.csv:2",))):
            with self.subTest(text):
                self.refused("run", self.design("d.csv", text, columns), "-o", "a.h5", says=says)
        self.refused("plan", self.sweep("file: none.csv"), says=("none.csv",), code=4)
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "d.csv").write_text("b,k\n1000,20\n", encoding="utf-8")
        self.refused("run", self.sweep("file: sub/d.csv"), "-o", "a.h5", says=("s.yaml:8", "is a path", "--tables-from"))
        self.refused("run", self.sweep("file: [a, b]"), "-o", "a.h5", says=("s.yaml:8", "the name of a file"))
        self.works("run", self.sweep("file: sub/d.csv"), "-q", "-o", "a.h5", "--tables-from", "sub")
        self.refused("run", self.sweep("file: d.csv\n  rows: [[1]]"), "-o", "b.h5", says=("s.yaml:9", "both file and rows"))
        self.refused("run", self.sweep(ROWS + "\n  sum: 12"), "-o", "b.h5", says=("cells.sum goes with cells.file",))
        self.refused("run", self.sweep("columns: [b, k]\n  rows: d.csv"), "-o", "b.h5", says=("s.yaml:9", "cells.file"))

    def test_a_design_of_another_sum_is_refused(self):
        self.works("run", self.design("d.csv", "b,k\n1000,20\n"), "-q", "-o", "a.h5")
        with h5py.File(self.folder / "a.h5") as cube:
            text = cube.attrs["sweep"]
        text = text if isinstance(text, str) else text.decode() if isinstance(text, bytes) else "\n".join(map(cli.word, text))
        self.assertIn("sum:", text)
        (self.folder / "again.yaml").write_text(text, encoding="utf-8")
        self.works("run", "again.yaml", "-q", "-o", "b.h5")
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))
        (self.folder / "d.csv").write_text("b,k\n1000,21\n", encoding="utf-8")
        self.refused("run", "again.yaml", "-o", "c.h5", says=("cells.sum", "its values are others"))

    def test_many_rows_take_their_numbers_alone(self):
        n = 100000
        rng = np.random.default_rng(1)
        np.savetxt(self.folder / "d.csv", np.stack([rng.uniform(1000, 1001, n), rng.uniform(20, 21, n)], axis=1),
                   delimiter=",", header="b,k", comments="", fmt="%.9f")
        few = self.memory("plan", self.design("e.csv", "b,k\n1000,20\n"), "--sample", "0")
        self.sweep("file: d.csv")
        many = self.memory("plan", "s.yaml", "--sample", "0")
        self.assertLess(many - few, 1.5 * 16 * n + 2e6)
        bill = json.loads(self.works("plan", "s.yaml", "--sample", "0", "--json", "--no-map"))["runs"][0]
        self.assertGreater(bill["rank0_bytes"], 16 * n)

    def memory(self, *args):
        """Bytes that a command has at most."""
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(write, 1)
            os.chdir(self.folder)
            os.execv(cli.SALTUS, [cli.SALTUS, *args])
        os.close(write)
        with os.fdopen(read) as out:
            out.read()
        _, status, use = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        return use.ru_maxrss * 1024


if __name__ == "__main__":
    cli.main()
