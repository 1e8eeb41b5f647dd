/** Advice for a model at a point, from runs made now. */
#include "advise_runs.h"
#include "api.h"
#include "argument.h"
#include "base.h"
#include "model_source.h"
#include "solver_home.h"
#include "stiffness.h"
#include "value.h"

enum { MOST = 100000 };

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
static sal_err check_solvers(void *with, sal_sweep *sweep, double expected)
{
  (void)with, (void)expected;
  for (int i = 0; i < sweep->n_method; ++i)
    SAL_TRY(sal_argument_own_method("program", sweep->method[i]));
  return SAL_OK;
}

/** Runs around a point, from what is asked to what was run. */
typedef struct {
  const saltus_around *asked;
  sal_advise_runs runs;
  sal_api_limit limit;
} advice_runs;

static void drop(advice_runs *r)
{
  sal_api_limit_end(&r->limit);
  sal_advise_runs_free(&r->runs);
}

/* Where cells are not counted, fewer tolerances are run, in no more cells than a plane needs. */
static sal_err begin_runs(const saltus_model *model, int home, double param[], double initial[],
                          advice_runs *r)
{
  const saltus_around *g = r->asked;
  const sal_model *m = model->model;
  sal_around *around = &r->runs.around;

  SAL_TRY(check_numbers(g));
  r->runs =
      (sal_advise_runs){.prepare = check_solvers, .cells = g->cells, .fewest = true, .quiet = true};
  *around = (sal_around){.name = m->name,
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
  r->runs.seconds = r->limit.runs ? g->seconds : INFINITY;
  r->runs.until = r->limit.until - (r->limit.runs ? SAL_ADVISE_ANSWER * g->seconds : 0);
  SAL_TRY(sal_chatter_try(m, param, initial, around->t_end, 2000));
  return sal_stiffness_felt(m, param, initial, around->t_end, &around->stiff);
}

/* The runs and what they answer, which is checked in the time that is left. */
static sal_err answer_runs(advice_runs *r, sal_advice *a)
{
  const sal_around *p = &r->runs.around;
  const bool alone = r->runs.alone;
  const int n = p->model->n_param + p->model->n_option;
  double point[SAL_MAX_QUANTITY];

  SAL_TRY(sal_performance_runs_made(&r->runs.sweep, NULL, &r->runs.runs.result,
                                    alone ? NULL : &r->runs.runs.fate, &a->cube));
  memcpy(point, p->param, (size_t)n * sizeof *point);
  memcpy(point + n, p->initial, (size_t)p->model->n_state * sizeof *point);
  if (!alone) SAL_TRY(sal_recommend_growth(a, p->model, p->param, p->initial, p->t_end));
  SAL_TRY(
      sal_ask(a, (sal_question){.error = p->error}, point, alone ? SAL_ASK_ALONE : SAL_ASK_RUN));
  return sal_stop_signal() ? sal_fail(SAL_ERR_STOPPED, "stopped: while it ran the answer") : SAL_OK;
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
  SAL_TRY(sal_advise_runs_make(&r.runs));
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
