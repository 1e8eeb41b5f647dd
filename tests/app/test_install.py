"""The files of `cmake --install` in an empty folder, used from there as a user would: CMAKE and the build's folder are the last arguments.

$SALTUS_INSTALLED is a prefix in which all that is installed already, as by a package.
"""
import gzip
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import cli

CMAKE, BUILD = sys.argv[1:3]
del sys.argv[1:3]


# Ends with 0 where actions of signals are the same after calls of all kinds, those that fail included, and MPI has not been started.
QUIET = """\
#define _GNU_SOURCE
#include <dlfcn.h>
#include <saltus/saltus.h>
#include <signal.h>
#include <string.h>

int main(void)
{
  static struct sigaction before[NSIG], after[NSIG];
  int (*started)(int *) = (int (*)(int *))dlsym(RTLD_DEFAULT, "MPI_Initialized"), flag = 1;
  saltus_model *model = NULL;
  saltus_cube *cube = NULL;
  saltus_answer answer;
  double end[4];
  const int halt = 0;
  for (int i = 1; i < NSIG; ++i) sigaction(i, NULL, &before[i]);
  if (saltus_model_open("nothing", &model) != SALTUS_INVALID || saltus_model_open("monopod", &model) != SALTUS_OK) return 1;
  if (saltus_integrate(model, NULL, &(saltus_runs){.n = 1, .end = end}) != SALTUS_OK) return 2;
  if (saltus_integrate(model, &(saltus_setup){.rtol = 7}, &(saltus_runs){.n = 1}) != SALTUS_INVALID) return 3;
  if (saltus_advise(model, &(saltus_around){.error = 1e-3, .t_end = 1, .halt = &halt}, &answer) != SALTUS_OK) return 4;
  if (saltus_cube_open("nowhere.h5", NULL, &cube) != SALTUS_FILE || cube) return 5;
  saltus_model_close(model);
  for (int i = 1; i < NSIG; ++i) {
    sigaction(i, NULL, &after[i]);
    if (before[i].sa_handler != after[i].sa_handler || before[i].sa_flags != after[i].sa_flags) return 6;
  }
  if (!started || started(&flag) || flag) return 7;
  return 0;
}
"""


