/** Two flows at drawn points, and in runs by each strategy and by each pair that is compiled in. */
#include "base.h"
#include "flow_compare.h"
#include "integrate.h"
#include "native_parts.h"
#include "registry.h"

/* RUNS: more than two blocks of the widest lanes hold, so that lanes are loaded again. */
enum { POINTS = 1000, RUNS = 17, ATTEMPTS = 150 };

/** Results of drawn trajectories. */
typedef struct {
  sal_record record[RUNS];
  double end[RUNS][SAL_MAX_STATE];
} results;

/** Where runs begin. */
typedef struct {
  double param[RUNS][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[RUNS][SAL_MAX_STATE];
} starts;

static double chance(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

/* Between the bounds of a study; where they are one, about the preset. */
static double draw_value(uint64_t *state, const sal_field *f)
{
  const double u = chance(state);

  if (f->hi > f->lo)
    return f->whole ? floor(f->lo + (f->hi - f->lo) * u) : f->lo + (f->hi - f->lo) * u;
  return fmin(fmax(f->preset + (u - 0.5) * (1 + fabs(f->preset)), f->least), f->most);
}

static void draw_parameters(uint64_t *state, const sal_model *m, double param[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = draw_value(state, &m->param[i]);
  for (int o = 0; o < m->n_option; ++o) {
    int n = 0;
    while (n < SAL_MAX_CHOICE && m->option[o].choice[n]) ++n;
    param[m->n_param + o] = floor(n * chance(state));
  }
}

static void draw_point(uint64_t *state, const sal_model *m, sal_flow_point *at)
{
  const int n = sal_model_continuous(m);

  draw_parameters(state, m, at->param);
  for (int i = 0; i < n; ++i) at->y[i] = draw_value(state, &m->state[i]);
  for (int i = n; i < m->n_state; ++i) {
    const sal_field *f = &m->state[i];
    const double value[] = {f->preset, f->lo, f->hi, f->least};
    at->y[i] = value[(int)(4 * chance(state))];
  }
  for (int i = 0; i < m->n_state; ++i) at->slope[i] = 2 * chance(state) - 1;
  for (int k = 0; k < m->n_guard; ++k) at->closed[k] = chance(state) < 0.5;
  at->t = 10 * chance(state);
  at->held = chance(state) < 0.75;
  at->rests = chance(state) < 0.25;
}

typedef const char *comparison(const sal_model *a, const sal_model *b, const sal_flow_point at[],
                               void *work);
static comparison *const comparisons[SAL_NATIVE_WIDTHS] = {
    sal_flow_compare_w1, SAL_W4(sal_flow_compare_w4), SAL_W8(sal_flow_compare_w8)};

static sal_err compare_points(const sal_model *a, const sal_model *b, int width)
{
  const int lanes = sal_native_lanes[width];
  SAL_OWN sal_flow_point *at = sal_alloc((size_t)lanes, sizeof *at);
  SAL_OWN void *work = sal_alloc(sal_flow_compare_bytes(a), 1);
  uint64_t state = 1;

  if (!at || !work) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  for (int i = 0; i < POINTS; i += lanes) {
    for (int lane = 0; lane < lanes; ++lane) draw_point(&state, a, &at[lane]);
    const char *what = comparisons[width](a, b, at, work);
    if (what)
      return sal_fail(SAL_ERR_INPUT,
                      "%s compiled for %d lane%s differs in bits from the interpreted text", what,
                      lanes, lanes > 1 ? "s" : "");
  }
  return SAL_OK;
}

/* Draws starts at the presets, with parameters of the study. */
static void draw_starts(const sal_model *m, starts *from)
{
  uint64_t state = 2;

  for (int i = 0; i < RUNS; ++i) {
    draw_parameters(&state, m, from->param[i]);
    for (int k = 0; k < m->n_state; ++k) from->initial[i][k] = m->state[k].preset;
  }
}

static sal_err run_all(const sal_setup *setup, int lanes, const starts *from, results *to)
{
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(setup, lanes), 1);
  sal_job job[RUNS];

  if (!work) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  memset(to, 0, sizeof *to);
  for (int i = 0; i < RUNS; ++i)
    job[i] = (sal_job){.param = from->param[i], .initial = from->initial[i], .end = to->end[i]};
  sal_integrate(setup, lanes, RUNS, job, to->record, work);
  return SAL_OK;
}

static bool same(int n, const double a[], const double b[])
{
  for (int i = 0; i < n; ++i)
    if (memcmp(&a[i], &b[i], sizeof a[i]) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
  return true;
}

static bool go_together(const sal_setup *s)
{
  return !s->method->engine && sal_strategy_drives(s->strategy, s->method) &&
         sal_strategy_meets_jumps(s->strategy, s->model) &&
         sal_strategy_meets_ends(s->strategy, s->model) && sal_method_solves(s->method, s->model);
}

static sal_err compare_runs(const sal_model *a, const sal_model *b, int lanes,
                            const sal_method *method, const sal_strategy *strategy)
{
  sal_setup setup = {.model = a,
                     .method = method,
                     .strategy = strategy,
                     .rtol = 1e-5,
                     .atol = 1e-5,
                     .t_end = a->span,
                     .zone = 5e-4,
                     .zone_in_time = !strategy->in_gap,
                     .fixed_step = strategy->fixed ? 0.002 : 0,
                     .jacobian = SAL_JACOBIAN_ANALYTIC,
                     .max_attempts = ATTEMPTS};
  SAL_OWN starts *from = sal_alloc(1, sizeof *from);
  SAL_OWN results *of = sal_alloc(2, sizeof *of);

  if (!go_together(&setup)) return SAL_OK;
  if (!from || !of) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  draw_starts(a, from);
  SAL_TRY(run_all(&setup, lanes, from, &of[0]));
  setup.model = b;
  SAL_TRY(run_all(&setup, lanes, from, &of[1]));
  for (int i = 0; i < RUNS; ++i)
    if (!same(SAL_N_METRIC, of[0].record[i].value, of[1].record[i].value) ||
        !same(a->n_state, of[0].end[i], of[1].end[i]))
      return sal_fail(SAL_ERR_INPUT,
                      "a run of %s with %s, compiled for %d lane%s, differs in bits from the "
                      "interpreted text",
                      method->name, strategy->name, lanes, lanes > 1 ? "s" : "");
  return SAL_OK;
}

static sal_err compare_width(const sal_model *a, const sal_model *b, int width)
{
  const sal_method *usual = sal_registry_method("ode45");
  const int lanes = sal_native_lanes[width];

  SAL_TRY(compare_points(a, b, width));
  for (int i = 0; i < SAL_N_STRATEGY; ++i)
    SAL_TRY(compare_runs(a, b, lanes, usual, sal_registry_strategies[i]));
  for (int i = 0; i < SAL_N_METHOD; ++i)
    SAL_TRY(compare_runs(a, b, lanes, sal_registry_methods[i], sal_registry_strategy("event")));
  return SAL_OK;
}

sal_err sal_native_compare(const sal_model *a, const sal_model *b,
                           const bool width[SAL_NATIVE_WIDTHS])
{
  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    if (width[i]) SAL_TRY(compare_width(a, b, i));
  return SAL_OK;
}
