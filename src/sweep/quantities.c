/** Lists of NAME=NUMBER, with and without units. */
#include "quantities.h"
#include "argument.h"
#include "base.h"
#include "value.h"

enum { MAX_LIST = 96 };
#define NUMBER_CHARACTERS "+-.0123456789eE"

sal_err sal_quantities_parse_plain(const char *where, const char *what, const char *const names[],
                                   const char *text, double value[])
{
  char name[SAL_MAX_ITEM], text_of[SAL_MAX_ITEM];

  while (text) {
    SAL_TRY(sal_argument_item(where, &text, name, text_of));
    const int i = sal_text_rank(name, names);
    if (i < 0) return sal_text_unknown(SAL_ERR_USAGE, where, what, name, names);
    if (!sal_value_read(text_of, &value[i]))
      return sal_fail(SAL_ERR_USAGE, "%s: %s: '%s' is not a number", where, names[i], text_of);
    if (value[i] < 0)
      return sal_fail(SAL_ERR_USAGE, "%s: %s = %g is negative; allowed: from 0", where, names[i],
                      value[i]);
  }
  return SAL_OK;
}

/* "kg, g" */
static const char *list_units(const sal_quantity *q, char text[MAX_LIST])
{
  size_t n = 0;

  text[0] = '\0';
  for (int i = 0; q->unit[i].name && n < MAX_LIST; ++i)
    n += (size_t)snprintf(text + n, MAX_LIST - n, "%s%s", i ? ", " : "", q->unit[i].name);
  return text;
}

/* "0.5kg": the number ends where it stops to be one; an e may also begin no exponent. */
sal_err sal_quantities_read(const char *where, const sal_quantity *q, const char *text,
                            double *value)
{
  char number[SAL_MAX_ITEM], units[MAX_LIST];
  const size_t n = strspn(text, NUMBER_CHARACTERS);

  snprintf(number, sizeof number, "%.*s", (int)n, text);
  if (!sal_value_read(number, value))
    return sal_fail(SAL_ERR_USAGE, "%s: %s: '%s' is not a number with a unit; allowed units: %s",
                    where, q->name, text, list_units(q, units));
  const char *unit = text + n + strspn(text + n, " ");
  for (int i = 0; q->unit[i].name; ++i) {
    if (strcmp(unit, q->unit[i].name) != 0) continue;
    *value *= q->unit[i].factor;
    if ((*value > 0 || (*value == 0 && q->may_vanish)) && isfinite(*value)) return SAL_OK;
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %s must be above 0%s", where, q->name, text,
                    q->may_vanish ? ", or 0" : "");
  }
  if (*unit == '\0')
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %s has no unit; allowed: %s", where, q->name, text,
                    list_units(q, units));
  return sal_fail(SAL_ERR_USAGE, "%s: %s: unknown unit '%s'; allowed: %s", where, q->name, unit,
                  list_units(q, units));
}
