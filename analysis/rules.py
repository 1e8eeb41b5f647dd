#!/usr/bin/python3
"""Prints a few if-then rules that name a solver, strategy and rtol in each part of a cube, and what it costs to follow them."""

import argparse
import json
from dataclasses import dataclass

import h5py
import numpy as np

import cost_data
import saltus
from command_line import Parser, run
from cube import NotOurs, open_cube, plain
from map_data import ERRORS, OF_ORBITS, PRESETS
from rules_data import Question, blocks_of_runs, measured_costs, point_costs, quantities_of, surrogate_costs
from rules_tree import policy_of

EXPLANATION = """\
The rules are a decision tree over what the axes of the cube vary. Each leaf names one configuration for all its
cells, and what to try there after a miss. By error the cost of a configuration in a cell is the expected total work
of the surrogate there, with what follows a miss, as a share beyond the least of all configurations; no cost is larger
than --miss. So a run that is exact by chance wins no cell. Where a cube has too few cells for a surrogate, and with
--measured, it is the work of the configuration's run in the cell beyond the least that reaches the error there. An
error that is not reached, or a failure, is a miss: it counts as --miss. By points the cost is the points below those
of the best, and a failure counts as 9 points for each unit of weight.

The tree has the least sum of costs: of all trees up to depth 2 exactly, beyond that by looking two questions ahead (a
policy tree; Athey and Wager, Econometrica 89, 2021). Its questions lie between values of the axes, at most 32 for each
quantity. Cross-validation measures the rules in cells they were not fitted to: a fifth of the cells is left out, five
times. Where the rules are no better there than one answer for all cells, that answer is printed first. Cells in which
no configuration answers do not count. In a cube with more cells than --sample the rules are made from a random one of
each run of its cells, the same ones each time, which is enough for a few rules: their mean cost is known to about 1 %.

examples:
  analysis/rules.py atlas.h5 --error 1e-2,1e-4 --depth 2
  analysis/rules.py atlas.h5 --rtol 1e-6 --weights sd=2,dt=0,iae=1
  analysis/rules.py atlas.h5 > rules.txt; analysis/report.py atlas.h5 --rules rules.txt
"""

TOGETHER = 10**8  # costs that are held at once


# ---- as JSON ----


def number(value):
    return None if np.isnan(value) else float(value)


def json_of_cost(costs, of):
    if costs.missing is not None:
        return {"cells": of.n, "miss_probability": number(of.missing), "cost": number(of.cost)}
    return {"cells": of.n, "missed": of.missed, "regret": number(of.regret), "cost": number(of.cost)}


def json_of_policy(policy, configurations):
    costs = policy.costs

    def named(choice):
        return dict(zip(("solver", "strategy", "rtol"), configurations[costs.choices[choice]]))

    def leaf(i):
        return named(policy.tree[i].choice) | {"then": [named(c) for c in policy.next[i]]}

    def question(node):
        q = policy.quantities[node.feature]
        return {"quantity": q.column.name, "is" if q.words else "below": q.test(node.question), "yes": node.yes, "no": node.no}

    nodes = [question(node) if node.feature >= 0 else leaf(i) | json_of_cost(costs, policy.node[i]) for i, node in enumerate(policy.tree)]
    return {"miss": costs.miss, "winners": costs.n_winner, "rules_pay": policy.pays, "nodes": nodes} | {
        name: json_of_cost(costs, of) for name, of in policy.means.items()} | {"answer_for_all": leaf(0)}


# ---- as text ----


def percent(share):
    return f"{100 * share:.3g} %" if abs(share) < 1 else f"{100 * share:.0f} %"


def plural(n, what):
    return f"{n} {what}" + ("" if n == 1 else "s")


