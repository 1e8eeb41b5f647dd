#!/usr/bin/env python3
"""Is what src/answers/answer.def lists the same everywhere: C header, Python package, page, tables of READMEs?

Usage: answer_members.py REPOSITORY [--write]

Parts of files are made from the rows of answer.def; --write makes them anew. A part lies between a line that names answer.def and one that ends it.
"""
import json
import pathlib
import re
import sys

ROW = re.compile(r'^SAL_MEMBER\((\w+), (\w+), (\w+), (\w+), (\w+), (.+), "(.*)"\)$')
UNITS = {"PURE": "1", "ERROR": "that of the error", "WORK": "evaluations of f, or s"}


def rows(root):
    """[(name, of, type, unit, in maps, meaning)] of answer.def."""
    lines = (root / "src/answers/answer.def").read_text().splitlines()
    found = [ROW.match(line) for line in lines if line.startswith("SAL_MEMBER(")]
    if not all(found):
        raise SystemExit("src/answers/answer.def: a row does not read SAL_MEMBER(name, of, type, unit, map, getter, \"meaning\")")
    return [(m[1], m[2], m[3], m[4], m[5] == "true", m[7]) for m in found]


def halves(name, of):
    """Names of the solver and of the strategy of a pair."""
    before = "" if of == "CHOICE" else f"{name}_"
    return f"{before}solver", f"{before}strategy"


def unit_of(of_row):
    """In brackets, where it is not a pure number."""
    return "" if of_row[3] == "PURE" else f" [{UNITS[of_row[3]]}]"


def header(which):
    """Members of a struct of saltus.h."""
    def made(found):
        for row in found:
            name, of, kind, _, _, what = row
            if of != which:
                continue
            said = f"/* {what}{unit_of(row)}; {'NULL' if kind != 'NUMBER' else 'NaN'}: none */" if kind != "REASON" else f"/* {what}, a word */"
            if kind == "PAIR":
                yield f"  const char *{', *'.join(halves(name, of))}; {said}"
            else:
                yield f"  {'double ' if kind == 'NUMBER' else 'const char *'}{name}; {said}"
    return made


def python(which):
    """Fields of a dataclass."""
    def made(found):
        for row in found:
            name, of, kind, _, _, what = row
            if of != which:
                continue
            names, word = (halves(name, of), True) if kind == "PAIR" else ((name,), kind == "REASON")
            for one in names:
                default = "" if of == "CHOICE" else " = None" if word else ' = float("nan")'
                yield f"    {one}: {'str' if word else 'float'}{default}  # {what}{unit_of(row)}"
    return made


def ctypes(which):
    """Fields of a structure."""
    def made(found):
        for name, of, kind, *_ in found:
            if of == which:
                for one in halves(name, of) if kind == "PAIR" else (name,):
                    yield f'    ("{one}", {"c_double" if kind == "NUMBER" else "c_char_p"}),'
    return made


def table(found):
    """All members, with the outputs that have them."""
    yield "| JSON, C, Python | raster file | map of a cube | unit | meaning |"
    yield "|---|---|---|---|---|"
    for row in found:
        name, of, kind, unit, mapped, what = row
        names = halves(name, of) if kind == "PAIR" else (name,)
        number = "_number" if kind != "NUMBER" else ""
        words = ", ".join(f"`{one}`" for one in names)
        files = ", ".join(f"`{one}{number}`" for one in names)
        yield f"| {words} | {files} | {f'`answer_{name}`' if mapped else ''} | {'' if number else UNITS[unit]} | {what} |"


def datasets(found):
    """Datasets of a map."""
    kept = {"PAIR": "uint8, uint16", "NUMBER": "float32", "REASON": "int8"}
    for name, _, kind, _, mapped, what in found:
        if mapped:
            yield f"| `answer_{name}` | cell, error | {kept[kind]} | {what}{'; a number in `pair`' if kind == 'PAIR' else ''} |"


