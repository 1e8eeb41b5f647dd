/** How runs are made: presets and checks. */
#include "api.h"
#include "argument.h"
#include "compatibility.h"
#include "model_source.h"
#include "tile_run.h"
#include "value.h"

_Static_assert(sizeof(atomic_int) == sizeof(int), "the caller's halt is read as an atomic_int");

/* Defaults of the zone of a strategy and of the fixed step. */
static const double zone = 5e-4, fixed_step = 0.002;
/* Evaluations of f of a run; of functions of the caller's, which may take microseconds each. */
static const double budget = 1e8, functions_budget = 1e6;

static sal_err read_names(const saltus_setup *given, sal_api_setup *out)
{
  const char *solver = given->solver ? given->solver : "ode45";
  const char *strategy = given->strategy ? given->strategy : "event";

  if (sal_model_source_is_file(solver)) {
    SAL_TRY(sal_solver_source_read(solver, &out->solver));
    out->setup.method = out->solver->method;
  } else {
    SAL_TRY(sal_argument_method("solver", solver, &out->setup.method));
    SAL_TRY(sal_argument_own_method("solver", out->setup.method));
  }
  return sal_argument_strategy("strategy", strategy, &out->setup.strategy);
}

static sal_err read_numbers(const saltus_setup *given, sal_setup *s)
{
  if (given->rtol != 0) s->rtol = given->rtol;
  s->atol = given->atol != 0 ? given->atol : s->rtol;
  if (given->t_end != 0) s->t_end = given->t_end;
  s->max_step = given->max_step;
  if (given->budget != 0) s->budget = given->budget;
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "setup", "budget", s->budget, 1, INFINITY));
  s->work = sal_work_of_model(s->model, s->jacobian);
  s->max_attempts = (int64_t)fmin(s->budget, 1e18);
  s->scale = given->scale;
  for (int i = 0; s->scale && i < s->model->n_state; ++i)
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, "setup: scale", s->model->state[i].name, s->scale[i],
                            nextafter(0, 1), 1e30));
  SAL_TRY(sal_argument_tolerance("rtol", s->rtol));
  SAL_TRY(sal_argument_tolerance("atol", s->atol));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, "setup", "t_end", s->t_end, nextafter(0, 1), INFINITY));
  return sal_value_range(SAL_ERR_USAGE, "setup", "max_step", s->max_step, 0, INFINITY);
}

static sal_err read_machine(const saltus_setup *given, sal_api_setup *out)
{
  const int widest = sal_many_runs_widest(out->setup.model), lanes = given->lanes;

  if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8)
    return sal_fail(SAL_ERR_USAGE, "setup: lanes = %d; allowed: 1, 4, 8; 0 is the widest", lanes);
  SAL_TRY(
      sal_value_range(SAL_ERR_USAGE, "setup", "threads", given->threads, 0, SAL_API_MOST_THREADS));
  out->lanes = lanes == 0 || lanes > widest ? widest : lanes;
  out->threads = given->threads > 0 ? given->threads : 1;
  return SAL_OK;
}

static sal_err check(const saltus_setup *given, sal_api_setup *out)
{
  char text[SAL_COMPATIBILITY_TEXT];

  SAL_TRY(read_names(given, out));
  SAL_TRY(read_numbers(given, &out->setup));
  SAL_TRY(read_machine(given, out));
  out->setup.zone_in_time = !out->setup.strategy->in_gap;
  out->setup.fixed_step = out->setup.strategy->fixed ? fixed_step : 0;
  const char *flaw = sal_compatibility_flaw(&out->setup, text);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s", flaw) : SAL_OK;
}

sal_err sal_api_setup_check(const saltus_model *model, const saltus_setup *given,
                            sal_api_setup *out)
{
  *out = (sal_api_setup){.setup = {.model = model->model,
                                   .rtol = 1e-6,
                                   .t_end = model->model->span,
                                   .zone = zone,
                                   .budget = model->functions ? functions_budget : budget,
                                   .halt = (const atomic_int *)given->halt}};
  const sal_err err = check(given, out);
  if (err != SAL_OK) sal_api_setup_free(out);
  return err;
}

void sal_api_setup_free(sal_api_setup *s)
{
  sal_provided_free(s->solver);
  s->solver = NULL;
}
