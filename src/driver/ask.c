/** Finding an answer at a point. */
#include "ask.h"
#include "base.h"
#include "model_check.h"
#include "scalar_math.h"
#include "surrogate_view.h"

static const double close_by = 0.1;
/* Runs: a table with fewer is read whole, of others the rows needed; where one point alone is asked. */
enum { WHOLE = 1000000, WHOLE_FOR_ONE = 8192 };

/* "ode45 with event at rtol 1e-3 has an estimated error of 0.1", or how it ended. */
static void put_attempt(const sal_advice *a, const sal_check *c, sal_text *out)
{
  const int end = c->outcome[sal_metric_finished(c->outcome[0])];
  char error[SAL_PERFORMANCE_ERROR_TEXT];

  sal_text_add(out, "%s with %s at rtol %.3g", sal_config_method(&a->cube.sweep, c->tried.pair),
               sal_config_strategy(&a->cube.sweep, c->tried.pair), c->tried.tolerance);
  if (isnan(c->difference))
    sal_text_add(out, " %s as %s at t = %.6g",
                 sal_metric_finished(c->outcome[0]) ? "could not be checked: a tighter run ended"
                                                    : "ended",
                 sal_check_outcome(end), c->reached[sal_metric_finished(c->outcome[0])]);
  else
    sal_text_add(out, " has an estimated error of %s",
                 sal_performance_error_text(&a->cube.table, 2, c->difference, error));
}

/* The first and the last attempt are named. */
static sal_err fail_here(const sal_advice *a, const char *asked, const char *chaos)
{
  SAL_OWN_BY(sal_text_free) sal_text said = {0};

  put_attempt(a, &a->here[0], &said);
  if (a->n_here > 1) {
    sal_text_add(&said, ", .., ");
    put_attempt(a, &a->here[a->n_here - 1], &said);
  }
  return sal_fail(SAL_ERR_INPUT,
                  "%s: no attempt reaches an error of %s at the point itself, where %d %s run: %s; "
                  "allowed: %s%s%s",
                  a->path, asked, a->n_here, a->n_here == 1 ? "was" : "were",
                  said.string ? said.string : "",
                  sal_check_is_halted(&a->here[a->n_here - 1]) ? "more time" : "a larger error",
                  chaos[0] ? "; " : "", chaos);
}

static double tightest_of(const sal_sweep *s)
{
  double least = INFINITY;

  for (int i = 0; i < s->n_tolerance; ++i) least = fmin(least, s->tolerance[i]);
  return least;
}

enum { CAPTURED = 256 };

/* Time stepping comes to the end where events do not; its own error is not known. */
static const char *captured_text(const sal_advice *a, char text[CAPTURED])
{
  const double apart = sal_recommend_captured(a);
  char word[SAL_PERFORMANCE_ERROR_TEXT];

  text[0] = '\0';
  if (!isnan(apart))
    snprintf(text, CAPTURED,
             "; not known; captured: two runs of time stepping differ by %s in the mean, and "
             "either may be off by more",
             sal_performance_error_text(&a->cube.table, 2, apart, word));
  return text;
}

/* Why is there no answer?  Configurations are named by what comes nearest. */
static sal_err fail_unanswered(const sal_advice *a)
{
  const sal_surrogate_answer *r = a->answer;
  const sal_surrogate_choice *c = &r->likely;
  const int m = a->cube.sweep.n_method;
  char asked[SAL_PERFORMANCE_ERROR_TEXT], chaos[SAL_RECOMMEND_CHAOS] = "", captured[CAPTURED];

  sal_performance_error_text(&a->cube.table, 6, a->question.error, asked);
  const double exponent = sal_recommend_chaos(a);
  if (!isnan(exponent)) sal_recommend_chaos_text(a, exponent, chaos);
  if (a->n_here > 0) return fail_here(a, asked, chaos);
  if (sal_reason_lacks_reference(r->reason))
    return sal_fail(SAL_ERR_INPUT,
                    "%s: the references around the point do not reach an error of %s: with %.0f %% "
                    "of the weight they are less accurate, or missing%s%s%s",
                    a->path, asked, 100 * r->unverified, chaos[0] ? "; " : "", chaos,
                    captured_text(a, captured));
  if (c->pair < 0)
    return sal_fail(SAL_ERR_INPUT, "%s: no configuration %s in enough cells around the point",
                    a->path, a->cube.table.by->reached);
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: no configuration reaches an error of %s there with a probability of %g; the "
      "largest is %.3g, by %s with %s at rtol %.3g; the tightest rtol tried is %.3g%s%s",
      a->path, asked, isnan(a->probability) ? 0.5 : a->probability, c->probability,
      a->cube.sweep.method[c->pair % m]->name, a->cube.sweep.strategy[c->pair / m]->name,
      c->tolerance, tightest_of(&a->cube.sweep), chaos[0] ? "; " : "", chaos);
}

