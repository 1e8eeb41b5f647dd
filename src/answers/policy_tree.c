/** @file src/answers/policy_tree.c
 *  Growing a policy tree.
 */
#include "policy_tree.h"
#include "memory.h"
#include "policy_sums.h"
#include <assert.h>
#include <string.h>

typedef struct {
  const sal_policy_bins *bins;
  sal_policy_tree_limits limits;
  uint64_t price;       /* of a leaf */
  sal_policy_sums node; /* of the cases of the node in question */
  sal_policy_sums yes, no;
  sal_policy_pairs pairs; /* of the same cases; empty with depth 1 */
  uint64_t *total;        /* [2][n_choice] */
  int32_t *order;         /* [n] */
  int32_t *row;           /* [n] cases, those of a node side by side */
} grower;

/* A question, and the cost of the best tree that begins with it: costs and prices of the leaves. */
typedef struct {
  uint64_t cost;
  int feature, bin; /* feature -1: a leaf */
} question;

static int least_costly(int n_choice, const uint64_t cost[])
{
  int best = 0;

  for (int k = 1; k < n_choice; ++k)
    if (cost[k] < cost[best]) best = k;
  return best;
}

/* Least cost when the cases with "yes" get one choice and the others another. */
static uint64_t cost_of_two_leaves(int n_choice, const uint64_t all[], const uint64_t yes[])
{
  uint64_t least_yes = UINT64_MAX, least_no = UINT64_MAX;

  for (int k = 0; k < n_choice; ++k) {
    const uint64_t no = all[k] - yes[k];
    least_yes = yes[k] < least_yes ? yes[k] : least_yes;
    least_no = no < least_no ? no : least_no;
  }
  return least_yes + least_no;
}

static bool leaves_large_enough(const grower *g, int64_t n_yes, int64_t n)
{
  return n_yes >= g->limits.least && n - n_yes >= g->limits.least;
}

/* How many questions a feature allows: of words, one for each. */
static int count_questions(const sal_policy_feature *f)
{
  return f->word ? f->n_bin : f->n_bin - 1;
}

/* ---- exact search ---- */

/* The best tree of depth 1 for the cases of the sums: a leaf, or one question. */
static question best_of_depth_1(const grower *g, const sal_policy_sums *sums)
{
  const sal_policy_cases *cases = g->bins->cases;
  const int n_choice = cases->n_choice;
  uint64_t *all = g->total, *yes = g->total + n_choice;
  const int64_t n = sal_policy_sums_total(g->bins, sums, all);
  question best = {all[least_costly(n_choice, all)] + g->price, -1, 0};

  for (int f = 0; f < cases->n_feature; ++f) {
    const bool word = cases->feature[f].word;
    int64_t n_yes = 0;
    memset(yes, 0, (size_t)n_choice * sizeof *yes);
    for (int b = 0; b < count_questions(&cases->feature[f]); ++b) {
      const int64_t at = g->bins->first[f] + b;
      const uint64_t *cost = sums->cost + at * n_choice;
      n_yes = (word ? 0 : n_yes) + sums->n[at];
      for (int k = 0; k < n_choice; ++k) yes[k] = (word ? 0 : yes[k]) + cost[k];
      if (!leaves_large_enough(g, n_yes, n)) continue;
      const uint64_t sum = cost_of_two_leaves(n_choice, all, yes) + 2 * g->price;
      if (sum < best.cost) best = (question){sum, f, word ? b : b + 1};
    }
  }
  return best;
}

/* The best tree of depth 2 whose first question is about feature f, if it costs less than
 * `best`. */
static question improve_by_feature(grower *g, int f, int64_t n, question best)
{
  const sal_policy_feature *of = &g->bins->cases->feature[f];
  int64_t n_yes = 0;

  sal_policy_sums_clear(g->bins, &g->yes);
  for (int b = 0; b < count_questions(of); ++b) {
    if (of->word) sal_policy_sums_clear(g->bins, &g->yes);
    n_yes = (of->word ? 0 : n_yes) + g->node.n[g->bins->first[f] + b];
    sal_policy_pairs_add_bin(g->bins, &g->pairs, &g->node, f, b, &g->yes);
    if (!leaves_large_enough(g, n_yes, n)) continue;
    const uint64_t yes = best_of_depth_1(g, &g->yes).cost;
    if (yes >= best.cost) continue;
    sal_policy_sums_subtract(g->bins, &g->node, &g->yes, &g->no);
    const uint64_t cost = yes + best_of_depth_1(g, &g->no).cost;
    if (cost < best.cost) best = (question){cost, f, of->word ? b : b + 1};
  }
  return best;
}

/* The first question of the best tree of depth 1 or 2 for the cases of the node. */
static question best_question(grower *g, int64_t n, const int32_t row[], int depth, uint64_t leaf)
{
  question best = {leaf, -1, 0};

  if (depth == 1) return best_of_depth_1(g, &g->node);
  sal_policy_pairs_fill(g->bins, n, row, g->order, &g->pairs);
  for (int f = 0; f < g->bins->cases->n_feature; ++f) best = improve_by_feature(g, f, n, best);
  return best;
}

/* ---- the tree ---- */

static bool says_yes(const sal_policy_cases *c, int feature, int bin, int32_t row)
{
  const sal_policy_feature *f = &c->feature[feature];

  return f->word ? f->bin[row] == bin : f->bin[row] < bin;
}

