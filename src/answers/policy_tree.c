/** @file src/answers/policy_tree.c
 *  Growing a tree.
 *
 *  A table has, for each bin of each feature, the sum of the costs of its cases by each choice.
 *  All questions about one feature are answered by adding its bins up.  Looking two questions
 * ahead, the cases move from one table to another in the order of the first question's feature; so
 * the work is a few passes over the costs per feature, whatever the number of bins.
 */
#include "policy_tree.h"
#include "memory.h"
#include <assert.h>
#include <omp.h>
#include <string.h>

typedef struct {
  int64_t  *n;    /* [n_bin] cases */
  uint64_t *loss; /* [n_bin][n_choice] */
} table;

/* What a thread works in. */
typedef struct {
  table     one, other;
  uint64_t *sum;   /* [2][n_choice] */
  int32_t  *order; /* [n] */
} bench;

typedef struct {
  const sal_policy_cases *cases;
  sal_policy_tree_limits  limits;
  uint64_t                price;
  int                     n_bin;                  /* of all features */
  int                     first[SAL_MAX_FEATURE]; /* number of a feature's bin 0 among all */
  table                   whole;
  int                     n_thread;
  bench                  *bench; /* [n_thread] */
  int32_t                *row;   /* [n] cases, those of a node side by side */
} grower;

/* A question and what the tree below it costs: costs and prices of the leaves. */
typedef struct {
  uint64_t cost;
  int      feature, bin;
} question;

/* ---- tables ---- */

static bool make_table(const grower *g, table *t)
{
  t->n    = sal_alloc((size_t)g->n_bin, sizeof *t->n);
  t->loss = sal_alloc((size_t)g->n_bin * (size_t)g->cases->n_choice, sizeof *t->loss);
  return t->n && t->loss;
}

static void free_table(table *t)
{
  sal_free(t->n);
  sal_free(t->loss);
}

static void clear(const grower *g, table *t)
{
  memset(t->n, 0, (size_t)g->n_bin * sizeof *t->n);
  memset(t->loss, 0, (size_t)g->n_bin * (size_t)g->cases->n_choice * sizeof *t->loss);
}

static void add_case(const grower *g, int32_t row, table *t)
{
  const int       n_choice = g->cases->n_choice;
  const uint32_t *loss     = g->cases->loss + (size_t)row * (size_t)n_choice;

  for (int f = 0; f < g->cases->n_feature; ++f) {
    const int b   = g->first[f] + g->cases->feature[f].bin[row];
    uint64_t *sum = t->loss + (size_t)b * (size_t)n_choice;
    ++t->n[b];
    for (int k = 0; k < n_choice; ++k) sum[k] += loss[k];
  }
}

/* What is in `whole` and not in `part`. */
static void subtract(const grower *g, const table *whole, const table *part, table *out)
{
  for (int b = 0; b < g->n_bin; ++b) out->n[b] = whole->n[b] - part->n[b];
  for (int64_t i = 0; i < (int64_t)g->n_bin * g->cases->n_choice; ++i)
    out->loss[i] = whole->loss[i] - part->loss[i];
}

/* Sums over all cases: the bins of any one feature together. */
static int64_t add_up(const grower *g, const table *t, uint64_t sum[])
{
  const int n_choice = g->cases->n_choice;
  int64_t   n        = 0;

  memset(sum, 0, (size_t)n_choice * sizeof *sum);
  for (int b = 0; b < g->cases->feature[0].n_bin; ++b) {
    n += t->n[b];
    for (int k = 0; k < n_choice; ++k) sum[k] += t->loss[(int64_t)b * n_choice + k];
  }
  return n;
}

static int least_of(int n, const uint64_t sum[])
{
  int best = 0;

  for (int k = 1; k < n; ++k)
    if (sum[k] < sum[best]) best = k;
  return best;
}

/* Least costs when the cases of `part` get one choice and the others another. */
static uint64_t divided(int n, const uint64_t all[], const uint64_t part[])
{
  uint64_t yes = UINT64_MAX, no = UINT64_MAX;

  for (int k = 0; k < n; ++k) {
    const uint64_t rest = all[k] - part[k];
    yes                 = part[k] < yes ? part[k] : yes;
    no                  = rest < no ? rest : no;
  }
  return yes + no;
}

/* ---- questions ---- */

static bool large_enough(const grower *g, int64_t n_yes, int64_t n)
{
  return n_yes >= g->limits.least && n - n_yes >= g->limits.least;
}

