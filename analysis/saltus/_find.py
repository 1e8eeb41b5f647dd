"""Where the program, the library and the scripts are: in the wheel, in an installed tree, in a checkout, or where the environment names them."""

import functools
import os
import pathlib
import re
import shutil
import subprocess

from . import errors
from .version import __version__

PACKAGE = pathlib.Path(__file__).resolve().parent
LIBRARY = "libsaltus.so.4"  # its soname: the major version


def prefixes():
    """Trees that `cmake --install` makes: that of the wheel, and the one that this file lies in (PREFIX/share/saltus/analysis/saltus)."""
    yield PACKAGE / "prefix"
    if PACKAGE.parts[-4:-1] == ("share", "saltus", "analysis"):
        yield PACKAGE.parents[3]


def program():
    """The path of the program; FileNotFoundError where there is none."""
    there = [os.environ.get("SALTUS"), *(prefix / "bin" / "saltus" for prefix in prefixes()),
             PACKAGE.parents[1] / "build" / "release" / "saltus", shutil.which("saltus")]
    for path in there:
        if path and os.path.exists(path):
            return os.fspath(path)
    raise FileNotFoundError("no program `saltus` was found; $SALTUS may name it")


def check_version(path, version):
    """Refuses what is of another major version than this package, whose files and words may be others."""
    if version.split(".")[0] != __version__.split(".")[0]:
        raise errors.Error(f"{path} is of version {version}, and this package, {PACKAGE}, of {__version__}; allowed: the same major version")


@functools.cache
def checked(path):
    """The path of a program, once it has said a version that goes with this package."""
    try:
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace").stdout
    except OSError as why:
        raise errors.FileError(f"{path} cannot be run: {why.strerror}; $SALTUS may name the program") from None
    version = re.match(r"saltus (\d\S*)", said)
    if not version:
        raise errors.Error(f"{path} is not the program saltus: --version prints {said.splitlines()[:1]}; $SALTUS may name it")
    check_version(path, version[1])
    return path


def library():
    """The path of the library, or its soname, for which the loader looks."""
    named = os.environ.get("SALTUS_LIBRARY")
    if named:
        return named
    for prefix in prefixes():
        for found in sorted(prefix.glob(f"lib*/{LIBRARY}")) + sorted(prefix.glob(f"lib*/*/{LIBRARY}")):
            return os.fspath(found)
    folders = [pathlib.Path(os.environ["SALTUS"]).parent] if os.environ.get("SALTUS") else []  # of a build that is named
    built = (folder / LIBRARY for folder in (*folders, PACKAGE.parents[1] / "build" / "release"))
    return next((os.fspath(path) for path in built if path.exists()), LIBRARY)


def scripts():
    """The folder of analysis/*.py."""
    for folder in (PACKAGE.parent, *(prefix / "share" / "saltus" / "analysis" for prefix in prefixes())):
        if (folder / "report.py").exists():
            return os.fspath(folder)
    raise FileNotFoundError("the scripts of saltus are not installed beside this package")
