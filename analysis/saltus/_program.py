"""The program from Python: sweeps with a bar of progress, and its command of the same name."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from typing import Any

from . import _arguments, _find, errors


MOST_RANKS = 2**31 - 1


def command(*args: Any, **more: Any) -> str:
    """Runs `saltus ARGS`; returns what it prints, or raises with its message."""
    done = subprocess.run([_find.checked(_find.program()), *map(os.fspath, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", **more)
    if done.returncode:
        raise errors.of(done.returncode, said(done.stderr) or f"saltus {args[0]} ended with {done.returncode}")
    return done.stdout


def said(stderr):
    """The message of a command that failed, without its name."""
    lines = [line for line in stderr.splitlines() if line.startswith("saltus")]
    return lines[-1].partition(": ")[2] if lines else stderr.strip()


class Bar:
    """A line on a stream that rewrites itself, made of lines of JSON of `saltus run --status`; on none where that is not a terminal."""

    def __init__(self, stream):
        self.stream, self.shown = stream, False

    def update(self, status):
        done, cells, left = status.get("done", 0), status.get("cells") or 1, status.get("seconds_left")
        bar = ("#" * int(24 * done / cells)).ljust(24)
        tail = "" if left is None else f"  {left:.0f} s left"
        self.stream.write(f"\r[{bar}] {done}/{cells} cells{tail}\x1b[K")
        self.stream.flush()
        self.shown = True

    def close(self):
        if self.shown:
            self.stream.write("\n")


def _last(path):
    """The newest whole line of a file of JSON lines."""
    try:
        lines = path.read_text().splitlines()
        return json.loads(lines[-1]) if lines else None
    except (OSError, ValueError):  # not there yet, or in the middle of a line
        return None


def run(sweep, out, *, set=None, ranks=None, force=False, progress=None, map=True):
    """Runs a sweep (its file) into a cube, `out`, and opens that (saltus.open).

    set: {"t_end": 20, ..}, keys that replace those of the file.  ranks: under mpirun, so many; None: one process with all threads.
    progress: a function that gets the newest status, a dict, now and then; None: a bar where stderr is a terminal, or Jupyter's;
    False: none.  Ctrl-C stops the run, and the same call goes on with it.
    """
    bar = Bar(sys.stderr) if progress is None and (sys.stderr.isatty() or "ipykernel" in sys.modules) else None
    report = bar.update if bar else progress or (lambda status: None)
    start = ["mpirun", "-n", str(_arguments.whole("ranks", ranks, least=1, most=MOST_RANKS))] if ranks is not None else []
    sweep, out = _arguments.path_word("sweep", sweep), _arguments.path_word("out", out)
    words = [word for key, value in (set or {}).items() for word in ("--set", f"{key}={_yaml(value)}")]
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
        status = pathlib.Path(folder) / "status"
        line = [*start, _find.checked(_find.program()), "run", sweep, "-o", out, "-q", "--status", os.fspath(status), "--every", "0.5",
                *words, *(["-f"] if force else []), *([] if map else ["--no-map"])]
        messages = pathlib.Path(folder) / "messages"
        with open(messages, "wb") as stderr:
            process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        try:
            _wait(process, status, report)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            if bar:
                bar.close()
        message = messages.read_text(errors="replace")
    if process.returncode:
        raise errors.of(process.returncode, said(message))
    from . import _cubes

    return _cubes.open(out)


def _wait(process, status, report):
    reported = None
    while process.poll() is None:
        time.sleep(0.05)
        if (now := _last(status)) and now != reported:
            report(reported := now)
    if (now := _last(status)) and now != reported:
        report(now)


def _yaml(value):
    return value if isinstance(value, str) else json.dumps(value)


def main():
    """The console command `saltus`: the program that the package brought."""
    try:
        path = _find.program()
    except FileNotFoundError as why:
        sys.exit(f"saltus: {why}")
    os.execv(path, ["saltus", *sys.argv[1:]])
