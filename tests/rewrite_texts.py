#!/usr/bin/python3
"""rewrite_texts.py FILE..: texts of models and sweeps in words that are no longer read, rewritten in place in today's.

Keys and words alone change; expressions, names of the model's own and comments stay. Recorded trajectories and tasks, which
had lines of words, get their head of YAML and their table. Prints each line that it changes."""

import re
import sys

# Keys at the beginning of a line, in the whole text.
KEYS = {"rest": "equilibrium", "rest_published": "equilibrium_published", "cap": "cutoff", "scouts": "pilots"}
# Below a key of the whole text, by its older name; and words of the `kind` of a contact.
INNER = {"contacts": {"holds": "release"}, "orbit": {"hops": "flights", "flight": "chatter"}, "cap": {"pacemakers": "baselines", "reserve": "second_baselines", "whole": "exempt"},
         "scouts": {"audit": "validation"}}
KINDS = {"stops": "rigid", "yields": "compliant", "grips": "friction", "marks": "surface"}


def rewrite_inner(section, line):
    for old, new in INNER.get(section, {}).items():
        line = re.sub(rf"(^\s+|[{{,]\s*){old}(?=:\s)", rf"\g<1>{new}", line)
    return line if section != "contacts" else re.sub(r"((?:^\s+|[{,]\s*)kind:\s*)(\w+)", lambda found: found[1] + KINDS.get(found[2], found[2]), line)


def mapping(words):
    return "  - {" + ", ".join(word.replace("=", ": ") for word in words) + "}"


def rewrite_recorded(lines):
    """Lines `KEY WORD ..`, `cell I NAME=VALUE ..`, `run KEY=VALUE ..`, and rows `t y ..`, `: t y ..` inside a step."""
    head, lists, cells, runs, rows, select = ["trajectories: 1"], {}, [], [], [], []
    for line in lines:
        key, _, rest = line.strip().partition(" ")
        if key in ("states", "strategies", "rtol"):
            lists[key] = rest.split()
        elif key == "cell":
            cells.append(mapping(rest.split()[1:]))
        elif key == "run":
            runs.append(mapping(rest.split()))
        elif key == "select":
            select.append(f"  {rest}")
        elif key[:1].isdigit() or key[:1] in tuple("+-.:"):
            words = line.replace(":", " ").split()
            rows.append(",".join((str(len(runs)), str(int(":" in line)), *words)))
        elif key and key[0] != "#" and key != "end":
            head.append(f"{key}: {rest}")
    head += ["select: |", *select] if select else []
    head += [f"{key}: [{', '.join(words)}]" for key, words in lists.items()] + ["cells:", *cells]
    if runs:
        head += [f"rows: {len(rows)}", "runs:", *runs, "---", ",".join(("run", "inside", "t", *lists["states"])), *rows]
    return "\n".join(head) + "\n"


def rewrite(text):
    """The text in today's words."""
    if text.lstrip("\ufeff").startswith("saltus-trajectories 1"):
        return rewrite_recorded(text.splitlines()[1:])
    section, lines = "", []
    for line in text.splitlines(keepends=True):
        if found := re.match(r"(\w+)(?=:(\s|$))", line):
            section = found[1]
            line = KEYS.get(section, section) + line[found.end():]
        code, mark, comment = re.match(r"((?:[^#\"']|\"[^\"]*\"|'[^']*'|(?<=\S)#)*)(\s*#)?((?s:.)*)", line).groups(default="")
        lines.append(rewrite_inner(section, code) + mark + comment)
    return "".join(lines)


def main(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        after = rewrite(text)
        for number, (a, b) in enumerate(zip(text.splitlines(), after.splitlines()), 1):
            if a != b:
                print(f"{path}:{number}: {b.strip()}")
        if after != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1:])