/* Rows of the cube with points in place of raw values. */
static sal_err read_scored(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  sal_advice *a = with;

  SAL_TRY(a->source.read(a->source.with, n, cell, rows));
  return sal_performance_cube_score(&a->cube, rows);
}

static sal_err ask_points(sal_advice *a)
{
  sal_performance_source scored = a->source;

  if (!a->cube.table.scored) {
    scored.read = read_scored;
    scored.with = a;
  }
  SAL_TRY(sal_surrogate_ask_points(a->surrogate, a->value, &scored, &a->question, &a->n_points,
                                   a->points));
  if (a->n_points > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: no configuration has points there at rtol %g", a->path,
                  a->cube.sweep.tolerance[a->question.tolerance]);
}

/* Calibration at the error of the map that is nearest to the requested one. */
static sal_surrogate_calibration nearest_calibration(const sal_advice *a)
{
  const sal_surrogate_fit *fit = sal_surrogate_fit_of(a->surrogate);
  const double *preset = a->source.by->preset;
  int best = -1;

  for (int e = 0; e < SAL_ERROR_METRIC_PRESETS; ++e) {
    const double off = fabs(sal_scalar_log(preset[e] / a->question.error));
    if (fit->asked[e] > 0 &&
        (best < 0 || off < fabs(sal_scalar_log(preset[best] / a->question.error))))
      best = e;
  }
  if (best < 0) return (sal_surrogate_calibration){.predicted = NAN, .observed = NAN};
  return (sal_surrogate_calibration){preset[best], fit->asked[best], fit->predicted[best],
                                     fit->observed[best]};
}

static sal_err find_calibration(sal_advice *a)
{
  a->calibration = (sal_surrogate_calibration){.asked = 0};
  if (a->calibrated)
    SAL_TRY(sal_surrogate_fit_calibration(a->surrogate, a->question.error, &a->calibration));
  if (a->calibration.asked == 0) a->calibration = nearest_calibration(a);
  return SAL_OK;
}

/* Asks over the box, and goes to its middle. */
static sal_err ask_box(sal_advice *a, const sal_surrogate_question *q)
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(a->surrogate);

  a->box = sal_alloc(1, sizeof *a->box);
  if (!a->box) return sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  SAL_TRY(sal_surrogate_box_ask(a->surrogate, a->box_is, a->lo, a->hi, q, a->box));
  memcpy(a->value, a->box->lo, sizeof a->value);
  for (int k = 0; k < c->n; ++k) {
    const sal_surrogate_coordinate *at = &c->at[k];
    const double lo = a->box->lo[at->column], hi = a->box->hi[at->column];
    if (hi > lo)
      a->value[at->column] = sal_surrogate_coordinate_value(
          at, (sal_surrogate_coordinate_of(at, lo) + sal_surrogate_coordinate_of(at, hi)) / 2);
  }
  return SAL_OK;
}

sal_err sal_ask_surrogate(sal_performance_cube *cube, bool many, sal_performance_source *source,
                          sal_surrogate **surrogate)
{
  sal_surrogate_fit fit;
  bool there, possible;

  *source = sal_performance_cube_source(cube);
  SAL_TRY(sal_surrogate_possible(&cube->sweep, &possible));
  if (!possible) {
    const sal_err err = sal_surrogate_open(source, NULL, surrogate);
    if (err == SAL_ERR_INPUT) sal_err_add("; `saltus map` shows the winner of each cell");
    return err;
  }
  SAL_TRY(sal_performance_cube_fit(cube, &fit, &there));
  const int whole = many || !there ? WHOLE : WHOLE_FOR_ONE;
  if (cube->rows && (double)cube->sweep.n_cell * source->n_config < whole) {
    SAL_TRY(sal_performance_cube_table(cube));
    *source = sal_performance_cube_source(cube);
  }
  return sal_surrogate_open(source, there ? &fit : NULL, surrogate);
}

