/** @file src/answers/policy.c
 *  Fitting a policy, and what it costs to follow it.
 */
#include "policy.h"
#include "memory.h"
#include "parameter_column.h"
#include "random.h"
#include <math.h>

/* Sums of whole numbers, hence exact. */
typedef struct {
  int64_t n, missed;
  uint64_t cost;    /* of those that do not miss */
  uint64_t missing; /* by the reader, of all */
} cost_sum;

static uint32_t cost_of(const sal_policy_cases *c, int32_t row, int choice)
{
  return c->cost[(int64_t)row * c->n_choice + choice];
}

/* Following a choice in a cell. */
static void add_cost(cost_sum *t, const sal_policy *p, const sal_policy_cases *c, int32_t row,
                     int choice)
{
  const uint32_t cost = cost_of(c, row, choice);

  ++t->n;
  if (cost == SAL_COST_MISS)
    ++t->missed;
  else
    t->cost += cost;
  if (p->costs.missing) t->missing += p->costs.missing[(int64_t)row * c->n_choice + choice];
}

static sal_policy_cost mean_cost(const cost_sum *t, const sal_cost_matrix *of)
{
  const double sum = (double)t->cost / SAL_COST_MISS * of->miss, n = (double)t->n;
  sal_policy_cost f = {.n = t->n, .missed = t->missed, .regret = NAN, .cost = NAN, .missing = NAN};

  if (t->n > t->missed) f.regret = sum / (double)(t->n - t->missed);
  if (t->n == 0) return f;
  f.cost = (sum + (double)t->missed * of->miss) / n;
  f.missing = of->missing ? (double)t->missing / SAL_COST_SURE / n : (double)t->missed / n;
  return f;
}

static int fold_of(int32_t cell) { return (int)(sal_random(0, (uint64_t)cell, 0) * SAL_N_FOLD); }

/* The tree and its root's choice, in the cells they were fitted to. */
static void evaluate_in_sample(const sal_policy_cases *c, sal_policy *out)
{
  cost_sum at[SAL_POLICY_TREE_NODES] = {{0}}, rules = {0}, single = {0};

  for (int32_t i = 0; i < c->n; ++i) {
    const int leaf = sal_policy_tree_leaf(&out->tree, c, i);
    add_cost(&at[leaf], out, c, i, out->tree.node[leaf].choice);
    add_cost(&rules, out, c, i, out->tree.node[leaf].choice);
    add_cost(&single, out, c, i, out->tree.node[0].choice);
  }
  for (int i = 0; i < out->tree.n; ++i) out->node[i] = mean_cost(&at[i], &out->costs);
  out->rules = mean_cost(&rules, &out->costs);
  out->single = mean_cost(&single, &out->costs);
}

/** What follows a miss of a choice in the cells of a node: sums over these. */
typedef struct {
  double *missing,
      *cost; /* [n_choice] probabilities of a miss; costs, weighted by the probability that k misses */
} next_sums;

static void drop_next(next_sums *s)
{
  sal_free(s->missing);
  sal_free(s->cost);
}

/* Adds the cells of node `at` as they follow a miss of choice k. */
static void add_cells(const sal_policy_cases *c, const sal_policy *p, int at, int k, next_sums *s)
{
  const int n = p->costs.n_choice;

  for (int d = 0; d < n; ++d) s->missing[d] = s->cost[d] = 0;
  for (int32_t i = 0; i < c->n; ++i) {
    if (at > 0 && sal_policy_tree_leaf(&p->tree, c, i) != at) continue;
    const int64_t first = (int64_t)i * n;
    for (int d = 0; d < n; ++d) {
      s->missing[d] += p->costs.missing[first + d];
      s->cost[d] += (double)p->costs.missing[first + k] * p->costs.cost[first + d];
    }
  }
}

static int choose_next(const sal_policy *p, int k, const next_sums *s)
{
  int best = -1;

  for (int d = 0; d < p->costs.n_choice; ++d)
    if (s->missing[d] < s->missing[k] && (best < 0 || s->cost[d] < s->cost[best])) best = d;
  return best;
}

static sal_err find_next(const sal_policy_cases *c, sal_policy *p)
{
  const size_t n = (size_t)p->costs.n_choice;
  SAL_OWN_BY(drop_next)
  next_sums s = {.missing = sal_alloc(n, sizeof *s.missing), .cost = sal_alloc(n, sizeof *s.cost)};

  if (!s.missing || !s.cost) return sal_fail(SAL_ERR_MEMORY, "no memory for rules");
  for (int at = 0; at < p->tree.n; ++at) {
    int k = p->tree.node[at].choice;
    for (int i = 0; i < SAL_POLICY_NEXT; ++i) {
      p->next[at][i] = -1;
      if (!p->costs.missing || k < 0 || (at > 0 && p->tree.node[at].feature >= 0)) continue;
      add_cells(c, p, at, k, &s);
      p->next[at][i] = k = choose_next(p, k, &s);
    }
  }
  return SAL_OK;
}