/* How many questions a feature allows: of words, one for each. */
static int questions(const sal_policy_feature *f) { return f->word ? f->n_bin : f->n_bin - 1; }

/* The best tree of depth 1 for the cases of a table: a leaf, or one question. */
static question ask_once(const grower *g, const table *t, uint64_t sum[])
{
  const int n_choice = g->cases->n_choice;
  uint64_t *part     = sum + n_choice;
  int64_t   n        = add_up(g, t, sum), n_yes;
  question  best     = {sum[least_of(n_choice, sum)] + g->price, -1, 0};

  for (int f = 0; f < g->cases->n_feature; ++f) {
    const bool word = g->cases->feature[f].word;
    n_yes           = 0;
    memset(part, 0, (size_t)n_choice * sizeof *part);
    for (int b = 0; b < questions(&g->cases->feature[f]); ++b) {
      const int64_t   at   = g->first[f] + b;
      const uint64_t *loss = t->loss + at * n_choice;
      n_yes                = (word ? 0 : n_yes) + t->n[at];
      for (int k = 0; k < n_choice; ++k) part[k] = (word ? 0 : part[k]) + loss[k];
      if (!large_enough(g, n_yes, n)) continue;
      const uint64_t cost = divided(n_choice, sum, part) + 2 * g->price;
      if (cost < best.cost) best = (question){cost, f, word ? b : b + 1};
    }
  }
  return best;
}

/* The cases by their bin of feature f; end [n_bin] of each bin. */
static void sort_by(const grower *g, int f, int64_t n, const int32_t row[], int32_t order[],
                    int64_t end[])
{
  const sal_policy_feature *of   = &g->cases->feature[f];
  int64_t                   from = 0;

  for (int b = 0; b < of->n_bin; ++b) {
    end[b] = from;
    from += g->whole.n[g->first[f] + b];
  }
  for (int64_t i = 0; i < n; ++i) order[end[of->bin[row[i]]]++] = row[i];
}

/* The best tree of depth 2 whose first question is about feature f. */
static question ask_first(const grower *g, int f, int64_t n, const int32_t row[], bench *w)
{
  const sal_policy_feature *of   = &g->cases->feature[f];
  question                  best = {UINT64_MAX, -1, 0};
  int64_t                   end[SAL_FEATURE_BINS], n_yes = 0, i = 0;

  sort_by(g, f, n, row, w->order, end);
  clear(g, &w->one);
  for (int b = 0; b < questions(of); ++b) {
    if (of->word) clear(g, &w->one);
    n_yes = (of->word ? 0 : n_yes) + g->whole.n[g->first[f] + b];
    for (; i < end[b]; ++i) add_case(g, w->order[i], &w->one);
    if (!large_enough(g, n_yes, n)) continue;
    subtract(g, &g->whole, &w->one, &w->other);
    const uint64_t cost = ask_once(g, &w->one, w->sum).cost + ask_once(g, &w->other, w->sum).cost;
    if (cost < best.cost) best = (question){cost, f, of->word ? b : b + 1};
  }
  return best;
}

/* The best question for the cases that `whole` has; a leaf costs `leaf`. */
static question ask(grower *g, int64_t n, const int32_t row[], int depth, uint64_t leaf)
{
  question of[SAL_MAX_FEATURE], best = {leaf, -1, 0};

  if (depth == 1) return ask_once(g, &g->whole, g->bench[0].sum);
#pragma omp parallel for schedule(dynamic) num_threads(g->n_thread)
  for (int f = 0; f < g->cases->n_feature; ++f)
    of[f] = ask_first(g, f, n, row, &g->bench[omp_get_thread_num()]);
  for (int f = 0; f < g->cases->n_feature; ++f)
    if (of[f].cost < best.cost) best = of[f];
  return best;
}

/* ---- the tree ---- */

static bool says_yes(const sal_policy_cases *c, int feature, int bin, int32_t row)
{
  const sal_policy_feature *f = &c->feature[feature];

  return f->word ? f->bin[row] == bin : f->bin[row] < bin;
}

/* Brings the cases with "yes" to the front, in their order. */
static int64_t divide(const grower *g, const question *q, int64_t n, int32_t row[])
{
  int32_t *later = g->bench[0].order;
  int64_t  n_yes = 0, n_no = 0;

  for (int64_t i = 0; i < n; ++i)
    if (says_yes(g->cases, q->feature, q->bin, row[i]))
      row[n_yes++] = row[i];
    else
      later[n_no++] = row[i];
  memcpy(row + n_yes, later, (size_t)n_no * sizeof *row);
  return n_yes;
}

