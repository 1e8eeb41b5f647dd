/** @file src/app/cli_question.c
 *  Questions from the command line.
 */
#include "cli_question.h"
#include "command.h"
#include "contender.h"
#include "map_cube.h"
#include <math.h>
#include <string.h>

enum { TOL = 768 };

static const struct argp_option option_table[] = {
    {"error", 'e', "E,..", 0, "least work for these largest errors (1e-2,1e-4,1e-6)", 0},
    {"tol", TOL, "T", 0, "most points at this tolerance of the cube; with --weights", 0},
    {"weights", 'w', "sd=2,dt=0,iae=1", 0, "weights of eq. (36) for points; those not named are 0",
     0},
    {0}};

static void check_words(const sal_cli_question_words *w, struct argp_state *state)
{
  const bool weights = w->weights != NULL, tolerance = !isnan(w->tolerance);

  if (w->error && (weights || tolerance))
    argp_error(state, "--error, or --tol with --weights, not both");
  if (weights != tolerance)
    argp_error(state, "--tol T and --weights sd=..,dt=..,iae=.. go together");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sal_cli_question_words *w = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    *w = (sal_cli_question_words){.tolerance = NAN};
    break;
  case 'e':
    w->error = arg;
    break;
  case TOL:
    w->tolerance = sal_option_number(state, "tol", arg);
    break;
  case 'w':
    w->weights = arg;
    break;
  case ARGP_KEY_END:
    check_words(w, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp sal_cli_question_argp = {.options = option_table, .parser = parse_option};

/* What does not need the cube. */
static sal_err check_question(const sal_cli_question_words *w, sal_cli_questions *out)
{
  sal_map presets;
  double  error[SAL_MAX_QUESTION];

  *out = (sal_cli_questions){.n = 1, .preset = !w->error && !w->weights};
  sal_map_presets(&presets);
  memcpy(error, presets.error, sizeof error);
  if (out->preset) out->n = presets.n_error;
  if (w->error) SAL_TRY(sal_performance_errors(w->error, &out->n, error));
  for (int i = 0; i < out->n; ++i) out->question[i].error = w->weights ? NAN : error[i];
  return w->weights ? sal_map_weights_parse("--weights", w->weights, &out->question[0].weights)
                    : SAL_OK;
}

sal_err sal_cli_question_open(const char *path, const sal_cli_question_words *w,
                              const sal_performance_words *table, sal_performance_cube *cube,
                              sal_cli_questions *out)
{
  SAL_TRY(check_question(w, out));
  SAL_TRY(sal_performance_cube_open(path, table, w->weights != NULL, cube));
  for (int i = 0; i < out->n; ++i) {
    out->question[i].method   = cube->method;
    out->question[i].strategy = cube->strategy;
  }
  const sal_err err = w->weights ? sal_performance_tolerance(&cube->sweep, w->tolerance,
                                                             &out->question[0].tolerance)
                                 : SAL_OK;
  if (err != SAL_OK) sal_performance_cube_free(cube);
  return err;
}

sal_err sal_cli_question_unanswered(const char *path, const sal_performance_table *a,
                                    const sal_question *q)
{
  if (!sal_question_by_error(q))
    return sal_fail(SAL_ERR_INPUT, "%s: no contender has points at a tolerance of %g in any cell",
                    path, a->sweep->tolerance[q->tolerance]);
  double least = INFINITY;
  for (int64_t i = 0; i < a->n_cell * a->n_contender; ++i) {
    const int k = (int)(i % a->n_contender);
    if (q->method[sal_contender_decode(a->sweep, k).method] &&
        q->strategy[sal_contender_decode(a->sweep, k).strategy])
      least = fmin(least, a->error[i]);
  }
  return isinf(least)
             ? sal_fail(SAL_ERR_INPUT, "%s: none of these contenders reached the end", path)
             : sal_fail(SAL_ERR_INPUT,
                        "%s: no contender reaches an error of %g in any cell; the least "
                        "anywhere is %.2g",
                        path, q->error, least);
}

void sal_cli_question_print(FILE *out, const sal_performance_table *a, const sal_question *q)
{
  if (!sal_question_by_error(q))
    fprintf(out, "most points %g SD + %g DT + %g IAE at a tolerance of %g (%s)", q->weights.sd,
            q->weights.dt, q->weights.iae, a->sweep->tolerance[q->tolerance],
            a->scope == SAL_POINTS_GLOBAL ? "scaled over all cells" : "scaled per cell");
  else
    fprintf(out, "least work for a largest error of %g", q->error);
  fprintf(out, ", over [0, %g]", a->sweep->t_end);
}

void sal_cli_question_json(FILE *out, const sal_performance_table *a, const sal_question *q)
{
  if (!sal_question_by_error(q))
    fprintf(out, "\"tolerance\": %.17g, \"weights\": {\"sd\": %g, \"dt\": %g, \"iae\": %g}",
            a->sweep->tolerance[q->tolerance], q->weights.sd, q->weights.dt, q->weights.iae);
  else
    fprintf(out, "\"asked_error\": %.17g", q->error);
}

void sal_cli_question_print_contender(FILE *out, const sal_sweep *s, int contender)
{
  fprintf(out, "%s with %s at a tolerance of %g", sal_contender_method(s, contender),
          sal_contender_strategy(s, contender), sal_contender_tolerance(s, contender));
}

void sal_cli_question_json_contender(FILE *out, const sal_sweep *s, int contender)
{
  fprintf(out, "\"method\": \"%s\", \"strategy\": \"%s\", \"tolerance\": %.17g",
          sal_contender_method(s, contender), sal_contender_strategy(s, contender),
          sal_contender_tolerance(s, contender));
}

void sal_json_number(FILE *out, const char *name, double x)
{
  fprintf(out, isnan(x) ? ", \"%s\": null" : ", \"%s\": %.9g", name, x);
}
