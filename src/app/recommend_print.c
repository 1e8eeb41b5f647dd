/** @file src/app/recommend_print.c
 *  An answer as text.
 */
#include "cli_question.h"
#include "contender.h"
#include "library_select.h"
#include "recommend_point.h"
#include <math.h>
#include <string.h>

enum { SHOWN = 4 };

/* What the axes vary, at the point: "k = 22.8, adhesion = clamp". */
static void print_coordinates(FILE *out, const sal_recommend_point *a)
{
  const sal_model *m = a->cube.sweep.model;
  const char *next = "";

  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const int option = k - m->n_param;
    if (!sal_parameter_column_varies(&a->cube.sweep, k)) continue;
    fprintf(out, "%s%s = ", next, sal_parameter_column_name(m, k));
    if (option >= 0 && option < m->n_option)
      fprintf(out, "%s", m->option[option].choice[(int)a->value[k]]);
    else
      fprintf(out, "%.6g", a->value[k]);
    next = ", ";
  }
}

/* What the answer is not good for comes before it. */
static void print_warnings(FILE *out, const sal_recommend_point *a)
{
  const sal_model *m = a->cube.sweep.model;
  const sal_reader_answer *r = a->answer;
  char error[SAL_CLI_QUESTION_ERROR];

  for (int i = 0; i < r->n_outside; ++i)
    fprintf(
        out, "outside the mapped region: %s = %.6g, the map has %.6g .. %.6g; its edge answers\n",
        sal_parameter_column_name(m, r->outside[i]), a->value[r->outside[i]], r->lo[i], r->hi[i]);
  if (r->unverified > 0 && sal_question_by_error(&a->question))
    fprintf(out,
            "not verified: references around the point do not reach %s (%.0f %% of the weight); "
            "there all runs count as misses\n",
            sal_cli_question_error(&a->cube.table, 6, a->question.error, error),
            fmax(1, 100 * r->unverified));
}

static void print_question(FILE *out, const sal_recommend_point *a)
{
  fprintf(out, "%s at ", a->cube.sweep.model->name);
  print_coordinates(out, a);
  fprintf(out, "\nasked: ");
  sal_cli_question_print(out, &a->cube.table, &a->question);
  if (!isnan(a->confidence)) fprintf(out, ", with a probability of %g", a->confidence);
  fprintf(out, "\n");
  if (a->physical)
    fprintf(out, "1 unit of time is %.4g s, 1 of length %.4g m\n", a->scales.second,
            a->scales.metre);
}

static const char *method_of(const sal_recommend_point *a, int pair)
{
  return a->cube.sweep.method[pair % a->cube.sweep.n_method]->name;
}

static const char *strategy_of(const sal_recommend_point *a, int pair)
{
  return a->cube.sweep.strategy[pair / a->cube.sweep.n_method]->name;
}

static void print_pair(FILE *out, const sal_recommend_point *a, int pair, double tolerance)
{
  fprintf(out, "%s with %s at rtol %.3g", method_of(a, pair), strategy_of(a, pair), tolerance);
}

static void print_use(FILE *out, const sal_recommend_point *a, int pair, double tolerance)
{
  fprintf(out, "\nuse ");
  print_pair(out, a, pair, tolerance);
  fprintf(out, "\n");
  sal_library_select_print(out, a->cube.sweep.method[pair % a->cube.sweep.n_method], tolerance,
                           "  ");
}

/* Columns for the names of methods. */
static int name_width(const sal_recommend_point *a)
{
  int width = 8;

  for (int i = 0; i < a->cube.sweep.n_method; ++i)
    width = (int)fmax(width, (double)strlen(a->cube.sweep.method[i]->name));
  return width;
}

/* ---- By error ---- */

enum { PROBABILITY = 16 };

/* Of n cells none of which misses a next one misses with probability 1 / (n + 2) in the mean (Laplace's rule
 * of succession): more certainty than that is not in them. */
static const char *probability_text(const sal_recommend_point *a, double p, char text[PROBABILITY])
{
  const double n = (double)a->answer->n_cell, most = (n + 1) / (n + 2);

  snprintf(text, PROBABILITY, p > most ? "over %.2g" : "%.3g", fmin(p, most));
  return text;
}

static void print_answer(FILE *out, const sal_recommend_point *a)
{
  const sal_reader_choice *c = &a->answer->best, *safe = &a->answer->safe;
  char error[SAL_CLI_QUESTION_ERROR], text[PROBABILITY];

  print_use(out, a, c->pair, c->tolerance);
  fprintf(out,
          "  reaches the error with a probability of %s; expected: an error of %s, work %.4g, with "
          "what follows a miss %.4g\n",
          probability_text(a, c->probability, text),
          sal_cli_question_error(&a->cube.table, 2, c->error, error), c->work, c->total);
  fprintf(out, "safe choice: ");
  if (safe->pair < 0) {
    fprintf(out, "none has a probability of 0.99; the largest is %s, by ",
            probability_text(a, a->answer->likely.probability, text));
    print_pair(out, a, a->answer->likely.pair, a->answer->likely.tolerance);
  } else {
    print_pair(out, a, safe->pair, safe->tolerance);
    fprintf(out, ": probability %s, work %.4g, in total %.4g (%+.0f %%)",
            probability_text(a, safe->probability, text), safe->work, safe->total,
            100 * (safe->total / c->total - 1));
  }
  fprintf(out, "\n\n");
}

