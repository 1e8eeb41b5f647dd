/** @file src/app/spent_text.c
 *  Times with the prefix that suits them.
 */
#include "spent_text.h"
#include "step_cost.h"
#include <stdio.h>

static const struct {
  double size;
  const char *unit;
} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
enum { N_UNIT = sizeof units / sizeof *units };

const char *sal_spent_text(const sal_performance_table *t, double work, char text[SAL_SPENT_TEXT])
{
  int i = 0;

  if (!(t->weights.seconds > 0)) {
    snprintf(text, SAL_SPENT_TEXT, "%.4g", work);
    return text;
  }
  while (i < N_UNIT - 1 && work < units[i].size) ++i;
  snprintf(text, SAL_SPENT_TEXT, "%.3g %s", work / units[i].size, units[i].unit);
  return text;
}

void sal_spent_text_put(sal_report *r, const sal_performance_table *t)
{
  const bool timed = t->weights.seconds > 0;
  char text[SAL_SPENT_TEXT];

  sal_json_number(&r->json, "f_costs", timed ? t->weights.seconds : NAN);
  if (timed)
    sal_report_say(r, "work is a time: %s for one f, and the time of steps on %s\n",
                   sal_spent_text(t, t->weights.seconds, text), sal_step_cost_machine);
}
