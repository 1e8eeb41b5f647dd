/** @file src/ensemble/reference.c
 *  Certified and published references.
 */
#include "reference.h"
#include "memory.h"
#include "registry.h"
#include "stop.h"
#include "tile_tasks.h"
#include "work.h"
#include <float.h>
#include <math.h>
#include <string.h>

bool sal_reference_alloc(const sal_sweep *sweep, sal_reference *r)
{
  const size_t n = (size_t)sweep->n_mesh;

  r->watch = sal_alloc(n + 8, sizeof *r->watch);
  r->state = sal_alloc((n + 1) * (size_t)sweep->model->n_state, sizeof *r->state);
  return r->watch && r->state;
}

size_t sal_reference_size(const sal_sweep *sweep)
{
  const size_t n = (size_t)sweep->n_mesh, state = (size_t)sweep->model->n_state;

  return (n + 8 + (n + 1) * state) * sizeof(double);
}

void sal_reference_free(sal_reference *r)
{
  sal_free(r->watch);
  sal_free(r->state);
  *r = (sal_reference){0};
}

/* A certified one takes the model's own Jacobian where there is one, the paper's what the sweep
 * says. */
static sal_setup setup_of(const sal_sweep *sweep, const sal_method *method, double tolerance)
{
  const bool own = sweep->reference == SAL_REFERENCE_CERTIFIED;

  return (sal_setup){.model = sweep->model,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tolerance,
                     .atol = tolerance,
                     .t_end = sweep->t_end,
                     .n_guard = sweep->n_guard,
                     .max_step = sweep->max_step,
                     .jacobian = own ? SAL_JACOBIAN_ANALYTIC : sweep->jacobian,
                     .max_attempts = sweep->max_attempts,
                     .work = sal_work_presets(sweep),
                     .halt = sal_stop_halt()};
}

