/** Errors in words. */
#include "base.h"
#include "performance_cube.h"
#include "watched.h"

const char *sal_performance_error_unit(const sal_performance_table *of, char text[SAL_UNITS_TEXT])
{
  return sal_units_of_metric(&sal_metrics[of->by->error], of->sweep->model, text);
}

const char *sal_performance_error_of(const sal_performance_table *of,
                                     char text[SAL_PERFORMANCE_ERROR_OF])
{
  const sal_model *m = of->sweep->model;

  if (of->by->trajectory)
    snprintf(text, SAL_PERFORMANCE_ERROR_OF, "%s of %s", of->by->what, sal_model_watched_name(m));
  else
    snprintf(text, SAL_PERFORMANCE_ERROR_OF, "%s", of->by->what);
  return text;
}

/* That of texts. */
static const char *said_unit(const sal_performance_table *of, char text[SAL_UNITS_TEXT])
{
  return of->measure && of->measure->physical
             ? sal_units_of_metric(&sal_metrics[of->by->error], &of->measure->si, text)
             : sal_performance_error_unit(of, text);
}

double sal_performance_error_size(const sal_performance_table *of)
{
  char room[SAL_UNITS_TEXT];

  return of->measure ? sal_measure_size(of->measure, said_unit(of, room)) : 1;
}

const char *sal_performance_error_text(const sal_performance_table *a, int digits, double error,
                                       char text[SAL_PERFORMANCE_ERROR_TEXT])
{
  char room[SAL_UNITS_TEXT];
  const char *unit = said_unit(a, room);
  const int n = snprintf(text, SAL_PERFORMANCE_ERROR_TEXT, "%.*g", digits,
                         error * sal_performance_error_size(a));

  if (strcmp(unit, "1") != 0)
    snprintf(text + n, (size_t)(SAL_PERFORMANCE_ERROR_TEXT - n), " %s", unit);
  return text;
}
