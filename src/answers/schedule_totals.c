/** Schedules of the candidates of a place. */
#include "schedule.h"

static const double half = 0.5;

static int place_of(const sal_surrogate_totals *t, int pair, int step)
{
  return pair * t->steps->n + step;
}

void sal_schedule_of_totals(sal_schedule *p, const sal_surrogate_totals *t)
{
  p->n = 0;
  for (int pair = 0; pair < t->n_pair; ++pair)
    for (int i = 0; i < t->steps->n_candidate && t->allowed[pair]; ++i) {
      const int at = place_of(t, pair, i);
      if (isnan(t->work[at])) continue;
      sal_schedule_add(p, (sal_attempt){pair, i, t->work[at], t->probability[at]});
    }
  sal_schedule_close(p, t->fallback);
}

sal_surrogate_pick sal_schedule_least(const sal_schedule *p, const sal_surrogate_totals *t,
                                      int pair)
{
  sal_surrogate_pick best = {pair, -1, INFINITY};

  for (int i = t->steps->n_candidate - 1; i >= 0 && t->allowed[pair]; --i) {
    const int at = place_of(t, pair, i);
    if (isnan(t->work[at]) || t->work[at] > best.total || t->probability[at] < half) continue;
    const double total = sal_schedule_total(p, t->work[at], t->probability[at]);
    if (total <= best.total) best = (sal_surrogate_pick){pair, i, total};
  }
  return best;
}

sal_surrogate_pick sal_schedule_best(const sal_schedule *p, const sal_surrogate_totals *t)
{
  sal_surrogate_pick best = {-1, -1, INFINITY};

  for (int pair = 0; pair < t->n_pair; ++pair) {
    const sal_surrogate_pick own = sal_schedule_least(p, t, pair);
    if (own.step >= 0 && own.total < best.total) best = own;
  }
  return best;
}

sal_surrogate_choice sal_schedule_choice(const sal_schedule *p, const sal_surrogate_totals *t,
                                         sal_surrogate_pick pick)
{
  sal_surrogate_choice c = sal_surrogate_totals_choice(t, pick);

  if (pick.step >= 0) c.total = sal_schedule_total(p, c.work, c.probability);
  return c;
}

int sal_schedule_list(const sal_schedule *p, const sal_surrogate_totals *t,
                      const sal_surrogate_choice *first, sal_surrogate_choice out[])
{
  int n = 0;

  out[n++] = *first;
  for (int i = sal_schedule_next(p, first->probability); i >= 0; i = p->next[i])
    out[n++] = sal_schedule_choice(p, t, (sal_surrogate_pick){p->at[i].pair, p->at[i].step, NAN});
  return n;
}
