"""The Debian packages of a build, installed into a bare system and used there: CPACK, the build's folder and the sources are the arguments."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import bare

CPACK, BUILD, SOURCE = sys.argv[1:4]
del sys.argv[1:4]
NAMES = ("saltus", "libsaltus4", "libsaltus-dev")
WITNESSES = "gcc libc6-dev cmake make pkg-config binutils python3-h5py python3-numpy python3-xarray python3-h5netcdf python3-matplotlib python3-yaml openmpi-bin"


def output(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


class Packages(unittest.TestCase):
    """The package files, without a system."""

    @classmethod
    def setUpClass(cls):
        bare.need()
        folder = tempfile.TemporaryDirectory(prefix="saltus-deb-")
        cls.addClassCleanup(folder.cleanup)
        output(CPACK, "-G", "DEB", "-B", folder.name, "--config", pathlib.Path(BUILD) / "CPackConfig.cmake")
        cls.file = {path.name.split("_")[0]: path for path in pathlib.Path(folder.name).glob("*.deb")}
        cls.version = re.search(r"project\(saltus VERSION (\S+)", (pathlib.Path(SOURCE) / "CMakeLists.txt").read_text())[1]

    def field(self, package, name):
        return output("dpkg-deb", "--field", self.file[package], name).strip()

    def unpacked(self, package):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        output("dpkg-deb", "-R", self.file[package], folder.name)
        return pathlib.Path(folder.name)

    def test_names_and_fields(self):
        self.assertEqual(set(self.file), set(NAMES))
        for package, section in zip(NAMES, ("science", "libs", "libdevel")):
            self.assertEqual(self.field(package, "Version"), self.version + "-1")
            self.assertEqual(self.field(package, "Section"), section)
            self.assertEqual(self.field(package, "Architecture"), output("dpkg", "--print-architecture").strip())
            self.assertGreater(int(self.field(package, "Installed-Size")), 5)
        needed = self.field("saltus", "Depends")
        for library in ("libc6 (>= ", "libhdf5-openmpi-", "libopenmpi3", "libyaml-0-2", "zlib1g"):
            self.assertIn(library, needed)
        self.assertIn("libc6 (>= ", self.field("libsaltus4", "Depends"))
        self.assertIn(f"libsaltus4 (= {self.version}-1)", self.field("libsaltus-dev", "Depends"))

    def test_sums_and_documents(self):
        for package in NAMES:
            tree = self.unpacked(package)
            output("md5sum", "--check", "--quiet", "DEBIAN/md5sums", cwd=tree)
            files = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file() and path.relative_to(tree).parts[0] != "DEBIAN"}
            summed = {line.split("  ")[1] for line in (tree / "DEBIAN" / "md5sums").read_text().splitlines()}
            self.assertEqual(summed, {name for name in files if not (tree / name).is_symlink()})
            documents = tree / "usr" / "share" / "doc" / package
            self.assertIn("MIT License", (documents / "copyright").read_text())
            self.assertIn(f"## {self.version}", gzip.decompress((documents / "changelog.gz").read_bytes()).decode())
        pages = list((self.unpacked("saltus") / "usr" / "share" / "man" / "man1").iterdir())
        self.assertGreater(len(pages), 20)
        self.assertEqual({page.suffix for page in pages}, {".gz"})

    def test_lintian(self):
        self.assertTrue(shutil.which("lintian"), "lintian is needed (jobscripts/setup.sh --systems)")
        # The prefix of this build is /usr/local, whose libraries have no folder for each architecture; make_deb.sh takes /usr.
        done = subprocess.run(["lintian", "--no-cfg", "--allow-root", "--suppress-tags", "pkg-config-unavailable-for-cross-compilation",
                               "--fail-on", "error,warning", *self.file.values()], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Installed(unittest.TestCase):
    """In a bare system, where apt resolves what they depend on; each test adds to what is there."""

    @classmethod
    def setUpClass(cls):
        if not hasattr(Packages, "file"):
            Packages.setUpClass.__func__(cls)
        else:
            cls.file = Packages.file
        cls.system = bare.System()
        cls.addClassCleanup(cls.system.__exit__)
        for path in cls.file.values():
            shutil.copy(path, cls.system.root / "tmp")
        cls.system.install("/tmp/saltus_*.deb")

    def user(self, script, **more):
        return self.system.run(script, user="somebody", **more)

    def test_1_the_program_alone(self):
        self.assertIn("saltus ", self.user("saltus --version"))
        told = self.user("saltus doctor; saltus list models hopping-leg; test -e /usr/share/man/man1/saltus-run.1.gz")
        self.assertIn("lanes", told)
        self.user("saltus run /usr/share/saltus/sweeps/dallas2017.yaml -q -o alone.h5 --set timing.repeats=0 && saltus info alone.h5 && saltus tables alone.h5")

    def test_2_ranks_and_tables(self):
        self.system.install(WITNESSES)  # NumPy may bring another LAPACK, whose last digits are others
        self.user(". /usr/share/saltus/jobscripts/env.sh\n"
                  "main='saltus run /usr/share/saltus/sweeps/dallas2017.yaml -q --set timing.repeats=0'\n"
                  "$main -o one.h5 && mpirun -n 2 $main -o two.h5 && saltus diff one.h5 two.h5")
        self.assertIn("ode45", self.user("/usr/share/saltus/analysis/dallas_tables.py two.h5"))
        self.user("saltus trajectory --solver ode45 --strategy event --rtol 1e-3 --t-end 50 --dt 0.01 -o flight.h5\n"
                  "saltus trajectory --solver dop853 --strategy event --rtol 1e-13 --t-end 50 --dt 0.01 -o reference.h5\n"
                  "/usr/share/saltus/analysis/dallas.py two.h5 -o . --trajectory flight.h5 --reference reference.h5; test -s points.png")

    def test_3_the_library_and_python(self):
        self.system.install("/tmp/libsaltus*.deb")
        self.assertEqual(self.user("pkg-config --modversion saltus").strip(), self.system.run("saltus --version").split()[1])
        self.user("cp -r /usr/share/doc/saltus/examples . && cd examples && eval \"cc lanes.c -o lanes $(pkg-config --cflags --libs saltus)\" && ./lanes")
        self.assertIn("RK23", self.user("python3 -c '" + ADVICE + "'"))

    def test_4_the_tests_of_an_installed_tree(self):
        tests = self.system.root / "usr" / "src" / "tests"
        tests.mkdir(exist_ok=True)
        for name in ("cli.py", "test_install.py"):
            shutil.copy(os.path.join(SOURCE, "tests", "app", name), tests)
        told = self.user("python3 -B /usr/src/tests/test_install.py /usr/bin/saltus /usr/share/saltus/sweeps mpirun -n cmake none", SALTUS_INSTALLED="/usr")
        self.assertRegex(told, r"Ran (1\d|9) tests")

    def test_5_nothing_is_left(self):
        self.system.run("apt-get purge -qq -y saltus libsaltus4")
        self.assertEqual(self.system.run("find /usr /etc /var/lib/saltus -name '*saltus*' -not -path '/var/lib/dpkg/*' -not -path '/usr/src/*' 2>/dev/null || true"), "")


ADVICE = """\
import saltus
def f(t, y, g): return [y[1], -g]
def floor(t, y, g): return y[0]
floor.direction = -1
answer = saltus.advise(f, (0, 3), [1.0, 0.0], args=(9.81,), events=floor, reset=lambda k, t, y: [0.0, -0.8 * y[1]], error=1e-4)
print(answer.call)
"""

if __name__ == "__main__":
    unittest.main(verbosity=2)
