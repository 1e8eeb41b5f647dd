"""A signal ends a run soon, whatever it is at: outlier runs, engines, orbit searches, ranks.  Counted in CPU time after the
signal, since a busy machine gives no prediction of seconds."""
import os
import signal
import struct
import subprocess
import time
import zlib

import h5py
import numpy as np

import cli

# [s] of CPU time after the signal: a grace of 2 s on one thread, and as much for all the rest.
SPENT = 4
OUTLIER_RUNS = """model: monopod
cells:
  columns: [b, k, f, m1]
  rows:
    - [1951, 22.8, 0.051, 1.88]
    - [1e7, 1e6, 1e3, 1e-6]
t_end: %g
mesh: %g
solvers: [%s]
strategies: [switch, event]
rtol: [1e-3, 1e-9]
budget: {factor: 0}
"""
HOURS = 3e6
# Many cells, so that a fast machine does not end before it is stopped.
# Some ten terabytes.
HUGE = cli.sets("cells={axes: [{columns: [b, m1, k, f], points: 100000000, sobol: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}",
                "solvers=[ode23,ode45,dop853,tsit5,ode113,ode15s,ode23s,ode23t,ode23tb,radau5]",
                f"rtol=[{','.join(f'{a}e-{n}' for n in range(2, 10) for a in (9, 7, 5, 3))}]")
MANY = "cells={axes: [{columns: [b, m1, k, f], points: 700, random: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]}"


def used(pid):
    """CPU time of a process [s]."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid):
    """All below it that run the program."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as file:
                head, tail = file.read().rsplit(")", 1)
        except (OSError, ValueError):
            continue
        if int(tail.split()[1]) == pid:
            found += [int(name)] if head.endswith(os.path.basename(cli.SALTUS)) else children(int(name))
    return found


