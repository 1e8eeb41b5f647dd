/** @file src/answers/policy_grow.c
 *  Growing policy trees, level by level and side by side.
 *
 *  Trees of folds ask the same first questions for the most part.  As long as they do, their cases are added up once: the sums
 *  of a tree are those of all cases less those of its fold.
 */
#include "memory.h"
#include "policy_question.h"
#include "policy_tree.h"
#include <assert.h>
#include <string.h>

enum { TREES = 1 + SAL_POLICY_FOLDS, GROUPS = TREES << SAL_POLICY_TREE_DEPTH, NONE = -1 };

/* Cases that the same answers lead to, in one tree or in several. */
typedef struct {
  int64_t from, n;               /* among the rows of the level: cases of this part */
  int parent, feature, bin, yes; /* the answer that leads there from a group of the level above */
  int node[TREES];               /* NONE: the tree has none there */
} group;

typedef struct {
  int n;
  group at[GROUPS];
  int32_t *row; /* [trees][cases] */
  int64_t used; /* of row */
} level;

typedef struct {
  sal_policy_sums one;
  sal_policy_pairs two; /* empty with depth 1 */
} sums;

typedef struct {
  const sal_policy_bins *bins;
  const sal_policy_folds *folds;
  int n_tree;
  const sal_policy_tree_limits *limits; /* [n_tree] */
  sal_policy_leaves leaves[TREES];
  sal_policy_tree *tree; /* [n_tree] */
  sal_policy_question asked[TREES][SAL_POLICY_TREE_NODES];
  sal_policy_search search;
  sums whole, own;       /* of the cases of a group, and of those that a tree has of them */
  int32_t *some, *order; /* [cases] */
  level now, next;
} grower;

static const sal_policy_cases *cases_of(const grower *g) { return g->bins->cases; }

static bool is_in(const group *at, int tree) { return at->node[tree] != NONE; }

/* The tree of a group that is of no other; NONE: several. */
static int only_tree(const grower *g, const group *at)
{
  int only = NONE, n = 0;

  for (int t = 0; t < g->n_tree; ++t)
    if (is_in(at, t)) only = t, ++n;
  return n == 1 ? only : NONE;
}

/* ---- sums ---- */

static sal_err add_up_one(const grower *g, int64_t n, const int32_t row[], sums *out)
{
  sal_policy_sums_clear(g->bins, &out->one);
  for (int64_t i = 0; i < n; ++i) sal_policy_sums_add_case(g->bins, row[i], &out->one);
  return sal_policy_sums_share(g->bins, &out->one);
}

static sal_err add_up_two(grower *g, int64_t n, const int32_t row[], sums *out)
{
  sal_policy_pairs_fill(g->bins, n, row, g->order, &out->two);
  return sal_policy_pairs_share(g->bins, &out->two);
}

/* The cases of the group that lie in the fold of a tree, or those that do not. */
static int64_t list_fold(const grower *g, const group *at, int tree, bool inside, int32_t out[])
{
  const int32_t *row = g->now.row + at->from;
  int64_t n = 0;

  for (int64_t i = 0; i < at->n; ++i)
    if ((g->folds->of[row[i]] == tree - 1) == inside) out[n++] = row[i];
  return n;
}

/* Sums of a tree in a group, once those of the whole group are known: these, or its own. */
static sal_err own_sums(grower *g, const group *at, int tree, bool pairs, const sums **out)
{
  *out = &g->whole;
  if (tree == 0 || only_tree(g, at) == tree) return SAL_OK;
  const int64_t n = list_fold(g, at, tree, true, g->some);
  SAL_TRY(add_up_one(g, n, g->some, &g->own));
  sal_policy_sums_subtract(g->bins, &g->whole.one, &g->own.one, &g->own.one);
  *out = &g->own;
  if (!pairs) return SAL_OK;
  SAL_TRY(add_up_two(g, n, g->some, &g->own));
  sal_policy_pairs_subtract(g->bins, &g->whole.two, &g->own.two, &g->own.two);
  return SAL_OK;
}

/* ---- nodes ---- */

static sal_policy_tree_node *node_of(const grower *g, const group *at, int tree)
{
  return &g->tree[tree].node[at->node[tree]];
}

