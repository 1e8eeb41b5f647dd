/** Questions from the command line. */
#include "answer_json.h"
#include "base.h"
#include "cli_performance.h"
#include "watched.h"

sal_err sal_cli_question_check(const sal_cli_question_words *w)
{
  const bool weights = w->weights != NULL, tolerance = !isnan(w->tolerance);

  if (w->error && (weights || tolerance))
    return sal_fail(SAL_ERR_USAGE, "--error, or --rtol with --weights, not both");
  if (weights != tolerance)
    return sal_fail(SAL_ERR_USAGE, "--rtol R and --weights sd=..,dt=..,iae=.. go together");
  return SAL_OK;
}

static bool has_unit(const char *unit) { return strcmp(unit, "1") != 0; }

/* The quantity whose error is meant, and its unit, as members. */
static void put_unit(sal_json *j, const sal_performance_table *a)
{
  char room[SAL_UNITS_TEXT];
  const sal_model *m = a->sweep->model;

  if (a->by->trajectory) sal_json_text(j, "error_of", sal_model_watched_name(m));
  sal_json_text(j, "error_unit", sal_performance_error_unit(a, room));
}

static void print_by_error(sal_report *r, const sal_performance_table *a, const sal_question *q)
{
  char of[SAL_PERFORMANCE_ERROR_OF], error[SAL_PERFORMANCE_ERROR_TEXT];

  sal_json_members(&r->json, "by %s, asked_error %g", sal_error_metric_name(a->by), q->error);
  put_unit(&r->json, a);
  sal_report_say(r, "least work for %s of %s", sal_performance_error_of(a, of),
                 sal_performance_error_text(a, 6, q->error, error));
}

static void print_by_points(sal_report *r, const sal_performance_table *a, const sal_question *q)
{
  const double rtol = a->sweep->tolerance[q->tolerance];

  sal_json_number(&r->json, "rtol", rtol);
  sal_answer_json_weights(&r->json, &q->weights);
  sal_report_say(r, "most points %g SD + %g DT + %g IAE at rtol %g (%s)", q->weights.sd,
                 q->weights.dt, q->weights.iae, rtol,
                 a->scope == SAL_POINTS_GLOBAL ? "scaled over all cells" : "scaled per cell");
}

void sal_cli_question_print(sal_report *r, const sal_performance_table *a, const sal_question *q)
{
  const sal_measure *measure = a->measure;
  const char *time = sal_units_of_time(measure ? &measure->si : a->sweep->model);
  const double size = measure ? sal_measure_size(measure, "s") : 1;

  (sal_question_by_error(q) ? print_by_error : print_by_points)(r, a, q);
  if (sal_question_by_error(q) && a->by->over)
    sal_report_say(r, ", %s", a->by->over);
  else
    sal_report_say(r, ", over [0, %g]%s%s", a->sweep->t_end * size, has_unit(time) ? " " : "",
                   has_unit(time) ? time : "");
}
