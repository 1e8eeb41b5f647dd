"""The recipes of jobscripts/packages agree with the tree: versions, dependencies, options, shells that parse.  The sources are the argument."""
import ast
import pathlib
import re
import subprocess
import sys
import unittest

from recipes import Recipes

SOURCE = pathlib.Path(sys.argv.pop(1))
# Packages that dependencies.cmake requires, by Debian's name: (Spack's, conda-forge's).
ELSEWHERE = {
    "libopenmpi-dev": ("mpi", "openmpi"), "libhdf5-openmpi-dev": ("hdf5", "hdf5"), "liblapacke-dev": ("openblas", "liblapacke"),
    "liblapack-dev": ("openblas", "liblapacke"),
    "libblas-dev": ("openblas", "libblas"), "libyaml-dev": ("libyaml", "yaml"), "libxxhash-dev": ("xxhash", "xxhash"),
    "zlib1g-dev": ("zlib-api", "zlib"), "gcc": ("c", "compiler"), "libpetsc-real-dev": ("petsc", None), "libsundials-dev": ("sundials", None),
    "libxml2-dev": ("libxml2", "libxml2"),
}
PYTHON = {"pyyaml": ("python3-yaml", "py-pyyaml", "pyyaml"), "matplotlib": ("python3-matplotlib", "py-matplotlib", "matplotlib-base")}


def text(*path):
    return SOURCE.joinpath(*path).read_text()


def first(pattern, where):
    """The first group of a pattern in a text; it has to be there."""
    found = re.search(pattern, where, re.MULTILINE)
    if not found:
        raise AssertionError(f"{pattern} is nowhere")
    return found[1]


def head(requirement):
    """The name of a package in a requirement."""
    return re.match(r"[\w-]+", requirement)[0]


class Versions(unittest.TestCase):
    version = first(r"^project\(saltus VERSION (\S+)", text("CMakeLists.txt"))

    def test_one_version(self):
        recipes = Recipes(SOURCE)
        label = recipes.apptainer()[-1]["labels"]
        for where, said in {
            "CITATION.cff": first(r"^version: (\S+)", text("CITATION.cff")),
            "version.py": first(r'__version__ = "([^"]+)"', text("analysis", "saltus", "version.py")),
            "CHANGELOG.md": first(r"^## (\d\S*)", text("CHANGELOG.md")),
            "package.py": recipes.spack()["version"][0],
            "package.py, its first line": first(r"saltus@([\d.]+)`", text("jobscripts", "packages", "package.py")),
            "meta.yaml": recipes.conda()["package"]["version"],
            "saltus.def": first(r"Version (\S+)", label),
        }.items():
            self.assertEqual(said, self.version, where)
        major = self.version.split(".")[0]
        self.assertEqual(first(r'LIBRARY = "libsaltus\.so\.(\d+)"', text("analysis", "saltus", "_find.py")), major)
        for name in ("README.md", "make_deb.sh"):
            self.assertIn(f"libsaltus{major}", text("jobscripts", "packages", name))

    def test_one_least_cmake(self):
        least = first(r"^cmake_minimum_required\(VERSION ([\d.]+)\)", text("CMakeLists.txt"))
        self.assertIn(f"CMake {least}", text("jobscripts", "README.md"))
        self.assertIn(f"cmake >={least}", Recipes(SOURCE).conda()["requirements"]["build"])
        self.assertIn((f"cmake@{least}:", "build", None), Recipes(SOURCE).spack()["depends_on"])

    def test_one_least_python(self):
        least = first(r'^requires-python = ">=([\d.]+)"', text("pyproject.toml"))
        self.assertIn(f"python >={least}", Recipes(SOURCE).conda()["requirements"]["run"])
        self.assertIn((f"python@{least}:", "run", None), Recipes(SOURCE).spack()["depends_on"])
        self.assertIn(f"Python {least} or later", text("analysis", "saltus", "__init__.py"))
        version = tuple(map(int, least.split(".")))
        for path in (SOURCE / "analysis").rglob("*.py"):
            if "build" not in path.parts:
                ast.parse(path.read_text(), str(path), feature_version=version)


