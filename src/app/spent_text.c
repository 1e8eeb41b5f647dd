/** Times with the prefix that suits them. */
#include "spent_text.h"

static const struct {
  double size;
  const char *unit;
} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
enum { N_UNIT = sizeof units / sizeof *units };

const char *sal_spent_text(const sal_performance_table *t, double work, char text[SAL_SPENT_TEXT])
{
  int i = 0;

  if (!t->weights.time) {
    snprintf(text, SAL_SPENT_TEXT, "%.4g", work);
    return text;
  }
  while (i < N_UNIT - 1 && work < units[i].size) ++i;
  snprintf(text, SAL_SPENT_TEXT, "%.3g %s", work / units[i].size, units[i].unit);
  return text;
}

void sal_spent_text_put(sal_report *r, const sal_performance_table *t)
{
  const sal_step_cost *time = t->weights.time;
  char text[SAL_SPENT_TEXT], at_once[SAL_STEP_COST_LANES];

  sal_json_number(&r->json, "f_costs", time ? time->field : NAN);
  if (!time) return;
  sal_json_members(&r->json, "lanes %d, steps_of %s", time->lanes, time->machine);
  sal_report_say(r, "work is a time: %s for one f, and the time of steps on %s%s\n",
                 sal_spent_text(t, time->field, text), time->machine,
                 sal_step_cost_lanes(time, at_once));
}