/* Makes node `at` of the cases row [n], and, unless it is a leaf, asks a question. */
static question make_node(grower *g, sal_policy_tree_node *node, int64_t n, const int32_t row[])
{
  const int n_choice = g->cases->n_choice;
  uint64_t *sum      = g->bench[0].sum;

  clear(g, &g->whole);
  for (int64_t i = 0; i < n; ++i) add_case(g, row[i], &g->whole);
  add_up(g, &g->whole, sum);
  node->feature = -1;
  node->choice  = least_of(n_choice, sum);
  node->loss    = sum[node->choice];
  node->n       = n;
  if (node->depth == 0) g->price = (uint64_t)(g->limits.price * (double)node->loss);
  const question leaf = {node->loss + g->price, -1, 0};
  if (node->depth == g->limits.depth || node->loss == 0) return leaf;
  return ask(g, n, row, g->limits.depth - node->depth, leaf.cost);
}

/* Level by level. */
static void grow(grower *g, int64_t n, sal_policy_tree *tree)
{
  int64_t from[SAL_POLICY_TREE_NODES] = {0}, count[SAL_POLICY_TREE_NODES] = {n};

  *tree = (sal_policy_tree){.n = 1};
  for (int at = 0; at < tree->n; ++at) {
    sal_policy_tree_node *node = &tree->node[at];
    int32_t              *row  = g->row + from[at];
    const question        q    = make_node(g, node, count[at], row);
    if (q.feature < 0) continue;
    assert(tree->n + 2 <= SAL_POLICY_TREE_NODES);
    node->feature               = q.feature;
    node->bin                   = q.bin;
    node->yes                   = tree->n++;
    node->no                    = tree->n++;
    tree->node[node->yes].depth = tree->node[node->no].depth = node->depth + 1;
    from[node->yes]                                          = from[at];
    count[node->yes]                                         = divide(g, &q, count[at], row);
    from[node->no]                                           = from[at] + count[node->yes];
    count[node->no]                                          = count[at] - count[node->yes];
  }
}

static bool make_room(grower *g, int32_t n)
{
  bool all = make_table(g, &g->whole);

  g->row   = sal_alloc((size_t)n, sizeof *g->row);
  g->bench = sal_alloc((size_t)g->n_thread, sizeof *g->bench);
  for (int t = 0; g->bench && t < g->n_thread; ++t) {
    bench *w = &g->bench[t];
    w->sum   = sal_alloc(2 * (size_t)g->cases->n_choice, sizeof *w->sum);
    w->order = sal_alloc((size_t)n, sizeof *w->order);
    all      = make_table(g, &w->one) && make_table(g, &w->other) && w->sum && w->order && all;
  }
  return g->row && g->bench && all;
}

static void free_room(grower *g)
{
  for (int t = 0; g->bench && t < g->n_thread; ++t) {
    free_table(&g->bench[t].one);
    free_table(&g->bench[t].other);
    sal_free(g->bench[t].sum);
    sal_free(g->bench[t].order);
  }
  sal_free(g->bench);
  sal_free(g->row);
  free_table(&g->whole);
}

sal_err sal_policy_tree_fit(const sal_policy_cases *cases, int32_t n, const int32_t row[],
                            const sal_policy_tree_limits *limits, sal_policy_tree *out)
{
  grower g = {.cases = cases, .limits = *limits};

  assert(cases->n_feature > 0 && cases->n_feature <= SAL_MAX_FEATURE && cases->n_choice > 0);
  assert(n > 0 && limits->depth >= 0 && limits->depth <= SAL_POLICY_TREE_DEPTH &&
         limits->price >= 0);
  for (int f = 0; f < cases->n_feature; ++f) {
    g.first[f] = g.n_bin;
    g.n_bin += cases->feature[f].n_bin;
  }
  g.n_thread = omp_get_max_threads();
  if (g.n_thread > cases->n_feature) g.n_thread = cases->n_feature;
  const bool fits = make_room(&g, n);
  for (int32_t i = 0; fits && i < n; ++i) g.row[i] = row ? row[i] : i;
  if (fits) grow(&g, n, out);
  free_room(&g);
  return fits ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)n);
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
