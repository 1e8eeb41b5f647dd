"""Help that teaches, and commands that do not exist."""
import json
import os
import pathlib
import re
import shlex

import cli

COMMANDS = {  # what a user must find in the help of each
    "run": ("SWEEP.yaml", "--output", "--set", "--force", "mpirun", "OMP_NUM_THREADS", "--part", "--status",
            "--every", "--sync", "SIGUSR1", "85"),
    "merge": ("OUT.h5", "--part", "--force", "--remove"),
    "plan": ("SWEEP.yaml|CUBE.h5", "--ranks", "--threads", "--set", "--sample", "--scale", "--latency", "--json", "--bandwidth", "--open", "--startup",
             "bottleneck", "Example"),
    "tables": ("CUBE.h5", "--weights", "(36)", "--json", "analysis/dallas_tables.py"),
    "info": ("CUBE.h5", "outcome|ended", "references", "--json"),
    "diff": ("A.h5 B.h5", "Exit status", "timings", "--json"),
    "trajectory": ("--model", "--solver", "--strategy", "--rtol", "--atol", "--param", "--initial", "--t-end",
                   "--dt", "--output", "Example"),
    "calibrate-work": ("--solvers", "--repeats", "Example"),
    "calibrate-eps": ("--strategy", "--against", "--rms", "--zone-in-gap", "--curve", "--starts", "--csv", "Example"),
    "orbit": ("--guess", "--returns", "--solver", "--initial", "Floquet multipliers", "Example"),
    "bderiv": ("--direction", "--matrix", "--csv", "--initial", "Example"),
    "map": ("CUBE.h5", "--error", "--weights", "--work", "--points", "never wins", "--json", "Example"),
    "recommend": ("CUBE.h5", "--at", "--physical", "--error", "--rtol", "--weights", "--probability", "--run", "--json", "Exit status",
                  "Example"),
    "regret": ("MAP.h5", "--points", "--seed", "--error", "--replicates", "--output", "--from", "probabilities", "Example"),
    "list": ("[models|solvers|strategies|metrics]", "[NAME]", "sweep file", "--json"),
}


