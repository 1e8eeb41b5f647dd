/** The first step of a run, from the size of the slope and, for stiff methods, of the curvature.
 *  Shampine & Reichelt (1997); constants as in the MATLAB ODE suite's public behaviour.
 */
#include "start.h"
#include "jacobian.h"
#include "lane_math.h"
#include "matrix.h"
#include "norm.h"

static sal_v interval_left(const sal_step_state *s) { return sal_min(s->hmax, s->t_end - s->t); }

/* absh no larger than 1 / rate and no smaller than hmin. */
static void set_first_step(sal_step_state *s, sal_m lanes, sal_v absh, sal_v rate)
{
  const sal_v at_most = sal_sel(sal_gt(absh * rate, sal_set(1)), 1.0 / rate, absh);

  s->absh = sal_sel(lanes, sal_max(at_most, s->hmin), s->absh);
  if (s->fixed > 0) s->absh = sal_sel(lanes, sal_set(s->fixed), s->absh);
}

/* The same for every start of a run. */
static double rtol_power(sal_step_state *s, double power)
{
  if (s->rtol_power == 0) {
    const sal_v value = sal_lane_pow(sal_set(s->rtol), power);
    s->rtol_power = SAL_AT(value, 0);
  }
  return s->rtol_power;
}

static void first_slope(sal_step_state *s, sal_m lanes)
{
  sal_method_rhs(s, lanes, s->t, s->y, s->fn);
  sal_assign(s->n, lanes, s->f, s->fn);
}

void sal_start_explicit(sal_step_state *s, sal_m lanes, double factor, double power)
{
  first_slope(s, lanes);
  const sal_v rate = sal_norm_weighted(s, s->f, s->y, s->y) / (factor * rtol_power(s, power));
  set_first_step(s, lanes, interval_left(s), rate);
}

void sal_start_stiff(sal_step_state *s, sal_m lanes, double power)
{
  const int n = s->n;
  const sal_v scale = sal_set(1.25 / rtol_power(s, power));

  first_slope(s, lanes);
  const sal_v rate = scale * sal_norm_weighted(s, s->f, s->y, s->y);
  const sal_v whole = interval_left(s);
  const sal_v reach = sal_sel(sal_gt(whole * rate, sal_set(1)), 1.0 / rate, whole);
  sal_jacobian_form(s, lanes);
  sal_jacobian_form_by_time(s, lanes, sal_max(reach, s->hmin));
  for (int i = 0; i < n; ++i) s->fn[i] = s->T[i];
  sal_matrix_times(n, s, s->f, s->fn);
  set_first_step(s, lanes, whole, scale * sal_sqrt(0.5 * sal_norm_weighted(s, s->fn, s->y, s->y)));
}
