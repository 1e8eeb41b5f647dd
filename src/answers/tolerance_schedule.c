/** @file src/answers/tolerance_schedule.c
 *  Contenders in the order of their tolerances.
 */
#include "tolerance_schedule.h"
#include "contender.h"

void sal_tolerance_schedule_order(const sal_sweep *s, int order[])
{
  for (int t = 0; t < s->n_tolerance; ++t) {
    int at = t;
    for (; at > 0 && s->tolerance[order[at - 1]] < s->tolerance[t]; --at) order[at] = order[at - 1];
    order[at] = t;
  }
}

sal_tolerance_schedule sal_tolerance_schedule_of(const sal_sweep *s, int strategy, int method)
{
  int                    order[SAL_MAX_LIST];
  sal_tolerance_schedule l = {0};

  if (s->left_out[strategy][method]) return l;
  sal_tolerance_schedule_order(s, order);
  for (; l.n < s->n_tolerance; ++l.n)
    l.level[l.n] = sal_contender_encode(s, (sal_contender){order[l.n], strategy, method});
  return l;
}

int sal_tolerance_schedule_level(const sal_sweep *s, int contender, sal_tolerance_schedule *l)
{
  const sal_contender at = sal_contender_decode(s, contender);

  *l = sal_tolerance_schedule_of(s, at.strategy, at.method);
  for (int i = 0; i < l->n; ++i)
    if (l->level[i] == contender) return i;
  return -1;
}
