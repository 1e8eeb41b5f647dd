/** Sets of cells as bits, and chains of those that are equal. */
#include "base.h"
#include "local_forecast.h"
#include "scramble.h"

enum { BITS = 64 };

sal_err sal_gap_groups_create(int n, sal_gap_groups *g)
{
  const size_t room = (size_t)n;

  *g = (sal_gap_groups){.n = n,
                        .next = sal_alloc(room, sizeof *g->next),
                        .leads = sal_alloc(room, sizeof *g->leads),
                        .missed = sal_alloc(room, sizeof *g->missed),
                        .last = sal_alloc(room, sizeof *g->last),
                        .chained = sal_alloc(room, sizeof *g->chained)};
  return g->next && g->leads && g->missed && g->last && g->chained
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for planes");
}

void sal_gap_groups_free(sal_gap_groups *g)
{
  sal_free_all(g->next, g->leads, g->missed, g->last, g->chained);
  *g = (sal_gap_groups){0};
}

/* All configurations side by side, as rows lie in memory. */
static void find_missed(sal_gap_groups *g, int n_cell, const double *const row[])
{
  for (int k = 0; k < g->n; ++k) g->missed[k] = 0;
  for (int i = 0; i < n_cell; ++i)
    for (int k = 0; k < g->n; ++k) g->missed[k] |= (uint64_t)(isnan(row[i][k]) != 0) << i;
}

/* The leader of the group that configuration k joins; -1: it is the first of one. */
static int leader_of(const sal_gap_groups *g, int head, int k)
{
  int leader = head;

  while (leader >= 0 && g->missed[leader] != g->missed[k]) leader = g->chained[leader];
  return leader;
}

void sal_gap_groups_make(sal_gap_groups *g, int n_cell, const double *const row[],
                         const bool has_gaps[])
{
  const bool known = n_cell <= BITS;

  if (known) find_missed(g, n_cell, row);
  for (int h = 0; h < SAL_MISSED_HEADS; ++h) g->head[h] = -1;
  for (int k = 0; k < g->n; ++k) {
    g->next[k] = -1;
    g->leads[k] = false;
    if (!has_gaps[k]) continue;
    int *const head = &g->head[known ? sal_scramble(g->missed[k]) % SAL_MISSED_HEADS : 0];
    const int leader = known ? leader_of(g, *head, k) : -1;
    g->leads[k] = leader < 0;
    if (leader >= 0) {
      g->next[g->last[leader]] = k;
      g->last[leader] = k;
      continue;
    }
    g->last[k] = k;
    g->chained[k] = *head;
    *head = k;
  }
}
