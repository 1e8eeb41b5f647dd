/** @file src/answers/tries_totals.c
 *  Plans of the candidates of a place.
 */
#include "tries.h"
#include <math.h>

static const double half = 0.5;

static int place_of(const sal_reader_totals *t, int pair, int step)
{
  return pair * t->schedule->n + step;
}

void sal_tries_of_totals(sal_tries *p, const sal_reader_totals *t)
{
  p->n = 0;
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->schedule->n_candidate && t->allowed[pair]; ++i) {
      const int at = place_of(t, pair, i);
      if (isnan(t->work[at])) continue;
      sal_tries_add(p, (sal_try){pair, i, t->work[at], t->probability[at]});
    }
  sal_tries_close(p, t->dearest);
}

sal_reader_pick sal_tries_least(const sal_tries *p, const sal_reader_totals *t, int pair)
{
  sal_reader_pick best = {pair, -1, INFINITY};

  for (int i = t->schedule->n_candidate - 1; i >= 0 && t->allowed[pair]; --i) {
    const int at = place_of(t, pair, i);
    if (isnan(t->work[at]) || t->work[at] > best.total || t->probability[at] < half) continue;
    const double total = sal_tries_total(p, t->work[at], t->probability[at]);
    if (total <= best.total) best = (sal_reader_pick){pair, i, total};
  }
  return best;
}

sal_reader_pick sal_tries_best(const sal_tries *p, const sal_reader_totals *t)
{
  sal_reader_pick best = {-1, -1, INFINITY};

  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_reader_pick own = sal_tries_least(p, t, pair);
    if (own.step >= 0 && own.total < best.total) best = own;
  }
  return best;
}

sal_reader_choice sal_tries_choice(const sal_tries *p, const sal_reader_totals *t,
                                   sal_reader_pick pick)
{
  sal_reader_choice c = sal_reader_totals_choice(t, pick);

  if (pick.step >= 0) c.total = sal_tries_total(p, c.work, c.probability);
  return c;
}

int sal_tries_list(const sal_tries *p, const sal_reader_totals *t, const sal_reader_choice *first,
                   sal_reader_choice out[])
{
  int n = 0;

  out[n++] = *first;
  for (int i = sal_tries_next(p, first->probability); i >= 0; i = p->next[i])
    out[n++] = sal_tries_choice(p, t, (sal_reader_pick){p->at[i].pair, p->at[i].step, NAN});
  return n;
}
