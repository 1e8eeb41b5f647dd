/** The options of `saltus calibrate-eps` put together. */
#include "calibrate_request.h"
#include "base.h"
#include "enum_words.h"
#include "registry.h"

enum { SCAN_POINTS = 41, CURVE_POINTS = 11, MOST_MESH = 10000000 };
static const int64_t most_attempts = 10000000; /* a zone may be so wide that nothing moves */

/* --strategy: one that has a zone. */
static sal_err check_zoned(const sal_calibrate_request *o)
{
  const char *names[SAL_MAX_WORD + 1];
  const sal_strategy *found = o->run.strategy ? sal_registry_strategy(o->run.strategy) : NULL;
  SAL_OWN_BY(sal_text_free) sal_text text = {0};
  int n = 0;

  if (o->curve || (o->run.strategy && (!found || found->zoned))) return SAL_OK;
  for (const sal_strategy *const *s = sal_registry_strategies; *s; ++s)
    if ((*s)->zoned) names[n++] = (*s)->name;
  names[n] = NULL;
  sal_text_join(&text, ", ", names);
  const char *list = text.string ? text.string : "";
  return found
             ? sal_fail(SAL_ERR_USAGE, "--strategy: %s has no zone; allowed: %s", found->name, list)
             : sal_fail(SAL_ERR_USAGE, "--strategy is required; allowed: %s", list);
}

/* As fine as asked for or a little finer, so that the mesh ends at t_end. */
static sal_err choose_mesh(const sal_calibrate_request *o, const sal_cli_run *run, int64_t *n_mesh)
{
  const double t_end = run->setup.t_end;
  double spacing = t_end / 1000;

  if (o->spacing) SAL_TRY(sal_measure_time("--dt", o->spacing, &run->measure, &spacing));
  const double wanted = t_end / spacing;
  if (wanted < 1 - 1e-12)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g is wider than [0, %g]", spacing, t_end);
  if (wanted > MOST_MESH)
    return sal_fail(SAL_ERR_USAGE, "--dt: %g makes more than %d points of [0, %g]", spacing,
                    MOST_MESH, t_end);
  *n_mesh = (int64_t)ceil(wanted * (1 - 1e-12));
  return SAL_OK;
}

static sal_err choose_state(const sal_calibrate_request *o, const sal_model *m, int *watch)
{
  const char *names[SAL_MAX_STATE + 2] = {NULL};

  *watch = m->watch;
  for (int i = 0; i < m->n_state; ++i) {
    names[i] = m->state[i].name;
    if (o->state && strcmp(o->state, names[i]) == 0) *watch = i;
  }
  names[m->n_state] = "all";
  if (!o->state || strcmp(o->state, names[*watch]) == 0) return SAL_OK;
  *watch = SAL_ALL_STATES;
  if (strcmp(o->state, "all") == 0) return SAL_OK;
  return sal_text_unknown(SAL_ERR_USAGE, "--state", "state", o->state, names);
}

/* Sets the range of widths to be tried.  A zone that contains the start is not valid. */
static sal_err choose_range(const sal_calibrate_request *o, const sal_cli_run *run, double *least,
                            double *most)
{
  const bool timed = run->setup.zone_in_time;
  const double limit = sal_calibration_limit(&run->setup, run->param, run->initial);

  if (run->setup.n_guard == 0)
    return sal_fail(SAL_ERR_USAGE, "--model: %s has no contacts, and so no zone",
                    run->setup.model->name);
  if (isinf(limit) && isnan(o->most))
    return sal_fail(SAL_ERR_USAGE, "all contacts touch at the start: --eps-max must be given");
  *most = !isnan(o->most) ? o->most : limit * (timed ? 0.1 : 0.5);
  *least = !isnan(o->least) ? o->least : *most * 1e-5;
  if (*most >= limit && timed)
    return sal_fail(SAL_ERR_USAGE, "--eps-max: %g must be below --t-end, %g", *most, limit);
  if (*most >= limit)
    return sal_fail(SAL_ERR_USAGE,
                    "--eps-max: %g: the start would lie in the zone; the nearest contact has a gap "
                    "of %g there, and the zone must be narrower",
                    *most, limit);
  if (!(*least < *most))
    return sal_fail(SAL_ERR_USAGE, "--eps-min: %g must be below the largest zone, %g", *least,
                    *most);
  return SAL_OK;
}

sal_err sal_calibrate_request_study(const sal_calibrate_request *o, sal_work_precision_study *w)
{
  sal_cli_run_words run = o->run;

  SAL_TRY(check_zoned(o));
  w->one_strategy = run.strategy != NULL;
  if (!w->one_strategy) run.strategy = "event";
  SAL_TRY(sal_cli_run_check(&run, &w->run));
  w->run.setup.max_attempts = most_attempts;
  SAL_TRY(choose_mesh(o, &w->run, &w->n_mesh));
  SAL_TRY(choose_state(o, w->run.setup.model, &w->watch));
  w->step = w->run.step;
  w->repeats = SAL_CALIBRATE_REPEATS;
  w->points = o->points ? (int)o->points : o->curve ? CURVE_POINTS : SCAN_POINTS;
  w->n_start = (int)o->starts;
  w->seed = (uint64_t)o->seed;
  return choose_range(o, &w->run, &w->least, &w->most);
}
