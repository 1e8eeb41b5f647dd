"""Texts for the lines {{NAME words}} of a page: lists, helps and texts of the program and of its sources, as Markdown."""

import json
import os
import re

import blocks
import formulas
import headers
from blocks import TOP, code, fence
from source import Wrong

MODELS = os.path.join("sweeps", "models")
TRAITS = {"implicit": "implicit", "second_order": "for y'' = f(t, y, y') alone", "mass": "solves M y' = f",
          "zone": "needs a zone (ess.eps)", "fixed_steps": "fixed steps", "held": "holds the mode during a step",
          "resets": "impacts reset the state", "jacobian": "has a Jacobian", "invariant": "has an invariant"}
DOI = r"10\.\d{4,}/[^\s;,]+"


def plain(text):
    """A text that Markdown takes as it stands, its DOIs as links."""
    def one(found):
        return found["code"] or (f"[doi:{found['doi']}](https://doi.org/{found['doi']})" if found["doi"] else "\\" + found[0])

    return re.sub(rf"(?P<code>`[^`\n]+`)|doi:(?P<doi>{DOI})|[\\`*_{{}}\[\]<>#|$~]", one, str(text))


def rst(lines):
    """Lines of a plain text as reStructuredText: what is indented is code, `name: ..` begins a line."""
    made, in_code = [], False
    for line in lines:
        is_code = line.startswith("    ") or in_code and not line.strip()
        if is_code and not in_code:
            made += ["", "::", ""]
        escaped = re.sub(r"([\\`*_|])", r"\\\1", line)
        begins = not made or not made[-1].startswith(("| ", "  ")) or re.match(r"[\w., ]{1,60}(?: \[[^\]]*\])?: ", line)
        made.append(line if is_code else "" if not line.strip() else ("| " if begins else "  ") + escaped.strip())
        if not is_code and in_code:
            made.insert(-1, "")
        in_code = is_code
    return [*made, ""]


def place(page, file):
    """The name of a picture's place in its page, as docutils leaves it."""
    return re.sub(r"[\W_]+", "-", f"{page}-{os.path.basename(file)}").lower()


def figure(caption, file, *options):
    alt = re.sub(r"<[^>]*>|[`*]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", caption))
    return fence(f"{{figure}} {file}", caption, *options, f":alt: {json.dumps(alt)}")


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *([plain(value) for value in row] for row in rows)]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n" if rows else ""


def quantities(entry, *more):
    """Tables of parameters and states."""
    for name, heads in (("parameters", ("parameter", "what", "unit", "preset", *more)), ("states", ("state", "what", "unit", "preset"))):
        yield table(heads, [[row[key] for key in ("name", *heads[1:])] for row in entry.get(name, ())])


def leads(site, page, text, target):
    return f"[{text}]({target})" if site.is_there(page) else text


def model(site, name, *files):
    """Description of a model: one of the program, by its name, or one in a file of sweeps/models; `files` are the same model as text."""
    path = os.path.join(MODELS, name)
    in_file = name.endswith(".yaml")
    entry = next(iter(site.listed("models", os.path.join(TOP, path)).values())) if in_file else site.listed("models")[name]
    links = [f"[{path}]({site.repository(path)})"] if in_file else [leads(site, "theory", "equations", f"models-{name}")]
    links += [f"[as a text]({site.repository(os.path.join(MODELS, file))})" for file in files]
    return "\n".join([f"\n**{plain(entry['title'])}**\n", plain(entry["source"]), "", ", ".join(links), "\n<details><summary>parameters and states</summary>\n",
                      *quantities(entry), "</details>\n"])


def models(site):
    """All pages of models, each with its first paragraph; Wrong where a model of the program or a file has none."""
    whole, rows, names = "", [], []
    for name, path in sorted(site.sources.items()):
        if os.path.basename(os.path.dirname(path)) != "models":
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        whole += text
        names += [name] * site.is_there(name)
        title, first = re.match(r"# +(.*?)\n\s*((?:[^\n{]+\n)+)", text).groups()
        first = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(first.split()))
        rows.append(f"- {leads(site, name, title, name + '.md')}: {first}")
    files = [file for file in sorted(os.listdir(os.path.join(TOP, MODELS))) if file.endswith(".yaml")]
    named = {word for line in re.findall(r"^\{\{model (.*)\}\}", whole, re.M) for word in line.split()}
    if lost := [name for name in [*site.listed("models"), *files] if name not in named]:
        raise Wrong(f"no page of a model has {{{{model {lost[0]}}}}}")
    return "\n".join(rows) + "\n" + fence("{toctree}", "\n".join(names), ":hidden:")


def commands(site):
    """Every command, with its help."""
    groups = re.findall(r"^(\S[^\n]*)\n((?:  [a-z-]+ [^\n]*\n)+)", blocks.help_of(site.saltus, "--help"), re.M)
    parts, below = [], []
    for title, rows in groups:
        found = [row for row in re.findall(r"^  ([a-z-]+) +(.*)$", rows, re.M) if row[0] in blocks.commands(site.saltus)]
        if found:
            rows = "".join(f"| [`{name}`](command-{name}) | {plain(what)} |\n" for name, what in found)
            parts.append(f"\n## {plain(title)}\n\n| command | |\n|---|---|\n{rows}\n")
            below += [f"(command-{name})=\n\n## saltus {name}\n" + code("text", blocks.help_of(site.saltus, "help", name).strip()) for name, _ in found]
    return "\n".join(parts + below)