/* Allocates and opens the parts that later questions use again. */
static sal_err prepare(sal_advice *a)
{
  const size_t pairs = (size_t)sal_config_pairs(&a->cube.sweep);

  if (!a->answer) a->answer = sal_alloc(1, sizeof *a->answer);
  if (!a->points) a->points = sal_alloc(pairs, sizeof *a->points);
  if (!a->answer || !a->points) return sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  return a->surrogate ? SAL_OK : sal_ask_surrogate(&a->cube, false, &a->source, &a->surrogate);
}

static sal_err find_answer(sal_advice *a)
{
  const bool by_error = sal_question_by_error(&a->question);
  const sal_model *m = a->cube.sweep.model;
  const int n_param = m->n_param + m->n_option;
  sal_surrogate_question q = {.error = by_error ? a->question.error : 1,
                              .probability = a->probability,
                              .method = a->question.method,
                              .strategy = a->question.strategy};

  a->n_here = 0;
  if (!a->boxed) SAL_TRY(sal_model_check_start("the point", m, a->value, a->value + n_param));
  SAL_TRY(prepare(a));
  if (by_error) SAL_TRY(find_calibration(a));
  if (a->boxed) SAL_TRY(ask_box(a, &q));
  SAL_TRY(sal_surrogate_ask(a->surrogate, a->value, &q, a->answer));
  /* Where no configuration has a plane it may be that none counts in any cell, which is said first. */
  if (a->answer->likely.pair < 0 && !a->cube.table.work)
    SAL_TRY(sal_performance_cube_table(&a->cube));
  return by_error ? SAL_OK : ask_points(a);
}

/* The answer without cells. */
static sal_err ask_alone(sal_advice *a)
{
  const sal_model *m = a->cube.sweep.model;

  SAL_TRY(sal_model_check_start("the point", m, a->value, a->value + m->n_param + m->n_option));
  a->source = sal_performance_cube_source(&a->cube);
  a->answer = sal_alloc(1, sizeof *a->answer);
  if (!a->answer) return sal_fail(SAL_ERR_MEMORY, "no memory for an answer");
  a->answer->best.pair = a->answer->safe.pair = a->answer->likely.pair = -1;
  a->answer->fallback = NAN;
  a->answer->reason = SAL_REASON_NO_CONFIG;
  return sal_check_alone(a);
}

sal_err sal_ask(sal_advice *a, sal_question question, const double point[], unsigned how)
{
  const size_t n = (size_t)sal_parameter_column_count(a->cube.sweep.model);

  a->question = question;
  a->question.method = a->cube.method;
  a->question.strategy = a->cube.strategy;
  memcpy(a->value, point, n * sizeof *point);
  SAL_TRY(how & SAL_ASK_ALONE ? ask_alone(a) : find_answer(a));
  if (!sal_question_by_error(&question)) return SAL_OK;
  if (how & SAL_ASK_RUN) SAL_TRY(sal_check_attempts(a));
  return a->answer->best.pair >= 0 || how & SAL_ASK_ALLOW ? SAL_OK : fail_unanswered(a);
}

void sal_ask_free(sal_advice *a)
{
  sal_surrogate_close(&a->surrogate);
  sal_free_all(a->answer, a->points, a->box);
  sal_performance_cube_free(&a->cube);
  *a = (sal_advice){0};
}

double sal_ask_more(const sal_advice *a, const sal_surrogate_choice *c)
{
  const sal_surrogate_choice *best = &a->answer->attempts[0]; /* whatever it did at the point */

  return isnan(a->probability) ? c->total / best->total - 1 : c->work / best->work - 1;
}

int sal_ask_close(const sal_advice *a)
{
  int n = 0;

  while (n < a->answer->n_pair && sal_ask_more(a, &a->answer->pair[n]) <= close_by) ++n;
  return n;
}

const char *sal_ask_for(const sal_advice *a, const sal_surrogate_choice *c,
                        char text[SAL_RECOMMEND_FOR])
{
  const sal_surrogate_choice *best = &a->answer->best;
  const struct {
    bool speaks;
    const char *what;
  } reason[] = {{c->work < best->work, "less work at once"},
                {c->probability > best->probability, "the higher probability"},
                {c->tolerance > best->tolerance, "the looser rtol"},
                {c->error < best->error, "the smaller error"}};
  size_t n = 0;

  text[0] = '\0';
  for (size_t i = 0; i < sizeof reason / sizeof *reason; ++i)
    if (reason[i].speaks)
      n += (size_t)snprintf(text + n, SAL_RECOMMEND_FOR - n, "%s%s", n ? ", " : "", reason[i].what);
  return text;
}
