"""fonts.py: are Debian's modules there, and has Matplotlib its list of fonts (in MPLCONFIGDIR)?

Runs before the other tests of this folder: without a list Matplotlib makes one, takes seconds and prints a message on
stderr, which those tests expect to be empty.
"""

import importlib
import sys

MODULES = ("numpy", "pandas", "h5py", "h5netcdf", "xarray", "matplotlib.font_manager", "matplotlib.pyplot")


def main():
    missing = []
    for name in MODULES:
        try:
            importlib.import_module(name)
        except ImportError as trouble:
            missing.append(f"{name} ({trouble})")
    if missing:
        sys.exit(f"{sys.executable} lacks {', '.join(missing)}: jobscripts/setup.sh installs them")


if __name__ == "__main__":
    main()
