#!/usr/bin/python3
"""Builds the site by Sphinx: pages whose commands are run while it is built, with what they print and draw.

usage: build.py [--program SALTUS] [--only PAGE,..] [--pages FOLDER] [--jobs N] [--slurm] -o FOLDER

A page is Markdown (source.py describes its blocks); one whose command fails, whose link leads nowhere or that would load
something from elsewhere fails the build, with its file and line, as does any warning of Sphinx. --only: these pages, and what they need
of the repository; --slurm: blocks for a cluster are run, too, by the SLURM that is there. FOLDER is new, empty, or an earlier site.
"""

import argparse
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile

MATHJAX = "/usr/share/javascript/mathjax"
lacks = [f"the module {name}" for name in ("furo", "myst_parser", "sphinx") if not importlib.util.find_spec(name)]
if lacks or not os.path.isdir(MATHJAX):
    sys.exit(f"build.py: {sys.executable} lacks {', '.join([*lacks, *[MATHJAX] * (not os.path.isdir(MATHJAX))])}; jobscripts/setup.sh --site installs it")

from sphinx.application import Sphinx  # noqa: E402
from sphinx.errors import SphinxError  # noqa: E402
from sphinx.util.docutils import docutils_namespace, patch_docutils  # noqa: E402

from blocks import TOP  # noqa: E402
from source import Wrong  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = ".saltus-site"  # of a folder that a later build may replace
# Parts of MathJax that a page with formulas loads: TeX as SVG, without fonts.
MATHJAX_PARTS = ("MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/autoload", "jax/output/SVG/config.js",
                 "jax/output/SVG/jax.js", "jax/output/SVG/fonts/TeX")
LOADED = re.compile(r"<(?:script|img|iframe|source|link|object|embed|audio|video)\b[^>]*?\s(?:src|href|data)=[\"']?([^\"'\s>]+)|url\(\s*[\"']?([^\"')]+)")


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--program", default=os.environ.get("SALTUS") or os.path.join(TOP, "build", "release", "saltus"), help="saltus (build/release/saltus)")
    parser.add_argument("--only", metavar="PAGE,..", help="not the others")
    parser.add_argument("--pages", default=os.path.join(HERE, "pages"), metavar="FOLDER", help="where pages are")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N", help="pages at once (one for each core)")
    parser.add_argument("--slurm", action="store_true", help="run what is for a cluster")
    parser.add_argument("-o", dest="out", required=True, metavar="FOLDER", help="where the site is written")
    args = parser.parse_args(words)
    args.program = os.path.abspath(args.program)
    if not os.access(args.program, os.X_OK):
        sys.exit(f"build.py: {args.program}: no such program; jobscripts/site.sh builds it, --program names another")
    library = os.path.join(os.path.dirname(args.program), "libsaltus.so")
    if not os.path.exists(library):
        sys.exit(f"build.py: {library}: no such library, which pages in Python need; jobscripts/site.sh builds it beside the program")
    if os.path.isdir(args.out) and os.listdir(args.out) and not os.path.exists(os.path.join(args.out, MARK)):
        sys.exit(f"build.py: {args.out}: holds other files than a site; a new or an empty folder is allowed")
    return args


def check(out, private):
    """Wrong where a page loads something from elsewhere, reveals where it was made, or links to a place that does not exist."""
    complaints, texts, places = [], {}, {}
    for folder, _, names in os.walk(out):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), out)
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            complaints += [f"{path}: contains {text}" for text in private if text.encode() in content]
            if name.endswith((".html", ".css")):
                found = ("".join(groups) for groups in LOADED.findall(content.decode()))
                complaints += [f"{path}: loads {link}, which is not in the site" for link in found if re.match(r"(\w+:)?//|file:|/", link)]
            if name.endswith(".html") and folder == out:
                texts[path] = content.decode()
                places[path] = {*re.findall(r"\sid=\"?([^\"\s>]+)", texts[path])}
    for name, text in texts.items():
        for link in {*re.findall(r"<a\b[^>]*?\shref=\"?([^\"\s>]*)", text)}:
            path, _, anchor = link.partition("#")
            if re.match(r"https://|mailto:", link):
                continue
            if ":" in path or not os.path.exists(os.path.join(out, path.partition("?")[0] or name)):
                complaints.append(f"{name}: a link to {link}, which is not in the site")
            elif anchor and anchor not in places.get(path or name, {anchor}):
                complaints.append(f"{name}: a link to {link}, but no place there is called {anchor}")
    if complaints:
        raise Wrong("\n".join(complaints))
    return len(texts)


def build(args, scratch):
    """The number of pages; the site is scratch/out."""
    version = subprocess.run([args.program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    src, extra, out, doctrees = (os.path.join(scratch, name) for name in ("src", "extra", "out", "doctrees"))
    os.makedirs(src)
    os.makedirs(extra)
    more = {"version": version, "release": version, "html_title": f"saltus {version}", "html_extra_path": [extra], "site_program": args.program,
            "site_pages": args.pages, "site_only": args.only.split(",") if args.only else [], "site_slurm": args.slurm, "site_jobs": args.jobs}
    if args.only:
        more["suppress_warnings"] = ["misc.highlighting_failure", "myst.header", "toc.not_readable"]
    with docutils_namespace(), patch_docutils(HERE):
        warnings = io.StringIO()
        app = Sphinx(src, HERE, out, doctrees, "html", more, status=None, warning=warnings)
        app.build()
    if said := re.sub(r"\x1b\[[\d;]*m", "", warnings.getvalue()).replace(src + os.sep, "").strip():
        raise Wrong(said)
    bundle(out)
    private = (path for path in (TOP, os.path.realpath(TOP), scratch, os.path.expanduser("~")) if path.count(os.sep) > 1)
    return check(out, {*private})


def bundle(out):
    """Adds what Debian's pages load from a server's /javascript, so that the site opens from a disk."""
    for part in MATHJAX_PARTS:
        target = os.path.join(out, "_static", "mathjax", part)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        (shutil.copytree if os.path.isdir(os.path.join(MATHJAX, part)) else shutil.copyfile)(os.path.join(MATHJAX, part), target)
    styles = os.path.join(out, "_static", "styles")
    shutil.copy("/usr/share/javascript/normalize.css/normalize.css", styles)
    with open(os.path.join(styles, "furo.css"), "r+", encoding="utf-8") as file:
        text = file.read().replace("/javascript/normalize.css/normalize.css", "normalize.css")
        file.seek(0)
        file.truncate()
        file.write(text)


def main():
    args = arguments()
    target = os.path.abspath(args.out)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="saltus-site-", ignore_cleanup_errors=True) as scratch:
        try:
            pages = build(args, scratch)
        except SphinxError as why:
            print(why, file=sys.stderr)
            return 1
        out = os.path.join(scratch, "out")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(out, target)
        open(os.path.join(target, MARK), "w", encoding="ascii").close()
    print(f"{args.out}: {pages} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
