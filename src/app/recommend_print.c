/** @file src/app/recommend_print.c
 *  An answer as text and as JSON.
 */
#include "cli_question.h"
#include "contender.h"
#include "library_select.h"
#include "parameter_column.h"
#include "recommend_point.h"
#include <math.h>
#include <string.h>

enum { SHOWN = 4 };

/* What the axes vary, at the point: "k = 22.8, adhesion = clamp". */
static void print_coordinates(FILE *out, const sal_recommend_point *a)
{
  const sal_model *m    = a->cube.sweep.model;
  const char      *next = "";

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

static void print_question(FILE *out, const sal_recommend_point *a)
{
  fprintf(out, "%s at ", a->cube.sweep.model->name);
  print_coordinates(out, a);
  fprintf(out, "\nasked: ");
  sal_cli_question_print(out, &a->cube.table, &a->question);
  fprintf(out, "\n");
  if (a->physical)
    fprintf(out, "1 unit of time is %.4g s, 1 of length %.4g m\n", a->scales.second,
            a->scales.metre);
}

static void print_advice(FILE *out, const sal_recommend_point *a)
{
  fprintf(out, "\nuse ");
  sal_cli_question_print_contender(out, &a->cube.sweep, a->list[0].contender);
  fprintf(out, "\n");
  sal_library_select_print(out, sal_contender_solver(&a->cube.sweep, a->list[0].contender),
                           sal_contender_tolerance(&a->cube.sweep, a->list[0].contender), "  ");
  fprintf(out, "\n");
}

/* Columns for the names of methods. */
static int name_width(const sal_recommend_point *a)
{
  int width = 8;

  for (int i = 0; i < a->cube.sweep.n_method; ++i)
    width = (int)fmax(width, (double)strlen(a->cube.sweep.method[i]->name));
  return width;
}

/* One line of the ranking. */
static void print_candidate(FILE *out, const sal_recommend_point *a, int place,
                            const sal_choose_candidate *c)
{
  const sal_sweep *s = &a->cube.sweep;

  fprintf(out, "%2d  %-*s %-8s %8g  %9.4g", place, name_width(a),
          sal_contender_method(s, c->contender), sal_contender_strategy(s, c->contender),
          sal_contender_tolerance(s, c->contender), c->work);
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

  fprintf(out, "    %-*s %-8s %8s  %9s  %8s  %8s  %-22s %s\n", name_width(a), "method", "strategy",
          "tol", "work", sal_question_by_error(&a->question) ? "more" : "points", "error",
          "work in the cells", "error in the cells");
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

static int count_stopped(const sal_recommend_point *a)
{
  return sal_choose_stopped(&a->cube.table, a->stencil.n, a->stencil.cell, a->stencil.weight,
                            &a->question, a->list[0].work);
}

static void print_stopped(FILE *out, const sal_recommend_point *a)
{
  const int n = count_stopped(a);

  if (n > 0)
    fprintf(out,
            "%d contender%s stopped at a cap in some of these cells, and might take less work than "
            "that\n",
            n, n == 1 ? " was" : "s were");
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
  print_stopped(out, a);
  print_outside(out, a);
}

/* ---- JSON ---- */

static void put_coordinates(sal_json *j, const sal_recommend_point *a)
{
  const sal_model *m = a->cube.sweep.model;

  sal_json_object(j, "at");
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const int   option = k - m->n_param;
    const char *name   = sal_parameter_column_name(m, k);
    if (!sal_parameter_column_varies(&a->cube.sweep, k)) continue;
    if (option >= 0 && option < m->n_option)
      sal_json_text(j, name, m->option[option].choice[(int)a->value[k]]);
    else
      sal_json_number(j, name, a->value[k]);
  }
  sal_json_end(j);
}

static void put_candidate(sal_json *j, const sal_recommend_point *a, const sal_choose_candidate *c)
{
  sal_json_object(j, NULL);
  sal_cli_question_json_contender(j, &a->cube.sweep, c->contender);
  if (sal_contender_solver(&a->cube.sweep, c->contender)->engine)
    sal_library_select_json(j, sal_contender_solver(&a->cube.sweep, c->contender),
                            sal_contender_tolerance(&a->cube.sweep, c->contender));
  sal_json_number(j, "work", c->work);
  sal_json_number(j, "work_least", c->work_lo);
  sal_json_number(j, "work_most", c->work_hi);
  sal_json_number(j, "error", c->error);
  sal_json_number(j, "error_least", c->error_lo);
  sal_json_number(j, "error_most", c->error_hi);
  sal_json_number(j, "error_with_caution", c->bound);
  sal_json_number(j, "points", c->total);
  sal_json_end(j);
}

static void put_ranking(sal_json *j, const sal_recommend_point *a)
{
  int place = 0;

  sal_json_array(j, "ranking");
  for (int i = 0; i < a->n && place < SHOWN;
       i     = sal_choose_next(&a->cube.table, a->n, a->list, i), ++place)
    put_candidate(j, a, &a->list[i]);
  sal_json_end(j);
}

void sal_recommend_print_json(FILE *out, const sal_recommend_point *a)
{
  sal_json j;

  sal_json_begin(&j, out);
  sal_json_text(&j, "model", a->cube.sweep.model->name);
  put_coordinates(&j, a);
  sal_cli_question_json(&j, &a->cube.table, &a->question);
  if (sal_question_by_error(&a->question)) sal_json_number(&j, "caution", a->question.caution);
  if (a->physical) {
    sal_json_number(&j, "second", a->scales.second);
    sal_json_number(&j, "metre", a->scales.metre);
  }
  put_ranking(&j, a);
  sal_json_whole(&j, "cells", a->stencil.n);
  sal_json_whole(&j, "agree", a->n_agree);
  if (a->cube.table.n_censored) sal_json_whole(&j, "stopped", count_stopped(a));
  sal_json_array(&j, "outside");
  for (int i = 0; i < a->stencil.n_outside; ++i)
    sal_json_text(&j, NULL, sal_parameter_column_name(a->cube.sweep.model, a->stencil.outside[i]));
  sal_json_end(&j);
  sal_json_end(&j);
}
