/** The metrics of the long run, put together. */
#include "base.h"
#include "cell_cycle.h"
#include "config.h"
#include "scalar_math.h"
#include "spectrum.h"
#include "stiffness.h"
#include "tile_run.h"

struct sal_tile_orbits {
  const sal_sweep *sweep;
  int width, n_param, n_guard;
  sal_transient *transient; /* NULL: not asked for */
  sal_cell_cycles *cycles;  /* likewise */
  sal_cell_visits *visits;  /* likewise */
  sal_cell_cycle found[SAL_TILE_MOST];
  /* of configurations */
  sal_config_unknowns unknowns;
  double *room;
  bool *modes;
  void *work;
};

/* The larger part: a flight's events, states and modes of a call's cells, vectors of configurations. */
size_t sal_tile_orbits_bytes(const sal_sweep *sweep)
{
  enum { EVENTS = 16, STATES = 16 };
  const size_t ns = (size_t)sweep->model->n_state, cell = STATES * ns * sizeof(double);
  size_t bytes = 0;

  if (sweep->orbit.transient) bytes += EVENTS * sizeof(sal_event) + ns * ns * sizeof(double);
  if (sal_sweep_asks(sweep, SAL_GROUP_VISITS)) /* of the states that are compared, and batches */
    bytes += (3 * (size_t)SAL_SPECTRUM_PERIODS + 2 * ns) * ns * sizeof(double);
  if (sweep->orbit.follow != SAL_FOLLOW_NONE)
    bytes += 2 * ((size_t)sweep->axis[sweep->n_axis - 1].n_point / SAL_TILE_MOST + 1) * ns *
             sizeof(double);
  if (sweep->orbit.cycles)
    bytes += cell + 4 * (size_t)sweep->n_guard + 4 * ns * ns * sizeof(double) + sizeof(sal_cycle);
  return SAL_TILE_MOST * bytes;
}

/* A configuration's own setup, but that it is followed from return to return. */
static sal_setup config_setup(const sal_sweep *sweep, int config)
{
  sal_setup setup = sal_tile_setup(sweep, config);

  setup.t_end = sweep->orbit.longest * sweep->orbit.period;
  return setup;
}

static sal_err make_config_room(sal_tile_orbits *t)
{
  const sal_sweep *s = t->sweep;
  size_t bytes = 1;

  t->unknowns.state = sal_cell_cycles_unknowns(t->cycles, &t->unknowns.n);
  const size_t n = (size_t)t->unknowns.n, ns = (size_t)s->model->n_state;
  for (int i = 0; i < sal_config_count(s); ++i) {
    const sal_setup setup = config_setup(s, i);
    const size_t need = sal_config_multiplier_bytes(&setup, &t->unknowns, t->width);
    if (need > bytes) bytes = need;
  }
  t->room = sal_alloc(SAL_TILE_MOST * ((ns + 1) * (n + 1) + 2 * n * n), sizeof *t->room);
  t->modes = sal_alloc((size_t)SAL_TILE_MOST * (size_t)t->n_guard, sizeof *t->modes);
  t->work = sal_alloc(bytes, 1);
  if (t->room && t->modes && t->work) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for the multipliers of configurations");
}

sal_err sal_tile_orbits_create(const sal_sweep *sweep, int width, sal_tile_orbits **out)
{
  sal_tile_orbits *t = *out = sal_alloc(1, sizeof *t);

  if (!t) return sal_fail(SAL_ERR_MEMORY, "no memory for the orbits of cells");
  t->sweep = sweep;
  t->width = width;
  t->n_param = sweep->model->n_param + sweep->model->n_option;
  t->n_guard = sweep->n_guard;
  if (sweep->orbit.transient) SAL_TRY(sal_transient_create(sweep, width, &t->transient));
  if (sal_sweep_asks(sweep, SAL_GROUP_VISITS))
    SAL_TRY(sal_cell_visits_create(sweep, width, &t->visits));
  if (!sweep->orbit.cycles) return SAL_OK;
  SAL_TRY(sal_cell_cycles_create(sweep, width, &t->cycles));
  return make_config_room(t);
}

void sal_tile_orbits_destroy(sal_tile_orbits **orbits)
{
  sal_tile_orbits *t = *orbits;

  if (!t) return;
  sal_transient_destroy(&t->transient);
  sal_cell_cycles_destroy(&t->cycles);
  sal_cell_visits_destroy(&t->visits);
  sal_free_all(t->room, t->modes, t->work, t);
  *orbits = NULL;
}

static void take_rest(const sal_model *model, const double param[], double v[])
{
  const sal_stiffness_slowest slowest = sal_stiffness_slowest_rate(model, param);

  v[SAL_CELL_EQUILIBRIUM_RATE] = slowest.re;
  v[SAL_CELL_EQUILIBRIUM_FREQUENCY] = slowest.im;
}

/* How hard the contacts pull, at all points of the reference's mesh. */
static void take_adhesion(const sal_sweep *sweep, const double param[], const sal_reference *r,
                          double v[])
{
  const sal_model *m = sweep->model;
  const double share = fmin(r->reached / sweep->t_end, 1);
  double most = 0;
  bool closed[SAL_MAX_GUARD];

  if (!m->adhesion) return;
  for (int64_t j = 0; j <= (int64_t)(share * (double)sweep->n_mesh); ++j) {
    const double *y = r->state + j * m->n_state;
    if (!isfinite(y[0])) break;
    sal_model_mode(m, param, sweep->t_end / (double)sweep->n_mesh * (double)j, y, closed);
    most = fmax(most, m->adhesion(m->inner, param, y, closed));
  }
  v[SAL_CELL_ADHESION] = most;
  v[SAL_CELL_ADHESIVE] = most > 1;
}

