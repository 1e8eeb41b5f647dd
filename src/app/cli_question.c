/** @file src/app/cli_question.c
 *  Questions from the command line.
 */
#include "cli_question.h"
#include "answer_json.h"
#include "contender.h"
#include <math.h>
#include <string.h>

#define AT(member) .offset = offsetof(sal_cli_question_words, member)

const sal_cli_option sal_cli_question_options[] = {
    {"error", 'e', "E,..", "least work for these largest errors (1e-2,1e-4,1e-6)", SAL_CLI_TEXT,
     AT(error)},
    {"rtol", 0, "R", "most points at this rtol of the cube; with --weights", SAL_CLI_NUMBER,
     AT(tolerance), .least = SAL_CLI_ANY, .alias = "tol"},
    {"weights", 'w', "sd=2,dt=0,iae=1", "weights of eq. (36) for points; those not named are 0",
     SAL_CLI_TEXT, AT(weights)},
    {.help = NULL}};

sal_err sal_cli_question_check(const sal_cli_question_words *w)
{
  const bool weights = w->weights != NULL, tolerance = !isnan(w->tolerance);

  if (w->error && (weights || tolerance))
    return sal_fail(SAL_ERR_USAGE, "--error, or --rtol with --weights, not both");
  if (weights != tolerance)
    return sal_fail(SAL_ERR_USAGE, "--rtol R and --weights sd=..,dt=..,iae=.. go together");
  return SAL_OK;
}

/* What does not need the cube. */
static sal_err read_questions(const sal_cli_question_words *w, sal_cli_questions *out)
{
  double error[SAL_MAX_QUESTION] = {0};

  *out = (sal_cli_questions){.n = 1, .preset = !w->error && !w->weights};
  if (w->error) SAL_TRY(sal_cli_performance_errors(w->error, NULL, &out->n, error));
  for (int i = 0; i < out->n; ++i) out->question[i].error = w->weights ? NAN : error[i];
  return w->weights ? sal_map_weights_parse("--weights", w->weights, &out->question[0].weights)
                    : SAL_OK;
}

/* The errors in their unit, which the cube knows. */
static sal_err read_errors(const sal_cli_question_words *w, const sal_performance_table *of,
                           sal_cli_questions *out)
{
  double error[SAL_MAX_QUESTION] = {0};

  if (!w->error) return SAL_OK;
  SAL_TRY(sal_cli_performance_errors(w->error, of, &out->n, error));
  for (int i = 0; i < out->n; ++i) out->question[i].error = error[i];
  return SAL_OK;
}

/* The tolerance, whose points all have to be known. */
static sal_err read_tolerance(const sal_cli_question_words *w, sal_performance_cube *cube,
                              sal_cli_questions *out)
{
  int *tolerance = &out->question[0].tolerance;

  SAL_TRY(sal_cli_performance_tolerance(&cube->sweep, w->tolerance, tolerance));
  return sal_performance_cube_points(cube, *tolerance);
}

sal_err sal_cli_question_open(const char *path, const sal_cli_question_words *w,
                              const sal_cli_performance_words *table, sal_performance_cube *cube,
                              sal_cli_questions *out)
{
  const sal_performance_chooser chooser = sal_cli_performance_chooser(table);

  SAL_TRY(read_questions(w, out));
  SAL_TRY(w->weights ? sal_performance_cube_open(path, &chooser, SAL_PERFORMANCE_POINTS, cube)
                     : sal_performance_cube_begin(path, &chooser, SAL_PERFORMANCE_ERRORS, cube));
  if (out->preset) out->n = SAL_ERROR_METRIC_PRESETS;
  for (int i = 0; i < out->n && out->preset; ++i)
    out->question[i].error = cube->table.by->preset[i];
  for (int i = 0; i < out->n; ++i) {
    out->question[i].method = cube->method;
    out->question[i].strategy = cube->strategy;
  }
  const sal_err err = w->weights ? read_tolerance(w, cube, out) : read_errors(w, &cube->table, out);
  if (err != SAL_OK) sal_performance_cube_free(cube);
  return err;
}

/* The least error of contenders that may answer. */
typedef struct {
  const sal_question *q;
  double error;
} least;

static sal_err find_least(void *with, int64_t first, const sal_performance_table *rows)
{
  least *l = with;

  (void)first;
  for (int64_t i = 0; i < rows->n_cell * rows->n_contender; ++i) {
    const int k = (int)(i % rows->n_contender);
    if (l->q->method[sal_contender_decode(rows->sweep, k).method] &&
        l->q->strategy[sal_contender_decode(rows->sweep, k).strategy])
      l->error = fmin(l->error, rows->error[i]);
  }
  return SAL_OK;
}

sal_err sal_cli_question_unanswered(sal_performance_cube *cube, const sal_question *q)
{
  const sal_performance_table *a = &cube->table;
  const char *path = cube->sweep.path;
  least l = {q, INFINITY};
  char asked[SAL_PERFORMANCE_ERROR_TEXT];

  if (!sal_question_by_error(q))
    return sal_fail(SAL_ERR_INPUT, "%s: no contender has points at rtol %g in any cell", path,
                    a->sweep->tolerance[q->tolerance]);
  SAL_TRY(sal_performance_cube_each(cube, find_least, &l));
  if (l.error <= q->error)
    return sal_fail(
        SAL_ERR_INPUT,
        "%s: no contender reaches an error of %s with a probability of a half in any cell", path,
        sal_performance_error_text(a, 6, q->error, asked));
  return isinf(l.error)
             ? sal_fail(SAL_ERR_INPUT, "%s: none of these contenders %s", path, a->by->reached)
             : sal_fail(SAL_ERR_INPUT,
                        "%s: no contender reaches an error of %s in any cell; the least anywhere "
                        "is %.2g",
                        path, sal_performance_error_text(a, 6, q->error, asked), l.error);
}

static bool has_unit(const char *unit) { return strcmp(unit, "1") != 0; }

/* What the error is of, as members. */
static void put_unit(sal_json *j, const sal_performance_table *a)
{
  char room[SAL_UNITS_TEXT];
  const sal_model *m = a->sweep->model;

  if (a->by->trajectory) sal_json_text(j, "error_of", m->state[m->watch].name);
  sal_json_text(j, "error_unit", sal_performance_error_unit(a, room));
}

static void print_by_error(sal_report *r, const sal_performance_table *a, const sal_question *q)
{
  char of[SAL_PERFORMANCE_ERROR_OF], error[SAL_PERFORMANCE_ERROR_TEXT];

  sal_json_text(&r->json, "by", sal_error_metric_name(a->by));
  sal_json_number(&r->json, "asked_error", q->error);
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

void sal_cli_question_say_contender(const sal_report *r, const sal_sweep *s, int contender)
{
  sal_report_say(r, "%s with %s at rtol %g", sal_contender_method(s, contender),
                 sal_contender_strategy(s, contender), sal_contender_tolerance(s, contender));
}