/* Makes the nodes of a group.  *deep: some tree asks two questions ahead. */
static sal_err make_nodes(grower *g, const group *at, bool *deep)
{
  const sums *own;

  *deep = false;
  for (int t = 0; t < g->n_tree; ++t) {
    if (!is_in(at, t)) continue;
    sal_policy_tree_node *node = node_of(g, at, t);
    sal_policy_question *asked = &g->asked[t][at->node[t]];
    const int left = g->limits[t].depth - node->depth;
    SAL_TRY(own_sums(g, at, t, false, &own));
    node->feature = -1;
    node->n = sal_policy_search_leaf(&g->search, &own->one, &node->choice, &node->cost);
    if (node->depth == 0)
      g->leaves[t] = (sal_policy_leaves){g->limits[t].least,
                                         (uint64_t)(g->limits[t].price * (double)node->cost)};
    *asked = (sal_policy_question){node->cost + g->leaves[t].price, -1, 0};
    if (left == 1 && node->cost > 0)
      *asked = sal_policy_search_once(&g->search, &g->leaves[t], &own->one);
    *deep = *deep || (left > 1 && node->cost > 0);
  }
  return SAL_OK;
}

/* Of nodes that look two questions ahead. */
static sal_err look_ahead(grower *g, const group *at)
{
  const sums *own;

  SAL_TRY(add_up_two(g, at->n, g->now.row + at->from, &g->whole));
  for (int t = 0; t < g->n_tree; ++t) {
    if (!is_in(at, t)) continue;
    const sal_policy_tree_node *node = node_of(g, at, t);
    sal_policy_question *asked = &g->asked[t][at->node[t]];
    if (node->cost == 0) continue;
    SAL_TRY(own_sums(g, at, t, true, &own));
    *asked =
        sal_policy_search_twice(&g->search, &g->leaves[t], node->n, &own->one, &own->two, *asked);
  }
  return SAL_OK;
}

/* What a fold has left to itself is left for good. */
static sal_err ask_group(grower *g, group *at)
{
  const int only = only_tree(g, at);
  bool deep;

  if (only > 0) at->n = list_fold(g, at, only, false, g->now.row + at->from);
  SAL_TRY(add_up_one(g, at->n, g->now.row + at->from, &g->whole));
  SAL_TRY(make_nodes(g, at, &deep));
  return deep ? look_ahead(g, at) : SAL_OK;
}

/* ---- levels ---- */

/* The group below number `parent` that an answer leads to, made if it is not there. */
static group *group_below(grower *g, int parent, const sal_policy_question *q, int yes)
{
  const group *from = &g->now.at[parent];
  const sal_policy_feature *feature = &cases_of(g)->feature[q->feature];
  level *next = &g->next;
  int i = 0;

  while (i < next->n && !(next->at[i].parent == parent && next->at[i].feature == q->feature &&
                          next->at[i].bin == q->bin && next->at[i].yes == yes))
    ++i;
  if (i < next->n) return &next->at[i];
  assert(next->n < GROUPS);
  group *at = &next->at[next->n++];
  *at = (group){
      .from = next->used, .parent = parent, .feature = q->feature, .bin = q->bin, .yes = yes};
  for (int t = 0; t < TREES; ++t) at->node[t] = NONE;
  for (int64_t k = 0; k < from->n; ++k) {
    const int32_t row = g->now.row[from->from + k];
    if (sal_policy_feature_says_yes(feature, q->bin, row) == (bool)yes)
      next->row[at->from + at->n++] = row;
  }
  next->used += at->n;
  return at;
}

static int group_of_node(const grower *g, int tree, int node)
{
  int i = 0;

  while (g->now.at[i].node[tree] != node) ++i;
  return i;
}

/* The nodes below those of this level, in their order. */
static void divide_level(grower *g, int t, int first, int end)
{
  sal_policy_tree *tree = &g->tree[t];

  for (int at = first; at < end; ++at) {
    const sal_policy_question *q = &g->asked[t][at];
    if (q->feature < 0) continue;
    assert(tree->n + 2 <= SAL_POLICY_TREE_NODES);
    sal_policy_tree_node *node = &tree->node[at];
    node->feature = q->feature;
    node->bin = q->bin;
    node->yes = tree->n++;
    node->no = tree->n++;
    tree->node[node->yes].depth = tree->node[node->no].depth = node->depth + 1;
    const int parent = group_of_node(g, t, at);
    group_below(g, parent, q, 1)->node[t] = node->yes;
    group_below(g, parent, q, 0)->node[t] = node->no;
  }
}

