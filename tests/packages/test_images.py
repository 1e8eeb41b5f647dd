"""Steps of the recipes for images, conda and Spack, run in bare systems in place of what they are written for.  The sources are the argument.

No engine is needed: a stage of an image is a bare system, its COPY a copy, its RUN or %post a script in it.
"""
import shutil
import subprocess
import sys
import unittest

import bare
from recipes import Recipes

SOURCE = sys.argv.pop(1)
MAIN = "saltus run /usr/share/saltus/sweeps/dallas2017.yaml -q --set timing.repeats=0 -o"


def steps(script):
    """Its commands, without blanks that mean nothing."""
    return [" ".join(line.split()) for line in script.replace("\\\n", " ").splitlines() if line.strip()]


class Images(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recipes = Recipes(SOURCE)
        cls.first = bare.System()
        cls.addClassCleanup(cls.first.__exit__)
        stage = cls.recipes.container()[0]
        cls.first.copy_sources(SOURCE, stage["copy"][0][2], user="root")
        _, minutes = bare.timed(lambda: cls.first.run("\n".join(stage["run"])))
        print(f"first stage, with its packages: {minutes}")

    def last(self, copies):
        """The system of the last stage, with what it takes of the first one."""
        system = bare.System()
        self.addCleanup(system.__exit__)
        for origin, source, target in copies:
            self.assertEqual(origin, 0)
            shutil.copytree(self.first.root / source.lstrip("/"), system.root / target.lstrip("/"))
        return system

    def used(self, system, environment):
        for user in ("root", "somebody"):
            system.run(f"{MAIN} one.h5 && mpirun -n 2 {MAIN} two.h5 && saltus diff one.h5 two.h5\n"
                       "/usr/share/saltus/analysis/dallas_tables.py two.h5 && saltus doctor", user=user, **environment)
            # its own compiler makes a flow of a text of equations
            told = system.run("saltus model new oscillator >mine.yaml && saltus trajectory --model mine.yaml -o mine.csv && test -s mine.csv", user=user)
            self.assertNotIn("cannot", told)

    def test_1_the_packages_are_clean(self):
        files = list((self.first.root / "usr/src/packages").glob("*.deb"))
        self.assertEqual(len(files), 3)
        done = subprocess.run(["lintian", "--no-cfg", "--allow-root", "--fail-on", "error,warning", *files], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_2_container(self):
        stage = self.recipes.container()[-1]
        system = self.last(stage["copy"])
        system.run("\n".join(stage["run"]))
        self.assertEqual(stage["entry"], ["saltus"])
        self.assertFalse((system.root / "usr/src/packages").exists())
        self.used(system, stage["env"])
        print("image:", system.run("du -shx / --exclude=/proc --exclude=/sys --exclude=/dev | cut -f1").strip())

    def test_3_apptainer(self):
        first, stage = self.recipes.apptainer()
        container = self.recipes.container()[0]
        self.assertEqual(first["files"], [(None, *container["copy"][0][1:])])
        self.assertEqual(steps(first["post"])[1:], steps("\n".join(container["run"][1:])))  # the same first stage
        system = self.last(stage["files"])
        system.run(stage["post"])
        system.run(stage["environment"] + stage["test"] + "run() {\n" + stage["runscript"].replace("exec ", "") + "}\nrun list models slip", user="somebody")
        self.used(system, {})

    def test_4_conda(self):
        recipe = self.recipes.conda()
        home = "/srv/somebody"
        self.first.copy_sources(SOURCE, f"{home}/saltus")
        self.first.install("python3-numpy python3-xarray python3-h5netcdf python3-yaml")
        given = {"PREFIX": f"{home}/prefix", "SP_DIR": f"{home}/prefix/lib/python3/site-packages", "CPU_COUNT": "2"}
        self.first.run("cd saltus\n" + "\n".join(recipe["build"]["script"]), user="somebody", **given)
        test = "\n".join([*recipe["test"]["commands"], *(f"python3 -c 'import {name}; {name}.solvers()'" for name in recipe["test"]["imports"])])
        self.first.run("export PATH=$PREFIX/bin:$PATH PYTHONPATH=$SP_DIR\n" + test, user="somebody", **given)

    def test_5_spack(self):
        recipe = self.recipes.spack()["class"]
        for variants in ({"petsc": False, "sundials": False}, {"petsc": True, "sundials": True}):
            given = type("Given", (recipe,), {"on": variants})().cmake_args()
            told = self.first.run('rm -rf /tmp/spack; cd /usr/src/saltus; cmake -S . -B /tmp/spack -G Ninja "$@" 2>&1', *given)
            self.assertNotIn("were not used", told)
            self.assertEqual("PETSc: left out, as asked for" in told, not variants["petsc"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
