"""The extension of Sphinx that makes the site's sources: pages whose blocks are run, and files of the repository that pages lead to.

Everything is made before Sphinx looks for sources, from what the values site_.. of its configuration name. A link to something that is not there is Wrong, with its line.
"""

import concurrent.futures
import filecmp
import functools
import json
import os
import re
import shutil
import subprocess
import threading

import blocks
import filled
from blocks import TOP, Folder, fence
from source import Block, Text, Wrong, parse, wrong

# READMEs that stand in the list of pages (pages/index.md).
READMES = {"sweeps/README.md": "sweeps", "sweeps/models/README.md": "model-files", "sweeps/solvers/README.md": "solver-files",
           "analysis/README.md": "pictures", "jobscripts/README.md": "scripts", "CHANGELOG.md": "news"}
PAGES = "analysis/site/pages"
PICTURES = (".png", ".svg")
LANGUAGES = {".yaml": "yaml", ".sh": "bash", ".sbatch": "bash", ".py": "python", ".c": "c", ".h": "c", ".json": "json"}
LARGEST = 200_000  # bytes of a file of the repository that is shown
LINK = re.compile(r"`[^`]*`|(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")


class Site:
    """Pages by name; `src` is what Sphinx reads, `extra` what is copied into the site as it is."""

    def __init__(self, saltus, pages, scratch, only=None, slurm=False, jobs=1):
        self.saltus, self.slurm, self.jobs = saltus, slurm, jobs
        self.src, self.extra, self.run = (os.path.join(scratch, name) for name in ("src", "extra", "run"))
        for folder in (self.src, self.extra, self.run):
            os.makedirs(folder, exist_ok=True)
        self.sources = {name: os.path.join(folder, file) for folder, _, files in os.walk(pages) for file in files
                        for name, end in [os.path.splitext(file)] if end == ".md"}
        for name in only or ():
            if name not in self.sources:
                raise Wrong(f"no page is called {name}; allowed: {', '.join(sorted(self.sources))}")
        self.only, self.chosen = only, set(only or self.sources)
        self.titles, self.pictures, self.made, self.lock = {}, [], set(), threading.RLock()

    @functools.lru_cache(maxsize=None)
    def listed(self, what, *more):
        """The entries of `saltus list`, by name."""
        done = subprocess.run([self.saltus, "list", what, *more, "--json"], capture_output=True, text=True)
        if done.returncode:
            raise Wrong(done.stderr.strip())
        return {entry["name"]: entry for entry in json.loads(done.stdout)[what]}

    def is_there(self, name):
        """Is the page made this time?"""
        return name in self.chosen or name in READMES.values() and not self.only

    def make(self):
        """Writes all sources; Wrong with the complaints of all pages that failed. Pages that take long begin first, the gallery comes last."""
        names, complaints = sorted(self.chosen - {"gallery"}, key=lambda name: (name not in ("dallas", "cube"), name)), []
        with concurrent.futures.ThreadPoolExecutor(max(1, self.jobs)) as pool:
            for done in [pool.submit(self.page, name) for name in names]:
                try:
                    done.result()
                except Wrong as why:
                    complaints.append(str(why))
        if complaints:
            raise Wrong("\n".join(complaints))
        if "gallery" in self.chosen:
            self.page("gallery")
        for path in () if self.only else READMES:
            self.repository(path)
        if "index" not in self.chosen:
            self.write("index", "# saltus\n\n" + fence("{toctree}", "\n".join(sorted(self.chosen))))

    def page(self, name):
        path = self.sources[name]
        shown = os.path.relpath(path, TOP) if path.startswith(TOP + os.sep) else os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            source = parse(name, shown, file.read())
        folder, command, parts = Folder(os.path.join(self.run, name), self.saltus, self.slurm), "", []
        for piece in source.pieces:
            if isinstance(piece, Text):
                parts.append(self.text(source, piece, folder, command))
            elif piece.language.startswith("{"):
                parts.append(fence(piece.language, piece.text))
            else:
                parts.append(folder.markdown_of(source, piece))
                command = piece.text if piece.language in ("sh", "python") else command
        with self.lock:
            self.titles[name] = source.title
        self.write(name, "\n".join(parts))

    def write(self, name, text):
        with open(os.path.join(self.src, name + ".md"), "w", encoding="utf-8") as file:
            file.write(text)

    # ---- texts ----

    def text(self, source, piece, folder, command):
        """A text with its links, pictures and macros."""
        text = self.linked(piece.text, source.path, piece.line, functools.partial(self.leads, source.name, folder))
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if macro := re.fullmatch(r"\{\{(\w+)((?: [\w.-]+)*)\}\}\s*", line):
                lines[i] = self.macro(source.path, piece.line + i, macro[1], macro[2].split())
            elif picture := re.fullmatch(r"!\[(.+)\]\((\S+)\)\s*", line):
                lines[i] = filled.figure(picture[1], picture[2], f":name: {filled.place(source.name, picture[2])}")
                with self.lock:
                    self.pictures.append((source.name, picture[2], picture[1], command))
        return "\n".join(lines)

    def macro(self, path, line, name, words):
        if name not in filled.MACROS:
            raise wrong(path, line, f"{{{{{name}}}}}; allowed: {', '.join(filled.MACROS)}")
        try:
            return filled.MACROS[name](self, *words)
        except (TypeError, KeyError) as why:
            raise wrong(path, line, f"{{{{{' '.join([name, *words])}}}}}: {why}") from None

    def linked(self, text, path, line, leads):
        """A text whose links lead to leads(target): a target, or "" where the page is left out this time."""
        def one(link):
            if link[3] is None or re.match(r"https?://|mailto:", link[3]):
                return link[0]
            try:
                target = leads(link[3])
            except Wrong as why:
                raise wrong(path, line + text.count("\n", 0, link.start()), f"a link to {link[3]}: {why}") from None
            if target.startswith("./"):  # a file that stands in the site as it is, unknown to Sphinx
                return f'<a href="{target}">{link[2]}</a>'
            return f"{link[1]}[{link[2]}]({target})" if target else link[2]
        return LINK.sub(one, text)

    def leads(self, page, folder, link):
        """Where a link of a page leads: a page, a file that a block has made, a file of the repository."""
        path, mark, anchor = link.partition("#")
        name, end = os.path.splitext(path)
        if not path:
            return f"{page}.md{mark}{anchor}"
        if end == ".md" and (name in self.sources or name in READMES.values()):
            return link if self.is_there(name) else ""
        made = os.path.realpath(os.path.join(folder.path, path))
        if made.startswith(os.path.realpath(folder.path) + os.sep) and os.path.isfile(made):
            return self.publish(page, made)
        target = self.repository(os.path.normpath(path))
        return target + mark + anchor if target else ""

    # ---- files ----

    def publish(self, page, path):
        """Copies a file to where a page has its own: pictures by Sphinx, others as they are."""
        place = f"{page}/{os.path.basename(path)}"
        is_picture = place.endswith(PICTURES)
        target = os.path.join(self.src if is_picture else self.extra, place)
        with self.lock:
            if os.path.exists(target) and not filecmp.cmp(path, target, shallow=False):
                raise Wrong(f"two files of the page {page} are called {os.path.basename(path)}")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)
        return place if is_picture else "./" + place

    def repository(self, path):
        """The source of a file of the repository, which is made where it is asked for first."""
        full, name = os.path.join(TOP, path), os.path.splitext(os.path.basename(path))[0]
        if path.startswith(PAGES + "/") and name in self.sources:
            return name + ".md" if self.is_there(name) else ""
        if os.path.isdir(full) and os.path.exists(os.path.join(full, "README.md")):
            return self.repository(os.path.join(path, "README.md"))
        if path.startswith("..") or not os.path.exists(full):
            raise Wrong("no page, no file that a block has made, no file of the repository")
        if path.endswith(PICTURES):
            return self.publish("files", full)
        name = READMES.get(path) or "file-" + re.sub(r"[^\w.]+", "-", path).replace(".", "-")
        with self.lock:
            is_new = name not in self.made
            self.made.add(name)
        if is_new:
            self.write(name, ("" if path in READMES and not self.only else "---\norphan: true\n---\n") + self.file(path, full))
        return name + ".md"

    def file(self, path, full):
        """A folder by its files, a README by its text, another file as it is."""
        if os.path.isdir(full):
            files = [file for file in sorted(os.listdir(full)) if os.path.isfile(os.path.join(full, file))]
            return f"# {path}\n\n" + "".join(f"- [{file}]({self.repository(os.path.join(path, file))})\n" for file in files)
        try:
            with open(full, encoding="utf-8") as file:
                text = file.read(LARGEST)
        except UnicodeDecodeError:
            raise Wrong(f"{path} is not a text") from None
        if path.endswith(".md"):
            return self.readme(path, text)
        return f"# {path}\n\n" + blocks.code(LANGUAGES.get(os.path.splitext(path)[1], "text"), text)

    def readme(self, path, text):
        """A README: its commands are not run, but have to be there, with their options."""
        def leads(link):
            inner, mark, anchor = link.partition("#")
            target = self.repository(os.path.normpath(os.path.join(os.path.dirname(path), inner)) if inner else path)
            return target + mark + anchor if target else ""

        fences = [*re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", text, re.S | re.M), None]
        outside = re.sub(r"^```.*?^```[ \t]*$", "", text, flags=re.S | re.M)
        deeper = "##" if len(re.findall("^# ", outside, re.M)) > 1 else "#"  # what stands below the first of several titles
        parts, at = [], 0
        for block in fences:
            begin = block.start() if block else len(text)
            said = self.linked(text[at:begin], path, text.count("\n", 0, at) + 1, leads)
            parts.append(re.sub("^#(?=#* )", lambda mark: deeper if parts or mark.start() else "#", said, flags=re.M))
            if block:
                if block[1] == "sh":
                    blocks.check(path, Block(text.count("\n", 0, begin) + 1, "sh", {}, block[2]), self.saltus)
                parts.append(blocks.code(block[1] or "text", block[2]))
                at = block.end()
        return "".join(parts)


def escape_docstring(app, what, name, thing, options, lines):
    """Docstrings are plain texts: what is indented is code, a line that begins with `name:` begins a line."""
    lines[:] = filled.rst(lines)


def make(app):
    config = app.config
    site = Site(config.site_program, config.site_pages, os.path.dirname(app.srcdir), config.site_only, config.site_slurm, config.site_jobs)
    site.make()


def setup(app):
    for name in ("program", "pages", "only", "slurm", "jobs"):
        app.add_config_value(f"site_{name}", None, "")
    app.connect("builder-inited", make)
    app.connect("autodoc-process-docstring", escape_docstring)
    return {"parallel_read_safe": True}
