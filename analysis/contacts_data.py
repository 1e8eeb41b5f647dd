"""Numbers for the pictures of contact scaling: from cubes to tables, nothing drawn.

A run counts as done (also where a contact of the model ends it), failed, or left out (outcome
"incompatible": the pair does not go together). Only runs that are done have a cost or an error here; the
others are counted.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr
import yaml

from cube import CONFIG, NotOurs, finished, open_cube, stopped, unstack

NEEDED = ("outcome", "rhs_evaluations", "solution_duration", "max_error", "events")
COUNTED = ("grazes", "guarded_steps", "zeno_contacts", "leaps", "unmet_crossings", "projections")
INCOMPATIBLE = "incompatible"

SPREAD = (0.1, 0.9)  # quantiles over the starts
RESAMPLINGS, SEED = 1000, 1201
CONFIDENCE = (0.025, 0.975)


@dataclass
class Cost:
    """A way to count cost: `name` in tables and file names, `dataset` of the cube."""

    name: str
    dataset: str
    scale: float
    title: str
    plain: str  # title and unit for a terminal
    unit: str
    times_n: bool = False


COSTS = (
    Cost("cpu", "solution_duration", 1e6, "CPU time", "CPU time [us]", "µs"),
    Cost("rhs", "rhs_evaluations", 1.0, "evaluations of $f$", "evaluations of f", "1"),
    Cost("work", "rhs_evaluations", 1.0, "$n$ times evaluations of $f$", "n x evaluations of f", "1", True),
)


@dataclass
class Study:
    """A cube over n, start, rtol, strategy, solver."""

    path: str
    label: str
    grid: xr.Dataset
    done: xr.DataArray
    incompatible: xr.DataArray
    t_end: float

    @property
    def failed(self):
        return ~self.done & ~self.incompatible

    def timed(self):
        return bool(self.grid["solution_duration"].notnull().any())

    def of(self, name):
        """A dataset where the run is done, NaN elsewhere."""
        return self.grid[name].where(self.done)

    def cost(self, cost):
        """Cost of a simulated second."""
        weight = self.grid["n"] if cost.times_n else 1
        return cost.scale / self.t_end * self.of(cost.dataset) * weight


def open_study(path, label=None):
    cube = open_cube(path, *NEEDED)
    if "n" not in str(cube.attrs.get("axes", "")).split():
        raise NotOurs(f"{path}: the sweep has no axis n, the number of contacts")
    if "t_end" not in cube.attrs:
        raise NotOurs(f"{path}: the cube does not say t_end")
    grid = unstack(cube)
    others = [name for name in grid["outcome"].dims if name not in ("n", *CONFIG)]
    if others:
        grid = grid.stack(start=others, create_index=False)
    else:
        grid = grid.expand_dims("start")
    grid = grid.sortby("n").transpose("n", "start", *CONFIG, ...)
    names = str(grid["outcome"].attrs.get("flag_meanings", "")).split()
    values = np.atleast_1d(grid["outcome"].attrs.get("flag_values", np.arange(len(names))))
    number = dict(zip(names, values))
    if "done" not in number:
        raise NotOurs(f"{path}: no outcome of the cube is named done")
    done = finished(grid["outcome"])
    cut = int(stopped(grid["outcome"]).sum())
    if cut:
        raise NotOurs(f"{path}: {cut} runs were stopped at cutoffs: costs and errors of the rest are not those of all (saltus run --set cutoff={{}})")
    incompatible = grid["outcome"] == number.get(INCOMPATIBLE, -1)
    if not done.any():
        raise NotOurs(f"{path}: no run of the cube is done")
    t_end = float(grid.attrs["t_end"])
    return Study(path, label or label_of(grid), grid, done, incompatible, t_end)


def label_of(grid):
    """Zone and fixed step of the sweep, the two settings of ess that are not axes."""
    given = (yaml.safe_load(str(grid.attrs.get("sweep", ""))) or {}).get("projection") or {}
    words = []
    for key in ("zone", "step"):  # a float at last: YAML 1.1 takes 5e-4 for a word
        words.append(f"{key} {float(given[key]):g}" if key in given else f"preset {key}")
    if given.get("measure") == "gap":
        words[0] += " of the gap"
    return ", ".join(words)


def open_studies(paths, labels):
    studies = [open_study(*pair) for pair in zip(paths, labels or [None] * len(paths))]
    for i, study in enumerate(studies):
        for other in studies[:i]:
            if other.label == study.label:
                raise NotOurs(
                    f"{other.path} and {study.path} would both be called '{study.label}': "
                    "name them with --labels"
                )
    return studies


def counts(study, over):
    """Runs and what became of them."""
    return {
        "runs": xr.ones_like(study.done, dtype=int).sum(over),
        "failed": study.failed.sum(over),
        "incompatible": study.incompatible.sum(over),
    }


def spread(values, name):
    """Median and spread over the starts: three columns of a table."""
    with warnings.catch_warnings():  # a configuration that was left out has NaN alone
        warnings.simplefilter("ignore", RuntimeWarning)
        low, high = (values.quantile(q, "start").drop_vars("quantile") for q in SPREAD)
        return {name: values.median("start"), f"{name}_p10": low, f"{name}_p90": high}


def table(columns, *order):
    """Columns over the same dimensions as rows of a table."""
    data = xr.Dataset({name: array.reset_coords(drop=True) for name, array in columns.items()})
    return data.to_dataframe(dim_order=list(order)).reset_index()


def cost_table(study, cost):
    """Cost of a simulated second: a row for each configuration and n."""
    columns = spread(study.cost(cost), cost.name) | counts(study, "start")
    return table(columns, *CONFIG, "n")


def error_table(study):
    """Largest error of a run: a row for each configuration and n."""
    return table(spread(study.of("max_error"), "error") | counts(study, "start"), *CONFIG, "n")


def line(n, y):
    """(slope, R^2) of the least-squares line; y [..., n]. R^2 is NaN where y is constant."""
    x = n - n.mean()
    slope = (y * x).sum(-1) / (x * x).sum()
    rest = y - y.mean(-1, keepdims=True) - slope[..., None] * x
    total = ((y - y.mean(-1, keepdims=True)) ** 2).sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return slope, np.where(total > 0, 1 - (rest * rest).sum(-1) / total, np.nan)


def medians(values, draws):
    """Median over resampled starts: [n][start], [draw][start] -> [draw][n]."""
    drawn = values[:, draws]  # [n][draw][start]
    pick = np.nanmedian if np.isnan(drawn).any() else np.median
    return pick(drawn, axis=-1).T


def marginal(n, values, draws):
    """Slope of the median cost against n, its interval and R^2; values [n][start].

    The same starts are used at every n, so residuals are not independent and the t interval of the
    regression would be wrong. Whole starts are drawn anew instead, with replacement.
    """
    there = np.isfinite(values).any(axis=1)
    nothing = {"slope": np.nan, "low": np.nan, "high": np.nan, "r2": np.nan}
    if there.sum() < 3:
        return nothing
    n, values = n[there], values[there]
    slope, r2 = line(n, np.nanmedian(values, axis=1))
    again = medians(values, draws)
    again = again[np.isfinite(again).all(axis=1)]
    low, high = np.quantile(line(n, again)[0], CONFIDENCE) if len(again) else (np.nan, np.nan)
    return {"slope": float(slope), "low": float(low), "high": float(high), "r2": float(r2)}


def marginal_table(study, cost):
    """Marginal cost of a contact in a simulated second: a row for each configuration."""
    n = study.grid["n"].values.astype(float)
    n_start = study.grid.sizes["start"]
    draws = np.random.default_rng(SEED).integers(0, n_start, (RESAMPLINGS, n_start))
    rows = table(counts(study, ("n", "start")), *CONFIG)
    values = study.cost(cost).transpose(*CONFIG, "n", "start").values
    found = [marginal(n, v, draws) for v in values.reshape(-1, n.size, n_start)]
    return pd.concat([rows, pd.DataFrame(found)], axis=1)


def front(cost, error):
    """Which points no other one beats in both cost and error."""
    best = np.zeros(len(cost), dtype=bool)
    least = np.inf
    for i in np.lexsort((error, cost)):
        if error[i] < least:
            best[i], least = True, error[i]
    return best


def nearest(there, wanted):
    """Indices of the values of `there` nearest to the wanted ones by ratio, each once."""
    there = np.unique(there)
    return [int(n) for n in np.unique([there[np.abs(np.log(there / w)).argmin()] for w in wanted])]


def precision_table(studies, wanted):
    """Error against cost at some n: a row for each configuration that is a point of its own.

    Points with the same error and evaluations as an earlier one are the same configuration: the zone
    does not matter to `event`, nor the tolerance to the fixed steps of `ess`. front_COST marks what
    no other point of the same strategy beats, of any cube; a configuration with runs that failed stays
    in the table, but is never part of a front.
    """
    shown = nearest(np.concatenate([s.grid["n"].values for s in studies]), wanted)
    tables = []
    for study in studies:
        columns = spread(study.of("max_error"), "error") | counts(study, "start")
        for cost in COSTS:
            columns |= spread(study.cost(cost), cost.name)
        rows = table(columns, *CONFIG, "n")
        rows.insert(0, "cube", study.label)
        tables.append(rows[rows["n"].isin(shown)])
    rows = pd.concat(tables)
    rows = rows[np.isfinite(rows["rhs"]) & (rows["error"] > 0)]
    rows = rows.drop_duplicates(["n", "strategy", "solver", "error", "rhs"]).reset_index(drop=True)
    for cost in COSTS:
        rows[f"front_{cost.name}"] = False
        sound = rows[(rows["failed"] == 0) & rows[cost.name].notnull()]
        for _, some in sound.groupby(["n", "strategy"]):
            best = front(some[cost.name].values, some["error"].values)
            rows.loc[some.index, f"front_{cost.name}"] = best
    return rows


def cheapest(rows, cost, error):
    """The cheapest sound configuration of these rows with at most this error, or None."""
    good = rows[(rows["error"] <= error) & (rows["failed"] == 0) & rows[cost.name].notnull()]
    return good.loc[good[cost.name].idxmin()] if len(good) else None


def comparison_table(rows, costs, errors):
    """Cost of an error by strategy: a row for each n, error, cost and strategy that reaches it.

    `times` is its cost in units of that of the cheapest strategy, 1 for the winner.
    """
    found = []
    for n, panel in rows.groupby("n"):
        for cost in costs:
            for error in errors:
                of = [cheapest(some, cost, error) for _, some in panel.groupby("strategy", sort=False)]
                of = [best for best in of if best is not None]
                least = min((best[cost.name] for best in of), default=np.nan)
                for best in of:
                    what = {"n": n, "cost": cost.name, "error": error, "strategy": best["strategy"]}
                    what |= {name: best[name] for name in ("solver", "rtol", "cube")}
                    found.append(what | {"value": best[cost.name], "times": best[cost.name] / least})
    return pd.DataFrame(found)


def event_table(study):
    """Events and anomalies of a run: a row for each configuration and n.

    events_per_contact has the reference's count beside it. `miscounted` is the share of the done runs
    with another number of events; NaN for a configuration that locates none at all, `switch`.
    """
    events, n = study.of("events"), study.grid["n"]
    columns = {"events": events.mean("start"), "events_per_contact": (events / n).mean("start")}
    if "reference_events" in study.grid:
        reference = study.grid["reference_events"]
        off = (events - reference).where(study.done)
        locates = (events > 0).any(("n", "start"))
        share = ((off != 0) & study.done).sum("start") / study.done.sum("start")
        columns["reference_per_contact"] = (reference / n).mean("start").broadcast_like(share)
        columns["miscounted"] = share.where(locates)
        columns["off_by"] = abs(off).mean("start").where(locates)
    for name in COUNTED:
        if name in study.grid:
            columns[name] = study.of(name).mean("start")
    ran = (~study.incompatible).sum("start")
    columns["failed_share"] = study.failed.sum("start") / ran.where(ran > 0)
    return table(columns | counts(study, "start"), *CONFIG, "n")
