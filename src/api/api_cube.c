/** @file src/api/api_cube.c
 *  What a cube answers.
 */
#include "api.h"
#include "contender.h"
#include "memory.h"
#include "parameter_point.h"
#include "performance_winners.h"
#include "solver_home.h"
#include "text.h"
#include "units.h"
#include "value.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct saltus_cube {
  char *path;
  int home;                  /* the program whose solvers are asked */
  sal_recommend_point point; /* the reader, and the last answer */
};

static void drop_cube(saltus_cube *cube)
{
  if (!cube) return;
  sal_recommend_point_free(&cube->point);
  sal_free(cube->path);
  sal_free(cube);
}

void saltus_cube_close(saltus_cube *cube)
{
  sal_api_turn_take(SAL_API_READS);
  drop_cube(cube);
  sal_api_turn_leave(SAL_API_READS);
}

static sal_err choose(const void *with, const sal_sweep *sweep, sal_performance_choice *choice)
{
  return sal_performance_winners_choose(with, sweep, choice);
}

static sal_err begin_cube(const char *path, const saltus_contenders *c, saltus_cube *cube)
{
  sal_performance_winners who = {.head = ""};
  const sal_performance_chooser chooser = {choose, &who};

  if (c)
    who = (sal_performance_winners){.head = "",
                                    .solvers = c->solvers,
                                    .strategies = c->strategies,
                                    .in = c->program,
                                    .by = c->by};
  if (who.in) SAL_TRY(sal_solver_home_find("program", who.in, &cube->home));
  cube->path = sal_text_copy(path);
  if (!cube->path) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  cube->point.path = cube->path;
  return sal_performance_cube_begin(cube->path, &chooser, SAL_PERFORMANCE_ERRORS,
                                    &cube->point.cube);
}

static sal_err open_cube(const char *path, const saltus_contenders *contenders, saltus_cube **out)
{
  SAL_TRY(sal_api_given("cube: path", path));
  SAL_TRY(sal_api_given("cube", out));
  SAL_TRY(sal_api_stack_check(1));
  saltus_cube *cube = sal_alloc(1, sizeof *cube);
  if (!cube) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  assert(out);
  const sal_err err = begin_cube(path, contenders, cube);
  if (err == SAL_OK)
    *out = cube;
  else
    drop_cube(cube);
  return err;
}

saltus_status saltus_cube_open(const char *path, const saltus_contenders *contenders,
                               saltus_cube **out)
{
  sal_err_clear();
  if (out) *out = NULL;
  sal_api_turn_take(SAL_API_READS);
  const sal_err err = open_cube(path, contenders, out);
  sal_api_turn_leave(SAL_API_READS);
  return sal_api_status(err);
}

/* ---- axes ---- */

/* The ends of a column in all cells: scattered ones lie within the axes. */
static void widen(const sal_sweep *s, int column, saltus_axis *axis)
{
  axis->lo = INFINITY;
  axis->hi = -INFINITY;
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c) {
      double lo, hi;
      if (s->axis[a].column[c] != column) continue;
      sal_axis_ends(&s->axis[a], c, &lo, &hi);
      axis->lo = fmin(axis->lo, lo);
      axis->hi = fmax(axis->hi, hi);
    }
}

static const char *unit_of(const sal_model *m, int column)
{
  const int state = column - m->n_param - m->n_option;

  return state >= 0 ? m->state[state].unit : column < m->n_param ? m->param[column].unit : "1";
}

saltus_axis saltus_cube_axis(const saltus_cube *cube, int i)
{
  const sal_sweep *s = cube ? &cube->point.cube.sweep : NULL;

  for (int k = 0; s && i >= 0 && k < sal_parameter_column_count(s->model); ++k) {
    if (!sal_parameter_column_varies(s, k) || i-- > 0) continue;
    saltus_axis axis = {.name = sal_parameter_column_name(s->model, k),
                        .unit = unit_of(s->model, k)};
    widen(s, k, &axis);
    return axis;
  }
  return (saltus_axis){.name = NULL, .lo = NAN, .hi = NAN};
}

/* ---- questions ---- */

static saltus_choice choice_of(const sal_sweep *s, const sal_reader_choice *c, int home,
                               double needed)
{
  if (c->pair < 0) return (saltus_choice){.solver = NULL};
  return (saltus_choice){.solver = sal_contender_method(s, c->pair),
                         .strategy = sal_contender_strategy(s, c->pair),
                         .call = sal_solver_home_call(home, sal_contender_solver(s, c->pair)),
                         .rtol = c->tolerance,
                         .probability = c->probability,
                         .error = c->error,
                         .work = c->work,
                         .total = c->total,
                         .needed = needed};
}

void sal_api_cube_answer(const sal_recommend_point *a, int home, saltus_answer *out)
{
  const sal_reader_answer *r = a->answer;
  const sal_sweep *s = &a->cube.sweep;
  char unit[SAL_UNITS_TEXT];

  *out = (saltus_answer){
      .best = choice_of(s, &r->best, home, 1),
      .safe = choice_of(s, &r->safe, home, 1),
      .n_try = r->n_try,
      .estimated_error = a->n_here > 0 ? a->here[a->n_here - 1].difference : NAN,
      .attempts = a->n_here,
      .lead = r->lead,
      .promised = a->promise.asked > 0 ? a->promise.promised : NAN,
      .kept = a->promise.asked > 0 ? a->promise.kept : NAN,
      .n_outside = r->n_outside,
  };
  for (int i = 0; i < r->n_try; ++i)
    out->plan[i] = choice_of(s, &r->tries[i], home, sal_reader_answer_needed(r, i));
  snprintf(out->unit, sizeof out->unit, "%s", sal_performance_error_unit(&a->cube.table, unit));
}

static sal_err ask(saltus_cube *cube, const char *at, double error, double confidence,
                   saltus_answer *answer)
{
  SAL_TRY(sal_api_given("ask: cube", cube));
  SAL_TRY(sal_api_given("ask: at", at));
  SAL_TRY(sal_api_given("ask: answer", answer));
  SAL_TRY(sal_api_stack_check(1));
  sal_recommend_point *a = &cube->point;
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "ask", "error", error, nextafter(0, 1), INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "ask", "confidence", confidence, 0, 1));
  SAL_TRY(sal_parameter_point_parse("at", &a->cube.sweep, at, a->value));
  a->question =
      (sal_question){.error = error, .method = a->cube.method, .strategy = a->cube.strategy};
  a->confidence = confidence > 0 ? confidence : NAN;
  SAL_TRY(sal_recommend_point_find(a));
  if (a->answer->best.pair < 0) return sal_recommend_point_unanswered(a);
  sal_api_cube_answer(a, cube->home, answer);
  return SAL_OK;
}

saltus_status saltus_cube_ask(saltus_cube *cube, const char *at, double error, double confidence,
                              saltus_answer *answer)
{
  sal_err_clear();
  sal_api_turn_take(SAL_API_READS);
  const sal_err err = ask(cube, at, error, confidence, answer);
  sal_api_turn_leave(SAL_API_READS);
  return sal_api_status(err);
}
