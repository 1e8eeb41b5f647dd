"""Faults from outside of a run: full disks, links, files that appear, signals in long tiles."""
import json
import os
import resource
import signal
import subprocess
import time

import cli

PART = 60e3  # [B] smaller than the frame of any cube


class Faults(cli.InFolder):
    def run_args(self, out="out.h5", *pairs):
        return ["run", cli.DALLAS, "-q", "-o", out, *cli.sets(*cli.SHORT, *pairs)]

    def whole(self):
        """whole.h5, of a run that nothing disturbed."""
        self.works(*self.run_args("whole.h5"))

    def same(self, out):
        self.assertIn("the same", self.works("diff", "whole.h5", out))

    def wait_for(self, path, run):
        end = time.monotonic() + 60
        while not (self.folder / path).exists() and run.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        self.assertIsNone(run.poll(), "it was over before anything could happen to it")

    def begin(self, *args, ranks=0, **more):
        start = [cli.MPIEXEC, cli.NUMPROC, str(ranks)] if ranks else []
        run = subprocess.Popen([*start, cli.SALTUS, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"), **more)
        self.addCleanup(run.kill)
        return run

    def while_it_runs(self, do, *args):
        """Does something in the folder when the journal is there, before the cube is."""
        run = self.begin(*args)
        self.wait_for("out.h5.journal/0000.sal", run)
        do()
        error = run.communicate(timeout=cli.TIMEOUT)[1]
        return run.returncode, error


class Alone(Faults):
    """Without mpirun each process has a session folder of its own: two that start at once share no name."""

    def test_a_session_folder_goes_with_its_process(self):
        tmp = self.folder / "tmp"
        tmp.mkdir()
        env = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_MCA_orte")}
        env.update(TMPDIR=str(tmp), OMP_NUM_THREADS="1")
        run = subprocess.Popen([cli.SALTUS, *self.run_args("out.h5", "t_end=3000")], cwd=self.folder, stdin=subprocess.DEVNULL, env=env)
        self.addCleanup(run.kill)
        self.wait_for("out.h5.journal/0000.sal", run)
        left = os.listdir(tmp)
        self.assertEqual([name[:11] for name in left], ["saltus-mpi."])
        self.assertTrue(any(name.startswith("ompi.") for name in os.listdir(tmp / left[0])))
        (tmp / "saltus-mpi.mine").mkdir()
        self.works("run", cli.DALLAS, "-q", "-o", "other.h5", *cli.sets(*cli.SHORT), env=env)
        self.assertEqual(sorted(os.listdir(tmp)), sorted([*left, "saltus-mpi.mine"]))  # one is at work, the other is not ours
        run.kill()
        run.wait()
        self.works("map", "other.h5", "--error", "1e-3", env=env)
        self.assertEqual(os.listdir(tmp), ["saltus-mpi.mine"])


class FullDisk(Faults):
    """The files of a process may not grow beyond PART, as on a disk that is full."""

    def limited(self, *args, ranks=0):
        """Not mpirun itself but its ranks are limited; shared memory would be, too, and a rank that starts without
        mpirun starts a helper that needs large files."""
        shell = f"ulimit -f {int(PART / 1024)}; exec \"$@\""
        start = [cli.MPIEXEC, cli.NUMPROC, str(ranks)] if ranks else []
        return subprocess.run([*start, "bash", "-c", shell, "bash", cli.SALTUS, *args], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=cli.TIMEOUT,
                              env=dict(os.environ, OMP_NUM_THREADS="1", OMPI_MCA_btl="self,tcp"))

    def parts(self):
        for part in ("1/2", "2/2"):
            self.works(*self.run_args("out.h5"), "--part", part)

    def test_a_cube_that_finds_no_room_ends_with_4_and_nothing_is_lost(self):
        self.whole()
        self.parts()
        before = self.files()
        for ranks in (1, 2):
            done = self.limited("merge", "out.h5", ranks=ranks)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual(done.stderr.count("saltus merge: out.h5: cannot be written: File too large; the journals are "
                                               "as they were"), 1, done.stderr)
            self.assertNotIn("MPI_ABORT", done.stderr)
            self.assertEqual(self.files(), before)
        self.works("merge", "out.h5", ranks=2)
        self.same("out.h5")

    def test_a_run_says_how_to_go_on(self):
        self.whole()
        run = self.begin(*self.run_args("out.h5", "mesh=0.001"))
        self.wait_for("out.h5.journal/0000.sal", run)
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (200_000, 200_000))  # room for the journal, not for the cube
        error = run.communicate(timeout=cli.TIMEOUT)[1]
        self.assertEqual(run.returncode, 4, error)
        self.assertIn("out.h5: cannot be written: File too large; the journals stay in out.h5.journal, and the same "
                      "command goes on from there", error)
        self.assertNotIn("MPI_ABORT", error)
        self.assertEqual([p.name for p in self.folder.glob("out*")], ["out.h5.journal"])
        self.works(*self.run_args("out.h5", "mesh=0.001"))
        self.assertEqual([p.name for p in self.folder.glob("out*")], ["out.h5"])

    def test_a_map_that_finds_no_room_ends_with_4(self):
        self.whole()
        before = self.files()
        done = self.limited("map", "whole.h5", ranks=1)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("saltus map: whole.h5: cannot be written: File too large", done.stderr)
        self.assertEqual(self.files(), before)


class Names(Faults):
    SLOW = "mesh=0.0002"  # some seconds

    def test_a_link_in_the_place_of_the_part_is_not_written_through(self):
        victim = self.folder / "victim"
        victim.write_text("precious")
        code, error = self.while_it_runs(lambda: (self.folder / "out.h5.part").symlink_to("victim"),
                                         *self.run_args("out.h5", self.SLOW))
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(victim.read_text(), "precious")
        self.assertFalse((self.folder / "out.h5").is_symlink())
        self.works("info", "out.h5")

    def test_an_output_that_appears_is_not_replaced(self):
        out = self.folder / "out.h5"
        args = self.run_args("out.h5", self.SLOW)
        code, error = self.while_it_runs(lambda: out.write_text("precious"), *args)
        self.assertEqual(code, 3, error)
        self.assertIn("out.h5: has appeared meanwhile; --force overwrites it; the journals stay in out.h5.journal", error)
        self.assertEqual(out.read_text(), "precious")
        self.assertFalse((self.folder / "out.h5.part").exists())
        self.works(*args, "--force")
        self.works("info", "out.h5")
        self.assertFalse((self.folder / "out.h5.journal").exists())

    def test_journals_may_lie_behind_a_link(self):
        self.whole()
        (self.folder / "scratch").mkdir()
        (self.folder / "out.h5.journal").symlink_to("scratch")
        done = self.saltus("run", cli.DALLAS, "-o", "out.h5", *cli.sets(*cli.SHORT), ranks=2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("journals stay", done.stderr)
        self.same("out.h5")
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])
        self.assertTrue((self.folder / "out.h5.journal").is_symlink())

    # After its first record it computes for many seconds more.
    LONG = ("cells={axes: [{name: b, linear: [550, 38000], points: 480}]}", "t_end=40", "mesh=0.5", "divergence={}", "max_step=0.001",
            "solvers=[ode23,ode45]", "rtol=[1e-2,1e-3,1e-4,1e-5]", "timing.repeats=0", "reference_tolerance=1e-9")

    def stopped_after_a_record(self, do):
        """A run that is stopped by a signal when a record is in its journal, after do() with the journal's path."""
        run = self.begin("run", cli.DALLAS, "-q", "-o", "out.h5", *cli.sets(*self.LONG))
        head = 2000  # [B] at least

        def journals():
            return [path for path in self.folder.glob("out.h5.journal/*.sal") if path.stat().st_size > head]

        self.assertTrue(cli.wait_until(journals, run))
        do(*journals())
        self.assertIsNone(run.poll(), "it was over before anything could happen to it")
        run.send_signal(signal.SIGUSR1)
        error = run.communicate(timeout=cli.TIMEOUT)[1]
        self.assertFalse((self.folder / "out.h5").exists())
        return run.returncode, error

    def test_a_journal_that_is_cut_while_it_is_written_is_noticed(self):
        code, error = self.stopped_after_a_record(lambda path: os.truncate(path, 100))
        self.assertEqual(code, 4, error)
        self.assertIn("0000.sal: has been cut or replaced while the run was at work; run once more", error)
        code, error = self.stopped_after_a_record(lambda path: None)  # the same command, once more
        self.assertEqual(code, 85, error)
        self.assertRegex(error, "; [1-9][0-9]* of 480 cells are in out.h5.journal")