class Printer:
    """The rules of one question as lines."""

    def __init__(self, policy, configurations, by_error):
        self.policy, self.configurations, self.by_error = policy, configurations, by_error
        self.expected = policy.costs.missing is not None
        self.failed = "missed" if by_error else "failed"

    def use(self, choice):
        solver, strategy, rtol = self.configurations[self.policy.costs.choices[choice]]
        return f"{solver} with {strategy} at rtol {rtol:g}"

    def amount(self, value, unit=" points"):
        return percent(value) if self.by_error else f"{value:.3g}{unit}"

    def costing(self, of):
        value = of.cost if self.expected else of.regret
        more = "" if np.isnan(value) else f"{percent(value)} more work, " if self.by_error else f"{value:.3g} points less, "
        return f"{more}{percent(of.missing)} {self.failed}"

    def advice(self):
        rules, single = (self.policy.means[name] for name in ("rules_left_out", "single_left_out"))
        if len(self.policy.tree) == 1 or self.policy.pays:
            return
        yield f"  one answer for all: use {self.use(self.policy.tree[0].choice)}"
        if rules.n == 0:
            yield "  There are too few cells to decide whether the rules below are better:"
        else:
            yield ("  The rules below fit these cells, but are no better in cells left out of the fit "
                   f"({self.amount(rules.cost)} against {self.amount(single.cost, '')}):")
        yield ""

    def rules(self, i=0):
        node = self.policy.tree[i]
        indent = "    " * (node.depth + 1)
        if node.feature >= 0:
            q = self.policy.quantities[node.feature]
            test = q.test(node.question)
            yield f"{indent}if {q.column.name} " + (f"is {test}" if q.words else f"< {test:.15g}")
            yield from self.rules(node.yes)
            yield f"{indent}else"
            yield from self.rules(node.no)
            return
        of = self.policy.node[i]
        yield f"{indent}use {self.use(node.choice)}   ({plural(of.n, 'cell')}: {self.costing(of)})"
        if self.policy.next[i]:
            yield f"{indent}    after a miss " + ", then ".join(self.use(c) for c in self.policy.next[i])

    def mean(self, name, of):
        if of.n == 0:
            return f"    {name:<34}{'too few cells':>11}"
        value = lambda v: self.amount(v, "  ")  # noqa: E731
        return f"    {name:<34}{value(of.cost if self.expected else of.regret):>12}{percent(of.missing):>12}" + (
            "" if self.expected else f"{value(of.cost):>15}")

    def means(self):
        yield ""
        yield f"    {'in the mean':<34}{'more work' if self.by_error else 'points less':>12}{self.failed:>12}" + (
            "" if self.expected else "    with misses")
        left_out = "  in cells left out of the fit"
        for name, of in zip(("these rules", left_out, "one answer for all cells", left_out), self.policy.means.values()):
            yield self.mean(name, of)
        yield (f"    the answer for all is {self.use(self.policy.tree[0].choice)}; {'the surrogate' if self.expected else 'the map itself'} "
               f"names {self.policy.costs.n_winner}")

    def lines(self):
        return [*self.advice(), *self.rules(), *self.means()]


# ---- the command ----


@dataclass
class Asked:
    """An open cube and how it is asked."""

    args: object
    cube: object
    surrogate: saltus.Surrogate
    metric: str
    cells: np.ndarray
    expected: bool  # by the surrogate
    too_few: bool  # cells for a surrogate

    @property
    def unit(self):
        if self.metric in OF_ORBITS:
            return "1"
        unit = str(self.cube.attrs.get("watched_unit", "1"))
        time = str(self.cube.attrs.get("time_unit", "1"))
        if self.metric != "integral_absolute_error" or time == "1":
            return unit
        return time if unit == "1" else f"{unit} {time}"

    @property
    def watched(self):
        return str(self.cube.attrs.get("watched_state", ""))

    def json_of(self, question):
        if question.weights:
            return {"rtol": question.rtol, "weights": question.weights}
        made = {"by": self.metric, "asked_error": question.error}
        return made | ({} if self.metric in OF_ORBITS else {"error_of": self.watched}) | {"error_unit": self.unit}

    def text_of(self, question):
        time = str(self.cube.attrs.get("time_unit", "1"))
        over = f"over [0, {float(self.cube.attrs['t_end']):g}]{'' if time == '1' else f' {time}'}"
        if question.weights:
            sd, dt, iae = (question.weights[name] for name in ("sd", "dt", "iae"))
            scope = self.args.points or str(self.cube.attrs.get("points_scope", "global"))
            return (f"most points {sd:g} SD + {dt:g} DT + {iae:g} IAE at rtol {question.rtol:g} "
                    f"({'scaled per cell' if scope == 'per-cell' else 'scaled over all cells'}), {over}")
        name = ERRORS[self.metric]
        of = "" if self.metric in OF_ORBITS else f" of {self.watched}"
        over = "over a period of the orbit" if self.metric in OF_ORBITS else over
        return (f"least work for {'an' if name[0] in 'aei' else 'a'} {name}{of} of {question.error:g}"
                f"{'' if self.unit == '1' else f' {self.unit}'}, {over}")

    def unanswered(self, question):
        if question.weights:
            return NotOurs(f"{self.args.cube}: no configuration has points at rtol {question.rtol:g} in any cell")
        least = min((float(np.nanmin(error, initial=np.inf)) for _, _, error in blocks_of_runs(self.surrogate, self.cells)), default=np.inf)
        asked = f"{self.args.cube}: no configuration reaches an error of {question.error:g}"
        if least <= question.error:
            return NotOurs(f"{asked} with a probability of a half in any cell")
        return NotOurs(f"{asked} in any cell; the least anywhere is {least:.2g}")

    def head(self, quantities):
        n, args = self.cells.size, self.args
        yield f"rules for {self.cube.attrs['model']} from {plural(n, 'cell')}" + (
            f", spread over {self.cube.sizes['cell']}" if n < self.cube.sizes["cell"] else "")
        if args.f_costs:
            yield f"work is a time: {args.f_costs} for one f, and the time of steps"
        yield from (q.head() for q in quantities)
        if self.expected:
            yield ("Work is the expected total of the surrogate, with what follows a miss; more work is its share beyond the\n"
                   f"least of all configurations, at most {100 * args.miss:g} %.")
        else:
            yield ("Work and misses are those of the run in each cell" + ("; there are too few cells for a surrogate" if self.too_few else "") +
                   ".\nA miss is a cell in which the error is not reached, or the run fails. It counts as "
                   f"{100 * args.miss:g} % more work,\nand nothing counts as more.")
        yield f"A rule must save {100 * args.gain:g} % of what one answer for all cells costs."


