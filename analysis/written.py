"""Files that are whole under their name, whatever happens meanwhile: written beside it, brought to the disk, renamed."""

import contextlib
import os
import shutil


@contextlib.contextmanager
def beside(path):
    """The name of a file of the same kind that is to be written in the block, and that replaces `path` after it; `path` stays as it is where the
    block fails."""
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device, which cannot be replaced
        yield path
        return
    target = os.path.realpath(path)
    stem, kind = os.path.splitext(target)
    part = f"{stem}.{os.getpid()}.part{kind}"
    try:
        yield part
        if os.path.exists(target):
            shutil.copymode(target, part)
        _sync(part)
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)
        raise
    _sync(os.path.dirname(target))


PICTURES = (".png", ".pdf", ".svg")


def place(out, name, kind=".png", alone=False):
    """Path of a picture, or of a file of another kind, called `name` in the folder `out`, which is made.  Where `out` is FILE.pdf, FILE.svg or FILE.png pictures are
    of that kind: FILE itself where the picture is `alone`, else FILE-NAME beside it."""
    stem, picture = os.path.splitext(out)
    if picture not in PICTURES:
        os.makedirs(out, exist_ok=True)
        return os.path.join(out, name + kind)
    os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
    kind = picture if kind in PICTURES else kind
    return stem + kind if alone else f"{stem}-{name}{kind}"


def text(path, content):
    """Writes a text, in UTF-8."""
    with beside(path) as part, open(part, "w", encoding="utf-8") as file:
        file.write(content)


def figure(drawn, path):
    """Writes a figure of matplotlib."""
    with beside(path) as part:
        drawn.savefig(part)


def _sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
