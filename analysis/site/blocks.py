"""Blocks of a page, run in its folder or checked where they cannot be, as Markdown for Sphinx."""

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys

from source import RUN, wrong

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONGEST = 3600  # [s] of a block: it only ends what hangs
LINKED = ("analysis", "jobscripts", "kernels", "src", "sweeps", "README.md")  # a page's folder looks like a checkout
# The line of a script that failed, for the message.
TRAP = "trap 'echo $LINENO >\"$SITE_FAILED\"' ERR\n"


def cut(text, options):
    """The part of an output that a page shows; what is left out is said."""
    lines = text.rstrip("\n").split("\n")
    head, tail = options.get("head"), options.get("tail")
    if head is None and tail is None or len(lines) <= (head or 0) + (tail or 0) + 1:
        return "\n".join(lines)
    left = f"... {len(lines) - (head or 0) - (tail or 0)} more lines"
    return "\n".join([*lines[: head or 0], left, *(lines[-tail:] if tail else [])])


def fence(info, body, *options):
    """A fenced block that holds any text."""
    ticks = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", body))])
    return "\n".join(["", ticks + info, *options, *[""] * bool(options), body.rstrip("\n"), ticks, ""])


def code(language, text, *options):
    return fence(f"{{code-block}} {language}", text, *options)


def shown(block, output=None):
    """A block, and what it printed."""
    options = [f":caption: {block.options['file']}"] if "file" in block.options else []
    text = code(block.language, block.text, *options, *[":class: run"] * (output is not None))
    said = cut(output, block.options) if output and not block.options.get("silent") else ""
    return text + (code("text", said, ":class: said") if said.strip() else "")


class Folder:
    """Where the blocks of one page are run: a folder of its own that looks like a checkout with a built program."""

    def __init__(self, path, saltus, slurm=False):
        self.path, self.saltus, self.slurm = path, saltus, slurm
        os.makedirs(os.path.join(path, "results"))
        os.makedirs(os.path.join(path, ".bin"))
        for name in LINKED:
            os.symlink(os.path.join(TOP, name), os.path.join(path, name))
        os.symlink(saltus, os.path.join(path, ".bin", "saltus"))
        self.environment = {
            **os.environ, "HOME": path, "SALTUS": saltus, "PYTHONPATH": os.path.join(TOP, "analysis"), "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": os.pathsep.join([os.path.join(path, ".bin"), os.path.dirname(sys.executable), os.environ["PATH"]]),
            "LC_ALL": "C.UTF-8", "COLUMNS": "100", "TMPDIR": path, "SALTUS_CACHE": os.path.join(path, ".cache"),
        }
        self.environment["SALTUS_LIBRARY"] = os.path.join(os.path.dirname(saltus), "libsaltus.so")

    def markdown_of(self, source, block):
        """Runs, writes or checks a block."""
        options = block.options
        if options.get("elsewhere") or options.get("slurm") and not self.slurm:
            check(source.path, block, self.saltus)
            return shown(block)
        if "file" in options:
            where = os.path.join(self.path, options["file"])
            os.makedirs(os.path.dirname(where), exist_ok=True)
            with open(where, "w", encoding="utf-8") as file:
                file.write(block.text)
        if block.language not in RUN or "file" in options:
            return shown(block)
        return shown(block, self.run(source, block))

    def run(self, source, block):
        """Runs a block and returns its output; Wrong where it ends with another status than expected."""
        command = ["bash", "-Eeuo", "pipefail", "-c", TRAP + block.text] if block.language == "sh" else [sys.executable, "-c", block.text]
        failed = os.path.join(self.path, ".failed")
        try:
            done = subprocess.run(command, cwd=self.path, env={**self.environment, "SITE_FAILED": failed}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise wrong(source.path, block.line, f"this block has not ended after {LONGEST} s") from None
        expected = block.options.get("ends", 0)
        if done.returncode != expected:
            line = block.line + line_that_failed(failed)
            last = "\n  ".join(done.stdout.strip().split("\n")[-6:])
            raise wrong(source.path, line, f"ends with {done.returncode}, expected is {expected}:\n  {last}")
        return done.stdout.replace(self.path, "~/saltus")  # as which the folder is shown


def line_that_failed(path):
    """Number of the line of a block that failed, from 1; 0 where the shell has not printed it."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read()) - 1  # the first line is the trap's
    except OSError:
        return 0


# ---- blocks that are not run here ----


@functools.lru_cache(maxsize=None)
def help_of(*command):
    """Help text of a program."""
    done = subprocess.run([*command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr if done.returncode == 0 else ""


@functools.lru_cache(maxsize=None)
def commands(saltus):
    return tuple(name for name in re.findall(r"^  ([a-z-]+) ", help_of(saltus, "--help"), re.M) if name != "saltus")  # as examples begin


def commands_of(text):
    """The simple commands of a script as lists of words, each with the line it begins on; words that are expanded are left as they are."""
    joined = re.sub(r"\\\n", "  ", text)
    for number, line in enumerate(joined.split("\n"), 1):
        lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split, words = True, []
        try:
            tokens = list(lexer)
        except ValueError:  # a text in quotes over several lines
            continue
        for token in [*tokens, ";"]:
            if re.fullmatch(r"[();<>|&]+", token):
                if words:
                    yield number, words
                words = []
            else:
                words.append(token)


def complaints(saltus, words):
    """Errors of one command: files of the checkout that are not there, options that its help does not have."""
    for word in words:
        for path in re.findall(r"(?:^|=)((?:analysis|jobscripts|sweeps|kernels|src|tests)/[\w./-]+)$", word):
            if not os.path.exists(os.path.join(TOP, path)):
                yield f"{path} is not there"
    at = next((i for i, word in enumerate(words) if word == "saltus" or word.endswith("/saltus")), None)
    options = {word.split("=")[0] for word in words if re.match(r"--[a-z]", word)}
    if at is not None and at + 1 < len(words) and re.fullmatch(r"[a-z][a-z-]*", words[at + 1]):
        name = words[at + 1]
        if name not in (*commands(saltus), "help"):
            yield f"saltus has no command {name}"
            return
        known = help_of(saltus, "help", name) + help_of(saltus, name, "--help")
        options = {word.split("=")[0] for word in words[at + 2 :] if re.match(r"--[a-z]", word)} if name != "help" else set()
    elif re.match(r"(jobscripts|analysis)/[\w-]+\.(sh|py)$", words[0]):
        name, known = words[0], help_of(os.path.join(TOP, words[0]), "--help")
    elif words[0] == "sbatch" and shutil.which("sbatch") and (known := help_of("sbatch", "--help")):  # which some say only where a cluster is
        name, options = "sbatch", {word.split("=")[0] for word in words[1:] if re.match(r"--[a-z]", word)}
    else:
        return
    yield from (f"{name} has no option {option}" for option in sorted(options) if not re.search(rf"(?<![\w-]){option}(?![\w-])", known))


def check(path, block, saltus):
    """A block that is not run here: its syntax, its commands, their options, the files that it names."""
    if block.language == "python":
        try:
            compile(block.text, path, "exec")
        except SyntaxError as why:
            raise wrong(path, block.line + (why.lineno or 0), f"no Python: {why.msg}") from None
        return
    done = subprocess.run(["bash", "-n", "-c", block.text], capture_output=True, text=True)
    if done.returncode:
        raise wrong(path, block.line, f"no shell script: {done.stderr.strip()}")
    for line, words in commands_of(block.text):
        for complaint in complaints(saltus, words):
            raise wrong(path, block.line + line, complaint)
