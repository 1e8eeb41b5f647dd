"""A branch of periodic orbits as one web page: the branch, the multipliers of each of its points, and the phase portraits of chosen ones.

A branch file holds states on the section, not orbits: those of special points and of others at even distances are found again by
`saltus orbit` when the page is made, from where they are on the section.
"""

import copy
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import page
from trajectory import pairs, read, thinned
from cube import NotOurs, program
from dallas import unit_of
from drawings import drawn
from motion_data import Columns, contacts_data, events_data, scene_data
from page_data import packed

ORBITS = 60  # that are found again, unless something else is asked for
PARTS = 400  # of a period
ALIKE = 1e-6  # periods of an orbit and of the point that it was looked for at
PORTRAITS = 3
MOST_BYTES = 950_000
FRAMES = 120  # samples of an orbit in motion
SCRIPTS = ("opening.js", "charts.js", "stage.js", "portrait.js", "branch.js")
STAGE = """<svg id="stage" role="img" aria-label="the orbit in motion"></svg>
<div class="controls"><button type="button" id="play" aria-pressed="false">play</button><output id="now"></output></div>"""
COLOURS = {  # of special points, on white and on dark
    "LP": ("#c2410c", "#ff9d5c"), "BP": ("#596069", "#a2a9b2"), "PD": ("#1f5fa8", "#86b9f5"), "TR": ("#8a2a72", "#e58fd0"), "GR": ("#0f766e", "#4fd1c5"),
    "AD": ("#7a6a00", "#d8c64a"), "SP": ("#2f7d32", "#7cc47f"), "CP": ("#1b1e23", "#e9eaec"), "MX": ("#1b1e23", "#e9eaec"), "UZ": ("#596069", "#a2a9b2"),
}


def chosen(branches, most):
    """[(number of the branch, point)]: special points first, then others at even distances along all branches; of too many special ones every so many."""
    special = [(b, i) for b, data in enumerate(branches) for i in np.flatnonzero(data["label"].values)]
    total = sum(data["point"].size for data in branches)
    every = [(b, i) for b, data in enumerate(branches) for i in range(data["point"].size)]
    even = [every[i] for i in np.unique(np.linspace(0, total - 1, max(most - len(special), 0)).round().astype(int))] if most > len(special) else []
    if len(special) > most:
        special = [special[i] for i in np.linspace(0, len(special) - 1, most).round().astype(int)]
    return sorted({(b, int(i)) for b, i in special + even})


def words_of(branch, i):
    """Options of `saltus orbit` for a point of a branch."""
    single = {str(n): branch[n] for n in branch.variables if branch[n].dims == ()}
    given = {}
    for name, value in single.items():
        words = str(value.attrs.get("flag_meanings", "")).split()
        given[name] = words[int(value.values)] if words else repr(float(value.values))
    for name in str(branch.attrs["free_parameters"]).split(","):
        given[name] = repr(float(branch[name].values[i]))
    states = [n.removeprefix("apex_") for n in map(str, branch.data_vars) if n.startswith("apex_")]
    guess = ",".join(f"{n}={float(branch[n].values[i])!r}" for n in states)
    attrs = branch.attrs
    words = ["--param", ",".join(f"{n}={v}" for n, v in given.items()), "--guess", guess, "--returns", str(int(attrs["returns"])),
             "--solver", str(attrs["solver"]), "--strategy", str(attrs["strategy"]), "--rtol", repr(float(attrs["rtol"])), "--atol", repr(float(attrs["atol"]))]
    return words + (["--max-step", repr(float(attrs["max_step"]))] if float(attrs["max_step"]) > 0 else [])


def found_again(saltus, model, branch, i, path):
    """The trajectory of the orbit of a point, or a sentence about why there is none."""
    command = [saltus, "orbit", "--model", model, *words_of(branch, i), "--points", str(PARTS), "-o", path, "-f"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if done.returncode or not os.path.exists(path):
        return "no orbit was found from its state"
    trajectory, period = read(path), float(branch["period"].values[i])
    os.remove(path)
    return trajectory if abs(trajectory.end - period) <= ALIKE * period else "another orbit was found from its state"


def orbits_of(branches, most):
    """{(branch, point): trajectory or sentence}."""
    saltus = program()
    wanted = chosen(branches, most)
    if not wanted:
        return {}
    if not saltus:
        raise NotOurs("no saltus was found to compute the orbits of the page ($SALTUS names one); --orbits 0 does without")
    with tempfile.TemporaryDirectory(prefix="saltus-") as folder:
        models = [_model_of(data, folder, b) for b, data in enumerate(branches)]
        find = lambda at: found_again(saltus, models[at[0]], branches[at[0]], at[1], os.path.join(folder, f"{at[0]}-{at[1]}.h5"))  # noqa: E731
        with ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)))) as pool:
            return dict(zip(wanted, pool.map(find, wanted)))


