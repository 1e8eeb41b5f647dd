/** Advice for a model at a point, from runs made now. */
#include "api.h"
#include "api_limit.h"
#include "argument.h"
#include "base.h"
#include "clock.h"
#include "config.h"
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

/* Shares of the time left, as of the command: for the cells off the point along one quantity each, for the first cells of a design
 * that may be too large, for those of the smallest design; for the answer after all runs. */
static const double axes_share = 0.2, first_share = 0.25, last_share = 0.7, answering = 0.2;

/* The time of a cell of the whole design, by one along an axis, is divided by this. */
static const double rough = 3;

/* Evaluations of f of a run of functions of the caller's, which may take microseconds each. */
static const double functions_budget = 1e6;

static sal_err check_numbers(const saltus_around *g)
{
  const double tiny = nextafter(0, 1);

  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "error", g->error, tiny, INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "t_end", g->t_end, 0, INFINITY));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "share", g->share, 0, 0.9));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "around", "seconds", g->seconds, 0, INFINITY));
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

/** Runs around a point, from what is asked to what was run. */
typedef struct {
  const saltus_around *asked;
  sal_around around;
  sal_sweep sweep;
  sal_tile_result result; /* of the first cells of the sweep */
  sal_reference_fate fate;
  sal_api_limit limit;
  double each; /* [s] that a cell takes; INFINITY: longer than there was time */
  bool alone;  /* no cell counts: the sweep has the configurations to be run at the point */
  double effect[SAL_MAX_QUANTITY];
} advice_runs;

static void drop(advice_runs *r)
{
  sal_api_limit_end(&r->limit);
  sal_tile_result_free(&r->result);
  sal_sweep_free(&r->sweep);
}

static sal_err design(advice_runs *r)
{
  sal_sweep_free(&r->sweep);
  return read_sweep(&r->around, &r->sweep);
}

/* Cells of the next tile: twice as many as in all before, if a third of the time left is enough for them, since those that are cut
 * are lost.  The first tile is small: no cell may have a reference. */
static int64_t next_count(const advice_runs *r, int64_t done, int64_t left)
{
  enum { FIRST = 4 };
  const double fit = sal_api_limit_left(&r->limit) / (3 * r->each);
  const int64_t most = sal_tile_most(&r->sweep), lanes = sal_tile_width(&r->sweep);
  int64_t n = done == 0 ? FIRST : left;

  if (isfinite(fit))
    n = done == 0 ? lanes : fit < 1 ? 1 : fit < 2.0 * (double)done ? (int64_t)fit : 2 * done;
  n = n < most ? n : most;
  return n < left ? n : left;
}

static sal_err run_tiles(advice_runs *r, sal_tile_space *space, int64_t n)
{
  const double began = sal_clock_wall();
  sal_tile_result *all = &r->result;

  for (int64_t count; all->count < n; all->count += count) {
    const sal_tile tile = {all->count, count = next_count(r, all->count, n - all->count)};
    SAL_OWN_BY(sal_tile_result_free) sal_tile_result some = {0};
    const sal_err err = sal_tile_run(space, &tile, &some);
    if (err == SAL_ERR_STOPPED && r->limit.runs && !sal_api_limit_halted(&r->limit)) return SAL_OK;
    if (err == SAL_ERR_STOPPED)
      return sal_fail(err, "stopped: %lld of %lld cells have been run", (long long)all->count,
                      (long long)r->sweep.n_cell);
    SAL_TRY(err);
    sal_tile_rows_copy(all, tile.first, &some, 0, count, sal_config_count(&r->sweep));
    sal_reference_fate_add(&r->fate, &some);
    r->each = (sal_clock_wall() - began) / (double)(tile.first + count);
    if (n == r->sweep.n_cell && r->fate.without == r->fate.cells) n = 0; /* nothing will count */
  }
  return SAL_OK;
}

/* The first n cells of the sweep, or as many as a share of the time left is enough for. */
static sal_err run_cells(advice_runs *r, int64_t n, double share)
{
  const int64_t most = sal_tile_most(&r->sweep);
  sal_tile_space *space;

  sal_tile_result_free(&r->result);
  r->result = (sal_tile_result){0};
  r->fate = (sal_reference_fate){0};
  r->each = INFINITY;
  if (!sal_tile_rows_alloc(&r->sweep, n, &r->result))
    return sal_fail(SAL_ERR_MEMORY, "no memory for cells");
  SAL_TRY(sal_tile_space_create(&r->sweep, n < most ? n : most, &space));
  sal_api_limit_share(&r->limit, share);
  const sal_err err = run_tiles(r, space, n);
  sal_tile_space_destroy(&space);
  return err;
}

/* Chooses among many quantities by their effect on work and errors, as the command does. */
static sal_err choose_quantities(advice_runs *r)
{
  const int haste = r->around.haste;

  if (sal_around_varies(&r->around) <= SAL_AROUND_JOINT) return SAL_OK;
  r->around.along_axes = true;
  r->around.haste = SAL_AROUND_LAST;
  SAL_TRY(design(r));
  r->around.along_axes = false;
  SAL_TRY(run_cells(r, r->sweep.n_cell, axes_share));
  r->around.haste = haste;
  if (sal_pilot_effects_find(&r->sweep, &r->result, r->result.count, r->effect) > 0)
    r->around.effect = r->effect;
  if (r->limit.runs && r->asked->cells == 0)
    r->around.haste =
        sal_around_fitting(&r->around, haste, r->each / sal_around_share(SAL_AROUND_LAST) / rough,
                           sal_api_limit_left(&r->limit));
  return SAL_OK;
}

