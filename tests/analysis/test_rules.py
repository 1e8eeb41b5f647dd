#!/usr/bin/python3
"""test_rules.py ANALYSIS_DIR: trees over made-up costs whose best tree is known, or found by trying all of them."""

import os
import sys
import unittest

import numpy as np

ANALYSIS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, ANALYSIS)
import page_data  # noqa: E402
import rules  # noqa: E402
import rules_data  # noqa: E402
import rules_tree  # noqa: E402

COST = rules_data.MISS / 10  # of a share of work of 1, where a miss costs 10


def bins_of(*columns, words=()):
    return [rules_tree.Bins(np.asarray(c), int(np.max(c)) + 1, i in words) for i, c in enumerate(columns)]


def forest(cost, bins, depth=2, least=1, gain=0.0, fold=None):
    n = len(cost)
    return rules_tree.Forest(np.rint(cost * COST), bins, np.arange(n) % rules_tree.FOLDS if fold is None else fold, depth, [least] * 6, gain)


def tests_of(bins, cells):
    """Every question that rules may ask, as the cells with yes."""
    return [b.yes(q, cells) for b in bins for q in range(b.n if b.words else b.n - 1)]


def least_cost(cost, bins, cells, depth, least, leaf_cost):
    """The least cost of any tree, by trying all of them."""
    best = cost[cells].sum(axis=0).min() + leaf_cost
    for yes in tests_of(bins, cells) if depth else ():
        if least <= yes.sum() <= yes.size - least:
            best = min(best, sum(least_cost(cost, bins, cells[side], depth - 1, least, leaf_cost) for side in (yes, ~yes)))
    return best


def cost_of(tree, t=0):
    """The cost of all leaves, and how many there are."""
    leaves = [node for node in tree.trees[t] if node.feature < 0]
    return sum(node.cost for node in leaves), len(leaves)


