"""A merge that is killed while ranks write chunks leaves no cube, or a whole one, and all journals."""
import os
import pathlib
import random
import signal
import subprocess
import time

import h5py

import cli

# Metrics of more than 1 MB are cut into chunks: as many cells as that takes, each in a moment.
SWEEP = """\
model: bouncing-ball
t_end: 0.2
cells:
  axes:
    - {name: e, linear: [0.3, 0.9], points: 70}
    - {name: y, linear: [0.5, 2.0], points: 60}
solvers: [ode23, ode45, tsit5, dop853]
strategies: [event]
rtol: [1e-1, 5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4]
mesh: 0.1
timing: {repeats: 0}
"""
KILLS = 4


class KilledMerge(cli.InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "s.yaml").write_text(SWEEP)
        self.works("run", "s.yaml", "-q", "-o", "out.h5", "--part", "1/2", ranks=2)
        self.works("run", "s.yaml", "-q", "-o", "out.h5", "--part", "2/2")

    def kill_one(self, pause):
        """The size of what was written when a rank was killed; None: the cube was there before."""
        part = self.folder / "out.h5.part"
        merge = subprocess.Popen([cli.MPIEXEC, cli.NUMPROC, "2", cli.SALTUS, "merge", "-q", "out.h5"], cwd=self.folder,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not part.exists() and merge.poll() is None:
            time.sleep(1e-3)
        time.sleep(pause)
        size = part.stat().st_size if part.exists() else None
        for pid in pathlib.Path(f"/proc/{merge.pid}/task/{merge.pid}/children").read_text().split()[:1]:
            os.kill(int(pid), signal.SIGKILL)
        merge.wait()
        return size

    def test_it_is_made_again(self):
        journals = {name: data for name, data in self.files().items() if ".journal" in name}
        self.works("merge", "-q", "whole.h5", "out.h5.journal.1-of-2", "out.h5.journal.2-of-2")
        with h5py.File(self.folder / "whole.h5") as cube:
            self.assertEqual(cube["max_error"].compression, "gzip")  # it is cut
        sizes, draw = [], random.Random(7)
        for _ in range(KILLS):
            sizes.append(self.kill_one(draw.uniform(0, 0.3)))
            if (self.folder / "out.h5").exists():  # killed after its last step
                self.works("info", "--check", "out.h5")
                os.unlink(self.folder / "out.h5")
            self.assertEqual({name: data for name, data in self.files().items() if ".journal" in name}, journals)
        self.assertTrue([size for size in sizes if size], sizes)
        self.works("merge", "-q", "-r", "out.h5", ranks=3)
        self.assertIn("the same", self.works("diff", "whole.h5", "out.h5"))


cli.main()
