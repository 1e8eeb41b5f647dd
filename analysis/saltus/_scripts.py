"""The scripts of analysis/ as modules of this process.

They import each other by plain names, such as `page`, which may be names of the user's modules, too: theirs are in sys.modules
only while one of them is at work.
"""

import contextlib
import importlib
import os
import sys
import threading

from . import _find, errors

_ours, _lock = {}, threading.RLock()


@contextlib.contextmanager
def loaded(*names):
    """The modules of those names, of which functions may be called inside the block; what they refuse is an InvalidError."""
    with _lock:
        folder = _find.scripts()
        every = {name[:-3] for name in os.listdir(folder) if name.endswith(".py")}
        kept = {name: sys.modules.pop(name) for name in every & {*sys.modules}}
        sys.modules.update(_ours)
        sys.path.insert(0, folder)
        os.environ.setdefault("SALTUS", _program())
        try:
            yield [importlib.import_module(name) for name in names]
        except SystemExit:  # which its parser has explained
            raise errors.InvalidError("an option of the script is not valid; stderr names it") from None
        except Exception as why:
            if type(why).__name__ == "NotOurs":
                raise errors.InvalidError(str(why)) from None
            raise
        finally:
            sys.path.remove(folder)
            _ours.update({name: sys.modules.pop(name) for name in every & {*sys.modules}})
            sys.modules.update(kept)


def write(path, text):
    """Writes a text, whole or not at all."""
    with loaded("written") as (written,):
        written.text(path, text)


def _program():
    try:
        return _find.program()
    except FileNotFoundError:
        return ""


def main():
    """The console command `saltus-analysis SCRIPT ..`: a script of analysis/, by its name without .py."""
    folder = _find.scripts()
    names = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".py") and _is_script(os.path.join(folder, name)))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"usage: saltus-analysis SCRIPT ..; allowed: {', '.join(names)}")
    script = os.path.join(folder, sys.argv[1] + ".py")
    os.environ.setdefault("SALTUS", _program())
    os.execv(sys.executable, [sys.executable, script, *sys.argv[2:]])


def _is_script(path):
    with open(path, encoding="utf-8") as file:
        return file.readline().startswith("#!")
