/** A forced oscillator between two rigid walls: hard impacts on both sides, a flow that depends on
 *  t, chatter and sticking.  Shaw, J. Appl. Mech. 52 (1985) 453-464:
 *
 *      x'' + 2 zeta x' + x = a cos(w t)   for |x| < d;      v -> -e v   at x = d and x = -d.
 *
 *  A contact that stays closed is the mass at rest against the wall.  It is held as long as the wall
 *  has to push, so the gap of the closed mode is minus the wall's reaction: the contact opens where
 *  the force no longer presses the mass onto the wall.
 */
#include "contact_motion.h"
#include "interval.h"
#include "stages.h"

enum { X, V, N_STATE };
enum { ZETA, W, A, D, E, N_PARAM };
enum { RIGHT, LEFT, N_GUARD };

/** +1 at x = d, -1 at x = -d. */
SAL_INLINE double wall_side(int k) { return k == RIGHT ? 1 : -1; }

SAL_INLINE sal_m rests_at(const sal_phase *s, sal_v x)
{
  return sal_model_closed(s, RIGHT, s->p[D] - x) | sal_model_closed(s, LEFT, s->p[D] + x);
}

SAL_INLINE sal_v drive(const sal_phase *s, sal_v t, sal_v *rate)
{
  sal_v sine, cosine;

  sal_lane_sincos(s->p[W] * t, &sine, &cosine);
  if (rate) *rate = -(s->p[A] * s->p[W]) * sine;
  return s->p[A] * cosine;
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v zero = sal_set(0);
  const sal_m rests = rests_at(s, y[X]);
  const sal_v pull = y[X] + 2.0 * s->p[ZETA] * y[V];

  dy[X] = sal_sel(rests, zero, y[V]);
  dy[V] = sal_sel(rests, zero, drive(s, t, NULL) - pull);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v zero = sal_set(0);
  const sal_m rests = rests_at(s, y[X]);

  (void)t;
  J[X * N_STATE + X] = zero;
  J[X * N_STATE + V] = sal_sel(rests, zero, sal_set(1));
  J[V * N_STATE + X] = sal_sel(rests, zero, sal_set(-1));
  J[V * N_STATE + V] = sal_sel(rests, zero, -2.0 * s->p[ZETA]);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  sal_v drive_rate = sal_set(0), force = drive_rate;

  if (sal_any(s->held & (s->closed[LEFT] | s->closed[RIGHT]))) force = drive(s, t, &drive_rate);
  for (int k = 0; k < N_GUARD; ++k) {
    const sal_m held = s->held & s->closed[k];
    gap[k] = s->p[D] - wall_side(k) * sal_sel(held, force, y[X]);
    rate[k] = -wall_side(k) * sal_sel(held, drive_rate, dy[X]);
  }
}

static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                  sal_v rate1[])
{
  const sal_interval a = sal_interval_at(s->p[A]), w = sal_interval_at(s->p[W]);
  const sal_interval turn = sal_interval_mul(w, sal_interval_of(t0, t1), false);
  const sal_interval force = sal_interval_mul(a, sal_interval_cos(turn), false);
  const sal_interval drive_rate = sal_interval_neg(
      sal_interval_mul(sal_interval_mul(a, w, false), sal_interval_sin(turn), false));

  for (int k = 0; k < N_GUARD; ++k) {
    const sal_interval held = sal_interval_known(s->held & s->closed[k]);
    const sal_interval at = sal_interval_select(held, force, sal_interval_of(y0[X], y1[X]));
    const sal_interval by = sal_interval_select(held, drive_rate, sal_interval_of(dy0[X], dy1[X]));
    const sal_interval right = sal_interval_neg(at), d = sal_interval_at(s->p[D]);
    sal_interval_put(k, sal_interval_add(d, k == RIGHT ? right : at),
                     k == RIGHT ? sal_interval_neg(by) : by, gap0, gap1, rate0, rate1);
  }
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_v zero = sal_set(0);
  const sal_v e = sal_sel(s->rests, zero, s->p[E]);
  const sal_m lands = lanes & s->closed[k], hits = sal_gt(wall_side(k) * y[V], zero);
  const sal_v left = sal_sel(s->rests, zero, y[V]);
  const sal_v after = sal_sel(lands, sal_sel(hits, -e * y[V], left), zero);
  const sal_m leaves = sal_lt(wall_side(k) * after, zero);
  const sal_m pulled = sal_lt(wall_side(k) * drive(s, t, NULL), s->p[D]);

  y[X] = sal_sel(lanes, wall_side(k) * s->p[D], y[X]);
  y[V] = sal_sel(lanes, after, y[V]);
  s->closed[k] &= ~(lands & (leaves | pulled));
}

