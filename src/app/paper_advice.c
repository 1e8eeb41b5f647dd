/** @file src/app/paper_advice.c
 *  From the points of Table 3 to a method for each tolerance.
 */
#include "paper_advice.h"
#include "contender.h"
#include "published.h"
#include <math.h>
#include <string.h>

enum { SWITCH }; /* the strategy of Table 3 */

/* The published tolerance nearest by ratio; they go from loose to tight. */
static int nearest_published(double tolerance)
{
  int best = 0;

  for (int i = 1; i < SAL_PUBLISHED_TOLERANCES; ++i)
    if (fabs(log(sal_published_tolerance[i] / tolerance)) <
        fabs(log(sal_published_tolerance[best] / tolerance)) * (1 - 1e-9))
      best = i;
  return best;
}

/* The method with most points of those that may win; -1: none of them is in the paper. */
static int advised_method(const sal_sweep *s, const bool method[], int tolerance)
{
  double most = -INFINITY;
  int    best = -1;

  for (int m = 0; m < s->n_method; ++m) {
    const int row = sal_published_find_method(s->method[m]->name);
    if (row < 0 || !method[m]) continue;
    const double *p   = sal_published_points[SWITCH][tolerance][row];
    const double  sum = 2 * p[SAL_PUBLISHED_SD] + p[SAL_PUBLISHED_IAE];
    if (sum > most) most = sum, best = m;
  }
  return best;
}

sal_tolerance_schedule sal_paper_advice(const sal_sweep *s, const bool method[],
                                        const bool strategy[])
{
  int                    order[SAL_MAX_LIST], at = 0;
  sal_tolerance_schedule l = {0};

  while (at < s->n_strategy && strcmp(s->strategy[at]->name, sal_published_strategy[SWITCH]) != 0)
    ++at;
  if (at == s->n_strategy || !strategy[at]) return l;
  sal_tolerance_schedule_order(s, order);
  for (int i = 0; i < s->n_tolerance; ++i) {
    const int m = advised_method(s, method, nearest_published(s->tolerance[order[i]]));
    if (m < 0) return (sal_tolerance_schedule){0};
    l.level[l.n++] = sal_contender_encode(s, (sal_contender){order[i], at, m});
  }
  return l;
}
