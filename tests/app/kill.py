"""Ranks are killed at random again and again; in the end the cube is that of an undisturbed run.

kill.py [--rounds N] [--seed N] SALTUS MPIEXEC -- NUMPROC_FLAG
Each round goes on with another number of ranks and threads, and ends with SIGKILL to one rank or several at a random
time.  When the cube is complete before all rounds are over, it is compared and the next one is begun.
"""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

SYNC = 0.2  # [s]
PATIENCE = 1200  # [s]: it only ends what hangs
SWEEP = """\
model: bouncing-ball
t_end: 5
cells:
  axes:
    - {name: e, linear: [0.3, 0.9], points: 80}
    - {name: y, linear: [0.5, 2.0], points: 50}
solvers: [ode45, ode23, ode15s]
strategies: [event]
rtol: [1e-3, 1e-6]
mesh: 0.01
"""


def children(pid):
    """Processes that this one has started."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:
            pass  # it has ended meanwhile
    return found


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Killing:
    def __init__(self, o, folder):
        self.o, self.folder, self.random = o, pathlib.Path(folder), random.Random(o.seed)
        self.kills = self.cubes = self.kept = self.torn = 0
        (self.folder / "sweep.yaml").write_text(SWEEP)

    def start(self, ranks, out, *more):
        env = dict(os.environ, OMP_NUM_THREADS=str(self.random.choice((1, 2))))
        return subprocess.Popen([self.o.mpiexec, self.o.numproc, str(ranks), self.o.saltus, "run", "sweep.yaml", "-q", "-o",
                                 out, "--sync", str(SYNC), *more], cwd=self.folder, env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def saltus(self, *args):
        return subprocess.run([self.o.saltus, *args], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)

    def lines(self):
        """Lines of the status file so far."""
        path = self.folder / "status"
        return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []

    def finish(self, run):
        error = run.communicate(timeout=PATIENCE)[1]
        assert run.returncode == 0, error

    def held(self):
        """Cells that the journals hold; nothing may be there twice."""
        told = self.saltus("info", "out.h5")
        if told.returncode:  # killed before anything was written
            assert "no journal of this program" in told.stderr or "No such file" in told.stderr, told.stderr
            return 0
        assert "cells twice" not in told.stdout, told.stdout
        torn = re.search(r"broken records +(\d+)", told.stdout)
        self.torn += int(torn[1]) if torn else 0
        return int(re.search(r"cells +(\d+) of", told.stdout)[1])

    def compare(self):
        self.cubes += 1
        same = self.saltus("diff", "reference.h5", "out.h5")
        assert same.returncode == 0 and "the same" in same.stdout, same.stdout + same.stderr
        assert not (self.folder / "out.h5.journal").exists()
        os.unlink(self.folder / "out.h5")

    def kill_some(self, run):
        """One rank or several, at a random time after the first sign of life."""
        end = time.monotonic() + PATIENCE
        while not self.lines() and run.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(self.random.uniform(0, 0.6))
        ranks = children(run.pid)
        victims = self.random.sample(ranks, self.random.randint(1, len(ranks))) if ranks else []
        now = time.monotonic()
        for pid in victims:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        run.communicate(timeout=PATIENCE)
        while any(alive(pid) for pid in ranks) and time.monotonic() < now + PATIENCE:
            time.sleep(0.01)
        return run.returncode != 0

    def round(self, known):
        """Runs until the kill; `known` cells were held before.  Returns the cells that are held now."""
        (self.folder / "status").unlink(missing_ok=True)
        run = self.start(self.random.choice((1, 2, 3)), "out.h5", "--status", "status", "--every", "0.05")
        if not self.kill_some(run):
            self.compare()
            return 0
        self.kills += 1
        told = self.lines()
        if (self.folder / "out.h5").exists():  # killed after the last line of its work
            self.saltus("run", "sweep.yaml", "-q", "-f", "-o", "out.h5")
            self.compare()
            return 0
        held = self.held()
        assert held >= known, (held, known)
        if told:
            assert told[0]["found"] == known, (told[0], known)  # nothing that was held is run again
            last = told[-1]["seconds"]
            old = [line["done"] for line in told if line["seconds"] <= last - SYNC]
            assert not old or held >= old[-1], (held, old)
            assert held <= told[-1]["cells"]
        self.kept += held - known
        return held

    def all(self):
        self.finish(self.start(2, "reference.h5"))
        held = 0
        for _ in range(self.o.rounds):
            held = self.round(held)
        self.finish(self.start(2, "out.h5"))
        self.compare()
        assert self.kills >= self.o.rounds // 2, (self.kills, "kills in", self.o.rounds, "rounds")
        assert self.kept > 0


def main():
    parser = argparse.ArgumentParser()
    for name in ("saltus", "mpiexec", "numproc"):
        parser.add_argument(name)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
        killing = Killing(o, folder)
        killing.all()
    print(f"{killing.kills} kills in {o.rounds} rounds, {killing.cubes} cubes the same, {killing.kept} cells kept over "
          f"kills, {killing.torn} torn records, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
