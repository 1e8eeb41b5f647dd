"""Pilots by the command line: which configurations run, the validation, and the same cube however it is made."""
import json
import re
import signal
import subprocess

import h5py
import numpy as np

import cli

PILOTS, VALIDATION, CELLS = 24, 12, 160
SWEEP = f"""
model: monopod
t_end: 6
mesh: 0.05
cells:
  axes:
    - {{columns: [b, k], random: [[600, 20000], [5, 100]], log: true, points: {CELLS}}}
solvers: [ode23, ode45, dop853, ode113, ode15s, rosnys4]
strategies: [event, switch]
rtol: [1e-2, 1e-4, 1e-6, 1e-8]
cutoff: {{baselines: [ode113], error: 1e-5, order: tolerances, loosest: 1e-1}}
pilots: {{cells: {PILOTS}, nearest: 2, within: 1, tolerances: 0, validation: {VALIDATION}}}
"""
VALIDATED = re.compile(r"(\d+) validation cells: of (\d+) questions (\d+|none) lost ")


class Pilots(cli.InFolder):
    whole = {}  # the cube of an undisturbed run, made by the first test

    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP, encoding="utf-8")
        made = Pilots.whole
        if not made:
            made["said"] = self.saltus("run", "s.yaml", "-o", "whole.h5", threads=1).stderr
            made["cube"] = (self.folder / "whole.h5").read_bytes()
        (self.folder / "whole.h5").write_bytes(made["cube"])

    def same(self, out):
        self.assertIn("the same", self.works("diff", "whole.h5", out))

    def test_cells_of_the_rest_run_what_nearly_wins_around_them(self):
        with h5py.File(self.folder / "whole.h5") as cube:
            words = cube["outcome"].attrs["flag_meanings"]
            words = (words.decode() if isinstance(words, bytes) else str(words)).split()
            unlikely = cube["outcome"][()].reshape(CELLS, -1) == words.index("skipped_by_pilots")
            stored = cube.attrs["pilots_validation"]
        self.assertFalse(unlikely[: PILOTS + VALIDATION].any())
        self.assertTrue((unlikely[PILOTS + VALIDATION :].mean(axis=1) > 0.3).all())
        self.assertTrue((~unlikely).any(axis=1).all())
        stored = stored.decode() if isinstance(stored, bytes) else str(stored)
        self.assertIn("pilots: " + stored, Pilots.whole["said"])
        self.assertIn(stored, self.works("info", "whole.h5"))

    def test_the_validation_is_what_the_cube_says(self):
        """By another road: the questions of the validation cells, from what the cube has of them."""
        self.works("run", "s.yaml", "-q", "-o", "all.h5", "--no-map", *cli.sets("pilots={}"), ranks=2)
        with h5py.File(self.folder / "all.h5") as cube:
            take = lambda name: cube[name][()].reshape(CELLS, -1)  # noqa: E731
            work = take("rhs_evaluations") + 16 / 15 * take("factorisations") + 0.8 * take("solves")
            error = take("max_error") + cube["reference_error_watched"][()][:, None]
            work = np.where(np.isin(take("outcome"), (0, 7)), work, np.inf)  # done, ended
        place = np.array([self.place(cell) for cell in range(CELLS)])
        questions = lost = 0
        asked = 1e-5 * np.sqrt(10) ** np.arange(9)
        best = np.array([np.where(error <= e, work, np.inf) for e in asked])  # [error][cell][configuration]
        for cell in range(PILOTS, PILOTS + VALIDATION):
            near = np.argsort(((place[:PILOTS] - place[cell]) ** 2).sum(axis=1))[:2]
            least = best[:, near].min(axis=2, keepdims=True)
            useful = (np.isfinite(least) & (best[:, near] <= least)).any(axis=(0, 1))
            reached = np.isfinite(best[:, cell].min(axis=1))
            questions += reached.sum()
            lost += (best[:, cell][reached].min(axis=1) < np.where(useful, best[:, cell], np.inf)[reached].min(axis=1)).sum()
        found = VALIDATED.search(Pilots.whole["said"])
        self.assertEqual((int(found[1]), int(found[2]), found[3]), (VALIDATION, questions, str(lost) if lost else "none"))
        self.assertGreater(lost, 0)

    def place(self, cell):
        if not hasattr(self, "values"):
            with h5py.File(self.folder / "whole.h5") as cube:
                self.values = np.log(cube["b"][()]), np.log(cube["k"][()])
        b, k = self.values
        return b[cell] / np.log(20000 / 600), k[cell] / np.log(20)

    def test_any_ranks_threads_and_lanes_and_a_stop_make_the_same_cube(self):
        self.works("run", "s.yaml", "-q", "-o", "more.h5", *cli.sets("width=4"), ranks=3, threads=2)
        self.same("more.h5")
        for after in (1, PILOTS + VALIDATION + 1):  # among the pilots, and after them
            self.stop_after(after)
        self.works("run", "s.yaml", "-q", "-o", "cut.h5", *cli.sets("width=1"), ranks=2)
        self.same("cut.h5")

    def stop_after(self, cells):
        """A run that is killed once so many cells are done; it may have ended by then."""
        run = subprocess.Popen([cli.SALTUS, "run", "s.yaml", "-q", "-o", "cut.h5", "--status", "status", "--every", "0.01"],
                               cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.kill)
        status = self.folder / "status"
        done = lambda: [int(n) for n in re.findall(r'"done": ?(\d+)', status.read_text())] if status.exists() else []  # noqa: E731
        cli.wait_until(lambda: run.poll() is not None or (done() and done()[-1] >= cells))
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=cli.TIMEOUT)

    def test_a_plan_says_that_most_cells_take_less(self):
        plan = self.works("plan", "s.yaml", "--sample", 0)
        self.assertIn(f"pilots       {PILOTS + VALIDATION} cells run everything", plan)
        self.assertNotIn("pilots  ", self.works("plan", "s.yaml", "--sample", 0, *cli.sets("pilots={}")))

    def test_parts_run_the_pilots_each(self):
        for part in ("1/3", "2/3", "3/3"):
            self.works("run", "s.yaml", "-q", "-o", "parts.h5", "--part", part)
            folder = f"parts.h5.journal.{part.replace('/', '-of-')}"
            about = json.loads(self.works("info", "--json", folder))
            self.assertEqual(about["done"], about["goal"], about)  # those that each part runs are among both
            self.assertIn("has all its cells", self.works("info", folder))
        self.works("merge", "parts.h5", "-q", ranks=2)
        self.same("parts.h5")
        self.assertRegex(self.works("info", "parts.h5"), f"{VALIDATION} validation cells")


if __name__ == "__main__":
    cli.main()