def sample(n, most):
    """A random cell of each of `most` runs of the cells, of nearly equal length; all where there are not more, or most is 0."""
    if most == 0 or most >= n:
        return np.arange(n)
    ends = np.arange(most + 1) * n // most
    return ends[:-1] + (np.random.default_rng(0).random(most) * np.diff(ends)).astype(np.int64)


def questions_of(path, cube, metric, args):
    if args.weights:
        weights = dict.fromkeys(cost_data.CRITERIA, 0.0) | cost_data.parse_weights(args.weights)
        if not any(w > 0 for w in weights.values()) or any(w < 0 for w in weights.values()):
            raise NotOurs(f"--weights: {args.weights}: all weights are 0, or one is below; allowed: one above 0")
        there = cube["rtol"].values
        if not np.isclose(there, args.rtol, rtol=1e-9, atol=0).any():
            raise NotOurs(f"--rtol: {args.rtol:g} is not in {path}; allowed: {', '.join(f'{r:g}' for r in there)}")
        return [Question(rtol=float(there[np.argmin(np.abs(there - args.rtol))]), weights=weights)]
    return [Question(error=e) for e in args.error or PRESETS[metric]]


def opened(args):
    cube = open_cube(args.cube, only=(), lazy=True)
    with h5py.File(args.cube) as file:  # quicker than as a dataset
        of_map = file["map"].attrs if "map" in file else {}
        metric = args.by or plain(of_map.get("error_metric", "max_error"))
    surrogate = saltus.Surrogate(args.cube, solvers=args.solvers, strategies=args.strategies, having=args.having, by=metric, work=args.work,
                           f_costs=args.f_costs, steps=args.steps, lanes=args.lanes)
    return Asked(args, cube, surrogate, metric, sample(cube.sizes["cell"], args.sample), False, False)


def choose_costs(asked, points):
    """Does the surrogate answer?  It needs some cells."""
    if asked.args.measured or asked.args.weights:
        return
    try:
        surrogate = asked.surrogate
        surrogate.costs({name: points[name][:1] for name in surrogate.axes}, 1.0)
        asked.expected = True
    except saltus.InvalidError as why:
        if "saltus map" not in str(why):
            raise
        asked.too_few = True


