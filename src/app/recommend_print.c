/** @file src/app/recommend_print.c
 *  An answer as text and as JSON.
 */
#include "contender.h"
#include "parameter_column.h"
#include "recommend_point.h"
#include <math.h>

enum { SHOWN = 4 };

/* Column k of the point: its number, or its word. */
static void print_value(FILE *out, const sal_model *m, int k, double v, const char *quote)
{
  const int option = k - m->n_param;

  if (option >= 0 && option < m->n_option)
    fprintf(out, "%s%s%s", quote, m->option[option].choice[(int)v], quote);
  else
    fprintf(out, "%.6g", v);
}

/* What the axes vary, at the point. */
static void print_coordinates(FILE *out, const sal_recommend_point *a, const char *quote,
                              const char *between)
{
  const sal_sweep *s    = &a->cube.sweep;
  const char      *next = "";

  for (int k = 0; k < sal_parameter_column_count(s->model); ++k) {
    if (!sal_parameter_column_varies(s, k)) continue;
    fprintf(out, "%s%s%s%s%s", next, quote, sal_parameter_column_name(s->model, k), quote, between);
    print_value(out, s->model, k, a->value[k], quote);
    next = ", ";
  }
}

static void print_question(FILE *out, const sal_recommend_point *a)
{
  const sal_question *q = &a->question;

  fprintf(out, "%s at ", a->cube.sweep.model->name);
  print_coordinates(out, a, "", " = ");
  if (sal_question_by_error(&a->question))
    fprintf(out, "\nasked: least work for a largest error of %g", q->error);
  else
    fprintf(out, "\nasked: most points %g SD + %g DT + %g IAE at a tolerance of %g (%s)",
            q->weights.sd, q->weights.dt, q->weights.iae, a->cube.sweep.tolerance[q->tolerance],
            a->cube.table.scope == SAL_POINTS_GLOBAL ? "scaled over all cells" : "scaled per cell");
  fprintf(out, ", over [0, %g]\n", a->cube.sweep.t_end);
  if (a->physical)
    fprintf(out, "1 unit of time is %.4g s, 1 of length %.4g m\n", a->scales.second,
            a->scales.metre);
}

static void print_advice(FILE *out, const sal_recommend_point *a)
{
  const sal_choose_candidate *c = &a->list[0];
  const sal_sweep            *s = &a->cube.sweep;

  fprintf(out, "\nuse %s with %s at a tolerance of %g\n\n", sal_contender_method(s, c->contender),
          sal_contender_strategy(s, c->contender), sal_contender_tolerance(s, c->contender));
}

/* One line of the ranking. */
static void print_candidate(FILE *out, const sal_recommend_point *a, int place,
                            const sal_choose_candidate *c)
{
  const sal_sweep *s = &a->cube.sweep;

  fprintf(out, "%2d  %-8s %-8s %8g  %9.4g", place, sal_contender_method(s, c->contender),
          sal_contender_strategy(s, c->contender), sal_contender_tolerance(s, c->contender),
          c->work);
  if (sal_question_by_error(&a->question))
    fprintf(out, "  %+6.0f %%", 100 * (c->work / a->list[0].work - 1));
  else
    fprintf(out, "  %8.2f", c->total);
  fprintf(out, "  %8.2g  %9.4g .. %-9.4g %8.2g .. %.2g\n", c->error, c->work_lo, c->work_hi,
          c->error_lo, c->error_hi);
}

static void print_ranking(FILE *out, const sal_recommend_point *a)
{
  int place = 1;

  fprintf(out, "    %-8s %-8s %8s  %9s  %8s  %8s  %-22s %s\n", "method", "strategy", "tol", "work",
          sal_question_by_error(&a->question) ? "more" : "points", "error", "work in the cells",
          "error in the cells");
  for (int i = 0; i < a->n && place <= SHOWN;
       i     = sal_choose_next(&a->cube.table, a->n, a->list, i), ++place)
    print_candidate(out, a, place, &a->list[i]);
  if (place <= SHOWN) fprintf(out, "    no other method or strategy answers\n");
}

