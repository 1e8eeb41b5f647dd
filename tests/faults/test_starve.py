"""An allocation that fails, the n-th of each command: out of memory is said, nothing is kept, nothing published.
In long runs two threads compute: the sentence of the one that fails reaches the command.

test_starve.py STARVED TRIALS: TRIALS of all n, drawn; 0: every n.
"""
import os
import random
import sys
import tempfile

import ground

MEMORY = 6  # exit status of SAL_ERR_MEMORY
SWEEP = """\
model: bouncing-ball
cells:
  axes:
    - {name: e, linear: [0.3, 0.9], points: 4}
    - {name: y, linear: [0.5, 2.0], points: 4}
t_end: 2
mesh: 0.1
solvers: [ode23, ode45]
strategies: [event]
rtol: [1e-3, 1e-6]
store: {trajectories: [2], every: 0.5}
"""
LONG_RUNS = """\
model: monopod
cells: {columns: [zeta_F, zeta_G], rows: [[0.02, -0.05], [0.2, -0.01], [0.02, -0.04], [0.1, -0.03]]}
t_end: 1
mesh: 0.1
solvers: [ode45]
strategies: [event]
rtol: [1e-4]
orbit: {find: [cycles, transient], returns: 40, longest: 60, bound: 30}
"""
COMMANDS = {
    "run": ("run", "sweep.yaml", "-q", "-o", "out.h5"),
    "long runs": ("run", "long_runs.yaml", "-q", "-o", "out.h5"),
    "recommend": ("recommend", "cube.h5", "--at", "e=0.5,y=1", "--error", "1e-2"),
    "orbit": ("orbit", "--model", "hopping-leg", "--guess", "zU=1.02,vU=1.7", "-o", "out.h5"),
}


class Starving(ground.Folder):
    def __init__(self, program, folder):
        super().__init__(folder, SALTUS_STARVE_TOLD=os.path.join(folder, "counts"))
        self.program = os.path.abspath(program)
        (self.folder / "sweep.yaml").write_text(SWEEP)
        (self.folder / "long_runs.yaml").write_text(LONG_RUNS)
        self.run(0, "run", "sweep.yaml", "-q", "-o", "cube.h5")

    def run(self, n, *args):
        """Status and errors, and what it asked for and kept."""
        told = self.folder / "counts"
        threads = "2" if "long_runs.yaml" in args else "1"
        code, _, err = self.call(self.program, *args, SALTUS_STARVE=str(n), OMP_NUM_THREADS=threads)
        asked, kept = map(int, told.read_text().split()) if told.exists() else (0, -1)
        told.unlink(missing_ok=True)
        return code, err, asked, kept

    def clean(self):
        left = [path.name for path in self.folder.glob("out.h5*")]
        for path in sorted(self.folder.glob("out.h5*/**/*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        for path in self.folder.glob("out.h5*"):
            path.rmdir() if path.is_dir() else path.unlink()
        return left

    def known(self, command):
        """The files that the command makes with all its memory."""
        return command.replace(" ", "-") + ".h5"

    def wrong(self, n, command):
        """The fault of its end; "" when there is none."""
        code, err, asked, kept = self.run(n, *COMMANDS[command])
        # records and rows are held in memory where there is some, and read again elsewhere
        without = code == kept == 0 and "out.h5" in COMMANDS[command] and self.call(self.program, "diff", self.known(command), "out.h5")[0] == 0
        left = self.clean()
        if without:
            return ""
        if 0 < asked < n and code == 0:  # threads share the work in another way each time, and may ask for less
            return ""
        lines = [line for line in err.splitlines() if line.startswith("saltus")]  # MPI may say more
        if code != MEMORY:
            return f"status {code}: {err.strip()[:300]}"
        if len(lines) != 1:
            return f"it said: {err.strip()[:300]}"
        if "memory" not in lines[0]:
            return f"it did not say why: {lines[0]}"
        if kept > 0:  # -1: not written, since MPI_Abort ends a run whose cube is half open on all ranks
            return f"{kept} pieces were kept"
        return f"{left} were left" if set(left) - {"out.h5.journal"} else ""


def main(program, trials):
    chance, bad, tried = random.Random(1), 0, 0
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
        it = Starving(program, folder)
        for command, args in COMMANDS.items():
            code, err, asked, kept = it.run(0, *args)
            assert (code, kept) == (0, 0), (command, err, kept)
            if (it.folder / "out.h5").exists():
                (it.folder / "out.h5").rename(it.folder / it.known(command))
            it.clean()
            most = int(trials) or asked
            which = sorted(chance.sample(range(1, asked + 1), min(most, asked)))
            for n in which:
                why = it.wrong(n, command)
                tried += 1
                if why:
                    bad += 1
                    print(f"{command}, allocation {n} of {asked}: {why}", flush=True)
    print(f"{tried} allocations failed, {bad} ends were wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
