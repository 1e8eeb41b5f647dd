/** @file src/ensemble/reference.c
 *  Certified and published references.
 */
#include "reference.h"
#include "memory.h"
#include "registry.h"
#include "tile_tasks.h"
#include <math.h>
#include <string.h>

/* What a kind of reference runs, in this order; the answer is their mean. */
static const char *const certified_members[] = {"dop853", NULL};
static const char *const paper_members[]     = {"ode23", "ode45", "ode113", "ode15s", NULL};

static const char *const *members_of(const sal_sweep *sweep)
{
  return sweep->reference == SAL_REFERENCE_PAPER ? paper_members : certified_members;
}

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

static sal_setup setup_of(const sal_sweep *sweep, const char *method, double tolerance)
{
  return (sal_setup){.model        = sweep->model,
                     .method       = sal_registry_method(method),
                     .strategy     = sal_registry_strategy("event"),
                     .rtol         = tolerance,
                     .atol         = tolerance,
                     .t_end        = sweep->t_end,
                     .n_guard      = sweep->n_guard,
                     .max_step     = sweep->max_step,
                     .jacobian     = sweep->jacobian,
                     .max_attempts = sweep->max_attempts};
}

size_t sal_reference_bytes(const sal_sweep *sweep, int width)
{
  size_t most = 0;

  for (const char *const *name = members_of(sweep); *name; ++name) {
    const sal_setup setup = setup_of(sweep, *name, sweep->reference_tolerance);
    const size_t    bytes = sal_integrate_bytes(&setup, width);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* One method on all cells of a batch.  labour [count]: what to expect of each; then what it was. */
static void run_member(const sal_sweep *sweep, const char *method, double tolerance, int width,
                       int64_t count, const double param[], const double initial[],
                       sal_reference out[], double labour[], void *work, sal_lane_use *use)
{
  sal_setup        setup = setup_of(sweep, method, tolerance);
  const sal_model *m     = sweep->model;
  sal_job          job[SAL_TILE_MOST];
  sal_samples      samples[SAL_TILE_MOST];
  sal_record       record[SAL_TILE_MOST];
  int64_t          order[SAL_TILE_MOST];

  sal_tile_tasks_costly_first(count, labour, order);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = order[k];
    samples[k]      = (sal_samples){.n_mesh = sweep->n_mesh, .state = out[i].state};
    job[k]          = (sal_job){.param   = param + i * (m->n_param + m->n_option),
                                .initial = initial + i * m->n_state,
                                .samples = &samples[k]};
  }
  setup.use = use;
  sal_integrate(&setup, width, count, job, record, work);
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i     = order[k];
    const double *value = record[k].value;
    out[i].outcome      = (sal_outcome)value[SAL_METRIC_OUTCOME];
    out[i].events       = (int64_t)value[SAL_METRIC_EVENTS];
    out[i].work = labour[i] = value[SAL_METRIC_RHS];
    for (int64_t j = 0; j <= sweep->n_mesh; ++j)
      out[i].watch[j] = out[i].state[j * m->n_state + m->watch];
  }
}

static double largest_difference(int64_t n, const double a[], const double b[])
{
  double largest = 0;
  for (int64_t j = 0; j <= n; ++j)
    if (!(fabs(a[j] - b[j]) <= largest)) largest = fabs(a[j] - b[j]);
  return largest;
}

static void run_certified(const sal_sweep *sweep, int width, int64_t count, const double param[],
                          const double initial[], sal_reference out[], sal_reference spare[],
                          void *work, sal_lane_use *use)
{
  const double tolerance             = sweep->reference_tolerance;
  double       labour[SAL_TILE_MOST] = {0};

  run_member(sweep, "dop853", 10 * tolerance, width, count, param, initial, spare, labour, work,
             use);
  run_member(sweep, "dop853", tolerance, width, count, param, initial, out, labour, work, use);
  for (int64_t i = 0; i < count; ++i)
    out[i].error = largest_difference(sweep->n_mesh, out[i].watch, spare[i].watch);
}

/* A quarter of this member, in all states. */
static void add_to_mean(const sal_sweep *sweep, double weight, const double state[], double mean[])
{
  const int64_t n = (sweep->n_mesh + 1) * sweep->model->n_state;

  for (int64_t i = 0; mean && i < n; ++i) mean[i] += weight * state[i];
}

/* Two passes, since the distance from the mean is known only when all four have run; a second run
 * costs time but no memory. */
static void run_paper(const sal_sweep *sweep, int width, int64_t count, const double param[],
                      const double initial[], sal_reference out[], sal_reference spare[],
                      void *work, sal_lane_use *use)
{
  const double weight                = 0.25;
  double       labour[SAL_TILE_MOST] = {0};
  const size_t n                     = (size_t)sweep->n_mesh + 1;

  for (int64_t i = 0; i < count; ++i) memset(out[i].watch, 0, n * sizeof(double));
  for (int pass = 0; pass < 2; ++pass)
    for (const char *const *name = paper_members; *name; ++name) {
      run_member(sweep, *name, sweep->reference_tolerance, width, count, param, initial, spare,
                 labour, work, use);
      for (int64_t i = 0; i < count; ++i) {
        if (pass == 1) {
          const double distance = largest_difference(sweep->n_mesh, out[i].watch, spare[i].watch);
          if (!(distance <= out[i].error)) out[i].error = distance;
          continue;
        }
        for (size_t j = 0; j < n; ++j) out[i].watch[j] += weight * spare[i].watch[j];
        add_to_mean(sweep, weight, spare[i].state, out[i].mean);
        if (name == paper_members || spare[i].outcome != SAL_OUT_DONE)
          out[i].outcome = spare[i].outcome;
        out[i].events = spare[i].events;
        memcpy(out[i].state, spare[i].state, n * (size_t)sweep->model->n_state * sizeof(double));
        out[i].error = 0;
      }
    }
}

void sal_reference_run(const sal_sweep *sweep, int width, int64_t count, const double param[],
                       const double initial[], sal_reference reference[], sal_reference spare[],
                       void *work, sal_lane_use *use)
{
  const sal_model *m   = sweep->model;
  const int        n_p = m->n_param + m->n_option;

  for (int64_t first = 0; first < count; first += SAL_TILE_MOST) {
    const int64_t here = count - first < SAL_TILE_MOST ? count - first : SAL_TILE_MOST;
    (sweep->reference == SAL_REFERENCE_PAPER ? run_paper : run_certified)(
        sweep, width, here, param + first * n_p, initial + first * m->n_state, reference + first,
        spare + first, work, use);
  }
}
