/** A ball on a table that moves as s(t) = a sin(w t), whatever hits it: gap, jump and release depend
 *  on t.  Guckenheimer & Holmes, Nonlinear Oscillations, section 2.4:
 *
 *      y'' = -g  above the table;   v - s' -> -e (v - s')  at y = s(t).
 *
 *  A contact that stays closed is the ball at rest on the table.  It is held as long as the table has
 *  to push, so the gap of the closed mode is -(g + s''): the ball takes off where the table falls
 *  faster than it.  The flow does not depend on the table, so its period bounds the steps.
 */
#include "contact_motion.h"
#include "interval.h"
#include "stages.h"

enum { Y, V, N_STATE };
enum { G, E, A, W, N_PARAM };
enum { BALL, N_GUARD };

/** Height, velocity, acceleration of the table, and the change of that. */
typedef struct {
  sal_v s, v, a, j;
} motion;

SAL_INLINE motion table_at(const sal_phase *s, sal_v t)
{
  const sal_v w = s->p[W], ww = w * w;
  sal_v sine, cosine;

  sal_lane_sincos(w * t, &sine, &cosine);
  const sal_v height = s->p[A] * sine, across = s->p[A] * cosine;
  return (motion){height, w * across, -ww * height, -(ww * w) * across};
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const motion at = table_at(s, t);
  const sal_m lies = sal_model_closed(s, BALL, y[Y] - at.s);

  dy[Y] = sal_sel(lies, at.v, y[V]);
  dy[V] = sal_sel(lies, at.a, -s->p[G]);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_m lies = sal_model_closed(s, BALL, y[Y] - table_at(s, t).s);

  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[Y * N_STATE + V] = sal_sel(lies, sal_set(0), sal_set(1));
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const motion at = table_at(s, t);
  const sal_m held = s->held & s->closed[BALL];

  gap[BALL] = sal_sel(held, -(s->p[G] + at.a), y[Y] - at.s);
  rate[BALL] = sal_sel(held, -at.j, dy[Y] - at.v);
}

static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                  sal_v rate1[])
{
  const sal_interval w = sal_interval_at(s->p[W]), a = sal_interval_at(s->p[A]);
  const sal_interval ww = sal_interval_mul(w, w, true);
  const sal_interval turn = sal_interval_mul(w, sal_interval_of(t0, t1), false);
  const sal_interval height = sal_interval_mul(a, sal_interval_sin(turn), false);
  const sal_interval across = sal_interval_mul(a, sal_interval_cos(turn), false);
  const sal_interval held = sal_interval_known(s->held & s->closed[BALL]);
  const sal_interval pull =
      sal_interval_sub(sal_interval_mul(ww, height, false), sal_interval_at(s->p[G]));
  const sal_interval jerk =
      sal_interval_mul(sal_interval_mul(ww, w, false), across, false); /* minus the table's */
  const sal_interval above = sal_interval_sub(sal_interval_of(y0[Y], y1[Y]), height);
  const sal_interval rises =
      sal_interval_sub(sal_interval_of(dy0[Y], dy1[Y]), sal_interval_mul(w, across, false));

  sal_interval_put(BALL, sal_interval_select(held, pull, above),
                   sal_interval_select(held, jerk, rises), gap0, gap1, rate0, rate1);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_v zero = sal_set(0);
  const motion at = table_at(s, t);
  const sal_v e = sal_sel(s->rests, zero, s->p[E]), meets = y[V] - at.v;
  const sal_m lands = lanes & s->closed[k], hits = sal_lt(meets, zero);
  const sal_v left = sal_sel(s->rests, zero, meets);
  const sal_v after = sal_sel(lands, sal_sel(hits, -e * meets, left), zero);
  const sal_m drops = sal_lt(s->p[G] + at.a, zero);

  y[Y] = sal_sel(lanes, at.s, y[Y]);
  y[V] = sal_sel(lanes, at.v + after, y[V]);
  s->closed[k] &= ~(lands & (sal_gt(after, zero) | drops));
}

SAL_FLOW(sal_shaking_table, N_STATE, .jac = jac, .guard = guard, .range = range, .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  return p[G] <= 0 ? "g = 0 brings no ball back to the table" : NULL;
}

static double period_of_table(const void *inner, const double p[])
{
  (void)inner;
  return p[A] > 0 && p[W] > 0 ? 6.2831853071795864769 / p[W] : INFINITY;
}

static double longest_step(const void *inner, const double p[], const double y[])
{
  (void)inner, (void)y;
  return period_of_table(inner, p) / 8;
}

static bool ball_over_table(const void *inner, const double p[], double t, const double y[],
                            double memory[], sal_contact_motion *out)
{
  const motion at = table_at(&(sal_phase){.p = p}, t);

  (void)inner, (void)memory;
  *out->mass = 1;
  *out->load = -p[G];
  out->steady = true;
  out->terms->gap = y[Y] - at.s;
  out->terms->drift = -at.v;
  *out->terms->normal = 1;
  out->terms->restitution = p[E];
  return true;
}

SAL_DECLARE_FLOWS(shaking_table)
const sal_model sal_shaking_table = {
    .name = "shaking-table",
    .title = "ball on a table that moves with time, exact impact map",
    .source = "Guckenheimer, Holmes, Nonlinear Oscillations, Dynamical Systems, and Bifurcations "
              "of Vector Fields, section 2.4",
    .contact = {{"impact", "release", .form = {SAL_FORM_SMOOTH, SAL_FORM_SMOOTH}}},
    .section = {"period", 0, false, period_of_table},
    .resets = true,
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[Y] = 1 + V},
    .watch = Y,
    .span = 10,
    .time = "s",
    .state = {{"y", "m", "height of the ball", 1, 0.5, 2, -1e3, 1e3},
              {"v", "m/s", "its velocity", 0, -2, 2, -1e3, 1e3}},
    .param = {{"g", "m/s^2", "gravity", 9.81, 1, 20, 0, 1e3},
              {"e", "1", "restitution: relative speed after over that before", 0.5, 0.2, 0.9, 0, 1},
              {"a", "m", "amplitude of the table", 0.3, 0, 0.4, 0, 1e3},
              {"w", "rad/s", "its angular frequency", 6.2831853071795864769, 1, 10, 0, 1e3}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .longest_step = longest_step,
    .motion = ball_over_table,
    .n_touch = N_GUARD,
    .natural =
        {"Guckenheimer, Holmes, section 2.4: g = w = 1, a is the table's acceleration over g",
         {1 + G, 1 + W},
         .restitution = 1 + E},
    .kinetic_text = "0.5 * v^2",
    SAL_FLOWS(shaking_table),
};
#endif