PARTS = (  # file, line that begins the part, line that ends it, what makes it
    ("src/api/saltus.h", "/* Members of a choice, from answers/answer.def: */", "/* End of the members. */", header("CHOICE")),
    ("src/api/saltus.h", "/* Members of an answer beside those of best, from answers/answer.def: */", "/* End of the members. */", header("ANSWER")),
    ("analysis/saltus/_cubes.py", "# Members of a choice, from src/answers/answer.def:", "# End of the members.", python("CHOICE")),
    ("analysis/saltus/_cubes.py", "# Members of an answer, from src/answers/answer.def:", "# End of the members.", python("ANSWER")),
    ("analysis/saltus/_library.py", "# Members of a choice, from src/answers/answer.def:", "# End of the members.", ctypes("CHOICE")),
    ("analysis/saltus/_library.py", "# Members of an answer, from src/answers/answer.def:", "# End of the members.", ctypes("ANSWER")),
    ("src/answers/README.md", "<!-- from answer.def: -->", "<!-- end -->", table),
    ("src/io/README.md", "<!-- from src/answers/answer.def: -->", "<!-- end -->", datasets),
)


SCHEMAS = ("recommend",)  # whose definitions `choice` and `answer` have these members


def definitions(found):
    """choice and answer as JSON Schema, open for what is put beside them."""
    made = {"choice": {}, "answer": {}}
    for row in found:
        name, of, kind, _, _, what = row
        for one in halves(name, of) if kind == "PAIR" else (name,):
            may = ["number" if kind == "NUMBER" else "string", "null"] if kind == "NUMBER" or of == "ANSWER" else "string"
            made["choice" if of == "CHOICE" else "answer"][one] = {"type": may, "description": f"{what}{unit_of(row)}"}
    made = {name: {"type": "object", "properties": members, "required": [*members]} for name, members in made.items()}
    select = {"library": "string", "version": "string", "type": "string", "select": "array"}
    made["answer"]["properties"] |= {name: {"type": [kind, "null"]} for name, kind in select.items()}
    made["answer"] |= {"allOf": [{"$ref": "#/$defs/choice"}], "unevaluatedProperties": False}
    return made


def schemas(root, found, write):
    """Complaints about the definitions in schemas of JSON."""
    wrong = []
    for name in SCHEMAS:
        path = root / f"src/app/schemas/{name}.json"
        schema = json.loads(path.read_text())
        same = {one: schema["$defs"][one] for one in ("choice", "answer")} == definitions(found)
        if not same and write:
            schema["$defs"] |= definitions(found)
            path.write_text(json.dumps(schema, indent=1) + "\n")
        elif not same:
            wrong.append(f"src/app/schemas/{name}.json: choice and answer differ from src/answers/answer.def")
    return wrong


def cut(text, begin, end):
    """(before, part, after) of a text, the part in whole lines; None where it is not there once."""
    start = [m.end() for m in re.finditer(rf"^[ ]*{re.escape(begin)}$\n", text, re.M)]
    if len(start) != 1:
        return None
    after = re.compile(rf"^[ ]*{re.escape(end)}$", re.M).search(text, start[0])
    return after and (text[:start[0]], text[start[0]:after.start()], text[after.start():])


def page(root, found):
    """Complaints about analysis/page: its choices have the members of a choice, in their order."""
    text = (root / "analysis/page/surrogate.js").read_text()
    want = [name for name, of, *_ in found if of == "CHOICE"]
    has = re.search(r"^  choice\(.*?return \{(.*?)\};", text, re.M | re.S)
    names = re.findall(r"^\s*(\w+)[:,]", has[1], re.M) if has else []
    return [] if names == want else [f"analysis/page/surrogate.js: choice() returns {', '.join(names)}; answer.def has {', '.join(want)}"]


def main():
    root, write = pathlib.Path(sys.argv[1]), "--write" in sys.argv
    found, wrong = rows(root), []
    for name, begin, end, made in PARTS:
        path = root / name
        text = path.read_text()
        parts = cut(text, begin, end)
        if not parts:
            wrong.append(f"{name}: no part between '{begin}' and '{end}'")
            continue
        want = "".join(f"{line}\n" for line in made(found))
        same = parts[1].split() == want.split() if name.endswith(".h") else parts[1] == want  # clang-format breaks lines
        if not same and write:
            path.write_text(parts[0] + want + parts[2])
        elif not same:
            wrong.append(f"{name}: the part after '{begin}' differs from src/answers/answer.def; tests/lint/answer_members.py . --write makes it anew")
    wrong += schemas(root, found, write) + page(root, found)
    print("\n".join(wrong) or f"{len(found)} members of an answer, in {len(PARTS)} parts of files and the page")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