size_t sal_reference_bytes(const sal_sweep *sweep, int width)
{
  const sal_method *member[SAL_MAX_REFERENCE];
  const int n = sal_sweep_references(sweep, member);
  size_t most = 0;

  for (int i = 0; i < n; ++i) {
    const sal_setup setup = setup_of(sweep, member[i], sweep->reference_tolerance);
    const size_t bytes = sal_integrate_bytes(&setup, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

static void take_watched(const sal_sweep *sweep, sal_reference *r)
{
  const sal_model *m = sweep->model;

  for (int64_t j = 0; j <= sweep->n_mesh; ++j) r->watch[j] = r->state[j * m->n_state + m->watch];
}

/* One setup on all cells of a batch.  labour [count]: what to expect of each; then what it was. */
static void run_member(const sal_sweep *sweep, sal_setup setup, int width, int64_t count,
                       const double param[], const double initial[], sal_reference out[],
                       double labour[], void *work, sal_lane_use *use)
{
  const sal_model *m = sweep->model;
  sal_job job[SAL_TILE_MOST];
  sal_samples samples[SAL_TILE_MOST];
  sal_record record[SAL_TILE_MOST];
  int64_t order[SAL_TILE_MOST];

  sal_tile_tasks_costly_first(count, labour, order);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = order[k];
    samples[k] = (sal_samples){.n_mesh = sweep->n_mesh, .state = out[i].state};
    job[k] = (sal_job){.param = param + i * (m->n_param + m->n_option),
                       .initial = initial + i * m->n_state,
                       .samples = &samples[k],
                       .budget = sweep->budget.work};
  }
  setup.use = use;
  sal_integrate(&setup, width, count, job, record, work);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = order[k];
    const double *value = record[k].value;
    out[i].outcome = (sal_outcome)value[SAL_METRIC_OUTCOME];
    out[i].events = (int64_t)value[SAL_METRIC_EVENTS];
    out[i].reached = value[SAL_METRIC_T_REACHED];
    out[i].work = labour[i] = value[SAL_METRIC_RHS];
    take_watched(sweep, &out[i]);
  }
}

/* NaN when a difference is. */
static double largest_difference(int64_t n, const double a[], const double b[])
{
  double largest = 0;

  for (int64_t i = 0; i < n; ++i) {
    const double apart = fabs(a[i] - b[i]);
    if (isnan(apart)) return NAN;
    if (apart > largest) largest = apart;
  }
  return largest;
}

/* Raises the errors of a reference to its distance from another run; NaN stays. */
static void note_distance(const sal_sweep *sweep, const sal_reference *other, sal_reference *out)
{
  const int64_t n = sweep->n_mesh + 1;
  const double all = largest_difference(n * sweep->model->n_state, out->state, other->state);
  const double one = largest_difference(n, out->watch, other->watch);

  if (!(all <= out->error) && !isnan(out->error)) out->error = all;
  if (!(one <= out->error_watched) && !isnan(out->error_watched)) out->error_watched = one;
}

/* ---- rounding of time ----------------------------------------------------------------------- */

#define ASIDE 0x1p-30 /* in time, of the neighbour that shows how fast errors grow */

/* Where a field or a gap depends on time, sine and cosine of it are as wrong as time is rounded, for both
 * runs of a certificate alike, and impacts make that grow. */
static bool is_rounded_in_time(const sal_model *m) { return m->resets && !m->autonomous; }

/* The start of a neighbour that is ASIDE earlier or later on its way, on this side of all surfaces. */
static void step_aside(const sal_model *m, const double param[], const double y[], double beside[])
{
  double f[SAL_MAX_STATE], gap;

  sal_model_rhs(m, param, 0, y, f);
  for (int side = -1; side <= 1; side += 2) {
    memcpy(beside, y, (size_t)m->n_state * sizeof *y);
    for (int i = 0; i < sal_model_continuous(m); ++i) beside[i] += side * ASIDE * f[i];
    if (sal_model_beyond(m, param, beside, &gap) < 0) return;
  }
}

static double median(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* Largest distance of state i on the mesh over ASIDE.  A single point may lie between an impact and the
 * neighbour's, which says nothing of growth: the middle one of three counts. */
static double growth_of(const sal_sweep *sweep, int i, const double a[], const double b[])
{
  const int64_t n = sweep->model->n_state;
  double most = 0;

  for (int64_t j = 1; j < sweep->n_mesh; ++j) {
    double apart[3];
    for (int k = 0; k < 3; ++k)
      apart[k] = fabs(a[(j + k - 1) * n + i] - b[(j + k - 1) * n + i]) / ASIDE;
    most = fmax(most, median(apart[0], apart[1], apart[2]));
  }
  return most;
}

/* Raises the errors of a reference to what some spacings of time make of it at the neighbour's pace. */
static void raise_to_rounding(const sal_sweep *sweep, const sal_reference *beside,
                              sal_reference *out)
{
  const double some = 4 * DBL_EPSILON * fmax(out->reached, 0);
  const sal_model *m = sweep->model;

  if (beside->outcome != out->outcome) return;
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    const double floor = some * growth_of(sweep, i, out->state, beside->state);
    if (floor > out->error) out->error = floor;
    if (i == m->watch && floor > out->error_watched) out->error_watched = floor;
  }
}

static void note_rounding(const sal_sweep *sweep, int width, int64_t count, const double param[],
                          const double initial[], sal_reference out[], sal_reference spare[],
                          void *work, sal_lane_use *use)
{
  const sal_model *m = sweep->model;
  double labour[SAL_TILE_MOST] = {0}, start[SAL_TILE_MOST * SAL_MAX_STATE];
  const sal_method *method[SAL_MAX_REFERENCE];

  if (!is_rounded_in_time(m)) return;
  sal_sweep_references(sweep, method);
  for (int64_t i = 0; i < count; ++i)
    step_aside(m, param + i * (m->n_param + m->n_option), initial + i * m->n_state,
               start + i * m->n_state);
  run_member(sweep, setup_of(sweep, method[0], sweep->reference_tolerance), width, count, param,
             start, spare, labour, work, use);
  for (int64_t i = 0; i < count; ++i) raise_to_rounding(sweep, &spare[i], &out[i]);
}

/* ---- both kinds ----------------------------------------------------------------------------- */

static void run_certified(const sal_sweep *sweep, int width, int64_t count, const double param[],
                          const double initial[], sal_reference out[], sal_reference spare[],
                          void *work, sal_lane_use *use)
{
  const double tolerance = sweep->reference_tolerance;
  double labour[SAL_TILE_MOST] = {0};
  const sal_method *method[SAL_MAX_REFERENCE];

  sal_sweep_references(sweep, method);
  run_member(sweep, sal_certificate_close(setup_of(sweep, method[0], 10 * tolerance)), width, count,
             param, initial, spare, labour, work, use);
  run_member(sweep, setup_of(sweep, method[0], tolerance), width, count, param, initial, out,
             labour, work, use);
  for (int64_t i = 0; i < count; ++i) {
    out[i].error = out[i].error_watched = 0;
    note_distance(sweep, &spare[i], &out[i]);
  }
  note_rounding(sweep, width, count, param, initial, out, spare, work, use);
}

/* The mean fails when one of the four does, and ends where one of them ends. */
static int gravity_of(sal_outcome outcome)
{
  return outcome == SAL_OUT_DONE ? 0 : outcome == SAL_OUT_ENDED ? 1 : 2;
}

/* Takes a share of this member into the mean. */
static void add_to_mean(const sal_sweep *sweep, double weight, const sal_reference *member,
                        sal_reference *mean)
{
  const int64_t n = (sweep->n_mesh + 1) * sweep->model->n_state;

  for (int64_t i = 0; i < n; ++i) mean->state[i] += weight * member->state[i];
  if (gravity_of(member->outcome) >= gravity_of(mean->outcome)) mean->outcome = member->outcome;
  mean->reached = fmin(mean->reached, member->reached);
  mean->events = member->events;
}

static void begin_mean(const sal_sweep *sweep, sal_reference *mean)
{
  const size_t n = ((size_t)sweep->n_mesh + 1) * (size_t)sweep->model->n_state;

  memset(mean->state, 0, n * sizeof *mean->state);
  mean->outcome = SAL_OUT_DONE;
  mean->reached = INFINITY;
  mean->error = mean->error_watched = 0;
}

/* Two passes, since the distance from the mean is known only when all four have run; a second run
 * costs time but no memory, and is the one that leaps over nothing. */
static void run_paper(const sal_sweep *sweep, int width, int64_t count, const double param[],
                      const double initial[], sal_reference out[], sal_reference spare[],
                      void *work, sal_lane_use *use)
{
  double labour[SAL_TILE_MOST] = {0};
  const sal_method *member[SAL_MAX_REFERENCE];
  const int n = sal_sweep_references(sweep, member);
  const double weight = 1.0 / n;

  for (int64_t i = 0; i < count; ++i) begin_mean(sweep, &out[i]);
  for (int k = 0; k < 2 * n; ++k) {
    const sal_setup own = setup_of(sweep, member[k % n], sweep->reference_tolerance);
    run_member(sweep, k < n ? own : sal_certificate_close(own), width, count, param, initial, spare,
               labour, work, use);
    for (int64_t i = 0; i < count; ++i) {
      if (k < n) add_to_mean(sweep, weight, &spare[i], &out[i]);
      if (k == n - 1) take_watched(sweep, &out[i]);
      if (k >= n) note_distance(sweep, &spare[i], &out[i]);
    }
  }
}

void sal_reference_run(const sal_sweep *sweep, int width, int64_t count, const double param[],
                       const double initial[], sal_reference reference[], sal_reference spare[],
                       void *work, sal_lane_use *use)
{
  const sal_model *m = sweep->model;
  const int n_p = m->n_param + m->n_option;

  for (int64_t first = 0; first < count; first += SAL_TILE_MOST) {
    const int64_t here = count - first < SAL_TILE_MOST ? count - first : SAL_TILE_MOST;
    (sweep->reference == SAL_REFERENCE_PAPER ? run_paper : run_certified)(
        sweep, width, here, param + first * n_p, initial + first * m->n_state, reference + first,
        spare + first, work, use);
  }
}
