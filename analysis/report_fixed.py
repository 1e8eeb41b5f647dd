"""The part of the report that does not move: what was compared, what the advice is worth, which axes
decide, where it all comes from."""

import os

import numpy as np

import page
import sensitivity
from cost_data import INCOMPATIBLE, incompatible, outcome_counts
from cube import FINISHED, STOPPED
from map_data import NONE, answers

PROVENANCE = (
    *("title", "model_title", "model_source", "sweep_file", "command", "created", "version"),
    *("git_commit", "compiler", "compiler_flags", "mpi_version", "hdf5_version", "libraries", "host", "ranks"),
    *("threads", "width", "wall_seconds", "reference", "reference_tolerance", "jacobian", "t_end"),
    *("mesh", "max_step", "max_attempts", "repeats", "floor", "epsilon", "points_scope"),
)
REFERENCES = {
    "certified": "a run far tighter than all configurations, with an estimate of its own error",
    "paper": "the mean of four of the compared solvers at a tight tolerance",
}
MOST_CELLS = 400  # of a table of the winners of cells


def described(cube, dimension, about):
    """Rows of a table: the names of a dimension, and the cube's description of each."""
    names = [str(name) for name in cube[dimension].values]
    said = cube[about].values if about in cube.variables else [""] * len(names)
    return list(zip(names, map(str, said)))


def percent(share):
    return f"{100 * share:.0f} %"


NOT_RUN = {
    "skipped_over_cutoff": "of these not begun, since looser tolerances had come to the cutoff",
    "skipped_by_pilots": "runs that no pilot around their cell has use for, which were not begun",
}


def run_counts(cube, count):
    """Rows of a table: cells, runs and what became of them; count: outcome_counts of the cube."""
    of = lambda names: sum(count.get(name, 0) for name in names)  # noqa: E731
    ran, stopped = cube["outcome"].size - of(INCOMPATIBLE), of(STOPPED)
    rows = [
        ("cells", cube.sizes["cell"]),
        ("rtol", " ".join(f"{t:g}" for t in cube["rtol"].values)),
        ("runs", ran),
        ("runs that failed", ran - of(FINISHED) - stopped),
    ]
    for name, n in count.items():
        if n and name not in ("done", "ended", "incompatible", "over_cutoff", "skipped_over_cutoff", "skipped_by_pilots"):
            rows.append((f"of these {name.replace('_', ' ')}", n))
    if count.get("ended"):
        rows.append(("runs that a contact ended, which are not failures", count["ended"]))
    if stopped:
        rows.append(("runs stopped at the cutoff of their cell, which take more than they did", stopped))
    if "incompatible" in count:
        rows.append(("runs left out (pairs that do not go together)", count["incompatible"]))
    return rows + [(what, count[name]) for name, what in NOT_RUN.items() if count.get(name)]


def work_text(of_map):
    """Terms of the work, in one sentence."""
    if "work_terms" not in of_map.attrs:
        return ""
    terms, weights = str(of_map.attrs["work_terms"]).split(), np.atleast_1d(of_map.attrs["work_weights"])
    said = ", ".join(f"{name} {w:.3g}" for name, w in zip(terms, weights) if w)
    return f"Work counts, in evaluations of f: {said}."


def compared(mapped, runs):
    """The comparison: configurations, box, and reference."""
    cube = mapped.cube
    kind, count = str(cube.attrs.get("reference", "certified")), outcome_counts(cube)
    said = (
        f"{cube.sizes['cell']} sets of parameters. In each, {_configs(cube)} were run{_until(cube)} and measured "
        f"against a {kind} reference: {REFERENCES.get(kind, '')}. {_stopped(cube, count)}The error of a run is what was "
        f"measured plus what the reference itself may be wrong by. {work_text(mapped.map)}"
    )
    box = [
        (c.name, c.what, c.unit, c.lo, c.hi, "by ratio" if c.log else "by difference") for c in runs.columns
    ] + [(c.name, c.what, "", ", ".join(c.words[int(v)] for v in np.unique(c.values)), "", "by word") for c in runs.options]
    parts = [page.paragraph(said)]
    if box:
        parts.append(page.table(["axis", "meaning", "unit", "from", "to", "measured"], box, "The box"))
    if runs.fixed:
        parts.append(page.paragraph(f"The same in all cells: {', '.join(f'{n} = {v}' for n, _, v in runs.fixed)}."))
    parts.append(references(mapped, runs))
    parts.append(page.details(
        "configurations and counts",
        page.table(["solver", "what"], described(cube, "solver", "solver_title")),
        page.table(["strategy", "what"], described(cube, "strategy", "strategy_about")),
        page.table(["", "value"], run_counts(cube, count)),
    ))
    return "\n".join(parts)


def _configs(cube):
    """How many, and of what."""
    outcome = incompatible(cube.isel(cell=[0]))
    n, most = int((~outcome).sum()), outcome.size
    said = f"{n} configurations, a solver with a strategy at a tolerance each,"
    return said if n == most else f"{said} of {most} (the other pairs do not go together)"


def _stopped(cube, count):
    stopped, no_run = (sum(count.get(name, 0) for name in names) for names in (STOPPED, INCOMPATIBLE))
    share = stopped / max(1, cube["outcome"].size - no_run)
    if not share:
        return ""
    said = percent(share) if share >= 0.005 else "Less than 1 %"
    return f"{said} of the runs were stopped at a cutoff before their end: they have no error, and take more work than they did. "


