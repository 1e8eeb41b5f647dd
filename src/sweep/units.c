/** Units of what a model's runs are measured by. */
#include "units.h"
#include "base.h"
#include "si_unit.h"
#include "value.h"

/* Units that messages name, of the words that si_unit.c reads. */
static const struct {
  const char *unit, *names;
} spellings[] = {
    {"s", "ns, us, ms, s, min, h"},    {"m", "nm, um, mm, cm, m, km"},
    {"rad", "urad, mrad, rad, deg"},   {"m/s", "um/s, mm/s, cm/s, m/s, km/h"},
    {"rad/s", "mrad/s, rad/s, deg/s"},
};
enum { N_SPELLING = sizeof spellings / sizeof *spellings };
#define NUMBER_CHARACTERS "+-.0123456789eE"

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

  if (sal_metric_words(metric->kind, &n_word) || strcmp(metric->unit, "measure") == 0) return NULL;
  if (strcmp(metric->unit, "time") == 0) return time;
  if (strcmp(metric->unit, "1/time") == 0) return invert(time, text);
  if (strcmp(metric->unit, "watched") == 0) return watched;
  if (strcmp(metric->unit, "watched*time") == 0) return multiply(watched, time, text);
  if (strcmp(metric->unit, "state") == 0) return shared(model);
  return metric->unit;
}

static sal_err fail_unit(const char *where, const char *what, const char *text, const char *unit)
{
  if (is_one(unit))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s': %s has no unit; allowed: a number", where, text,
                    what);
  for (int i = 0; i < N_SPELLING; ++i)
    if (strcmp(spellings[i].unit, unit) == 0)
      return sal_fail(SAL_ERR_USAGE,
                      "%s: '%s': allowed for %s: a number, in %s, or with one of the units %s",
                      where, text, what, unit, spellings[i].names);
  return sal_fail(SAL_ERR_USAGE, "%s: '%s': allowed for %s: a number, in %s or a unit of its kind",
                  where, text, what, unit);
}

/* How many `unit` one `name` is; 0: they are not of a kind. */
static double size_of(const char *name, const char *unit)
{
  const sal_si_unit a = sal_si_unit_read(name), b = sal_si_unit_read(unit);
  const double size = a.size / b.size;

  if (strcmp(name, unit) == 0) return 1;
  if (is_one(unit) || a.kind != SAL_SI_UNIT_KNOWN || b.kind != SAL_SI_UNIT_KNOWN) return 0;
  return sal_si_unit_fits(sal_si_unit_product(a, b, -1),
                          (sal_si_unit){.kind = SAL_SI_UNIT_KNOWN, .size = size})
             ? size
             : 0;
}

bool sal_units_given(const char *text)
{
  text += strspn(text, NUMBER_CHARACTERS);
  return text[strspn(text, " ")] != '\0';
}

sal_err sal_units_read(const char *where, const char *what, const char *text, const char *unit,
                       double *value)
{
  char number[SAL_UNITS_TEXT];
  const size_t n = strspn(text, NUMBER_CHARACTERS);

  snprintf(number, sizeof number, "%.*s", (int)n, text);
  if (n >= sizeof number || !sal_value_read(number, value))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s' is not a number", where, text);
  if (!sal_units_given(text) || !unit) return SAL_OK;
  const double size = size_of(text + n + strspn(text + n, " "), unit);
  if (size == 0) return fail_unit(where, what, text, unit);
  *value *= size;
  return SAL_OK;
}
