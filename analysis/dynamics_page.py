"""A plane of long runs as a web page: a click on a cell shows its motion beside it, as `motion.py` shows a trajectory.

The plane is cut into tiles; the cell in the middle of each is integrated again by `saltus trajectory`, from its last stored visit where
the cube has all states of it, as the runs from visit to visit began, else from its initial state.  The page has no script: tiles are links into a frame.
"""

import base64
import io
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import yaml

import motion
import page
import written
from cube import NotOurs, program
from style import plt

VISITS = 8  # that a run from a stored visit takes; from an initial state five times as many
SAMPLES = 240  # of a run on its page
SIDE = 560  # of the plane [px]
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src 'self' file:"


def tiles(shape, most):
    """[(rows, columns)] of slices that cover a plane [up][across], about as many along each side in proportion to its cells."""
    up, across = shape
    columns = min(across, most, max(1, round((most * across / up) ** 0.5)))
    rows = min(up, max(1, most // columns))
    cut = lambda n, parts: [slice(n * k // parts, n * (k + 1) // parts) for k in range(parts)]  # noqa: E731
    return [(r, c) for r in cut(up, rows) for c in cut(across, columns)]


def given(cell, names):
    """NAME=VALUE,.. of a cell, of those of the names that it has."""
    values = {n: cell[n] for n in names if n in cell.coords}
    return ",".join(f"{n}={_value(v)}" for n, v in values.items())


def _value(value):
    words = str(value.attrs.get("flag_meanings", "")).split()
    return words[int(value.values)] if words else repr(float(value.values)) if value.dtype.kind == "f" else str(value.values)


def start_of(cube, cell):
    """(NAME=VALUE,.. of the state that a run of the cell begins from, its end)."""
    states = str(cube.attrs["states"]).split()
    time = float(cell["visits_time"].values) / max(float(cell["visits"].values), 1)
    stored = [str(s) for s in cube["section_state"].values] if "section" in cube else []
    if set(stored) == set(states) and np.isfinite(cell["section"].values).all():
        return ",".join(f"{s}={float(cell['section'].sel(section_state=s).values[-1])!r}" for s in states), VISITS * time
    initial = {s: cell[n] for s in states for n in (s, f"initial_{s}") if n in cell.coords}
    return ",".join(f"{s}={_value(v)}" for s, v in initial.items()), 5 * VISITS * time if np.isfinite(time) and time > 0 else float(cube.attrs["t_end"])


def page_of(cube, cell, model, path):
    """The page of a cell's motion, or a sentence about why there is none."""
    initial, end = start_of(cube, cell)
    param = given(cell, str(cube.attrs["parameters"]).split())
    words = ["--param", param] if param else []
    command = [program(), "trajectory", "--model", model, *words, *(["--initial", initial] if initial else []), "--t-end", repr(end), "--solver", "dop853", "--rtol", "1e-9",
               "-o", path + ".h5", "-f"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if not os.path.exists(path + ".h5"):
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no run"
    written.text(path, motion.made(path + ".h5", samples=SAMPLES))
    os.remove(path + ".h5")
    return None


def picture(colours):
    """The plane [up][across] of colours, a pixel a cell, as a data URI."""
    rgb = np.array([[plt.matplotlib.colors.to_rgb(c) for c in row] for row in colours[::-1]])
    data = io.BytesIO()
    plt.imsave(data, rgb, format="png")
    return "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()


def legend(kind, colours):
    """The kinds with their colours, the most frequent first."""
    names, first, count = np.unique(kind.ravel().astype(str), return_index=True, return_counts=True)
    marks = [f'<span style="background: {colours.ravel()[first[i]]}">&emsp;</span> {page.text(names[i])} {count[i] / kind.size:.1%}' for i in np.argsort(-count)]
    return "<p>" + ", ".join(marks) + "</p>"


def html_of(title, words, kind, colours, parts, links, said):
    """parts: tiles; links [tile]: a page or None; said [tile]: what is shown over it."""
    up, across = colours.shape
    height = max(40, min(SIDE, round(SIDE * up / across)))
    marks = []
    for (r, c), link, name in zip(parts, links, said):
        box = (f'<rect x="{c.start / across * SIDE:.2f}" y="{(up - r.stop) / up * height:.2f}" width="{(c.stop - c.start) / across * SIDE:.2f}" '
               f'height="{(r.stop - r.start) / up * height:.2f}" fill="transparent" stroke="#8884"><title>{page.text(name)}</title></rect>')
        marks.append(f'<a href="{page.text(link)}" target="motion">{box}</a>' if link else box)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            f"<title>{page.text(title)}</title><style>{page.style()} iframe {{ border: 0; width: 100%; height: 90vh }}</style></head>\n<body><main>"
            f"<h1>{page.text(title)}</h1>{page.paragraph(words)}{legend(kind, colours)}"
            f'<svg width="{SIDE}" height="{height}" role="img" aria-label="plane of cells"><image href="{picture(colours)}" width="{SIDE}" height="{height}" '
            f'preserveAspectRatio="none" style="image-rendering: pixelated"/>{"".join(marks)}</svg>\n<iframe name="motion" title="motion of a cell"></iframe></main></body></html>\n')


def write(path, cube, plane, kind, colours, most):
    """The page at path, and the pages of at most so many cells in the folder beside it.  plane [up][across], with its kinds and colours."""
    if not program():
        raise NotOurs("no saltus was found to integrate the cells of the page ($SALTUS names one)")
    folder = os.path.splitext(path)[0]
    os.makedirs(folder, exist_ok=True)
    across, up = (plane.sizes[d] for d in plane["visits_verdict"].dims[::-1])
    parts = tiles((up, across), most)
    cells = [plane.isel({plane["visits_verdict"].dims[0]: (r.start + r.stop - 1) // 2, plane["visits_verdict"].dims[1]: (c.start + c.stop - 1) // 2}) for r, c in parts]
    names = [f"{i + 1}.html" for i in range(len(parts))]
    text = yaml.safe_load(str(cube.attrs["sweep"])).get("model_text")
    with tempfile.TemporaryDirectory(prefix="saltus-") as place:
        model = str(cube.attrs["model"])
        if text:
            model = os.path.join(place, "model.yaml")
            written.text(model, text)
        with ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)))) as pool:
            flaws = list(pool.map(lambda at: page_of(cube, at[0], model, os.path.join(folder, at[1])), zip(cells, names)))
    said = [f"{given(cell, str(cube.attrs['axes']).split())}: {kind[(r.start + r.stop - 1) // 2, (c.start + c.stop - 1) // 2]}" + (f"; {flaw}" if flaw else "")
            for cell, (r, c), flaw in zip(cells, parts, flaws)]
    links = [None if flaw else f"{os.path.basename(folder)}/{name}" for name, flaw in zip(names, flaws)]
    words = f"{len(parts) - sum(f is not None for f in flaws)} cells, one of each frame; a click shows its motion. Across {plane['visits_verdict'].dims[1]}, up {plane['visits_verdict'].dims[0]}."
    written.text(path, html_of(str(cube.attrs.get("title", "")) or "long runs", words, kind, colours, parts, links, said))
