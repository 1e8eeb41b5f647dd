/** The second run of chosen cells. */
#include "base.h"
#include "config.h"
#include "tile_run.h"
#include "trajectory.h"
#include <omp.h>

enum {
  MAX_LANE = 8,
  FOR_EACH_THREAD = 4,
  FOR_EACH_RANK = 8,
  MAX_P = SAL_MAX_PARAM + SAL_MAX_OPTION
};

static const double enough = 128e6; /* bytes of trajectories at a time */

struct sal_stored_run {
  const sal_sweep *sweep;
  sal_sweep coarse; /* the sweep with the mesh of the stored points; borrows the rest */
  int64_t most;     /* units */
  int width, n_thread;
  void **work;   /* [n_thread] */
  double *t;     /* [n_mesh + 1] */
  double *state; /* [most][width][n_mesh + 1][n_state] */
  int8_t *mode;  /* [most][width][n_mesh + 1] */
  uint8_t *closed;
  sal_stored_trajectory *stored; /* [most][width]; those of a unit lie side by side */
};

/* The cells of a unit. */
typedef struct {
  int config;
  int64_t first, count; /* places in the list of cells */
} unit;

static unit unit_of(const sal_sweep *sweep, int64_t number)
{
  const int width = sal_tile_width(sweep), n = sal_config_count(sweep) + 1;
  const int64_t first = number / n * width, left = sweep->stored.n_cell - first;

  return (unit){(int)(number % n), first, left < width ? left : width};
}

int64_t sal_stored_run_units(const sal_sweep *sweep)
{
  const int width = sal_tile_width(sweep);

  return (sweep->stored.n_cell + width - 1) / width * (sal_config_count(sweep) + 1);
}

int64_t sal_stored_run_most(const sal_sweep *sweep, int n_rank)
{
  const sal_stored_trajectories one = {.n_cell = 1, .n_mesh = sweep->stored.n_mesh};
  const double bytes = sal_stored_bytes(&one, 0, sweep->model->n_state);
  const int64_t fit = (int64_t)(enough / (bytes * sal_tile_width(sweep)));
  const int64_t threads = sal_tile_threads(),
                fair = sal_stored_run_units(sweep) / FOR_EACH_RANK / n_rank;
  int64_t most = fair < threads ? threads : fair;

  if (most > FOR_EACH_THREAD * threads) most = FOR_EACH_THREAD * threads;
  if (most > fit) most = fit;
  return most < 1 ? 1 : most;
}

static bool fill_stored_space(sal_stored_run *s)
{
  const size_t runs = (size_t)(s->most * s->width), n = (size_t)s->coarse.n_mesh + 1;
  const size_t n_state = (size_t)s->sweep->model->n_state,
               bytes = sal_tile_setup_bytes(s->sweep, s->width);
  bool ok = true;

  s->work = sal_alloc((size_t)s->n_thread, sizeof *s->work);
  s->t = sal_alloc(n, sizeof *s->t);
  s->state = sal_alloc(runs * n * n_state, sizeof *s->state);
  s->mode = sal_alloc(runs * n, sizeof *s->mode);
  s->closed = sal_alloc(runs * n, sizeof *s->closed);
  s->stored = sal_alloc(runs, sizeof *s->stored);
  if (!s->work || !s->t || !s->state || !s->mode || !s->closed || !s->stored) return false;
  for (int i = 0; i < s->n_thread; ++i) ok = (s->work[i] = sal_alloc(bytes, 1)) != NULL && ok;
  for (size_t j = 0; j < n; ++j)
    s->t[j] = s->coarse.t_end * (double)j / (double)s->coarse.n_mesh; /* as kernels/observe.c */
  for (size_t i = 0; i < runs; ++i)
    s->stored[i] =
        (sal_stored_trajectory){.state = s->state + i * n * n_state, .mode = s->mode + i * n};
  return ok;
}

static sal_err no_memory_for(const sal_sweep *sweep)
{
  return sal_fail(SAL_ERR_MEMORY,
                  "no memory for trajectories of %lld points each; a wider store.every helps",
                  (long long)sweep->stored.n_mesh + 1);
}