static void begin_level(grower *g, const level *from)
{
  int32_t *const row = g->now.row;

  g->now = *from;
  g->next.row = row;
  g->next.n = 0;
  g->next.used = 0;
}

static void begin_root(grower *g)
{
  const int32_t n = cases_of(g)->n;

  g->now.n = 1;
  g->now.at[0] = (group){.n = n, .parent = NONE};
  for (int t = 0; t < TREES; ++t) g->now.at[0].node[t] = t < g->n_tree ? 0 : NONE;
  for (int32_t i = 0; i < n; ++i) g->now.row[i] = i;
  for (int t = 0; t < g->n_tree; ++t) g->tree[t] = (sal_policy_tree){.n = 1};
}

static sal_err grow(grower *g)
{
  int first[TREES] = {0};

  begin_root(g);
  while (g->now.n > 0) {
    for (int i = 0; i < g->now.n; ++i) SAL_TRY(ask_group(g, &g->now.at[i]));
    for (int t = 0; t < g->n_tree; ++t) {
      const int end = g->tree[t].n;
      divide_level(g, t, first[t], end);
      first[t] = end;
    }
    const level below = g->next;
    begin_level(g, &below);
  }
  return SAL_OK;
}

/* ---- from the beginning to the end ---- */

static bool alloc_sums(const grower *g, sums *out)
{
  return sal_policy_sums_create(g->bins, &out->one) &&
         (g->limits->depth < 2 || sal_policy_pairs_create(g->bins, &out->two));
}

static bool alloc_grower(grower *g)
{
  const size_t n = (size_t)cases_of(g)->n;

  g->some = sal_alloc(n, sizeof *g->some);
  g->order = sal_alloc(n, sizeof *g->order);
  g->now.row = sal_alloc(n * (size_t)g->n_tree, sizeof *g->now.row);
  g->next.row = sal_alloc(n * (size_t)g->n_tree, sizeof *g->next.row);
  return g->some && g->order && g->now.row && g->next.row &&
         sal_policy_search_create(g->bins, &g->search) && alloc_sums(g, &g->whole) &&
         (g->n_tree == 1 || alloc_sums(g, &g->own));
}

static void free_grower(grower **grown)
{
  grower *g = *grown;

  if (!g) return;
  sal_policy_search_free(&g->search);
  sal_policy_sums_free(&g->whole.one);
  sal_policy_pairs_free(&g->whole.two);
  sal_policy_sums_free(&g->own.one);
  sal_policy_pairs_free(&g->own.two);
  sal_free(g->some);
  sal_free(g->order);
  sal_free(g->now.row);
  sal_free(g->next.row);
  sal_free(g);
}

sal_err sal_policy_tree_fit_folds(const sal_policy_cases *cases, const sal_policy_folds *folds,
                                  const sal_policy_tree_limits limits[], sal_policy_tree out[])
{
  assert(cases->n_feature > 0 && cases->n_feature <= SAL_MAX_FEATURE && cases->n_choice > 0);
  assert(folds->n >= 0 && folds->n <= SAL_POLICY_FOLDS && limits->depth >= 0 &&
         limits->depth <= SAL_POLICY_TREE_DEPTH && limits->price >= 0);

  const sal_policy_bins bins = sal_policy_bins_of(cases);
  SAL_OWN_BY(free_grower) grower *g = sal_alloc(1, sizeof *g);
  if (g)
    *g = (grower){
        .bins = &bins, .folds = folds, .n_tree = 1 + folds->n, .limits = limits, .tree = out};
  SAL_TRY(sal_policy_parts_agree(
      cases->parts,
      g && alloc_grower(g)
          ? SAL_OK
          : sal_fail(SAL_ERR_MEMORY, "no memory for rules about %d cells", (int)cases->n)));
  assert(g);
  return grow(g);
}

sal_err sal_policy_tree_fit(const sal_policy_cases *cases, const sal_policy_tree_limits *limits,
                            sal_policy_tree *out)
{
  return sal_policy_tree_fit_folds(cases, &(sal_policy_folds){.n = 0}, limits, out);
}
