/** @file src/answers/policy.c
 *  Fitting a policy, and what it costs to follow it.
 */
#include "policy.h"
#include "memory.h"
#include "parameter_column.h"
#include "random.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* Sums of whole numbers, hence exact. */
typedef struct {
  uint64_t n, missed;
  uint64_t cost;    /* of those that do not miss */
  uint64_t missing; /* by the reader, of all */
} cost_sum;

enum { COST_NUMBERS = sizeof(cost_sum) / sizeof(uint64_t) };

/* Those of all parts. */
static sal_err share_sums(const sal_policy_cases *c, int n, cost_sum sum[])
{
  return sal_policy_parts_add(c->parts, (int64_t)n * COST_NUMBERS, &sum->n);
}

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
  sal_policy_cost f = {
      .n = (int64_t)t->n, .missed = (int64_t)t->missed, .regret = NAN, .cost = NAN, .missing = NAN};

  if (t->n > t->missed) f.regret = sum / (double)(t->n - t->missed);
  if (t->n == 0) return f;
  f.cost = (sum + (double)t->missed * of->miss) / n;
  f.missing = of->missing ? (double)t->missing / SAL_COST_SURE / n : (double)t->missed / n;
  return f;
}

static int fold_of(int32_t cell) { return (int)(sal_random(0, (uint64_t)cell, 0) * SAL_N_FOLD); }

/* The tree and its root's choice, in the cells they were fitted to. */
static sal_err evaluate_in_sample(const sal_policy_cases *c, sal_policy *out)
{
  enum { RULES = SAL_POLICY_TREE_NODES, SINGLE, N };
  cost_sum at[N] = {{0}};

  for (int32_t i = 0; i < c->n; ++i) {
    const int leaf = sal_policy_tree_leaf(&out->tree, c, i);
    add_cost(&at[leaf], out, c, i, out->tree.node[leaf].choice);
    add_cost(&at[RULES], out, c, i, out->tree.node[leaf].choice);
    add_cost(&at[SINGLE], out, c, i, out->tree.node[0].choice);
  }
  SAL_TRY(share_sums(c, N, at));
  for (int i = 0; i < out->tree.n; ++i) out->node[i] = mean_cost(&at[i], &out->costs);
  out->rules = mean_cost(&at[RULES], &out->costs);
  out->single = mean_cost(&at[SINGLE], &out->costs);
  return SAL_OK;
}

/* ---- what follows a miss ---- */

/** Sums over the cells of each node, by what is tried next: probabilities of a miss, and costs weighted by the probability that
 *  the try before it misses, which take more than 64 bits. */
typedef struct {
  uint64_t *missing, *cost_low, *cost_high; /* [nodes][n_choice] */
} next_sums;

enum { HALF = 32 };
static const uint64_t low_half = UINT32_MAX;

/* Adds a cell of a node as it follows a miss of choice k. */
static void add_next(const sal_policy *p, int64_t cell, int node, int k, const next_sums *s)
{
  const int n = p->costs.n_choice;
  const uint32_t *cost = p->costs.cost + cell * n;
  const uint16_t *missing = p->costs.missing + cell * n;
  const int64_t to = (int64_t)node * n;

  for (int d = 0; d < n; ++d) {
    const uint64_t product = (uint64_t)missing[k] * cost[d];
    s->missing[to + d] += missing[d];
    s->cost_low[to + d] += product & low_half;
    s->cost_high[to + d] += product >> HALF;
  }
}

/* The try before, of a leaf or of node 0; -1: nothing follows it. */
static int try_before(const sal_policy *p, int node, int i)
{
  const sal_policy_tree_node *at = &p->tree.node[node];

  if (node != 0 && at->feature >= 0) return -1;
  return i == 0 ? at->choice : p->next[node][i - 1];
}

/* Are the costs of choice a in a node less than those of b? */
static bool costs_less(const next_sums *s, int64_t a, int64_t b)
{
  const uint64_t high_a = s->cost_high[a] + (s->cost_low[a] >> HALF),
                 high_b = s->cost_high[b] + (s->cost_low[b] >> HALF);

  return high_a != high_b ? high_a < high_b
                          : (s->cost_low[a] & low_half) < (s->cost_low[b] & low_half);
}

