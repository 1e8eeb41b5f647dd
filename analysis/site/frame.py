"""From Markdown to a page: its frame, the list of pages, links, pictures."""

import collections
import html
import os
import re

import markdown

from blocks import TOP, escape
from source import Text, Wrong, wrong

# The pages, as the list at their side has them: (name, what it is called there).
CONTENTS = (
    ("Begin", (("index", "What it answers"), ("hopper", "My hopper in ten minutes"), ("python", "My functions in Python"),
               ("cube", "A map of answers"), ("data", "Cubes as data"), ("words", "Words"))),
    ("Worked examples", (("models", "Models, one by one"), ("dallas", "Dallas et al., table by table"), ("orbits", "Orbits and stability"),
                         ("gallery", "Gallery"))),
    ("On a cluster", (("cluster", "My cluster"), ("scripts", "Job scripts"))),
    ("Reference", (("tasks", "Commands by task"), ("commands", "Commands"), ("sweeps", "Sweep files"), ("model-files", "Models in files"), ("solver-files", "Solvers in files"),
                   ("pictures", "Pictures and the page"), ("theory", "Theory"), ("api", "C and Python"), ("headers", "Headers"), ("news", "What is new"))),
)
# Files of the repository that are pages of the list above.
READMES = {"sweeps/README.md": "sweeps", "sweeps/models/README.md": "model-files", "sweeps/solvers/README.md": "solver-files",
           "analysis/README.md": "pictures", "jobscripts/README.md": "scripts", "CHANGELOG.md": "news"}
PICTURES = (".png", ".svg")

Picture = collections.namedtuple("Picture", "page anchor file caption command")


def own(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return file.read()


def navigation(here, inner):
    """The list of pages, with the headings of the one that is open."""
    parts = []
    for group, pages in CONTENTS:
        rows = []
        for name, title in pages:
            current = ' aria-current="page"' if name == here else ""
            below = "".join(f'<li><a href="#{escape(anchor)}">{heading}</a></li>' for anchor, heading in inner) if current and 1 < len(inner) < 16 else ""
            rows.append(f'<li><a href="{name}.html"{current}>{escape(title)}</a>{f"<ul>{below}</ul>" if below else ""}</li>')
        parts.append(f"<h2>{escape(group)}</h2><ul>{''.join(rows)}</ul>")
    return "".join(parts)


def framed(name, title, body, inner=(), above="", version=""):
    """A whole page; `above`: the page of the list that it belongs to, where it is not in it."""
    said = {"title": escape(title), "body": body, "version": escape(version), "list": navigation(above or name, inner if not above else ()),
            "kind": "front" if name == "index" else "inner"}
    return re.sub(r"\{\{(\w+)\}\}", lambda word: said[word[1]], own("frame.html"))


def headings(tokens):
    return [(token["id"], token["name"]) for first in tokens for token in ([first] if first["level"] == 2 else first["children"]) if token["level"] == 2]


def to_html(texts, filled):
    """HTML of a Markdown text in which lines `@@N@@` stand for pieces of HTML, and the headings of its second level."""
    converter = markdown.Markdown(extensions=["tables", "toc", "sane_lists"], output_format="html")
    body = converter.convert(texts)
    body = body.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    body = re.sub(r"<p>@@(\d+)@@</p>", lambda mark: filled[int(mark[1])], body)
    return body, headings(converter.toc_tokens)


class Page:
    """One page while it is made: pieces as they come, then links and pictures of the whole."""

    def __init__(self, source, site, folder=None, base=""):
        self.source, self.site, self.folder, self.base = source, site, folder, base
        self.filled, self.texts, self.pictures, self.command = [], [], [], ""

    def place(self, piece):
        self.filled.append(piece)
        return f"\n\n@@{len(self.filled) - 1}@@\n\n"

    def text(self, piece):
        """A text, its macros filled in; pictures belong to the block before."""
        for number, line in enumerate(piece.text.split("\n"), piece.line):
            if macro := re.fullmatch(r"\{\{(\w+)((?: [\w.-]+)*)\}\}\s*", line):
                self.texts.append(self.place(self.site.macro(self, number, macro[1], macro[2].split())))
            elif picture := re.fullmatch(r"!\[(.+)\]\((\S+)\)\s*", line):
                self.texts.append(self.place(self.picture(number, picture[1], picture[2])))
            else:
                self.texts.append(line)

    def picture(self, number, caption, link):
        file = self.asset(link, number)
        anchor = "picture-" + re.sub(r"\W+", "-", os.path.basename(link)).lower()
        self.pictures.append(Picture(self.source.name, anchor, file, caption, self.command))
        said = markdown.markdown(caption)[3:-4]
        return (f'<figure class="picture" id="{anchor}"><a href="{escape(file)}"><img src="{escape(file)}" alt="{escape(plain(said))}"></a>'
                f"<figcaption>{said}</figcaption></figure>")

    def make(self):
        """(HTML, headings); the blocks are run on the way."""
        for piece in self.source.pieces:
            if isinstance(piece, Text):
                self.text(piece)
            else:
                self.texts.append(self.place(self.folder.html_of(self.source, piece)))
                self.command = piece.text if piece.language in ("sh", "python") else self.command
        body, inner = to_html("\n".join(self.texts), self.filled)
        return re.sub(r'(<a href|<img [^>]*src)="([^"]*)"', lambda link: f'{link[1]}="{escape(self.link(html.unescape(link[2])))}"', body), inner

    # ---- links ----

    def line_of(self, link):
        for piece in self.source.pieces:
            if isinstance(piece, Text) and link in piece.text:
                return piece.line + piece.text[: piece.text.index(link)].count("\n")
        return 1

    def link(self, link):
        """Where a link leads in the site."""
        path, mark, anchor = link.partition("#")
        if not path or re.match(r"https?://|mailto:", link) or self.site.has(path):
            return link
        return self.asset(path, self.line_of(link)) + mark + anchor

    def asset(self, link, line):
        """A file that a block has made, or one of the repository; its place in the site."""
        if self.site.is_published(link):
            return link
        made = os.path.realpath(os.path.join(self.folder.path, link)) if self.folder else ""
        if made and made.startswith(os.path.realpath(self.folder.path) + os.sep) and os.path.isfile(made):
            return self.site.publish(self.source.name, made)
        path = os.path.normpath(os.path.join(self.base, link))
        if path.startswith("..") or not os.path.exists(os.path.join(TOP, path)):
            raise wrong(self.source.path, line, f"a link to {link}: no page, no file that a block has made, no file of the repository")
        try:
            return self.site.repository(path)
        except Wrong as why:
            raise wrong(self.source.path, line, f"a link to {link}: {why}") from None


def plain(text):
    return html.unescape(re.sub(r"<[^>]*>", "", text))
