"""Help that teaches, and commands that do not exist."""
import re
import shlex

import cli

COMMANDS = {  # what a user must find in the help of each
    "run": ("SWEEP.yaml", "--output", "--set", "--force", "mpirun", "OMP_NUM_THREADS", "--part", "--status",
            "--every", "--sync", "SIGUSR1", "85"),
    "merge": ("OUT.h5", "--part", "--force", "--remove"),
    "plan": ("SWEEP.yaml", "--ranks", "--threads", "--set", "--sample", "--json", "Example"),
    "tables": ("CUBE.h5", "--weights", "--paper-fit", "(36)"),
    "info": ("CUBE.h5", "outcome|ended", "references"),
    "diff": ("A.h5 B.h5", "Exit status", "timings"),
    "trajectory": ("--model", "--method", "--strategy", "--rtol", "--atol", "--param", "--initial", "--t-end",
                   "--dt", "--output", "Example"),
    "calibrate-eps": ("--strategy", "--against", "--rms", "--zone-in-gap", "--curve", "--starts", "--csv", "Example"),
    "bderiv": ("--direction", "--matrix", "--check", "--csv", "--initial", "Example"),
    "map": ("CUBE.h5", "--error", "--weights", "--work", "--points", "never wins", "Example"),
    "recommend": ("CUBE.h5", "--at", "--physical", "--error", "--tol", "--weights", "--caution", "--json", "Exit status",
                  "Example"),
    "rules": ("CUBE.h5", "--error", "--tol", "--weights", "--depth", "--leaf", "--gain", "--miss", "--json", "Example"),
    "regret": ("CUBE.h5", "--points", "--seed", "--error", "--caution", "--replicates", "--output", "--from", "--csv", "--json", "misses",
               "retries", "section VI", "Example"),
    "simulate": ("CUBE.h5", "--ranks", "--scale", "--latency", "--io-bandwidth", "--json", "--csv", "breaks at", "Example"),
    "list": ("models|methods|strategies|metrics", "sweep file"),
}


class Help(cli.InFolder):
    def test_help_names_every_command_and_a_first_run(self):
        for word in ("--help", "-h", "help"):
            text = self.works(word)
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {command} +\w+")
            self.assertIn("saltus run sweeps/dallas2017.yaml", text)

    def test_every_command_explains_itself(self):
        for command, words in COMMANDS.items():
            done = self.saltus(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn(f"Usage: saltus {command} ", done.stdout)
            flat = " ".join(done.stdout.split())
            for word in words:
                self.assertTrue(any(w in flat for w in (word, *word.split("|"))), f"{command}: {word}")

    def test_help_of_run_lists_every_key_of_the_shipped_sweep(self):
        text = self.works("run", "--help")
        with open(cli.DALLAS, encoding="utf-8") as file:
            keys = re.findall(r"(?m)^(\w+):", file.read())
        self.assertGreater(len(keys), 10)
        for key in keys:
            self.assertRegex(text, rf"(?m)^  {key}[ .]")

    def test_the_example_in_the_help_of_trajectory_works(self):
        text = self.works("trajectory", "--help").split("Example:")[1]
        words = shlex.split(re.sub(r"\\\s*\n", " ", text).strip().splitlines()[0])
        self.assertEqual(words[0], "saltus")
        self.works(*words[1:])
        self.assertEqual([*self.files()], ["hop.csv"])

    def test_lists_show_what_there_is(self):
        wanted = {"models": ("monopod", "linear-ground"), "strategies": ("switch", "event"),
                  "methods": ("ode23", "ode45", "ode113", "ode15s", "ode23s", "ode23t", "ode23tb", "dop853"),
                  "metrics": ("divergence_time", "stiffness_ratio_published", "solution_duration")}
        for what, names in wanted.items():
            text = self.works("list", what)
            for name in names:
                self.assertRegex(text, rf"(?m)^ *{name} ")

    def test_without_a_command_help_is_an_error(self):
        done = self.saltus()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("Usage: saltus COMMAND", done.stderr)

    def test_an_unknown_command_is_told_the_nearest(self):
        for word, meant in {"rum": "run", "tabels": "tables", "trajectroy": "trajectory", "INFO": "info"}.items():
            self.refused(word, says=(f"'{word}'", "run, merge, plan, tables, info, diff, trajectory, list", f"'{meant}'?"))
        self.assertNotIn("did you mean", self.refused("xyzzy", says=("xyzzy",)))

    def test_an_unknown_list_is_told_the_nearest(self):
        self.refused("list", "method", says=("'method'", "did you mean 'methods'?"))

    def test_an_unknown_option_is_named(self):
        for command in COMMANDS:
            self.refused(command, "--bogus", says=(f"saltus {command}", "--bogus"))

    def test_what_is_missing_is_asked_for(self):
        for args in (["run"], ["run", cli.DALLAS], ["plan"], ["tables"], ["info"], ["diff"], ["diff", "a.h5"], ["list"],
                     ["trajectory"], ["bderiv"], ["simulate"], ["regret"], ["calibrate-eps"], ["calibrate-eps", "--rms", "1e-3"]):
            self.assertRegex(self.refused(*args), r"\?")


cli.main()