class Runs(cli.InFolder):
    """Runs that are at work."""

    def begin(self, *args, ranks=0):
        start = [cli.MPIEXEC, cli.NUMPROC, str(ranks)] if ranks else []
        run = subprocess.Popen([*start, cli.SALTUS, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
        self.addCleanup(run.kill)
        return run

    def at_work(self, run, ranks, least):
        """The ranks, when the busiest has used so much CPU time."""
        end = time.monotonic() + cli.TIMEOUT
        while run.poll() is None and time.monotonic() < end:
            pids = children(run.pid) if ranks else [run.pid]
            if len(pids) == max(ranks, 1) and max(used(p) for p in pids) > least:
                return pids
            time.sleep(0.02)
        self.fail(f"it did not come to work: {run.poll()}")


class Stop(Runs):
    def ends(self, which, *args, ranks=0, least=0.5, one=False):
        """The signal goes to all ranks, or to one; what it said."""
        run = self.begin(*args, ranks=ranks)
        pids = self.at_work(run, ranks, least)
        before = {p: used(p) for p in pids}
        if one:
            os.kill(pids[-1], which)
        else:
            run.send_signal(which)
        spent = 0
        while run.poll() is None:
            for p in pids:
                try:
                    spent = max(spent, used(p) - before[p])
                except OSError:
                    pass
            self.assertLess(spent, SPENT, "it goes on and on")
            time.sleep(0.02)
        error = run.stderr.read()
        self.assertEqual(run.returncode, 85, error)
        return error

    def outliers(self, methods, t_end=HOURS):
        (self.folder / "outliers.yaml").write_text(OUTLIER_RUNS % (t_end, t_end / 1000, methods))
        return ["run", "outliers.yaml", "-q", "-o", "out.h5"]

    def test_in_the_middle_of_a_trajectory(self):
        args = self.outliers("ode45, ode23t")
        for which in (signal.SIGUSR1, signal.SIGTERM):
            self.assertIn("a signal stopped it; 0 of 2 cells are in out.h5.journal", self.ends(which, *args))
            self.assertFalse((self.folder / "out.h5").exists())

    def test_one_rank_of_two_is_enough(self):
        self.assertIn("a signal stopped it", self.ends(signal.SIGUSR1, *self.outliers("ode45"), ranks=2, one=True))

    def test_in_an_engine(self):
        known = self.works("list", "solvers")
        for method in ("petsc-rk5dp", "sundials-erk-dp5"):
            if method not in known:
                continue
            # the reference is soon done, the engine has its turn then
            args = [*self.outliers(method, 1e5), *cli.sets("cells.rows=[[1951, 22.8, 0.051, 1.88]]", "rtol=[1e-14]",
                                                         "reference_tolerance=0.1", "budget.factor=0")]
            self.assertIn("0 of 1 cells are in out.h5.journal", self.ends(signal.SIGTERM, *args, least=1.5))

    def test_in_a_search_for_orbits(self):
        args = ["run", os.path.join(cli.SWEEPS, "stability-monopod.yaml"), "-q", "-o", "out.h5"]
        self.assertIn("a signal stopped it", self.ends(signal.SIGTERM, *args))

    def test_in_a_plan_and_one_trajectory(self):
        self.outliers("ode45, ode23t")
        self.assertEqual(self.ends(signal.SIGTERM, "plan", "outliers.yaml", least=0.2), "saltus: stopped by a signal\n")
        self.assertEqual(self.ends(signal.SIGUSR1, "trajectory", "--model", "monopod", *self.outlier(), least=0.2),
                         "saltus: stopped by a signal\n")

    def outlier(self):
        return ["--param", "b=1e7", "--param", "k=1e6", "--param", "f=1e3", "--param", "m1=1e-6", "--t-end", "3e6",
                "--dt", "1e3", "-o", "out.csv"]

    def test_what_no_disk_has_room_for_is_said_at_once(self):
        """A small run prints nothing about it."""
        (self.folder / "huge.yaml").write_text(OUTLIER_RUNS % (1, 0.1, "ode45"))
        run = self.begin("run", "huge.yaml", "-o", "out.h5", *HUGE)
        self.at_work(run, 0, 1)
        run.send_signal(signal.SIGTERM)
        self.assertRegex(run.communicate()[1], r"(?m)^out\.h5\.journal: about \d+(\.\d)? TB are to be written, and [0-9.]+ .B are free there;")
        self.assertNotIn("are to be written", self.saltus("run", "huge.yaml", "-o", "small.h5", *cli.sets("solvers=[ode23]")).stderr)

    def test_before_it_has_begun(self):
        """Whenever it comes once the program has been loaded, be it ahead of MPI, in MPI_Init, or after it."""
        args = self.outliers("ode45")
        for pause in (0, 0.002, 0.01, 0.03, 0.1):
            run = self.begin(*args)
            self.assertTrue(cli.wait_until(lambda r=run: self.catches(r, signal.SIGTERM), run))
            time.sleep(pause)
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=cli.TIMEOUT), 85)

    @staticmethod
    def catches(run, which):
        with open(f"/proc/{run.pid}/status", encoding="ascii") as file:
            caught = next(line.split()[1] for line in file if line.startswith("SigCgt"))
        return int(caught, 16) >> (which - 1) & 1

    def test_resumed_runs_have_the_same_bits(self):
        args = ["run", cli.DALLAS, "-q", *cli.sets(*cli.SHORT, MANY)]
        self.works(*args, "-o", "whole.h5")
        self.assertTrue(any(self.was_stopped([*args, "-o", "out.h5"], pause) for pause in (0.3, 0.2, 0.1, 0.05)))
        self.works(*args, "-o", "out.h5")
        self.assertIn("the same", self.works("diff", "whole.h5", "out.h5"))

    def was_stopped(self, args, pause):
        """A run that is sent a signal so long after its first tile; false if it was done before."""
        (self.folder / "out.h5").unlink(missing_ok=True)
        run = self.begin(*args)
        self.assertTrue(cli.wait_until(lambda: run.poll() is not None or self.tiles_written(), run))
        time.sleep(pause)
        run.send_signal(signal.SIGTERM)
        self.assertIn(run.wait(timeout=cli.TIMEOUT), (85, 0))
        return run.returncode == 85

    def tiles_written(self):
        return any(path.stat().st_size > 0 for path in (self.folder / "out.h5.journal").glob("*"))


KEPT = """model: monopod
cells:
  columns: [b, k, f, m1]
  rows:
    - [1951, 22.8, 0.051, 1.88]
    - [1951, 20, 0.06, 1.88]
t_end: 160
mesh: 0.1
solvers: [ode23, ode45, dop853]
strategies: [switch]
rtol: [1e-3, 1e-14]
budget: {factor: 0}
"""
MAGIC = struct.pack("<Q", 0x9c1fe2d377c0a85b)  # begins a record


