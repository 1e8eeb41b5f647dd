/** @file src/sweep/units.c
 *  Units of what a model's runs are measured by.
 */
#include "units.h"
#include <stdio.h>
#include <string.h>

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
  int         n_word;

  if (sal_metric_words(metric->kind, &n_word)) return NULL;
  if (strcmp(metric->unit, "time") == 0) return time;
  if (strcmp(metric->unit, "1/time") == 0) return invert(time, text);
  if (strcmp(metric->unit, "watched") == 0) return watched;
  if (strcmp(metric->unit, "watched*time") == 0) return multiply(watched, time, text);
  if (strcmp(metric->unit, "state") == 0) return shared(model);
  return metric->unit;
}
