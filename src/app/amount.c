/** Units of bytes and times. */
#include "base.h"
#include "spent_text.h"

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