def comment(text):
    """The comment at the top of a source: paragraphs, and blocks that are set in, as formulas where they are such."""
    for lines in (part.split("\n") for part in re.split(r"\n(?:[ \t]*\n)+", text)):
        while lines:
            inside = bool(re.match(r" {2,}\S", lines[0]))
            end = next((i for i, line in enumerate(lines) if bool(re.match(r" {2,}\S", line)) != inside), len(lines))
            taken, lines = lines[:end], lines[end:]
            if not inside:
                yield plain("\n".join(taken)) + "\n"
            elif formulas.is_formula(taken):
                yield fence("{math}", formulas.block(taken))
            else:
                yield code("text", "\n".join(taken))


def order(entry):
    text = f"{entry['least_order']}..{entry['order']}" if entry["least_order"] < entry["order"] else str(entry["order"])
    return f"order {text}" + (f", {entry['dense_order']} between steps" if entry["dense_order"] != entry["order"] else "")


def describe(what, entry):
    """One model, solver or strategy."""
    if not entry.get("source"):
        raise Wrong(f"{what}: {entry['name']} has no source")
    path = f"kernels/{'methods' if what == 'solvers' else what}/{entry['name'].replace('-', '_')}.c"
    traits = ([order(entry)] if what == "solvers" else []) + [text for name, text in TRAITS.items() if entry.get(name) is True]
    yield f"({what}-{entry['name']})=\n\n### {entry['name']}: {plain(entry['title'])}\n\n{plain(entry['source'])}\n\n*{plain('; '.join(traits))}*\n" .replace("\n**\n", "\n")
    if os.path.exists(os.path.join(TOP, path)):
        yield from comment(headers.top_comment(path))
        yield f"`{path}`\n"
    for line in entry.get("select") or ():
        yield code("text", line)
    yield from quantities(entry, "least", "most")
    for option in entry.get("options", ()):
        yield f"{plain(option['name'])} ({plain(' | '.join(option['choices']))}): {plain(option['what'])}\n"


def theory(site):
    """Models, solvers, strategies and metrics: the output of `saltus list` for each, and the formulas at the top of its source."""
    parts = []
    for what in ("models", "solvers", "strategies"):
        parts.append(f"## {what.capitalize()}\n")
        parts += [part for entry in site.listed(what).values() for part in describe(what, entry)]
    rows = [[row[key] for key in ("name", "per", "unit", "what")] for row in site.listed("metrics").values()]
    return "\n".join([*parts, "## Metrics\n", table(("metric", "per", "unit", "what"), rows)])


def all_headers(_):
    return fence("{raw} html", "\n".join(headers.headers()))


def c_header(_):
    """The header of the C library, as declarations for Sphinx."""
    path = "src/api/saltus.h"
    parts = [plain(headers.top_comment(path)) + "\n"]
    for said, declared in headers.declarations(re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", headers.read(path), flags=re.S)):
        text = plain(headers.plain(said)) if said else ""
        declared = re.sub(r"^/\*.*?\*/\s*$", "", declared.replace("SALTUS_CALL ", ""), flags=re.M).strip()
        if not declared or declared.startswith("#"):
            continue
        for piece in re.findall(r"(?:[^;{}]|\{.*?\n?\})+;", declared, re.S):
            parts.append(declaration(" ".join(piece.split()), piece.strip(), text))
            text = ""
    return "\n".join(parts)


def declaration(flat, text, said):
    """One of C: a structure or an enumeration with its text, whose constants can be found, too; a type; a function."""
    if body := re.match(r"(?:typedef )?(struct|enum) ?\w* ?\{(.*)\} ?(\w*);$", flat):
        kind, inner, name = body.groups()
        inner = re.sub(r"/\*.*?\*/", "", inner)
        below = [fence("{c:enumerator} " + constant.strip(), "") for constant in inner.split(",") if constant.strip()] if kind == "enum" else []
        if not name:
            return said + "\n" + "".join(below)
        return fence(f"{{c:{kind}}} {name}", "\n".join([said, "", code("c", text), *below]))
    if declared := re.match(r"typedef struct (\w+) \1;$", flat):
        return fence(f"{{c:type}} {declared[1]}", said)
    return fence("{c:function} " + flat.rstrip(";"), said)


def package(_):
    """The Python package, by its docstrings."""
    return fence("{eval-rst}", ".. automodule:: saltus\n   :members:")


def gallery(site):
    """All pictures of the other pages, each with the command that made it."""
    parts = []
    for page, file, caption, command in sorted(site.pictures, key=lambda picture: (site.titles[picture[0]], picture[1])):
        parts.append(figure(f"{caption} ([{site.titles[page]}]({page}.md))", file, f":target: {page}.html#{place(page, file)}"))
        parts.append(code("sh", re.sub(r"\s+#.*$", "", command.strip(), flags=re.M), ":class: run") if command.strip() else "")
    return "\n".join(parts)


MACROS = {"model": model, "models": models, "commands": commands, "theory": theory, "headers": all_headers, "c_header": c_header,
          "package": package, "gallery": gallery}