class Trees(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(7)

    def costs(self, n, k):
        return self.random.uniform(0, 10, (n, k)) * (self.random.random((n, k)) < 0.7)

    def test_a_tree_that_is_known_by_construction(self):
        """Choice 0 where x < 2, else 1 where the word is 1, else 2; all else costs 1."""
        x, word, idle = (v.ravel() for v in np.meshgrid(range(5), range(3), range(4), indexing="ij"))
        right = np.where(x < 2, 0, np.where(word == 1, 1, 2))
        cost = (np.arange(3) != right[:, None]).astype(float)
        for depth in (2, 3, 4):
            found = forest(cost, bins_of(idle, x, word, words=(2,)), depth, gain=0.01)
            root, yes, no = found.trees[0][:3]
            self.assertEqual((root.feature, root.question, yes.feature, yes.choice), (1, 1, -1, 0))
            self.assertEqual((no.feature, no.question), (2, 1))
            self.assertEqual([found.trees[0][i].choice for i in (no.yes, no.no)], [1, 2])
            self.assertEqual([node.n for node in found.trees[0]], [60, 24, 36, 12, 24])
            self.assertEqual(cost_of(found), (0, 3))
            np.testing.assert_array_equal([found.trees[0][i].choice for i in found.leaves(0)], right)

    def test_a_pair_of_questions_that_helps_only_together(self):
        x, y = (v.ravel() for v in np.meshgrid(range(4), range(4), indexing="ij"))
        right = (x < 2) ^ (y < 2)
        cost = (np.arange(2) != right[:, None]).astype(float)
        self.assertEqual(cost_of(forest(cost, bins_of(x, y), 2)), (0, 4))
        self.assertEqual(len(forest(cost, bins_of(x, y), 1).trees[0]), 1)

    def test_no_tree_of_depth_2_costs_less(self):
        for words, least, gain in (((), 1, 0.0), ((1,), 3, 0.0), ((0, 2), 1, 0.02), ((), 5, 0.1), ((1,), 13, 0.0), ((), 17, 0.0), ((2,), 20, 0.0)):
            n = 60
            bins = bins_of(*(self.random.integers(0, size, n) for size in (4, 5, 3)), words=words)
            cost = np.rint(self.costs(n, 6) * COST)
            for depth in (0, 1, 2):
                found = forest(cost / COST, bins, depth, least, gain)
                total, leaves = cost_of(found)
                leaf_cost = np.floor(gain * cost.sum(axis=0).min())
                self.assertEqual(total + leaves * leaf_cost, least_cost(cost, bins, np.arange(n), depth, least, leaf_cost))
                self.assertGreaterEqual(min(node.n for node in found.trees[0]), least)
            self.assertLess(total, cost.sum(axis=0).min())

    def test_trees_of_folds_are_those_of_the_cells_outside(self):
        n = 80
        columns = [self.random.integers(0, size, n) for size in (4, 3, 5)]
        cost, fold = self.costs(n, 5), self.random.integers(0, 5, n)
        found = forest(cost, bins_of(*columns), 3, 4, 0.01, fold)
        for f in range(5):
            out = fold != f
            alone = rules_tree.Forest(np.rint(cost[out] * COST), [rules_tree.Bins(c[out], b.n, False) for c, b in zip(columns, bins_of(*columns))],
                                      np.zeros(out.sum(), dtype=int), 3, [4], 0.01)
            self.assertEqual(found.trees[f + 1], alone.trees[0])
        self.assertGreater(len({len(t) for t in found.trees} | {str(t) for t in found.trees}), 3)

    def test_a_leaf_must_save_its_cost(self):
        x = np.repeat([0, 1], 50)
        cost = np.stack([np.where(x == 0, 1.0, 1.2), np.where(x == 0, 1.2, 1.0)], axis=1)
        self.assertEqual([len(forest(cost, bins_of(x), 1, gain=gain).trees[0]) for gain in (0.0, 0.08, 0.1)], [3, 3, 1])


class Costs(unittest.TestCase):
    def test_what_follows_a_miss_is_weighed_where_it_is_needed(self):
        """The first choice misses in the second half of the cells; the second one is expensive where the first one hits."""
        half = np.arange(100) < 50
        total = np.stack([np.full(100, 100.0), np.where(half, 900, 110), np.full(100, 300.0), np.full(100, 105.0)], axis=1)
        missing = 1 - np.stack([np.where(half, 0.99, 0.1), np.full(100, 0.9), np.full(100, 0.99), np.full(100, 0.3)], axis=1)
        beyond = total / total.min(axis=1, keepdims=True) - 1
        costs = rules_data.costs_of(np.arange(100), beyond, np.ones((100, 4), dtype=bool), total.argmin(axis=1), 10.0, missing)
        self.assertEqual(rules_tree.next_choices(costs, np.arange(100), 0), [1, 2])
        self.assertEqual(rules_tree.next_choices(costs, np.arange(50), 0), [])
        self.assertAlmostEqual(rules_tree.followed(costs, np.arange(100), 2).cost, 2.0, delta=1e-8)
        self.assertAlmostEqual(rules_tree.followed(costs, np.arange(100), 0).missing, 0.455, delta=1e-12)

    def test_a_miss_has_its_price_and_nothing_costs_more(self):
        beyond = np.array([[0.0, 2.0, 70.0, np.nan], [np.nan] * 4, [0.0, 1.0, np.nan, np.nan]])
        costs = rules_data.costs_of(np.array([3, 5, 8]), beyond, ~np.isnan(beyond), np.zeros(3, dtype=int), 10.0)
        np.testing.assert_array_equal(costs.cells, [3, 8])
        np.testing.assert_array_equal(costs.choices, [0, 1, 2])
        np.testing.assert_allclose(costs.cost * 10 / rules_data.MISS, [[0, 2, 10], [0, 1, 10]], atol=1e-8)
        self.assertEqual([rules_tree.followed(costs, np.arange(2), k).missed for k in range(3)], [0, 0, 1])

    def test_edges_are_short_numbers_between_two_values(self):
        random = np.random.default_rng(5)
        for low, high in np.sort(random.uniform(0.1, 500, (50, 2)), axis=1):
            for by_log in (False, True):
                self.assertTrue(low < rules_data.short_between(low, high, by_log, False) <= high)
                x = rules_data.short_between(np.floor(low) + 1, np.ceil(high) + 1, by_log, True)
                self.assertTrue(np.floor(low) + 1 < x <= np.ceil(high) + 1 and x == int(x))
        self.assertEqual([rules_data.short_between(1000, 2000, by_log, False) for by_log in (True, False)], [1410, 1500])
        self.assertEqual(rules_data.short_between(1.0000001, 1.0000002, False, False), 1.00000015)

    def test_bins_are_those_of_the_questions(self):
        q = rules_data.Quantity(page_data.Column("b", np.array([1.0, 5, 10, 20, 9.99])), np.array([5.0, 10]))
        np.testing.assert_array_equal(q.bins(np.arange(5)), [0, 1, 2, 2, 1])
        q = rules_data.Quantity(page_data.Column("a", np.array([2.0, 0, 2]), words=["x", "y", "z"]), np.array([0.0, 2]))
        np.testing.assert_array_equal(q.bins(np.arange(3)), [1, 0, 1])
        self.assertEqual(q.test(1), "z")

    def test_points_are_scaled_over_all_cells_or_in_each(self):
        values = np.array([[1.0, 3, np.nan], [5, 5, 2]])
        np.testing.assert_allclose(rules_data.scaled(values, "global"), [[10, 5.5, np.nan], [1, 1, 7.75]])
        np.testing.assert_allclose(rules_data.scaled(values, "per-cell", more=True), [[1, 10, np.nan], [10, 10, 1]])
        np.testing.assert_allclose(rules_data.scaled(np.array([[2.0, 2, np.nan]]), "global"), [[10, 10, np.nan]])

    def test_a_sample_is_spread_over_the_cells(self):
        for n, most in ((10**6, 16384), (100, 99), (10**5, 7)):
            cells = rules.sample(n, most)
            self.assertEqual(cells.size, most)
            self.assertTrue((np.diff(cells) > 0).all() and (np.abs(cells - np.arange(most) * n / most) <= n / most).all())
        for most in (0, 100, 101):
            np.testing.assert_array_equal(rules.sample(100, most), np.arange(100))


if __name__ == "__main__":
    unittest.main(verbosity=2)
