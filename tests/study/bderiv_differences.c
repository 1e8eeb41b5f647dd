/** Difference quotients of B-derivatives. */
#include "bderiv_differences.h"
#include "base.h"
#include "kernels/directions.h"

/** A start moved along a direction, and where it ends. */
typedef struct {
  double start[SAL_MAX_STATE], mesh[2 * SAL_MAX_STATE];
  sal_samples samples;
} neighbour;

typedef struct {
  neighbour *run; /* [n][DIFFERENCE_STEPS] */
  sal_job *job;
  sal_record *record;
  void *work;
} neighbours;

static double step_of(int s) { return (double[]){1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}[s]; }

static void free_neighbours(neighbours *a) { sal_free_all(a->run, a->job, a->record, a->work); }

static sal_err run_neighbours(const sal_bderiv *b, int n, const double from[], neighbours *a)
{
  const int n_state = b->setup->model->n_state, width = sal_integrate_widest();
  const size_t count = (size_t)n * DIFFERENCE_STEPS;

  *a = (neighbours){.run = sal_alloc(count, sizeof *a->run),
                    .job = sal_alloc(count, sizeof *a->job),
                    .record = sal_alloc(count, sizeof *a->record),
                    .work = sal_alloc(sal_integrate_bytes(b->setup, width), 1)};
  if (!a->run || !a->job || !a->record || !a->work)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %zu trajectories", count);
  for (size_t j = 0; j < count; ++j) {
    neighbour *r = &a->run[j];
    const double *d = from + (j / DIFFERENCE_STEPS) * (size_t)n_state;
    const double step = step_of((int)(j % DIFFERENCE_STEPS)) / length_of(n_state, d);
    for (int i = 0; i < n_state; ++i) r->start[i] = b->initial[i] + step * d[i];
    r->samples = (sal_samples){.n_mesh = 1, .state = r->mesh};
    a->job[j] = (sal_job){.param = b->param, .initial = r->start, .samples = &r->samples};
  }
  sal_integrate(b->setup, width, (int64_t)count, a->job, a->record, a->work);
  return SAL_OK;
}

/* |quotient - to| / |to|; NaN when the neighbour ended early. */
static double relative_difference(const sal_bderiv *b, const neighbour *r, double step,
                                  const double from[], const double to[])
{
  const int n = b->setup->model->n_state;
  const double scale = length_of(n, from) / step, size = length_of(n, to);
  double apart[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) apart[i] = (r->mesh[n + i] - b->end[i]) * scale - to[i];
  return length_of(n, apart) / (size > 0 ? size : 1);
}

static difference_row summarise_step(const sal_bderiv *b, const neighbours *a, int s, int n,
                                     const double from[], const double to[])
{
  const int n_state = b->setup->model->n_state;
  difference_row row = {.step = step_of(s)};
  double sum = 0;

  for (int d = 0; d < n; ++d) {
    const int j = d * DIFFERENCE_STEPS + s;
    const double apart =
        relative_difference(b, &a->run[j], row.step, from + (size_t)d * (size_t)n_state,
                            to + (size_t)d * (size_t)n_state);
    if (a->record[j].value[SAL_METRIC_OUTCOME] != SAL_OUT_DONE) {
      ++row.failed;
      continue;
    }
    sum += apart;
    row.worst = fmax(row.worst, apart);
  }
  row.mean = sum / (n - row.failed);
  if (row.failed == n) row.worst = NAN;
  return row;
}

sal_err check_differences(const sal_bderiv *b, int n, const double from[], const double to[],
                          difference_row row[DIFFERENCE_STEPS])
{
  SAL_OWN_BY(free_neighbours) neighbours a = {0};

  SAL_TRY(run_neighbours(b, n, from, &a));
  for (int s = 0; s < DIFFERENCE_STEPS; ++s) row[s] = summarise_step(b, &a, s, n, from, to);
  return SAL_OK;
}