SAL_FLOW_WITH_PAIRS(sal_vibro_impact, N_STATE, .jac = jac, .guard = guard, .range = range,
                    .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  return p[D] <= 0 ? "d = 0 leaves no room between the walls" : NULL;
}

static double period_of_force(const void *inner, const double p[])
{
  (void)inner;
  return p[A] > 0 && p[W] > 0 ? 6.2831853071795864769 / p[W] : INFINITY;
}

/* At a wall nothing moves but the force. */
static double longest_step(const void *inner, const double p[], const double y[])
{
  (void)inner, (void)y;
  return period_of_force(inner, p) / 8;
}

/* Shaw's units: the natural frequency is 1; of lengths the distance of a wall. */
enum { MASS, STIFFNESS, DAMPING, FORCE, FREQUENCY, DISTANCE, N_QUANTITY };

static void from_physical(const void *inner, const double q[], double p[], sal_scales *scales)
{
  const double w = sqrt(q[STIFFNESS] / q[MASS]);

  (void)inner;
  *scales = (sal_scales){.second = 1 / w, .metre = q[DISTANCE], .kilogram = q[MASS]};
  p[ZETA] = q[DAMPING] / (2 * q[MASS] * w);
  p[W] = q[FREQUENCY] / w;
  p[A] = q[FORCE] / (q[STIFFNESS] * q[DISTANCE]);
  p[D] = 1;
}

static const sal_physical physical = {
    .source = "Shaw, J. Appl. Mech. 52 (1985) 453-464",
    .n_quantity = N_QUANTITY,
    .quantity =
        {[MASS] = {"m", "mass", {{"kg", 1}, {"g", 1e-3}}, NAN},
         [STIFFNESS] = {"k", "stiffness of the spring", {{"N/m", 1}, {"kN/m", 1e3}}, NAN},
         [DAMPING] = {"c", "damping", {{"N*s/m", 1}, {"Ns/m", 1}}, NAN, true},
         [FORCE] = {"F", "amplitude of the force", {{"N", 1}, {"kN", 1e3}}, NAN, true},
         [FREQUENCY] =
             {"f", "frequency of the force", {{"rad/s", 1}, {"Hz", 6.2831853071795864769}}, NAN},
         [DISTANCE] = {"d", "distance of a wall from the middle", {{"m", 1}, {"mm", 1e-3}}, NAN}},
    .from_physical = from_physical,
};

static bool motion(const void *inner, const double p[], double t, const double y[], double memory[],
                   sal_contact_motion *out)
{
  const double pull = y[X] + 2.0 * p[ZETA] * y[V];

  (void)inner, (void)memory;
  *out->mass = 1;
  *out->load = drive(&(sal_phase){.p = p}, t, NULL) - pull;
  for (int k = 0; k < N_GUARD; ++k) {
    out->terms[k].gap = p[D] - wall_side(k) * y[X];
    *out->terms[k].normal = -wall_side(k);
    out->terms[k].restitution = p[E];
  }
  return true;
}

SAL_DECLARE_FLOWS(vibro_impact)
const sal_model sal_vibro_impact = {
    .name = "vibro-impact",
    .title = "forced oscillator between two walls with restitution, closed form between impacts",
    .source = "Shaw, The dynamics of a harmonically excited system having rigid amplitude "
              "constraints, J. Appl. Mech. 52 (1985) 453-464",
    .contact = {{"impact-right", "release-right", .form = {SAL_FORM_AFFINE, SAL_FORM_SMOOTH}},
                {"impact-left", "release-left", .form = {SAL_FORM_AFFINE, SAL_FORM_SMOOTH}}},
    .section = {"period", 0, false, period_of_force},
    .resets = true,
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[X] = 1 + V},
    .watch = X,
    .span = 20,
    .time = "1",
    .state = {{"x", "1", "position between the walls", 0, -0.9, 0.9, -1e3, 1e3},
              {"v", "1", "velocity", 0, -1, 1, -1e3, 1e3}},
    .param = {{"zeta", "1", "damping ratio", 0.05, 0.01, 0.2, 0, 10},
              {"w", "1", "frequency of the force over the natural one", 1, 0.5, 3, 0, 1e3},
              {"a", "1", "amplitude of the force", 2, 0.2, 3, 0, 1e3},
              {"d", "1", "distance of either wall from the middle", 1, 1, 2, 0, 1e3},
              {"e", "1", "restitution: speed after over speed before", 0.5, 0.2, 0.9, 0, 1}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .longest_step = longest_step,
    .motion = motion,
    .n_touch = N_GUARD,
    .physical = &physical,
    .kinetic_text = "0.5 * v^2",
    SAL_FLOWS(vibro_impact),
};
#endif
