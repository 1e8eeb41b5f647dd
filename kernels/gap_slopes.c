/** Rates of the gaps along groups of states, and along one. */
#include "gap_slopes.h"
#include "program.h"

static const sal_gap_pattern *pattern_of(const sal_gap_slopes *g)
{
  const sal_gap_pattern *p =
      g->at->in_row || !g->at->parts || !g->s->model ? NULL : g->s->model->pattern;
  sal_m closed = sal_none();

  for (int k = 0; p && p->open && k < g->at->n; ++k) closed |= g->s->phase.closed[k];
  return sal_any(closed) ? NULL : p;
}

static sal_v slope_of(const sal_gap_slopes *g, int i) { return g->by ? g->by[i] : sal_set(1); }

static void look(const sal_gap_slopes *g, sal_v rate[])
{
  sal_contacts_look(g->s, g->at, sal_none(), g->s->t, g->s->y, g->at->yb, g->gap, rate);
}

void sal_gap_slopes_begin(const sal_gap_slopes *g)
{
  const sal_gap_pattern *p = pattern_of(g);
  sal_v *dy = g->at->yb;
  const int n = g->s->n;

  for (int i = 0; i < n; ++i) dy[i] = sal_set(0);
  look(g, g->at->late);
  for (int group = 0; p && group < p->n_group; ++group) {
    for (int i = 0; i < n; ++i) dy[i] = p->group[i] == group ? slope_of(g, i) : sal_set(0);
    look(g, g->at->parts + group * g->at->n);
  }
  for (int i = 0; i < n; ++i) dy[i] = sal_set(0);
}

sal_gap_column sal_gap_slopes_along(const sal_gap_slopes *g, int i)
{
  const sal_gap_pattern *p = pattern_of(g);

  if (p)
    return (sal_gap_column){p->first[i + 1] - p->first[i], p->gap + p->first[i],
                            g->at->parts + p->group[i] * g->at->n};
  g->at->yb[i] = slope_of(g, i);
  look(g, g->rate);
  g->at->yb[i] = sal_set(0);
  return (sal_gap_column){g->at->n, NULL, g->rate};
}