def _model_of(branch, folder, b):
    """A model's name, or a file of its text."""
    text = str(branch.attrs.get("model_text", ""))
    if not text:
        return str(branch.attrs["model"])
    path = os.path.join(folder, f"model{b}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def quantity_data(branch):
    """Quantities over which a branch can be drawn, {name: [label, values]}."""
    size = np.hypot(branch["multiplier_re"].values, branch["multiplier_im"].values).max(1)
    every = {"period": (f"period {unit_of(branch['period'])}", branch["period"].values), "largest multiplier": ("size of the largest multiplier", size)}
    for name in map(str, branch.data_vars):
        for head, words in (("apex_", "largest"), ("open_", "time open until")):
            if name.startswith(head):
                every[name] = (f"{words} {name.removeprefix(head)} {unit_of(branch[name])}", branch[name].values)
    return every


def point_data(b, branch, stable):
    free = str(branch.attrs["free_parameters"]).split(",")
    number = lambda values: [float(f"{v:.9g}") for v in np.asarray(values, dtype=float).ravel()]  # noqa: E731
    return {
        "curve": str(branch.attrs.get("curve", "branch")), "free": {n: number(branch[n].values) for n in free}, "unit": {n: unit_of(branch[n]) for n in free}, "stable": [bool(s) for s in stable],
        "kind": [str(k) for k in branch["type_name"].values], "label": [int(k) for k in branch["label"].values],
        "reason": [str(r) for r in branch["reason"].values] if "reason" in branch else [""] * branch["point"].size,
        "is": [bool(s) for s in branch["stable"].values], "quantities": {n: [label, number(values)] for n, (label, values) in quantity_data(branch).items()},
        "re": number(branch["multiplier_re"].values), "im": number(branch["multiplier_im"].values), "n": int(branch["point"].size), "m": int(branch["multiplier"].size),
    }


def orbit_data(orbits):
    """The orbits that there are: where each begins in one block of numbers, t and then each shown state."""
    kept = {at: c for at, c in orbits.items() if not isinstance(c, str)}
    if not kept:
        return [], [], np.zeros(0)
    first = next(iter(kept.values()))
    shown = pairs(list(first.state))[:PORTRAITS] or [tuple((list(first.state) * 2)[:2])]
    names = [*dict.fromkeys(n for pair in shown for n in pair)]
    entries, numbers, begin = [], [], 0
    for (b, i), trajectory in kept.items():
        entries.append({"branch": b, "point": i, "from": begin, "n": int(trajectory.t.size), "names": trajectory.event_name[:24]})
        numbers += [trajectory.t, *(trajectory.state[n] for n in names)]
        begin += trajectory.t.size * (1 + len(names))
        moving, columns = in_motion(trajectory)
        if moving:
            entries[-1] |= moving | {"moves": begin}
            numbers += columns
            begin += sum(c.size for c in columns)
    said = lambda n: n + ("" if first.unit[n] == "1" else f" [{first.unit[n]}]")  # noqa: E731
    return entries, [[names.index(a), names.index(c), said(a), said(c)] for a, c in shown], np.concatenate(numbers)


def in_motion(trajectory):
    """({what a page needs to draw the orbit in motion}, [its times, columns of its scene]); None of a model without a drawing."""
    few = thinned(copy.copy(trajectory), FRAMES)
    scene = drawn(few)
    if not scene:
        return None, []
    columns = Columns()
    data = {"notes": scene.notes, "scene": scene_data(scene, columns), "contacts": contacts_data(few, scene), "events": events_data(few), "frames": int(few.t.size)}
    return data, [few.t, *columns.columns]


def fixed_part(branches, orbits, entries, n_point):
    missing = [(at, why) for at, why in orbits.items() if isinstance(why, str)]
    lines = [f"{n_point} points; the orbits of {len(orbits) - len(missing)} of them are in the page, found again by saltus orbit. "
             "At other points the portrait is that of the nearest one that has it."]
    for why in sorted({why for _, why in missing}):
        places = ", ".join(f"{i + 1}" for (_, i), w in missing if w == why)
        lines.append(f"Point{'s' if ',' in places else ''} {places}: {why}.")
    drawn_so = [(e["point"], note) for e in entries for note in e.get("notes", ())]
    if drawn_so:
        lines.append(f"{len(drawn_so)} orbits in motion, such as that of point {drawn_so[0][0] + 1}: {drawn_so[0][1]}")
    first = branches[0].attrs
    lines.append(f"Model {first.get('model', '')}, section {first.get('section', '')}, {first['solver']} with {first['strategy']} at rtol {float(first['rtol']):g}.")
    return page.section("made", "About this branch", "<ul>" + "".join(f"<li>{page.text(line)}</li>" for line in lines) + "</ul>")


def html_of(branches, stability, words, most=ORBITS):
    """stability(branch): is each piece from a point to the next stable; words: {letters of a special point: what they mean}.  Where the page
    would be larger than a megabyte every other orbit is left out."""
    orbits = orbits_of(branches, most)
    while len(text := _filled(branches, stability, words, orbits)) > MOST_BYTES and len(orbits) > 1:
        orbits = dict(list(orbits.items())[::2])
    return text


def _filled(branches, stability, words, orbits):
    entries, shown, numbers = orbit_data(orbits)
    points = [point_data(b, data, stability(data)) for b, data in enumerate(branches)]
    n_point = sum(p["n"] for p in points)
    title = str(branches[0].attrs.get("title", "")) or "a branch"
    meta = {"branches": points, "orbits": entries, "portraits": shown, "colours": COLOURS, "words": words}
    parts = {
        "title": page.text(title), "style": page.style("motion.css"), "fixed": fixed_part(branches, orbits, entries, n_point),
        "stage": STAGE if any("scene" in e for e in entries) else "",
        "portraits": "".join(f'<figure><svg id="portrait{k}" role="img" aria-label="phase portrait"></svg></figure>' for k in range(len(shown))),
        "data": page.blocks({"meta": meta, "numbers": packed(np.asarray(numbers))}),
    }
    return page.filled("branch.html", SCRIPTS, parts)
