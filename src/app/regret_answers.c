/** @file src/app/regret_answers.c
 *  Asking the reader of a map at points.
 */
#include "regret_answers.h"
#include "answer_json.h"
#include "metric.h"
#include "offgrid.h"
#include "parameter_point.h"
#include <math.h>

static const double confidences[] = {0.8, 0.9, 0.95, 0.99};
enum { N_CONFIDENCE = sizeof confidences / sizeof confidences[0] };

/* Points, and the contenders that are asked about. */
typedef struct {
  const sal_performance_cube *map;
  const sal_sweep *points;
  sal_reader *reader;
  int64_t replicates, options; /* cells of a point, and what options add */
  bool method[SAL_MAX_LIST], strategy[SAL_MAX_LIST];
  int n_error;
  const double *error;
} inquiry;

/* What may be advised: what counts in the map and was run at the points. */
static void find_contenders(inquiry *a)
{
  const sal_sweep *map = &a->map->sweep;

  for (int m = 0; m < map->n_method; ++m)
    for (int k = 0; k < a->points->n_method; ++k)
      a->method[m] |= a->map->method[m] && a->points->method[k] == map->method[m];
  for (int s = 0; s < map->n_strategy; ++s)
    for (int k = 0; k < a->points->n_strategy; ++k)
      a->strategy[s] |= a->map->strategy[s] && a->points->strategy[k] == map->strategy[s];
}

static void put_list(sal_json *j, const char *name, int n, const double value[])
{
  sal_json_array(j, name);
  for (int i = 0; i < n; ++i) sal_json_number(j, NULL, value[i]);
  sal_json_end(j);
}

static void put_work(sal_json *j, const sal_performance_table *t)
{
  const double weight[SAL_N_WORK] = {[SAL_WORK_RHS] = t->weights.rhs,
                                     [SAL_WORK_JACOBIANS] = t->weights.jacobian,
                                     [SAL_WORK_FACTORISATIONS] = t->weights.factorisation,
                                     [SAL_WORK_SOLVES] = t->weights.solve};

  sal_json_object(j, "work");
  for (int i = 0; i < SAL_N_WORK; ++i)
    if (weight[i] > 0 && t->by->count[i] >= 0)
      sal_json_number(j, sal_metrics[t->by->count[i]].name, weight[i]);
  sal_json_end(j);
}

static void put_contenders(sal_json *j, const inquiry *a)
{
  const sal_sweep *s = &a->map->sweep;

  sal_json_array(j, "solvers");
  for (int m = 0; m < s->n_method; ++m)
    if (a->method[m]) sal_json_text(j, NULL, s->method[m]->name);
  sal_json_end(j);
  sal_json_array(j, "strategies");
  for (int k = 0; k < s->n_strategy; ++k)
    if (a->strategy[k]) sal_json_text(j, NULL, s->strategy[k]->name);
  sal_json_end(j);
}

static void print_question(FILE *out, const inquiry *a)
{
  const sal_performance_table *t = &a->map->table;
  sal_json j;

  sal_json_begin(&j, out);
  put_contenders(&j, a);
  put_list(&j, "errors", a->n_error, a->error);
  put_list(&j, "confidences", N_CONFIDENCE, confidences);
  sal_json_text(&j, "by", sal_error_metric_name(t->by));
  sal_json_text(&j, "reference", sal_metrics_of_cell[t->by->truth_error].name);
  put_work(&j, t);
  sal_json_whole(&j, "replicates", a->replicates);
  sal_json_end(&j);
}

static void put_choice(sal_json *j, const char *name, const sal_sweep *s,
                       const sal_reader_choice *c)
{
  if (c->pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  sal_answer_json_pair(j, s, c->pair, c->tolerance);
  sal_answer_json_expected(j, c);
  sal_json_end(j);
}

/* One asked error. */
static sal_err put_answer(sal_json *j, const inquiry *a, const double value[], double error)
{
  sal_reader_question q = {
      .error = error, .confidence = NAN, .method = a->method, .strategy = a->strategy};
  sal_reader_answer answer;

  SAL_TRY(sal_reader_ask(a->reader, value, &q, &answer));
  sal_json_object(j, NULL);
  sal_json_number(j, "error", error);
  sal_json_text(j, "reason", sal_map_reasons[answer.reason].label);
  put_choice(j, "total", &a->map->sweep, &answer.best);
  put_choice(j, "likely", &a->map->sweep, &answer.likely);
  sal_json_array(j, "confident");
  for (int i = 0; i < N_CONFIDENCE; ++i) {
    q.confidence = confidences[i];
    SAL_TRY(sal_reader_ask(a->reader, value, &q, &answer));
    put_choice(j, NULL, &a->map->sweep, &answer.best);
  }
  sal_json_end(j);
  sal_json_end(j);
  return SAL_OK;
}

/* In which columns the point lies outside the map. */
static sal_err put_outside(sal_json *j, const inquiry *a, const double value[])
{
  const sal_reader_question q = {
      .error = a->error[0], .confidence = NAN, .method = a->method, .strategy = a->strategy};
  sal_reader_answer answer;

  SAL_TRY(sal_reader_ask(a->reader, value, &q, &answer));
  sal_answer_json_outside(j, a->map->sweep.model, &answer);
  return SAL_OK;
}

/* A point with its option number `option`. */
static sal_err print_point(FILE *out, const inquiry *a, int64_t point, int64_t option)
{
  const sal_model *m = a->points->model;
  const int64_t first = point * a->replicates * a->options + option;
  double value[SAL_MAX_QUANTITY];
  sal_json j;

  sal_sweep_cell(a->points, first, value, value + m->n_param + m->n_option);
  sal_json_begin(&j, out);
  sal_answer_json_at(&j, &a->map->sweep, value);
  sal_json_array(&j, "cells");
  for (int64_t r = 0; r < a->replicates; ++r) sal_json_whole(&j, NULL, first + r * a->options);
  sal_json_end(&j);
  SAL_TRY(put_outside(&j, a, value));
  sal_json_array(&j, "answers");
  for (int i = 0; i < a->n_error; ++i) SAL_TRY(put_answer(&j, a, value, a->error[i]));
  sal_json_end(&j);
  sal_json_end(&j);
  return SAL_OK;
}

sal_err sal_regret_answers_check(const sal_performance_cube *map)
{
  const sal_performance_source source = sal_performance_source_of(&map->table);
  sal_reader *reader;
  bool possible;

  SAL_TRY(sal_reader_possible(&map->sweep, &possible));
  if (possible) return SAL_OK;
  SAL_TRY(sal_reader_open(&source, NULL, &reader)); /* says what is missing */
  sal_reader_close(&reader);
  return SAL_OK;
}

sal_err sal_regret_answers_print(FILE *out, const sal_performance_cube *map,
                                 const sal_sweep *points, int n_error, const double error[])
{
  const sal_performance_source source = sal_performance_source_of(&map->table);
  const int64_t rows = points->n_axis > 0 ? points->axis[0].n_point : 1;
  inquiry a = {.map = map,
               .points = points,
               .replicates = sal_offgrid_replicates(&map->sweep, points),
               .options = points->n_cell / rows,
               .n_error = n_error,
               .error = error};

  find_contenders(&a);
  SAL_TRY(sal_reader_open(&source, NULL, &a.reader));
  print_question(out, &a);
  sal_err err = SAL_OK;
  for (int64_t p = 0; err == SAL_OK && p < rows / a.replicates; ++p)
    for (int64_t o = 0; err == SAL_OK && o < a.options; ++o) err = print_point(out, &a, p, o);
  sal_reader_close(&a.reader);
  return err;
}