/* The first cells of a design of which the fewest cells fit into the time, as far as they show. */
static sal_err run_pilot(advice_runs *r)
{
  for (sal_around *a = &r->around;;) {
    a->points = r->asked->cells > 0 ? r->asked->cells : sal_around_fewest(a);
    SAL_TRY(design(r));
    const int64_t n = r->sweep.n_cell < PILOT ? r->sweep.n_cell : PILOT;
    SAL_TRY(run_cells(r, n, a->haste == SAL_AROUND_LAST ? last_share : first_share));
    const bool fits = r->each * (double)a->points <= sal_api_limit_left(&r->limit);
    if (!r->limit.runs || fits || a->haste == SAL_AROUND_LAST || r->asked->cells > 0) return SAL_OK;
    a->haste = sal_around_fitting(a, a->haste + 1, r->each / sal_around_share(a->haste),
                                  sal_api_limit_left(&r->limit));
  }
}

static sal_err go_alone(advice_runs *r)
{
  r->alone = true;
  r->around.haste = SAL_AROUND_LAST;
  return design(r);
}

/* Tolerances by the first cells.  Where references have an end, but most do not reach the error, no cell counts; too few that could be
 * run do not either. */
static sal_err make_runs(advice_runs *r)
{
  SAL_TRY(run_pilot(r));
  const sal_pilot_levels found =
      sal_pilot_levels_find(&r->sweep, &r->result, r->result.count, r->asked->error);
  r->around.amplification = found.amplification;
  r->around.answer = found.answer;
  if (r->result.count == 0) return go_alone(r);
  if (!found.referenced && r->fate.without < r->fate.cells && r->asked->cells == 0)
    return go_alone(r);
  SAL_TRY(design(r));
  SAL_TRY(run_cells(r, r->sweep.n_cell, 1 - answering));
  const int64_t done = r->result.count;
  if (done == r->sweep.n_cell || (done > 0 && r->fate.without == r->fate.cells)) return SAL_OK;
  if (done < sal_around_usable(&r->around)) return go_alone(r);
  r->around.points = done;
  return design(r);
}

static sal_err begin_runs(const saltus_model *model, int home, double param[], double initial[],
                          advice_runs *r)
{
  const saltus_around *g = r->asked;
  const sal_model *m = model->model;

  SAL_TRY(check_numbers(g));
  r->around = (sal_around){.name = m->name,
                           .model = m,
                           .param = param,
                           .initial = initial,
                           .share = g->share > 0 ? g->share : 0.05,
                           .t_end = g->t_end > 0 ? g->t_end : m->span,
                           .budget = model->functions ? functions_budget : 0,
                           .home = home == SAL_SOLVER_HOME_OURS ? -1 : home,
                           .haste = g->cells == 0,
                           .error = g->error};
  SAL_TRY(sal_api_runs_check(m, param, initial));
  SAL_TRY(sal_parameter_begin("initial", m, param, initial));
  SAL_TRY(sal_api_limit_begin(g->halt, g->seconds, &r->limit));
  SAL_TRY(sal_chatter_try(m, param, initial, r->around.t_end, 2000));
  return sal_stiffness_felt(m, param, initial, r->around.t_end, &r->around.stiff);
}

/* The runs and what they answer, which is checked in the time that is left. */
static sal_err answer_runs(advice_runs *r, sal_advice *a)
{
  static const sal_tile_result none = {0};
  const sal_around *p = &r->around;
  const int n = p->model->n_param + p->model->n_option;
  double point[SAL_MAX_QUANTITY];

  SAL_TRY(choose_quantities(r));
  SAL_TRY(make_runs(r));
  SAL_TRY(sal_performance_runs_made(&r->sweep, NULL, r->alone ? &none : &r->result,
                                    r->alone ? NULL : &r->fate, &a->cube));
  memcpy(point, p->param, (size_t)n * sizeof *point);
  memcpy(point + n, p->initial, (size_t)p->model->n_state * sizeof *point);
  sal_api_limit_share(&r->limit, 1);
  if (!r->alone) SAL_TRY(sal_recommend_growth(a, p->model, p->param, p->initial, p->t_end));
  SAL_TRY(
      sal_ask(a, (sal_question){.error = p->error}, point, r->alone ? SAL_ASK_ALONE : SAL_ASK_RUN));
  return sal_api_limit_halted(&r->limit)
             ? sal_fail(SAL_ERR_STOPPED, "stopped: while it ran the answer")
             : SAL_OK;
}

static sal_err ask_model(const saltus_model *model, const saltus_around *g, int home, sal_advice *a)
{
  SAL_OWN_BY(drop) advice_runs r = {.asked = g};
  const sal_model *m = model->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_parameter_presets(m, param, initial);
  if (g->param) memcpy(param, g->param, (size_t)(m->n_param + m->n_option) * sizeof *param);
  if (g->initial) memcpy(initial, g->initial, (size_t)m->n_state * sizeof *initial);
  SAL_TRY(begin_runs(model, home, param, initial, &r));
  return answer_runs(&r, a);
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
  sal_tile_threads_set(g->threads > 0 ? g->threads : 1);
  const sal_err err = ask(model, g, home, &a);
  sal_tile_threads_set(threads);
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
