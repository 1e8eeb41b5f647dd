"""The build backend of pyproject.toml: the package of analysis/saltus with the tree that `cmake --install` makes inside, packed by setuptools.

The tree is built in build/python; $SALTUS_BUILD names a folder in which CMake has built it already, and then nothing is compiled.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

from setuptools import build_meta

SOURCE = pathlib.Path(__file__).resolve().parent.parent
STAGE = SOURCE / "build" / "wheel"  # setuptools leaves folders of its own where it works


def built():
    """A folder with the program and the library, which are compiled if need be."""
    if "SALTUS_BUILD" in os.environ:
        return pathlib.Path(os.environ["SALTUS_BUILD"]).resolve()
    if not shutil.which("cmake"):
        raise SystemExit("cmake, which compiles saltus, is not on PATH (version: jobscripts/README.md): load a module, install a package, or pip install cmake")
    folder = SOURCE / "build" / "python"
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    kind = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O3", "-DBUILD_TESTING=OFF"]  # as the preset `release`
    subprocess.run(["cmake", "-S", SOURCE, "-B", folder, *ninja, *kind], check=True, stdout=sys.stderr)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count())], check=True, stdout=sys.stderr)
    return folder


def stage():
    """Puts the package together in an empty folder, without what is compiled."""
    shutil.rmtree(STAGE, ignore_errors=True)
    shutil.copytree(SOURCE / "analysis" / "saltus", STAGE / "saltus", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(SOURCE / name, STAGE)


def drop_links(prefix):
    """A wheel has no links: libraries have their sonames alone, and a script of the linker stands where programs are linked."""
    for library in sorted(prefix.glob("lib*/**/libsaltus*.so.*.*.*")):
        soname = library.with_name(".".join(library.name.split(".")[:3]))
        link = library.with_name(library.name.partition(".so")[0] + ".so")
        for file in (soname, link):
            file.unlink()
        for package in library.parent.glob("cmake/saltus/*.cmake"):
            package.write_text(package.read_text().replace(library.name, soname.name))
        library.rename(soname)
        link.write_text(f"INPUT({soname.name})\n")


def compile_into_stage():
    prefix = STAGE / "saltus" / "prefix"
    subprocess.run(["cmake", "--install", built(), "--prefix", prefix, "--strip"], check=True, stdout=sys.stderr)
    shutil.rmtree(prefix / "share" / "saltus" / "analysis" / "saltus")
    drop_links(prefix)
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    (STAGE / "setup.cfg").write_text(f"[bdist_wheel]\npython_tag = py3\nplat_name = {platform}\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Rejects a Python that is too old before anything is compiled."""
    where = os.path.abspath(metadata_directory)
    stage()
    os.chdir(STAGE)
    return build_meta.prepare_metadata_for_build_wheel(where, config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    where = os.path.abspath(wheel_directory)
    stage()
    compile_into_stage()
    os.chdir(STAGE)
    return build_meta.build_wheel(where, config_settings, None)


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("saltus is packed from its checkout: git archive makes a copy of the sources")
