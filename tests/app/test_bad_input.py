"""Bad input as a new user would produce it: one clear line, an exit code, nothing lost."""
import os
import resource
import subprocess

import h5py

import cli

OUT = ("-o", "out.h5")
GRID = """\
model: monopod
cells:
  axes:
    - {name: k, list: [1, 5, 20, 60, 150, 480]}
t_end: 2
mesh: 0.01
solvers: [ode23, ode45]
strategies: [switch, event]
rtol: [1e-3, 1e-5]
"""


class UnreadableCube(cli.InFolder):
    """A file that another program is at, and one that is not whole."""

    def test_what_is_wrong_with_it_is_named(self):
        (self.folder / "grid.yaml").write_text(GRID, encoding="utf-8")
        self.works("run", "-q", "grid.yaml", *OUT)
        with h5py.File(self.folder / "out.h5", "r+"):
            self.refused("info", "out.h5", says=("out.h5: another program has it open for writing",), code=4)
        whole = (self.folder / "out.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[:len(whole) // 2])
        (self.folder / "bad.h5").write_bytes(whole[:9] + bytes([whole[9] ^ 255]) + whole[10:])
        for name in ("cut.h5", "bad.h5"):
            self.refused("info", name, says=(f"{name}: the file is damaged, or has been cut (HDF5: ",), code=4)


class BadSweep(cli.InFolder):
    """Errors in the sweep file: the message names file and line."""

    def broken(self, old, new):
        """Writes the paper's sweep with one thing changed; returns "broken.yaml:LINE:"."""
        with open(cli.DALLAS, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(old), 1, old)
        (self.folder / "broken.yaml").write_text(text.replace(old, new), encoding="utf-8")
        return f"broken.yaml:{text[:text.index(old)].count(chr(10)) + 1}:"

    def check(self, old, new, *says):
        self.refused("run", "broken.yaml", *OUT, says=(self.broken(old, new), *says))

    def test_a_misspelt_method_is_told_the_nearest(self):
        self.check("ode23, ode45, ode113", "ode23, ode54, ode113", "'ode54'", "allowed: ode23", "'ode45'?")

    def test_a_misspelt_strategy_is_told_the_nearest(self):
        self.check("[switch, event]", "[swich, event]", "'swich'", "'switch'?")

    def test_a_misspelt_key_is_told_the_nearest(self):
        self.check("solvers: [", "slovers: [", "'slovers'", "'solvers'?")

    def test_a_misspelt_choice_is_told_the_nearest(self):
        self.check("{adhesion: literal}", "{adhesion: litteral}", "'litteral'", "'literal'?")

    def test_a_name_of_the_cube_is_told_that_of_the_model(self):
        self.refused("run", "broken.yaml", *OUT, says=(self.broken("b, m1, k, f]", "initial_y1, m1, k, f]"), "'initial_y1'", "did you mean 'y1'?"))

    def test_a_tab_is_called_a_tab(self):
        (self.folder / "broken.yaml").write_text(GRID.replace("    - {name", "\t- {name"), encoding="utf-8")
        self.refused("run", "broken.yaml", *OUT, says=("broken.yaml:4: not valid YAML: a tab where the line begins; blanks are expected",))

    def test_a_negative_mass_is_out_of_range(self):
        self.check("[1951, 10.40,", "[1951, -10.40,", "m1 = -10.4", "allowed: from 0")

    def test_a_toe_as_heavy_as_the_hopper_leaves_no_body(self):
        self.check("[1951, 10.40,", "[1951, 39.5,", "m1 >= 4 pi^2", "no body mass")

    def test_a_tolerance_of_zero_is_out_of_range(self):
        self.check("[1e-3, 1e-6, 1e-9]", "[1e-3, 0, 1e-9]", "rtol = 0", "allowed: from 1e-14 to 0.1")

    def test_a_short_row_is_too_short(self):
        self.check("[1951, 10.40, 22.8, 0.051]", "[1951, 10.40, 22.8]", "list of 3", "4")

    def test_a_word_is_no_number(self):
        self.check("t_end: 50", "t_end: fifty", "'fifty'", "number")

    def test_an_unclosed_list_is_no_yaml(self):
        self.broken("strategies: [switch, event]", "strategies: [switch, event")
        self.refused("run", "broken.yaml", *OUT, says=("broken.yaml:", "not valid YAML"))

    def test_what_is_no_sweep_file_is_named(self):
        (self.folder / "empty.yaml").write_bytes(b"")
        (self.folder / "noise.yaml").write_bytes(bytes(range(256)) * 16)
        (self.folder / "folder.yaml").mkdir()
        os.mkfifo(self.folder / "pipe.yaml")
        for name, says in {"empty.yaml": "is empty", "noise.yaml": "not text", "folder.yaml": "is a directory",
                           "pipe.yaml": "is a pipe", "/dev/zero": "is a device", cli.SALTUS: "not text"}.items():
            self.refused("run", name, *OUT, says=(name, says))
        self.refused("run", "missing.yaml", *OUT, says=("missing.yaml", "No such file"), code=4)

    def test_messages_steer_no_terminal(self):
        (self.folder / "bad.yaml").write_text('solvers: ["\\e[31mode45"]\n' + GRID, encoding="utf-8")
        done = self.saltus("plan", "bad.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("\033", done.stderr)

    def test_a_missing_file_has_one_exit_status(self):
        for words in (["plan", "no.yaml"], ["run", "no.yaml", *OUT], ["score", "no.yaml", "--export", "tasks.txt"],
                      ["info", "no.h5"], ["info", "--check", "no.h5"], ["tables", "no.h5"], ["map", "no.h5"],
                      ["diff", "no.h5", "no.h5"], ["plan", "no.h5"],
                      ["recommend", "no.h5", "--at", "k=1", "--error", "1e-3"], ["regret", "no.h5", *OUT],
                      ["store", "no.h5", "--cells", "1"], ["refine", "no.h5", "--cells", "1", *OUT],
                      ["merge", "no.h5"], ["merge", "x.h5", "no.h5.journal"]):
            self.refused(*words, says=("no.",), code=4)

    def test_a_misspelt_set_is_named_by_its_key(self):
        for pair, says in {"slovers=[ode45]": "'solvers'?", "timing.repeat=1": "'repeats'?", "mesh=-1": "mesh = -1",
                           "solvers=[ode46]": "'ode45'?", "nonsense": "KEY=VALUE", "t_end=": "t_end"}.items():
            self.refused("run", cli.DALLAS, *OUT, "--set", pair, says=(f"--set {pair.split('=')[0]}", says))


class BadOutput(cli.InFolder):
    """The output cannot be written, or is there already."""

    def run_short(self, *args, **more):
        return self.saltus("run", cli.DALLAS, "-q", *cli.sets("t_end=1", "solvers=[ode45]", "timing.repeats=0"),
                           *args, **more)

    def test_an_output_that_cannot_be_written_is_found_before_the_work(self):
        (self.folder / "file").write_text("no folder")
        for name in ("missing/out.h5", "file/out.h5", "/sys/out.h5", "x" * 300 + ".h5"):
            self.refused("run", cli.DALLAS, "-o", name, says=(name,), code=4)
        for name in ("missing/out.csv", "file/out.h5"):
            self.refused("trajectory", "-o", name, says=(name,), code=4)
        for command in ("run", cli.DALLAS), ("trajectory",):
            self.refused(*command, "-o", "a/b/out.h5", says=("make it: mkdir -p a/b",), code=4)

    def test_a_folder_is_no_output(self):
        (self.folder / "out.h5").mkdir()
        for force in ((), ("--force",)):
            self.refused("run", cli.DALLAS, *OUT, *force, says=("out.h5", "is a directory"), code=4)
            self.refused("trajectory", *OUT, *force, says=("out.h5", "is a directory"), code=4)

    def test_an_output_that_exists_is_kept_byte_for_byte(self):
        for name in ("out.h5", "out.csv"):
            (self.folder / name).write_bytes(b"precious\n")
        self.refused("run", cli.DALLAS, *OUT, says=("out.h5", "--force"), code=3)
        for name in ("out.h5", "out.csv"):
            self.refused("trajectory", "-o", name, says=(name, "--force"), code=3)

    def test_force_overwrites_and_leaves_nothing_beside(self):
        for name in ("out.h5", "out.csv"):
            (self.folder / name).write_bytes(b"precious\n")
        for ranks in (0, 2):
            done = self.run_short(*OUT, "--force", ranks=ranks)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.works("trajectory", "-o", "out.csv", "--force")
        self.assertEqual(sorted(self.files()), ["out.csv", "out.h5"])
        self.assertIn("monopod", self.works("info", "out.h5"))
        self.assertTrue(self.files()["out.csv"].startswith(b"t,y1"))

    def test_bad_input_does_not_touch_what_force_would_overwrite(self):
        (self.folder / "out.h5").write_bytes(b"precious\n")
        self.refused("run", cli.DALLAS, *OUT, "--force", "--set", "t_end=0", says=("t_end",))
        self.refused("trajectory", *OUT, "--force", "--solver", "ode54", says=("'ode54'",))

    def test_a_trajectory_that_does_not_fit_on_the_disk_leaves_what_was_there(self):
        def small():  # the child may write no file longer than this; SIGXFSZ stays ignored as Python has it
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        for name in ("out.csv", "out.h5"):
            (self.folder / name).write_bytes(b"precious\n")
            with self.subTest(name):
                self.refused("trajectory", "-o", name, "--force", says=(name,), code=4, preexec_fn=small,
                             restore_signals=False)


class FullOutput(cli.InFolder):
    """The output does not fit on the disk."""

    def full(self, *args):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([cli.SALTUS, *map(str, args)], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=cli.TIMEOUT)
        self.assertEqual(done.returncode, 4, (args, done.stderr))
        self.assertIn("saltus: standard output: cannot be written", done.stderr, args)

    def test_every_command_that_prints_says_so(self):
        (self.folder / "grid.yaml").write_text(GRID, encoding="utf-8")
        self.works("run", "grid.yaml", "-q", "-o", "a.h5")
        for args in ((), ("--json",)):
            for command in (("info", "a.h5"), ("tables", "a.h5"), ("diff", "a.h5", "a.h5"), ("list", "metrics"),
                            ("plan", "grid.yaml", "--sample", 0), ("map", "a.h5"),
                            ("recommend", "a.h5", "--at", "k=20", "--error", "1"), ("plan", "a.h5")):
                with self.subTest(command=command[0], args=args):
                    self.full(*command, *args)
        self.full("refine", "a.h5", "--cells", 1, "--dry-run")
        self.full("calibrate-eps", "--model", "hopper1d", "--t-end", 2, "-S", "ess", "--zone-in-gap", "--rms", "1e-2",
                  "--points", 5)
        self.full("bderiv", "--model", "affine3", "--t-end", 0.5, "--matrix")
        for word in ("--help", "--version", "help"):
            self.full(word)
        self.full("run", "--help")

    def test_lines_of_status_say_so(self):
        """Before there is work done."""
        (self.folder / "grid.yaml").write_text(GRID, encoding="utf-8")
        self.refused("run", "grid.yaml", "-q", "-o", "a.h5", "--status", "/dev/full", code=4,
                     says=("/dev/full: lines of status cannot be written", "No space left"))

    def test_a_limit_of_file_sizes_is_said_by_us(self):
        (self.folder / "grid.yaml").write_text(GRID, encoding="utf-8")
        self.works("run", "grid.yaml", "-q", "-o", "a.h5")
        alone = {name: word for name, word in os.environ.items() if name != "OMPI_MCA_ess_singleton_isolated"}
        for command in (("run", "grid.yaml", "-q", "-o", "b.h5"), ("map", "a.h5")):
            done = self.saltus(*command, env=alone, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (16384, 16384)))
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("cannot be written: File too large", done.stderr)

    def test_small_stacks_and_thousands_of_threads_are_refused_before_any_work(self):
        (self.folder / "s.yaml").write_text(GRID)
        for env, says in (({"OMP_STACKSIZE": "256k"}, "the stacks of threads have 256 kB; at least 2048 kB are needed: OMP_STACKSIZE=8M"),
                          ({"OMP_STACKSIZE": "1023"}, "the stacks of threads have 1023 kB"), ({"threads": 1025}, "OMP_NUM_THREADS = 1025 is out of range")):
            threads = env.pop("threads", 2)
            self.refused("run", "s.yaml", *OUT, says=(says,), threads=threads, env=dict(os.environ, **env))
        for command in (("run", "s.yaml"), ("trajectory",)):
            self.refused(*command, *OUT, says=("the stack of this thread has", "ulimit -s 8192"),
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (512 << 10, 512 << 10)))
        self.works("run", "s.yaml", *OUT, env=dict(os.environ, OMP_STACKSIZE="2M"),
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (2200 << 10, 2200 << 10)))

    def test_an_output_that_is_closed_and_not_used_is_no_failure(self):
        done = subprocess.run(["sh", "-c", '"$0" trajectory --t-end 1 -o a.csv >&-', cli.SALTUS], cwd=self.folder,
                              stderr=subprocess.PIPE, text=True, timeout=cli.TIMEOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class BadCube(cli.InFolder):
    """Files that are not cubes, and wrong options of the commands that read one."""

    def test_a_text_is_no_cube(self):
        (self.folder / "good.h5").write_text("model: monopod\n")
        for command, says in (("tables", "not an HDF5 file"), ("info", "a text; allowed: a cube or journals")):
            self.refused(command, cli.DALLAS, says=("dallas2017.yaml", says))
            self.refused(command, "good.h5", says=("good.h5", "not an HDF5 file"))
            self.refused(command, "missing.h5", says=("missing.h5",), code=4)
        self.refused("diff", cli.DALLAS, cli.DALLAS, says=("dallas2017.yaml", "not an HDF5 file"))

    def test_a_trajectory_is_no_cube(self):
        self.works("trajectory", "-o", "flight.h5", "--t-end", 1)
        self.refused("tables", "flight.h5", says=("flight.h5",))
        self.refused("diff", "flight.h5", "flight.h5", says=("flight.h5",))

    def test_weights_that_make_no_sense_are_refused(self):
        for text in ("velocity=1", "sd", "sd=", "sd=x", "sd=1;dt=2", "sd=-1", "sd=0,dt=0,iae=0", "sd=nan",
                     "sd=1e999", "=1", ""):
            self.refused("tables", "any.h5", "--weights", text, says=("--weights",))


class BadTrajectory(cli.InFolder):
    """Words of the command line of `trajectory`."""

    def test_each_wrong_word_is_named_with_what_is_allowed(self):
        cases = {("--model", "monopd"): "'monopod'?", ("--solver", "ode54"): "'ode45'?",
                 ("--strategy", "swich"): "'switch'?", ("--jacobian", "analytik"): "'analytic'?",
                 ("--rtol", "0"): "1e-14 to 0.1", ("--atol", "-1e-6"): "1e-14 to 0.1", ("--rtol", "small"): "'small'",
                 ("--t-end", "-1"): "-1", ("--t-end", "nan"): "nan", ("--dt", "0"): "0", ("--dt", "1e-9"): "rows",
                 ("--param", "m1=-1"): "m1 = -1", ("--param", "m1=39.5"): "no body mass", ("--param", "m2=1"): "'m1'?",
                 ("--param", "k"): "NAME=VALUE", ("--param", "k=stiff"): "'stiff'",
                 ("--param", "adhesion=glue"): "literal", ("--initial", "y3=1"): "'y1'?",
                 ("--initial", "y1=inf"): "'inf'"}
        for (option, value), says in cases.items():
            with self.subTest(f"{option} {value}"):
                self.refused("trajectory", "-o", "x.csv", option, value, says=(option, says))

    def test_what_does_not_go_together_is_refused_by_name(self):
        for words, says in {("ess2", "ode113", "monopod"): ("ess2", "ode113", "one-step"),
                            ("ess", "ode15s", "monopod"): ("ess ", "ode15s", "one-step"),
                            ("switch", "ode45", "bouncing-ball"): ("bouncing-ball", "switch", "resets")}.items():
            with self.subTest(words):
                strategy, method, model = words
                self.refused("trajectory", "-o", "x.csv", "--strategy", strategy, "--solver", method,
                             "--model", model, says=says)

    def test_the_name_of_the_output_says_the_format(self):
        self.refused("trajectory", "-o", "flight.txt", says=("flight.txt", ".csv", ".h5"))


class UnderMpi(cli.InFolder):
    """Two ranks, one message, and no rank waits for ever."""

    def test_the_message_comes_once(self):
        (self.folder / "bad.yaml").write_text("modle: monopod\n")
        (self.folder / "noise.yaml").write_bytes(bytes(range(256)) * 16)
        (self.folder / "old.h5").write_bytes(b"precious\n")
        for args, says in ((("bad.yaml", *OUT), "bad.yaml:1:"), (("missing.yaml", *OUT), "missing.yaml"),
                           (("noise.yaml", *OUT), "not text"),
                           ((cli.DALLAS, *OUT, "--set", "solvers=[ode46]"), "'ode45'?"),
                           ((cli.DALLAS, "-o", "missing/out.h5"), "missing/out.h5"),
                           ((cli.DALLAS, "-o", "old.h5"), "--force"),
                           ((cli.DALLAS, "-o", ".", "--force"), "directory")):
            self.refused("run", *args, says=(says,), ranks=2)


cli.main()
