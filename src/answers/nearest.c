/** A sorted list that forgets what is too far. */
#include "base.h"
#include "neighbours.h"
#include "quantiles.h"

/* Cells of a regular grid are equally far but for rounding. */
static const double same_distance = 1 + 1e-9;

enum { FIRST_ROOM = 64 };

void sal_nearest_begin(sal_nearest *s, int k)
{
  s->k = k;
  s->n = 0;
  s->n_near = k;
  s->limit = INFINITY;
  s->out_of_memory = false;
}

static bool grow_list(sal_nearest *s)
{
  const int room = s->room ? 2 * s->room : FIRST_ROOM;
  sal_near_cell *at = sal_alloc((size_t)room, sizeof *at);

  s->out_of_memory = !at;
  if (!at) return false;
  if (s->n) memcpy(at, s->at, (size_t)s->n * sizeof *at);
  sal_free(s->at);
  s->at = at;
  s->room = room;
  return true;
}

/* After the k-th and its equals one cell is kept: the next one. */
void sal_nearest_offer(sal_nearest *s, int64_t cell, double d2)
{
  if (!(d2 <= s->limit) || s->out_of_memory) return;
  if (s->n == s->room && !grow_list(s)) return;
  int p = s->n++;
  for (; p > 0 && s->at[p - 1].d2 > d2; --p) s->at[p] = s->at[p - 1];
  s->at[p] = (sal_near_cell){cell, d2};
  if (s->n < s->k) return;
  const double edge = s->at[s->k - 1].d2 * same_distance;
  if (p < s->k) s->n_near = s->k;
  while (s->n_near < s->n && s->at[s->n_near].d2 <= edge) ++s->n_near;
  if (s->n_near == s->n) return;
  s->limit = s->at[s->n_near].d2;
  s->n = s->n_near + 1;
}

double sal_nearest_end(sal_nearest *s)
{
  double far = 0;

  if (s->n < s->k) s->n_near = s->n;
  if (s->n_near > 0) far = sqrt(s->at[s->n_near - 1].d2);
  const double next = s->n_near < s->n ? sqrt(s->at[s->n_near].d2) : far > 0 ? 1.25 * far : 1;
  sal_quantiles_sort_wholes(s->n_near, sizeof *s->at, s->at);
  return next;
}

void sal_nearest_free(sal_nearest *s)
{
  sal_free(s->at);
  *s = (sal_nearest){0};
}
