"""More cells, spread evenly: the cube of the refined sweep, by whichever way it comes about."""
import json
import os
import shutil
import signal
import subprocess

import h5py

import cli

GRID = (*cli.SHORT, "options={}", "cells={axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: 3}, "
        "{name: adhesion, list: [clamp, literal]}]}", "solvers=[ode23,ode45,ode15s]")
CELLS, MORE = 24, 8
SOBOL = (*cli.SHORT, "options={}", "cells={axes: [{columns: [b, k], sobol: [[1000, 8000], [10, 30]], log: [b], points: %d}, "
         "{name: adhesion, list: [clamp, literal]}]}", "solvers=[ode23,ode45]", "rtol=[1e-3,1e-5]")


class Refine(cli.InFolder):
    def coarse(self, *pairs, out="a.h5"):
        self.works("run", cli.DALLAS, "-q", "-o", out, *cli.sets(*GRID, *pairs))

    def refine(self, cube, out, *more, **how):
        return self.works("refine", cube, "-q", "-o", out, "--cells", MORE, *more, **how)

    def same(self, left, right):
        self.assertIn("the same", self.works("diff", left, right))

    def cells(self, path):
        with h5py.File(self.folder / path) as file:
            return len(file["cell_number"]), list(zip(file["b"][:], file["k"][:], file["adhesion"][:]))

    def test_it_is_the_cube_of_the_sweep_it_writes_and_goes_on(self):
        self.coarse()
        for old, new in (("a", "b"), ("b", "c")):
            self.refine(f"{old}.h5", f"{new}.h5")
            self.assertFalse((self.folder / f"{new}.h5.journal").exists())
            self.works("run", f"{new}.yaml", "-q", "-o", "whole.h5", "--force")
            self.same(f"{new}.h5", "whole.h5")
            (n, before), (m, after) = self.cells(f"{old}.h5"), self.cells(f"{new}.h5")
            self.assertEqual((m, after[:n], len(set(after))), (n + MORE, before, m))
            for b, k, _ in after[n:]:
                self.assertTrue(1000 <= b <= 8000 and 10 <= k <= 30)
        with h5py.File(self.folder / "c.h5") as file:
            self.assertEqual(file.attrs["scattered_cells"], 2 * MORE)
            self.assertEqual(list(file.attrs["axis_sizes"]), [4, 3, 2])
        self.assertIn(f"4 x 3 x 2 + {2 * MORE} = {m}", self.works("plan", "c.yaml", "--sample", "0"))
        self.works("map", "c.h5")
        b, k, option = after[-1]
        word = ("literal", "clamp")[option]
        at = f"b={b:.17g},k={k:.17g},adhesion={word}"
        self.assertIn("nearest cells", self.works("recommend", "c.h5", "--at", at, "--error", "1e-2"))

    def test_ranks_and_threads_change_nothing(self):
        self.coarse()
        self.refine("a.h5", "b.h5", threads=1)
        for ranks in (1, 2):
            self.refine("a.h5", f"b{ranks}.h5", ranks=ranks)
            self.same("b.h5", f"b{ranks}.h5")
            self.assertEqual((self.folder / "b.yaml").read_text(), (self.folder / f"b{ranks}.yaml").read_text())

    def test_a_killed_one_goes_on(self):
        """Longer runs, so that it is killed with some new cells done and others not."""
        slow = ("t_end=50", "rtol=[1e-6,1e-9]", "solvers=[ode23,ode45,ode15s,ode23s]")
        self.coarse(*slow, "cells={axes: [{name: b, log: [1000, 8000], points: 6}, {name: k, linear: [10, 30], points: 6}]}")
        command = ["refine", "a.h5", "-o", "b.h5", "--cells", "40"]
        run = subprocess.Popen([cli.SALTUS, *command, "-q", "--status", "status", "--every", "0.01", "--sync", "0"],
                               cwd=self.folder, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, OMP_NUM_THREADS="1"))
        self.addCleanup(run.kill)
        status = self.folder / "status"

        def told():
            lines = status.read_text().split("\n")[:-1] if status.exists() else []
            return json.loads(lines[-1]) if lines else {"done": 0, "found": 36}

        cli.wait_until(lambda: (now := told())["done"] > now["found"], run)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        self.assertEqual((run.returncode, told()["found"]), (-signal.SIGKILL, 36))
        held = [line for line in self.works("info", "b.h5").splitlines() if line.startswith("  cells  ")]
        held = int(held[0].split()[1])
        self.assertTrue(36 < held < 76, held)
        done = self.saltus(*command, ranks=2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{held} of 76 cells are there already", done.stderr)
        self.works("run", "b.yaml", "-q", "-o", "whole.h5")
        self.same("b.h5", "whole.h5")

    def test_more_of_sobol_s_points_are_those_of_one_run(self):
        few, many = ([text % n if "%d" in text else text for text in SOBOL] for n in (5, 8))
        self.works("run", cli.DALLAS, "-q", "-o", "few.h5", *cli.sets(*few))
        self.works("run", cli.DALLAS, "-q", "-o", "many.h5", *cli.sets(*many))
        self.assertNotIn("the same", self.saltus("diff", "few.h5", "many.h5").stdout)
        said = self.saltus("refine", "few.h5", "-o", "more.h5", "--cells", "7").stderr
        self.assertIn("few.h5: 6 cells can be added, not 7", said)
        self.assertIn("10 of 16 cells are there already", said)
        self.same("more.h5", "many.h5")
        with h5py.File(self.folder / "more.h5") as file:
            self.assertEqual(list(file.attrs["axis_sizes"]), [8, 2])
            self.assertNotIn("scattered_cells", file.attrs)
        self.refused("refine", "few.h5", "-o", "b.h5", "--cells", "1", says=["few.h5", "2 cells for each point", "add 2 or more"])

    def test_random_points_go_on_too(self):
        few, many = (["cells={axes: [{columns: [b, k], random: [[1000, 8000], [10, 30]], points: %d, seed: 3}]}" % n,
                      *cli.SHORT, "solvers=[ode23]"] for n in (5, 8))
        self.works("run", cli.DALLAS, "-q", "-o", "few.h5", *cli.sets(*few))
        self.works("run", cli.DALLAS, "-q", "-o", "many.h5", *cli.sets(*many))
        self.works("refine", "few.h5", "-q", "-o", "more.h5", "--cells", "3")
        self.same("more.h5", "many.h5")

    def test_cells_between_those_of_a_grid_are_sobol_s_points(self):
        self.coarse()
        self.refine("a.h5", "b.h5")
        box = "cells={axes: [{columns: [b, k], sobol: [[1000, 8000], [10, 30]], log: [b], points: %d}]}" % MORE
        self.works("run", cli.DALLAS, "-q", "-o", "box.h5", *cli.sets(*cli.SHORT, box, "solvers=[ode23]"))
        with h5py.File(self.folder / "box.h5") as file:
            points = list(zip(file["b"][:], file["k"][:]))
        _, cells = self.cells("b.h5")
        self.assertEqual([(b, k) for b, k, _ in cells[CELLS:]], points)
        self.assertEqual([word for _, _, word in cells[CELLS:]], [1, 0] * (MORE // 2))

    def test_dry_run_prints_what_would_be_added(self):
        self.coarse()
        before = self.files()
        lines = self.works("refine", "a.h5", "--cells", "3", "--dry-run").splitlines()
        self.assertEqual(self.files(), before)
        self.assertEqual(lines[0].split(), ["cell", "b", "k", "adhesion"])
        self.assertEqual(len(lines), 4)
        self.refine("a.h5", "b.h5")
        _, cells = self.cells("b.h5")
        for i, (line, (b, k, word)) in enumerate(zip(lines[1:], cells[CELLS:])):
            self.assertEqual(line.split(), [str(CELLS + i + 1), f"{b:.6g}", f"{k:.6g}", ("literal", "clamp")[word]])

    def test_bad_input_is_refused(self):
        self.coarse()
        for bad in ("0", "-3", "x", "1.5", "1000001"):
            self.refused("refine", "a.h5", "-o", "b.h5", f"--cells={bad}",
                         says=[f"--cells: '{bad}' is "])
        self.refused("refine", "a.h5", "-o", "b.h5", says=["--cells N"])
        self.refused("refine", "a.h5", "--cells", "3", says=["-o FILE"])
        self.refused("refine", "--cells", "3", "-o", "b.h5", says=["CUBE.h5 is missing"])
        self.refused("refine", "none.h5", "--cells", "3", "-o", "b.h5", says=["none.h5", "cannot be read"], code=4)
        self.refused("refine", "a.h5", "--cells", "3", "-o", "a.h5", says=["a.h5", "exists"], code=3)
        (self.folder / "b.yaml").write_text("mine\n")
        self.refused("refine", "a.h5", "--cells", "3", "-o", "b.h5", says=["b.yaml: exists"], code=3)
        self.refused("refine", "a.h5", "--cells", "3", "-o", "b.h5", says=["b.yaml: exists"], ranks=2)

    def test_cubes_that_cannot_be_refined_are_refused(self):
        self.coarse()
        size = (self.folder / "a.h5").stat().st_size
        shutil.copy(self.folder / "a.h5", self.folder / "cut.h5")
        os.truncate(self.folder / "cut.h5", size // 2)
        self.refused("refine", "cut.h5", "--cells", "3", "-o", "b.h5", says=["cut.h5: the file is damaged, or has been cut"], code=4)
        self.coarse(out="old.h5")
        with cli.edited(self.folder / "old.h5") as file:
            file.attrs["git_commit"] = "0000000"
        self.refused("refine", "old.h5", "--cells", "3", "-o", "b.h5", says=["old.h5: made by another version", "--force"], code=3)
        self.works("refine", "old.h5", "--cells", "3", "--dry-run")
        self.works("refine", "old.h5", "-q", "--cells", "3", "-o", "new.h5", "--force")
        self.works("run", cli.DALLAS, "-q", "-o", "table.h5", *cli.sets(*cli.SHORT))
        self.refused("refine", "table.h5", "--cells", "3", "-o", "b.h5", says=["rows", "linear, log, list"])
        self.coarse("cells={axes: [{name: adhesion, list: [clamp, literal]}]}", out="words.h5")
        self.refused("refine", "words.h5", "--cells", "3", "-o", "b.h5", says=["nothing lies between its cells"])
        self.coarse("cells={axes: [{name: adhesion, list: [clamp, literal]}, {columns: [b], sobol: [[1, 2]], points: 3}]}", out="turned.h5")
        self.refused("refine", "turned.h5", "--cells", "3", "-o", "b.h5", says=["sobol points is entry 2; allowed: the first"])


cli.main()
