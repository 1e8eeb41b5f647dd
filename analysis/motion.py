#!/usr/bin/python3
"""A trajectory or a periodic orbit that moves: one web page that plays, or one SVG, of a file of saltus trajectory or saltus orbit."""

import os

import numpy as np

import motion_svg
import page
import written
from command_line import Parser, run
from trajectory import pairs, read, thinned
from cube import NotOurs
from drawings import drawn
from motion_data import ROWS, Columns, contacts_data, events_data, scene_data
from page_data import packed

EXAMPLES = """\
The model is drawn where it has a drawing (analysis/drawings.py has the table; models of bodies are drawn from
their texts), and its states over time in any case, with the intervals in which contacts are closed and all events.
The page needs no network. An SVG has no script, and moves wherever a picture does.

examples:
  saltus orbit --model monopod --param zeta_F=0.02,zeta_G=-0.05 -o flight.h5
  analysis/motion.py flight.h5 -o flight.html
  analysis/motion.py flight.h5 -o flight.svg --speed 0.5
  saltus trajectory --model sweeps/models/vehicle.yaml --solver rosnys4 --dt 0.01 -o bump.h5
  analysis/motion.py bump.h5 -o bump.html
"""
MOST_BYTES = 950_000
SAMPLES = 1500
SCRIPTS = ("opening.js", "charts.js", "stage.js", "timeline.js", "portrait.js", "motion.js")
STAGE = '<svg id="stage" role="img" aria-label="the model in motion"></svg>'
ORBIT = """<section class="card"><h2>The orbit</h2><div class="pair"><div id="portraits"></div>
<div><svg id="circle" role="img" aria-label="multipliers and the unit circle"></svg><div class="wide" id="multipliers"></div></div></div></section>"""


def arguments(words=None):
    parser = Parser(__doc__, EXAMPLES)
    add = parser.add_argument
    add("file", metavar="FILE.h5", help="a file that saltus trajectory or saltus orbit wrote with -o FILE.h5")
    add("-o", dest="out", metavar="FILE.html", required=True, help="the page, or FILE.svg: a picture that moves by itself")
    add("--svg", action="store_true", help="a picture, whatever the file's name ends with")
    add("--speed", type=float, metavar="S", help="units of time a second in the picture (one period in 4 seconds, a run in 8)")
    add("--samples", type=int, metavar="N", default=SAMPLES, help=f"samples that are kept at most ({SAMPLES})")
    return parser.parse_args(words)


def charts_data(trajectory, columns):
    names = list(trajectory.state)
    if len(names) > ROWS:
        trajectory.notes.append(f"The first {ROWS} of {len(names)} states are shown over time.")
    return [{"name": n, "unit": trajectory.unit[n], "column": columns.put(trajectory.state[n][:, None])} for n in names[:ROWS]]


def data_of(trajectory, scene):
    """{name: what is embedded}."""
    columns = Columns()
    charts = charts_data(trajectory, columns)
    at = [c["name"] for c in charts]
    portraits = [[at.index(a), at.index(b)] for a, b in pairs(at)][:2] if trajectory.period else []
    multipliers = [[float(m.real), float(m.imag)] for m in (trajectory.multipliers if trajectory.multipliers is not None else ())]
    meta = {
        "scene": scene_data(scene, columns) if scene else None, "contacts": contacts_data(trajectory, scene), "events": events_data(trajectory), "charts": charts,
        "portraits": portraits, "multipliers": multipliers, "end": trajectory.end, "period": trajectory.period, "timeUnit": trajectory.time_unit,
    }
    return {"meta": meta, "times": packed(trajectory.t, "<f8"), "numbers": packed(np.stack(columns.columns)) if columns.columns else packed(np.zeros(0))}


def fixed_part(trajectory, scene):
    """The fixed part: what was run, and what is not shown."""
    rows = [(n, v if isinstance(v, str) else float(v), "" if trajectory.unit[n] == "1" else trajectory.unit[n], trajectory.what[n]) for n, v in trajectory.given.items()]
    parts = [page.paragraph(f"{trajectory.made}; {trajectory.rows} rows and {len(trajectory.event_name)} events in the file.")]
    notes = [*dict.fromkeys(trajectory.notes), *(scene.notes if scene else [])]
    if notes:
        parts.append("<ul>" + "".join(f"<li>{page.text(note)}</li>" for note in notes) + "</ul>")
    return page.section("made", "About this run", *parts, page.details("Parameters", page.table(("name", "value", "unit", "meaning"), rows)))


def legend(trajectory):
    names = sorted({n for k, n in enumerate(trajectory.closes) if n and trajectory.closed[:, k].any()})
    return f" What is closed is orange: {', '.join(names)}." if names else ""


def html_of(trajectory, scene, source="FILE.h5"):
    """The page."""
    data = data_of(trajectory, scene)
    kind = f"a periodic orbit, period {trajectory.period:.6g}" if trajectory.period else f"a trajectory of {trajectory.end:.6g}"
    kind += "" if trajectory.time_unit == "1" else f" {trajectory.time_unit}"
    if trajectory.ending:
        kind += f" that failed ({trajectory.ending})"
    parts = {
        "title": page.text(trajectory.title), "kind": page.text(kind),
        "style": page.style("motion.css"), "stage": STAGE if scene else "", "orbit": ORBIT if trajectory.period else "",
        "legend": page.text(legend(trajectory)), "fixed": fixed_part(trajectory, scene), "data": page.blocks(data),
        "command": page.text(f"analysis/motion.py {os.path.basename(source)} -o FILE.svg"),
    }
    return page.filled("motion.html", SCRIPTS, parts)


def checked(args):
    if args.speed is not None and not 0 < args.speed < np.inf:
        raise NotOurs(f"--speed: {args.speed:g} is not allowed; allowed: greater than 0")
    if args.samples < 8:
        raise NotOurs(f"--samples: {args.samples} is not allowed; allowed: 8 or more")
    if not (args.svg or args.out.endswith((".html", ".svg"))):
        raise NotOurs(f"-o {args.out}: the name must end with .html or .svg")


def made(path, svg=False, speed=None, samples=SAMPLES):
    """The text of the page or the picture, with fewer samples where it would be larger than a megabyte."""
    while True:
        trajectory = thinned(read(path), samples)
        scene = drawn(trajectory)
        if svg and not scene:
            raise NotOurs(f"no drawing of the model {trajectory.model or 'of this file'}; allowed for a picture: models of bodies and "
                          f"{', '.join(sorted(known()))}; a page shows any")
        text = motion_svg.svg_of(trajectory, scene, speed) if svg else html_of(trajectory, scene, path)
        if len(text) <= MOST_BYTES or samples < 16:
            return text
        samples = min(int(0.9 * samples * MOST_BYTES / len(text)), trajectory.t.size - 1)


def known():
    import drawings

    return drawings.TABLE


def work(args):
    checked(args)
    svg = args.svg or args.out.endswith(".svg")
    text = made(args.file, svg, args.speed, args.samples)
    os.makedirs(os.path.dirname(args.out) or ".", exist_ok=True)
    written.text(args.out, text)
    print(args.out)


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
