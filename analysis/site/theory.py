"""Models, solvers, strategies and metrics as a page: what `saltus list` says of each, where it comes from, and the formulas that
stand at the top of its source. It is Wrong where a descriptor has no source, or a file does not say what it is.
"""

import json
import os
import re
import subprocess

import blocks
from blocks import escape
from headers import anchor, top_comment
from source import Wrong

TRAITS = {"implicit": "implicit", "second_order": "for y'' = f(t, y, y') alone", "mass": "solves M y' = f",
          "zone": "asks for a zone (ess.eps)", "fixed_steps": "fixed steps", "held": "holds the mode during a step",
          "resets": "impacts reset the state", "jacobian": "has a Jacobian", "invariant": "has an invariant"}


def listed(saltus, what):
    done = subprocess.run([saltus, "list", what, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)[what]


def with_links(text):
    """A source, with its DOIs as links."""
    return re.sub(r"doi:(10\.\d{4,}/[^\s;,]+)", r'<a href="https://doi.org/\1">doi:\1</a>', escape(text))


def table(heads, rows):
    cells = "".join("<tr>" + "".join(f"<td>{escape(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<div class=wide tabindex=0><table><tr>{''.join(f'<th>{escape(head)}</th>' for head in heads)}</tr>{cells}</table></div>" if rows else ""


def order(entry):
    text = f"{entry['least_order']}..{entry['order']}" if entry["least_order"] < entry["order"] else str(entry["order"])
    return f"order {text}" + (f", {entry['dense_order']} between steps" if entry["dense_order"] != entry["order"] else "")


def describe(what, entry):
    """One model, solver or strategy."""
    if not entry.get("source"):
        raise Wrong(f"{what}: {entry['name']} has no source")
    path = f"kernels/{'methods' if what == 'solvers' else what}/{entry['name'].replace('-', '_')}.c"
    traits = [text for name, text in TRAITS.items() if entry.get(name) is True]
    if what == "solvers":
        traits.insert(0, order(entry))
    yield f"<h3 id={anchor(what, entry['name'])}>{escape(entry['name'])}: {escape(entry['title'])}</h3>"
    yield f"<p>{with_links(entry['source'])}<br><span class=where>{escape('; '.join(traits))}</span></p>"
    if os.path.exists(os.path.join(blocks.TOP, path)):
        yield f"<pre>{escape(top_comment(path))}</pre><p class=where>{path}</p>"
    for line in entry.get("select") or ():
        yield f"<pre>{escape(line)}</pre>"
    for name, heads in (("parameters", ("parameter", "what", "unit", "preset", "least", "most")),
                        ("states", ("state", "what", "unit", "preset"))):
        yield table(heads, [[row[key] for key in ("name", *heads[1:])] for row in entry.get(name, ())])
    for option in entry.get("options", ()):
        yield f"<p>{escape(option['name'])} ({escape(' | '.join(option['choices']))}): {escape(option['what'])}</p>"


def theory(saltus):
    parts = ["<p>Made of the descriptors that the program runs by (<code>saltus list</code>) and of the formulas at the top of "
             "their sources. <a href=words.html>What each word means</a>.</p>"]
    lists = {what: listed(saltus, what) for what in ("models", "solvers", "strategies")}
    for what, entries in lists.items():
        links = (f"<a href=#{anchor(what, entry['name'])}>{escape(entry['name'])}</a><br>" for entry in entries)
        parts += [f"<h2 id={what}>{what.capitalize()}</h2><nav class=many>{''.join(links)}</nav>"]
        parts += [part for entry in entries for part in describe(what, entry)]
    parts.append("<h2 id=metrics>Metrics</h2>")
    parts.append(table(("metric", "per", "unit", "what"),
                       [[row[key] for key in ("name", "per", "unit", "what")] for row in listed(saltus, "metrics")]))
    return parts
