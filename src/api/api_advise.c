/** Advice for a model at a point, from runs made now. */
#include "api.h"
#include "argument.h"
#include "base.h"
#include "extension.h"
#include "model_source.h"
#include "performance_runs.h"
#include "solver_home.h"
#include "stiffness.h"
#include "stop.h"
#include "sweep_read.h"
#include "tile_rows.h"
#include "value.h"

enum { MOST = 100000, PILOT = 8 };

/* Evaluations of f of a run of functions of the caller's, which may take microseconds each. */
static const double functions_budget = 1e6;

static sal_err check_numbers(const saltus_around *g)
{
  const double tiny = nextafter(0, 1);

  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "error", g->error, tiny, INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "t_end", g->t_end, 0, INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "share", g->share, 0, 0.9));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "cells", (double)g->cells, 0, MOST));
  return sal_value_range(SAL_ERR_USAGE, "around", "threads", g->threads, 0, SAL_API_MOST_THREADS);
}

/* Solvers of other libraries would start MPI. */
static sal_err check_solvers(const sal_sweep *sweep)
{
  for (int i = 0; i < sweep->n_method; ++i)
    SAL_TRY(sal_argument_own_method("program", sweep->method[i]));
  return SAL_OK;
}

static sal_err read_sweep(const sal_around *a, sal_sweep *sweep)
{
  SAL_OWN char *text = NULL;

  SAL_TRY(sal_around_text(a, &text));
  SAL_TRY(sal_sweep_parse("advise", text, 0, NULL, sweep));
  return check_solvers(sweep);
}

/* The first n cells; a model of many states has more than a tile. */
static sal_err run_cells(const sal_sweep *sweep, int64_t n, sal_tile_result *all)
{
  const int64_t most = n < sal_tile_most(sweep) ? n : sal_tile_most(sweep);
  sal_tile_space *space;
  sal_err err = SAL_OK;

  if (!sal_tile_rows_alloc(sweep, n, all)) return sal_fail(SAL_ERR_MEMORY, "no memory for cells");
  all->count = n;
  SAL_TRY(sal_tile_space_create(sweep, most, &space));
  for (int64_t at = 0; at < n && err == SAL_OK; at += most) {
    const sal_tile tile = {at, n - at < most ? n - at : most};
    SAL_OWN_BY(sal_tile_result_free) sal_tile_result some = {0};
    err = sal_tile_run(space, &tile, &some);
    if (err == SAL_OK) sal_tile_rows_copy(all, at, &some, 0, tile.count, sal_config_count(sweep));
  }
  sal_tile_space_destroy(&space);
  return err;
}

/* Chooses among many quantities by their effect on work and errors, as the command does. */
static sal_err choose_quantities(sal_around *a, double effect[])
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};
  const int haste = a->haste;

  if (sal_around_varies(a) <= SAL_AROUND_JOINT) return SAL_OK;
  a->along_axes = true;
  a->haste = SAL_AROUND_HASTES - 1;
  SAL_TRY(read_sweep(a, &sweep));
  a->along_axes = false;
  a->haste = haste;
  SAL_TRY(run_cells(&sweep, sweep.n_cell, &result));
  if (sal_pilot_effects_find(&sweep, &result, sweep.n_cell, effect) > 0) a->effect = effect;
  return SAL_OK;
}

/* Tolerances by the first cells of a sweep.  Where references have an end, but most do not reach the error, no cell counts: alone. */
static sal_err fit_tolerances(sal_around *a, bool *alone)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};
  sal_reference_fate fate = {0};

  SAL_TRY(read_sweep(a, &sweep));
  const int64_t n = sweep.n_cell < PILOT ? sweep.n_cell : PILOT;
  SAL_TRY(run_cells(&sweep, n, &result));
  const sal_pilot_levels found = sal_pilot_levels_find(&sweep, &result, n, a->error);
  a->amplification = found.amplification;
  a->answer = found.answer;
  sal_reference_fate_add(&fate, &result);
  *alone = !found.referenced && fate.without < fate.cells;
  return SAL_OK;
}

