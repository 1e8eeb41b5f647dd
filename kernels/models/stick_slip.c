/** A block on a moving belt, held by a spring and a damper: dry friction as a hybrid system.  Leine,
 *  van Campen, de Kraker & van den Steen, Nonlinear Dynamics 16 (1998) 41-54, with
 *  Coulomb's law in place of a velocity-dependent force:
 *
 *      m x'' + c x' + k x = -fk sign(x' - vb)   where it slips,     x' = vb   where it sticks,
 *      and it sticks as long as |k x + c vb| <= fs.
 *
 *  The contact is open while the block slips.  Its gap is then the speed over the belt, and in the
 *  closed mode the pull on the block less the largest friction at rest.  The sense of slip is a
 *  discrete state: +1 where the block is faster than the belt.
 */
#include "interval.h"
#include "stages.h"

enum { X, V, N_CONTINUOUS, SENSE = N_CONTINUOUS, N_STATE };
enum { M, C, K, VB, FS, FK, N_PARAM };
enum { BLOCK, N_GUARD };

SAL_INLINE sal_m sticks(const sal_phase *s, const sal_v y[])
{
  return sal_model_closed(s, BLOCK, sal_abs(y[V] - s->p[VB]));
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_m stuck = sticks(s, y);
  const sal_v force = -(s->p[K] * y[X] + s->p[C] * y[V] + s->p[FK] * s->q[0]);

  (void)t;
  dy[X] = sal_sel(stuck, s->p[VB], y[V]);
  dy[V] = sal_sel(stuck, sal_set(0), force / s->p[M]);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v zero = sal_set(0);
  const sal_m stuck = sticks(s, y);

  (void)t;
  J[X * N_CONTINUOUS + X] = zero;
  J[X * N_CONTINUOUS + V] = sal_sel(stuck, zero, sal_set(1));
  J[V * N_CONTINUOUS + X] = sal_sel(stuck, zero, -s->p[K] / s->p[M]);
  J[V * N_CONTINUOUS + V] = sal_sel(stuck, zero, -s->p[C] / s->p[M]);
}

/* Without a frozen mode, at the start of a run, nothing has said yet that the sense of slip is that of
 * the speed: the gap is its modulus then. */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_v zero = sal_set(0), one = sal_set(1), minus = sal_set(-1);
  const sal_m stuck = s->held & s->closed[BLOCK];
  const sal_v pull = s->p[K] * y[X] + s->p[C] * s->p[VB], slip = y[V] - s->p[VB];
  const sal_v along = sal_sel(sal_lt(pull, zero), minus, one);
  const sal_v faster = sal_sel(sal_lt(slip, zero), minus, one);
  const sal_v sense = sal_sel(s->held, s->q[0], faster);

  (void)t;
  gap[BLOCK] = sal_sel(stuck, along * pull - s->p[FS], sense * slip);
  rate[BLOCK] = sal_sel(stuck, along * s->p[K] * dy[X], sense * dy[V]);
}

/* Where the friction at rest cannot hold the block, it goes on to slip in the sense of the pull.  A
 * sense that the speed contradicts is that of an initial state. */
