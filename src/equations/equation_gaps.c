/** Which gaps each state moves, and groups of states without a gap in common: sal_gap_pattern. */
#include "equation_programs.h"
#include "memory.h"

/* States of a gap; more than there are groups are not all named. */
typedef struct {
  int n;
  uint16_t state[SAL_GAP_GROUPS + 1];
} row;

static row list_states(const sal_equation_pattern *p, int n)
{
  row out = {0};

  for (int i = 0; i < n && out.n <= SAL_GAP_GROUPS; ++i)
    if (sal_equation_pattern_has(p, i)) out.state[out.n++] = (uint16_t)i;
  return out;
}

/* The gaps of each state, by columns. */
static void transpose(const row of[], int n, int m, int first[], uint16_t gap[])
{
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < of[k].n; ++j) ++first[of[k].state[j] + 1];
  for (int i = 0; i < n; ++i) first[i + 1] += first[i];
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < of[k].n; ++j) gap[first[of[k].state[j]]++] = (uint16_t)k;
  for (int i = n; i > 0; --i) first[i] = first[i - 1];
  first[0] = 0;
}

/* The first group without a state that shares a gap with it, state by state; SAL_GAP_GROUPS: too few. */
static int group_of(const row of[], int i, const sal_gap_pattern *p, const unsigned char group[])
{
  bool taken[SAL_GAP_GROUPS + 1] = {false};
  int free_one = 0;

  for (int e = p->first[i]; e < p->first[i + 1]; ++e)
    for (int j = 0, k = p->gap[e]; j < of[k].n; ++j)
      if (of[k].state[j] < i) taken[group[of[k].state[j]]] = true;
  while (free_one < SAL_GAP_GROUPS && taken[free_one]) ++free_one;
  return free_one;
}

void sal_equation_gap_pattern(const sal_flow_programs *f, sal_gap_pattern *p)
{
  const int n = f->n_continuous, m = f->n_guard;
  SAL_OWN sal_equation_pattern *of =
      sal_equation_pattern_of(&f->guard, f->n_words + n + f->n_discrete + 1, n);
  SAL_OWN row *gaps = sal_alloc((size_t)m + 1, sizeof *gaps);

  if (m == 0 || !of || !gaps) return;
  for (int k = 0; k < m; ++k) {
    gaps[k] = list_states(&of[f->guard.out[m + k]], n);
    if (gaps[k].n > SAL_GAP_GROUPS) return;
  }
  unsigned char *group = sal_alloc((size_t)n, 1);
  int *first = sal_alloc((size_t)n + 1, sizeof *first);
  uint16_t *gap = sal_alloc((size_t)m * SAL_GAP_GROUPS, sizeof *gap);
  *p = (sal_gap_pattern){.group = group, .first = first, .gap = gap};
  if (!group || !first || !gap) return;
  transpose(gaps, n, m, first, gap);
  for (int i = 0; i < n; ++i) {
    group[i] = (unsigned char)group_of(gaps, i, p, group);
    if (group[i] == SAL_GAP_GROUPS) return;
  }
  for (int i = 0; i < n; ++i) p->n_group = group[i] < p->n_group ? p->n_group : group[i] + 1;
}

void sal_equation_gap_pattern_free(sal_gap_pattern *p) { sal_free_all(p->group, p->first, p->gap); }