sal_err sal_stored_run_create(const sal_sweep *sweep, int64_t most, sal_stored_run **out)
{
  sal_stored_run *s = *out = sal_alloc(1, sizeof *s);

  if (!s) return no_memory_for(sweep);
  *s = (sal_stored_run){.sweep = sweep,
                        .coarse = *sweep,
                        .most = most,
                        .width = sal_tile_width(sweep),
                        .n_thread = sal_tile_threads()};
  s->coarse.n_mesh = sweep->stored.n_mesh;
  if (fill_stored_space(s)) return SAL_OK;
  sal_stored_run_destroy(out);
  return no_memory_for(sweep);
}

void sal_stored_run_destroy(sal_stored_run **space)
{
  sal_stored_run *s = *space;

  if (!s) return;
  for (int i = 0; i < s->n_thread && s->work; ++i) sal_free(s->work[i]);
  sal_free_all(s->work, s->t, s->state, s->mode, s->closed, s->stored, s);
  *space = NULL;
}

/* Points that a run reached have the mode of contact 0, the others none. */
static void store_modes(const sal_stored_run *s, const uint8_t closed[],
                        sal_stored_trajectory *stored)
{
  const int n_state = s->sweep->model->n_state;
  const int64_t n = s->coarse.n_mesh + 1;
  int64_t j = 0;

  for (; j < n && !isnan(stored->state[j * n_state]); ++j)
    stored->mode[j] = closed[j] ? SAL_MODE_CLOSED : SAL_MODE_OPEN;
  for (; j < n; ++j) stored->mode[j] = SAL_MODE_ENDED;
}

static void leave_run_out(const sal_stored_run *s, sal_stored_trajectory *stored)
{
  const int64_t n = s->coarse.n_mesh + 1;

  for (int64_t i = 0; i < n * s->sweep->model->n_state; ++i) stored->state[i] = NAN;
  memset(stored->mode, SAL_MODE_LEFT_OUT, (size_t)n);
}

/* Parameters [count][n_param + n_option] and initial states [count][n_state] of a unit. */
static void look_up_cells(const sal_sweep *sweep, const unit *u, double param[], double initial[])
{
  const sal_model *m = sweep->model;

  for (int64_t i = 0; i < u->count; ++i)
    sal_sweep_cell(sweep, sweep->stored.cell[u->first + i], param + i * (m->n_param + m->n_option),
                   initial + i * m->n_state);
}

static void run_config(const sal_stored_run *s, const unit *u, const double param[],
                       const double initial[], uint8_t closed[], sal_stored_trajectory stored[])
{
  const sal_model *m = s->sweep->model;
  const sal_setup setup = sal_tile_setup(s->sweep, u->config);
  const int64_t n = s->coarse.n_mesh + 1;
  const int n_p = m->n_param + m->n_option;
  sal_job job[MAX_LANE];
  sal_samples samples[MAX_LANE];
  sal_record record[MAX_LANE];

  for (int64_t i = 0; i < u->count; ++i) {
    samples[i] = (sal_samples){
        .n_mesh = s->coarse.n_mesh, .state = stored[i].state, .closed = closed + i * n};
    job[i] = (sal_job){.param = param + i * n_p,
                       .initial = initial + i * m->n_state,
                       .samples = &samples[i],
                       .budget = s->sweep->budget.work};
  }
  sal_integrate(&setup, s->width, u->count, job, record, s->work[omp_get_thread_num()]);
  for (int64_t i = 0; i < u->count; ++i) {
    stored[i].record = record[i];
    if (!setup.strategy->held)
      sal_trajectory_modes(m, param + i * n_p, n, s->t, stored[i].state, closed + i * n);
    store_modes(s, closed + i * n, &stored[i]);
  }
}

