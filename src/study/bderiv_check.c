/** Difference quotients and defects of B-derivatives. */
#include "base.h"
#include "bderiv.h"

static double vector_norm(int n, const double v[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sqrt(sum);
}

/** A start moved along a direction, and where it ends. */
typedef struct {
  double start[SAL_MAX_STATE], mesh[2 * SAL_MAX_STATE];
  sal_samples samples;
} neighbour;

typedef struct {
  neighbour *run; /* [n][SAL_BDERIV_STEPS] */
  sal_job *job;
  sal_record *record;
  void *work;
} neighbours;

static double step_of(int s) { return (double[]){1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}[s]; }

static void free_neighbours(neighbours *a) { sal_free_all(a->run, a->job, a->record, a->work); }

static sal_err run_neighbours(const sal_bderiv *b, int n, const double from[], neighbours *a)
{
  const int n_state = b->setup->model->n_state, width = sal_integrate_widest();
  const size_t count = (size_t)n * SAL_BDERIV_STEPS;

  *a = (neighbours){.run = sal_alloc(count, sizeof *a->run),
                    .job = sal_alloc(count, sizeof *a->job),
                    .record = sal_alloc(count, sizeof *a->record),
                    .work = sal_alloc(sal_integrate_bytes(b->setup, width), 1)};
  if (!a->run || !a->job || !a->record || !a->work)
    return sal_fail(SAL_ERR_MEMORY, "no memory for %zu trajectories", count);
  for (size_t j = 0; j < count; ++j) {
    neighbour *r = &a->run[j];
    const double *d = from + (j / SAL_BDERIV_STEPS) * (size_t)n_state;
    const double step = step_of((int)(j % SAL_BDERIV_STEPS)) / vector_norm(n_state, d);
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
  const double scale = vector_norm(n, from) / step, size = vector_norm(n, to);
  double apart[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) apart[i] = (r->mesh[n + i] - b->end[i]) * scale - to[i];
  return vector_norm(n, apart) / (size > 0 ? size : 1);
}

static sal_bderiv_row summarise_step(const sal_bderiv *b, const neighbours *a, int s, int n,
                                     const double from[], const double to[])
{
  const int n_state = b->setup->model->n_state;
  sal_bderiv_row row = {.step = step_of(s)};
  double sum = 0;

  for (int d = 0; d < n; ++d) {
    const int j = d * SAL_BDERIV_STEPS + s;
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

sal_err sal_bderiv_check(const sal_bderiv *b, int n, const double from[], const double to[],
                         sal_bderiv_row row[SAL_BDERIV_STEPS])
{
  SAL_OWN_BY(free_neighbours) neighbours a = {0};

  SAL_TRY(run_neighbours(b, n, from, &a));
  for (int s = 0; s < SAL_BDERIV_STEPS; ++s) row[s] = summarise_step(b, &a, s, n, from, to);
  return SAL_OK;
}

/* to(e + f) for two rows of the matrix, e_i and f_j with signs: |to(e + f) - to(e) - to(f)|. */
static sal_err apart_from_sum(const sal_bderiv *b, const double matrix[], int e, int f, double *out)
{
  const int n = b->setup->model->n_state;
  double from[SAL_MAX_STATE] = {0}, to[SAL_MAX_STATE];

  from[e % n] = e < n ? 1 : -1;
  from[f % n] = f < n ? 1 : -1;
  SAL_TRY(sal_bderiv_map(b, from, to, NULL));
  for (int i = 0; i < n; ++i) to[i] -= matrix[e * n + i] + matrix[f * n + i];
  *out = vector_norm(n, to);
  return SAL_OK;
}

sal_err sal_bderiv_measure(const sal_bderiv *b, const double matrix[], sal_bderiv_defect *out)
{
  const int n = b->setup->model->n_state;
  double scale = 0, sum[SAL_MAX_STATE], apart;

  *out = (sal_bderiv_defect){0};
  for (int e = 0; e < n; ++e) {
    for (int i = 0; i < n; ++i) sum[i] = matrix[e * n + i] + matrix[(n + e) * n + i];
    out->antisymmetry = fmax(out->antisymmetry, vector_norm(n, sum));
  }
  for (int e = 0; e < 2 * n; ++e) {
    scale = fmax(scale, vector_norm(n, matrix + (size_t)e * (size_t)n));
    for (int f = e % n + 1; f < n; ++f)
      for (int minus = 0; minus < 2; ++minus) {
        SAL_TRY(apart_from_sum(b, matrix, e, f + minus * n, &apart));
        out->superposition = fmax(out->superposition, apart);
      }
  }
  if (scale > 0) {
    out->antisymmetry /= scale;
    out->superposition /= scale;
  }
  return SAL_OK;
}
