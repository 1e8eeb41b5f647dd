"""A machine without root, with modules for MPI, HDF5 and OpenBLAS alone: from a checkout to tables and tests.  The sources are the argument.

Libraries that are not modules anywhere (libyaml, xxHash, zlib, CUnit) are in the user's ~/.local; the compiler, CMake, Ninja and python3 are the system's.
"""
import re
import sys
import unittest

import bare
import modules

SOURCE = sys.argv.pop(1)
MODULES = {"openmpi": "libopenmpi-dev openmpi-bin", "hdf5": "libhdf5-openmpi-dev", "openblas": "libopenblas-dev liblapacke-dev"}
SETS = {  # what people who install them outside /usr let the module say besides
    "openmpi": "prepend-path LD_LIBRARY_PATH $lib/openmpi/lib\nsetenv OPAL_PREFIX $root\nsetenv PMIX_INSTALL_PREFIX $lib/pmix2\n",
    "hdf5": "setenv HDF5_ROOT $root\n",
}
OWN = {"/srv/somebody/.local": "libyaml-dev libxxhash-dev zlib1g-dev libcunit1-dev"}
SHELL = ". /etc/profile.d/modules.sh\nmodule use /opt/modulefiles\n"
LOAD = SHELL + "module load openmpi hdf5 openblas\n"
LOCAL = LOAD + 'export CMAKE_PREFIX_PATH="$HOME/.local/usr:$CMAKE_PREFIX_PATH"\ncd saltus\n'
OLD_CMAKE = '#!/bin/sh\n[ "$1" = --version ] && echo "cmake version 3.13.4" || { echo "CMake Error: The source directory does not exist." >&2; exit 1; }\n'


def lacking(told):
    """The missing packages in the list of CMake, by their first word."""
    return re.findall(r"(?m)^    (\S+).*: Debian", told)


class WithoutRoot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.system = bare.System("gcc libc6-dev cmake ninja-build python3 environment-modules")
        cls.addClassCleanup(cls.system.__exit__)
        modules.install(cls.system, MODULES, SETS, OWN)
        cls.system.run("chown -R somebody:somebody /srv/somebody/.local")
        cls.system.copy_sources(SOURCE, "/srv/somebody/saltus")

    def user(self, script, **more):
        return self.system.run(script, user="somebody", **more)

    def timed(self, what, script, **more):
        told, minutes = bare.timed(lambda: self.user(script, **more))
        print(f"{what}: {minutes}")
        return told

    def test_1_what_lacks_is_one_list(self):
        told = self.user(SHELL + "cd saltus; cmake --preset release", code=1)
        self.assertEqual(lacking(told), ["MPI", "HDF5", "LAPACK", "libyaml", "xxhash.h", "zlib"])
        told = self.user(LOAD + "cd saltus; rm -rf build; cmake --preset release", code=1)
        self.assertEqual(lacking(told), ["libyaml", "xxhash.h"])
        self.assertEqual(told.count("CMake Error"), 1)

    def test_2_old_or_missing_tools(self):
        self.system.write("opt/old/bin/cmake", OLD_CMAKE, 0o755)
        told = self.user(LOCAL + "PATH=/opt/old/bin:$PATH jobscripts/quickstart.sh", code=2)
        self.assertIn("CMake 3.25 or later (found: 3.13.4)\n", told)
        self.assertIn("a python3 with xarray", told)
        self.assertNotIn("libopenmpi-dev", told)  # which the module has
        told = self.user(SHELL + "cd saltus; jobscripts/quickstart.sh", code=2)
        self.assertIn("mpirun of an MPI 3.1\n", told)

    def test_3_quickstart_without_python_s_modules(self):
        told = self.timed("quickstart.sh: configured, built, main job", LOCAL + "rm -rf build; jobscripts/quickstart.sh", code=1)
        self.assertIn("no python3 here has xarray, h5netcdf and matplotlib", told)
        self.assertIn("The cube is there", told)
        self.user(LOCAL + "build/release/saltus info results/dallas2017.h5 && ldd build/release/saltus | grep -q '/opt/hdf5/.*libhdf5' && ! ldd build/release/saltus | grep 'not found'")
        self.user(LOCAL + ". jobscripts/env.sh; build/release/saltus doctor; mpirun -n 2 build/release/saltus doctor")

    def test_4_quickstart_with_python_s_modules(self):
        self.system.install("python3-xarray python3-h5netcdf python3-matplotlib")
        told = self.timed("quickstart.sh again, with Python's modules", LOCAL + "jobscripts/quickstart.sh")
        self.assertIn("== tables", told)
        self.user("test -s saltus/results/points.png && test -s saltus/results/trajectory.png")

    def test_5_unit_tests(self):
        self.timed("all of the tests compiled", LOCAL + "cmake --build --preset release")
        told = self.timed("unit and mpi tests", LOCAL + "ctest --preset release -L 'unit|mpi' -j 2")
        self.assertIn("100% tests passed", told)


if __name__ == "__main__":
    unittest.main(verbosity=2)
