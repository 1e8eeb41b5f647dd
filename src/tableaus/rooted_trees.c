/** A tree of n vertices is a multiset of trees of n - 1 vertices in all. */
#include "base.h"
#include "tableau_reading.h"

typedef const sal_exact matrix[][SAL_MAX_STAGE];

static void multiply(int n, matrix m, const sal_exact x[], sal_exact out[])
{
  for (int i = 0; i < n; ++i) {
    out[i] = 0;
    for (int j = 0; j < n; ++j) out[i] += m[i][j] * x[j];
  }
}

typedef struct {
  sal_rooted_trees *all;
  const sal_exact (*a)[SAL_MAX_STAGE], (*gamma)[SAL_MAX_STAGE];
  int child[SAL_TREES_ORDER], n_child;
} maker;

static void weigh(const maker *m, sal_rooted_tree *t)
{
  const sal_rooted_trees *all = m->all;
  sal_exact density = t->order;

  for (int i = 0; i < all->stages; ++i) t->weight[i] = 1;
  for (int c = 0; c < t->n_child; ++c) {
    const sal_rooted_tree *son = &all->tree[t->child[c]];
    const sal_exact *by = t->gamma ? son->inexact : t->n_child == 1 ? son->single : son->among;
    for (int i = 0; i < all->stages; ++i) t->weight[i] *= by[i];
    density = son->target == 0 ? 0 : density / son->target;
  }
  t->target = density == 0 || t->gamma ? 0 : 1 / density;
  multiply(all->stages, m->a, t->weight, t->among);
  memcpy(t->single, t->among, sizeof t->single);
  if (!m->gamma) return;
  multiply(all->stages, m->gamma, t->weight, t->inexact);
  if (all->kind == SAL_TREES_ROSENBROCK)
    for (int i = 0; i < all->stages; ++i) t->single[i] += t->inexact[i];
}

static void add_tree(maker *m, int order, bool gamma)
{
  assert(m->all->n < SAL_TREES_MOST);
  sal_rooted_tree *t = &m->all->tree[m->all->n];

  *t = (sal_rooted_tree){.order = order, .n_child = m->n_child, .gamma = gamma};
  memcpy(t->child, m->child, sizeof t->child);
  weigh(m, t);
  ++m->all->n;
}

/* All ways to hang `left` vertices as sons of numbers up to `last`. */
static void add_sons(maker *m, int order, int left, int last)
{
  if (left == 0) {
    add_tree(m, order, false);
    if (m->n_child == 1 && m->all->kind == SAL_TREES_W) add_tree(m, order, true);
    return;
  }
  for (int i = last; i >= 0; --i) {
    if (m->all->tree[i].order > left) continue;
    m->child[m->n_child++] = i;
    add_sons(m, order, left - m->all->tree[i].order, i);
    --m->n_child;
  }
}

void sal_rooted_trees_make(sal_rooted_trees *trees, sal_trees_kind kind, int stages, matrix a,
                           matrix gamma, int most)
{
  maker m = {.all = trees, .a = a, .gamma = kind == SAL_TREES_RUNGE_KUTTA ? NULL : gamma};

  trees->kind = kind;
  trees->stages = stages;
  trees->n = 0;
  trees->most = most;
  for (int order = 1; order <= most; ++order) add_sons(&m, order, order - 1, trees->n - 1);
}

typedef struct {
  const sal_rooted_trees *all;
  char *text;
  size_t used;
  int letters;
} writer;

static void put(writer *w, const char *word)
{
  const int n = snprintf(w->text + w->used, SAL_TREES_TEXT - w->used, "%s", word);

  if (n > 0 && w->used + (size_t)n < SAL_TREES_TEXT) w->used += (size_t)n;
}

/* The matrix over which the sons of a vertex are summed. */
static const char *matrix_name(const sal_rooted_trees *all, const sal_rooted_tree *t)
{
  if (t->gamma) return "gamma";
  return all->kind == SAL_TREES_ROSENBROCK && t->n_child == 1 ? "(a+gamma)" : "a";
}

static void put_vertex(writer *w, const sal_rooted_tree *t, char letter)
{
  const char *matrix_of = matrix_name(w->all, t);
  char word[32];
  int leaves = 0;

  for (int c = 0; c < t->n_child; ++c) leaves += w->all->tree[t->child[c]].n_child == 0;
  if (leaves > 0) {
    snprintf(word, sizeof word, " %s_%c", strcmp(matrix_of, "a") == 0 ? "c" : matrix_of, letter);
    put(w, word);
    snprintf(word, sizeof word, "^%d", leaves);
    if (leaves > 1) put(w, word);
  }
  for (int c = 0; c < t->n_child; ++c) {
    const sal_rooted_tree *son = &w->all->tree[t->child[c]];
    if (son->n_child == 0) continue;
    const char next = (char)('i' + ++w->letters);
    snprintf(word, sizeof word, " %s_%c%c", matrix_of, letter, next);
    put(w, word);
    put_vertex(w, son, next);
  }
}

const char *sal_rooted_trees_say(const sal_rooted_trees *trees, int tree, const char *weights,
                                 char text[SAL_TREES_TEXT])
{
  writer w = {.all = trees, .text = text};

  text[0] = '\0';
  put(&w, "sum ");
  put(&w, weights);
  put(&w, "_i");
  put_vertex(&w, &trees->tree[tree], 'i');
  return text;
}
