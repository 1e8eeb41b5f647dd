"""The same bits for any number of ranks, threads and lanes; and `saltus diff`, which reports it."""
import shutil

import h5py
import numpy as np

import cli


MANY = """
model: monopod
cells:
  axes:
    - {columns: [b, k], sobol: [[1000, 4000], [10, 40]], log: true, points: 1400}
t_end: 0.02
mesh: 0.01
solvers: [ode23, ode45, ode23t, ode113, ode15s]
strategies: [switch, event]
rtol: [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5]
"""  # its datasets have more than 1 MB, and are cut into chunks

# A table of n rigid feet, tilted: its feet come to rest one after the other, and flights of some begin on others' impacts.
TABLE = """equations: 1
name: falling-table
counts:
  n: {preset: 4, allowed: [2, 8]}
parameters:
  e: {preset: 0, allowed: [0, 1]}
coordinates:
  z: {preset: 0.1, rate: v}
  a: {preset: 0.05, rate: w}
kinetic: v^2 / 2 + 0.4 / 2 * w^2
potential: 9.81 * z
contacts:
  foot: {for: i in 1..n, names: [lands, lifts], gap: z + sin(a) * (-1 + 2 * (i - 1) / (n - 1)), law: {rigid: {restitution: e}}}
"""
FALLS = """
model: table.yaml
cells:
  axes:
    - {name: e, linear: [0, 0.6], points: 53}
t_end: 1
mesh: 0.1
solvers: [ode15s]
strategies: [event]
rtol: [1e-3, 1e-4, 1e-5]
"""


