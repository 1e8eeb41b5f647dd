/** Which gaps each state moves, and groups of states without a gap in common: sal_gap_pattern. */
#include "equation_programs.h"
#include "memory.h"

/** Walks from the rate of each gap to the slopes that it is made of; a gap of more states than groups has no pattern. */
typedef struct {
  const sal_graph *g;
  int *seen;  /* [g->n] 1 + the last gap whose walk met this node */
  int *stack; /* [3 g->n + 1] */
  int *count; /* [gaps] states of each */
  uint16_t (*state)[SAL_GAP_GROUPS];
} rows;

static void drop_rows(rows *w)
{
  sal_free(w->seen);
  sal_free(w->stack);
  sal_free(w->count);
  sal_free(w->state);
}

static bool find_row(rows *w, int k, int rate)
{
  int depth = 0;

  w->stack[depth++] = rate;
  while (depth > 0) {
    const int at = w->stack[--depth];
    const sal_graph_node *node = &w->g->node[at];
    const int operand[] = {node->a, node->b, node->c}, m = sal_graph_operands(node);
    if (w->seen[at] == 1 + k) continue;
    w->seen[at] = 1 + k;
    for (int i = 0; i < m && i < 3; ++i) w->stack[depth++] = operand[i];
    if (node->kind != SAL_GRAPH_SLOPE) continue;
    if (w->count[k] == SAL_GAP_GROUPS) return false;
    w->state[k][w->count[k]++] = (uint16_t)node->a;
  }
  return true;
}

static bool find_rows(rows *w, const sal_graph *g, int m, const int rate[])
{
  const size_t n = (size_t)g->n, k = (size_t)m;

  *w = (rows){.g = g,
              .seen = sal_alloc(n, sizeof *w->seen),
              .stack = sal_alloc(3 * n + 1, sizeof *w->stack),
              .count = sal_alloc(k, sizeof *w->count),
              .state = sal_alloc(k, sizeof *w->state)};
  bool found = w->seen && w->stack && w->count && w->state;
  for (int i = 0; found && i < m; ++i) found = find_row(w, i, rate[i]);
  return found;
}

/* The gaps of each state, by columns. */
static void transpose(const rows *w, int n, int m, int first[], uint16_t gap[])
{
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < w->count[k]; ++j) ++first[w->state[k][j] + 1];
  for (int i = 0; i < n; ++i) first[i + 1] += first[i];
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < w->count[k]; ++j) gap[first[w->state[k][j]]++] = (uint16_t)k;
  for (int i = n; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

/* The first group without a state that shares a gap with it, state by state; SAL_GAP_GROUPS: too few. */
static int group_of(const rows *w, int i, const sal_gap_pattern *p, const unsigned char group[])
{
  bool taken[SAL_GAP_GROUPS + 1] = {false};
  int free_one = 0;

  for (int e = p->first[i]; e < p->first[i + 1]; ++e)
    for (int j = 0, k = p->gap[e]; j < w->count[k]; ++j)
      if (w->state[k][j] < i) taken[group[w->state[k][j]]] = true;
  while (taken[free_one] && free_one < SAL_GAP_GROUPS) ++free_one;
  return free_one;
}

void sal_equation_gap_pattern(const sal_graph *graph, int n, int m, const int rate[],
                              sal_gap_pattern *p)
{
  SAL_OWN_BY(drop_rows) rows w = {0};

  if (m == 0 || !find_rows(&w, graph, m, rate)) return;
  unsigned char *group = sal_alloc((size_t)n, 1);
  int *first = sal_alloc((size_t)n + 1, sizeof *first);
  uint16_t *gap = sal_alloc((size_t)m * SAL_GAP_GROUPS, sizeof *gap);
  *p = (sal_gap_pattern){.group = group, .first = first, .gap = gap};
  if (!group || !first || !gap) return;
  transpose(&w, n, m, first, gap);
  for (int i = 0; i < n; ++i) {
    group[i] = (unsigned char)group_of(&w, i, p, group);
    if (group[i] == SAL_GAP_GROUPS) return;
  }
  for (int i = 0; i < n; ++i) p->n_group = group[i] < p->n_group ? p->n_group : group[i] + 1;
}

void sal_equation_gap_pattern_free(sal_gap_pattern *p)
{
  sal_free((void *)p->group);
  sal_free((void *)p->first);
  sal_free((void *)p->gap);
}
