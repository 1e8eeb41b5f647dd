"""All pages of the site: those that are written, those that are made of the repository's own files, and what they publish."""

import filecmp
import html
import os
import re
import shutil
import subprocess
import threading

import blocks
import filled
from blocks import TOP, Folder, escape
from frame import CONTENTS, PICTURES, READMES, Page, framed, own, plain, to_html
from source import Block, Source, Text, Wrong, parse, wrong

LAST = ("gallery",)  # made of what the other pages have
LISTED = {name: title for _, pages in CONTENTS for name, title in pages}
LARGEST = 200_000  # bytes of a file of the repository that is shown


class Site:
    def __init__(self, saltus, pages, out, scratch, slurm=False):
        self.saltus, self.out, self.scratch, self.slurm = saltus, out, scratch, slurm
        self.sources = {name: os.path.join(folder, file) for folder, _, files in os.walk(pages) for file in files
                        for name, end in [os.path.splitext(file)] if end == ".md"}
        self.texts, self.published, self.pictures, self.made = {}, {}, [], set()
        self.lock = threading.RLock()
        self.version = subprocess.run([saltus, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    # ---- which pages there are ----

    def chosen(self, only):
        """The pages that are to be made; those that are written, by name."""
        for name in only or ():
            if name not in self.sources:
                raise Wrong(f"no page is called {name}; allowed: {', '.join(sorted(self.sources))}")
        lost = [name for name in LISTED if name not in self.sources and name not in READMES.values()]
        if lost and not only:
            raise Wrong(f"the list of pages has {', '.join(lost)}, of which there is no .md")
        return sorted(only or self.sources, key=lambda name: (name not in ("dallas", "cube"), name))  # the dear ones begin first

    def is_last(self, name):
        return name in LAST

    def has(self, path):
        """Is there such a page, whether it is made this time or not?"""
        name, end = os.path.splitext(path)
        return end == ".html" and (name in self.sources or name in LISTED)

    def absent(self):
        return {f"{name}.html" for name in {*self.sources, *LISTED} - self.made}

    # ---- pages that are written ----

    def make(self, name):
        path = self.sources[name]
        told = os.path.relpath(path, TOP) if path.startswith(TOP + os.sep) else os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            source = parse(name, told, file.read())
        page = Page(source, self, Folder(os.path.join(self.scratch, name), self.saltus, self.slurm))
        body, inner = page.make()
        above = "models" if os.path.basename(os.path.dirname(path)) == "models" else "" if name in LISTED else "index"
        self.write(name, source.title, body, inner, above)
        with self.lock:
            self.pictures += page.pictures
            self.texts[name] = source.title

    def write(self, name, title, body, inner=(), above=""):
        with open(os.path.join(self.out, name + ".html"), "w", encoding="utf-8") as file:
            file.write(framed(name, title, body, inner, above, self.version))
        with self.lock:
            self.made.add(name)

    def macro(self, page, number, name, words):
        if name not in filled.MACROS:
            raise wrong(page.source.path, number, f"{{{{{name}}}}}; allowed: {', '.join(filled.MACROS)}")
        try:
            return filled.MACROS[name](self, *words)
        except (TypeError, KeyError) as why:
            raise wrong(page.source.path, number, f"{{{{{' '.join([name, *words])}}}}}: {why}") from None

    # ---- files ----

    def publish(self, page, path):
        """Copies a file into the site, into the folder of a page; its place there."""
        place = f"{page}/{os.path.basename(path)}"
        target = os.path.join(self.out, place)
        with self.lock:
            if os.path.exists(target) and not filecmp.cmp(path, target, shallow=False):
                raise Wrong(f"two files of the page {page} are called {os.path.basename(path)}")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)
            self.published[place] = path
        return place

    def is_published(self, link):
        return link in self.published or link.endswith(".html") and link[:-5] in self.made

    def repository(self, path):
        """The page of a file of the repository, which is made where it is asked for first."""
        if os.path.isdir(os.path.join(TOP, path)):
            if not os.path.exists(os.path.join(TOP, path, "README.md")):
                return self.folder(path)
            path = os.path.join(path, "README.md")
        if not os.path.isfile(os.path.join(TOP, path)):
            raise Wrong(f"{path} is not a file")
        if path.endswith(PICTURES):
            return self.publish("files", os.path.join(TOP, path))
        name = READMES.get(path) or "file-" + re.sub(r"[^\w.]+", "-", path)
        with self.lock:
            if name in self.made:
                return name + ".html"
            self.made.add(name)
        try:
            with open(os.path.join(TOP, path), encoding="utf-8") as file:
                text = file.read(LARGEST)
        except UnicodeDecodeError:
            raise Wrong(f"{path} is not a text") from None
        if path.endswith(".md"):
            self.readme(name, path, text)
        else:
            code = blocks.with_quiet_comments("yaml" if path.endswith((".yaml", ".sh", ".sbatch", ".py")) else "", text.rstrip())
            self.write(name, path, f'<h1>{escape(path)}</h1><pre class="code whole" tabindex="0">{code}</pre>', above="index")
        return name + ".html"

    def folder(self, path):
        """A folder without a README: its files."""
        name = "file-" + re.sub(r"[^\w.]+", "-", path)
        with self.lock:
            if name not in self.made:
                files = [file for file in sorted(os.listdir(os.path.join(TOP, path))) if os.path.isfile(os.path.join(TOP, path, file))]
                rows = (f'<li><a href="{escape(self.repository(os.path.join(path, file)))}">{escape(file)}</a></li>' for file in files)
                self.write(name, path, f'<h1>{escape(path)}</h1><ul>{"".join(rows)}</ul>', above="index")
        return name + ".html"

    def readme(self, name, path, text):
        """A README as a page: its commands are not run, but have to be there, with their options."""
        pieces, at = [], 0
        for fence in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", text, re.S | re.M):
            line = text.count("\n", 0, at) + 1
            pieces.append(Text(line, text[at : fence.start()]))
            pieces.append(Block(text.count("\n", 0, fence.start()) + 1, fence[1], {}, fence[2]))
            at = fence.end()
        pieces.append(Text(text.count("\n", 0, at) + 1, text[at:]))
        title = re.search(r"^# +(.*)", text, re.M)
        source = Source(name, path, plain(title[1]) if title else path, pieces)
        page = Readme(source, self, base=os.path.dirname(path))
        body, inner = page.make()
        self.write(name, source.title, body, inner, above="" if name in LISTED else "index")

    def finish(self, whole):
        """What all pages share and, of the whole site, the READMEs of the list."""
        for path in READMES if whole else ():
            self.repository(path)
        with open(os.path.join(self.out, "site.css"), "w", encoding="utf-8") as file:
            file.write(own(os.path.join(os.pardir, "page", "common.css")) + own("site.css"))


class Readme(Page):
    """Its blocks are shown; macros and pictures are left as they stand."""

    def make(self):
        for piece in self.source.pieces:
            if isinstance(piece, Text):
                self.texts += piece.text.split("\n")
            else:
                if piece.language == "sh":
                    blocks.check(self.source.path, piece, self.site.saltus)
                self.texts.append(self.place(blocks.shown(piece)))
        body, inner = to_html("\n".join(self.texts), self.filled)
        return re.sub(r'(<a href|<img [^>]*src)="([^"]*)"', lambda link: f'{link[1]}="{escape(self.link(html.unescape(link[2])))}"', body), inner