class SameBits(cli.InFolder):
    def run_sweep(self, out, *pairs, **more):
        self.works("run", cli.DALLAS, "-q", "-o", out, *cli.sets(*cli.SHORT, *pairs), **more)

    def same(self, a, b):
        self.assertIn("the same", self.works("diff", a, b))
        with h5py.File(self.folder / a) as x, h5py.File(self.folder / b) as y:  # and not by our own word only
            names = cli.datasets(x)
            self.assertEqual(names, cli.datasets(y))
            self.assertIn("map/by_error_best", names)
            for name in names:
                a_value, b_value = x[name][()], y[name][()]
                if cli.word(x[name].attrs.get("kind")) not in ("timing", "checksum"):
                    self.assertEqual(a_value.tobytes(), b_value.tobytes(), name)
                    self.assertEqual(list(x[name].attrs["checksum"]), list(y[name].attrs["checksum"]), name)

    def differ(self, a, b, *says):
        done = self.saltus("diff", a, b)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertNotIn("the same", done.stdout)
        for text in says:
            self.assertIn(text, done.stdout)

    def test_ranks_and_threads_change_no_bit(self):
        self.run_sweep("plain.h5", ranks=0, threads=1)
        for ranks in (1, 2, 3):
            for threads in (1, 2):
                out = f"{ranks}x{threads}.h5"
                self.run_sweep(out, ranks=ranks, threads=threads)
                self.same("plain.h5", out)
                with h5py.File(self.folder / out) as cube:
                    self.assertEqual((cube.attrs["ranks"], cube.attrs["threads"]), (ranks, threads))

    def test_nor_of_chunks_map_and_raster(self):
        (self.folder / "s.yaml").write_text(MANY, encoding="utf-8")
        for part in ("1/2", "2/2"):
            self.works("run", "s.yaml", "-q", "-o", "cube.h5", "--part", part)
        for ranks, threads in ((1, 1), (1, 2), (1, 3), (2, 2)):
            out, layout = f"{ranks}x{threads}.h5", {"ranks": ranks, "threads": threads}
            self.works("merge", out, "cube.h5.journal.1-of-2", "cube.h5.journal.2-of-2", "-q", **layout)
            self.same("1x1.h5", out)
            self.works("raster", "1x1.h5", "--error", "1e-3", "--size", "20", "-o", "r" + out, **layout)
            with h5py.File(self.folder / "r1x1.h5") as x, h5py.File(self.folder / f"r{out}") as y:
                for name in cli.datasets(x):
                    self.assertEqual(x[name][()].tobytes(), y[name][()].tobytes(), name)
        with h5py.File(self.folder / "1x1.h5") as cube:
            self.assertIsNotNone(cube["max_error"].chunks)

    def breaks(self, name):
        """How often a chunk does not follow the one before it: the least and the most of all metrics."""
        with h5py.File(self.folder / name) as cube:
            sets = [cube[k].id for k in cube if isinstance(cube[k], h5py.Dataset) and cube[k].chunks]
            chunks = [[m.get_chunk_info(i) for i in range(m.get_num_chunks())] for m in sets]
        self.assertGreater(len(chunks), 10)
        found = [sum(a.byte_offset + a.size != b.byte_offset for a, b in zip(of, of[1:])) for of in chunks]
        return min(found), max(found)

    def test_nor_do_chunks_that_are_written_early(self):
        (self.folder / "s.yaml").write_text(MANY + "points: none\n", encoding="utf-8")
        for part in ("1/2", "2/2"):  # of parts nothing is written early
            self.works("run", "s.yaml", "-q", "-o", "late.h5", "--part", part)
        self.works("merge", "late.h5", "-q")
        self.works("run", "s.yaml", "-q", "-o", "early.h5", ranks=3)
        self.same("late.h5", "early.h5")
        self.works("info", "--check", "early.h5")
        self.assertEqual(self.breaks("late.h5"), (1, 1))  # between its two rounds
        self.assertGreater(self.breaks("early.h5")[0], 5)
        self.assertEqual([*self.folder.glob("*.part")], [])

    def test_lanes_change_no_bit(self):
        self.run_sweep("1.h5", "width=1")
        for width in (4, 8):
            self.run_sweep(f"{width}.h5", f"width={width}", ranks=2)
            self.same("1.h5", f"{width}.h5")
        with h5py.File(self.folder / "1.h5") as cube:
            self.assertEqual(cube.attrs["width"], 1)

    def test_neighbours_of_contacts_at_rest_change_no_bit(self):
        (self.folder / "table.yaml").write_text(TABLE, encoding="utf-8")
        (self.folder / "falls.yaml").write_text(FALLS, encoding="utf-8")
        for width in (1, 4):
            self.works("run", "falls.yaml", "-q", "-o", f"{width}.h5", "--set", f"width={width}", "--compile", "never")
            self.same("1.h5", f"{width}.h5")

    def test_more_ranks_than_cells_change_no_bit(self):
        one = "cells.rows=[[1951,1.88,22.8,0.3]]"
        self.run_sweep("1.h5", one, ranks=1)
        self.run_sweep("3.h5", one, ranks=3)
        self.same("1.h5", "3.h5")

    def test_timings_do_not_count(self):
        self.run_sweep("a.h5", "timing.repeats=1")
        self.run_sweep("b.h5", "timing.repeats=1")
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "b.h5") as b:
            self.assertTrue(np.any(a["solution_duration"][()] != b["solution_duration"][()]))
        self.assertIn("the same", self.works("diff", "a.h5", "b.h5"))

    def test_another_mesh_is_another_result(self):
        self.run_sweep("a.h5")
        self.run_sweep("b.h5", "mesh=0.02")
        self.differ("a.h5", "b.h5", "integral_absolute_error:", "values differ", "largest difference")

    def test_another_tolerance_is_another_result(self):
        self.run_sweep("a.h5")
        self.run_sweep("b.h5", "rtol=[1e-3,1.0000001e-6]")
        self.differ("a.h5", "b.h5", "rtol:", "steps:")

    def test_other_dimensions_are_another_result(self):
        self.run_sweep("a.h5")
        self.run_sweep("b.h5", "solvers=[ode45]")
        self.differ("a.h5", "b.h5", "other sweeps: solvers")

    def test_a_single_bit_is_noticed_and_its_place_named(self):
        self.run_sweep("a.h5")
        shutil.copy(self.folder / "a.h5", self.folder / "b.h5")
        with cli.edited(self.folder / "b.h5") as cube:
            error = cube["max_error"]
            error[4, 1, 0, 1] = np.nextafter(error[4, 1, 0, 1], 1)
        self.differ("a.h5", "b.h5", "max_error: 1 of ", "cell 5, rtol 1e-06, switch, ode45")

    def test_trouble_is_neither_same_nor_different(self):
        self.run_sweep("a.h5")
        self.assertGreater(self.saltus("diff", "a.h5", "missing.h5").returncode, 1)


cli.main()
