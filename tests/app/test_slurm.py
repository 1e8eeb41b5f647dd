"""The job scripts on a real SLURM: two pretended nodes on this machine, or SALTUS_SLURM_NODES, ended again whatever happens.

Called as test_slurm.py SALTUS SWEEPS MPIEXEC NUMPROC_FLAG JOBSCRIPTS NO_LOCKS.
"""
import atexit
import contextlib
import csv
import errno
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

import h5py

import cli

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "munged")
JOBSCRIPTS = pathlib.Path(sys.argv.pop(1)).resolve()
NO_LOCKS = pathlib.Path(sys.argv.pop(1)).resolve()  # library to be loaded ahead of others
LOCAL = JOBSCRIPTS / "local-slurm.sh"
# Some seconds of work in many tiles.
CELLS = 14000


def grid(cells):
    return cli.sets(*cli.SHORT, "solvers=[ode23,ode45,ode15s]", "rtol=[1e-6]",
                    "cells={axes: [{name: b, linear: [1000, 2000], points: %d}]}" % cells)


GRID = grid(CELLS)
LONG = grid(10 * CELLS)  # is not over before a signal comes, on any machine
WATCHED = ("--status", "status", "--every", "0.05", "--sync", "0.1")
NODES = int(os.environ.get("SALTUS_SLURM_NODES", "2"))
OVER = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")
SMALL = ("--ntasks-per-node=1", "--cpus-per-task=1", "--time=30")


def local_slurm(*args, env=None):
    done = subprocess.run(["bash", LOCAL, *args], env=env, text=True, timeout=cli.TIMEOUT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"local-slurm.sh {' '.join(args)}: {done.stderr}")
    return done.stdout


