"""The command line of the scripts: errors are one line, and say where help is."""

import argparse
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small here: threads would wait for each other

from cube import NotOurs  # noqa: E402


class Parser(argparse.ArgumentParser):
    """The help is the text of the script, with examples below as they were typed."""

    def __init__(self, description, epilog):
        super().__init__(
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; see --help\n")


def run(work, args):
    """Exit status of work(args): 2 where a file cannot be used or written, which one line reports."""
    try:
        work(args)
    except (NotOurs, OSError) as why:
        print(f"{os.path.basename(sys.argv[0])}: {why}", file=sys.stderr)
        return 2
    return 0
