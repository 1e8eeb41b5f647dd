/** Root mean square errors against certified trajectories. */
#include "base.h"
#include "calibration.h"
#include "clock.h"
#include "reference.h"
#include "registry.h"

static const double certified_tolerance = 1e-13;

static sal_err fail_no_trajectory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the trajectory; a larger --dt helps");
}

static double rms_difference(int n_state, int watch, int64_t n_mesh, const double a[],
                             const double b[])
{
  const int first = watch == SAL_ALL_STATES ? 0 : watch;
  const int last = watch == SAL_ALL_STATES ? n_state - 1 : watch;
  double sum = 0;

  for (int64_t j = 0; j <= n_mesh; ++j)
    for (int i = first; i <= last; ++i) {
      const double e = a[j * n_state + i] - b[j * n_state + i];
      sum += e * e;
    }
  return sqrt(sum / (double)(n_mesh + 1));
}

static bool reached_end(const sal_record *r)
{
  return sal_metric_finished(r->value[SAL_METRIC_OUTCOME]);
}

/* One run at width 1 with its mesh [n_mesh + 1][n_state], then `repeats` timed ones without. */
static sal_err run_and_time(const sal_certified_run *y, const sal_setup *setup, int repeats,
                            double state[], sal_record *record)
{
  sal_samples samples = {.n_mesh = y->n_mesh, .state = state};
  sal_job job = {.param = y->param, .initial = y->initial, .samples = &samples};
  sal_record unused;
  double best = NAN;
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(setup, 1), 1);

  if (!work) return fail_no_trajectory();
  sal_integrate(setup, 1, 1, &job, record, work);
  job.samples = NULL;
  for (int k = 0; k < repeats; ++k) {
    const double began = sal_clock_cpu();
    sal_integrate(setup, 1, 1, &job, &unused, work);
    best = fmin(sal_clock_cpu() - began, best);
  }
  record->value[SAL_METRIC_SD] = best;
  return SAL_OK;
}

/* The certified run, and a second one at ten times its tolerance, with steps that leap over nothing,
 * which bounds its error. */
static sal_err run_certified_pair(sal_certified_run *y, const sal_setup *like)
{
  sal_record rough;
  sal_setup setup = {.model = like->model,
                     .method = sal_registry_reference(like->model),
                     .jacobian = SAL_JACOBIAN_ANALYTIC,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 10 * certified_tolerance,
                     .atol = 10 * certified_tolerance,
                     .t_end = like->t_end,
                     .max_step = like->max_step,
                     .n_guard = like->n_guard,
                     .max_attempts = like->max_attempts};

  const sal_setup close = sal_certificate_close(setup);

  SAL_TRY(run_and_time(y, &close, 0, y->scratch, &rough));
  setup.rtol = setup.atol = certified_tolerance;
  SAL_TRY(run_and_time(y, &setup, 0, y->state, &y->record));
  y->error = reached_end(&rough) && reached_end(&y->record)
                 ? rms_difference(like->model->n_state, y->watch, y->n_mesh, y->scratch, y->state)
                 : INFINITY;
  return SAL_OK;
}

sal_err sal_certified_run_create(const sal_setup *like, const double param[],
                                 const double initial[], int watch, int64_t n_mesh,
                                 sal_certified_run *out)
{
  const size_t n = ((size_t)n_mesh + 1) * (size_t)like->model->n_state;

  *out = (sal_certified_run){.param = param,
                             .initial = initial,
                             .watch = watch,
                             .n_mesh = n_mesh,
                             .state = sal_alloc(n, sizeof *out->state),
                             .scratch = sal_alloc(n, sizeof *out->scratch)};
  const sal_err err =
      out->state && out->scratch ? run_certified_pair(out, like) : fail_no_trajectory();
  if (err != SAL_OK) sal_certified_run_free(out);
  return err;
}

void sal_certified_run_free(sal_certified_run *y)
{
  sal_free_all(y->state, y->scratch);
  *y = (sal_certified_run){0};
}

sal_err sal_certified_run_measure(const sal_certified_run *y, const sal_setup *config, int repeats,
                                  sal_certified_measurement *out)
{
  SAL_TRY(run_and_time(y, config, repeats, y->scratch, &out->record));
  out->rms = reached_end(&out->record)
                 ? rms_difference(config->model->n_state, y->watch, y->n_mesh, y->scratch, y->state)
                 : INFINITY;
  return SAL_OK;
}