static int choose_next(const sal_policy *p, int node, int k, const next_sums *s)
{
  const int64_t at = (int64_t)node * p->costs.n_choice;
  int best = -1;

  for (int d = 0; d < p->costs.n_choice; ++d)
    if (s->missing[at + d] < s->missing[at + k] && (best < 0 || costs_less(s, at + d, at + best)))
      best = d;
  return best;
}

/* Try i after the first one, of all nodes at once. */
static sal_err find_try(const sal_policy_cases *c, sal_policy *p, int i, const next_sums *s)
{
  const int64_t n = (int64_t)SAL_POLICY_TREE_NODES * p->costs.n_choice;

  memset(s->missing, 0, 3 * (size_t)n * sizeof *s->missing);
  for (int32_t cell = 0; cell < c->n; ++cell) {
    const int leaf = sal_policy_tree_leaf(&p->tree, c, cell);
    for (int node = leaf;; node = 0) {
      const int k = try_before(p, node, i);
      if (k >= 0) add_next(p, cell, node, k, s);
      if (node == 0) break;
    }
  }
  SAL_TRY(sal_policy_parts_add(c->parts, 3 * n, s->missing));
  for (int node = 0; node < p->tree.n; ++node) {
    const int k = try_before(p, node, i);
    p->next[node][i] = k < 0 ? -1 : choose_next(p, node, k, s);
  }
  return SAL_OK;
}

static sal_err find_next(const sal_policy_cases *c, sal_policy *p)
{
  const size_t n = (size_t)SAL_POLICY_TREE_NODES * (size_t)p->costs.n_choice;

  for (int node = 0; node < p->tree.n; ++node)
    for (int i = 0; i < SAL_POLICY_NEXT; ++i) p->next[node][i] = -1;
  if (!p->costs.missing) return SAL_OK;
  SAL_OWN uint64_t *sum = sal_alloc(3 * n, sizeof *sum);
  SAL_TRY(sal_policy_parts_agree(c->parts,
                                 sum ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for rules")));
  const next_sums s = {sum, sum + n, sum + 2 * n};
  for (int i = 0; i < SAL_POLICY_NEXT; ++i) SAL_TRY(find_try(c, p, i, &s));
  return SAL_OK;
}

/* ---- folds ---- */

static int64_t least_of(const sal_policy_tree_limits *wanted, int64_t n, int64_t n_all)
{
  const int64_t least = wanted->least > 0 ? wanted->least * n / n_all : (n + 99) / 100;

  return least > 1 ? least : 1;
}

/* Limits of the tree of all cells, and of those outside of each fold. */
static sal_err set_limits(const sal_policy_cases *c, const sal_policy_tree_limits *wanted,
                          const uint8_t fold[], sal_policy_tree_limits limits[])
{
  uint64_t n[1 + SAL_N_FOLD] = {(uint64_t)c->n};

  for (int32_t i = 0; i < c->n; ++i) ++n[1 + fold[i]];
  SAL_TRY(sal_policy_parts_add(c->parts, 1 + SAL_N_FOLD, n));
  for (int t = 0; t <= SAL_N_FOLD; ++t) {
    limits[t] = *wanted;
    limits[t].least = least_of(wanted, (int64_t)(t == 0 ? n[0] : n[0] - n[t]), (int64_t)n[0]);
  }
  return SAL_OK;
}

/* The same in cells that the fit did not see; tree [SAL_N_FOLD]. */
static sal_err evaluate_left_out(const sal_policy_cases *c, const uint8_t fold[],
                                 const sal_policy_tree tree[], sal_policy *out)
{
  cost_sum sum[2] = {{0}};

  for (int32_t i = 0; i < c->n; ++i) {
    const sal_policy_tree *t = &tree[fold[i]];
    if (t->node[0].n == 0) continue;
    add_cost(&sum[0], out, c, i, t->node[sal_policy_tree_leaf(t, c, i)].choice);
    add_cost(&sum[1], out, c, i, t->node[0].choice);
  }
  SAL_TRY(share_sums(c, 2, sum));
  out->rules_out = mean_cost(&sum[0], &out->costs);
  out->single_out = mean_cost(&sum[1], &out->costs);
  return SAL_OK;
}

/* How many contenders are best in some cell; cells [n_choice] is room. */
static sal_err count_winners(const sal_policy_cases *c, uint64_t cells[], sal_policy *out)
{
  const sal_cost_matrix *m = &out->costs;

  for (int32_t i = 0; i < m->n; ++i) {
    int k = 0;
    while (m->contender[k] != m->winner[i]) ++k;
    ++cells[k];
  }
  SAL_TRY(sal_policy_parts_add(c->parts, m->n_choice, cells));
  for (int k = 0; k < m->n_choice; ++k) out->n_winner += cells[k] > 0;
  return SAL_OK;
}

/* What a fit takes besides the costs. */
typedef struct {
  uint8_t *fold;   /* [n] of each cell */
  uint64_t *cells; /* [n_choice] */
  sal_policy_tree tree[1 + SAL_N_FOLD];
} fitting;

static void end_fitting(fitting **fit)
{
  if (!*fit) return;
  sal_free((*fit)->fold);
  sal_free((*fit)->cells);
  sal_free(*fit);
}

static fitting *begin_fitting(const sal_cost_matrix *m)
{
  fitting *f = sal_alloc(1, sizeof *f);

  if (!f) return NULL;
  f->fold = sal_alloc((size_t)m->n, sizeof *f->fold);
  f->cells = sal_alloc((size_t)m->n_choice, sizeof *f->cells);
  if (!f->fold || !f->cells) {
    end_fitting(&f);
    return NULL;
  }
  for (int32_t i = 0; i < m->n; ++i) f->fold[i] = (uint8_t)fold_of(m->cell[i]);
  return f;
}

static sal_err fit_cases(const sal_policy_cases *c, const sal_policy_tree_limits *wanted,
                         sal_policy *out)
{
  SAL_OWN_BY(end_fitting) fitting *f = begin_fitting(&out->costs);
  sal_policy_tree_limits limits[1 + SAL_N_FOLD];

  SAL_TRY(sal_policy_parts_agree(
      c->parts,
      f ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)c->n)));
  assert(f);
  SAL_TRY(set_limits(c, wanted, f->fold, limits));
  SAL_TRY(count_winners(c, f->cells, out));
  SAL_TRY(sal_policy_tree_fit_folds(c, &(sal_policy_folds){SAL_N_FOLD, f->fold}, limits, f->tree));
  out->tree = f->tree[0];
  SAL_TRY(evaluate_in_sample(c, out));
  SAL_TRY(find_next(c, out));
  return evaluate_left_out(c, f->fold, f->tree + 1, out);
}