static void print_runner_up(FILE *out, const sal_recommend_point *a, const sal_reader_choice *c)
{
  char text[SAL_RECOMMEND_FOR], probability[PROBABILITY];

  fprintf(out, "    %-*s %-8s %9.3g  %9.4g  %9.4g  %+4.0f %%  %9s  %8.2g  %s\n", name_width(a),
          method_of(a, c->pair), strategy_of(a, c->pair), c->tolerance, c->work, c->total,
          100 * sal_recommend_point_more(a, c), probability_text(a, c->probability, probability),
          c->error, sal_recommend_point_for(a, c, text));
}

static void print_runners_up(FILE *out, const sal_recommend_point *a)
{
  const int close = sal_recommend_point_close(a), n = a->answer->n_pair;

  if (n == 1) {
    fprintf(out, "no other solver or strategy answers\n");
    return;
  }
  fprintf(out, close > 1 ? "runners-up within 10 %%:\n" : "none within 10 %%; next:\n");
  fprintf(out, "    %-*s %-8s %9s  %9s  %9s  %6s  %9s  %8s  %s\n", name_width(a), "solver",
          "strategy", "rtol", "work", "in total", "more", "prob.", "error", "for it");
  for (int i = 1; i < (close > 1 ? close : 2) && i < 1 + SHOWN; ++i)
    print_runner_up(out, a, &a->answer->pair[i]);
}

/* Where the answer comes from, and how far such answers can be trusted. */
static void print_how(FILE *out, const sal_recommend_point *a)
{
  const sal_reader_fit *fit = sal_reader_fit_of(a->reader);
  const int e = sal_recommend_point_promise(a);
  char error[SAL_CLI_QUESTION_ERROR];

  fprintf(out, "\nfrom a plane through the %lld nearest cells\n", (long long)a->answer->n_cell);
  if (e >= 0)
    fprintf(
        out,
        "how this map keeps its promises: asked for %s at %lld cells left out of it, it promised a "
        "probability of %.3g on average, and %.3g of the answers reached the error\n",
        sal_cli_question_error(&a->cube.table, 6, a->source.by->preset[e], error),
        (long long)fit->asked[e], fit->promised[e], fit->kept[e]);
}

static void print_run(FILE *out, const sal_recommend_point *a, const char *what,
                      const sal_recommend_run *run)
{
  char error[SAL_CLI_QUESTION_ERROR];

  if (run->choice.pair < 0) return;
  fprintf(out, "  %-10s ", what);
  print_pair(out, a, run->choice.pair, run->choice.tolerance);
  if (isnan(run->error))
    fprintf(out, ": failed\n");
  else
    fprintf(out, ": error %s, work %.4g: %s\n",
            sal_cli_question_error(&a->cube.table, 2, run->error, error), run->work,
            run->error <= a->question.error ? "hit" : "miss");
}

static void print_runs(FILE *out, const sal_recommend_point *a)
{
  char error[SAL_CLI_QUESTION_ERROR];

  fprintf(out, "\nrun at the point:\n");
  print_run(out, a, "answer", &a->run[0]);
  print_run(out, a, "runner-up", &a->run[1]);
  if (isinf(a->reference_error))
    fprintf(out, "  the reference has no end there, so errors are not known\n");
  else
    fprintf(out, "  errors include that of the reference, %s\n",
            sal_cli_question_error(&a->cube.table, 1, a->reference_error, error));
}

/* ---- By points ---- */

static void print_ranking(FILE *out, const sal_recommend_point *a)
{
  const double tolerance = a->cube.sweep.tolerance[a->question.tolerance];

  print_use(out, a, a->points[0].pair, tolerance);
  fprintf(out, "\n    %-*s %-8s %8s  %9s  %8s\n", name_width(a), "solver", "strategy", "points",
          "work", "error");
  for (int i = 0; i < a->n_points && i < SHOWN; ++i)
    fprintf(out, "%2d  %-*s %-8s %8.2f  %9.4g  %8.2g\n", i + 1, name_width(a),
            method_of(a, a->points[i].pair), strategy_of(a, a->points[i].pair), a->points[i].points,
            a->points[i].work, a->points[i].error);
  if (a->n_points < SHOWN) fprintf(out, "    no other solver or strategy answers\n");
  fprintf(out, "\nfrom a plane through the %lld nearest cells; points linearly\n",
          (long long)a->answer->n_cell);
}

void sal_recommend_print(FILE *out, const sal_recommend_point *a)
{
  print_warnings(out, a);
  print_question(out, a);
  if (!sal_question_by_error(&a->question)) {
    print_ranking(out, a);
    return;
  }
  print_answer(out, a);
  print_runners_up(out, a);
  print_how(out, a);
  if (a->ran) print_runs(out, a);
}