class Dependencies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        said = text("src", "dependencies.cmake")
        rows = re.findall(r'^sal_need\(\S+ (?:"(?:[^"]*)"|\S+) ("[^"]*"|\S+) ("[^"]*"|\S+)\)', said, re.MULTILINE)
        assert len(rows) == said.count("\nsal_need("), "a line of dependencies.cmake that this test cannot read"
        cls.debian = {word for names, _ in rows for word in names.strip('"').split(", or")[0].split()}
        cls.fedora = {word for _, names in rows for word in names.strip('"').split()}
        cls.optional = set(re.findall(r"\(Debian (\S+?)\)", said))
        cls.options = set(re.findall(r"^option\((\w+)", said, re.MULTILINE))

    def test_setup_builds_with_them(self):
        listed = first(r"build_packages=\(([^)]*)\)", text("jobscripts", "setup.sh")).split()
        tools = {"libc6-dev", "cmake", "ninja-build", "pkg-config", "dpkg-dev", "file", "libopenblas-dev"}  # the last for PETSc, whose kernels tests choose
        self.assertEqual(set(listed) - tools, self.debian | self.optional)

    def test_spack_and_conda_build_with_them(self):
        self.assertEqual(self.debian | self.optional, set(ELSEWHERE))
        taken = Recipes(SOURCE).spack()["depends_on"]
        tools = {"cmake", "ninja", "pkgconfig"}
        self.assertEqual({head(spec) for spec, kind, _ in taken if kind != "run"} - tools, {spack for spack, _ in ELSEWHERE.values()})
        optional = {ELSEWHERE[name][0] for name in self.optional}
        self.assertEqual({head(spec) for spec, _, when in taken if when}, optional)
        needs = Recipes(SOURCE).conda()["requirements"]
        named = {head(one) for one in needs["build"] + needs["host"]} - {"cmake", "ninja", "pkg-config", "stdlib", "python"}
        self.assertEqual(named, {conda for _, conda in ELSEWHERE.values() if conda})

    def test_the_readme_has_fedora_s_names(self):
        said = text("jobscripts", "README.md")
        for name in self.fedora - {"gcc"}:
            self.assertIn(name, said)

    def test_python_runs_with_them(self):
        said = text("pyproject.toml")
        wanted = [*ast.literal_eval(first(r"^dependencies = (\[.*\])", said)), *ast.literal_eval(first(r"^pictures = (\[.*\])", said))]
        names = {name: PYTHON.get(name, (f"python3-{name}", f"py-{name}", name)) for name in wanted}
        conda = {head(one) for one in Recipes(SOURCE).conda()["requirements"]["run"]} - {"python", "openmpi"}
        self.assertEqual(conda, {row[2] for row in names.values()})
        spack = {head(spec) for spec, kind, _ in Recipes(SOURCE).spack()["depends_on"] if kind == "run"} - {"python"}
        self.assertEqual(spack, {row[1] for row in names.values()})
        debian = {row[0] for row in names.values()}
        deb = first(r'PROGRAM_PACKAGE_RECOMMENDS\s+"([^"]*)"', text("jobscripts", "packages", "deb.cmake"))
        self.assertEqual(set(re.findall(r"python3-\w+", deb)), debian)
        for image in (Recipes(SOURCE).container()[-1]["run"][0], Recipes(SOURCE).apptainer()[-1]["post"]):
            self.assertEqual(set(re.findall(r"python3-\w+", image)), debian)

    def test_options_are_there(self):
        spack = Recipes(SOURCE).spack()["class"]
        for variants in ({"petsc": True, "sundials": False, "libxml2": True}, {"petsc": False, "sundials": True, "libxml2": False}):
            given = type("Given", (spack,), {"on": variants})().cmake_args()
            self.assertIn(f"-DSALTUS_PETSC={'ON' if variants['petsc'] else 'OFF'}", given)
            self.assertIn(f"-DSALTUS_SUNDIALS={'ON' if variants['sundials'] else 'OFF'}", given)
            for option in re.findall(r"-D(SALTUS_\w+)", " ".join(given)):
                self.assertIn(option, self.options)
        for option in re.findall(r"-D(SALTUS_\w+)", text("jobscripts", "packages", "meta.yaml")):
            self.assertIn(option, self.options)


class Shells(unittest.TestCase):
    def parses(self, script):
        done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr + script)

    def test_steps_parse_and_name_files_of_the_tree(self):
        recipes = Recipes(SOURCE)
        stages = recipes.apptainer()
        self.assertEqual([stage["from"] for stage in stages], [stage["from"] for stage in recipes.container()])
        scripts = [stage[part] for stage in stages for part in ("post", "environment", "runscript", "test") if part in stage]
        scripts += [step for stage in recipes.container() for step in stage["run"]] + recipes.conda()["build"]["script"]
        self.assertGreater(len(scripts), 10)
        for script in scripts:
            self.parses(script)
            for file in re.findall(r"jobscripts/\S+", script):
                self.assertTrue((SOURCE / file).exists(), file)
        self.assertEqual(sum("setup.sh --build" in script for script in scripts), 2)
        subprocess.run(["bash", SOURCE / "jobscripts" / "setup.sh", "--build", "--list"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