/* Where the answer comes from, and how far the cells around the point agree. */
static void print_how(FILE *out, const sal_recommend_point *a)
{
  const sal_sweep *s = &a->cube.sweep;

  if (a->stencil.n == 1) {
    fprintf(out, "\nfrom cell %lld %s\n", (long long)a->stencil.cell[0] + 1,
            a->stencil.n_outside ? "at the edge" : "itself");
  } else {
    fprintf(out, "\nfrom %d cells around the point (", a->stencil.n);
    for (int i = 0; i < s->n_axis; ++i) {
      const sal_axis *axis = &s->axis[i];
      fprintf(out, "%s", i ? ", " : "");
      for (int c = 0; c < axis->n_column; ++c)
        fprintf(out, "%s%s", c ? " " : "", sal_parameter_column_name(s->model, axis->column[c]));
      fprintf(out, " %s", sal_axis_joint(axis) ? "nearest" : sal_axis_kind_name(axis->kind));
    }
    fprintf(out, "); work and error interpolated geometrically%s\n",
            sal_question_by_error(&a->question) ? "" : ", points linearly");
    if (sal_question_by_error(&a->question))
      fprintf(
          out,
          "caution %g: errors count %g standard deviations of their dispersion higher, %.2g here\n",
          a->question.caution, a->question.caution, a->list[0].bound);
  }
  if (a->stencil.n > 1)
    fprintf(out, "the same method and strategy is best in %d of %d of these cells\n", a->n_agree,
            a->stencil.n);
}

static void print_outside(FILE *out, const sal_recommend_point *a)
{
  const sal_model *m = a->cube.sweep.model;

  for (int i = 0; i < a->stencil.n_outside; ++i)
    fprintf(out,
            "outside the mapped region: %s = %.6g, the map has %.6g .. %.6g; its edge answers\n",
            sal_parameter_column_name(m, a->stencil.outside[i]), a->value[a->stencil.outside[i]],
            a->stencil.lo[i], a->stencil.hi[i]);
}

void sal_recommend_print(FILE *out, const sal_recommend_point *a)
{
  print_question(out, a);
  print_advice(out, a);
  print_ranking(out, a);
  print_how(out, a);
  print_outside(out, a);
}

/* JSON has no NaN. */
static void json_number(FILE *out, const char *name, double x)
{
  fprintf(out, isnan(x) ? ", \"%s\": null" : ", \"%s\": %.6g", name, x);
}

static void json_candidate(FILE *out, const sal_recommend_point *a, const sal_choose_candidate *c)
{
  const sal_sweep *s = &a->cube.sweep;

  fprintf(out, "{\"method\": \"%s\", \"strategy\": \"%s\", \"tolerance\": %.17g",
          sal_contender_method(s, c->contender), sal_contender_strategy(s, c->contender),
          sal_contender_tolerance(s, c->contender));
  json_number(out, "work", c->work);
  json_number(out, "work_least", c->work_lo);
  json_number(out, "work_most", c->work_hi);
  json_number(out, "error", c->error);
  json_number(out, "error_least", c->error_lo);
  json_number(out, "error_most", c->error_hi);
  json_number(out, "error_with_caution", c->bound);
  json_number(out, "points", c->total);
  fprintf(out, "}");
}

void sal_recommend_print_json(FILE *out, const sal_recommend_point *a)
{
  const sal_question *q     = &a->question;
  int                 place = 0;

  fprintf(out, "{\"model\": \"%s\", \"at\": {", a->cube.sweep.model->name);
  print_coordinates(out, a, "\"", ": ");
  fprintf(out, "}");
  if (sal_question_by_error(&a->question))
    fprintf(out, ", \"asked_error\": %.17g, \"caution\": %.17g", q->error, q->caution);
  else
    fprintf(out, ", \"tolerance\": %.17g, \"weights\": {\"sd\": %g, \"dt\": %g, \"iae\": %g}",
            a->cube.sweep.tolerance[q->tolerance], q->weights.sd, q->weights.dt, q->weights.iae);
  if (a->physical)
    fprintf(out, ", \"second\": %.6g, \"metre\": %.6g", a->scales.second, a->scales.metre);
  fprintf(out, ", \"ranking\": [");
  for (int i = 0; i < a->n && place < SHOWN;
       i     = sal_choose_next(&a->cube.table, a->n, a->list, i), ++place) {
    fprintf(out, "%s", place ? ", " : "");
    json_candidate(out, a, &a->list[i]);
  }
  fprintf(out, "], \"cells\": %d, \"agree\": %d, \"outside\": [", a->stencil.n, a->n_agree);
  for (int i = 0; i < a->stencil.n_outside; ++i)
    fprintf(out, "%s\"%s\"", i ? ", " : "",
            sal_parameter_column_name(a->cube.sweep.model, a->stencil.outside[i]));
  fprintf(out, "]}\n");
}
