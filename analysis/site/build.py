#!/usr/bin/python3
"""Builds the site: pages whose commands are run while it is built, with what they print and draw.

usage: build.py [--program SALTUS] [--only PAGE,..] [--pages FOLDER] [--jobs N] [--slurm] -o FOLDER

A page is Markdown (source.py says what its blocks are); one whose command fails, whose link leads nowhere or that would load
something from elsewhere fails the build, with its file and line. --only: these pages, and what they need of the repository;
--slurm: blocks for a cluster are run, too, by the SLURM that is there. FOLDER is new, empty, or an earlier site.
"""

import argparse
import concurrent.futures
import importlib.util
import os
import shutil
import sys
import tempfile

if not importlib.util.find_spec("markdown"):
    sys.exit(f"build.py: {sys.executable} has no module markdown; jobscripts/setup.sh --site installs Debian's python3-markdown")

from blocks import TOP  # noqa: E402
from check import check  # noqa: E402
from site_pages import Site  # noqa: E402
from source import Wrong  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = ".saltus-site"  # of a folder that a later build may replace


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--program", default=os.environ.get("SALTUS") or os.path.join(TOP, "build", "release", "saltus"), help="saltus (build/release/saltus)")
    parser.add_argument("--only", metavar="PAGE,..", help="not the others")
    parser.add_argument("--pages", default=os.path.join(HERE, "pages"), metavar="FOLDER", help="where pages are")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N", help="pages at once (one for each core)")
    parser.add_argument("--slurm", action="store_true", help="run what is for a cluster")
    parser.add_argument("-o", dest="out", required=True, metavar="FOLDER", help="where the site is written")
    args = parser.parse_args(words)
    if not os.access(args.program, os.X_OK):
        sys.exit(f"build.py: {args.program}: no such program; jobscripts/site.sh builds it, --program names another")
    if os.path.isdir(args.out) and os.listdir(args.out) and not os.path.exists(os.path.join(args.out, MARK)):
        sys.exit(f"build.py: {args.out}: holds other files than a site; a new or an empty folder is allowed")
    return args


def every(work, things, jobs):
    """work(thing) of all, some at once; Wrong with the complaints of all that failed."""
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for done in [pool.submit(work, thing) for thing in things]:
            try:
                done.result()
            except Wrong as why:
                wrong.append(str(why))
    if wrong:
        raise Wrong("\n".join(wrong))


def build(args, out, scratch):
    site = Site(os.path.abspath(args.program), args.pages, out, scratch, args.slurm)
    names = site.chosen(args.only.split(",") if args.only else None)
    every(site.make, [name for name in names if not site.is_last(name)], args.jobs)
    every(site.make, [name for name in names if site.is_last(name)], 1)
    site.finish(whole=not args.only)
    home = os.path.expanduser("~")
    private = [path for path in (TOP, os.path.realpath(TOP), scratch, home) if path.count(os.sep) > 1]
    return check(out, private, site.absent())


def main():
    args = arguments()
    target = os.path.abspath(args.out)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="saltus-site-", ignore_cleanup_errors=True) as scratch:
        out = os.path.join(scratch, "site")
        os.makedirs(out)
        try:
            pages, links = build(args, out, os.path.join(scratch, "run"))
        except Wrong as why:
            print(why, file=sys.stderr)
            return 1
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(out, target)
        open(os.path.join(target, MARK), "w", encoding="ascii").close()
    print(f"{args.out}: {pages} pages, {links} links")
    return 0


if __name__ == "__main__":
    sys.exit(main())
