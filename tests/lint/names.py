#!/usr/bin/python3
"""names.py SOURCE_DIR [BUILD_DIR]: what may be called how.

1. A symbol that a library of ours exports is `sal_` and the noun of its file: after `sal_` it begins with the first word
   of the name of the file that defines it, or with all its words written as one. Singular and plural are the same word,
   and the suffix of the lane width (_w1, _w4, _w8) is not part of a name. journal_scan.c: sal_journal_open; axes.c:
   sal_axis_points. REGISTRIES and VOCABULARY list the exceptions.
2. A name that begins with sal_ or SAL_ has one meaning: no two headers declare it, and no type is called as a function.
   A forward declaration of a structure is not a second meaning.
3. The first word of enumeration constants (SAL_LOSS of SAL_LOSS_TAIL) belongs to headers of one noun.
"""

import collections
import os
import re
import subprocess
import sys

# File (a pattern for its path below the build's folders) and the symbols that it may export beside its own: what the
# .def lists make, and the functions that find things in those lists.
REGISTRIES = (
    (r"registry", r"sal_(model|method|strateg|metric|outcome|cell_metric).*"),
    (r"strategies/\w+", r"sal_strategy_\w+"),
)
# Called on nearly every page: words of the project's own C.
VOCABULARY = {"sal_alloc", "sal_free", "sal_fail"}
# First words of constants that say what kind of number they are.
COMMON = {"MAX", "N"}
WIDTH = re.compile(r"_w[0-9]+$")
KEYWORDS = {"struct", "union", "enum", "const", "static", "inline", "extern", "typedef", "void", "return", "sizeof"}


def forms(word):
    """A word as singular and as plural might be."""
    found = {word}
    for plural, singular in (("s", ""), ("es", ""), ("es", "is"), ("ies", "y")):
        if word.endswith(plural):
            found.add(word[: -len(plural)] + singular)
    return found


def names_its_file(symbol, stem):
    words, first = stem.split("_"), WIDTH.sub("", symbol).removeprefix("sal_").split("_")[0]
    return any(forms(first) & forms(noun) for noun in (words[0], "".join(words)))


def exported(build):
    """(file without .c, below the folder of its target; symbol) of everything that the libraries export."""
    libraries = [
        os.path.join(folder, name)
        for top in ("kernels", "src")
        for folder, _, names in os.walk(os.path.join(build, top))
        for name in names
        if name.endswith(".a")
    ]
    if not libraries:
        sys.exit(f"no library under {build}: build first")
    told = subprocess.run(["nm", "-AP", "-g", "--defined-only", *libraries], check=True, capture_output=True, text=True)
    for line in told.stdout.splitlines():
        place, symbol, kind = line.split()[:3]
        member = re.search(r"\[(.*)\.c\.o\]:$", place)
        if member and kind.isupper() and symbol.startswith("sal_"):  # symbols.sh looks at the others
            yield member[1], symbol


def sources(top):
    """Paths of all C files and headers of ours."""
    for start in ("kernels", "src"):
        for folder, _, names in sorted(os.walk(os.path.join(top, start))):
            yield from (os.path.relpath(os.path.join(folder, n), top) for n in sorted(names) if re.search(r"\.(c|h|h\.in)$", n))


def check_exports(top, build):
    """Complaints about symbols."""
    paths = collections.defaultdict(list)
    for path in sources(top):
        if path.endswith(".c"):
            paths[os.path.basename(path)[:-2]].append(path)
    for stem, symbol in sorted({(stem, WIDTH.sub("", symbol)) for stem, symbol in exported(build)}):
        candidates = paths[stem] or [stem + ".c"]
        if names_its_file(symbol, stem) or symbol in VOCABULARY:
            continue
        if any(re.search(f"(^|/){file}.c$", path) and re.fullmatch(name, symbol) for path in candidates for file, name in REGISTRIES):
            continue
        yield f"{' or '.join(candidates)}: exports {symbol}, which does not begin with sal_{stem.split('_')[0]}"


