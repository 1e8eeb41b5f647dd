"""Cost and error of every configuration in any set of cells, and which of them are worth having."""

import re
from dataclasses import dataclass

import numpy as np
import xarray as xr

from cube import CONFIG, NotOurs, blocks, finished, stopped, unit_of, with_outcome

TERMS = {  # of the map's attribute work_terms -> datasets
    "rhs": "rhs_evaluations",
    "jacobian": "jacobians",
    "factorisation": "factorisations",
    "solve": "solves",
}
INCOMPATIBLE = ("incompatible", "skipped_by_pilots")  # outcomes of no interest
FEW = 0.05  # of the runs of a configuration: as many may be stopped without a word
CRITERIA = {  # of weights -> datasets; the second where the sweep was not timed
    "sd": ("points_solution_duration", "points_rhs_evaluations"),
    "dt": ("points_divergence_time",),
    "iae": ("points_integral_absolute_error",),
}


def done(cube):
    """Which runs are finished: their errors and costs count."""
    return finished(cube["outcome"])


def incompatible(cube):
    """Which runs are of no interest: pairs that do not go together, and what no pilot has use for."""
    return with_outcome(cube["outcome"], *INCOMPATIBLE)


def over_cutoff(cube):
    """Which runs were stopped at a cutoff: what they take is more than what they did."""
    return stopped(cube["outcome"])


def outcome_counts(cube):
    """{outcome: how many runs ended so}, for the outcomes that the cube defines, counted block by block."""
    names = str(cube["outcome"].attrs.get("flag_meanings", "done")).split()
    values = np.atleast_1d(cube["outcome"].attrs.get("flag_values", np.arange(len(names))))
    count = dict.fromkeys(names, 0)
    for some in blocks(cube["outcome"]):
        for name, value in zip(names, values):
            count[name] += int(np.count_nonzero(some == value))
    return count


def spent(cube, of_map=None):
    """Work that was done, in evaluations of f, by the weights of the map or f alone."""
    weights = {"rhs": 1.0}
    if of_map is not None and "work_terms" in of_map.attrs:
        terms = str(of_map.attrs["work_terms"]).split()
        weights = dict(zip(terms, np.atleast_1d(of_map.attrs["work_weights"])))
    total = 0.0
    for term, weight in weights.items():
        if weight and term not in TERMS:
            raise NotOurs(f"the map counts {term} as work; {', '.join(TERMS)} are known here")
        if weight and TERMS[term] not in cube:
            raise NotOurs(f"the cube has no dataset {TERMS[term]}, which work is made of")
        if weight:
            total = total + weight * cube[TERMS[term]]
    return total.where(~incompatible(cube) & ~with_outcome(cube["outcome"], "skipped_over_cutoff"))


def work(cube, of_map=None):
    """Work of whole runs; inf when a run failed or was stopped."""
    return spent(cube, of_map).where(done(cube), np.inf).where(~incompatible(cube))


def error(cube):
    """Largest error on the mesh; infinite when a run failed, NaN when it was stopped or left out."""
    if "max_error" not in cube:
        raise NotOurs("the cube has no dataset max_error")
    values = cube["max_error"].where(done(cube), np.inf)
    unknown = incompatible(cube) | over_cutoff(cube)
    return values.where(values.notnull(), np.inf).where(~unknown)


def error_label(cube):
    """Which error, of what, in which unit."""
    state = str(cube.attrs.get("watched_state", ""))
    return f"largest error{f' of {state}' if state else ''} [{unit_of(cube['max_error'])}]"


def middle(values, share=0.5):
    """The median over the first axis without NaN, the upper of two, or another quantile; a failed run is infinite: the worst."""
    values = np.sort(np.asarray(values, dtype=float), axis=0)  # NaN last
    there = np.minimum(((~np.isnan(values)).sum(axis=0) * share).astype(int), len(values) - 1)
    return np.take_along_axis(values, there[None], axis=0)[0]


@dataclass
class Typical:
    """Medians of each configuration over some cells, all [rtol][strategy][solver]; infinite: there is none.

    Where more than FEW of the runs were stopped, cost is a lower bound, and wrong that of the runs that
    ended, at least half of all.
    """

    cost: np.ndarray
    wrong: np.ndarray
    bound: np.ndarray  # is it one of these?
    spread: tuple = ()  # lower and upper quartile of wrong

    @property
    def known(self):
        """(cost, wrong), infinite where they are bounds."""
        return tuple(np.where(self.bound, np.inf, of) for of in (self.cost, self.wrong))


