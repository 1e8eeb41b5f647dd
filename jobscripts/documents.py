#!/usr/bin/python3
"""documents.py SALTUS OUT: two pages made of the program and its sources, in the folder OUT.

theory.html has every model, solver, strategy and metric: what `saltus list` says of it, where it comes from, and the
formulas that stand at the top of its source. api.html has every header of kernels and src: what it declares, and the
comments. `cmake --build --preset ci --target docs` makes them, in build/ci/docs. It fails where a descriptor has no
source, a file does not say what it is, a comment names what no header declares, or a link leads nowhere.
"""

import html
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STYLE = """body{font:16px/1.5 sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222}
pre{background:#f6f6f4;padding:.6em .8em;overflow-x:auto;font-size:13px;line-height:1.4}
table{border-collapse:collapse;font-size:14px}td,th{padding:.2em .7em .2em 0;text-align:left;vertical-align:top}
.say{white-space:pre-wrap}h2{border-bottom:1px solid #bbb;margin-top:2em}nav{columns:4 12em;font-size:14px}.where{color:#666;font-size:14px}"""
TRAITS = {"implicit": "implicit", "second_order": "for y'' = f(t, y, y') alone", "mass": "solves M y' = f",
          "zone": "asks for a zone (ess.eps)", "fixed_steps": "fixed steps", "held": "holds the mode during a step",
          "resets": "impacts reset the state", "jacobian": "has a Jacobian", "invariant": "has an invariant"}
# Pieces of a header: comments, directives, empty lines, the rest.
TOKEN = re.compile(r"/\*\*.*?\*/|/\*.*?\*/|#[^\n]*(?:\\\n[^\n]*)*|\n[ \t]*\n|[^/#\n]+|.", re.S)


def escape(text):
    return html.escape(str(text), quote=True)


def anchor(*words):
    return re.sub(r"\W+", "-", "-".join(words)).strip("-").lower()


def page(title, parts):
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>saltus: {escape(title)}</title><style>{STYLE}</style>"
            f"<h1>saltus: {escape(title)}</h1>" + "\n".join(parts) + "</html>\n")


def plain(comment):
    """The text of a comment without its stars and its first word @file."""
    text = re.sub(r"^/\*+|\*/$", "", comment)
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in text.split("\n")]
    lines = [line for line in lines if not line.strip().startswith("@file")]
    return "\n".join(lines).strip("\n").rstrip()


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def top_comment(path):
    """What a file says of itself."""
    text = read(path)
    if not (found := re.match(r"\s*/\*\*.*?\*/", text, re.S)) or not plain(found[0].strip()):
        raise SystemExit(f"{path}: no comment at the top says what it is")
    return plain(found[0].strip())


# ---- theory ----


