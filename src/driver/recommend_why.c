/** Counts of the cells around a point. */
#include "ask.h"
#include "base.h"
#include "growth.h"
#include "quantiles.h"
#include "registry.h"
#include "scalar_math.h"
#include "stop.h"
#include <float.h>

static const sal_cube_file_metrics wanted = {
    .n = 7,
    .metric = {SAL_METRIC_OUTCOME, SAL_METRIC_STEPS, SAL_METRIC_FAILED, SAL_METRIC_RHS,
               SAL_METRIC_JACOBIANS, SAL_METRIC_FACTORISATIONS, SAL_METRIC_SOLVES},
    .n_of_cell = 6,
    .of_cell = {SAL_CELL_SR, SAL_CELL_RATE_TRAJECTORY, SAL_CELL_REFERENCE_EVENTS, SAL_CELL_EXPONENT,
                SAL_CELL_EXPONENT_ERROR, SAL_CELL_CAPTURED}};

/* The cells of the planes at the point, ascending, and their rows. */
typedef struct {
  const sal_advice *advice;
  sal_work_weights weights;
  int64_t n, *cell;
  sal_surrogate_near *near;
  sal_tile_result rows;
} around;

static void free_around(around *a)
{
  sal_free_all(a->cell, a->near);
  sal_tile_result_free(&a->rows);
}

static sal_err copy_rows(const sal_tile_result *runs, int64_t n_config, around *a)
{
  const size_t n = (size_t)n_config;

  a->rows = (sal_tile_result){.count = a->n,
                              .cell = sal_alloc((size_t)a->n, sizeof *runs->cell),
                              .record = sal_alloc((size_t)a->n * n, sizeof *runs->record)};
  if (!a->rows.cell || !a->rows.record)
    return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
  for (int64_t i = 0; i < a->n; ++i) {
    a->rows.cell[i] = runs->cell[a->cell[i]];
    memcpy(a->rows.record + i * n_config, runs->record + a->cell[i] * n_config,
           n * sizeof *runs->record);
  }
  return SAL_OK;
}

/* From the file that the rows of the answer come of, if it is open. */
static sal_err read_rows(const sal_performance_cube *cube, around *a)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *own = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  if (!cube->rows) SAL_TRY(sal_cube_file_open(cube->sweep.path, &own, &frame));
  sal_cube_file *file = own ? own : sal_performance_rows_file(cube->rows);
  SAL_TRY(sal_cube_file_room(file, &wanted, a->n, &a->rows));
  return sal_cube_file_read_cells(file, &wanted, a->n, a->cell, &a->rows);
}

static sal_err read_around(const sal_advice *advice, around *a)
{
  *a = (around){.advice = advice,
                .weights = advice->cube.table.weights,
                .n = advice->answer->n_cell,
                .cell = sal_alloc((size_t)advice->answer->n_cell, sizeof *a->cell),
                .near = sal_alloc((size_t)advice->answer->n_cell, sizeof *a->near)};
  if (!a->cell || !a->near) return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
  for (int i = 0; i < a->n; ++i) a->near[i] = sal_surrogate_near_of(advice->surrogate, i);
  sal_quantiles_sort_wholes(a->n, sizeof *a->near, a->near);
  for (int64_t i = 0; i < a->n; ++i) a->cell[i] = a->near[i].cell;
  return advice->runs ? copy_rows(advice->runs, advice->cube.table.n_config, a)
                      : read_rows(&advice->cube, a);
}

/* A metric of cells at the point, by a plane: of its logarithm, or as it is; NaN where a cell has none. */
static double at_point(const around *a, int metric, bool logarithm)
{
  double sum = 0;

  assert(a->rows.cell);
  for (int64_t i = 0; i < a->n; ++i) {
    const double v = a->rows.cell[i].value[metric];
    sum += a->near[i].share * (logarithm ? sal_scalar_log(v) : v);
  }
  return logarithm ? sal_scalar_exp(sum) : fmax(sum, 0);
}

/* The largest Lyapunov exponent at the point: the mean over the cells around it that are chaotic, two standard errors above
 * 0, where these are the most; NaN elsewhere. */