class Stop(Faults):
    # One tile of many short tasks, which takes far longer than a run waits for a tile after a signal.
    LONG = ("cells={axes: [{name: b, linear: [550, 38000], points: 24}]}", "t_end=1000", "mesh=0.5", "divergence={}", "max_step=0.001",
            "solvers=[ode23,ode45]", "rtol=[1e-2,5e-3,1e-3,5e-4,1e-4,5e-5,1e-5,5e-6]", "timing.repeats=0",
            "reference_tolerance=1e-9")
    CONFIGS = 32

    def lines(self):
        path = self.folder / "status"
        return [json.loads(t) for t in path.read_text().splitlines() if t.endswith("}")] if path.exists() else []

    def wait_for_work(self, run, least):
        end = time.monotonic() + 120
        while run.poll() is None and time.monotonic() < end:
            told = self.lines()
            if told and told[-1]["trajectories"] >= least:
                return
            time.sleep(0.02)
        self.fail(f"no work was done: {self.lines()[-1:]}")

    def test_a_long_tile_is_given_up(self):
        """Progress is seen within tiles, and a signal drops what is done of them."""
        args = ["run", cli.DALLAS, "-q", "-o", "out.h5", *cli.sets(*self.LONG), "--status", "status", "--every", "0.1"]
        for ranks in (0, 2):
            run = self.begin(*args, ranks=ranks)
            self.wait_for_work(run, 1)
            run.send_signal(signal.SIGUSR1)
            error = run.communicate(timeout=cli.TIMEOUT)[1]
            self.assertEqual(run.returncode, 85, error)
            last = self.lines()[-1]
            self.assertIn(f"a signal stopped it; {last['done']} of 24 cells are in out.h5.journal", error)
            self.assertEqual(last["state"], "stopped")
            self.assertLess(last["done"], 24)
            self.assertGreater(last["trajectories"], last["done"] * self.CONFIGS, "no tile was given up")
            (self.folder / "status").unlink()


cli.main()