def all_costs(asked, points, questions):
    """The Costs of each question."""
    args, surrogate, cells = asked.args, asked.surrogate, asked.cells
    if args.weights:
        yield point_costs(args.cube, surrogate, cells, questions[0], args)
    elif not asked.expected:
        for q in questions:
            yield measured_costs(surrogate, cells, q.error, args.miss)
    else:
        some = max(1, TOGETHER // (cells.size * len(surrogate.configurations)))
        for first in range(0, len(questions), some):
            yield from surrogate_costs(surrogate, points, cells, [q.error for q in questions[first:first + some]], args.miss)


def work(args):
    try:
        asked = opened(args)
        answer(args, asked)
    except saltus.Error as why:
        raise NotOurs(str(why)) from None


def answer(args, asked):
    cube, surrogate = asked.cube, asked.surrogate
    quantities = quantities_of(args.cube, cube, surrogate.whole)
    points = {n: cube[n if n in cube.variables else f"initial_{n}"].values.astype(float) for n in surrogate.axes}
    questions = questions_of(args.cube, cube, asked.metric, args)
    choose_costs(asked, points)
    said, lines = [], list(asked.head(quantities))
    for q, costs in zip(questions, all_costs(asked, points, questions)):
        made = asked.json_of(q) | {"answered": costs.cells.size}
        lines += ["", asked.text_of(q)]
        if costs.cells.size == 0 and (args.error or args.weights):
            raise asked.unanswered(q)
        if costs.cells.size:
            policy = policy_of(costs, quantities, args)
            made |= json_of_policy(policy, surrogate.configurations)
            if costs.cells.size < asked.cells.size:
                lines[-1] += f"; in {costs.cells.size} of {asked.cells.size} cells, no configuration answers in the others"
            lines += ["", *Printer(policy, surrogate.configurations, not q.weights).lines()]
        else:
            lines[-1] += ": no configuration in any cell"
        said.append(made)
    if args.json:
        print(json.dumps({"model": str(cube.attrs["model"]), "cells": cube.sizes["cell"], "cells_asked": asked.cells.size, "depth": args.depth,
                          "gain": args.gain, "f_costs": args.f_costs, "costs": "surrogate" if asked.expected else "measured", "questions": said}))
    else:
        print("\n".join(lines))


def real(allowed, fits):
    """A number for which fits() holds."""
    def read(text):
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
        if not (np.isfinite(value) and fits(value)):
            raise argparse.ArgumentTypeError(f"'{text}' is not allowed; allowed: {allowed}")
        return value
    return read


def whole(low, high=2**31 - 1):
    read = real(f"whole numbers from {low}" + (f" to {high}" if high < 2**31 - 1 else ""), lambda x: x == int(x) and low <= x <= high)
    return lambda text: int(read(text))


positive = real("greater than 0", lambda x: x > 0)


def errors(text):
    found = [positive(word) for word in text.split(",")]
    if len({*found}) < len(found):
        raise argparse.ArgumentTypeError(f"'{text}': an error is there twice; allowed: each once")
    return found


def arguments(words=None):
    parser = Parser(f"{__doc__}\n\n{EXPLANATION}", None)
    add = parser.add_argument
    add("cube", metavar="CUBE.h5", help="the cube")
    add("--error", "-e", type=errors, metavar="E,..", help="least work for these errors, in their unit in the cube (default: those of the map)")
    add("--rtol", type=positive, metavar="R", help="most points at this rtol of the cube; with --weights")
    add("--weights", "-w", metavar="sd=2,dt=0,iae=1", help="weights of eq. (36) for points; those not named are 0")
    add("--depth", "-d", type=whole(1, 4), default=3, metavar="N", help="questions on the way to an answer, at most (default: 3)")
    add("--leaf", type=whole(1), metavar="N", help="cells that a rule must cover at least (default: 1 %% of them)")
    add("--gain", type=real("from 0 to 1", lambda x: 0 <= x <= 1), default=0.01, metavar="SHARE",
        help="share of the cost of one answer for all that a rule must save (default: 0.01)")
    add("--miss", type=positive, default=10.0, metavar="COST", help="cost of a missed error, in units of the least work (default: 10)")
    add("--sample", type=whole(0), default=16384, metavar="N", help="make the rules from N cells, spread over all; 0: from all (default: 16384)")
    add("--measured", action="store_true", help="by error: the costs of the run in each cell instead of those of the surrogate")
    add("--solvers", metavar="NAME,..", help="solvers that may answer (default: all)")
    add("--strategies", metavar="NAME,..", help="strategies that may answer (default: all)")
    add("--in", dest="having", metavar="PROGRAM", help="only solvers of this program: scipy, octave, ..")
    add("--by", choices=sorted(ERRORS), metavar="ERROR", help=f"the error that is asked for: {', '.join(ERRORS)} (default: that of the map)")
    add("--work", metavar="NAME=W,..", help="weights of work: rhs, jacobian, factorisation, solve, in evaluations of f (default: as the sweep)")
    add("--f-costs", metavar="TIME", help="time of one evaluation of f, 10ns, 1us, 1ms or 2s: work is a time then, with the overhead of each step")
    add("--steps", metavar="FILE", help="with --f-costs: output of `saltus calibrate-work` (default: as measured for this program)")
    add("--lanes", choices=("1", "4", "8"), help="with --f-costs: trajectories that advance at once (default: 1)")
    add("--points", choices=("global", "per-cell"), help="points over all cells or in each (default: as the cube)")
    add("--duration", choices=("work", "time"), default="work", help="the solution duration of points (default: work)")
    add("--json", "-j", action="store_true", help="print one line of JSON")
    args = parser.parse_args(words)
    if args.error and (args.weights or args.rtol):
        parser.error("--error, or --rtol with --weights, not both")
    if bool(args.weights) != bool(args.rtol):
        parser.error("--rtol R and --weights sd=..,dt=..,iae=.. go together")
    return args


if __name__ == "__main__":
    raise SystemExit(run(work, arguments()))
