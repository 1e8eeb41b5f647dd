#!/usr/bin/python3
"""readmes.py SOURCE_DIR: READMEs and folders say the same.

1. A file that a README names between backquotes is there: below its folder, or by its path from the folder or the top.
2. Each source file of src, kernels, analysis and jobscripts is named by the nearest README above it: by its name or its
   path, by the name without an ending (`reader`, `reader.*`: reader.c and reader.h), by that of its source (`reader.c` names
   reader.h, too), or by a pattern (`surrogate_*`, `ode23{,t,tb}.c`); a folder (`page/`) names what is in it.
"""

import fnmatch
import os
import re
import sys

SOURCES = r"\.(c|h|def|py|js|css|html|m|sh|sbatch|awk|in)$"  # files that rule 2 requires
NAMED = r"\.(c|h|def|py|js|css|m|sh|sbatch|awk|cmake|table|md|svg|in)$"  # what rule 1 takes for a file
ROOMS = ("src", "kernels", "analysis", "jobscripts")
PAGES = "analysis/site/pages/"  # whose links lead into the site, which checks them
FREE = r"NAME|[A-Z]{3,}|<|\.\.\."  # a name to be put in


def walk(top):
    """All files of ours, as paths from the top."""
    for folder, inner, names in os.walk(top):
        inner[:] = [n for n in inner if n not in (".git", "build", "results", "__pycache__")]
        yield from (os.path.relpath(os.path.join(folder, name), top) for name in names)


def spread(word):
    """The words that braces stand for."""
    braces = re.search(r"\{([^{}]*)\}", word)
    if not braces:
        return [word]
    return [one for part in braces[1].split(",") for one in spread(word[: braces.start()] + part.strip() + word[braces.end() :])]


def named(text):
    """(line, word) of all words between backquotes, and of all links."""
    for number, line in enumerate(text.splitlines(), 1):
        for quoted in re.findall(r"`([^`]+)`", line):
            for word in re.sub(r"\{[^{}]*\}", lambda braces: braces[0].replace(" ", ""), quoted).split():
                yield from ((number, one.rstrip(",;:").removeprefix("./")) for one in spread(word))
        yield from ((number, link) for link in re.findall(r"\]\(([^)#:]+)\)", line))


def is_there(word, folder, files):
    """Is there a file that the word names, in a README of that folder?"""
    path = os.path.normpath(os.path.join(folder, word))
    below = folder + "/" if folder else ""
    return any(
        fnmatch.fnmatch(file, path) or fnmatch.fnmatch(file, word) or (file.startswith(below) and fnmatch.fnmatch(file, "*/" + word))
        for file in files
    )


def names_it(word, file):
    """Does a word of a README name that file, a path from the README's folder?"""
    for path in (file, os.path.basename(file)):
        stem = os.path.splitext(path)[0]
        if path == word or stem == word or fnmatch.fnmatch(path, word) or fnmatch.fnmatch(stem, word):
            return True
        if path.endswith(".h") and fnmatch.fnmatch(stem + ".c", word):
            return True
    return word.endswith("/") and file.startswith(word)


def check_names(readme, text, files):
    for line, word in named(text):
        if re.search(NAMED, word) and not re.search(FREE, word) and not is_there(word, os.path.dirname(readme), files):
            yield f"{readme}:{line}: {word}: no such file below {os.path.dirname(readme) or 'the top'}, nor with that path"


def check_rooms(readmes, files):
    words = {readme: {word for _, word in named(text)} for readme, text in readmes.items()}
    for file in sorted(files):
        if not file.startswith(tuple(room + "/" for room in ROOMS)) or not re.search(SOURCES, file):
            continue
        folder = os.path.dirname(file)
        while folder and os.path.join(folder, "README.md") not in readmes:
            folder = os.path.dirname(folder)
        readme = os.path.join(folder, "README.md")
        inner = os.path.relpath(file, folder or ".")
        if not any(names_it(word, inner) for word in words.get(readme, ())):
            yield f"{file}: {readme} does not name it"


def main(top):
    files = sorted(walk(top))
    readmes = {}
    for file in files:
        if file.endswith(".md") and not file.startswith(PAGES):
            with open(os.path.join(top, file), encoding="utf-8") as text:
                readmes[file] = text.read()
    if not readmes:
        sys.exit(f"no README under {top}")
    wrong = [told for readme, text in readmes.items() for told in check_names(readme, text, files)]
    wrong += check_rooms(readmes, files)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(sys.argv[1]))
