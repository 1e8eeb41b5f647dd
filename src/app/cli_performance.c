/** Options that say how a cube is read for answers. */
#include "cli_performance.h"
#include "answer_json.h"
#include "base.h"
#include "enum_words.h"
#include "watched.h"

#define AT(member) .offset = offsetof(sal_cli_performance_words, member)

#define ROWS const sal_cli_option sal_cli_performance_options[]
#define OPTIONS_OF_performance
#include "options.def"

static sal_err choose(const void *with, const sal_sweep *s, sal_performance_choice *c)
{
  static const char *const durations[] = {"work", "time", NULL};
  const sal_cli_performance_words *w = with;
  const char *scopes[SAL_MAX_WORD + 1] = {NULL};
  sal_performance_winners winners = w->winners;
  int scope = (int)c->scope, timed = c->timed;

  winners.head = "--";
  sal_enum_words_gather(SAL_ENUM_POINTS, NULL, scopes);
  if (w->points) SAL_TRY(sal_cli_word("--points", w->points, scopes, &scope));
  if (w->duration) SAL_TRY(sal_cli_word("--duration", w->duration, durations, &timed));
  c->scope = (sal_points_scope)scope;
  c->timed = timed != 0;
  return sal_performance_winners_choose(&winners, s, c);
}

sal_performance_chooser sal_cli_performance_chooser(const sal_cli_performance_words *words)
{
  return (sal_performance_chooser){choose, words};
}

sal_err sal_cli_performance_tolerance(const sal_sweep *s, double wanted, int *tolerance)
{
  SAL_OWN_BY(sal_text_free) sal_text list = {0};

  for (*tolerance = 0; *tolerance < s->n_tolerance; ++*tolerance)
    if (fabs(s->tolerance[*tolerance] / wanted - 1) < 1e-9) return SAL_OK;
  for (int t = 0; t < s->n_tolerance; ++t)
    sal_text_add(&list, "%s%g", t ? ", " : "", s->tolerance[t]);
  return sal_fail(SAL_ERR_USAGE, "--rtol: %g is not in this cube; allowed: %s", wanted,
                  list.string ? list.string : "");
}

sal_err sal_cli_performance_error(const char *text, const sal_performance_table *of, double *error)
{
  char room[SAL_UNITS_TEXT], si[SAL_UNITS_TEXT], what[SAL_PERFORMANCE_ERROR_OF];

  if (of && of->measure)
    SAL_TRY(sal_measure_read("--error", sal_performance_error_of(of, what), text, of->measure,
                             sal_performance_error_unit(of, room),
                             sal_units_of_metric(&sal_metrics[of->by->error], &of->measure->si, si),
                             error));
  else if (of)
    SAL_TRY(sal_units_read("--error", sal_performance_error_of(of, what), text,
                           sal_performance_error_unit(of, room), error));
  else
    SAL_TRY(sal_units_read("--error", "an error", text, NULL, error));
  if (!(*error > 0))
    return sal_fail(SAL_ERR_USAGE, "--error: %g is not allowed; allowed: greater than 0", *error);
  return SAL_OK;
}

sal_err sal_cli_performance_errors(const char *list, const sal_performance_table *of, int *n,
                                   double error[])
{
  for (*n = 0; list; ++*n) {
    char word[64];
    if (*n == SAL_MAX_QUESTION)
      return sal_fail(SAL_ERR_USAGE, "--error: more than %d", SAL_MAX_QUESTION);
    list = sal_text_item(list, sizeof word, word);
    SAL_TRY(sal_cli_performance_error(word, of, &error[*n]));
    for (int i = 0; i < *n; ++i)
      if (error[i] == error[*n]) return sal_fail(SAL_ERR_USAGE, "--error: %s is there twice", word);
  }
  return SAL_OK;
}

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
