/** @file src/sweep/units.c
 *  Units of what a model's runs are measured by.
 */
#include "units.h"
#include "memory.h"
#include "text.h"
#include "value.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What may be written for a unit of the models, and how many of it one is. */
static const struct spelling {
  const char *unit, *name;
  double size;
} spellings[] = {
    {"s", "ns", 1e-9},
    {"s", "us", 1e-6},
    {"s", "ms", 1e-3},
    {"s", "s", 1},
    {"s", "min", 60},
    {"s", "h", 3600},
    {"m", "nm", 1e-9},
    {"m", "um", 1e-6},
    {"m", "mm", 1e-3},
    {"m", "cm", 1e-2},
    {"m", "m", 1},
    {"m", "km", 1e3},
    {"rad", "urad", 1e-6},
    {"rad", "mrad", 1e-3},
    {"rad", "rad", 1},
    {"rad", "deg", M_PI / 180},
    {"m/s", "um/s", 1e-6},
    {"m/s", "mm/s", 1e-3},
    {"m/s", "cm/s", 1e-2},
    {"m/s", "m/s", 1},
    {"m/s", "km/h", 1 / 3.6},
    {"rad/s", "mrad/s", 1e-3},
    {"rad/s", "rad/s", 1},
    {"rad/s", "deg/s", M_PI / 180},
};
enum { N_SPELLING = sizeof spellings / sizeof *spellings };

static bool is_one(const char *unit) { return strcmp(unit, "1") == 0; }

const char *sal_units_of_time(const sal_model *model) { return model->time ? model->time : "1"; }

const char *sal_units_watched(const sal_model *model) { return model->state[model->watch].unit; }

/* That of all states that a method integrates, or NULL. */
static const char *shared(const sal_model *model)
{
  for (int i = 1; i < sal_model_continuous(model); ++i)
    if (strcmp(model->state[i].unit, model->state[0].unit) != 0) return NULL;
  return model->state[0].unit;
}

static const char *multiply(const char *a, const char *b, char text[SAL_UNITS_TEXT])
{
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  snprintf(text, SAL_UNITS_TEXT, "%s %s", a, b);
  return text;
}

static const char *invert(const char *unit, char text[SAL_UNITS_TEXT])
{
  if (is_one(unit)) return unit;
  snprintf(text, SAL_UNITS_TEXT, "1/%s", unit);
  return text;
}

const char *sal_units_of_metric(const sal_metric *metric, const sal_model *model,
                                char text[SAL_UNITS_TEXT])
{
  const char *time = sal_units_of_time(model), *watched = sal_units_watched(model);
  int n_word;

  if (sal_metric_words(metric->kind, &n_word)) return NULL;
  if (strcmp(metric->unit, "time") == 0) return time;
  if (strcmp(metric->unit, "1/time") == 0) return invert(time, text);
  if (strcmp(metric->unit, "watched") == 0) return watched;
  if (strcmp(metric->unit, "watched*time") == 0) return multiply(watched, time, text);
  if (strcmp(metric->unit, "state") == 0) return shared(model);
  return metric->unit;
}

/* "nm, um, mm, cm, m, km" */
static void list_spellings(const char *unit, sal_text *out)
{
  for (int i = 0; i < N_SPELLING; ++i)
    if (strcmp(spellings[i].unit, unit) == 0)
      sal_text_add(out, "%s%s", out->length ? ", " : "", spellings[i].name);
}

static sal_err fail_unit(const char *where, const char *what, const char *text, const char *unit)
{
  SAL_OWN_BY(sal_text_free) sal_text allowed = {0};

  if (is_one(unit))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s': %s has no unit; allowed: a number", where, text,
                    what);
  list_spellings(unit, &allowed);
  return sal_fail(SAL_ERR_USAGE, "%s: '%s': allowed for %s: a number, in %s%s%s", where, text, what,
                  unit, allowed.string ? ", or with one of the units " : "",
                  allowed.string ? allowed.string : "");
}

sal_err sal_units_read(const char *where, const char *what, const char *text, const char *unit,
                       double *value)
{
  char number[SAL_UNITS_TEXT];
  const size_t n = strspn(text, "+-.0123456789eE");
  const char *name = text + n + strspn(text + n, " ");

  snprintf(number, sizeof number, "%.*s", (int)n, text);
  if (n >= sizeof number || !sal_value_read(number, value))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not a number", where, text);
  if (*name == '\0' || !unit) return SAL_OK;
  for (int i = 0; i < N_SPELLING; ++i) {
    if (strcmp(spellings[i].name, name) != 0 || strcmp(spellings[i].unit, unit) != 0) continue;
    *value *= spellings[i].size;
    return SAL_OK;
  }
  return fail_unit(where, what, text, unit);
}