static void take_multipliers(const sal_multipliers *all, double v[])
{
  double fold = NAN, doubling = NAN;

  for (int i = 0; i < all->n; ++i) {
    fold = fmin(fold, sal_scalar_hypot(all->re[i] - 1, all->im[i]));
    doubling = fmin(doubling, sal_scalar_hypot(all->re[i] + 1, all->im[i]));
  }
  v[SAL_CELL_FOLD] = fold;
  v[SAL_CELL_DOUBLING] = doubling;
  if (all->n == 0) return;
  v[SAL_CELL_MULTIPLIER] = sal_scalar_hypot(all->re[0], all->im[0]);
  v[SAL_CELL_LEADING_RE] = all->re[0];
  v[SAL_CELL_LEADING_IM] = fabs(all->im[0]);
}

static void take_cycle(sal_tile_orbits *t, const double param[], const sal_cell_cycle *of,
                       sal_tile_cycle *cycle, double v[])
{
  for (int k = 0; k < SAL_N_CELL_METRIC; ++k)
    if (sal_metrics_of_cell[k].group == SAL_GROUP_ORBIT) v[k] = NAN;
  v[SAL_CELL_VERDICT] = of->verdict;
  v[SAL_CELL_TRIED] = of->tried;
  cycle->returns = of->k;
  if (of->k == 0) return;
  v[SAL_CELL_SEED] = of->from;
  v[SAL_CELL_RETURNS] = of->k;
  v[SAL_CELL_PERIOD] = of->cycle.period;
  v[SAL_CELL_EVENTS] = of->cycle.n_event;
  v[SAL_CELL_TRANSVERSALITY] = of->cycle.crossing;
  v[SAL_CELL_RESIDUAL] = of->cycle.closure;
  v[SAL_CELL_CLEARANCE] = of->cycle.clearance;
  v[SAL_CELL_APEX] = sal_cell_cycles_apex(t->cycles, param, of);
  take_multipliers(&of->cycle.multipliers, v);
  memcpy(cycle->state, of->cycle.y, (size_t)t->sweep->model->n_state * sizeof *cycle->state);
  memcpy(cycle->closed, of->cycle.closed, (size_t)t->n_guard * sizeof *cycle->closed);
  cycle->period = of->cycle.period;
  cycle->re = v[SAL_CELL_LEADING_RE];
  cycle->im = v[SAL_CELL_LEADING_IM];
}

sal_err sal_tile_orbits_run(sal_tile_orbits *t, int64_t count, const double param[],
                            const double initial[], const sal_reference reference[],
                            sal_tile_cycle cycle[], sal_tile_result *result)
{
  const sal_model *m = t->sweep->model;
  sal_cell_record *out = result->cell;

  for (int64_t i = 0; i < count; ++i) take_rest(m, param + i * t->n_param, out[i].value);
  if (t->transient) SAL_TRY(sal_transient_run(t->transient, count, param, initial, out));
  for (int64_t i = 0; i < count && t->transient; ++i)
    take_adhesion(t->sweep, param + i * t->n_param, &reference[i], out[i].value);
  if (t->visits) SAL_TRY(sal_cell_visits_run(t->visits, count, param, initial, result));
  if (!t->cycles) return SAL_OK;
  SAL_TRY(sal_cell_cycles_find(t->cycles, count, param, initial, t->found));
  for (int64_t i = 0; i < count; ++i)
    take_cycle(t, param + i * t->n_param, &t->found[i], &cycle[i], out[i].value);
  return SAL_OK;
}

void sal_tile_orbits_config(sal_tile_orbits *t, int config, int64_t count, const int64_t cell[],
                            const double param[], const sal_tile_cycle cycle[], int64_t stride,
                            sal_record record[])
{
  const sal_setup setup = config_setup(t->sweep, config);
  sal_config_orbit orbit[SAL_TILE_MOST];
  sal_config_report report[SAL_TILE_MOST];
  int64_t index[SAL_TILE_MOST], n = 0;

  if (!t->cycles) return;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = cell[k];
    if (cycle[i].returns == 0) continue;
    orbit[n] = (sal_config_orbit){.param = param + i * t->n_param,
                                  .state = cycle[i].state,
                                  .closed = cycle[i].closed,
                                  .period = cycle[i].period,
                                  .returns = cycle[i].returns};
    index[n++] = i;
  }
  sal_config_multiplier_run(&setup, &t->unknowns, t->width, n, orbit, report, t->room, t->modes,
                            t->work);
  for (int64_t k = 0; k < n; ++k) {
    const sal_tile_cycle *true_one = &cycle[index[k]];
    double *v = record[index[k] * stride].value;
    v[SAL_METRIC_MULTIPLIER_RE] = report[k].re;
    v[SAL_METRIC_MULTIPLIER_IM] = report[k].im;
    v[SAL_METRIC_MULTIPLIER_RHS] = report[k].rhs;
    v[SAL_METRIC_PERIOD_ERROR] = fabs(report[k].period_error);
    v[SAL_METRIC_MULTIPLIER_ERROR] =
        sal_scalar_hypot(report[k].re - true_one->re, report[k].im - true_one->im) /
        fmax(sal_scalar_hypot(true_one->re, true_one->im), 1);
  }
}
