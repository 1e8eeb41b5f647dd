/** An answer: what to use, what else comes close, and how far to trust it. */
#include "recommend_print.h"
#include "answer.h"
#include "answer_json.h"
#include "base.h"
#include "cli_performance.h"
#include "list_print.h"
#include "spent_text.h"
#include "trajectory_csv.h"

enum { SHOWN = 4, TRIES = 3, PROBABILITY = 16 };

/* The coordinates that the axes vary, at the point: "k = 22.8, adhesion = clamp". */
static void say_coordinates(const sal_report *r, const sal_advice *a)
{
  const sal_model *m = a->cube.sweep.model;
  const char *next = "";
  char number[SAL_TEXT_NUMBER];

  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    if (!sal_parameter_column_varies(&a->cube.sweep, k)) continue;
    sal_report_say(r, "%s%s = %s", next, sal_parameter_column_name(m, k),
                   sal_parameter_column_text(m, k, a->value[k], 6, number));
    next = ", ";
  }
}

/* Limits of the answer are printed before it. */
static void say_warnings(const sal_report *r, const sal_advice *a)
{
  const sal_surrogate_answer *found = a->answer;
  char error[SAL_PERFORMANCE_ERROR_TEXT];

  for (int i = 0; i < found->outside.n; ++i)
    sal_report_say(
        r, "outside the mapped region: %s = %.6g, the map has %.6g .. %.6g; its edge answers\n",
        sal_parameter_column_name(a->cube.sweep.model, found->outside.column[i]),
        a->value[found->outside.column[i]], found->outside.lo[i], found->outside.hi[i]);
  if (found->unverified > 0 && sal_question_by_error(&a->question))
    sal_report_say(
        r,
        "not verified: references around the point do not reach %s (%.0f %% of the weight); "
        "there all runs count as misses\n",
        sal_performance_error_text(&a->cube.table, 6, a->question.error, error),
        fmax(1, 100 * found->unverified));
}

static void print_question(sal_report *r, const sal_advice *a)
{
  const char *model = a->cube.sweep.model->name;

  sal_json_text(&r->json, "model", model);
  sal_answer_json_at(&r->json, &a->cube.sweep, a->value);
  sal_report_say(r, "%s at ", model);
  say_coordinates(r, a);
  sal_report_say(r, "\nasked: ");
  sal_cli_question_print(r, &a->cube.table, &a->question);
  if (!isnan(a->probability)) {
    sal_json_number(&r->json, "asked_probability", a->probability);
    sal_report_say(r, ", with a probability of %g", a->probability);
  }
  sal_report_say(r, "\n");
  sal_si_units_say(r, &a->measure);
}

static const char *solver_of(const sal_advice *a, int pair)
{
  return sal_config_method(&a->cube.sweep, pair);
}

static const char *strategy_of(const sal_advice *a, int pair)
{
  return sal_config_strategy(&a->cube.sweep, pair);
}

static void put_select(sal_json *j, const sal_advice *a, int pair, double tolerance)
{
  const sal_method *solver = sal_config_solver(&a->cube.sweep, pair);

  if (solver->engine) sal_library_select_json(j, solver, tolerance);
}

static void put_pair(sal_json *j, const sal_advice *a, int pair, double tolerance)
{
  sal_answer_json_pair(j, &a->cube.sweep, pair, tolerance);
  put_select(j, a, pair, tolerance);
}

static void say_pair(const sal_report *r, const sal_advice *a, int pair, double tolerance)
{
  sal_report_say(r, "%s with %s at rtol %.3g", solver_of(a, pair), strategy_of(a, pair), tolerance);
}

static void say_use(const sal_report *r, const sal_advice *a, int pair, double tolerance)
{
  sal_report_say(r, "\nuse ");
  say_pair(r, a, pair, tolerance);
  sal_report_say(r, "\n");
  sal_library_select_say(r, sal_config_solver(&a->cube.sweep, pair), tolerance, "  ");
}

/* Columns for the names of solvers. */
static int name_width(const sal_advice *a)
{
  int width = 8;

  for (int i = 0; i < a->cube.sweep.n_method; ++i)
    width = (int)fmax(width, (double)strlen(a->cube.sweep.method[i]->name));
  return width;
}

static const char *work_text(const sal_advice *a, double work, char text[SAL_SPENT_TEXT])
{
  return sal_spent_text(&a->cube.table, work, text);
}

/* After n cells without a miss the next one misses with probability 1 / (n + 2) in the mean (Laplace's rule
 * of succession): the cells do not support more than that, and 0.99 is the largest printed. */