static sal_err fit_policy(const sal_policy_tree_limits *wanted, const sal_policy_parts *parts,
                          sal_policy *out)
{
  sal_policy_feature feature[SAL_MAX_QUANTITY];
  const sal_policy_cases cases = {.n = out->costs.n,
                                  .n_choice = out->costs.n_choice,
                                  .n_feature = out->binning.n,
                                  .cost = out->costs.cost,
                                  .feature = feature,
                                  .parts = parts};

  for (int i = 0; i < cases.n_feature; ++i) {
    const sal_binning_quantity *q = &out->binning.quantity[i];
    feature[i] = (sal_policy_feature){q->n_bin, q->word, q->bin};
  }
  return fit_cases(&cases, wanted, out);
}

/* Of all parts: cells that were asked about, and those in which some contender answers. */
static sal_err count_cells(const sal_policy_parts *parts, sal_policy *out)
{
  uint64_t n[2] = {(uint64_t)out->costs.room, (uint64_t)out->costs.n};

  SAL_TRY(sal_policy_parts_add(parts, 2, n));
  out->asked = (int64_t)n[0];
  out->answered = (int64_t)n[1];
  return SAL_OK;
}

static sal_err make_bins(const sal_sweep *s, const sal_binning *edges, sal_policy *out)
{
  SAL_TRY(sal_binning_make(s, edges, out->costs.n, out->costs.cell, &out->binning));
  if (out->binning.n > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: nothing varies in it: one answer, and no rule", s->path);
}

sal_err sal_policy_of_costs(const sal_sweep *s, const sal_binning *edges,
                            const sal_cost_matrix *costs, const sal_policy_tree_limits *limits,
                            const sal_policy_parts *parts, sal_policy *out)
{
  *out = (sal_policy){.costs = *costs};
  sal_err err = count_cells(parts, out);
  if (err == SAL_OK && out->answered == 0) return SAL_OK;
  if (err == SAL_OK) err = sal_policy_parts_agree(parts, make_bins(s, edges, out));
  if (err == SAL_OK) err = fit_policy(limits, parts, out);
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
  return sal_policy_of_costs(a->sweep, &edges, &costs, limits, NULL, out);
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