static sal_policy_tree_limits limits_for(const sal_policy_tree_limits *wanted, int64_t n,
                                         int64_t n_all)
{
  sal_policy_tree_limits limits = *wanted;

  limits.least = wanted->least > 0 ? wanted->least * n / n_all : (n + 99) / 100;
  if (limits.least < 1) limits.least = 1;
  return limits;
}

/* The same in cells that the fit did not see; row [n] is room for the cells of a fit. */
static sal_err cross_validate(const sal_policy_cases *c, const sal_policy_tree_limits *wanted,
                              int32_t row[], sal_policy *out)
{
  cost_sum rules = {0}, single = {0};

  for (int fold = 0; fold < SAL_N_FOLD; ++fold) {
    sal_policy_tree tree;
    int32_t n = 0;
    for (int32_t i = 0; i < c->n; ++i)
      if (fold_of(out->costs.cell[i]) != fold) row[n++] = i;
    if (n == 0) continue;
    const sal_policy_tree_limits limits = limits_for(wanted, n, c->n);
    SAL_TRY(sal_policy_tree_fit(c, n, row, &limits, &tree));
    for (int32_t i = 0; i < c->n; ++i) {
      if (fold_of(out->costs.cell[i]) != fold) continue;
      add_cost(&rules, out, c, i, tree.node[sal_policy_tree_leaf(&tree, c, i)].choice);
      add_cost(&single, out, c, i, tree.node[0].choice);
    }
  }
  out->rules_out = mean_cost(&rules, &out->costs);
  out->single_out = mean_cost(&single, &out->costs);
  return SAL_OK;
}

/* How many contenders are best in some cell. */
static int count_winners(const sal_cost_matrix *l)
{
  int n = 0;

  for (int k = 0; k < l->n_choice; ++k) {
    int32_t i = 0;
    while (i < l->n && l->winner[i] != l->contender[k]) ++i;
    n += i < l->n;
  }
  return n;
}

static sal_err fit_policy(const sal_policy_tree_limits *wanted, sal_policy *out)
{
  sal_policy_feature feature[SAL_MAX_QUANTITY];
  sal_policy_cases cases = {.n = out->costs.n,
                            .n_choice = out->costs.n_choice,
                            .n_feature = out->binning.n,
                            .cost = out->costs.cost,
                            .feature = feature};
  const sal_policy_tree_limits limits = limits_for(wanted, cases.n, cases.n);
  SAL_OWN int32_t *row = sal_alloc((size_t)cases.n, sizeof *row);

  if (!row) return sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)cases.n);
  for (int i = 0; i < cases.n_feature; ++i) {
    const sal_binning_quantity *q = &out->binning.quantity[i];
    feature[i] = (sal_policy_feature){q->n_bin, q->word, q->bin};
  }
  out->n_winner = count_winners(&out->costs);
  SAL_TRY(sal_policy_tree_fit(&cases, cases.n, NULL, &limits, &out->tree));
  evaluate_in_sample(&cases, out);
  SAL_TRY(find_next(&cases, out));
  return cross_validate(&cases, wanted, row, out);
}

sal_err sal_policy_of_costs(const sal_sweep *s, const sal_binning *edges,
                            const sal_cost_matrix *costs, const sal_policy_tree_limits *limits,
                            sal_policy *out)
{
  *out = (sal_policy){.costs = *costs};
  if (out->costs.n == 0) return SAL_OK;
  sal_err err = sal_binning_make(s, edges, out->costs.n, out->costs.cell, &out->binning);
  if (err == SAL_OK && out->binning.n == 0)
    err = sal_fail(SAL_ERR_INPUT, "%s: nothing varies in it: one answer, and no rule", s->path);
  if (err == SAL_OK) err = fit_policy(limits, out);
  if (err != SAL_OK) sal_policy_free(out);
  return err;
}

sal_err sal_policy_make(const sal_performance_table *a, const sal_question *q, double miss,
                        const sal_policy_tree_limits *limits, sal_policy *out)
{
  sal_cost_matrix costs;
  sal_binning edges;

  *out = (sal_policy){0};
  SAL_TRY(sal_binning_edges(a->sweep, &edges));
  SAL_TRY(sal_cost_matrix_make(a, q, miss, &costs));
  return sal_policy_of_costs(a->sweep, &edges, &costs, limits, out);
}

void sal_policy_free(sal_policy *policy)
{
  sal_cost_matrix_free(&policy->costs);
  sal_binning_free(&policy->binning);
  *policy = (sal_policy){0};
}

bool sal_policy_pays(const sal_policy *policy)
{
  return policy->tree.n > 1 && policy->rules_out.n > 0 &&
         policy->rules_out.cost < policy->single_out.cost;
}
