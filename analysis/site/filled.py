"""What lines {{NAME words}} of a page are filled in with: lists, helps and texts of the program and of its sources."""

import functools
import importlib
import inspect
import json
import os
import re
import subprocess
import sys

import blocks
import headers
import theory as theory_page
from blocks import TOP, escape
from frame import plain, to_html
from source import Wrong

MODELS = os.path.join("sweeps", "models")


@functools.lru_cache(maxsize=None)
def listed(saltus, what, *more):
    done = subprocess.run([saltus, "list", what, *more, "--json"], capture_output=True, text=True)
    if done.returncode:
        raise Wrong(done.stderr.strip())
    return {entry["name"]: entry for entry in json.loads(done.stdout)[what]}


def quantities(entry):
    """Tables of parameters and states."""
    for name, heads in (("parameters", ("parameter", "what", "unit", "preset")), ("states", ("state", "what", "unit", "preset"))):
        rows = [[row[key] for key in ("name", *heads[1:])] for row in entry.get(name, ())]
        if rows:
            yield theory_page.table(heads, rows)


def model(site, name, *files):
    """What there is to say of a model: one of the program, by its name, or one in a file of sweeps/models; `files` say the same as a text."""
    path = os.path.join(MODELS, name)
    in_file = name.endswith(".yaml")
    entry = next(iter(listed(site.saltus, "models", os.path.join(TOP, path)).values())) if in_file else listed(site.saltus, "models")[name]
    parts = [f'<p class="lead">{escape(entry["title"])}</p>', f'<p class="where">{theory_page.with_links(entry["source"])}</p>']
    links = [f'<a href="{path}">{path}</a>'] if in_file else [f'<a href="theory.html#{headers.anchor("models", name)}">equations</a>']
    links += [f'<a href="{MODELS}/{file}">as a text</a>' for file in files]
    parts.append(f'<p>{", ".join(links)}</p>')
    tables = "".join(quantities(entry))
    parts.append(f"<details><summary>parameters and states</summary>{tables}</details>")
    return "".join(parts)


def models(site):
    """All pages of models, each with its first paragraph; Wrong where a model of the program or a file has none."""
    told, rows = "", []
    for name, path in sorted(site.sources.items()):
        if os.path.basename(os.path.dirname(path)) != "models":
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        told += text
        title, first = re.match(r"# +(.*?)\n\s*((?:[^\n{]+\n)+)", text).groups()
        rows.append(f'<a class="card" href="{name}.html"><b>{escape(title)}</b><span>{escape(plain(to_html(first, [])[0]).strip())}</span></a>')
    files = [file for file in sorted(os.listdir(os.path.join(TOP, MODELS))) if file.endswith(".yaml")]
    named = {word for line in re.findall(r"^\{\{model (.*)\}\}", told, re.M) for word in line.split()}
    if lost := [name for name in [*listed(site.saltus, "models"), *files] if name not in named]:
        raise Wrong(f"no page of a model has {{{{model {lost[0]}}}}}")
    return f'<div class="cards">{"".join(rows)}</div>'


def commands(site):
    """Every command, with what its help says."""
    groups = re.findall(r"^(\S[^\n]*)\n((?:  [a-z-]+ [^\n]*\n)+)", blocks.help_of(site.saltus, "--help"), re.M)
    parts, below = [], []
    for title, rows in groups:
        found = [row for row in re.findall(r"^  ([a-z-]+) +(.*)$", rows, re.M) if row[0] in blocks.commands(site.saltus)]
        if not found:
            continue
        rows = (f'<tr><td><a href="#{name}"><code>{name}</code></a></td><td>{escape(what)}</td></tr>' for name, what in found)
        parts.append(f'<h2>{escape(title)}</h2><div class="wide" tabindex="0"><table>{"".join(rows)}</table></div>')
        below += [f'<h2 id="{name}">saltus {name}</h2><pre tabindex="0">{escape(blocks.help_of(site.saltus, "help", name).strip())}</pre>' for name, _ in found]
    return "".join(parts + below)


def theory(site):
    return "\n".join(theory_page.theory(site.saltus))


def all_headers(_):
    return "\n".join(headers.headers())


def c_header(_):
    return "\n".join(headers.one_header("src/api/saltus.h"))


def signature(thing):
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""


def described(name, thing, level):
    """A function or a class of the package: how it is called, and what it says of itself."""
    said = inspect.getdoc(thing) or ""
    is_class = inspect.isclass(thing)
    yield (f'<h{level} id="saltus.{escape(name)}"><code>{escape(name)}</code></h{level}>'
           f'<pre class="say" tabindex="0">{escape(name + signature(thing))}\n\n{escape(said)}</pre>')
    for inner, member in sorted(vars(thing).items()) if is_class else ():
        if not inner.startswith("_") and (callable(member) or isinstance(member, property)) and inspect.getdoc(member):
            yield from described(f"{name}.{inner}", member, level + 1)


def package(_):
    """The Python package, by what it says of itself."""
    folder = os.path.join(TOP, "analysis")
    if folder not in sys.path:
        sys.path.append(folder)
    saltus = importlib.import_module("saltus")
    parts = [f'<pre class="say" tabindex="0">{escape(inspect.getdoc(saltus))}</pre>']
    for name in saltus.__all__:
        if callable(getattr(saltus, name)):
            parts += described(name, getattr(saltus, name), 3)
    return "".join(parts)


def gallery(site):
    """All pictures of the other pages, each with the command that made it."""
    parts = []
    for picture in sorted(site.pictures, key=lambda picture: (site.texts[picture.page], picture.anchor)):
        code = re.sub(r"\s+#.*$", "", picture.command.strip(), flags=re.M)
        caption = to_html(picture.caption, [])[0].removeprefix("<p>").removesuffix("</p>")
        parts.append(f'<figure class="picture"><a href="{picture.page}.html#{picture.anchor}"><img src="{escape(picture.file)}" alt="{escape(plain(caption))}"></a>'
                     f'<figcaption>{caption} (<a href="{picture.page}.html">{escape(site.texts[picture.page])}</a>)</figcaption>'
                     f'<pre class="code" tabindex="0">{escape(code)}</pre></figure>')
    return f'<div class="gallery">{"".join(parts)}</div>'


MACROS = {"model": model, "models": models, "commands": commands, "theory": theory, "headers": all_headers, "c_header": c_header,
          "package": package, "gallery": gallery}
