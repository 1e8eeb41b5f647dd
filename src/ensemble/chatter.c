/** Steps of three sizes by Euler's rule, and how often slopes leap in them. */
#include "base.h"
#include "registry.h"
#include "scalar_math.h"
#include "stiffness.h"
#include "stop.h"
#include "trajectory.h"

enum { LEADS = 256, STEPS = 32, SIZES = 3, FEWEST = STEPS / 8 };

/* Slopes of the last STEPS steps of size h, in f [STEPS][n]; false where one is not finite. */
static bool follow(const sal_model *m, const double param[], double t, const double start[],
                   double h, double f[STEPS][SAL_MAX_STATE])
{
  const int n = sal_model_continuous(m);
  double y[SAL_MAX_STATE], dy[SAL_MAX_STATE];

  memcpy(y, start, (size_t)m->n_state * sizeof *y);
  for (int i = 0; i < LEADS + STEPS; ++i) {
    sal_model_rhs(m, param, t + i * h, y, dy);
    for (int j = 0; j < n; ++j) {
      if (!isfinite(dy[j])) return false;
      y[j] += h * dy[j];
      if (i >= LEADS) f[i - LEADS][j] = dy[j];
    }
  }
  return true;
}

/* How often a slope goes from the lower to the upper half of its range and back. */
static int count_leaps(const double f[STEPS][SAL_MAX_STATE], int j, double *low, double *high)
{
  int leaps = 0;

  *low = *high = f[0][j];
  for (int i = 1; i < STEPS; ++i) *low = fmin(*low, f[i][j]), *high = fmax(*high, f[i][j]);
  const double half = 0.5 * (*high - *low);
  for (int i = 1; i < STEPS; ++i) leaps += half > 0 && fabs(f[i][j] - f[i - 1][j]) > half;
  return leaps;
}

sal_chatter sal_chatter_find(const sal_model *m, const double param[], double t, const double y[])
{
  double f[STEPS][SAL_MAX_STATE], least = 1e-4; /* of the slope itself */
  bool leaps[SAL_MAX_STATE] = {0};
  double range[SAL_MAX_STATE] = {0};
  sal_chatter found = {-1, 0, 0};

  for (int size = 0; size < SIZES; ++size) {
    if (!follow(m, param, t, y, m->span * sal_scalar_pow(10, -5 - size), f))
      return (sal_chatter){-1, 0, 0};
    for (int j = 0; j < sal_model_continuous(m); ++j) {
      double low, high;
      const bool often = count_leaps(f, j, &low, &high) >= FEWEST && low < high;
      const double wide = high - low;
      leaps[j] = often && (size == 0 || (leaps[j] && fabs(wide - range[j]) < 0.1 * range[j]));
      range[j] = wide;
      const double share = wide / fmax(fabs(low), fabs(high));
      if (size < SIZES - 1 || !leaps[j] || !(share > least)) continue;
      least = share;
      found = (sal_chatter){j, low, high};
    }
  }
  return found;
}

void sal_chatter_say(const sal_chatter *c, const sal_model *m, size_t bytes, char text[])
{
  text[0] = '\0';
  if (c->state < 0) return;
  snprintf(
      text, bytes,
      "the slope of %s leaps between %.4g and %.4g on a surface that both sides lead back to, "
      "as dry "
      "friction by sign(v) does: use a contact of kind friction there, or the key friction of a "
      "text of energies",
      m->state[c->state].name, c->low, c->high);
}

sal_err sal_chatter_try(const sal_model *m, const double param[], const double initial[],
                        double t_end, int attempts)
{
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};
  const char *solver = m->reference ? m->reference : "dop853";
  char why[400];

  SAL_TRY(sal_stiffness_try(solver, attempts, m, param, initial, t_end, &tr));
  const double t = tr.record.value[SAL_METRIC_T_REACHED];
  if (sal_metric_finished(tr.record.value[SAL_METRIC_OUTCOME]) || !(t < t_end) || sal_stop_halted())
    return SAL_OK;
  const sal_chatter chatter = sal_chatter_find(m, param, t, tr.end);
  if (chatter.state < 0) return SAL_OK;
  sal_chatter_say(&chatter, m, sizeof why, why);
  return sal_fail(SAL_ERR_USAGE, "%s: runs get no further at t = %.6g: %s", m->name, t, why);
}
