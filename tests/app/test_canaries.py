"""Foreign sweeps, cubes and journals make a command do nothing outside of its folder.

strace is the witness: of programs, processes and sockets; the folder itself of files. tests/libs/test_canaries.c tries
every option there is; here a few go all the way.
"""
import os
import re
import shutil
import subprocess

import h5py

import cli
import journal_forge

BENIGN = "-ts_type bdf -ts_bdf_order 2"
HOSTILE = ('-ts_type bdf -python "touch canary;" -prefix_push ts_moni -tor_python a.b -prefix_pop',
           "-ts_type bdf -snes_converged_reason :canary",
           "-ts_type bdf -prefix_push ts_vi -ew_solution binary:canary",
           "-ts_type bdf -options_file canary.txt")
SWEEP = """\
model: monopod
t_end: 1
mesh: 0.01
cells: {axes: [{name: k, linear: [10, 30], points: 8}]}
libraries: [{name: theirs, library: PETSc, options: 'OPTIONS'}]
solvers: [theirs]
strategies: [switch]
rtol: [1e-2, 1e-4]
divergence: {}
"""
CALLS = "execve,execveat,fork,vfork,clone,clone3,socket,connect,bind"


class Watched(cli.InFolder):
    def write(self, name, options):
        (self.folder / name).write_text(SWEEP.replace("OPTIONS", options), encoding="utf-8")

    def watch(self, *args):
        """Runs it under strace; what it ended with, and how many programs, processes and sockets there were."""
        strace = shutil.which("strace")
        self.assertIsNotNone(strace, "strace is needed, the witness (jobscripts/setup.sh)")
        log = self.folder.parent / (self.folder.name + ".strace")
        self.addCleanup(log.unlink, missing_ok=True)
        done = subprocess.run([strace, "-f", "--seccomp-bpf", "-qq", "-e", "trace=" + CALLS, "-e", "signal=none", "-o", log,
                               cli.SALTUS, *map(str, args)], cwd=self.folder, text=True, timeout=cli.TIMEOUT,
                              capture_output=True, stdin=subprocess.DEVNULL, env=dict(os.environ, OMP_NUM_THREADS="1"),
                              check=False)
        calls = [line for line in log.read_text(errors="replace").splitlines()
                 if not any(word in line for word in ("CLONE_THREAD", "EADDRINUSE"))]  # MPI tries the next port
        return done, {kind: sum(bool(re.search(rf"\b{kind}\w*\(", line)) for line in calls)
                      for kind in ("exec", "fork|vfork|clone", "socket|connect|bind")}

    def still(self, usual, *args):
        """It is refused, and does no more than a harmless call of it."""
        before = self.files()
        done, calls = self.watch(*args)
        self.assertIn(done.returncode, (2, 4), done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(calls["exec"], 1)
        for kind, most in usual.items():
            self.assertLessEqual(calls[kind], most, kind)
        self.assertEqual(self.files(), before, args)
        return done.stderr


class FromASweep(Watched):
    def test_hostile_options_do_nothing(self):
        self.write("good.yaml", BENIGN)
        done, usual = self.watch("plan", "--sample", "0", "good.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(usual["exec"], 1)
        for options in HOSTILE:
            self.write("bad.yaml", options)
            self.assertIn("bad.yaml:5: entry 1 of libraries: unknown option of PETSc",
                          self.still(usual, "plan", "--sample", "0", "bad.yaml"))

    def test_the_user_may_do_more(self):
        """By the command line and the environment, which then are part of what the run is."""
        self.write("good.yaml", BENIGN)
        more = ("--petsc-options", "-snes_converged_reason :reason.txt -snes_rtol 1e-3")
        self.works("run", "good.yaml", "-q", "-o", "a.h5", *more)
        self.assertIn("converged", (self.folder / "reason.txt").read_text(encoding="utf-8"))
        self.works("run", "good.yaml", "-q", "-o", "b.h5",
                   env=dict(os.environ, PETSC_OPTIONS="-snes_rtol 1e-3"))
        self.assertIn("PETSC_OPTIONS=-snes_rtol 1e-3", self.works("info", "b.h5"))
        self.works("run", "good.yaml", "-q", "-o", "c.h5", "--part", "1/1")
        self.assertNotIn("PETSC_OPTIONS", self.works("info", "c.h5"))
        self.works("run", "good.yaml", "-q", "-o", "d.h5", "--part", "1/2")
        done = self.saltus("run", "good.yaml", "-q", "-o", "d.h5", "--part", "1/2", *more)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("+ # PETSC_OPTIONS=-snes_converged_reason", done.stderr)
        done = self.saltus("refine", "b.h5", "--cells", "1", "-o", "e.h5", "-q")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("other options for libraries", done.stderr)


class FromACube(Watched):
    COMMANDS = (("recommend", "x.h5", "--at", "k=20", "--error", "0.5", "--run"),
                ("regret", "x.h5", "-o", "points.h5", "--points", "2", "--replicates", "1", "-q"),
                ("store", "x.h5", "--cells", "1", "-q"), ("refine", "x.h5", "--cells", "2", "-o", "more.h5", "-q"))

    def make(self):
        self.write("good.yaml", BENIGN)
        self.works("run", "good.yaml", "-q", "-o", "good.h5")

    def edit(self, old, new):
        """Below the seal, which would refuse the cube before its text is read."""
        shutil.copy(self.folder / "good.h5", self.folder / "x.h5")
        with cli.edited(self.folder / "x.h5") as cube:
            text = cli.word(cube.attrs["sweep"])
            self.assertIn(old, text)
            del cube.attrs["sweep"]
            cube.attrs["sweep"] = text.replace(old, new)

    def test_hostile_options_do_nothing(self):
        self.make()
        _, usual = self.watch("store", "good.h5", "--cells", "1", "-q")
        self.works("run", "good.yaml", "-q", "-o", "good.h5", "-f")
        for options in HOSTILE[:2]:
            self.edit(BENIGN, options)
            for command in self.COMMANDS:
                self.still(usual, *command)

    def test_a_file_that_a_cube_names_is_not_opened(self):
        self.make()
        os.mkfifo(self.folder / "pipe")
        self.edit(f"library: PETSc, options: '{BENIGN}'", "library: recorded, options: pipe")
        for command in self.COMMANDS[2:]:
            done = self.saltus(*command)
            self.assertEqual((done.returncode, "--recorded" in done.stderr), (2, True), done.stderr)
        self.edit("model: monopod", "model: pipe.yaml")
        os.mkfifo(self.folder / "pipe.yaml")
        for command in (("info", "x.h5"), *self.COMMANDS[2:]):
            self.saltus(*command)  # comes to an end


class FromAJournal(Watched):
    """Journals forged down to their checksums; the sweep has a trajectory to be stored, for which merge runs a cell."""

    STORED = "store: {trajectories: [2], every: 0.5}\n"

    def setUp(self):
        super().setUp()
        (self.folder / "good.yaml").write_text(SWEEP.replace("OPTIONS", BENIGN) + self.STORED, encoding="utf-8")
        for part in ("1/2", "2/2"):
            self.works("run", "good.yaml", "-q", "-o", "x.h5", "--part", part)
        self.good = {path: path.read_bytes() for path in self.folder.glob("x.h5.journal*/*.sal")}
        self.assertEqual(len(self.good), 2)

    def forge(self, *pairs, change=lambda texts: texts):
        """In all texts, old and new words; then the texts as a whole.  Only the keys of `store` are not part of a run's identity."""
        def changed(texts):
            for old, new in pairs:
                self.assertIn(old, "".join(texts))
                texts = [text.replace(old, new) for text in texts]
            return change(texts)

        for path, content in self.good.items():
            path.write_bytes(journal_forge.forged(content, changed))

    def test_a_forged_journal_is_like_a_sound_one(self):
        """Else what follows would prove nothing."""
        self.forge((BENIGN, "-ts_type bdf -ts_bdf_order 3"))
        self.works("merge", "-q", "x.h5")
        with h5py.File(self.folder / "x.h5") as cube:
            self.assertIn("-ts_bdf_order 3", cli.word(cube.attrs["sweep"]))

    def test_hostile_options_do_nothing(self):
        done, usual = self.watch("merge", "-q", "x.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "x.h5").unlink()
        for options in HOSTILE[:2]:
            self.forge((BENIGN, options))
            self.assertIn("entry 1 of libraries: unknown option of PETSc", self.still(usual, "merge", "-q", "x.h5"))
        self.forge((BENIGN, HOSTILE[0]), (self.STORED, ""))  # nothing is run: a cube like its text, which does not run either
        done, calls = self.watch("merge", "-q", "x.h5")
        self.assertEqual((done.returncode, calls["exec"]), (0, 1), done.stderr)
        self.still(usual, "store", "x.h5", "--cells", "1", "-q")

    def test_a_file_that_a_journal_names_is_not_opened(self):
        for name in ("pipe", "pipe.yaml"):
            os.mkfifo(self.folder / name)
        self.forge(("library: PETSc", "library: recorded"), (BENIGN, "pipe"))
        self.refused("merge", "-q", "x.h5", says=("--recorded theirs=FILE", "pipe"))
        self.forge(("model: monopod", "model: pipe.yaml"))
        self.refused("merge", "-q", "x.h5", says=("model_text", "pipe.yaml"))
        self.forge(change=lambda texts: [texts[0], "pipe\033]0;x\007\n", texts[2].replace("t_end", "t_and")])
        self.assertNotIn("\033", self.refused("merge", "-q", "x.h5", says=("pipe?", "unknown key 't_and'")))
        path = next(iter(self.good))
        path.unlink()
        os.mkfifo(path)
        self.refused("merge", "-q", "x.h5", says=(path.name, "is a pipe"))


if __name__ == "__main__":
    cli.main()