static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                  sal_v rate1[])
{
  const sal_v minus = sal_set(-1), one = sal_set(1);
  const sal_interval stuck = sal_interval_known(s->held & s->closed[BLOCK]);
  const sal_interval k = sal_interval_at(s->p[K]), dv = sal_interval_of(dy0[V], dy1[V]);
  const sal_interval sense =
      sal_interval_of(sal_sel(s->held, s->q[0], minus), sal_sel(s->held, s->q[0], one));
  const sal_interval slip =
      sal_interval_sub(sal_interval_of(y0[V], y1[V]), sal_interval_at(s->p[VB]));
  const sal_interval pull =
      sal_interval_add(sal_interval_mul(k, sal_interval_of(y0[X], y1[X]), false),
                       sal_interval_at(s->p[C] * s->p[VB]));
  const sal_interval along = sal_interval_select(sal_interval_lt(pull, sal_interval_at(sal_set(0))),
                                                 sal_interval_at(minus), sal_interval_at(one));
  const sal_interval turns =
      sal_interval_mul(along, sal_interval_mul(k, sal_interval_of(dy0[X], dy1[X]), false), false);
  const sal_interval hold = sal_interval_sub(sal_interval_abs(pull), sal_interval_at(s->p[FS]));

  (void)t0, (void)t1;
  sal_interval_put(BLOCK, sal_interval_select(stuck, hold, sal_interval_mul(sense, slip, false)),
                   sal_interval_select(stuck, turns, sal_interval_mul(sense, dv, false)), gap0,
                   gap1, rate0, rate1);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const double tiny = 1e-6;
  const sal_v zero = sal_set(0), one = sal_set(1), minus = sal_set(-1), vb = s->p[VB];
  const sal_v pull = s->p[K] * y[X] + s->p[C] * vb, slip = y[V] - vb;
  const sal_m closes = lanes & s->closed[k];
  const sal_m turned = closes & sal_lt(y[SENSE] * slip, -tiny * (sal_abs(y[V]) + sal_abs(vb)));
  const sal_m breaks = lanes & ~turned & (~closes | sal_gt(sal_abs(pull), s->p[FS]));

  (void)t;
  y[V] = sal_sel(lanes & ~turned, vb, y[V]);
  y[SENSE] = sal_sel(turned, -y[SENSE], y[SENSE]);
  y[SENSE] = sal_sel(breaks, sal_sel(sal_gt(pull, zero), minus, one), y[SENSE]);
  s->closed[k] &= ~(turned | breaks);
}

SAL_FLOW(sal_stick_slip, N_CONTINUOUS, .jac = jac, .guard = guard, .range = range, .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[M] <= 0) return "m = 0 leaves no block";
  if (p[K] <= 0) return "k = 0 leaves no spring";
  return p[FS] <= p[FK] ? "fs <= fk: friction at rest is above friction in motion" : NULL;
}

/* The block stands and the belt slides below it. */
static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)which;
  y[X] = p[FK] / p[K];
  y[V] = 0;
  y[SENSE] = -1;
  return p[VB] > 0;
}

SAL_DECLARE_FLOWS(stick_slip)
const sal_model sal_stick_slip = {
    .name = "stick-slip",
    .title = "block on a moving belt with dry friction, closed form",
    .source = "Leine, van Campen, de Kraker, van den Steen, Stick-slip vibrations induced by "
              "alternate friction models, doi:10.1023/A:1008289604683",
    .contact = {{"stick", "slip", .kind = SAL_CONTACT_FRICTION,
                 .form = {SAL_FORM_AFFINE, SAL_FORM_SMOOTH}}},
    .section = {"stick", BLOCK, true, NULL},
    .resets = true,
    .n_state = N_STATE,
    .n_discrete = N_STATE - N_CONTINUOUS,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[X] = 1 + V},
    .autonomous = true,
    .watch = X,
    .span = 30,
    .time = "s",
    .state = {{"x", "m", "position of the block", 0, -1, 1, -1e3, 1e3},
              {"v", "m/s", "its velocity", 0, -0.1, 0.1, -1e3, 1e3},
              {"sense", "1", "sense of slip: 1 where it is faster than the belt, else -1", -1, -1,
               -1, -1, 1}},
    .param = {{"m", "kg", "mass of the block", 1, 0.5, 2, 0, 1e6},
              {"c", "N*s/m", "damping", 0, 0, 0.1, 0, 1e6},
              {"k", "N/m", "stiffness of the spring", 1, 0.5, 2, 0, 1e9},
              {"vb", "m/s", "speed of the belt", 0.2, 0.11, 0.5, -1e3, 1e3},
              {"fs", "N", "largest friction at rest", 1, 0.8, 1.5, 0, 1e6},
              {"fk", "N", "friction in motion", 0.6, 0.3, 0.7, 0, 1e6}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .equilibrium = equilibrium,
    .natural = {"Leine, van Campen, de Kraker, van den Steen (1998): m = k = fs = 1",
                {1 + M, 1 + K, 1 + FS}},
    .kinetic_text = "0.5 * m * v^2",
    SAL_FLOWS(stick_slip),
};
#endif
