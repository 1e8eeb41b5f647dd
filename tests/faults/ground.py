"""Base of the attacks: a small sweep, and the program in a folder of its own, alone, with an end."""
import os
import pathlib
import subprocess
import tempfile

PATIENCE = 1200  # [s]: it only ends what hangs
# Two mpiexec that start at once can trip over each other's session folder.
SESSION = tempfile.TemporaryDirectory(prefix="saltus-mpi-")
SWEEP = """\
title: small
model: monopod
cells:
  axes:
    - {{name: b, log: [600, 30000], points: {b}}}
    - {{name: k, linear: [10, 40], points: {k}}}
t_end: 5
mesh: 0.05
solvers: [ode23, ode45]
strategies: [switch, event]
rtol: [1e-3, 1e-6]
"""


def small_sweep(b, k):
    """With that many points on its axes."""
    return SWEEP.format(b=b, k=k)


class Folder:
    def __init__(self, path, **env):
        self.folder = pathlib.Path(path)
        self.env = {"OMPI_MCA_orte_tmpdir_base": SESSION.name, **os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **env}

    def call(self, *command, **env):
        """Status (None: it hung), output, errors."""
        try:
            done = subprocess.run([str(word) for word in command], cwd=self.folder, env=dict(self.env, **env), timeout=PATIENCE,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except subprocess.TimeoutExpired as hung:
            return None, *((text or b"").decode("latin1") for text in (hung.stdout, hung.stderr))
        return done.returncode, done.stdout.decode("latin1"), done.stderr.decode("latin1")

    def works(self, *command, **env):
        """Expects success, and returns what it prints."""
        code, out, err = self.call(*command, **env)
        assert code == 0, (command, code, err)
        return out
