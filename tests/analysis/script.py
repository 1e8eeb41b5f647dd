"""Runs a script of analysis/ as a user does.

The first run of each that draws is a process of its own, from the first line of the script on.  The others
are forks of the test, which has loaded Matplotlib, pandas and xarray already, and draw blank pictures where
no test looks at them: both take longer than all the rest.
"""

import importlib
import os
import runpy
import subprocess
import sys
import tempfile
import traceback

import matplotlib.image
import numpy as np

for module in ("matplotlib.pyplot", "pandas", "xarray", "h5netcdf"):
    importlib.import_module(module)
started = set()


def _save_blank(figure, path, **_):
    matplotlib.image.imsave(path, np.ones((1, 1, 3)))


def _exit_code(script, arguments):
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _fork(script, arguments, drawn):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                if not drawn:
                    matplotlib.figure.Figure.savefig = _save_blank
                code = _exit_code(script, arguments)
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return subprocess.CompletedProcess([script, *arguments], status, *texts)


def run(script, *arguments, drawn=True):
    """A subprocess.CompletedProcess with its exit code, stdout and stderr as text; drawn: are the pictures
    looked at, or may they be blank?
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if script in started or not drawn:
        return _fork(script, arguments, drawn)
    started.add(script)
    return subprocess.run(
        [script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
    )