static double chaos_at_point(const around *a)
{
  double known = 0, chaotic = 0, sum = 0;

  assert(a->rows.cell);
  for (int64_t i = 0; i < a->n; ++i) {
    const double *v = a->rows.cell[i].value, exponent = v[SAL_CELL_EXPONENT];
    if (isnan(exponent)) continue;
    known += a->near[i].weight;
    if (!(exponent > 2 * v[SAL_CELL_EXPONENT_ERROR])) continue;
    chaotic += a->near[i].weight;
    sum += a->near[i].weight * exponent;
  }
  return chaotic > 0.5 * known ? sum / chaotic : NAN;
}

const char *sal_recommend_chaos_text(const sal_advice *a, double exponent,
                                     char text[SAL_RECOMMEND_CHAOS])
{
  const double within = a->question.error / DBL_EPSILON;
  const double reach = sal_scalar_log(fmax(within, 1)) / exponent, end = a->cube.sweep.t_end;
  char error[SAL_PERFORMANCE_ERROR_TEXT];
  int n = snprintf(text, SAL_RECOMMEND_CHAOS, "%s: errors grow tenfold every %.2g",
                   a->growth > 0 ? "sensitive" : "chaotic", sal_scalar_log(10) / exponent);

  if (reach < end && a->cube.table.by->trajectory)
    snprintf(text + n, SAL_RECOMMEND_CHAOS - (size_t)n,
             "; in double precision an error of %s cannot be had beyond t = %.2g, and the run goes "
             "on to %g",
             sal_performance_error_text(&a->cube.table, 6, a->question.error, error), reach, end);
  return text;
}

sal_err sal_recommend_growth(sal_advice *a, const sal_model *m, const double param[],
                             const double initial[], double t_end)
{
  const sal_setup like = {.model = m,
                          .method = sal_registry_method(m->reference ? m->reference : "dop853"),
                          .strategy = sal_registry_strategy("event"),
                          .rtol = 1e-8,
                          .atol = 1e-8,
                          .t_end = t_end,
                          .halt = sal_stop_halt()};
  double rate;

  SAL_TRY(sal_growth_rate(&like, param, initial, &rate));
  a->growth = rate * t_end > sal_scalar_log(1e3) ? rate : 0;
  return SAL_OK;
}

double sal_recommend_chaos(const sal_advice *advice)
{
  SAL_OWN_BY(free_around) around a = {0};

  if (advice->growth > 0) return advice->growth;
  if (!sal_sweep_asks(&advice->cube.sweep, SAL_GROUP_EXPONENTS) || advice->answer->n_cell == 0 ||
      read_around(advice, &a) != SAL_OK)
    return NAN;
  return chaos_at_point(&a);
}

double sal_recommend_captured(const sal_advice *advice)
{
  SAL_OWN_BY(free_around) around a = {0};
  double known = 0, sum = 0, all = 0;

  if (advice->answer->best.pair >= 0 || !sal_sweep_captures(&advice->cube.sweep) ||
      advice->answer->n_cell == 0 || read_around(advice, &a) != SAL_OK)
    return NAN;
  for (int64_t i = 0; i < a.n; ++i) {
    const double apart = a.rows.cell[i].value[SAL_CELL_CAPTURED];
    all += a.near[i].weight;
    if (isnan(apart)) continue;
    known += a.near[i].weight;
    sum += a.near[i].weight * apart;
  }
  return 2 * known > all ? sum / known : NAN;
}

/* Means of logarithms, of 1 more where a count may be 0, over the cells in which it ended. */
typedef struct {
  double attempts, refused, rhs, work;
} means;

static bool count_level(const around *a, int config, means *out)
{
  const int n = a->advice->cube.table.n_config;
  double sum = 0;

  *out = (means){0};
  if (!sal_sweep_keeps(&a->advice->cube.sweep, SAL_METRIC_FAILED)) return false;
  for (int64_t i = 0; i < a->n; ++i) {
    const sal_record *r = &a->rows.record[i * n + config];
    const double w = a->near[i].weight, *v = r->value;
    const double refused = isnan(v[SAL_METRIC_FAILED]) ? 0 : v[SAL_METRIC_FAILED];
    if (!sal_metric_finished(v[SAL_METRIC_OUTCOME]) || !(v[SAL_METRIC_STEPS] > 0)) continue;
    sum += w;
    out->attempts += w * sal_scalar_log(v[SAL_METRIC_STEPS] + refused);
    out->refused += w * sal_scalar_log1p(refused);
    out->rhs += w * sal_scalar_log1p(v[SAL_METRIC_RHS]);
    out->work += w * sal_scalar_log(sal_work_of(&a->weights, sal_error_metrics, r));
  }
  if (!(sum > 0)) return false;
  *out = (means){out->attempts / sum, out->refused / sum, out->rhs / sum, out->work / sum};
  return isfinite(out->attempts) && isfinite(out->rhs) && isfinite(out->work);
}

