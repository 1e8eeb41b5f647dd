/** Planar runner on a springy, massless leg (spring-loaded inverted pendulum), dimensionless: mass,
 *  gravity and rest length of the leg are 1.  Seyfarth, Geyer, Guenther & Blickhan, J. Biomech. 35
 *  (2002) 649-655:
 *
 *      flight  x'' = 0,                   y'' = -1;
 *      stance  x'' = k (1/l - 1) (x - f), y'' = k (1/l - 1) y - 1,   l^2 = (x - f)^2 + y^2.
 *
 *  The leg is set to the angle of attack at the apex of each flight.  Touchdown is where y falls
 *  below sin(alpha), the foothold is f = x + cos(alpha) there, and liftoff where l is 1 again: two
 *  gaps of one contact, one in each mode.  A runner whose apex is too low for its leg, or that has
 *  none, falls onto the ground y = 0, which ends the run.  Discrete states: the foothold, whether the
 *  leg is set, and the number of steps.
 */
#include "interval.h"
#include "stages.h"

enum { X, Y, VX, VY, N_CONTINUOUS, FOOT = N_CONTINUOUS, SET, STEPS, N_STATE };
enum { K, ALPHA, N_PARAM, SINE = N_PARAM, COSINE, N_WORD };
enum { LEG, APEX, BODY, N_GUARD };

#define RADIANS_PER_DEGREE 0.017453292519943295769

SAL_INLINE sal_v discrete(const sal_phase *s, int i) { return s->q[i - N_CONTINUOUS]; }

/** Height above touchdown; without a leg that is set there is none before the ground. */
SAL_INLINE sal_v clearance(const sal_phase *s, sal_v y)
{
  return y - sal_sel(sal_gt(discrete(s, SET), sal_set(0)), s->p[SINE], sal_set(-1));
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_m stance = sal_model_closed(s, LEG, clearance(s, y[Y]));
  const sal_v ahead = y[X] - discrete(s, FOOT);
  const sal_v push = s->p[K] * (1.0 / sal_sqrt(ahead * ahead + y[Y] * y[Y]) - 1.0);

  (void)t;
  dy[X] = y[VX];
  dy[Y] = y[VY];
  dy[VX] = sal_sel(stance, push * ahead, sal_set(0));
  dy[VY] = sal_sel(stance, push * y[Y], sal_set(0)) - 1.0;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  enum { N = N_CONTINUOUS };
  const sal_v zero = sal_set(0);
  const sal_m stance = sal_model_closed(s, LEG, clearance(s, y[Y]));
  const sal_v ahead = y[X] - discrete(s, FOOT), square = ahead * ahead + y[Y] * y[Y];
  const sal_v length = sal_sqrt(square), push = s->p[K] * (1.0 / length - 1.0);
  const sal_v bend = s->p[K] / (square * length);

  (void)t;
  for (int i = 0; i < N * N; ++i) J[i] = zero;
  J[X * N + VX] = J[Y * N + VY] = sal_set(1);
  J[VX * N + X] = sal_sel(stance, push - bend * ahead * ahead, zero);
  J[VY * N + Y] = sal_sel(stance, push - bend * y[Y] * y[Y], zero);
  J[VX * N + Y] = J[VY * N + X] = sal_sel(stance, -bend * ahead * y[Y], zero);
}

/* The apex plays no part in stance, where its gap stays as it was. */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_m stance = s->held & s->closed[LEG];
  const sal_v ahead = y[X] - discrete(s, FOOT);
  const sal_v length = sal_sqrt(ahead * ahead + y[Y] * y[Y]);

  (void)t;
  gap[LEG] = sal_sel(stance, length - 1.0, clearance(s, y[Y]));
  rate[LEG] = sal_sel(stance, (ahead * dy[X] + y[Y] * dy[Y]) / length, dy[Y]);
  gap[APEX] = sal_sel(stance, sal_sel(s->closed[APEX], sal_set(-1), sal_set(1)), y[VY]);
  rate[APEX] = sal_sel(stance, sal_set(0), dy[VY]);
  gap[BODY] = y[Y];
  rate[BODY] = dy[Y];
}

static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                  sal_v rate1[])
{
  const sal_interval zero = sal_interval_at(sal_set(0)), one = sal_interval_at(sal_set(1));
  const sal_interval stance = sal_interval_known(s->held & s->closed[LEG]);
  const sal_interval y = sal_interval_of(y0[Y], y1[Y]), dy = sal_interval_of(dy0[Y], dy1[Y]);
  const sal_interval vy = sal_interval_of(y0[VY], y1[VY]), dvy = sal_interval_of(dy0[VY], dy1[VY]);
  const sal_interval ahead =
      sal_interval_sub(sal_interval_of(y0[X], y1[X]), sal_interval_at(discrete(s, FOOT)));
  const sal_interval length = sal_interval_sqrt(
      sal_interval_add(sal_interval_mul(ahead, ahead, true), sal_interval_mul(y, y, true)));
  const sal_interval along =
      sal_interval_add(sal_interval_mul(ahead, sal_interval_of(dy0[X], dy1[X]), false),
                       sal_interval_mul(y, dy, false));
  const sal_interval landing = sal_interval_of(clearance(s, y0[Y]), clearance(s, y1[Y]));
  const sal_interval side = sal_interval_at(sal_sel(s->closed[APEX], sal_set(-1), sal_set(1)));

  (void)t0, (void)t1;
  sal_interval_put(LEG, sal_interval_select(stance, sal_interval_sub(length, one), landing),
                   sal_interval_select(stance, sal_interval_div(along, length), dy), gap0, gap1,
                   rate0, rate1);
  sal_interval_put(APEX, sal_interval_select(stance, side, vy),
                   sal_interval_select(stance, zero, dvy), gap0, gap1, rate0, rate1);
  sal_interval_put(BODY, y, dy, gap0, gap1, rate0, rate1);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_v zero = sal_set(0), one = sal_set(1);
  const sal_m closes = lanes & s->closed[k], opens = lanes & ~s->closed[k];

  (void)t;
  if (k == LEG) {
    y[Y] = sal_sel(closes, s->p[SINE], y[Y]);
    y[FOOT] = sal_sel(closes, y[X] + s->p[COSINE], y[FOOT]);
    y[STEPS] = sal_sel(closes, y[STEPS] + 1.0, y[STEPS]);
    y[SET] = sal_sel(opens, zero, y[SET]);
    s->closed[APEX] = sal_pick(opens, sal_le(y[VY], zero), s->closed[APEX]);
  } else if (k == APEX) {
    y[VY] = sal_sel(closes, zero, y[VY]);
    y[SET] = sal_sel(closes, sal_sel(sal_gt(y[Y], s->p[SINE]), one, zero), y[SET]);
  } else {
    y[Y] = sal_sel(lanes, zero, y[Y]);
  }
}

