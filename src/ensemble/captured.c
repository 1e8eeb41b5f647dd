/** Two runs of time stepping and their difference. */
#include "captured.h"
#include "base.h"
#include "capture.h"
#include "compatibility.h"
#include "integrate.h"
#include "registry.h"
#include "run_setup.h"
#include "watched.h"

/* The setup of the method at number i of the sweep. */
static sal_setup setup_of(const sal_sweep *s, int i, double tolerance)
{
  sal_setup setup = sal_run_setup(s, s->method[i], sal_registry_strategy("capture"), tolerance);

  setup.scale = NULL; /* steps follow from the tolerance alone */
  setup.jacobian = SAL_JACOBIAN_DIFFERENCES;
  return setup;
}

/* The setups of the two tightest tolerances that can be run, the tightest first; returns how many there are. */
static int find_setups(const sal_sweep *s, sal_setup out[2])
{
  char text[SAL_COMPATIBILITY_TEXT];
  int m = 0, n = 0;

  while (m < s->n_method && !s->method[m]->captures) ++m;
  for (int i = 0; i < s->n_tolerance && m < s->n_method; ++i) {
    const sal_setup one = setup_of(s, m, s->tolerance[i]);
    if (sal_compatibility_flaw(&one, text)) continue;
    if (n == 0 || one.rtol < out[0].rtol) {
      out[1] = out[0];
      out[0] = one;
    } else if (n == 1 || one.rtol < out[1].rtol) {
      out[1] = one;
    }
    n += n < 2;
  }
  return n;
}

/* state [n_mesh + 1][n_state] on the mesh. */
static bool run(const sal_sweep *s, const sal_setup *setup, const double param[],
                const double initial[], double state[])
{
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(setup, 1), 1);
  sal_samples samples = {.n_mesh = s->n_mesh, .state = state};
  const sal_job job = {
      .param = param, .initial = initial, .samples = &samples, .budget = s->budget.work};
  sal_record record;

  if (!work) return false;
  sal_integrate(setup, 1, 1, &job, &record, work);
  return sal_metric_finished(record.value[SAL_METRIC_OUTCOME]);
}

double sal_captured_difference(const sal_sweep *s, const double param[], const double initial[])
{
  const size_t n = (size_t)s->model->n_state, words = ((size_t)s->n_mesh + 1) * n;
  sal_setup setup[2] = {{0}};
  double sum = 0;

  if (find_setups(s, setup) < 2) return NAN;
  SAL_OWN double *state = sal_alloc(2 * words, sizeof *state);
  if (!state) return NAN;
  for (int k = 0; k < 2; ++k)
    if (!run(s, &setup[k], param, initial, state + (size_t)k * words)) return NAN;
  for (size_t i = 0; i < words; i += n)
    sum += sal_model_apart(s->model, state + i, state + words + i);
  return sum / (double)(s->n_mesh + 1);
}
