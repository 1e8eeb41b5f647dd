#!/usr/bin/python3
"""words.py SOURCE_DIR [--all]: comments, messages, help texts and READMEs use plain standard English.

tests/lint/words.txt lists the words to do without, and what to write in their place; SENTENCES are rules of sentences: the first
word names a thing, "is not a" stands for "is no", and data and code neither speak nor know. Names of variables, files and
functions are free, and so is what stands between backquotes, and the tables of words of the README at the top and of the site.
--all: in all folders, in those of the list that the rule does not hold in yet as well.
"""

import collections
import io
import os
import re
import sys
import tokenize

FOLDERS = ("kernels", "src", "analysis", "jobscripts", "sweeps", "tests")
LISTS = ("tests/lint/words.py", "tests/lint/words.txt", "tests/lint/selftest.sh", "tests/data", "CHANGELOG.md")  # hold the words as words
# Comments and strings of C and JavaScript; a character constant is neither.
C_TEXT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|`(?:\\.|[^`\\])*`", re.S)
GLOSSARY = re.compile(r"^##? Words\n.*?(?=^## |\Z)", re.S | re.M)
GLOSSARIES = ("README.md", "analysis/site/pages/words.md")

# A sentence begins a comment, a docstring, a string of its own (no continuation), a line of Markdown or a table's cell, or follows the end of another one.
BEGIN = r"(?:(?:^|(?<=[.!?:] )|(?<=[.!?]  )|(?<=/\* )|(?<=/\*\* )|(?<=# )|(?<=// )|(?<=\"\"\")|(?<=\| )|(?<=- ))"
# A string that continues no other one: the code before it ends with one of these. Names of tests are free.
STRINGS = re.compile(r"[(,={\[?:]\s*[frb]?\"(?:[Ww]hat|[Ww]ho|[Tt]hose|[Ww]hoever|Of) \w[^\"?\n]*\"")
SENTENCES = (
    (re.compile(BEGIN + r"(?:What|Of|Those|That which|Who|Whoever))\b(?! course\b)(?![^.|\n]*\?)", re.M), "the name of the thing"),
    (re.compile(r"\b(?:is|are|was|were|be|being) no(?= )(?! (?:longer|more|less|larger|smaller|later|worse|better|wider|faster|slower|tighter|looser|earlier)\b)"), "is not a, has no"),
    (re.compile(r"\b(?:tells?|told|telling|untold)\b"), "prints, reports, returns, stores"),
    (re.compile(r"\b(?:says|knows|knew|asks|believes?|believed|hears?|heard|learns?|learnt|learned|meets|stands? still|keeps? (?:its|their) promises?)\b"),
     "the field's verb: states, has, requests, validates, reads, fits, reaches, is fixed"),
)

Rules = collections.namedtuple("Rules", "words allowed rooms")


def pattern(phrase):
    """A regular expression for whole words, over the ends of lines and what begins a line of a comment."""
    words = (re.escape(word).replace(r"\*", r"\w*") for word in phrase.split())
    return r"(?<![\w.-])" + r"[\s*/#\"\\]+".join(words) + r"(?!\w)"


def read_list(path):
    """What the list says: [(how a word begins, what finds it, what to write)], allowed phrases, rooms to come."""
    words, allowed, rooms = [], [], []
    with open(path, encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line.startswith("+ "):
                allowed.append(pattern(line[2:]))
            elif line.startswith("! "):
                rooms.append(line[2:].rstrip("/") + "/")
            elif line and not line.startswith("#"):
                word, _, instead = line.partition(" -> ")
                if not instead:
                    sys.exit(f"{path}: {line}: expected: word -> what to write")
                words.append((word.split()[0].rstrip("*").lower(), re.compile(pattern(word), re.I), instead))
    if not words:
        sys.exit(f"{path}: no word")
    return Rules(words, re.compile("|".join(allowed) or "(?!)", re.I), tuple(rooms))


def blank(text):
    """As many lines, without anything on them."""
    return re.sub(r"[^\n]", " ", text)


def keep(text, found):
    """What `found` finds in a text, at its place; the rest is blank."""
    parts, end = [], 0
    for match in found.finditer(text):
        parts += [blank(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join(parts) + blank(text[end:])


def of_python(text):
    """Comments and strings of Python."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    parts, end = [], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            a, b = (starts[row - 1] + column for row, column in (token.start, token.end))
            told = text[a:b]
            if re.match(r"[rR]?[fF]", told):  # what stands between braces is code
                told = re.sub(r"\{[^{}]*\}", lambda code: blank(code[0]), told)
            parts += [blank(text[end:a]), told]
            end = b
    return "".join(parts) + blank(text[end:])


def prose(path, text):
    """The words that people read, each at its place in the text."""
    if path.endswith((".c", ".h", ".def", ".in", ".js", ".css")):
        text = keep(text, C_TEXT)
        return re.sub(r"\$\{[^{}]*\}", lambda code: blank(code[0]), text) if path.endswith(".js") else text
    if path.endswith(".py"):
        return of_python(text)
    if path.endswith(".md"):
        text = re.sub(r"```.*?```|`[^`\n]*`", lambda code: blank(code[0]), text, flags=re.S)
        return GLOSSARY.sub(lambda words: blank(words[0]), text) if path in GLOSSARIES else text
    return text


def files(top):
    for name in sorted(os.listdir(top)):
        if os.path.isfile(os.path.join(top, name)) and name != ".git" and not name.startswith(LISTS):
            yield name
    for start in FOLDERS:
        for folder, inner, names in sorted(os.walk(os.path.join(top, start))):
            inner[:] = [name for name in inner if name not in ("__pycache__", "corpus")]
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), top)
                if not path.startswith(LISTS) and re.search(r"\.(c|h|def|in|js|css|py|md|sh|awk|cmake|txt|yaml|html|sbatch|m)$", path):
                    yield path


def places(text, rules):
    """(where, the words there, what to write in their place)"""
    small = text.lower()
    for start, found, instead in rules.words:
        at = small.find(start)
        while at >= 0:
            if match := found.match(text, at):
                yield at, " ".join(re.findall(r"[\w-]+", match[0])), instead
            at = small.find(start, at + 1)


def complaints(path, text, rules):
    for match in () if path.startswith("tests/") else STRINGS.finditer(text):
        yield f"{path}:{text.count(chr(10), 0, match.end()) + 1}: '{match[0][-40:]}'; write: the name of the thing"
    text = rules.allowed.sub(lambda phrase: blank(phrase[0]), prose(path, text))
    for at, word, instead in sorted(places(text, rules)):
        yield f"{path}:{text.count(chr(10), 0, at) + 1}: '{word}'; write: {instead}"
    for rule, instead in SENTENCES:
        for match in rule.finditer(text):
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: '{match[0][:40]}'; write: {instead}"


def main(top, everywhere):
    here = os.path.dirname(os.path.abspath(__file__))
    rules = read_list(os.path.join(here, "words.txt"))
    looked, wrong = 0, []
    for path in files(top):
        if path.startswith(rules.rooms) and not everywhere:
            continue
        with open(os.path.join(top, path), encoding="utf-8") as file:
            try:
                text = file.read()
            except UnicodeDecodeError:
                continue
        looked += 1
        wrong += complaints(path, text, rules)
    if not looked:
        sys.exit(f"no file under {top}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--all"]):
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(sys.argv[1], bool(sys.argv[2:])))
