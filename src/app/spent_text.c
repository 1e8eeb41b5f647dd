/** Times with the prefix that suits them. */
#include "spent_text.h"
#include "base.h"

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

typedef struct {
  double size;
  const char *name;
} unit;

static const unit bytes_units[] = {
    {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}};
static const unit time_units[] = {{1e-3, "ms"}, {1, "s"},        {60, "min"},
                                  {3600, "h"},  {86400, "days"}, {86400 * 365.25, "years"}};
enum {
  N_BYTES = sizeof bytes_units / sizeof *bytes_units,
  N_TIME = sizeof time_units / sizeof *time_units
};

static const unit *unit_of(double value, int n, const unit all[])
{
  int i = 0;

  while (i < n - 1 && value >= all[i + 1].size) ++i;
  return &all[i];
}

static int digits(double number) { return number < 9.95; }

static sal_amount amount_in(double value, const unit *u)
{
  sal_amount out = {"-"};
  const double n = value / u->size;

  if (!isnan(value)) snprintf(out.text, sizeof out.text, "%.*f %s", digits(n), n, u->name);
  return out;
}

sal_amount sal_amount_of_bytes(double bytes)
{
  return amount_in(bytes, unit_of(bytes, N_BYTES, bytes_units));
}

sal_amount sal_amount_of_seconds(double seconds)
{
  return amount_in(seconds, unit_of(seconds, N_TIME, time_units));
}

sal_amount sal_amount_of_range(double middle, double low, double high)
{
  const unit *u = unit_of(middle, N_TIME, time_units);
  const double a = low / u->size, b = high / u->size;
  sal_amount out;

  snprintf(out.text, sizeof out.text, "%.*f-%.*f %s", digits(a), a, digits(b), b, u->name);
  return out;
}