SAL_FLOW_WITH_PAIRS(sal_slip, N_CONTINUOUS, .jac = jac, .guard = guard, .range = range,
                    .jump = jump);

#if SAL_LANES == 1
static void constants(const void *inner, const double p[], double c[])
{
  (void)inner;
  sal_lane_sincos(p[ALPHA] * RADIANS_PER_DEGREE, &c[SINE - N_PARAM], &c[COSINE - N_PARAM]);
}

static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[K] <= 0) return "k = 0 leaves no leg";
  return p[ALPHA] <= 0 ? "alpha = 0 lays the leg on the ground" : NULL;
}

static double energy(const void *inner, const double p[], double t, const double y[],
                     const bool closed[])
{
  const double ahead = y[X] - y[FOOT], shorter = 1 - sqrt(ahead * ahead + y[Y] * y[Y]);
  const double motion = 0.5 * (y[VX] * y[VX] + y[VY] * y[VY]) + y[Y];

  (void)inner, (void)t;
  return closed[LEG] ? motion + 0.5 * p[K] * shorter * shorter : motion;
}

enum { MASS, STIFFNESS, LENGTH, GRAVITY, N_QUANTITY };

static void from_physical(const void *inner, const double q[], double p[], sal_scales *scales)
{
  (void)inner;
  *scales =
      (sal_scales){.second = sqrt(q[LENGTH] / q[GRAVITY]), .metre = q[LENGTH], .kilogram = q[MASS]};
  p[K] = q[STIFFNESS] * q[LENGTH] / (q[MASS] * q[GRAVITY]);
}

static const char *const state_unit[] = {"m", "m", "m/s", "m/s", "m", "1", "1"};
static const sal_physical physical = {
    .source = "Seyfarth, Geyer, Guenther, Blickhan, doi:10.1016/S0021-9290(01)00245-7",
    .n_quantity = N_QUANTITY,
    .quantity = {[MASS] = {"m", "mass of the body", {{"kg", 1}, {"g", 1e-3}}, NAN},
                 [STIFFNESS] = {"k", "stiffness of the leg", {{"N/m", 1}, {"kN/m", 1e3}}, NAN},
                 [LENGTH] = {"l0", "rest length of the leg", {{"m", 1}, {"cm", 1e-2}}, 1},
                 [GRAVITY] = {"g", "acceleration of gravity", {{"m/s^2", 1}}, 9.81}},
    .state_unit = state_unit,
    .from_physical = from_physical,
};

SAL_DECLARE_FLOWS(slip)
const sal_model sal_slip = {
    .name = "slip",
    .title = "runner on a springy leg, dimensionless; falls end the run",
    .source = "Seyfarth, Geyer, Guenther, Blickhan, A movement criterion for running, "
              "doi:10.1016/S0021-9290(01)00245-7",
    .contact = {{"touchdown", "liftoff", .kind = SAL_CONTACT_COMPLIANT,
                 .form = {SAL_FORM_AFFINE, SAL_FORM_SMOOTH}},
                {"apex", "rise", .kind = SAL_CONTACT_SURFACE,
                 .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}},
                {"fall", "rise", .ends = true, .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .section = {"apex", APEX, true, NULL},
    .resets = true,
    .n_state = N_STATE,
    .n_discrete = N_STATE - N_CONTINUOUS,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .n_const = N_WORD - N_PARAM,
    .velocity = {[X] = 1 + VX, [Y] = 1 + VY},
    .autonomous = true,
    .watch = Y,
    .span = 50,
    .time = "1",
    .state = {{"x", "1", "position of the body", 0, -1, 1, -1e6, 1e6, .drifts = true},
              {"y", "1", "its height over the ground", 1, 0.97, 1.2, 0, 1e3},
              {"vx", "1", "horizontal velocity", 1.6, 1, 2, -1e3, 1e3},
              {"vy", "1", "vertical velocity", 0, -0.2, 0.2, -1e3, 1e3},
              {"foot", "1", "foothold", 0, -1, 1, -1e6, 1e6, .drifts = true},
              {"set", "1", "1 where the leg is set for landing, else 0", 1, 1, 1, 0, 1, true},
              {"steps", "1", "touchdowns so far", 0, 0, 0, 0, 1e9, .whole = true, .drifts = true}},
    .param = {{"k", "1", "leg stiffness, k l0 / (m g)", 25.5, 10, 50, 0, 1e6},
              {"alpha", "deg", "angle of attack, from the ground to the leg", 68, 60, 75, 0, 90}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .constants = constants,
    .energy = energy,
    .physical = &physical,
    .kinetic_text = "0.5 * (vx^2 + vy^2)",
    SAL_FLOWS(slip),
};
#endif