def listed(saltus, what):
    done = subprocess.run([saltus, "list", what, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)[what]


def with_links(text):
    """A source, with its DOIs as links."""
    return re.sub(r"doi:(10\.\d{4,}/[^\s;,]+)", r'<a href="https://doi.org/\1">doi:\1</a>', escape(text))


def table(heads, rows):
    cells = "".join("<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>{cells}</table>" if rows else ""


def order(entry):
    text = f"{entry['least_order']}..{entry['order']}" if entry["least_order"] < entry["order"] else str(entry["order"])
    return f"order {text}" + (f", {entry['dense_order']} between steps" if entry["dense_order"] != entry["order"] else "")


def describe(what, entry):
    """One model, solver or strategy."""
    if not entry.get("source"):
        raise SystemExit(f"{what}: {entry['name']} has no source")
    path = f"kernels/{'methods' if what == 'solvers' else what}/{entry['name'].replace('-', '_')}.c"
    traits = [text for name, text in TRAITS.items() if entry.get(name) is True]
    if what == "solvers":
        traits.insert(0, order(entry))
    yield f"<h3 id={anchor(what, entry['name'])}>{escape(entry['name'])}: {escape(entry['title'])}</h3>"
    yield f"<p>{with_links(entry['source'])}<br><span class=where>{escape('; '.join(traits))}</span></p>"
    if os.path.exists(os.path.join(TOP, path)):
        yield f"<pre>{escape(top_comment(path))}</pre><p class=where>{path}</p>"
    for line in entry.get("select") or ():
        yield f"<pre>{escape(line)}</pre>"
    for name, heads in (("parameters", ("parameter", "what", "unit", "preset", "least", "most")),
                        ("states", ("state", "what", "unit", "preset"))):
        yield table(heads, [[row[key] for key in ("name", *heads[1:])] for row in entry.get(name, ())])
    for option in entry.get("options", ()):
        yield f"<p>{escape(option['name'])} ({escape(' | '.join(option['choices']))}): {escape(option['what'])}</p>"


def theory(saltus):
    parts = ["<p>Made of the descriptors that the program runs by (<code>saltus list</code>) and of the formulas at the top of "
             "their sources. What each word means: README.md.</p>"]
    lists = {what: listed(saltus, what) for what in ("models", "solvers", "strategies")}
    for what, entries in lists.items():
        links = (f"<a href=#{anchor(what, entry['name'])}>{escape(entry['name'])}</a><br>" for entry in entries)
        parts += [f"<h2 id={what}>{what.capitalize()}</h2><nav>{''.join(links)}</nav>"]
        parts += [part for entry in entries for part in describe(what, entry)]
    parts.append("<h2 id=metrics>Metrics</h2>")
    parts.append(table(("metric", "per", "unit", "what"),
                       [[row[key] for key in ("name", "per", "unit", "what")] for row in listed(saltus, "metrics")]))
    return parts


# ---- C ----


def headers():
    for start in ("kernels", "src"):
        for folder, inner, names in sorted(os.walk(os.path.join(TOP, start))):
            inner.sort()
            yield from (os.path.relpath(os.path.join(folder, name), TOP) for name in sorted(names) if name.endswith(".h"))


def declarations(text):
    """(comment, code) of a header, in its order: its guard, its includes and its first comment left out."""
    text = re.sub(r"^\s*/\*\*.*?\*/", "", text, count=1, flags=re.S)
    comment, code, depth = "", "", 0
    for token in TOKEN.findall(text) + ["\n\n"]:
        if token.startswith("#"):
            if not re.match(r"#\s*define\s+(?!SAL_\w+_H$)", token):
                continue
        apart = depth == 0 and (token.startswith("/**") or (not token.strip() and token.count("\n") > 1))
        if apart and code.strip():
            yield comment, code.strip("\n")
        if apart:
            comment, code = (token if token.startswith("/**") else ""), ""
            continue
        if not token.startswith(("#", "/*")):
            depth = max(0, depth + token.count("{") - token.count("}"))
        code += token


def names_of(code):
    """What a piece of code declares: macros, functions, variables, types, constants."""
    code = re.sub(r"/\*.*?\*/", " ", code, flags=re.S)
    code = re.sub(r"\b(?:SAL_FN|SAL_WIDTH)\s*\(\s*(\w+)\s*\)", r"\1", code)
    flat = re.sub(r"\{.*?\}", " ", code, flags=re.S)
    constants = (word for body in re.findall(r"\benum\b[^{};]*\{(.*?)\}", code, re.S) for word in re.findall(r"\bSAL_\w+", body))
    found = [*re.findall(r"#\s*define\s+(\w+)", code), *re.findall(r"\b(sal_\w+)\s*(?=\(|;|\[|=|,|\)\(|__attribute)", flat), *constants,
             *re.findall(r"\}\s*(sal_\w+)", code), *re.findall(r"\b(?:struct|union|enum)\s+(sal_\w+)\s*\{", code)]
    return dict.fromkeys(name for name in found if name.lower().startswith("sal_"))


def linked(text, known, here):
    """Code or a comment in which names lead to where they are declared."""
    return re.sub(r"\b(?:sal|SAL)_\w+", lambda name: f'<a href="#{known[name[0]]}">{name[0]}</a>'
                  if known.get(name[0], here) != here else name[0], escape(text))


def check_comments(path, *comments, known):
    """Ends where a comment names what no header declares; NAME and foo stand for any name."""
    for name in re.findall(r"\bsal_\w+(?![\w*]|_?\.\.)", "\n".join(comments)):
        if name not in known and not re.search("NAME|foo", name):
            raise SystemExit(f"{path}: a comment names {name}, which no header declares")


def api():
    pieces, known = {}, {}
    for path in headers():
        pieces[path] = list(declarations(read(path)))
        for i, (_, code) in enumerate(pieces[path]):
            for name in names_of(code):
                known.setdefault(name, anchor(path, str(i)))
    for path, found in pieces.items():
        check_comments(path, top_comment(path), *(comment for comment, _ in found), known=known)
    links = "".join(f"<a href=#{anchor(path)}>{path}</a><br>" for path in pieces)
    parts = [f"<p>Made of the headers of kernels and src: what they declare, and their comments.</p><nav>{links}</nav>"]
    for path, found in pieces.items():
        parts.append(f"<h2 id={anchor(path)}>{path}</h2><pre>{linked(top_comment(path), known, '')}</pre>")
        for i, (comment, code) in enumerate(found):
            here = anchor(path, str(i))
            said = f"<p class=say>{linked(plain(comment), known, here)}</p>" if comment else ""
            parts.append(f"<div id={here}>{said}<pre>{linked(code, known, here)}</pre></div>")
    return parts


# ---- all of it ----


def check_links(name, text):
    """Ends where a link of the page leads nowhere."""
    ids = re.findall(r"\bid=\"?([\w-]+)", text)
    if len(ids) != len(set(ids)):
        raise SystemExit(f"{name}: several places are called {next(i for i in ids if ids.count(i) > 1)}")
    for link in re.findall(r"href=\"?([^\s\">]+)", text):
        if not (link[1:] in ids if link.startswith("#") else re.fullmatch(r"https://doi\.org/10\.\d{4,}/[^\s\"<>]+", html.unescape(link))):
            raise SystemExit(f"{name}: a link to {link} leads nowhere")


def main(saltus, folder):
    os.makedirs(folder, exist_ok=True)
    for name, title, parts in (("theory.html", "models, solvers, strategies, metrics", theory(saltus)),
                               ("api.html", "headers of kernels and src", api())):
        text = page(title, parts)
        check_links(name, text)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        print(os.path.join(folder, name))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
