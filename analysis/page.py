"""Pieces of a web page that needs nothing but itself: no script, no file beside it, no network."""

import base64
import html

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.7rem;line-height:1.25}h2{margin-top:2.6rem;border-bottom:1px solid #ddd}
figure{margin:1.6rem 0}img{max-width:100%;height:auto;display:block}
figcaption{font-size:.92rem;color:#444;margin-top:.4rem}
table{border-collapse:collapse;margin:1rem 0;font-size:.92rem}
caption{text-align:left;color:#444;padding:.3rem 0}
th,td{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
pre{background:#f6f6f6;padding:.8rem;overflow-x:auto;font-size:.82rem}
summary{cursor:pointer;margin:.6rem 0}.wide{overflow-x:auto}
nav a{margin-right:1rem}
@media print{details{display:block}body{max-width:none}}
"""

# A page that nothing can be loaded into or run in, whatever the names in a cube are.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

text = html.escape  # also of quotes


def figure(path, title, said=""):
    """A PNG inside the page, with its title in bold and what is said of it below: plain texts."""
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    return (
        f'<figure><img alt="{text(title)}" src="data:image/png;base64,{data}">'
        f"<figcaption><b>{text(title)}.</b> {text(said)}</figcaption></figure>"
    )


def paragraph(said):
    """Of plain text."""
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
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _show(value):
    if value is None:
        return ""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.6g}" if value == round(value) else f"{value:.4g}"


def tree(value, name=""):
    """Anything that JSON can hold as tables: a list of like objects is one, an object is one."""
    if isinstance(value, dict):
        flat = {k: v for k, v in value.items() if not isinstance(v, (dict, list)) or _plain(v)}
        deep = {k: v for k, v in value.items() if k not in flat}
        if deep and not flat and all(_flat(v) for v in deep.values()):  # rows with names
            return _rows([{"": k} | v for k, v in deep.items()], name)
        parts = [_rows([{"": k, "value": v} for k, v in flat.items()], name)] if flat else []
        return "".join(parts + [tree(v, f"{name}: {k}" if name else k) for k, v in deep.items()])
    if isinstance(value, list) and value and all(_flat(v) for v in value):
        return _rows(value, name)
    if isinstance(value, list):
        return "".join(tree(v, f"{name} {i + 1}".strip()) for i, v in enumerate(value))
    return f"<p>{text(name)}: {text(_show(value))}</p>"


def _plain(value):
    """A short list of numbers or words, which fits in a cell."""
    return (
        isinstance(value, list)
        and len(value) < 9
        and not any(isinstance(v, (dict, list)) for v in value)
    )


def _flat(value):
    return isinstance(value, dict) and all(
        not isinstance(v, (dict, list)) or _plain(v) for v in value.values()
    )


def _rows(rows, name):
    head = list(dict.fromkeys(key for row in rows for key in row))
    cells = [
        [", ".join(map(_show, v)) if isinstance(v, list) else v for v in map(row.get, head)]
        for row in rows
    ]
    return table([h.replace("_", " ") for h in head], cells, name.replace("_", " "))


def section(name, title, *parts):
    return f'<section id="{name}"><h2>{text(title)}</h2>\n' + "\n".join(parts) + "\n</section>"


def details(summary, *parts):
    return f"<details><summary>{text(summary)}</summary>\n" + "\n".join(parts) + "\n</details>"


def page(title, sections):
    """sections: [(name, title, HTML)]."""
    links = " ".join(f'<a href="#{name}">{text(heading)}</a>' for name, heading, _ in sections)
    body = "\n".join(section(name, heading, content) for name, heading, content in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{text(title)}</title>'
        f"<style>{STYLE}</style></head>\n"
        f"<body><h1>{text(title)}</h1><nav>{links}</nav>\n{body}\n</body></html>\n"
    )