def _until(cube):
    return f" over [0, {float(cube.attrs['t_end']):g}]" if "t_end" in cube.attrs else ""


def references(mapped, runs):
    """In how many cells nothing can be known, for each asked error, and in how many no run gets there."""
    rows = []
    for question in mapped.questions("error"):
        found = answers(mapped, question)
        bad = int((~(runs.reference_error <= question.asked)).sum())
        rows.append((f"{question.asked:g}", f"{bad} of {runs.n_kept}", int(found.missed.sum()), percent(found.tied.mean())))
    head = ["error asked", "references not good enough", "cells that no solver reaches", "cells with a tie"]
    return page.table(head, rows, "How far the answers can be known") if rows else ""


def worth(calibration, regret):
    """The calibration of the map in its own cells, and figures of fresh points."""
    parts = []
    rows = [(f"{p['asked']:g}", p["answers"], percent(p["predicted"]), percent(p["observed"])) for p in calibration if p["answers"]]
    if rows:
        said = (
            "Each of up to 256 cells was left out in turn and asked for from the cells around it; beside what was "
            "the predicted one stands the observed success rate of the cell's own runs."
        )
        head = ["error asked", "answers", "predicted", "observed"]
        parts += [page.paragraph(said), page.table(head, rows, "Calibration of this map in its own cells")]
    return "\n".join(parts + regret)


def decisive_axes(mapped):
    """Shares of the variance that each axis explains, as tables."""
    said = "Alone: the share of the variance over the cells that an axis explains by itself"
    others = "; with: what would be missing without it, that is with all it does together with others"
    parts, grid = [], sensitivity.cached_grid()
    questions = mapped.questions("error")
    middle = questions[len(questions) // 2 :][:1]
    for question in [*middle, *(q for q in questions if q not in middle)]:
        made, won = sensitivity.sensitivities(mapped, question, grid)
        title = sensitivity.title_of(mapped, question, won)
        if not made:
            parts.append(page.paragraph(f"{title[:1].upper()}{title[1:]}."))
            continue
        heads, both = [sensitivity.heads(question)[name] for name in made], sensitivity.together(made)
        ways = {"alone": "alone", "total": "with"} if both else {"alone": "alone"}
        if question in middle:
            parts.append(page.paragraph(f"{said}{others if both else ''}."))
        head = ["axis", *(f"{h}, {way}" for h in heads for way in ways.values())]
        rows = [(row[0].name, *(_share(effect, way) for effect in row for way in ways)) for row in zip(*made.values())]
        drawn = page.table(head, rows, f"{title[:1].upper()}{title[1:]}")
        parts.append(drawn if question in middle else page.details(f"for {question.error} of {question.asked:g}", drawn))
    return "\n".join(parts)


def _share(effect, way):
    if effect.few and not np.isnan(effect.alone):
        return "too few cells"
    value = getattr(effect, way)
    return "" if np.isnan(value) else percent(value)


def provenance(mapped):
    attrs = mapped.cube.attrs
    rows = [(name.replace("_", " "), _plain(attrs[name])) for name in PROVENANCE if name in attrs]
    rows += [(f"map: {name.replace('_', ' ')}", _plain(value)) for name, value in mapped.map.attrs.items()]
    parts = [page.details("cube, program and machine", page.table(["", "value"], [("cube", os.path.basename(mapped.path)), *rows]))]
    if "sweep" in attrs:
        parts.append(page.details("the sweep file", f"<pre>{page.text(str(attrs['sweep']))}</pre>"))
    return "\n".join(parts)


def _plain(value):
    return " ".join(f"{v:g}" if isinstance(v, (float, np.floating)) else str(v) for v in np.atleast_1d(value))


def winners_of_cells(mapped, runs):
    """Where there are too few cells for answers between them: who won in each."""
    said = (
        f"Too few cells for an answer between them: {_fewest(runs)}, and {runs.needed} are needed for each choice of "
        f"options. The winners of the cells themselves follow."
    )
    names, rows = [c.name for c in (*runs.columns, *runs.options)], []
    found = [(q, answers(mapped, q)) for q in mapped.questions("error")]
    for i in range(min(mapped.n_cell, MOST_CELLS)):
        place = [c.words[int(c.values[i])] if c.words else f"{c.values[i]:.4g}" for c in (*runs.columns, *runs.options)]
        rows.append((i + 1, *place, *(_winner(f, i) for _, f in found)))
    more = f"The first {MOST_CELLS} of {mapped.n_cell} cells. " if mapped.n_cell > MOST_CELLS else ""
    head = ["cell", *names, *(f"least work for {q.asked:g}" for q, _ in found)]
    return (
        f'<section class="card"><h2>Who won in each cell</h2>{page.paragraph(said)}'
        f'{page.table(head, rows, more + "Solver, strategy, rtol; work in evaluations of f")}</section>'
    )


def _fewest(runs):
    words = np.stack([c.values for c in runs.options] or [np.zeros(runs.n_kept)], axis=1)
    n = int(np.unique(words, axis=0, return_counts=True)[1].min())
    return f"there {'is' if n == 1 else 'are'} {n}"


def _winner(found, i):
    if found.solver[i] == NONE:
        return "not known: the reference is not good enough" if found.unknown[i] else "no solver reaches it"
    return f"{found.solver[i]} {found.strategy[i]} {found.rtol[i]:g} ({found.value[i]:.4g})"
