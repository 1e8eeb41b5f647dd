"""Figures of regret at fresh points (`regret.py`) as a part of a page: one picture and one table."""

import math

import page
from cube import NotOurs

COLUMNS = (  # of a rule: key, head, factor of a percentage
    ("predicted", "predicted", 100),
    ("observed", "observed", 100),
    ("retry", "retry", 100),
    ("vs oracle", "work over the oracle's", 0),
    ("gap closed", "gap closed", 100),
)
SAID = (
    "The answers were requested at fresh points, which are not cells, and all configurations were run there several times. "
    "Hit: how often the asked error was reached. Retry: work until it is, misses paid for, beyond that of a "
    "clairvoyant choice for the very run. Gap closed: how much of the way from the best single configuration to it. "
    "The oracle has the distribution of errors at each point, but not the run."
)
WIDTH, HEIGHT = 340, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 328, 10, 258
LEAST = 0.4  # of the probabilities that are drawn
MARKS = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", "M0 -5L5 0L0 5L-5 0Z", "M0 -5L4.6 3.6L-4.6 3.6Z", "M-4 -4H4V4H-4Z")


def section(found, path):
    """[HTML] of what regret.py wrote."""
    try:
        parts = found["judged"] if isinstance(found, dict) else found
        parts = [part for part in parts if part["rows"]]
        rows = [row for part in parts for row in table_rows(part)]
        picture = reliability([(part["error"], part["reliability"]) for part in parts])
    except (KeyError, TypeError) as why:
        raise NotOurs(f"{path}: no figures of analysis/regret.py ({why})") from None
    head = ["error asked", "rule", *(name for _, name, _ in COLUMNS)]
    return [page.paragraph(SAID), picture, page.table(head, rows, "At fresh points, with standard errors")]


def table_rows(part):
    """A row for each rule but those of a single probability."""
    shown = [row for row in part["rows"] if not row["rule"].startswith("probability")]
    return [
        (f"{part['error']:g}", row["rule"], *(figure(row.get(key), row.get(f"{key} se"), factor) for key, _, factor in COLUMNS))
        for row in shown
    ]


def figure(value, error, factor):
    if value is None or not math.isfinite(value):
        return ""
    if factor:
        return f"{factor * value:.0f} ± {factor * (error or 0):.0f} %"
    return f"{value:.2f} ± {error or 0:.2f}"


def reliability(parts):
    """Predicted against observed, with binomial bars: one kind of mark for an asked error."""

    def x(p):
        return LEFT + (RIGHT - LEFT) * (p - LEAST) / (1 - LEAST)

    def y(p):
        return BOTTOM - (BOTTOM - TOP) * (min(max(p, LEAST), 1) - LEAST) / (1 - LEAST)

    drawn = [f'<line class="grid" x1="{x(LEAST)}" y1="{y(LEAST)}" x2="{x(1)}" y2="{y(1)}" stroke-dasharray="4 4"/>']
    for p in (0.4, 0.6, 0.8, 1.0):
        drawn.append(f'<line class="grid" x1="{x(p):.1f}" x2="{x(p):.1f}" y1="{TOP}" y2="{BOTTOM}"/>')
        drawn.append(f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{y(p):.1f}" y2="{y(p):.1f}"/>')
        drawn.append(f'<text class="quiet-text" x="{x(p):.1f}" y="{BOTTOM + 16}" text-anchor="middle">{100 * p:.0f}</text>')
        drawn.append(f'<text class="quiet-text" x="{LEFT - 6}" y="{y(p) + 4:.1f}" text-anchor="end">{100 * p:.0f}</text>')
    drawn.append(f'<text class="quiet-text" x="{(LEFT + RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">predicted [%]</text>')
    drawn.append(f'<text class="quiet-text" transform="translate(12 {(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">observed [%]</text>')
    legend, rows = [], []
    for k, (asked, bins) in enumerate(parts):
        shape, filled = MARKS[k % len(MARKS)], "var(--ink)" if k % 2 == 0 else "var(--card)"
        mark = f'fill="{filled}" stroke="var(--ink)" stroke-width="1.5" d="{shape}"'
        for b in bins:
            if b["predicted"] < LEAST:
                continue
            at = x(b["predicted"]) + 3 * (k - (len(parts) - 1) / 2)
            drawn.append(
                f'<line stroke="var(--ink)" x1="{at:.1f}" x2="{at:.1f}" y1="{y(b["observed"] - b["bar"]):.1f}" y2="{y(b["observed"] + b["bar"]):.1f}"/>'
                f'<path transform="translate({at:.1f} {y(b["observed"]):.1f})" {mark}/>'
            )
            rows.append((f"{asked:g}", f"{100 * b['predicted']:.0f} %", f"{100 * b['observed']:.0f} ± {100 * b['bar']:.0f} %", b["points"]))
        legend.append(f'<li><svg viewBox="-13 -7 26 14" aria-hidden="true"><path {mark}/></svg>error {asked:g}</li>')
    said = f"Predicted success probability against share that reached the error, {len(rows)} groups of answers; the numbers are in the table below."
    return (
        f'<figure style="max-width:26rem"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said}">{"".join(drawn)}</svg>'
        f'<ul class="legend">{"".join(legend)}</ul><figcaption>On the dashed line the observed rate is the predicted one.</figcaption></figure>'
        + page.details("predicted and observed as a table", page.table(["error asked", "predicted", "observed", "points"], rows))
    )