class Slurm(cli.InFolder):
    @classmethod
    def setUpClass(cls):
        # Settings of Open MPI are for the job scripts to make.
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "SLURM_", "SBATCH_"))}
        told = re.findall(r"(\w+)=(\S+)", local_slurm("start", str(NODES), env=plain))
        cls.env = dict(plain, **dict(told), SALTUS=cli.SALTUS)
        cls.addClassCleanup(cls.stop)
        atexit.register(cls.stop)  # Ctrl-C and SIGTERM leave class clean-ups out
        signal.signal(signal.SIGTERM, signal.default_int_handler)

    @classmethod
    def stop(cls):
        if os.path.exists(cls.env["SALTUS_LOCAL_SLURM"]):
            local_slurm("stop", env=cls.env)

    def setUp(self):
        super().setUp()
        shutil.copy(cli.DALLAS, self.folder / "sweep.yaml")

    def ask(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.env, text=True, timeout=cli.TIMEOUT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def submit(self, script, *args, options=()):
        nodes = () if script == "array.sbatch" else (f"--nodes={NODES}",)
        return self.ask("sbatch", "--parsable", *SMALL, *nodes, *options, JOBSCRIPTS / script, *map(str, args))

    def job(self, number):
        """The fields of `scontrol show job`."""
        return dict(re.findall(r"(\w+)=(\S*)", self.ask("scontrol", "show", "job", number)))

    def logs(self):
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def wait(self, what, holds, number=None):
        """Waits until holds(), but not longer than the job `number` lives."""
        end = time.monotonic() + cli.TIMEOUT
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}: it never happens\n{self.logs()}")
            if number and self.job(number)["JobState"] in OVER:
                self.assertTrue(holds(), f"{what}: not before the job has ended\n{self.logs()}")
            time.sleep(0.05)

    def ends(self, number):
        self.wait(f"job {number} ends", lambda: self.job(number)["JobState"] in OVER)
        self.assertEqual(self.job(number)["JobState"], "COMPLETED", self.logs())
        return self.job(number)

    def status(self):
        path = self.folder / "status"
        return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []

    def send_usr1(self, number):
        """Sends USR1 to the batch shell, as --signal=B:USR1 does, when some cells are done."""
        self.wait("cells are done", lambda: (told := self.status()) and told[-1]["state"] == "running"
                  and told[-1]["done"] > 0 and self.job(number)["JobState"] == "RUNNING", number)
        # For a task of an array scancel does not detect that it has been sent, and sends it again after five seconds.
        subprocess.run(["timeout", "3", "scancel", "--batch", "--signal=USR1", number], env=self.env, check=False)

    def interrupt(self, number):
        """Signals it and waits for the requeue."""
        self.send_usr1(number)
        self.wait("it is back in the queue",
                  lambda: (now := self.job(number))["JobState"] == "PENDING" and now["Restarts"] == "1", number)
        self.assertIn("stopped", [line["state"] for line in self.status()])
        # SLURM would hold it for two minutes. In the second of the requeue it refuses it: "credential revoked".
        self.ask("scontrol", "update", f"JobId={number}", "StartTime=now+2")

    def same(self, out="out.h5", sets=GRID):
        self.works("run", "sweep.yaml", "-q", "-o", "plain.h5", *sets, threads=1)
        self.assertIn("the same", self.works("diff", "plain.h5", out))
        self.assertEqual([*self.folder.glob(out + ".journal*")], [])

    def test_a_sweep_that_is_signalled_requeues_itself_and_finishes(self):
        number = self.submit("sweep.sbatch", "sweep.yaml", "out.h5", *GRID, *WATCHED)
        self.interrupt(number)
        held = self.status()[-1]["done"]
        self.assertTrue(0 < held < CELLS, held)
        self.assertFalse((self.folder / "out.h5").exists())
        self.assertEqual(self.ends(number)["Restarts"], "1")
        told = self.status()
        self.assertEqual((told[-1]["state"], told[-1]["found"], told[-1]["done"]), ("done", held, CELLS))
        self.assertEqual({line["ranks"] for line in told}, {NODES})  # one on each node, in one MPI job
        self.assertEqual(self.logs().count("goes back into the queue"), 1)
        self.assertRegex(self.logs(), r"n2: task 1: Exited with exit code 85")
        self.same()

    @unittest.skipUnless(sys.argv[1:], "by name, nightly: SLURM and the rank that is left wait a minute or two")
    def test_a_node_that_goes_down_costs_no_finished_cell(self):
        number = self.submit("sweep.sbatch", "sweep.yaml", "out.h5", *GRID, *WATCHED)
        self.wait("cells are done", lambda: (told := self.status()) and told[-1]["done"] > 0, number)
        self.ask("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=power")
        try:
            self.wait("it is back in the queue", lambda: self.job(number)["Restarts"] == "1")
            self.wait("its nodes are free of it", lambda: not self.steps(number))  # the two minutes of SLURM are for that
        finally:
            # refused where the node has come back by itself
            subprocess.run(["scontrol", "update", "NodeName=n2", "State=RESUME"], env=self.env, check=False, capture_output=True)
        self.ask("scontrol", "update", f"JobId={number}", "StartTime=now+2")
        self.assertEqual(self.ends(number)["Restarts"], "1")
        last = self.status()[-1]
        self.assertEqual((last["state"], last["done"]), ("done", CELLS))
        self.assertGreater(last["found"], 0)
        self.same()

    def test_a_sweep_that_cannot_run_fails_and_stays_out_of_the_queue(self):
        number = self.submit("sweep.sbatch", "sweep.yaml", "out.h5", "--set", "solvers=[ode46]")
        self.wait("it fails", lambda: self.job(number)["JobState"] == "FAILED", number)
        self.assertEqual((self.job(number)["ExitCode"], self.job(number)["Restarts"]), ("2:0", "0"))
        self.assertIn("did you mean 'ode45'?", self.logs())

    def test_restarts_are_counted(self):
        number = self.submit("sweep.sbatch", "sweep.yaml", "out.h5", *LONG, *WATCHED, options=["--export=ALL,SALTUS_RESTARTS=0"])
        self.send_usr1(number)
        self.wait("it fails", lambda: self.job(number)["JobState"] == "FAILED", number)
        self.assertEqual((self.job(number)["ExitCode"], self.job(number)["Restarts"]), ("85:0", "0"))
        self.assertIn("after 0 restarts", self.logs())

    def failed(self, *args, code="2:0", options=(), **env):
        """The log of a job that ends so, at once."""
        with mock.patch.dict(self.env, env):
            number = self.submit(*args, options=options)
        self.wait("it fails", lambda: self.job(number)["JobState"] == "FAILED", number)
        self.assertEqual((self.job(number)["ExitCode"], self.job(number)["Restarts"]), (code, "0"))
        return next(self.folder.glob(f"sal-*-{number}.log")).read_text()

    def test_a_job_names_what_wastes_it_before_it_works(self):
        # Tasks that MPI does not know of. Open MPI's own end before that, unless they see nothing of SLURM.
        alone = "srun --mpi=none env -u SLURM_STEP_ID -u SLURM_PROCID"
        log = self.failed("sweep.sbatch", "sweep.yaml", "out.h5", options=["--exclusive"], SALTUS_LAUNCHER=alone,
                          SALTUS_SETUP="echo set up on $SLURM_JOB_NUM_NODES nodes")
        self.assertRegex(log, r"(?m)^set up on 2 nodes$")
        self.assertRegex(log, r"(?m)^sal-sweep: uses 2 of the 4 CPUs that it has \(2 ranks x 1 threads\); --ntasks-per-node=N")
        self.assertRegex(log, r"(?m)^saltus run: SLURM_STEP_NUM_TASKS = 2, but MPI started this rank alone: .*SALTUS_LAUNCHER=mpirun")
        self.assertEqual([*self.folder.glob("out.h5*")], [])
        log = self.failed("sweep.sbatch", "sweep.yaml", "out.h5", SALTUS_SETUP="no-such-module load", options=["--nodes=1"])
        self.assertRegex(log, r"(?m)^sal-sweep: SALTUS_SETUP has failed: no-such-module load$")
        self.assertNotIn("CPUs that it has", self.failed("sweep.sbatch", "sweep.yaml", options=["--nodes=1", "--cpus-per-task=2"]))

    def test_nodes_cannot_write_one_file_on_nfs_without_locks(self):
        launcher = f"srun --kill-on-bad-exit=0 env LD_PRELOAD={NO_LOCKS} NO_LOCKS={int(errno.ENOLCK)} FAKE_NFS=1"
        log = self.failed("sweep.sbatch", "sweep.yaml", "out.h5", *GRID, code="4:0", SALTUS_LAUNCHER=launcher)
        self.assertRegex(log, r"(?m)^saltus run: .*out\.h5\.journal: NFS without locks \(No locks available\), .*run on one node")
        self.assertEqual([*self.folder.glob("out.h5.journal/*")], [])

    def test_a_script_that_is_alone_names_what_it_lacks(self):
        shutil.copy(JOBSCRIPTS / "sweep.sbatch", self.folder)
        log = self.failed(self.folder / "sweep.sbatch", "sweep.yaml", "out.h5", options=["--nodes=1"])
        self.assertEqual(log, f"{self.folder}: contains no jobscripts/job.sh; set SALTUS_HOME to the checkout, or to PREFIX/share/saltus\n")

    def test_usr1_is_asked_of_slurm_two_minutes_before_the_limit(self):
        for script in ("sweep.sbatch", "array.sbatch"):
            told = subprocess.run(["sbatch", "-v", "--test-only", JOBSCRIPTS / script], env=self.env, text=True, timeout=cli.TIMEOUT,
                                  cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
            self.assertRegex(told, r"signal +: B:USR1@120\b")
            self.assertRegex(told, r"requeue +: requeue\b")

    def test_an_array_is_merged_to_the_cube_of_an_undivided_run(self):
        self.env["SALTUS_MERGE_OPTIONS"] = f"--nodes={NODES} --ntasks={NODES}"
        array = self.submit("array.sbatch", "sweep.yaml", "out.h5", *GRID, *WATCHED, options=["--array=1-3%1", "--partition=short", "--time=12"])
        self.wait("the merge waits", lambda: self.merge(array))
        merge = self.merge(array)
        self.assertEqual([self.job(merge)[key] for key in ("Partition", "TimeLimit")], ["short", "00:12:00"])
        self.interrupt(f"{array}_2")  # the first is finished and must stay so
        for task in (1, 2, 3):
            self.assertEqual(self.ends(f"{array}_{task}")["Restarts"], "1" if task == 2 else "0")
        self.ends(merge)
        self.assertEqual(self.logs().count("goes back into the queue"), 1)
        told = [line for line in self.status() if line["state"] == "done"]
        self.assertEqual(sum(line["cells"] for line in told), CELLS)
        self.assertEqual(sorted(line["found"] > 0 for line in told), [False, False, True])
        self.same()
        for name in ("plain.h5", "out.h5"):
            with h5py.File(self.folder / name) as cube:
                self.assertIn("map", cube)
        with h5py.File(self.folder / "out.h5") as cube:
            self.assertEqual(cube.attrs["ranks"], NODES)  # of the merge
        # Submitted again all ends well, and nothing is run.
        cube = (self.folder / "out.h5").stat()
        again = self.submit("array.sbatch", "sweep.yaml", "out.h5", *GRID, options=["--array=1-2"])
        for task in (1, 2):
            self.ends(f"{again}_{task}")
        self.assertEqual(self.logs().count("out.h5: is there already; nothing is run"), 2)
        self.assertEqual(self.merge(again), "")
        self.assertEqual((self.folder / "out.h5").stat().st_mtime_ns, cube.st_mtime_ns)

    def test_an_array_that_lacks_a_part_says_so(self):
        array = self.submit("array.sbatch", "sweep.yaml", "out.h5", *GRID[:-2], options=["--array=1-2%1"])
        self.wait("the merge waits", lambda: self.merge(array))
        merge = self.merge(array)
        self.ask("scancel", f"{array}_2")
        self.wait("it fails", lambda: self.job(merge)["JobState"] in OVER)
        self.assertEqual(self.job(merge)["JobState"], "FAILED", self.logs())
        log = (self.folder / f"sal-merge-{array}.log").read_text()
        self.assertRegex(log, r"6 of 13 cells are in no journal")
        self.assertEqual(log.splitlines()[-1], "no cube; what is finished is kept; submit the array again")

    @staticmethod
    def steps(number):
        """The keepers of the job's steps, of any cluster on this machine."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                found += [path] if path.read_bytes().startswith(f"slurmstepd: [{number}.".encode()) else []
        return found

    def rank_of(self, number, rank):
        """The process of a rank of the job."""
        for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                words = environ.read_bytes().split(b"\0")
                if (environ.with_name("comm").read_text() == "saltus\n" and f"SLURM_PROCID={rank}".encode() in words
                        and f"SLURM_JOB_ID={number}".encode() in words and str(self.folder) in os.readlink(environ.with_name("cwd"))):
                    return int(environ.parent.name)
        self.fail(f"no rank {rank} of job {number}")
        return 0

    def signal_rank(self, what, *args, **env):
        """A sweep under way, one of whose two ranks gets a signal."""
        with mock.patch.dict(self.env, env):
            number = self.submit("sweep.sbatch", "sweep.yaml", "out.h5", *args, *GRID, *WATCHED)
        self.wait("cells are done", lambda: (told := self.status()) and told[-1]["done"] > 0, number)
        os.kill(self.rank_of(number, 1), what)
        return number

    def test_a_rank_that_is_killed_leaves_a_last_line(self):
        number = self.signal_rank(signal.SIGKILL, SALTUS_LAUNCHER="srun --kill-on-bad-exit=0 --wait=1")
        self.wait("it fails", lambda: self.job(number)["JobState"] == "FAILED", number)
        self.assertEqual(self.job(number)["ExitCode"], "137:0")
        self.assertEqual(self.logs().splitlines()[-1],
                         f"job {number}: ended with 137; what is finished is kept; submit again")

    def test_a_host_that_says_nothing_is_lost(self):
        number = self.signal_rank(signal.SIGSTOP, "--silence", "2")
        self.wait("it is back in the queue", lambda: self.job(number)["Restarts"] == "1", number)
        self.ask("scancel", number)
        self.assertRegex(self.logs(), r"(?m)^saltus: nothing has come from \S+ for \d+ s; what is finished is kept; submit again$")
        self.assertIn(f"job {number}: stopped, goes back into the queue", self.logs())

    def merge(self, array):
        return self.ask("squeue", "--noheader", "--format=%A", f"--name=sal-merge-{array}")

    def test_answers_follow_a_sweep(self):
        said = self.ask("bash", JOBSCRIPTS / "chain.sh", "sweep.yaml", "out.h5", "answers", *SMALL, f"--nodes={NODES}")
        for number in re.findall(r"job (\d+)", said):
            self.ends(number)
        self.same(sets=())
        self.assertIn("ode", (self.folder / "answers/rules.txt").read_text(encoding="utf-8"))
        self.assertIn("<html", (self.folder / "answers/report.html").read_text(encoding="utf-8"))

    def measured(self):
        return {path.name: path.stat().st_mtime_ns for path in self.folder.glob("scaling/*.status")}

    def test_a_scaling_study_that_is_stopped_goes_on(self):
        number = self.submit("scaling.sbatch", "contacts:32", "scaling", 10, 2, options=["--nodes=2"])
        self.wait("a run is measured", lambda: "threads-32-1x1-1.status" in self.measured(), number)
        before = self.measured()
        self.ask("scancel", "--batch", "--signal=USR1", number)
        self.wait("it is back in the queue",
                  lambda: (now := self.job(number))["JobState"] == "PENDING" and now["Restarts"] == "1", number)
        self.assertGreater((self.folder / "scaling/scaling.png").stat().st_size, 10000)
        self.assertLess(len(self.measured()), 8)
        self.ask("scontrol", "update", f"JobId={number}", "StartTime=now+2")
        self.ends(number)
        self.assertEqual(before, {name: when for name, when in self.measured().items() if name in before})
        self.assertRegex(self.logs(), r"(?m)^6 runs, 0 of them measured; saltus plan expects \S+ h for the others, \S+ min for the longest$")
        self.assertRegex(self.logs(), r"(?m)^6 runs, [1-5] of them measured;")
        with open(self.folder / "scaling/scaling.csv", encoding="utf-8") as file:
            rows = {(row["series"], int(row["ranks"]), int(row["threads"])): row for row in csv.DictReader(file) if row["case"] == "32"}
        self.assertEqual(sorted(rows), [("strong", 1, 1), ("strong", 2, 1), ("threads", 1, 1), ("weak", 1, 1), ("weak", 2, 1)])
        for (series, ranks, _), row in rows.items():
            self.assertEqual(int(row["cells"]), 10 * ranks if series == "weak" else 10)
            speed = float(row["cells"]) / float(row["seconds"])
            self.assertAlmostEqual(float(row["cells_per_second"]) / speed, 1, delta=1e-4)
            first = float(rows[series, 1, 1]["cells_per_second"])
            self.assertAlmostEqual(float(row["speedup"]) * first / speed, 1, delta=1e-4)
            self.assertAlmostEqual(float(row["efficiency"]) * ranks / float(row["speedup"]), 1, delta=1e-4)
            self.assertEqual(row["shared_cores"] == "True", ranks > os.cpu_count())
            self.assertGreater(float(row["predicted"]), 0)
            self.assertGreater(float(row["computing"]), 0)
            self.assertEqual(row["repeats"], "2")
        self.assertGreater((self.folder / "scaling/scaling.png").stat().st_size, 10000)
        self.assertRegex(self.logs(), r"(?m)^weak +32 +2 +2 x 1 +20 ")
        self.assertIn("has measurements of another study (contacts, cells 10, ", self.failed("scaling.sbatch", "contacts:32", "scaling", 11, 2))


missing = [program for program in PROGRAMS if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
if missing:
    sys.exit(f"no {', '.join(missing)} on this machine: jobscripts/setup.sh --slurm installs them;"
             " jobscripts/test.sh --without app.slurm leaves this test out")
cli.main()