/* Brings the cases with "yes" to the front, in their order. */
static int64_t divide_cases(const grower *g, const question *q, int64_t n, int32_t row[])
{
  int64_t n_yes = 0, n_no = 0;

  for (int64_t i = 0; i < n; ++i)
    if (says_yes(g->bins->cases, q->feature, q->bin, row[i]))
      row[n_yes++] = row[i];
    else
      g->order[n_no++] = row[i];
  memcpy(row + n_yes, g->order, (size_t)n_no * sizeof *row);
  return n_yes;
}

/* Makes a node of the cases row [n], and returns its question, if one costs less than a leaf. */
static question make_node(grower *g, sal_policy_tree_node *node, int64_t n, const int32_t row[])
{
  sal_policy_sums_clear(g->bins, &g->node);
  for (int64_t i = 0; i < n; ++i) sal_policy_sums_add_case(g->bins, row[i], &g->node);
  sal_policy_sums_total(g->bins, &g->node, g->total);
  node->feature = -1;
  node->choice = least_costly(g->bins->cases->n_choice, g->total);
  node->cost = g->total[node->choice];
  node->n = n;
  if (node->depth == 0) g->price = (uint64_t)(g->limits.price * (double)node->cost);
  const question leaf = {node->cost + g->price, -1, 0};
  if (node->depth == g->limits.depth || node->cost == 0) return leaf;
  return best_question(g, n, row, g->limits.depth - node->depth, leaf.cost);
}

/* Level by level. */
static void grow_tree(grower *g, int64_t n, sal_policy_tree *tree)
{
  int64_t from[SAL_POLICY_TREE_NODES] = {0}, count[SAL_POLICY_TREE_NODES] = {n};

  *tree = (sal_policy_tree){.n = 1};
  for (int at = 0; at < tree->n; ++at) {
    sal_policy_tree_node *node = &tree->node[at];
    int32_t *row = g->row + from[at];
    const question q = make_node(g, node, count[at], row);
    if (q.feature < 0) continue;
    assert(tree->n + 2 <= SAL_POLICY_TREE_NODES);
    node->feature = q.feature;
    node->bin = q.bin;
    node->yes = tree->n++;
    node->no = tree->n++;
    tree->node[node->yes].depth = tree->node[node->no].depth = node->depth + 1;
    from[node->yes] = from[at];
    count[node->yes] = divide_cases(g, &q, count[at], row);
    from[node->no] = from[at] + count[node->yes];
    count[node->no] = count[at] - count[node->yes];
  }
}

/* What a failed allocation leaves is cleaned up by free_grower. */
static bool alloc_grower(grower *g, int32_t n)
{
  g->total = sal_alloc(2 * (size_t)g->bins->cases->n_choice, sizeof *g->total);
  g->order = sal_alloc((size_t)n, sizeof *g->order);
  g->row = sal_alloc((size_t)n, sizeof *g->row);
  return g->total && g->order && g->row && sal_policy_sums_create(g->bins, &g->node) &&
         sal_policy_sums_create(g->bins, &g->yes) && sal_policy_sums_create(g->bins, &g->no) &&
         (g->limits.depth < 2 || sal_policy_pairs_create(g->bins, &g->pairs));
}

static void free_grower(grower *g)
{
  sal_policy_sums_free(&g->node);
  sal_policy_sums_free(&g->yes);
  sal_policy_sums_free(&g->no);
  sal_policy_pairs_free(&g->pairs);
  sal_free(g->total);
  sal_free(g->order);
  sal_free(g->row);
}

sal_err sal_policy_tree_fit(const sal_policy_cases *cases, int32_t n, const int32_t row[],
                            const sal_policy_tree_limits *limits, sal_policy_tree *out)
{
  assert(cases->n_feature > 0 && cases->n_feature <= SAL_MAX_FEATURE && cases->n_choice > 0);
  assert(n > 0 && limits->depth >= 0 && limits->depth <= SAL_POLICY_TREE_DEPTH &&
         limits->price >= 0);

  const sal_policy_bins bins = sal_policy_bins_of(cases);
  SAL_OWN_BY(free_grower) grower g = {.bins = &bins, .limits = *limits};
  if (!alloc_grower(&g, n))
    return sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)n);
  for (int32_t i = 0; i < n; ++i) g.row[i] = row ? row[i] : i;
  grow_tree(&g, n, out);
  return SAL_OK;
}

int sal_policy_tree_leaf(const sal_policy_tree *tree, const sal_policy_cases *cases, int32_t row)
{
  const sal_policy_tree_node *node = tree->node;

  while (node->feature >= 0)
    node = &tree->node[says_yes(cases, node->feature, node->bin, row) ? node->yes : node->no];
  return (int)(node - tree->node);
}

void sal_policy_tree_order(const sal_policy_tree *tree, int order[])
{
  int waiting[SAL_POLICY_TREE_DEPTH + 2] = {0}, n_waiting = 1;

  for (int i = 0; n_waiting > 0; ++i) {
    const sal_policy_tree_node *node = &tree->node[order[i] = waiting[--n_waiting]];
    if (node->feature < 0) continue;
    waiting[n_waiting++] = node->no;
    waiting[n_waiting++] = node->yes;
  }
}