class Kept(Runs):
    """The finished runs of a cell whose outlier run was cut are not repeated.  The CPU times of the trajectories, which are measured
    of each, are the witness: no two runs take the same to the last bit."""

    DURATION = 24  # place of the metric in a record

    def times_kept(self):
        """Bytes of the trajectories of partial records; a record is head, packed columns of metrics, and a checksum."""
        times = set()
        for path in sorted((self.folder / "out.h5.journal").glob("*.sal")):
            data = path.read_bytes()
            _, _, n_cell_metric, n_metric, n_config = struct.unpack_from("<8s4I", data)
            at = data.find(MAGIC)
            while at >= 0:
                _, size, _, count, lacking, n_range, _ = struct.unpack_from("<Q5qQ", data, at)
                at += 56 + 16 * n_range
                if lacking and count:
                    columns = self.columns(zlib.decompress(data[at:at + size]), n_cell_metric, n_metric, count, count * n_config)
                    times |= set(columns[self.DURATION][~np.isnan(columns[self.DURATION])])
                at = data.find(MAGIC, at + size)
        return times

    @staticmethod
    def columns(data, n_cell_metric, n_metric, n_cell, n_run):
        """Bytes of runs: a byte for how numbers are stored, 0: one for all, else their bytes, by planes."""
        at, columns = 0, []
        for n in n_cell_metric * [n_cell] + n_metric * [n_run]:
            width, at = data[at], at + 1
            stored, at = data[at:at + (n * width or 8)], at + (n * width or 8)
            planes = np.frombuffer(stored, np.uint8).reshape(width or 8, -1).T.copy()
            columns.append(np.resize(planes.view({1: "<i1", 2: "<i2", 4: "<i4"}.get(width, "<f8")).ravel().astype(float), n))
        return columns[n_cell_metric:]

    def stopped(self, args, which=signal.SIGTERM):
        """Stops it until there is something kept, which is so at once on a machine that has a moment for us."""
        for _ in range(20):
            run = self.begin(*args, "-o", "out.h5")
            self.at_work(run, 0, 0.25)
            run.send_signal(which)
            self.assertIn(run.wait(timeout=cli.TIMEOUT), (85, 0))
            if (self.folder / "out.h5").exists():
                (self.folder / "out.h5").unlink()
            elif times := self.times_kept():
                return times
        self.fail("nothing is ever kept")

    def goes_on(self, args, times, **how):
        self.works(*args, "-o", "out.h5", **how)
        self.assertIn("the same", self.works("diff", "whole.h5", "out.h5"))
        self.assertFalse((self.folder / "out.h5.journal").exists())
        with h5py.File(self.folder / "out.h5") as cube:
            found = times & set(cube["solution_duration"][()].ravel())
        (self.folder / "out.h5").unlink()
        return found

    def test_others_go_on_with_it(self):
        (self.folder / "kept.yaml").write_text(KEPT)
        args = ["run", "kept.yaml", "-q", *cli.sets("timing.repeats=1")]
        self.works(*args, "-o", "whole.h5", threads=1)
        times = self.stopped(args)
        self.assertGreater(len(times), 0)
        run = self.begin(*args, "-o", "out.h5")  # killed, it leaves what the one before has kept
        self.at_work(run, 0, 0.1)
        run.kill()
        run.wait()
        self.assertEqual(self.times_kept(), times)
        self.assertEqual(self.goes_on(args, times, threads=2, ranks=2), times)


class Budget(cli.InFolder):
    def test_it_is_the_same_on_any_ranks_threads_and_lanes(self):
        (self.folder / "outliers.yaml").write_text(OUTLIER_RUNS.replace("factor: 0", "work: 3e5, factor: 10, least: 1e4")
                                                 % (300, 0.1, "ode45, ode23t, dop853"))
        outs = []
        for ranks, threads, width in ((0, 1, 1), (0, 2, 4), (2, 1, 8), (3, 2, 4)):
            outs.append(f"{ranks}-{threads}-{width}.h5")
            self.works("run", "outliers.yaml", "-q", "-o", outs[-1], "--set", f"width={width}", ranks=ranks, threads=threads)
            self.assertIn("the same", self.works("diff", outs[0], outs[-1]))
        self.assertIn("over_budget", self.works("info", outs[0]))

    def test_plan_names_the_outliers_and_ends(self):
        (self.folder / "outliers.yaml").write_text(OUTLIER_RUNS % (100, 0.1, "ode45, ode23t"))
        plan = self.works("plan", "outliers.yaml", threads=1)
        self.assertRegex(plan, r"outliers +the reference, b = 1e\+07, m1 = 1e-06, k = 1e\+06, f = 1000: more than 2e\+06 eval")
        self.assertRegex(plan, r"ode45 with event at 1e-09, b = 1e\+07")
        self.assertRegex(plan, r"--set budget.work=1e\+0\d ends such runs as over_budget")
        self.assertNotIn("outliers", self.works("plan", cli.DALLAS, *cli.sets(*cli.SHORT), threads=1))


cli.main()
