"""Decision trees of least cost over cells, grown for all cells and for those outside of each fold. Nothing printed."""

import itertools
from dataclasses import dataclass

import numpy as np

from rules_data import MISS, Costs

FOLDS = 5  # of cross-validation
NEXT = 2  # attempts that are named after a miss


# ---- trees ----


@dataclass
class Node:
    """A node of a tree: its own choice in its cells, and the question that divides them, if it has one."""

    depth: int
    n: int = 0
    choice: int = 0
    cost: float = 0.0
    feature: int = -1
    question: int = -1
    yes: int = -1
    no: int = -1


@dataclass
class Bins:
    """The cells by one quantity."""

    of: np.ndarray  # [cell]
    n: int
    words: bool

    def answered(self, sums, axis=0):
        """Sums over the cells with "yes" to each question from those of each bin: is it below an edge, or is it this word?"""
        return sums if self.words else np.take(np.cumsum(sums, axis=axis), range(self.n - 1), axis=axis)

    def yes(self, question, cells):
        return self.of[cells] == question if self.words else self.of[cells] <= question


class Forest:
    """The trees of all cells, and of those outside of each fold, grown level by level side by side.

    Sums of a tree are those of all cells less those of its fold, and added up once while trees ask the same questions.
    """

    def __init__(self, cost, bins, fold, depth, least, gain):
        self.cost, self.bins, self.fold, self.depth, self.least, self.gain = cost, bins, fold, depth, least, gain
        self.leaf_cost = [0.0] * len(least)  # of a leaf
        self.trees = [[Node(0)] for _ in least]
        level = {(): (np.arange(len(cost)), [(t, 0) for t in range(len(least))])}
        while level:
            below = {}
            for path, (cells, members) in level.items():
                self.ask(cells, members)
                for t, number in members:
                    self.divide(t, number, path, cells, below)
            level = below

    def sums(self, key, n_key, cells):
        """Costs and numbers of cells [fold][key]."""
        place = self.fold[cells] * n_key + key
        order = np.argsort(place, kind="stable")
        there, first = np.unique(place[order], return_index=True)
        cost, n = np.zeros((FOLDS * n_key, self.cost.shape[1])), np.bincount(place, minlength=FOLDS * n_key)
        if cells.size:
            cost[there] = np.add.reduceat(self.cost[cells[order]], first, axis=0)
        return cost.reshape(FOLDS, n_key, -1), n.reshape(FOLDS, n_key)

    @staticmethod
    def of_tree(sums, t):
        """The sums of tree t from those by fold."""
        return tuple(s.sum(axis=0) - (s[t - 1] if t else 0) for s in sums)

    def ask(self, cells, members):
        """Makes the nodes of trees in the same cells, and finds their questions."""
        single = [self.sums(b.of[cells], b.n, cells) for b in self.bins]
        own, best, deep = {}, {}, []
        for t, number in members:
            node, own[t] = self.trees[t][number], [self.of_tree(s, t) for s in single]
            total, n = own[t][0][0].sum(axis=0), own[t][0][1].sum()
            node.n, node.choice, node.cost = int(n), int(total.argmin()), float(total.min())
            if number == 0:
                self.leaf_cost[t] = np.floor(self.gain * node.cost)
            if node.depth + 1 == self.depth and node.cost > 0:
                best[t] = [self.once(t, b, *of) for b, of in zip(self.bins, own[t])]
            elif node.depth + 1 < self.depth and node.cost > 0:
                deep.append(t)
        if deep:
            best.update(self.twice(cells, deep, own))
        for t, number in members:
            node = self.trees[t][number]
            least = node.cost + self.leaf_cost[t]
            for f, totals in enumerate(best.get(t, ())):
                if totals.size and totals.min() < least:
                    least, node.feature, node.question = totals.min(), f, int(totals.argmin())

    def large_enough(self, t, *numbers):
        return np.logical_and.reduce([n >= self.least[t] for n in numbers])

    def once(self, t, bins, cost, n):
        """Cost of each question about a quantity, when its two sides are leaves."""
        yes, many = bins.answered(cost), bins.answered(n)
        total = yes.min(axis=1) + (cost.sum(axis=0) - yes).min(axis=1) + 2 * self.leaf_cost[t]
        return np.where(self.large_enough(t, many, n.sum() - many), total, np.inf)

    def twice(self, cells, trees, own):
        """{tree: [quantity] cost of each question about it, if each side has the best question of its own, or none}."""
        sides = {}
        for t in trees:
            sides[t] = []
            for b, (cost, n) in zip(self.bins, own[t]):
                yes = b.answered(cost)
                sides[t].append(np.stack([yes.min(axis=1), (cost.sum(axis=0) - yes).min(axis=1)]) + self.leaf_cost[t])
        for (f, a), (g, b) in itertools.combinations_with_replacement(enumerate(self.bins), 2):
            pair = self.sums(a.of[cells] * b.n + b.of[cells], a.n * b.n, cells)
            for t in trees:
                cost, n = (s.reshape(a.n, b.n, *s.shape[1:]) for s in self.of_tree(pair, t))
                quarter, many = [q.min(axis=-1) for q in quarters(a, b, cost)], quarters(a, b, n)
                self.improve(t, sides[t][f], quarter, many, 1)
                if f != g:
                    self.improve(t, sides[t][g], *([q[i] for i in (0, 2, 1, 3)] for q in (quarter, many)), 0)
        found = {}
        for t in trees:
            found[t] = []
            for b, side, (_, n) in zip(self.bins, sides[t], own[t]):
                many = b.answered(n)
                found[t].append(np.where(self.large_enough(t, many, n.sum() - many), side.sum(axis=0), np.inf))
        return found

    def improve(self, t, sides, quarter, many, axis):
        """Sides [yes, no] of a first question by the second one along the axis; quarters yes yes, yes no, no yes, no no."""
        for side, (i, j) in enumerate(((0, 1), (2, 3))):
            total = np.where(self.large_enough(t, many[i], many[j]), quarter[i] + quarter[j] + 2 * self.leaf_cost[t], np.inf)
            if total.size:
                np.minimum(sides[side], total.min(axis=axis), out=sides[side])

    def divide(self, t, number, path, cells, below):
        """The nodes below a node, and their cells for the next level."""
        tree, node = self.trees[t], self.trees[t][number]
        if node.feature < 0:
            return
        node.yes, node.no = len(tree), len(tree) + 1
        tree += [Node(node.depth + 1), Node(node.depth + 1)]
        yes = self.bins[node.feature].yes(node.question, cells)
        for answer, child in ((True, node.yes), (False, node.no)):
            key = (*path, (node.feature, node.question, answer))
            below.setdefault(key, (cells[yes == answer], []))[1].append((t, child))

    def leaves(self, t):
        """The leaf of tree t for each cell."""
        at = np.zeros(len(self.cost), dtype=int)
        for i, node in enumerate(self.trees[t]):
            if node.feature >= 0:
                cells = np.flatnonzero(at == i)
                at[cells] = np.where(self.bins[node.feature].yes(node.question, cells), node.yes, node.no)
        return at


