/** @file src/driver/performance_error.c
 *  Errors that are asked for.
 */
#include "performance_error.h"
#include <stdio.h>
#include <string.h>

const char *sal_performance_error_unit(const sal_performance_table *of, char text[SAL_UNITS_TEXT])
{
  return sal_units_of_metric(&sal_metrics[of->by->error], of->sweep->model, text);
}

const char *sal_performance_error_of(const sal_performance_table *of,
                                     char text[SAL_PERFORMANCE_ERROR_OF])
{
  const sal_model *m = of->sweep->model;

  if (of->by->trajectory)
    snprintf(text, SAL_PERFORMANCE_ERROR_OF, "%s of %s", of->by->what, m->state[m->watch].name);
  else
    snprintf(text, SAL_PERFORMANCE_ERROR_OF, "%s", of->by->what);
  return text;
}

const char *sal_performance_error_text(const sal_performance_table *a, int digits, double error,
                                       char text[SAL_PERFORMANCE_ERROR_TEXT])
{
  char room[SAL_UNITS_TEXT];
  const char *unit = sal_performance_error_unit(a, room);
  const int n = snprintf(text, SAL_PERFORMANCE_ERROR_TEXT, "%.*g", digits, error);

  if (strcmp(unit, "1") != 0)
    snprintf(text + n, (size_t)(SAL_PERFORMANCE_ERROR_TEXT - n), " %s", unit);
  return text;
}

sal_err sal_performance_error(const char *text, const sal_performance_table *of, double *error)
{
  char room[SAL_UNITS_TEXT], what[SAL_PERFORMANCE_ERROR_OF];

  if (of)
    SAL_TRY(sal_units_read("--error", sal_performance_error_of(of, what), text,
                           sal_performance_error_unit(of, room), error));
  else
    SAL_TRY(sal_units_read("--error", "an error", text, NULL, error));
  if (!(*error > 0))
    return sal_fail(SAL_ERR_USAGE, "--error: %g is not allowed; allowed: greater than 0", *error);
  return SAL_OK;
}

sal_err sal_performance_errors(const char *list, const sal_performance_table *of, int *n,
                               double error[])
{
  for (*n = 0; list; ++*n) {
    char word[64];
    const size_t length = strcspn(list, ",");
    if (*n == SAL_MAX_QUESTION)
      return sal_fail(SAL_ERR_USAGE, "--error: more than %d", SAL_MAX_QUESTION);
    snprintf(word, sizeof word, "%.*s", (int)length, list);
    SAL_TRY(sal_performance_error(word, of, &error[*n]));
    for (int i = 0; i < *n; ++i)
      if (error[i] == error[*n]) return sal_fail(SAL_ERR_USAGE, "--error: %s is there twice", word);
    list = list[length] ? list + length + 1 : NULL;
  }
  return SAL_OK;
}