/* The levels of a sweep around a tolerance: `loose` at or above it, `tight` below; -1: none. */
static void find_levels(const sal_sweep *s, double tolerance, int *loose, int *tight)
{
  *loose = *tight = -1;
  for (int t = 0; t < s->n_tolerance; ++t) {
    const double r = s->tolerance[t];
    if (r >= tolerance * (1 - 1e-9)) {
      if (*loose < 0 || r < s->tolerance[*loose]) *loose = t;
    } else if (*tight < 0 || r > s->tolerance[*tight]) {
      *tight = t;
    }
  }
}

/* At a tolerance between two levels all is linear in the logarithms. */
static bool count_run(const around *a, const sal_surrogate_choice *c, sal_why_run *out)
{
  const sal_sweep *s = &a->advice->cube.sweep;
  const int pairs = sal_config_pairs(s);
  int level[2];
  means m[2];
  bool there[2];

  find_levels(s, c->tolerance, &level[0], &level[1]);
  for (int i = 0; i < 2; ++i)
    there[i] = level[i] >= 0 && count_level(a, level[i] * pairs + c->pair, &m[i]);
  if (!there[0]) return false;
  const double far =
      there[1] ? sal_scalar_log(s->tolerance[level[0]] / s->tolerance[level[1]]) : NAN;
  const double f = there[1] ? sal_scalar_log(s->tolerance[level[0]] / c->tolerance) / far : 0;
  if (!there[1]) m[1] = m[0];
  *out = (sal_why_run){.attempts = sal_scalar_exp((1 - f) * m[0].attempts + f * m[1].attempts),
                       .refused = sal_scalar_expm1((1 - f) * m[0].refused + f * m[1].refused),
                       .rhs = sal_scalar_expm1((1 - f) * m[0].rhs + f * m[1].rhs),
                       .work = sal_scalar_exp((1 - f) * m[0].work + f * m[1].work),
                       .growth = (m[1].attempts - m[0].attempts) / far};
  return true;
}

static sal_why_side side_of(const around *a, const sal_surrogate_choice *c, bool *counted)
{
  sal_why_side side = {.method = sal_config_solver(&a->advice->cube.sweep, c->pair),
                       .work = c->work,
                       .total = c->total};

  *counted = a->advice->cube.table.by->trajectory && count_run(a, c, &side.run);
  return side;
}

static bool is_there(const sal_recommend_why *why, int method)
{
  for (int i = 0; i < why->n_rival; ++i)
    if (why->rival[i].method == method) return true;
  return false;
}

/* Answers are ranked, so that the first of a solver is its best; those that have none come last. */
static void find_rivals(const around *a, sal_recommend_why *why)
{
  const sal_advice *advice = a->advice;
  const sal_surrogate_answer *found = advice->answer;
  const int m = advice->cube.sweep.n_method, own = found->best.pair % m;
  bool counted;
  const sal_why_side best = side_of(a, &found->best, &counted);

  for (int i = 0; i < found->n_pair; ++i) {
    const sal_surrogate_choice *c = &found->pair[i];
    sal_recommend_rival r = {.method = c->pair % m, .best = c};
    if (r.method == own || is_there(why, r.method)) continue;
    const sal_why_side other = side_of(a, c, &r.counted);
    r.counted = r.counted && counted;
    if (r.counted) r.why = sal_why_of(&best, &other);
    why->rival[why->n_rival++] = r;
  }
  for (int k = 0; k < m; ++k)
    if (k != own && advice->cube.method[k] && !is_there(why, k))
      why->rival[why->n_rival++] = (sal_recommend_rival){.method = k};
}

sal_err sal_recommend_why_find(const sal_advice *advice, sal_recommend_why *why)
{
  SAL_OWN_BY(free_around) around a = {0};

  *why = (sal_recommend_why){0};
  SAL_TRY(read_around(advice, &a));
  why->stiffness_ratio = at_point(&a, SAL_CELL_SR, true);
  why->fastest_rate = at_point(&a, SAL_CELL_RATE_TRAJECTORY, true);
  why->events = at_point(&a, SAL_CELL_REFERENCE_EVENTS, false);
  why->exponent = chaos_at_point(&a);
  find_rivals(&a, why);
  return SAL_OK;
}
