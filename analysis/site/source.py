"""A page as it is written: Markdown whose fenced blocks are run.

    ```sh head=20          run by bash in the folder of the page; what it prints follows, its first 20 lines
    ```python              run by this Python
    ```yaml file=mine.yaml written to a file there, which later blocks use; so is any other language
    ```text                shown as it is
    ```sh elsewhere        not run, as it needs root, a network or another machine: its syntax, commands, options and files are checked
    ```sh slurm            run where a SLURM is (build.py --slurm), else checked likewise

More words of `sh` and `python`: tail=N, silent (prints nothing worth a line), ends=N (the exit status that is expected).
A line {{NAME words}} is filled in by the builder (filled.py). An image on a line of its own is a picture with its caption; a block whose
language is in braces, ```{toctree}, is a directive of Sphinx.
"""

import collections
import re

from sphinx.errors import SphinxError

RUN = ("sh", "python")
FLAGS = ("elsewhere", "slurm", "silent")
NUMBERS = ("head", "tail", "ends")

Block = collections.namedtuple("Block", "line language options text")
Text = collections.namedtuple("Text", "line text")
Source = collections.namedtuple("Source", "name path title pieces")


class Wrong(SphinxError):
    """Something in a page or in the whole site: one line with the place, the error, and the allowed values."""

    category = "page"


def wrong(path, line, message):
    return Wrong(f"{path}:{line}: {message}")


def options_of(path, line, language, words):
    """{word: value} of what follows the language of a block."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if name == "file" and value and language not in ("sh", "text") and not value.startswith(("/", "..")):
            found[name] = value
        elif language in RUN and name in FLAGS and not equals:
            found[name] = True
        elif language in RUN and name in NUMBERS and value.isdigit():
            found[name] = int(value)
        else:
            allowed = ", ".join((*FLAGS, *(f"{n}=N" for n in NUMBERS)) if language in RUN else ("file=NAME",))
            raise wrong(path, line, f"'{word}' of a block of {language or 'no language'}; allowed: {allowed}")
    return found


def pieces_of(path, text):
    """Texts and blocks, in their order."""
    pieces, kept, block, begins = [], [], None, 1
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"\s*```(.*)$", line)
        if block is None and fence:
            if line[0] != "`" or not fence[1].split():
                raise wrong(path, number, "a block begins at the margin, with its language: ```sh, ```python, ```yaml, ```text")
            pieces.append(Text(begins, "\n".join(kept)))
            language, *words = fence[1].split()
            options = {} if language.startswith("{") else options_of(path, number, language, words)
            block, kept = (number, fence[1] if language.startswith("{") else language, options), []
        elif block is not None and line.rstrip() == "```":
            pieces.append(Block(*block, "\n".join(kept) + "\n"))
            block, kept, begins = None, [], number + 1
        else:
            kept.append(line)
    if block is not None:
        raise wrong(path, block[0], "this block has no end, a line ```")
    return [*pieces, Text(begins, "\n".join(kept))]


def parse(name, path, text):
    """A page; `path` is what messages call it."""
    title = re.match(r"# +(\S.*)\n", text)
    if not title:
        raise wrong(path, 1, "a page begins with its title, # TITLE")
    return Source(name, path, title[1].strip(), pieces_of(path, text))