class Help(cli.InFolder):
    def commands(self):
        """All commands, in the order of the help."""
        text = self.works("help")
        return re.findall(r"(?m)^  ([a-z-]+) +\w", text[:text.index("\n`saltus COMMAND")])

    def test_help_names_every_command_and_a_first_run(self):
        for word in ("--help", "-h", "help"):
            text = self.works(word)
            for command in COMMANDS:
                self.assertRegex(text, rf"(?m)^  {command} +\w+")
            self.assertIn("saltus run sweeps/dallas2017.yaml", text)
            self.assertEqual(re.findall(r"(?m)^To (.*)$", text), ["run a sweep", "look at results",
                             "ask which solver to use", "study one trajectory"])

    def test_a_command_has_one_help_however_it_is_asked_for(self):
        self.assertLessEqual(set(COMMANDS), set(self.commands()))
        for command in self.commands():
            text = self.works(command, "--help")
            self.assertEqual(self.works(command, "-h"), text)
            options, explained = text.partition("\nExample")[0], self.works("help", command)
            self.assertTrue(explained.startswith(options), command)
        self.refused("help", "rum", says=("unknown topic 'rum'", "'run'?", "keys, exit-codes"))

    def test_the_options_of_a_command_fit_a_screen(self):
        for command in COMMANDS:
            text = self.works(command, "--help")
            long = {"calibrate-eps", "continue", "orbit", "recommend"}  # of as many options as that
            self.assertLessEqual(len(text.splitlines()), 64 if command in long else 40, command)
        self.assertIn("saltus help run", self.works("run", "--help"))

    def test_the_version_names_what_a_report_needs(self):
        text = self.works("--version")
        self.assertEqual(self.works("-V"), text)
        self.assertRegex(text, r"^saltus \d+\.\d+\.\d+\n")
        for line in (r"commit +\S+", r"compiler +\S", r"MPI +\S.* v?\d", r"HDF5 +\d+\.\d+\.\d+",
                     r"lanes +1, 4, 8; this CPU has [148]"):
            self.assertRegex(text, rf"(?m)^  {line}")

    def test_one_version_stands_everywhere(self):
        version = self.works("--version").split()[1]
        for name, pattern in (("CHANGELOG.md", r"(?m)^## (\d\S*)"), ("CITATION.cff", r"(?m)^version: (\S+)")):
            text = (pathlib.Path(cli.SWEEPS).parent / name).read_text(encoding="utf-8")
            self.assertEqual(re.search(pattern, text)[1], version, name)

    def test_presets_are_those_of_the_command(self):
        for command, method, strategy, rtol in (("orbit", "dop853", "event", "1e-12"), ("continue", "dop853", "event", "1e-12"),
                                                ("bderiv", "dop853", "event", "1e-12"), ("trajectory", "ode45", "event", "1e-06"),
                                                ("calibrate-eps", "ode45", "none", "1e-06")):
            flat = " ".join(self.works(command, "--help").split())
            for words in (f"solver ({method});", f"strategy ({strategy});", f"relative tolerance ({rtol})"):
                self.assertIn(words, flat, command)
            for word in ("solver", "rtol"):  # and no other default is given further down
                self.assertNotRegex(flat, rf"--{word} is|--{word} [\d.e-]+, unless")
            self.assertNotIn("{}", flat)

    def test_exit_codes_are_listed(self):
        codes = re.findall(r"(?m)^ +(\d+)  \w", self.works("help", "exit-codes"))
        self.assertEqual(codes, ["0", "1", "2", "3", "4", "5", "6", "8", "10", "11", "12", "13", "14", "15", "16", "85"])

    def test_one_process_speaks_for_all_under_any_launcher(self):
        ranks = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", "SLURM_PROCID")
        for variable in ranks:
            for rank, speaks in (("0", True), ("1", False)):
                environment = {k: v for k, v in os.environ.items() if k not in ranks} | {variable: rank, "SLURM_STEP_ID": "0"}
                for args in (("--help",), ("--version",), ("run", "--help"), ("help", "map"), ("list", "--bogus"), ("rum",),
                             ("run", cli.DALLAS, "--part", "3/2"), ()):
                    with self.subTest(variable=variable, rank=rank, args=args):
                        done = self.saltus(*args, env=environment)
                        self.assertEqual(bool(done.stdout + done.stderr), speaks)
        # the launcher of a step is nearer than the batch script it was started in
        self.assertEqual(self.saltus("--help", env=dict(os.environ, PMI_RANK="1", SLURM_PROCID="0")).stdout, "")

    def test_every_command_explains_itself(self):
        for command, words in COMMANDS.items():
            done = self.saltus("help", command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertIn(f"Usage: saltus {command} ", done.stdout)
            flat = " ".join(done.stdout.split())
            for word in words:
                self.assertTrue(any(w in flat for w in (word, *word.split("|"))), f"{command}: {word}")

    def test_notes_and_examples_are_those_of_the_files(self):
        folder = pathlib.Path(cli.SWEEPS).parent / "src" / "app"
        listed = re.findall(r"(?m)^SAL_COMMAND(?:_OF)?\((?:[A-Z]+, )?(\w+), ", (folder / "commands.def").read_text(encoding="utf-8"))
        self.assertEqual({file.stem for file in (folder / "help").glob("*.txt")}, {name.replace("_", "-") for name in listed})
        every = self.works("--help")
        for command in self.commands():
            text = re.sub(r"\n (?! )", " ", (folder / "help" / f"{command}.txt").read_text(encoding="utf-8"))
            summary, description, text = text.split("\n", 2)
            notes, _, examples = text.partition("Examples:\n")
            shown = self.works("help", command)
            self.assertRegex(every, rf"(?m)^  {command} +{re.escape(summary)}$")
            self.assertIn(" ".join(description.split()), " ".join(shown.split()))
            self.assertRegex(shown, r"\nExamples?:\n" + re.escape(examples))
            self.assertRegex(examples, r"^  \S")
            self.assertIn(" ".join(notes.split()), " ".join(shown.split()))
            self.assertNotRegex(shown, r"(?m)^ [^ ]", command)  # folded lines are whole

    def test_help_lists_every_key_of_the_shipped_sweep(self):
        self.assertIn("saltus help keys", self.works("run", "--help"))
        text = self.works("help", "keys")
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
        self.assertEqual([*self.files()], ["flight.csv"])

    def test_each_reply_of_json_has_a_schema(self):
        with_json = [name for name in re.findall(r"^  ([a-z-]+) {2,}", self.works("--help"), re.M) if "--json" in self.works(name, "--help")]
        self.assertGreater(len(with_json), 12)
        for name in with_json:
            cli.schema(name).check_schema(cli.schema(name).schema)
        self.assertEqual(sorted(with_json), sorted(self.works("help", "json").split()[-len(with_json):]))
        self.refused("help", "json", "run", says=("run has no --json",))

    def test_a_reply_that_breaks_its_schema_is_found(self):
        reply = json.loads(self.works("list", "models", "monopod", "--json"))
        self.assertIsNone(cli.flaw("list", reply))
        self.assertIn("name", cli.flaw("list", {"models": [{"title": "no name"}]}))
        self.assertIn("Additional properties", cli.flaw("list", reply | {"modles": []}))
        reply = {"sweeps": None, "differences": [], "same": True}
        self.assertIsNone(cli.flaw("diff", reply))
        self.assertIn("same", cli.flaw("diff", reply | {"same": "yes"}))

    def test_lists_show_what_there_is(self):
        wanted = {"models": "monopod", "strategies": "event", "solvers": "dop853", "metrics": "divergence_time"}
        for what, known in wanted.items():
            text = self.works("list", what)
            names = [entry["name"] for entry in json.loads(self.works("list", what, "--json"))[what]]
            self.assertIn(known, names)
            for name in names:
                self.assertRegex(text, rf"(?m)^ *{name} ")

    def test_a_list_shows_one_entry(self):
        text = self.works("list", "models", "monopod")
        self.assertRegex(text, r"^monopod  ")
        self.assertEqual(len(re.findall(r"(?m)^\S", text)), 1)
        self.assertEqual(self.works("list", "solvers", "ode45").count("order"), 1)
        self.refused("list", "models", "monopd", says=("unknown name 'monopd'", "'monopod'?"))

    def test_lists_are_json(self):
        for what in ("models", "solvers", "strategies", "metrics"):
            entries = json.loads(self.works("list", what, "--json"))[what]
            self.assertGreater(len(entries), 4)
            text = self.works("list", what)
            for entry in entries:
                self.assertIn(entry["name"], text)
        model, = json.loads(self.works("list", "models", "monopod", "--json"))["models"]
        self.assertEqual([p["name"] for p in model["parameters"]], ["b", "m1", "k", "f", "zeta_F", "zeta_G"])
        self.assertEqual(model["options"][0]["choices"], ["literal", "clamp"])
        self.assertEqual(model["contacts"], 1)

    def test_a_list_alone_and_an_entry_alone(self):
        lines = self.works("list").splitlines()
        self.assertEqual([line.partition(":")[0] for line in lines], ["models", "solvers", "strategies", "metrics", "grounds"])
        self.assertIn("hopping-leg", lines[0])
        self.assertEqual(set(json.loads(self.works("list", "--json"))), {"models", "solvers", "strategies", "metrics", "grounds"})
        self.assertEqual(self.works("list", "hopping-leg"), self.works("list", "models", "hopping-leg"))
        self.assertEqual(self.works("list", "dop853"), self.works("list", "solvers", "dop853"))
        self.refused("list", "hoping-leg", says=("unknown list 'hoping-leg'", "did you mean 'hopping-leg'?"))

    def test_models_have_units_those_of_files_too(self):
        text = self.works("list", "hopping-leg")
        for words in (r"k +=.* N/m +stiffness", r"mu +=.*0.8 +share", r"vU\(0\) =.* m/s +velocity", "scored on zU, in m", "runs to t = 5 s"):
            self.assertRegex(text, words)
        self.assertNotRegex(self.works("list", "monopod"), r"= \S+ +1 ")
        file = f"{cli.SWEEPS}/models/vehicle.yaml"
        self.assertRegex(self.works("list", "models", file), r"(?s)^vehicle  .*k_tire +=.* N/m .*chassis_z\(0\) =.* m ")
        model, = json.loads(self.works("list", file, "--json"))["models"]
        self.assertEqual((model["name"], model["time_unit"]), ("vehicle", "s"))
        self.refused("list", "models", "none.yaml", says=("none.yaml", "No such file"), code=4)

    def test_without_a_command_help_is_an_error(self):
        done = self.saltus()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("Usage: saltus COMMAND", done.stderr)

    def test_an_unknown_command_is_told_the_nearest(self):
        allowed = "allowed: " + ", ".join(self.commands())
        for word, meant in {"rum": "run", "tabels": "tables", "trajectroy": "trajectory", "INFO": "info"}.items():
            self.refused(word, says=(f"'{word}'", allowed, f"'{meant}'?"))
        self.assertNotIn("did you mean", self.refused("xyzzy", says=("xyzzy",)))

    def test_an_unknown_list_is_told_the_nearest(self):
        self.refused("list", "solver", says=("'solver'", "did you mean 'solvers'?"))

    def test_an_unknown_option_is_named(self):
        for command in self.commands():
            self.refused(command, "--bogus", says=(f"saltus {command}: unknown option '--bogus'",))
            self.refused(command, "-Z", says=(f"saltus {command}: unknown option '-Z'",))

    def test_an_option_that_is_wrong_is_told_what_is_right(self):
        for args, says in {("run", "--outptu=x.h5"): "did you mean '--output'?",
                           ("run", "--s=1"): "'--s' may be --set or --same-cpu or --status or --sync",
                           ("run", "--output"): "--output: FILE is missing",
                           ("run", "-q", "-o"): "--output: FILE is missing",
                           ("run", "--force=yes"): "--force takes no value, found '--force=yes'",
                           ("plan", "x.yaml", "--ranks", "2.5"): "--ranks: '2.5' is not allowed; allowed: whole numbers from 1",
                           ("plan", "x.yaml", "--sample", "-1"): "--sample: '-1' is not allowed; allowed: from 0",
                           ("plan", "x.yaml", "--sample", "5s"): "--sample: '5s' is not a number",
                           ("diff", "a", "b", "c"): "2 arguments are enough",
                           ("info", "a", "b"): "one cube at a time, found 'a' and 'b'",
                           ("trajectory", "x"): "'x': unexpected; this command has options only"}.items():
            self.refused(*args, says=(says,))

    def test_options_may_be_cut_short_and_stand_anywhere(self):
        wanted = self.works("plan", cli.DALLAS, "--sample", "0", "--ranks", "3", "--json")
        self.assertEqual(self.works("plan", "--json", "-r3", "-S0", cli.DALLAS), wanted)
        self.assertEqual(self.works("plan", "--samp=0", "-jr", "3", "--", cli.DALLAS), wanted)

    def test_what_is_missing_is_asked_for(self):
        for args in (["run"], ["plan"], ["tables"], ["info"], ["diff"], ["diff", "a.h5"],
                     ["trajectory"], ["bderiv"], ["regret"], ["calibrate-eps"], ["calibrate-eps", "--rms", "1e-3"]):
            self.assertRegex(self.refused(*args), " is (missing|required)")


cli.main()
