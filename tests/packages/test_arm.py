"""Cross-compiled for ARM (aarch64) in a bare system and run under qemu: tests of the kernels, and the main job beside that of this machine.

The folder of this machine's build and the sources are the arguments.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import bare

BUILD, SOURCE = sys.argv[1:3]
del sys.argv[1:3]
TOOLS = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross cmake ninja-build pkg-config qemu-user-static python3"
LIBRARIES = ("libopenmpi-dev", "libhdf5-openmpi-dev", "libyaml-dev", "libxxhash-dev", "zlib1g-dev", "liblapacke-dev", "libopenblas-dev", "libcunit1-dev")
TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(lib /usr/lib/aarch64-linux-gnu)
set(MPI_SKIP_COMPILER_WRAPPER ON) # mpicc is a program of ARM
set(MPI_C_HEADER_DIR ${lib}/openmpi/include)
set(MPI_C_LIB_NAMES mpi)
set(MPI_mpi_LIBRARY ${lib}/openmpi/lib/libmpi.so)
set(HDF5_ROOT ${lib}/hdf5/openmpi)
"""
BUILD_IT = """\
cd saltus
cmake -S . -B build/arm -G Ninja --toolchain "$HOME/arm64.cmake" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O3
cmake --build build/arm --target saltus test_kernels
"""
FLIGHT = "trajectory --solver {} --strategy event --rtol 1e-6 --t-end 50 --dt 0.1 -o".split(" ")
# Results from eigenvalues by LAPACK, whose last digits depend on its build; all else has to be the same to the last bit.
BY_LAPACK = r"(spectral_radius|stiffness_ratio)\w*"


class Arm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.system = bare.System(TOOLS)
        cls.addClassCleanup(cls.system.__exit__)
        cls.system.run("dpkg --add-architecture arm64 && apt-get -qq update")
        cls.system.install(*(name + ":arm64" for name in LIBRARIES))
        cls.system.copy_sources(SOURCE, "/srv/somebody/saltus")
        cls.system.write("srv/somebody/arm64.cmake", TOOLCHAIN)
        told, minutes = bare.timed(lambda: cls.system.run(BUILD_IT, user="somebody"))
        print(f"compiled for aarch64: {minutes}")
        assert "lanes: width 1" in told, told

    def arm(self, program, *args, code=0):
        """A program of the build under qemu, with what both streams said."""
        return self.system.run('qemu-aarch64-static "saltus/build/arm/$@"', program, *args, user="somebody", code=code, SALTUS_TEST_SLOW="1",
                               OMP_NUM_THREADS="2")

    def test_it_is_a_program_of_arm(self):
        header = (self.system.root / "srv/somebody/saltus/build/arm/saltus").read_bytes()[:20]
        self.assertEqual(header[:4] + header[18:20], b"\x7fELF\xb7\x00")
        self.assertRegex(self.arm("saltus", "--version"), r"lanes +1;")

    def test_the_kernels(self):
        names = self.arm("test_kernels", code=2).split("one of\n")[1].split()
        self.assertGreater(len(names), 20)
        for name in names:
            began = time.monotonic()
            with self.subTest(name):
                self.assertRegex(self.arm("test_kernels", name), r"asserts +[1-9]")
            print(f"{name}: {time.monotonic() - began:.0f} s")

    def test_the_main_job_has_the_bits_of_this_machine(self):
        program = pathlib.Path(BUILD) / "saltus"
        with tempfile.TemporaryDirectory() as folder:
            self.arm("saltus", "run", "saltus/sweeps/dallas2017.yaml", "-q", "-o", "arm.h5", "--set", "timing.repeats=0")
            sweep = pathlib.Path(SOURCE, "sweeps", "dallas2017.yaml")
            subprocess.run([program, "run", sweep, "-q", "-o", "here.h5", "--set", "timing.repeats=0"], cwd=folder, check=True)
            arm = self.system.root / "srv/somebody/arm.h5"
            done = subprocess.run([program, "diff", "here.h5", arm], cwd=folder, capture_output=True, text=True)
            lines = done.stdout.splitlines()
            self.assertEqual([line for line in lines if not re.match(BY_LAPACK + ":", line) and "the same" not in line], [], done.stdout + done.stderr)
            for line in lines:
                values = re.search(r"at number \d+: (\S+) and (\S+);", line)
                if values:
                    one, other = map(float, values.groups())
                    self.assertLess(abs(one - other), 1e-6 * abs(one), line)

    def test_trajectories_have_the_bits_of_this_machine(self):
        program = pathlib.Path(BUILD) / "saltus"
        for solver in ("ode45", "dop853", "ode15s", "radau5", "ode113", "rosnys4"):
            flight = [word.format(solver) for word in FLIGHT]
            self.arm("saltus", *flight, f"{solver}.csv")
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([program, *flight, "here.csv"], cwd=folder, check=True, capture_output=True)
                here = pathlib.Path(folder, "here.csv").read_bytes()
            self.assertGreater(here.count(b"\n"), 400)
            self.assertEqual((self.system.root / f"srv/somebody/{solver}.csv").read_bytes(), here, solver)


if __name__ == "__main__":
    unittest.main(verbosity=2)
