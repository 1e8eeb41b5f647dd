"""The version of the package, which is that of the project (CMakeLists.txt)."""

__version__ = "4.0.0"