/* The mean of several has no mode of its own: the gaps decide. */
static void store_reference(const sal_stored_run *s, const double param[], const sal_reference *r,
                            uint8_t closed[], sal_stored_trajectory *stored)
{
  const sal_model *m = s->sweep->model;
  const int64_t n = s->coarse.n_mesh + 1;

  memcpy(stored->state, r->state, (size_t)(n * m->n_state) * sizeof *r->state);
  sal_trajectory_modes(m, param, n, s->t, stored->state, closed);
  store_modes(s, closed, stored);
}

/* False when memory is short. */
static bool run_reference(const sal_stored_run *s, const unit *u, const double param[],
                          const double initial[], uint8_t closed[], sal_stored_trajectory stored[])
{
  const sal_sweep *coarse = &s->coarse;
  const sal_model *m = coarse->model;
  sal_reference reference[MAX_LANE] = {0}, spare[MAX_LANE] = {0};
  bool ok = true;

  for (int64_t i = 0; i < u->count; ++i)
    ok = sal_reference_alloc(coarse, &reference[i]) && sal_reference_alloc(coarse, &spare[i]) && ok;
  if (ok)
    sal_reference_run(coarse, s->width, u->count, param, initial, reference, spare,
                      s->work[omp_get_thread_num()], NULL);
  for (int64_t i = 0; i < u->count; ++i) {
    if (ok)
      store_reference(s, param + i * (m->n_param + m->n_option), &reference[i],
                      closed + i * (coarse->n_mesh + 1), &stored[i]);
    sal_reference_free(&reference[i]);
    sal_reference_free(&spare[i]);
  }
  return ok;
}

/* Unit number `number` into place `slot` of the space; false when memory is short. */
static bool run_unit(const sal_stored_run *s, int64_t number, int64_t slot)
{
  const sal_sweep *sweep = s->sweep;
  const unit u = unit_of(sweep, number);
  sal_stored_trajectory *stored = s->stored + slot * s->width;
  uint8_t *closed = s->closed + slot * s->width * (s->coarse.n_mesh + 1);
  double param[MAX_LANE * MAX_P], initial[MAX_LANE * SAL_MAX_STATE];

  look_up_cells(sweep, &u, param, initial);
  for (int64_t i = 0; i < u.count; ++i) {
    stored[i].at = u.first + i;
    stored[i].config = u.config;
  }
  if (u.config == sal_config_count(sweep))
    return run_reference(s, &u, param, initial, closed, stored);
  if (!sal_tile_leaves_out(sweep, u.config)) {
    run_config(s, &u, param, initial, closed, stored);
    return true;
  }
  for (int64_t i = 0; i < u.count; ++i) leave_run_out(s, &stored[i]);
  return true;
}

/* Does the unit belong to the main thread of the process? */
static bool runs_alone(const sal_stored_run *s, int64_t number)
{
  const int config = unit_of(s->sweep, number).config;

  return config < sal_config_count(s->sweep) && sal_tile_phases_alone(s->sweep, config);
}

sal_err sal_stored_run_units_now(sal_stored_run *s, const sal_tile *units, int64_t *n,
                                 const sal_stored_trajectory **stored)
{
  bool ok = true;

#pragma omp parallel num_threads(s->n_thread) reduction(&& : ok)
  {
#pragma omp master
    for (int64_t k = 0; k < units->count; ++k)
      if (runs_alone(s, units->first + k)) ok = run_unit(s, units->first + k, k) && ok;
#pragma omp for schedule(dynamic)
    for (int64_t k = 0; k < units->count; ++k)
      if (!runs_alone(s, units->first + k)) ok = run_unit(s, units->first + k, k) && ok;
  }
  if (!ok) return no_memory_for(s->sweep);
  /* only the last cells may leave lanes empty: close the gaps */
  *n = 0;
  for (int64_t k = 0; k < units->count; ++k) {
    const unit u = unit_of(s->sweep, units->first + k);
    for (int64_t i = 0; i < u.count; ++i, ++*n) {
      const sal_stored_trajectory swap = s->stored[*n];
      s->stored[*n] = s->stored[k * s->width + i];
      s->stored[k * s->width + i] = swap;
    }
  }
  *stored = s->stored;
  return SAL_OK;
}
