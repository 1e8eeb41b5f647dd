"""Headers as a page: what each declares, and its comments; names lead to where they are declared.

It is Wrong where a file does not say what it is, or a comment names what no header declares.
"""

import os
import re
import textwrap
from html import escape

import blocks
from source import Wrong

# Pieces of a header: comments, directives, empty lines, the rest.
TOKEN = re.compile(r"/\*\*.*?\*/|/\*.*?\*/|#[^\n]*(?:\\\n[^\n]*)*|\n[ \t]*\n|[^/#\n]+|.", re.S)


def anchor(*words):
    return re.sub(r"\W+", "-", "-".join(words)).strip("-").lower()


def plain(comment):
    """The text of a comment without its stars."""
    text = re.sub(r"^/\*+|\*/$", "", comment)
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip() for line in text.split("\n")]
    return textwrap.dedent("\n".join(lines)).strip("\n").rstrip()


def read(path):
    with open(os.path.join(blocks.TOP, path), encoding="utf-8") as file:
        return file.read()


def top_comment(path):
    """The comment at the top of a file."""
    text = read(path)
    if not (found := re.match(r"\s*/\*\*.*?\*/", text, re.S)) or not plain(found[0].strip()):
        raise Wrong(f"{path}: no comment at the top describes it")
    return plain(found[0].strip())


def header_files():
    for start in ("kernels", "src"):
        for folder, inner, names in sorted(os.walk(os.path.join(blocks.TOP, start))):
            inner.sort()
            yield from (os.path.relpath(os.path.join(folder, name), blocks.TOP) for name in sorted(names) if name.endswith(".h"))


def declarations(text):
    """(comment, code) of a header, in its order: its guard, its includes and its first comment left out."""
    text = re.sub(r"^\s*/\*\*.*?\*/", "", text, count=1, flags=re.S)
    comment, code, depth = "", "", 0
    for token in TOKEN.findall(text) + ["\n\n"]:
        if token.startswith("#"):
            if not re.match(r"#\s*define\s+(?!SALTUS_H$)", token):
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
    """Names that a piece of code declares: macros, functions, variables, types, constants."""
    code = re.sub(r"/\*.*?\*/", " ", code, flags=re.S)
    code = re.sub(r"\b(?:SAL_FN|SAL_WIDTH)\s*\(\s*(\w+)\s*\)", r"\1", code)
    flat = re.sub(r"\{.*?\}", " ", code, flags=re.S)
    constants = (word for body in re.findall(r"\benum\b[^{};]*\{(.*?)\}", code, re.S) for word in re.findall(r"\bSAL(?:TUS)?_\w+", body))
    found = [*re.findall(r"#\s*define\s+(\w+)", code), *re.findall(r"\b(sal(?:tus)?_\w+)\s*(?=\(|;|\[|=|,|\)\(|__attribute)", flat), *constants,
             *re.findall(r"\}\s*(sal(?:tus)?_\w+)", code), *re.findall(r"\b(?:struct|union|enum)\s+(sal(?:tus)?_\w+)\s*\{", code)]
    return dict.fromkeys(name for name in found if name.lower().startswith(("sal_", "saltus_")))


def linked(text, known, here):
    """Code or a comment in which names lead to where they are declared."""
    return re.sub(r"\b(?:sal|SAL)(?:tus|TUS)?_\w+", lambda name: f'<a href="#{known[name[0]]}">{name[0]}</a>'
                  if known.get(name[0], here) != here else name[0], escape(text))


def check_comments(path, *comments, known):
    """Ends where a comment names what no header declares; NAME and foo stand for any name."""
    for name in re.findall(r"\bsal_\w+(?![\w*]|_?\.\.)", "\n".join(comments)):
        if name not in known and not re.search("NAME|foo", name):
            raise Wrong(f"{path}: a comment names {name}, which no header declares")


def headers():
    pieces, known = {}, {}
    for path in header_files():
        pieces[path] = list(declarations(read(path)))
        for i, (_, code) in enumerate(pieces[path]):
            for name in names_of(code):
                known.setdefault(name, anchor(path, str(i)))
    for path, found in pieces.items():
        check_comments(path, top_comment(path), *(comment for comment, _ in found), known=known)
    links = "".join(f"<a href=#{anchor(path)}>{path}</a><br>" for path in pieces)
    parts = [f"<p>Made of the headers of kernels and src: what they declare, and their comments.</p><nav class=many>{links}</nav>"]
    for path, found in pieces.items():
        parts += [f"<h2 id={anchor(path)}>{path}</h2>", *described(path, found, known)]
    return parts


def described(path, found, known):
    """The comment at the top of a header, then its declarations, each with its comment."""
    yield f"<pre tabindex=0>{linked(top_comment(path), known, '')}</pre>"
    for i, (comment, code) in enumerate(found):
        here = anchor(path, str(i))
        said = f"<p class=say>{linked(plain(comment), known, here)}</p>" if comment else ""
        yield f"<div id={here}>{said}<pre tabindex=0>{linked(code, known, here)}</pre></div>"
