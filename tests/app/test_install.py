"""What `cmake --install` puts into an empty folder, used from there as a user would: CMAKE and the build's folder are the last arguments."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import cli

CMAKE, BUILD = sys.argv[1:3]
del sys.argv[1:3]


class Installed(cli.InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = pathlib.Path(folder.name) / "a prefix"
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        cls.share = cls.prefix / "share"
        cls.program = cls.prefix / "bin" / "saltus"

    def bash(self, script, *args, **environment):
        kept = {name: value for name, value in os.environ.items() if name != "SALTUS"}
        return subprocess.run(["bash", "-euc", script, "bash", *map(str, args)], cwd=self.folder, check=True, capture_output=True, text=True,
                              env=kept | environment).stdout

    def commands(self):
        listed = subprocess.run([self.program, "--help"], check=True, capture_output=True, text=True).stdout
        return [word for word in re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE) if word != "saltus"]  # examples begin so

    def test_the_program_does_what_that_of_the_build_does(self):
        sweep = self.share / "saltus" / "sweeps" / "dallas2017.yaml"
        pairs = cli.sets(*cli.SHORT, "t_end=1")
        subprocess.run([self.program, "run", sweep, "-q", "-o", "there.h5", *pairs], cwd=self.folder, check=True)
        self.works("run", cli.DALLAS, "-q", "-o", "here.h5", *pairs)
        self.assertIn("the same", self.works("diff", "here.h5", "there.h5"))

    def test_each_command_has_a_page_with_all_its_options(self):
        commands = self.commands()
        self.assertGreater(len(commands), 20)
        pages = self.share / "man" / "man1"
        self.assertEqual({page.name for page in pages.iterdir()}, {"saltus.1"} | {f"saltus-{command}.1" for command in commands})
        every = (pages / "saltus.1").read_text()
        for command in commands:
            page = (pages / f"saltus-{command}.1").read_text()
            shown = subprocess.run([self.program, command, "--help"], check=True, capture_output=True, text=True).stdout
            options = re.findall(r"(?m)^ +(?:-\w, +)?--([\w-]+)", shown)
            self.assertGreater(len(options), 0, command)
            for option in {*options} - {"help"}:
                self.assertIn("\\-\\-" + option.replace("-", "\\-"), page, command)
            self.assertIn("saltus\\-" + command.replace("-", "\\-") + " (1)", every)
            self.assertNotRegex(page, r"(?m)^[.'](?!TH|SH|SS|TP|PP|nf|fi|BR)", command)

    def test_bash_completes_commands_options_and_words(self):
        def complete(*words):
            script = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _saltus; printf "%s\\n" "${COMPREPLY[@]-}"'
            return self.bash(script, self.share / "bash-completion" / "completions" / "saltus", *words).split()

        self.assertEqual(complete("saltus", "rec"), ["recommend"])
        self.assertEqual(complete("saltus", "help", "exit"), ["exit-codes"])
        self.assertEqual(complete("saltus", "run", "--outp"), ["--output"])
        self.assertEqual(complete("saltus", "trajectory", "--solver", "ode1"), ["ode113", "ode15s"])
        self.assertEqual(complete("saltus", "export", "--to", "oc"), ["octave"])
        (self.folder / "mine.yaml").write_text("")
        self.assertEqual(complete("saltus", "run", "mi"), ["mine.yaml"])

    def test_scripts_find_the_program(self):
        home = self.share / "saltus"
        found = self.bash('home=$1; . "$home/jobscripts/job.sh"; printf "%s" "$saltus"', home, SLURM_JOB_NAME="job")
        self.assertEqual(os.path.realpath(found), os.path.realpath(self.program))
        found = self.bash('cd "$1/analysis"; /usr/bin/python3 -B -c "import cube; print(cube.program())"', home).strip()
        self.assertEqual(os.path.realpath(found), os.path.realpath(self.program))

    def test_topics_of_help(self):
        self.assertEqual(self.works("help", "man", "run"), (self.share / "man" / "man1" / "saltus-run.1").read_text())
        done = self.saltus("help", "man", "rnu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'run'?", done.stderr)


cli.main()