def plain(text):
    """C without comments and strings; lines that a backslash joins are one."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\])*"', '""', text)


def statements(text):
    """Declarations at the top level: (what stands before braces and after them, what the first braces hold)."""
    depth, head, body, seen = 0, "", "", False
    for char in text:
        if char == "{":
            depth += 1
            if depth == 1:
                continue
        elif char == "}":
            depth -= 1
            if depth == 0:
                if re.search(r"\)\s*$", head):  # the body of a function
                    yield head, ""
                    head, body = "", ""
                else:
                    head, seen = head + " {} ", True
                continue
        elif char == ";" and depth == 0:
            yield head, body
            head, body, seen = "", "", False
            continue
        if depth == 0:
            head += char
        elif not seen:
            body += char


def declared(text):
    """(name, kind) of all that a header declares. Kinds: macro, type, tag, forward, function, variable, constant."""
    text = plain(text)
    dropped = set(re.findall(r"(?m)^\s*#\s*undef\s+(\w+)", text))  # meant for this header only
    for name in re.findall(r"(?m)^\s*#\s*define\s+(\w+)", text):
        if name not in dropped:
            yield name, "macro"
    text = re.sub(r"(?m)^\s*#.*$", "", text)
    text = re.sub(r"\b(?:SAL_FN|SAL_WIDTH)\s*\(\s*(\w+)\s*\)", r"\1", text)
    for head, body in statements(text):
        head = head.strip()
        tag = re.search(r"\b(struct|union|enum)\s+(\w+)\s*\{\}", head)
        if tag:
            yield tag[2], "tag"
        if re.search(r"\benum\b[^{]*\{\}", head):
            yield from ((name, "constant") for name in re.findall(r"(?:^|,)\s*(\w+)", body))
        words = head.split()
        if not words:
            continue
        if words[0] == "typedef":
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", head)
            name = pointer or re.search(r"(\w+)\s*(?:\[[^]]*\]|__attribute__\s*\(\(.*\)\))*\s*$", head) or re.search(r"(\w+)\s*\(", head)
            forward = re.fullmatch(r"typedef (?:struct|union) (\w+) (\w+)", " ".join(words))
            if name:
                yield name[1], "forward" if forward and forward[1] == forward[2] else "type"
        elif re.fullmatch(r"(struct|union|enum)\s+\w+", head):
            yield words[1], "forward"
        elif call := re.search(r"(\w+)\s*\(", head):
            if call[1] not in KEYWORDS:
                yield call[1], "function"
        elif "{}" not in words and (name := re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", head)):
            yield name[1], "variable"


def check_prefixes(found):
    """Complaints about constants of two headers that begin with the same word; found[name][path] are kinds."""
    used = collections.defaultdict(dict)
    for name, where in sorted(found.items()):
        for path, kinds in where.items():
            prefix = name.split("_")[1]
            if "constant" in kinds and prefix not in COMMON:
                used[prefix].setdefault(os.path.basename(path).split(".")[0].split("_")[0], (path, name))
    for prefix, where in sorted(used.items()):
        if len(where) > 1:
            told = ", ".join(f"{path} ({name})" for path, name in sorted(where.values()))
            yield f"{min(where.values())[0]}: constants SAL_{prefix}_.. have several meanings: {told}"


def check_meanings(top):
    """Complaints about names that two headers declare, or that are a type and something else."""
    found = collections.defaultdict(dict)
    for path in sources(top):
        if path.endswith((".h", ".h.in")):
            with open(os.path.join(top, path), encoding="utf-8") as file:
                for name, kind in declared(file.read()):
                    if name.startswith(("sal_", "SAL_")):
                        found[name].setdefault(path, set()).add(kind)
    if not found:
        sys.exit(f"no header under {top}")
    yield from check_prefixes(found)
    for name, where in sorted(found.items()):
        meant = {path: kinds - {"forward"} for path, kinds in where.items() if kinds - {"forward"}}
        kinds = set().union(*where.values())
        if len(meant) > 1:
            told = ", ".join(f"{path} ({', '.join(sorted(kinds))})" for path, kinds in sorted(meant.items()))
            yield f"{sorted(meant)[0]}: {name} has several meanings: {told}"
        elif kinds & {"type", "tag", "forward"} and kinds & {"function", "macro", "constant", "variable"}:
            yield f"{sorted(where)[0]}: {name} is a type and a {', a '.join(sorted(kinds - {'type', 'tag', 'forward'}))}"


def main(top, build=None):
    complaints = [*check_meanings(top), *(check_exports(top, build) if build else [])]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
