"""Pieces of a web page that needs nothing but itself: no file beside it, no network."""

import base64
import hashlib
import html
import json
import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
SCRIPTS = (
    *("opening.js", "planes.js", "schedule.js", "surrogate.js", "box.js", "confidence.js", "raster.js", "charts.js", "raster_picture.js", "code.js"),
    *("link.js", "f_cost.js", "spread.js", "question.js", "answer.js", "pictures.js", "app.js"),
)

# A page that nothing can be loaded into, and that runs its own script alone, whatever the names in a cube are.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{hash}'"

text = html.escape  # also of quotes


def paragraph(said):
    """A paragraph of plain text."""
    return f"<p>{text(said)}</p>"


def table(head, rows, caption=""):
    """Numbers stand to the right. Cells, head and caption are plain text or numbers."""
    numeric = [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(len(head))]
    kind = [' class="n"' if n else "" for n in numeric]
    parts = ['<div class="wide"><table>']
    if caption:
        parts.append(f"<caption>{text(caption)}</caption>")
    parts.append("<tr>" + "".join(f"<th{k}>{text(h)}</th>" for k, h in zip(kind, head)) + "</tr>")
    for row in rows:
        cells = "".join(f"<td{k}>{text(_show(v))}</td>" for k, v in zip(kind, row))
        parts.append(f"<tr>{cells}</tr>")
    return "\n".join([*parts, "</table></div>"])


def _is_number(value):
    """Also a share, `12 of 96`, or nothing."""
    if isinstance(value, str):
        return re.fullmatch(r"|-?[\d.]+( ± [\d.]+)?( %)?|\d+ of \d+|[\d.]+(e-?\d+)?", value) is not None
    return value is None or isinstance(value, (int, float)) and not isinstance(value, bool)


def _show(value):
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.6g}" if value == round(value) else f"{value:.4g}"


def section(name, title, *parts):
    return f'<section id="{name}"><h2>{text(title)}</h2>\n' + "\n".join(parts) + "\n</section>"


def details(summary, *parts):
    return f"<details><summary>{text(summary)}</summary>\n" + "\n".join(parts) + "\n</details>"


def own(name):
    """The text of a file of the page."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def style(*more):
    """Looks of a page: what all pages share, those of a report, and files of its own."""
    return "".join(map(own, ("common.css", "page.css", *more)))


def embedded(name, data):
    """A block of the page that its script reads: JSON, or text of base 64. Nothing in it is run."""
    if isinstance(data, str):
        return f'<script type="text/plain" id="{name}">{data}</script>'
    said = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{said}</script>'


def _fill(name, parts):
    """A file of the folder with its {{PLACES}} filled."""
    first, *pieces = own(name).rstrip("\n").split("{{")
    return first + "".join(parts[place] + rest for place, rest in (piece.split("}}", 1) for piece in pieces))


def filled(body, scripts, parts):
    """A page: frame.html around a body of the folder, whose {{PLACES}} are filled by parts, which are HTML; `script` is that of the scripts, and
    `policy` allows it alone.
    """
    script = "\n".join(["'use strict';", *map(own, scripts)])
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return _fill("frame.html", {**parts, "body": _fill(body, parts), "policy": POLICY.format(hash=digest), "script": script}) + "\n"


def blocks(data):
    """The embedded blocks, {name: JSON or base 64}, as HTML."""
    return "\n".join(embedded(name, block) for name, block in data.items())


def page(title, opening, sections, data, recommend):
    """sections: [(name, title, HTML)] of the fixed part; data: {name: what is embedded}."""
    parts = {
        "title": f"Which solver? {text(title)}",
        "about": text(title),
        "style": style(),
        "recommend": text(recommend),
        "opening": opening,
        "fixed": "\n".join(section(*one) for one in sections),
        "data": blocks(data),
    }
    return filled("page.html", SCRIPTS, parts)