def typical(cube, of_map, cells):
    """Middle work and error of some cells."""
    some = cube.isel(cell=cells)
    order = lambda of: of.transpose("cell", *CONFIG).values  # noqa: E731
    full, least, wrong = order(work(some, of_map)), order(spent(some, of_map)), order(error(some))
    cut, gone = order(over_cutoff(some)), order(incompatible(some))[0]
    share = cut.mean(axis=0)
    bound = share > FEW
    nowhere = gone | (share > 0.5)
    failed = ~np.isfinite(full) & ~cut
    cost = np.where(bound, middle(np.where(failed, np.inf, least)), middle(full))
    spread = tuple(np.where(nowhere, np.inf, middle(wrong, share)) for share in (0.25, 0.75))
    return Typical(np.where(nowhere, np.inf, cost), np.where(nowhere, np.inf, middle(wrong)), bound & ~nowhere, spread)


def worth_drawing(wrong):
    """The largest error of a picture: ten times the middle one at the loosest tolerance.

    wrong [rtol][...]. A value above it is not a solution, and would squeeze the rest.
    """
    medians = [np.median(w[np.isfinite(w)]) for w in wrong if np.isfinite(w).any()]
    return 10 * float(max(medians)) if medians else np.inf


def front(cost, wrong):
    """Which points no other one beats in both; infinite ones are never part of it."""
    cost, wrong = np.asarray(cost), np.asarray(wrong)
    best, least = np.zeros(cost.size, dtype=bool), np.inf
    for i in np.lexsort((wrong, cost)):
        if np.isfinite(cost[i]) and wrong[i] < least:
            best[i], least = True, wrong[i]
    return best


def select(cube, names):
    """Cell numbers asked for by `quantity=lo:hi` or `quantity=value` (the nearest value there)."""
    chosen = np.ones(cube.sizes["cell"], dtype=bool)
    for text in names:
        match = re.fullmatch(r"(\w+)=([^:]+)(?::([^:]+))?", text)
        if not match:
            raise NotOurs(f"cells '{text}': expected NAME=VALUE or NAME=LOW:HIGH")
        name = match[1]
        if name not in cube or cube[name].dims != ("cell",):
            have = [n for n in cube.variables if cube[n].dims == ("cell",)]
            raise NotOurs(f"no quantity {name} along the cells; there are {', '.join(have)}")
        try:
            low, high = float(match[2]), float(match[3] or match[2])
        except ValueError:
            raise NotOurs(f"cells '{text}': no number") from None
        values = cube[name].values
        if match[3] is None:
            low = high = nearest(values, low)
        chosen &= (values >= low) & (values <= high)
    if not chosen.any():
        raise NotOurs(f"no cell is within {' '.join(names)}")
    return np.flatnonzero(chosen)


def nearest(values, wanted):
    """The value nearest to the wanted one, by ratio where all are positive."""
    if values.min() > 0 and wanted > 0:
        return values[np.abs(np.log(values / wanted)).argmin()]
    return values[np.abs(values - wanted).argmin()]


def parse_weights(text):
    """{'sd': 2.0, ...} of 'sd=2,dt=0,iae=1'."""
    found = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise NotOurs(f"weights '{text}': expected sd=2,dt=0,iae=1") from None
        if name.strip() not in CRITERIA:
            raise NotOurs(f"weights '{text}': no criterion {name.strip()}; there are sd, dt, iae")
    return found


def scored(cube, name):
    """Has any run that is done these points? One that failed has one even if nothing was timed."""
    return bool(cube[name].where(done(cube)).notnull().any())


def without_points(cube):
    """Runs at each rtol [rtol] whose points are not known, and with them the scale of all others there."""
    withheld = over_cutoff(cube) | with_outcome(cube["outcome"], "skipped_by_pilots")
    return withheld.sum([d for d in withheld.dims if d != "rtol"]).values


def totals(cube, weights, rtol):
    """Weighted points of eq. (36), mean over cells: DataArray over configurations, NaN if left out, or where runs were stopped.

    rtol: numbers of the tolerances that are asked for, of which one must have points.
    """
    cut = without_points(cube)
    if all(cut[t] for t in rtol):
        raise NotOurs(
            f"no points to be compared, since {sum(int(cut[t]) for t in rtol)} runs were stopped at cutoffs of their work, or not begun; "
            "`saltus map CUBE --weights " + weights + "` names the cube that has them, and their work"
        )
    total, by_work = 0.0, False
    for name, weight in parse_weights(weights).items():
        if not weight:
            continue
        first, *others = CRITERIA[name]
        there = [d for d in (first, *others) if d in cube and scored(cube, d)]
        if not there:
            raise NotOurs(f"the cube has no points for {name} ({first})")
        by_work = by_work or there[0] != first
        total = total + weight * cube[there[0]]
    return total.where(~incompatible(cube)).mean("cell").where(xr.DataArray(cut == 0, dims="rtol")), by_work
