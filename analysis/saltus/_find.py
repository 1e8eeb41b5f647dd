"""Where the program, the library and the scripts are: in the wheel, in an installed tree, in a checkout, or as the environment says."""

import os
import pathlib
import shutil

PACKAGE = pathlib.Path(__file__).resolve().parent
LIBRARY = "libsaltus.so.3"  # its soname: the major version


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


def library():
    """The path of the library, or its soname, for which the loader looks."""
    named = os.environ.get("SALTUS_LIBRARY")
    if named:
        return named
    for prefix in prefixes():
        for found in sorted(prefix.glob(f"lib*/{LIBRARY}")) + sorted(prefix.glob(f"lib*/*/{LIBRARY}")):
            return os.fspath(found)
    build = PACKAGE.parents[1] / "build" / "release" / LIBRARY
    return os.fspath(build) if build.exists() else LIBRARY


def scripts():
    """The folder of analysis/*.py."""
    for folder in (PACKAGE.parent, *(prefix / "share" / "saltus" / "analysis" for prefix in prefixes())):
        if (folder / "report.py").exists():
            return os.fspath(folder)
    raise FileNotFoundError("the scripts of saltus are not installed beside this package")
