"""Runs the programs that are measured, no longer than there is time, and measures their CPU time."""
import os
import resource
import subprocess
import sys

from turns import TimeUp

ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def output(command, left):
    """Runs it and returns its output; left: seconds that it may take (None: any)."""
    words = [str(word) for word in command]
    if left is not None and left <= 0:
        raise TimeUp(words[0])
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=left, env={**os.environ, **ALONE})
    except subprocess.TimeoutExpired as error:
        raise TimeUp(words[0]) from error
    if done.returncode:
        sys.exit(f"{' '.join(words)}\nended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def cpu():
    """CPU seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
