"""Runs that were stopped, killed, refused or divided go on, and end with the cube of an undisturbed one."""
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np

import cli

# Seconds of work in many tiles, and a moment's.
CELLS, CONFIGS = 1200 if cli.SLOW else 2400, 6
FEW = "cells={axes: [{name: b, linear: [1000, 2000], points: 60}]}"
GRID = (*cli.SHORT, "cells={axes: [{name: b, linear: [1000, 2000], points: %d}]}" % CELLS,
        "solvers=[ode23,ode45,ode15s]", "rtol=[1e-6]", "t_end=11")
OVER_CUTOFF = 10  # the outcome of a run that was stopped at its cutoff


def cpu_seconds(pid):
    """CPU time of a process so far, zombies included."""
    with open(f"/proc/{pid}/stat") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Resume(cli.InFolder):
    def run_args(self, out, *pairs):
        return ["run", cli.DALLAS, "-q", "-o", out, *cli.sets(*GRID, *pairs)]

    references = {}  # by what they were set to

    def reference(self, *pairs):
        """reference.h5, of an undisturbed run."""
        if pairs not in self.references:
            self.works(*self.run_args("reference.h5", *pairs), ranks=2)
            self.references[pairs] = (self.folder / "reference.h5").read_bytes()
        (self.folder / "reference.h5").write_bytes(self.references[pairs])

    def same(self, out):
        self.assertIn("the same", self.works("diff", "reference.h5", out))
        self.assertFalse((self.folder / (out + ".journal")).exists())

    def status(self, path="status"):
        path = self.folder / path
        return [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")] if path.exists() else []

    def begin(self, *args, ranks=0, done=1):
        """Starts it and waits until `done` more cells are in the journals."""
        start = [cli.MPIEXEC, cli.NUMPROC, str(ranks)] if ranks else []
        run = subprocess.Popen([*start, cli.SALTUS, *args, "--status", "status", "--every", "0.02", "--sync", "0.1"],
                               cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
        self.addCleanup(run.kill)
        self.assertTrue(cli.wait_until(lambda: (told := self.status()) and told[-1]["done"] >= told[-1]["found"] + done, run),
                        "it ended before the first cells were done")
        return run

    def stop(self, run, how=signal.SIGKILL):
        run.send_signal(how)
        return run.communicate(timeout=cli.TIMEOUT)[1]

    def held(self, out="out.h5"):
        for line in self.works("info", out).splitlines():
            if line.startswith("  cells  "):
                return int(line.split()[1])
        self.fail("info does not print the cells")

    @unittest.skipIf(cli.SLOW, "takes long with sanitizers")
    def test_a_killed_run_goes_on_with_other_ranks_threads_and_lanes(self):
        # Cutoffs are the same, too; runs of three times the length, since three kills have to come while it runs.
        capped = ("cutoff={baselines: [ode45], error: 1e-3, factor: 1}", "t_end=33")
        self.reference(*capped)
        with h5py.File(self.folder / "reference.h5") as cube:
            self.assertGreater((cube["outcome"][()] == OVER_CUTOFF).sum(), CELLS)
        self.assertTrue(any(self.goes_on(capped) for _ in range(5)), "each time a run had ended before it was killed")

    def goes_on(self, capped):
        """Kills and resumes it; False: the machine was so busy that a run had ended by then."""
        for name in ("out.h5", "status", "last"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "out.h5.journal", ignore_errors=True)
        run, known = self.begin(*self.run_args("out.h5", *capped)), 0
        self.stop(run)
        for ranks, threads, width in ((2, 1, 4), (3, 2, 1)):
            held = self.held()
            self.assertGreater(held, known)
            if held > 3 * CELLS // 4:
                return False
            (self.folder / "status").unlink()
            run = self.begin(*self.run_args("out.h5", *capped, f"width={width}"), ranks=ranks)
            self.assertEqual(self.status()[0]["found"], held)
            self.stop(run, signal.SIGTERM)
            known = held
        if not (self.folder / "out.h5.journal").exists():
            return False
        held = self.held()
        self.works(*self.run_args("out.h5", *capped, "width=8"), "--status", "last", ranks=3, threads=2)
        told = self.status("last")
        self.assertEqual((told[0]["found"], told[-1]["state"], told[-1]["done"]), (held, "done", CELLS))
        self.same("out.h5")
        return True

    @unittest.skipIf(cli.SLOW, "takes long with sanitizers")
    def test_a_run_that_looks_for_orbits_goes_on(self):
        asked = ("cells={axes: [{name: zeta_G, linear: [-0.05, -0.02], points: 100}]}", "parameters={zeta_F: 0.02}", "solvers=[ode45]",
                 "strategies=[event]", "orbit={find: [cycles], returns: 6, longest: 20, tolerance: 1e-9}")
        self.reference(*asked)
        self.stop(self.begin(*self.run_args("out.h5", *asked)))
        held = self.held()
        self.works(*self.run_args("out.h5", *asked, "width=4"), "--status", "last", ranks=2, threads=2)
        self.assertEqual(self.status("last")[0]["found"], held)
        self.same("out.h5")
        with h5py.File(self.folder / "out.h5") as cube:
            self.assertGreater(len(set(cube["orbit_period"][()])), 10)

    def test_a_signal_ends_it_with_85_and_whole_tiles(self):
        self.reference()
        for how in (signal.SIGTERM, signal.SIGUSR1):
            error = self.stop(run := self.begin(*self.run_args("out.h5")), how)
            self.assertEqual(run.returncode, 85, error)
            self.assertIn("a signal stopped it", error)
            self.assertIn(f"{self.held()} of {CELLS} cells are in out.h5.journal", error)
            self.assertNotIn("broken", self.works("info", "out.h5"))
            self.assertEqual(self.status()[-1]["state"], "stopped")
            (self.folder / "status").unlink()
        self.works(*self.run_args("out.h5"))
        self.same("out.h5")

    def test_a_signal_reaches_all_ranks_through_mpirun(self):
        run = self.begin(*self.run_args("out.h5"), ranks=2)
        error = self.stop(run, signal.SIGUSR1)
        self.assertEqual(run.returncode, 85, error)
        self.assertEqual(error.count("a signal stopped it"), 1)

    def test_a_stop_does_not_wait_for_a_tile_that_takes_hours(self):
        long = ("t_end=100000", "cells={axes: [{name: b, linear: [1000, 2000], points: 4}]}", "mesh=0.5",
                "rtol=[1e-10]")
        for signals in ([signal.SIGTERM], [signal.SIGUSR1, signal.SIGUSR1]):
            run = subprocess.Popen([cli.SALTUS, *self.run_args("out.h5", *long)], cwd=self.folder, stderr=subprocess.PIPE,
                                   env=dict(os.environ, OMP_NUM_THREADS="1"))
            self.addCleanup(run.kill)
            self.assertTrue(cli.wait_until((self.folder / "out.h5.journal" / "0000.sal").exists, run))
            began = cpu_seconds(run.pid)
            self.assertTrue(cli.wait_until(lambda: cpu_seconds(run.pid) > began + 0.5, run))  # in its first tile
            for each in signals:
                run.send_signal(each)
                time.sleep(1.2)  # what comes within a second is the launcher's echo
            run.communicate(timeout=cli.TIMEOUT)
            self.assertEqual(run.returncode, 85)

    def test_another_sweep_is_refused_with_what_changed(self):
        self.stop(self.begin(*self.run_args("out.h5")))
        held = self.held()
        for ranks in (0, 2):
            done = self.saltus(*self.run_args("out.h5", "mesh=0.02"), ranks=ranks)
            self.assertNotEqual(done.returncode, 0)
            lines = done.stderr.splitlines()
            self.assertIn("- mesh: 0.01", lines)
            self.assertIn("+ mesh: 0.02  (--set)", lines)
            self.assertEqual(sum(line[:2] in ("- ", "+ ") for line in lines), 2, done.stderr)
            self.assertEqual(done.stderr.count("Take the change back to go on from there, or discard these journals by --force."), 1)
        self.assertEqual(self.held(), held)
        self.reference("mesh=0.02", FEW)
        self.works(*self.run_args("out.h5", "mesh=0.02", FEW), "--force")
        self.same("out.h5")

    def test_a_torn_record_and_a_flipped_byte_are_run_again(self):
        self.reference()
        self.stop(self.begin(*self.run_args("out.h5"), done=CELLS * 3 // 8))
        held = self.held()
        path = self.folder / "out.h5.journal" / "0000.sal"
        text = bytearray(path.read_bytes())
        text[len(text) // 2] ^= 1
        path.write_bytes(text[:-9])
        self.assertIn("broken records", self.works("info", "out.h5"))
        self.assertLess(self.held(), held)
        self.assertGreater(self.held(), 0)
        left = self.held()
        done = self.saltus("run", cli.DALLAS, "-o", "out.h5", *cli.sets(*GRID), ranks=2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"{left} of {CELLS} cells are there already", done.stderr)
        self.assertIn("2 records are broken off or damaged", done.stderr)
        self.same("out.h5")

    def test_a_disk_that_fills_up_keeps_what_is_there(self):
        self.reference()
        for ranks in (0, 2):  # from now on their files may not grow
            run = self.begin(*self.run_args("out.h5"), ranks=ranks)
            pids = [run.pid]
            if ranks:
                with open(f"/proc/{run.pid}/task/{run.pid}/children") as file:
                    pids = [int(word) for word in file.read().split()]
            for pid in pids:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, 1))
            error = run.communicate(timeout=cli.TIMEOUT)[1]
            self.assertEqual(run.returncode, 4, error)
            self.assertEqual(error.count("saltus run: out.h5.journal/"), 1, error)
            self.assertIn("cannot be written: File too large; what is finished stays in the journals", error)
            self.assertEqual(self.status()[-1]["state"], "running")  # nor may the status file
            self.assertFalse((self.folder / "out.h5").exists())
            self.assertNotIn("broken", self.works("info", "out.h5"))
            (self.folder / "status").unlink()
        held = self.held()
        self.assertLess(held, CELLS)
        self.works(*self.run_args("out.h5"), "--status", "status")
        self.assertEqual(self.status()[0]["found"], held)
        self.same("out.h5")

    def test_ranks_without_room_are_refused_before_any_work(self):
        few = cli.sets("cells={axes: [{name: b, linear: [1000, 2000], points: 4}]}", "t_end=1")
        self.refused("run", cli.DALLAS, "-o", "out.h5", *few, "--memory", "20MB",
                     says=("dallas2017.yaml: 1 rank of a node takes", "it has 20 MB; one rank a node does not fit, either"))
        four = json.loads(self.works("plan", cli.DALLAS, *few, "--json", "--sample", 0, "--ranks", 4, threads=1))["runs"][0]
        less = ("--memory", f"{0.9 * four['node_bytes']:.0f}B")
        self.refused("run", cli.DALLAS, "-o", "out.h5", *few, *less, ranks=4, threads=1,
                     says=("4 ranks of a node take", "; 2 ranks of 2 threads, 2 a node, take"))
        for job in ({"SLURM_MEM_PER_NODE": "20"}, {"SLURM_MEM_PER_CPU": "5", "SLURM_CPUS_ON_NODE": "4"}):
            self.refused("run", cli.DALLAS, "-o", "out.h5", *few, env=dict(os.environ, **job), says=("1 rank of a node takes", "it has 21 MB"))
        self.refused("run", cli.DALLAS, *few, "--memory", "1GB", "--part", "1/2", says=("--memory or --part, not both",))
        self.works("run", cli.DALLAS, "-q", "-o", "out.h5", *few, *less, ranks=2)

    def test_one_node_without_room_ends_all_ranks(self):
        unlike = 'SLURM_MEM_PER_NODE=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} ? 20 : 100000)) exec "$@"'
        done = subprocess.run([cli.MPIEXEC, cli.NUMPROC, "2", "bash", "-c", unlike, "-", cli.SALTUS, "run", cli.DALLAS, "-q", *cli.sets("t_end=1")],
                              cwd=self.folder, env=dict(os.environ, OMP_NUM_THREADS="1"), text=True, stderr=subprocess.PIPE, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("2 ranks of a node take", done.stderr)

    def test_what_cannot_be_written_is_refused_before_any_work(self):
        (self.folder / "out.h5.journal").write_text("mine")
        self.refused(*self.run_args("out.h5"), says=("out.h5.journal", "is not a folder"), code=4)
        self.refused(*self.run_args("other.h5"), "--status", "no/status", says=("no/status", "make it: mkdir -p no"), code=4)

    def test_journals_of_before_are_not_passed_over(self):
        old = self.folder / "out.h5.journal" / "00"
        old.mkdir(parents=True)
        (old / "0000.sal").write_bytes(b"saltus\nj")
        for command in (self.run_args("out.h5", FEW), [*self.run_args("out.h5", FEW), "--force"], ["merge", "out.h5", "out.h5.journal"],
                        ["info", "out.h5.journal"]):
            self.refused(*command, says=("out.h5.journal/00: a folder of journals of format 5 or before",), code=2)
        self.assertEqual((old / "0000.sal").read_bytes(), b"saltus\nj")
        self.assertFalse((self.folder / "out.h5").exists())

    def test_two_runs_do_not_meet(self):
        long = GRID[-4].replace(str(CELLS), str(20 * CELLS))  # it is not run to its end
        run = self.begin(*self.run_args("out.h5", long))
        done = self.saltus(*self.run_args("out.h5", long))
        self.assertEqual(done.returncode, 8)
        self.assertIn("out.h5.journal: another run is at work here", done.stderr)
        self.assertIn("is at work", self.works("info", "out.h5"))  # and info may look
        self.assertIn("trajectories/s", self.works("info", "out.h5.journal"))
        self.stop(run)
        self.assertIn("has stopped", self.works("info", "out.h5"))

    @unittest.skipIf(cli.SLOW, "clocks run otherwise with sanitizers")
    def test_status_tells_the_whole_story(self):
        self.works(*self.run_args("out.h5"), "--status", "status", "--every", "0.05", ranks=2)
        told = self.status()
        self.assertGreater(len(told), 4)
        self.assertEqual([t["state"] for t in told[-2:]], ["writing", "done"])
        self.assertEqual({t["state"] for t in told[:-2]}, {"running"})
        for count in ("done", "trajectories"):
            self.assertEqual([t[count] for t in told], sorted(t[count] for t in told))
        self.assertEqual(told[-1]["trajectories"], CELLS * CONFIGS)
        for t in told:
            self.assertEqual((t["cells"], t["found"], t["ranks"], t["threads"]), (CELLS, 0, 2, 2))
            self.assertGreaterEqual(t["trajectories"], t["done"] * CONFIGS - CONFIGS)  # reports come apart
        middle = told[len(told) // 2]
        self.assertGreater(middle["trajectories_per_second"], 0)
        left = CELLS * CONFIGS - middle["trajectories"]
        self.assertAlmostEqual(middle["seconds_left"], left / middle["trajectories_per_second"],
                               delta=1e-3 * middle["seconds_left"])

    @unittest.skipIf(cli.SLOW, "clocks run otherwise with sanitizers")
    def test_plain_lines_without_a_terminal(self):
        done = self.saltus("run", cli.DALLAS, "-o", "out.h5", *cli.sets(*GRID), "--every", "0.1")
        self.assertGreater(done.stderr.count("cells "), 3)
        self.assertIn("trajectories/s", done.stderr)
        self.assertNotIn("\r", done.stderr)


class Rounds(cli.InFolder):
    def rounds_of_a_large_cube_leave_no_trace(self):
        """Nightly: app.resume_rounds."""
        (self.folder / "decay.yaml").write_text(
            "{model: decay, t_end: 1, mesh: 0.1, solvers: [ode23], strategies: [switch],"
            " rtol: [0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01],"
            " cells: {axes: [{name: lambda, linear: [0.5, 2], points: 20000}]}}")
        for ranks in (1, 3):  # two rounds of 32 MB, and one
            self.works("run", "decay.yaml", "-q", "-o", f"{ranks}.h5", ranks=ranks, threads=1)
        self.assertIn("the same", self.works("diff", "1.h5", "3.h5"))
        with h5py.File(self.folder / "1.h5") as cube:
            error = cube["integral_absolute_error"][:, :, 0, 0]
            given = cube["points_integral_absolute_error"][:, :, 0, 0]
        lo, hi = error.min(axis=0), error.max(axis=0)  # over all cells, whatever the round
        self.assertTrue((lo < hi).all())
        self.assertLess(abs(given - (1 + 9 * (hi - error) / (hi - lo))).max(), 1e-9)
        self.assertGreater((given.max(axis=0) - given.min(axis=0)).min(), 8.9)

    def test_an_old_file_takes_no_memory(self):
        with open(self.folder / "out.h5", "wb") as file:
            file.truncate(1 << 30)
        run = subprocess.Popen([cli.SALTUS, "run", cli.DALLAS, "-q", "-f", "-o", "out.h5", *cli.sets(*cli.SHORT)],
                               cwd=self.folder, env=dict(os.environ, OMP_NUM_THREADS="1"))
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        self.assertTrue(10e3 < usage.ru_maxrss < 500e3, usage.ru_maxrss)  # [kB]


class Parts(cli.InFolder):
    def part(self, which, *more, out="out.h5", **how):
        return self.works("run", cli.DALLAS, "-q", "-o", out, *cli.sets(*cli.SHORT, *more), "--part", which, **how)

    def test_parts_merge_to_the_cube_of_an_undivided_run(self):
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT))
        for i, ranks in ((1, 1), (2, 2), (3, 0)):
            if i == 3:  # not yet
                self.refused("merge", "out.h5", says=("of 13 cells are in no journal",))
            self.part(f"{i}/3", ranks=ranks)
        self.assertFalse((self.folder / "out.h5").exists())
        parts = sorted(p.name for p in self.folder.glob("out.h5.journal*"))
        self.assertEqual(parts, [f"out.h5.journal.{i}-of-3" for i in (1, 2, 3)])
        self.assertIn("of a sweep of 13 cells", self.works("info", parts[0]))
        self.works("merge", "out.h5")
        self.works("merge", "two.h5", *parts, "--remove", ranks=2)
        for out in ("out.h5", "two.h5"):
            self.assertIn("the same", self.works("diff", "whole.h5", out))
        self.assertEqual(list(self.folder.glob("*.journal*")), [])

    def test_a_merged_cube_has_the_map_of_a_run(self):
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT))
        for i in (1, 2):
            self.part(f"{i}/2")
        self.works("merge", "-q", "out.h5", ranks=2)
        with h5py.File(self.folder / "whole.h5") as whole, h5py.File(self.folder / "out.h5") as merged:
            self.assertEqual(sorted(whole["map"]), sorted(merged["map"]))
            for name in ("by_error_best", "by_points_best"):
                self.assertTrue((whole["map"][name][()] == merged["map"][name][()]).all(), name)

    def test_journals_go_without_what_the_cube_drops(self):
        def journals(*keep):
            for i in (1, 2):
                self.part(f"{i}/2", "points=none", *keep)
            return sum(path.stat().st_size for path in self.folder.glob("out.h5.journal*/*.sal"))

        keep = "keep=[steps]"
        everything = journals()
        self.works("merge", "-q", "out.h5", "--remove")
        os.rename(self.folder / "out.h5", self.folder / "all.h5")
        self.assertLess(journals(keep), 0.75 * everything)  # the sweep's text is a third of such small ones
        self.works("merge", "-q", "out.h5", ranks=2)
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT, "points=none", keep))
        self.assertIn("the same", self.works("diff", "whole.h5", "out.h5"))
        with h5py.File(self.folder / "all.h5") as whole, h5py.File(self.folder / "out.h5") as kept:
            self.assertNotIn("end_error", kept)
            for name in ("outcome", "max_error", "steps", "rhs_evaluations", "map/by_error_best", "map/by_error_value"):
                np.testing.assert_array_equal(whole[name][()], kept[name][()], name)

    def test_cells_that_two_parts_have_count_once(self):
        """Their durations differ: points are made from those that are in the cube."""
        for part in ("1/2", "2/2", "1/3"):
            self.part(part, "timing.repeats=1")
        os.rename(self.folder / "out.h5.journal.1-of-2", self.folder / "out.h5.journal.again")
        self.part("1/2", "timing.repeats=1")
        self.works("merge", "out.h5", ranks=2)
        with h5py.File(self.folder / "out.h5") as cube:
            points = cube["points_solution_duration"][()]
            for t in range(points.shape[1]):
                self.assertEqual((points[:, t].min(), points[:, t].max()), (1, 10))

    def test_a_damaged_record_of_a_part_that_is_done_is_run_again(self):
        """To `merge` its cells are in no journal."""
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT))
        for part in ("1/2", "2/2"):
            self.part(part, ranks=2)
        path = self.folder / "out.h5.journal.2-of-2" / "0000.sal"
        text = bytearray(path.read_bytes())
        text[len(text) * 3 // 4] ^= 1
        path.write_bytes(text)
        self.assertIn("broken records", self.works("info", "out.h5.journal.2-of-2"))
        self.refused("merge", "out.h5", says=("are in no journal", "finish the parts that lack them first"))
        self.part("2/2", ranks=2)
        self.assertIn("broken records", self.works("info", "out.h5.journal.2-of-2"))
        self.works("merge", "out.h5", ranks=2)
        self.assertIn("the same", self.works("diff", "whole.h5", "out.h5"))

    def test_a_part_that_is_done_does_nothing(self):
        self.part("1/2")
        before = self.files()
        self.part("1/2")
        self.assertEqual(self.files(), before)

    def test_a_damaged_head_is_one_thing_to_run_and_merge(self):
        """The run sets the file aside and does its cells again; no merge accepts it before."""
        self.part("1/2")
        self.part("2/2")
        file = self.folder / "out.h5.journal.1-of-2" / "0000.sal"
        content = bytearray(file.read_bytes())
        content[3] ^= 0x20
        file.write_bytes(content)
        self.refused("merge", "out.h5", says=("no journal in it has a sound head", "run its part once more"))
        done = self.saltus("run", cli.DALLAS, "-o", "out.h5", *cli.sets(*cli.SHORT), "--part", "1/2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the head of 1 journal is damaged; set aside", done.stderr)
        self.assertEqual(file.with_name("0000.sal.damaged").read_bytes(), bytes(content))
        self.works("merge", "out.h5", "-q")
        self.works("run", cli.DALLAS, "-q", "-o", "whole.h5", *cli.sets(*cli.SHORT))
        self.works("diff", "out.h5", "whole.h5")

    def test_a_file_of_somebody_else_stays(self):
        """In a folder that a link leads to: neither a run nor its end removes what does not begin as a journal."""
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "0000.sal").write_text("my words", encoding="utf-8")
        os.symlink("mine", self.folder / "out.h5.journal")
        self.works("run", cli.DALLAS, "-q", "-o", "out.h5", *cli.sets(*cli.SHORT))
        left = [p.read_text(encoding="utf-8") for p in (self.folder / "mine").iterdir()]
        self.assertEqual(left, ["my words"])

    def test_what_does_not_belong_together_is_refused(self):
        self.part("1/2")
        self.part("2/2", "mesh=0.02")
        done = self.saltus("merge", "out.h5")
        self.assertEqual(done.returncode, 3)
        self.assertIn("- mesh: 0.02\n+ mesh: 0.01", done.stderr)
        self.refused("merge", "none.h5", says=("none.h5.journal*",), code=4)
        self.refused("merge", "none.h5", "nowhere", says=("nowhere", "No such file"), code=4)
        os.mkdir(self.folder / "empty")
        self.refused("merge", "none.h5", "empty", says=("empty: contains no journal of this program",))
        self.refused("merge", says=("OUT.h5, the cube to write, is missing",))

    def test_bad_numbers_are_refused(self):
        for part in ("0/3", "4/3", "1/0", "1", "1/", "/3", "a/3", "1/3x", "1/2000000"):
            self.refused("run", cli.DALLAS, "-o", "out.h5", "--part", part, says=("--part", f"'{part}'"))
        self.refused("run", cli.DALLAS, "-o", "out.h5", "--part", "1/200", says=("--part", "1/200 of 13 cells", "13 parts"))
        for option in ("--every", "--sync"):
            self.refused("run", cli.DALLAS, "-o", "out.h5", option, "soon", says=(option, "'soon'"))
            self.refused("run", cli.DALLAS, "-o", "out.h5", option, "-1", says=(option, "-1"))


cli.main()