class Installed(cli.InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = pathlib.Path(os.environ.get("SALTUS_INSTALLED", pathlib.Path(folder.name) / "a prefix"))
        if "SALTUS_INSTALLED" not in os.environ:
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

    def pages(self):
        """The text of each page of the manual, which packages compress."""
        found = {}
        for page in (self.share / "man" / "man1").glob("saltus*"):
            with (gzip.open if page.suffix == ".gz" else open)(page, "rt") as text:
                found[page.name.removesuffix(".gz").removesuffix(".1")] = text.read()
        return found

    def test_each_command_has_a_page_with_all_its_options(self):
        commands = self.commands()
        self.assertGreater(len(commands), 20)
        pages = self.pages()
        self.assertEqual(set(pages), {"saltus"} | {f"saltus-{command}" for command in commands})
        every = pages["saltus"]
        for command in commands:
            page = pages[f"saltus-{command}"]
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

    def library(self):
        """The library, in PREFIX/lib or, as Debian has it, in a folder for each architecture."""
        return next(file for where in ("lib*/libsaltus.so", "lib/*/libsaltus.so") for file in self.prefix.glob(where))

    def environment(self):
        """Variables by which pkg-config, CMake and the loader find the library in the prefix."""
        library = self.library().parent
        return {"PKG_CONFIG_PATH": str(library / "pkgconfig"), "CMAKE_PREFIX_PATH": str(self.prefix), "LD_LIBRARY_PATH": str(library)}

    def examples(self):
        return self.share / "doc" / "saltus" / "examples"

    def run_lanes(self, program):
        """The example gives what the program gives for its last hopper."""
        lines = self.bash('"$1"', program, **self.environment()).splitlines()
        self.assertEqual(len(lines), 4)
        k, events, value = re.fullmatch(r"k = (\S+): done, (\d+) events, \d+ evaluations, \w+ = (\S+)", lines[-1]).groups()
        done = self.saltus("trajectory", "--solver", "dop853", "--rtol", "1e-8", "--t-end", "20", "--dt", "20", "-p", f"k={k}", "-o", "flight.csv")
        self.assertIn(f" {events} events", done.stderr)
        last = [row.split(",") for row in (self.folder / "flight.csv").read_text().splitlines()][-1]
        self.assertIn(float(value), [float(f"{float(x):.12g}") for x in last[1:5]])

    def ask(self, program, *args, code=0):
        done = subprocess.run([program, *map(str, args)], cwd=self.folder, capture_output=True, text=True, env=os.environ | self.environment())
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_examples_by_pkg_config(self):
        for example in ("lanes", "ask"):
            self.bash('cp "$1/$2.c" . && eval "cc -Wall -Wextra -Werror -std=c99 $2.c -o $2 $(pkg-config --cflags --libs saltus)"',
                      self.examples(), example, **self.environment())
        self.run_lanes(self.folder / "lanes")
        self.works("run", self.share / "saltus" / "sweeps" / "atlas-small.yaml", "-q", "-o", "cube.h5", *cli.sets(
            "cells={axes: [{columns: [b, k], sobol: [[550, 5000], [1, 50]], log: true, points: 48}]}", "solvers=[ode45,dop853]",
            "strategies=[event]", "rtol=[1e-3,1e-5,1e-7]", "t_end=5", "cutoff={}"))
        done = self.ask(self.folder / "ask", "cube.h5", "b=1951,k=22.8", "1e-4")
        told = json.loads(self.works("recommend", "cube.h5", "--at", "b=1951,k=22.8", "--error", "1e-4", "--json"))
        axes = [line for line in done.stdout.splitlines() if " from " in line]
        self.assertEqual([line.split()[0] for line in axes], ["b", "k"])
        plan = [line for line in done.stdout.splitlines() if line not in axes]
        self.assertEqual(len(plan), len(told["schedule"]))
        for line, step in zip(plan, told["schedule"]):
            for word in (step["solver"], step["strategy"], f"{step['rtol']:.3g}", f"{step['probability']:.3g}", f"{step['work']:.4g}"):
                self.assertIn(word, line)
        self.assertIn("'bb'; allowed: ", self.ask(self.folder / "ask", "cube.h5", "bb=1", "1e-4", code=2).stderr)
        self.assertIn("nowhere.h5", self.ask(self.folder / "ask", "nowhere.h5", "b=1", "1e-4", code=4).stderr)

    def test_examples_by_find_package(self):
        self.bash('"$1" -S "$2" -B built -DCMAKE_C_FLAGS=-Werror && "$1" --build built', CMAKE, self.examples(), **self.environment())
        self.run_lanes(self.folder / "built" / "lanes")
        self.assertIn("usage: ask", self.ask(self.folder / "built" / "ask", code=2).stderr)

    def test_runs_link_without_mpi_and_hdf5(self):
        self.bash('cp "$1/lanes.c" . && eval "cc -std=c99 lanes.c -o lanes $(pkg-config --cflags --libs saltus-run)"', self.examples(), **self.environment())
        self.run_lanes(self.folder / "lanes")
        needs = self.bash("ldd lanes", **self.environment())
        self.assertIn("libsaltus-run.so", needs)
        self.assertNotRegex(needs, "libmpi|hdf5|petsc|sundials|libsaltus.so")
        shown = self.bash('nm -D --defined-only "$1"', self.library().with_name("libsaltus-run.so"))
        self.assertIn("saltus_integrate", shown)
        self.assertNotIn("saltus_advise", shown)

    @unittest.skipUnless(importlib.util.find_spec("setuptools"), "wheels need setuptools")
    def test_a_tree_without_links_is_linked_with(self):
        """As in a wheel."""
        sys.path.insert(0, str(pathlib.Path(cli.SWEEPS).parent / "jobscripts"))
        import saltus_wheel
        library = self.library().parent
        copy = self.folder / "prefix" / library.relative_to(self.prefix)
        shutil.copytree(library, copy, symlinks=True, ignore=lambda _, names: [name for name in names if "saltus" not in name and name not in ("pkgconfig", "cmake")])
        shutil.copytree(self.prefix / "include", self.folder / "prefix" / "include")
        saltus_wheel.drop_links(self.folder / "prefix")
        self.assertFalse(any(path.is_symlink() for path in (self.folder / "prefix").rglob("*")))
        found = {"PKG_CONFIG_PATH": str(copy / "pkgconfig"), "CMAKE_PREFIX_PATH": str(self.folder / "prefix"), "LD_LIBRARY_PATH": str(copy)}
        self.bash('cp "$1/lanes.c" . && eval "cc -std=c99 lanes.c -o lanes $(pkg-config --cflags --libs saltus)" && ./lanes', self.examples(), **found)
        self.bash('"$1" -S "$2" -B built && "$1" --build built && built/lanes', CMAKE, self.examples(), **found)

    def test_the_library_shows_what_its_header_declares(self):
        header = (self.prefix / "include" / "saltus" / "saltus.h").read_text()
        declared = set(re.findall(r"SALTUS_CALL [^;]*?\b(saltus_\w+)\(", header))
        self.assertGreater(len(declared), 14)
        library = self.library()
        shown = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
        self.assertEqual({line.split()[-1] for line in shown.splitlines()}, declared)
        said = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
        version = self.works("--version").split()[1]
        self.assertIn(f"[libsaltus.so.{version.split('.')[0]}]", said)
        (self.folder / "h.c").write_text("#include <saltus/saltus.h>\nint main(void) { return saltus_message() == 0; }\n")
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "h.c", f"-I{self.prefix / 'include'}", "-o", "h.o"],
                       cwd=self.folder, check=True)

    def test_the_library_leaves_signals_streams_and_mpi_alone(self):
        (self.folder / "quiet.c").write_text(QUIET)
        self.bash('eval "cc -Wall -Werror quiet.c -o quiet $(pkg-config --cflags --libs saltus) -ldl"', **self.environment())
        done = self.ask(self.folder / "quiet")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_two_versions_beside_each_other(self):
        other = self.folder / "other"
        for kept in ("share/saltus", "bin/saltus", f"lib/{self.library().name}.{self.works('--version').split()[1].split('.')[0]}"):
            (other / kept).parent.mkdir(parents=True, exist_ok=True)
            source = self.prefix / kept if not kept.startswith("lib") else self.library().with_name(os.path.basename(kept))
            (shutil.copytree if source.is_dir() else shutil.copy)(source, other / kept)
        package = other / "share" / "saltus" / "analysis"

        def python(script, **more):
            environment = {"PYTHONPATH": str(package), "PATH": f"{self.prefix / 'bin'}:{os.environ['PATH']}", **self.environment(), **more}
            kept = {name: value for name, value in os.environ.items() if name != "SALTUS"}
            return subprocess.run(["/usr/bin/python3", "-B", "-c", script], cwd=self.folder, capture_output=True, text=True, env=kept | environment)

        # The program and the library of its own tree, whatever else comes first.
        told = python("import saltus, saltus._find as f; print(f.program(), f.library(), saltus.command('--version').split()[1])").stdout.split()
        self.assertEqual(told[:2], [str(other / "bin" / "saltus"), str(next(other.glob("lib/libsaltus.so.*")))])
        # Another major version is refused, both by name.
        (package / "saltus" / "version.py").write_text('__version__ = "99.0.0"\n')
        for script, what in (("saltus.solvers()", told[1]), ("saltus.command('list', 'models')", told[0])):
            said = python("import saltus; " + script).stderr.splitlines()[-1]
            self.assertIn(f"{what} is of version {told[2]}, and this package, {package / 'saltus'}, of 99.0.0; allowed: the same major version", said)
        self.assertIn("is not the program saltus", python("import saltus; saltus.command('list', 'models')", SALTUS="/bin/echo").stderr)
        self.assertIn("cannot be run", python("import saltus; saltus.command('list', 'models')", SALTUS="/").stderr)
        old = python("import sys; sys.version_info = (3, 8, 1); import saltus").stderr
        self.assertIn("saltus takes Python 3.9 or later, and this is 3.8", old)

    def test_topics_of_help(self):
        self.assertEqual(self.works("help", "man", "run"), self.pages()["saltus-run"])
        done = self.saltus("help", "man", "rnu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'run'?", done.stderr)


cli.main()