/* alone: the sweep has the configurations to be run at the point, as that of the command. */
static sal_err begin_sweep(const saltus_model *model, const saltus_around *g, int home,
                           double param[], double initial[], sal_sweep *sweep, bool *alone)
{
  const sal_model *m = model->model;
  double effect[SAL_MAX_QUANTITY];
  sal_around around = {.name = m->name,
                       .model = m,
                       .param = param,
                       .initial = initial,
                       .share = g->share > 0 ? g->share : 0.05,
                       .t_end = g->t_end > 0 ? g->t_end : m->span,
                       .budget = model->functions ? functions_budget : 0,
                       .error = g->error};

  SAL_TRY(check_numbers(g));
  SAL_TRY(sal_api_runs_check(m, param, initial));
  SAL_TRY(sal_chatter_try(m, param, initial, around.t_end, 2000));
  SAL_TRY(sal_stiffness_felt(m, param, initial, around.t_end, &around.stiff));
  around.home = home == SAL_SOLVER_HOME_OURS ? -1 : home;
  around.haste = g->cells == 0;
  SAL_TRY(choose_quantities(&around, effect));
  around.points = g->cells > 0 ? g->cells : sal_around_fewest(&around);
  SAL_TRY(fit_tolerances(&around, alone));
  *alone = *alone && g->cells == 0;
  if (*alone) around.haste = SAL_AROUND_HASTES - 1;
  return read_sweep(&around, sweep);
}

static sal_err ask_model(const saltus_model *model, const saltus_around *g, int home, sal_advice *a)
{
  const sal_model *m = model->model;
  const int n = m->n_param + m->n_option;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE], point[SAL_MAX_QUANTITY];
  static const sal_tile_result none = {0};
  sal_sweep sweep = {0};
  bool alone = false;

  sal_parameter_presets(m, param, initial);
  if (g->param) memcpy(param, g->param, (size_t)n * sizeof *param);
  if (g->initial) memcpy(initial, g->initial, (size_t)m->n_state * sizeof *initial);
  SAL_TRY(begin_sweep(model, g, home, param, initial, &sweep, &alone));
  SAL_TRY(alone ? sal_performance_runs_made(&sweep, NULL, &none, NULL, &a->cube)
                : sal_performance_runs_now(&sweep, NULL, &a->cube));
  memcpy(point, param, (size_t)n * sizeof *param);
  memcpy(point + n, initial, (size_t)m->n_state * sizeof *initial);
  return sal_ask(a, (sal_question){.error = g->error}, point, alone ? SAL_ASK_ALONE : SAL_ASK_RUN);
}

/* Sweeps name the model, which no file has. */
static sal_err ask(const saltus_model *model, const saltus_around *g, int home, sal_advice *a)
{
  const char *described = model->text ? model->text->text : "functions";

  if (model->text || model->functions)
    sal_model_source_give(model->model->name, described, model->model);
  const sal_err err = ask_model(model, g, home, a);
  sal_model_source_give(NULL, NULL, NULL);
  return err;
}

/* Takes resources of the process while it runs, and restores them. */
static sal_err advise(const saltus_model *model, const saltus_around *g, saltus_answer *answer)
{
  SAL_OWN_BY(sal_ask_free)
  sal_advice a = {.path = "the runs", .probability = NAN, .calibrated = true};
  const int threads = sal_tile_threads();
  int home = SAL_SOLVER_HOME_OURS;

  if (g->program) SAL_TRY(sal_solver_home_find("program", g->program, &home));
  if (g->halt) sal_stop_lend((atomic_int *)g->halt);
  sal_tile_threads_set(g->threads > 0 ? g->threads : 1);
  const sal_err err = ask(model, g, home, &a);
  sal_tile_threads_set(threads);
  if (g->halt) sal_stop_lend(NULL);
  if (err == SAL_OK) sal_api_cube_answer(&a, home, answer);
  return err;
}

static sal_err check_call(const saltus_model *model, const saltus_around *around,
                          const saltus_answer *answer)
{
  SAL_TRY(sal_api_given("advise: model", model));
  SAL_TRY(sal_api_given("advise: around", around));
  SAL_TRY(sal_api_given("advise: answer", answer));
  SAL_TRY(sal_api_stack_check(around->threads));
  return sal_api_functions_outside("saltus_advise");
}

saltus_status saltus_advise(const saltus_model *model, const saltus_around *around,
                            saltus_answer *answer)
{
  sal_err_clear();
  const sal_err flaw = check_call(model, around, answer);
  if (flaw != SAL_OK) return sal_api_status(flaw);
  sal_api_turn_take(
      SAL_API_ADVISES); /* threads of a tile, and the flag that ends runs, are of the process */
  sal_api_functions_begin(model);
  sal_api_functions_advise(model, 1);
  const sal_err err = advise(model, around, answer);
  sal_api_functions_advise(model, 0);
  sal_api_turn_leave(SAL_API_ADVISES);
  return sal_api_functions_status(model, err);
}