def quarters(a, b, sums):
    """Sums over the cells with both answers to each pair of questions: yes yes, yes no, no yes, no no."""
    yes = a.answered(sums, 0)
    other = b.answered(sums.sum(axis=0), 0)
    both = b.answered(yes, 1)
    alone, no = yes.sum(axis=1)[:, None] - both, other[None] - both
    return [both, alone, no, sums.sum(axis=(0, 1)) - both - alone - no]


# ---- what it costs to follow them ----


@dataclass
class Followed:
    """An answer followed in n cells."""

    n: int
    missed: int
    regret: float  # mean cost where it does not miss; NaN: it misses everywhere
    cost: float  # mean cost, misses at their cost; NaN without cells
    missing: float  # mean probability of a miss; of measured costs missed / n


def followed(costs, rows, choice):
    """The means of a choice, or of one for each of the rows."""
    cost, missed = costs.cost[rows, choice], costs.cost[rows, choice] == MISS
    n, hits = cost.size, int((~missed).sum())
    unit = costs.miss / MISS
    return Followed(n, n - hits, cost[~missed].sum() * unit / hits if hits else np.nan, cost.sum() * unit / n if n else np.nan,
                    np.nan if n == 0 else (missed if costs.missing is None else costs.missing[rows, choice]).sum() / n)


def next_choices(costs, rows, choice):
    """Attempts after a miss of the choice, and after that: of the choices that miss less often the one of least mean cost, each cell
    weighted by the probability that the attempt before it misses there."""
    found = []
    if costs.missing is None:
        return found
    missing, cost = costs.missing[rows], costs.cost[rows]
    often = missing.sum(axis=0)
    for _ in range(NEXT):
        surer = often < often[choice]
        if not surer.any():
            break
        choice = int(np.where(surer, missing[:, choice] @ cost, np.inf).argmin())
        found.append(choice)
    return found


@dataclass
class Policy:
    """The rules for one question."""

    costs: Costs
    quantities: list
    tree: list
    node: dict  # {leaf or 0: Followed}, of its own choice in its cells
    next: dict  # {leaf or 0: choices}
    means: dict  # {"rules", "rules_left_out", "single", "single_left_out": Followed}

    @property
    def pays(self):
        """Do the rules cost less than one answer in cells that neither was fitted to?"""
        out = self.means["rules_left_out"], self.means["single_left_out"]
        return len(self.tree) > 1 and out[0].n > 0 and bool(out[0].cost < out[1].cost)


def policy_of(costs, quantities, args):
    n = costs.cells.size
    fold = (np.random.default_rng(0).random(costs.cells.max() + 1)[costs.cells] * FOLDS).astype(int)
    sizes = [n, *(n - np.bincount(fold, minlength=FOLDS))]
    least = [max(1, args.leaf * int(m) // n if args.leaf else (int(m) + 99) // 100) for m in sizes]
    bins = [Bins(q.bins(costs.cells), q.edges.size + (not q.words), q.words) for q in quantities]
    forest = Forest(costs.cost, bins, fold, args.depth, least, args.gain)
    tree, leaf = forest.trees[0], forest.leaves(0)
    rows = {i: np.flatnonzero(leaf == i) for i in np.unique(leaf)} | {0: np.arange(n)}
    follow, out, root = (np.empty(n, dtype=int) for _ in range(3))
    follow[:] = [tree[i].choice for i in leaf]
    for f in range(FOLDS):
        mine, other = fold == f, forest.trees[f + 1]
        out[mine] = [other[i].choice for i in forest.leaves(f + 1)[mine]]
        root[mine] = other[0].choice
    fitted = np.flatnonzero(np.array([t[0].n for t in forest.trees[1:]])[fold] > 0)
    means = {"rules": followed(costs, rows[0], follow), "rules_left_out": followed(costs, fitted, out[fitted]),
             "single": followed(costs, rows[0], tree[0].choice), "single_left_out": followed(costs, fitted, root[fitted])}
    return Policy(costs, quantities, tree, {i: followed(costs, r, tree[i].choice) for i, r in rows.items()},
                  {i: next_choices(costs, r, tree[i].choice) for i, r in rows.items()}, means)