static const char *probability_text(const sal_advice *a, double p, char text[PROBABILITY])
{
  const double n = (double)a->cube.sweep.n_cell, most = fmin((n + 1) / (n + 2), 0.99);

  snprintf(text, PROBABILITY, p > most ? "over %.2g" : "%.3g", fmin(p, most));
  return text;
}

/* An object, or null. */
static void put_choice(sal_json *j, const sal_advice *a, const char *name,
                       const sal_surrogate_choice *c, bool why)
{
  char text[SAL_RECOMMEND_FOR];

  if (c->pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  sal_answer_json_choice(j, &a->cube.sweep, c);
  put_select(j, a, c->pair, c->tolerance);
  if (why) sal_json_text(j, "for", sal_ask_for(a, c, text));
  sal_json_end(j);
}

static void put_best(sal_json *j, const sal_advice *a)
{
  const sal_answer best = sal_answer_best(a->answer);

  if (best.pair < 0) {
    sal_json_text(j, "answer", NULL);
    return;
  }
  sal_json_object(j, "answer");
  sal_answer_json_members(j, &a->cube.sweep, &best, SAL_MEMBER_OF_ANSWER);
  put_select(j, a, best.pair, best.rtol);
  sal_json_end(j);
}

/* The most expensive run ends a schedule whose attempts are all printed. */
static void say_rest(const sal_report *r, const sal_advice *a)
{
  const int n = a->answer->n_attempt, more = n - TRIES;
  char text[SAL_SPENT_TEXT];

  if (more > 0)
    sal_report_say(r, "     and %d more (probability that the next is needed %.2g)\n", more,
                   sal_answer_needed(a->answer, TRIES));
  else if (!isnan(a->answer->fallback))
    sal_report_say(
        r, "     else the most expensive run, work %s (probability that it is needed %.2g)\n",
        work_text(a, a->answer->fallback, text), sal_answer_needed(a->answer, n));
}

/* Prints the attempts in their order. */
static void say_plan(const sal_report *r, const sal_advice *a)
{
  static const char *const when[TRIES] = {"first", "if its check fails", "if that fails"};
  const sal_surrogate_answer *found = a->answer;
  char text[PROBABILITY], work[SAL_SPENT_TEXT], error[SAL_PERFORMANCE_ERROR_TEXT];

  sal_report_say(r, "schedule: expected total work %s, misses included\n",
                 work_text(a, found->attempts[0].total, work));
  for (int i = 0; i < found->n_attempt && i < TRIES; ++i) {
    const sal_surrogate_choice *c = &found->attempts[i];
    sal_report_say(r, "  %d. %s", i + 1, when[i]);
    if (i > 0) sal_report_say(r, " (probability %.2g)", sal_answer_needed(found, i));
    sal_report_say(r, ": ");
    say_pair(r, a, c->pair, c->tolerance);
    sal_report_say(r, ", probability %s, work %s\n", probability_text(a, c->probability, text),
                   work_text(a, c->work, work));
  }
  say_rest(r, a);
  sal_report_say(
      r,
      "     to check an attempt: run it again at a tenth of its rtol, a difference above %s is "
      "a miss (saltus check)\n",
      sal_performance_error_text(&a->cube.table, 6, a->question.error, error));
}

static void say_safe(const sal_report *r, const sal_advice *a)
{
  const sal_surrogate_choice *safe = &a->answer->safe, *likely = &a->answer->likely;
  char text[PROBABILITY], work[SAL_SPENT_TEXT], total[SAL_SPENT_TEXT];

  sal_report_say(r, "safe choice: ");
  if (safe->pair < 0) {
    sal_report_say(r, "none has a probability of 0.99; the largest is %s, by ",
                   probability_text(a, likely->probability, text));
    say_pair(r, a, likely->pair, likely->tolerance);
  } else {
    say_pair(r, a, safe->pair, safe->tolerance);
    sal_report_say(r, ": probability %s, work %s, in total %s (%+.0f %%)",
                   probability_text(a, safe->probability, text), work_text(a, safe->work, work),
                   work_text(a, safe->total, total),
                   100 * (safe->total / a->answer->attempts[0].total - 1));
  }
  sal_report_say(r, "\n\n");
}

static void say_answer(const sal_report *r, const sal_advice *a)
{
  const sal_surrogate_choice *c = &a->answer->best;
  char error[SAL_PERFORMANCE_ERROR_TEXT], text[PROBABILITY], work[SAL_SPENT_TEXT];

  say_use(r, a, c->pair, c->tolerance);
  if (a->answer->n_attempt == 0) {
    sal_report_say(r, "  the least work of the runs at this point; without cells around it no "
                      "probability is known\n");
    return;
  }
  if (isnan(c->probability)) /* no attempt of the schedule has hit at the point */
    sal_report_say(r, "  tighter than the schedule, whose last attempt missed here\n");
  else
    sal_report_say(r,
                   "  reaches the error with a probability of %s; expected: an error of %s, work "
                   "%s\n",
                   probability_text(a, c->probability, text),
                   sal_performance_error_text(&a->cube.table, 2, c->error, error),
                   work_text(a, c->work, work));
  say_plan(r, a);
  say_safe(r, a);
}

/* Without an answer only JSON is printed, with the reason: people get a message. */
static void print_answer(sal_report *r, const sal_advice *a)
{
  const sal_surrogate_answer *found = a->answer;

  if (!r->text || found->best.pair >= 0) sal_here_print(r, a);
  put_best(&r->json, a);
  if (found->best.pair < 0)
    sal_json_text(&r->json, "reason",
                  a->n_here > 0 ? "missed_here" : sal_map_reasons[found->reason].label);
  else
    say_answer(r, a);
  if (found->best.pair < 0 && sal_sweep_captures(&a->cube.sweep))
    sal_json_number(&r->json, "captured", sal_recommend_captured(a));
  sal_answer_json_schedule(&r->json, &a->cube.sweep, found);
  put_choice(&r->json, a, "safe", &found->safe, false);
  put_choice(&r->json, a, "likely", &found->likely, false);
}

/* The runner-up that a miss at the point has made the answer is none. */
static bool is_answer(const sal_advice *a, int i)
{
  return a->answer->pair[i].pair == a->answer->best.pair;
}

static void say_runner_up(const sal_report *r, const sal_advice *a, const sal_surrogate_choice *c)
{
  char text[SAL_RECOMMEND_FOR], probability[PROBABILITY], work[SAL_SPENT_TEXT],
      total[SAL_SPENT_TEXT];

  sal_report_say(r, "    %-*s %-8s %9.3g  %9s  %9s  %+4.0f %%  %9s  %8.2g  %s\n", name_width(a),
                 solver_of(a, c->pair), strategy_of(a, c->pair), c->tolerance,
                 work_text(a, c->work, work), work_text(a, c->total, total),
                 100 * sal_ask_more(a, c), probability_text(a, c->probability, probability),
                 c->error * sal_performance_error_size(&a->cube.table), sal_ask_for(a, c, text));
}

static void say_runners_up(const sal_report *r, const sal_advice *a, int close)
{
  if (a->answer->n_pair <= 1) {
    sal_report_say(r, "no other solver or strategy answers\n");
    return;
  }
  sal_report_say(r, close > 1 ? "runners-up within 10 %%:\n" : "none within 10 %%; next:\n");
  sal_report_say(r, "    %-*s %-8s %9s  %9s  %9s  %6s  %9s  %8s  %s\n", name_width(a), "solver",
                 "strategy", "rtol", "work", "in total", "more", "prob.", "error", "for it");
  for (int i = 1; i < (close > 1 ? close : 2) && i < 1 + SHOWN; ++i)
    if (!is_answer(a, i)) say_runner_up(r, a, &a->answer->pair[i]);
}

static void print_runners_up(sal_report *r, const sal_advice *a)
{
  const int close = sal_ask_close(a);

  sal_json_array(&r->json, "runners_up");
  for (int i = 1; i < close; ++i)
    if (!is_answer(a, i)) put_choice(&r->json, a, NULL, &a->answer->pair[i], true);
  sal_json_end(&r->json);
  sal_json_number(&r->json, "unverified", a->answer->unverified);
  if (r->text && a->answer->n_attempt > 0) say_runners_up(r, a, close);
}

/* How far answers of this map can be trusted. */
static void print_calibration(sal_report *r, const sal_advice *a)
{
  const sal_surrogate_calibration *p = &a->calibration;
  char error[SAL_PERFORMANCE_ERROR_TEXT];

  if (a->answer->n_cell > 0)
    sal_report_say(r, "\nfrom a plane through the %lld nearest cells\n",
                   (long long)a->answer->n_cell);
  if (p->asked == 0) {
    sal_json_text(&r->json, "calibration", NULL);
    return;
  }
  sal_json_object_of(&r->json, "calibration", "error %g, asked %ld, predicted %g, observed %g",
                     p->error, p->asked, p->predicted, p->observed);
  sal_report_say(r,
                 "calibration of this map: required %s, in %lld answers at cells and "
                 "tolerances left out of it it "
                 "predicted success probability %.3g on average, observed success rate %.3g\n",
                 sal_performance_error_text(&a->cube.table, 6, p->error, error),
                 (long long)p->asked, p->predicted, p->observed);
}

static void print_run(sal_report *r, const sal_advice *a, const char *name, const char *label,
                      const sal_recommend_run *run)
{
  const bool hit = run->error <= a->question.error;
  char error[SAL_PERFORMANCE_ERROR_TEXT], work[SAL_SPENT_TEXT];

  if (run->choice.pair < 0) {
    sal_json_text(&r->json, name, NULL);
    return;
  }
  sal_json_object(&r->json, name);
  put_pair(&r->json, a, run->choice.pair, run->choice.tolerance);
  sal_json_members(&r->json, "error %g, work %g, hit %i", run->error, run->work, hit);
  sal_json_end(&r->json);
  sal_report_say(r, "  %-10s ", label);
  say_pair(r, a, run->choice.pair, run->choice.tolerance);
  if (!sal_metric_finished(run->outcome))
    sal_report_say(r, ": failed, %s at t = %.6g%s\n", sal_metric_outcomes[run->outcome].label,
                   run->reached, sal_cli_run_spent(run->outcome));
  else if (isnan(run->error))
    sal_report_say(r, ": its error is not known\n");
  else
    sal_report_say(r, ": error %s, work %s: %s\n",
                   sal_performance_error_text(&a->cube.table, 2, run->error, error),
                   work_text(a, run->work, work), hit ? "hit" : "miss");
}

static void print_runs(sal_report *r, const sal_advice *a)
{
  char error[SAL_PERFORMANCE_ERROR_TEXT];

  sal_json_object(&r->json, "run");
  sal_report_say(r, "\nrun at the point:\n");
  print_run(r, a, "answer", "answer", &a->run[0]);
  print_run(r, a, "runner_up", "runner-up", &a->run[1]);
  sal_json_number(&r->json, "reference_error", a->reference_error);
  sal_json_end(&r->json);
  if (!isfinite(a->reference_error))
    sal_report_say(r, "  the reference has no end there, so errors are not known\n");
  else
    sal_report_say(r, "  errors include that of the reference, %s\n",
                   sal_performance_error_text(&a->cube.table, 1, a->reference_error, error));
}

static void print_rank(sal_report *r, const sal_advice *a, int i)
{
  const sal_surrogate_points *p = &a->points[i];
  char work[SAL_SPENT_TEXT];

  sal_json_object(&r->json, NULL);
  put_pair(&r->json, a, p->pair, a->cube.sweep.tolerance[a->question.tolerance]);
  sal_json_members(&r->json, "points %g, work %g, error %g", p->points, p->work, p->error);
  sal_json_end(&r->json);
  if (i < SHOWN)
    sal_report_say(r, "%2d  %-*s %-8s %8.2f  %9s  %8.2g\n", i + 1, name_width(a),
                   solver_of(a, p->pair), strategy_of(a, p->pair), p->points,
                   work_text(a, p->work, work),
                   p->error * sal_performance_error_size(&a->cube.table));
}

static void print_ranking(sal_report *r, const sal_advice *a)
{
  say_use(r, a, a->points[0].pair, a->cube.sweep.tolerance[a->question.tolerance]);
  sal_report_say(r, "\n    %-*s %-8s %8s  %9s  %8s\n", name_width(a), "solver", "strategy",
                 "points", "work", "error");
  sal_json_array(&r->json, "ranking");
  for (int i = 0; i < a->n_points; ++i) print_rank(r, a, i);
  sal_json_end(&r->json);
  if (a->n_points < SHOWN) sal_report_say(r, "    no other solver or strategy answers\n");
  sal_report_say(r, "\nfrom a plane through the %lld nearest cells; points linearly\n",
                 (long long)a->answer->n_cell);
}

void sal_recommend_print(sal_report *r, const sal_advice *a)
{
  say_warnings(r, a);
  print_question(r, a);
  sal_spent_text_put(r, &a->cube.table);
  if (sal_question_by_error(&a->question)) {
    print_answer(r, a);
    print_runners_up(r, a);
    print_calibration(r, a);
    if (a->ran) print_runs(r, a);
  } else {
    print_ranking(r, a);
  }
  sal_json_whole(&r->json, "neighbours", a->answer->n_cell);
  sal_answer_json_outside(&r->json, a->cube.sweep.model, a->answer);
}
