/** A vertical hopper of two point masses on a leg with a spring and a damper; the foot lands without
 *  rebound, and the damper feeds energy while the foot stands.  Zana, Bodor, Bencsik & Zelei (2018),
 *  eqs (1)-(4), (41)-(42) in the minimal coordinates of the masses' heights:
 *
 *      flight  mU zU'' = -k e - dF e' - mU g,    mL zL'' = k e + dF e' - mL g,   e = zU - zL - L0;
 *      stance  mU zU'' = -k e - dG vU - mU g,    zL = vL = 0,      mU = mu m, mL = (1 - mu) m.
 *
 *  Touchdown is where zL falls below 0; it takes the foot's velocity, (62) is what the ground must
 *  hold then, lam = k e + dG vU - mL g: it pushes where lam < 0.  The foot is released where lam rises
 *  through 0.  The gap of the foot's contact is zL in flight and lam in stance.
 *
 *  Where the leg is fast at touchdown lam is above 0 at once, and the foot does not stay by itself.
 *  The second contact is the load on the ground: it closes at touchdown where lam <= 0,
 *  and else when lam has fallen to 0.  Only a foot with a load can be released, so that the modes are
 *  flight (both open), stance (both closed), and a foot on the ground without a load, which is
 *
 *      paper       glued: stance as above, as the published rule of release implies;
 *      unilateral  sliding in the sense of Filippov: no force on the foot, mU zU'' = -m g; where the
 *                  leg in flight pulls the foot up as well, it leaves the ground again at once.
 *
 *  A foot that could be released moves up only where (dF - dG) vU > 0; else it stays, without a load.
 *  The model has no invariant: a touchdown takes the foot's energy, damping or not.
 *
 *  With m = k = g = 1 and L0 = 0 time is in units of sqrt(m / k), length in those of m g / k, and mu,
 *  dF = 2 D_F and dG = 2 D_G are all there is, with D = d / (2 sqrt(k m)).
 */
#include "stages.h"

enum { ZU, ZL, VU, VL, N_STATE };
enum { M, MU, K, DF, DG, G, L0, N_PARAM, RELEASE = N_PARAM, N_WORD };
enum { FOOT, LOAD, N_GUARD };
enum { PAPER, UNILATERAL };

/** Does the foot stand, and if so, does it slide in the sense of Filippov? */
typedef struct {
  sal_m stands, slides;
} phase_of_foot;

SAL_INLINE sal_v mass_upper(const sal_phase *s) { return s->p[MU] * s->p[M]; }
SAL_INLINE sal_v mass_lower(const sal_phase *s) { return (1.0 - s->p[MU]) * s->p[M]; }

SAL_INLINE sal_v spring(const sal_phase *s, const sal_v y[])
{
  return s->p[K] * (y[ZU] - y[ZL] - s->p[L0]);
}

/** lam (62) of a foot that stands, with the damping d of the leg. */
SAL_INLINE sal_v pull_on_foot(const sal_phase *s, const sal_v y[], sal_v d)
{
  return spring(s, y) + d * y[VU] - mass_lower(s) * s->p[G];
}

SAL_INLINE sal_m is_unilateral(const sal_phase *s)
{
  return sal_eq(s->p[RELEASE], sal_set(UNILATERAL));
}

SAL_INLINE phase_of_foot foot_at(const sal_phase *s, const sal_v y[])
{
  const sal_m stands = sal_model_closed(s, FOOT, y[ZL]);
  const sal_m loaded = sal_model_closed(s, LOAD, pull_on_foot(s, y, s->p[DG]));

  return (phase_of_foot){stands, stands & ~loaded & is_unilateral(s)};
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const phase_of_foot foot = foot_at(s, y);
  const sal_v zero = sal_set(0), mU = mass_upper(s), mL = mass_lower(s), g = s->p[G];
  const sal_v leg =
      spring(s, y) + sal_sel(foot.stands, s->p[DG] * y[VU], s->p[DF] * (y[VU] - y[VL]));

  (void)t;
  dy[ZU] = y[VU];
  dy[ZL] = sal_sel(foot.stands, zero, y[VL]);
  dy[VU] = -sal_sel(foot.slides, mL * g, leg) / mU - g;
  dy[VL] = sal_sel(foot.stands, zero, leg / mL - g);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  enum { N = N_STATE };
  const phase_of_foot foot = foot_at(s, y);
  const sal_v zero = sal_set(0), one = sal_set(1), mU = mass_upper(s), mL = mass_lower(s);
  const sal_v d = sal_sel(foot.stands, s->p[DG], s->p[DF]);

  (void)t;
  for (int i = 0; i < N * N; ++i) J[i] = zero;
  J[ZU * N + VU] = one;
  J[ZL * N + VL] = sal_sel(foot.stands, zero, one);
  J[VU * N + ZU] = sal_sel(foot.slides, zero, -s->p[K] / mU);
  J[VU * N + ZL] = sal_sel(foot.slides, zero, s->p[K] / mU);
  J[VU * N + VU] = sal_sel(foot.slides, zero, -d / mU);
  J[VU * N + VL] = sal_sel(foot.stands, zero, d / mU);
  J[VL * N + ZU] = sal_sel(foot.stands, zero, s->p[K] / mL);
  J[VL * N + ZL] = sal_sel(foot.stands, zero, -s->p[K] / mL);
  J[VL * N + VU] = sal_sel(foot.stands, zero, d / mL);
  J[VL * N + VL] = sal_sel(foot.stands, zero, -d / mL);
}

/* In flight no load can begin, and a load ends with the foot's contact: gaps are constant there.  A glued
 * foot stays; one that slides leaves where the leg in flight pulls it up. */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_v zero = sal_set(0), one = sal_set(1), minus = sal_set(-1);
  const sal_v pull = pull_on_foot(s, y, s->p[DG]);
  const sal_v stretch = s->p[K] * (dy[ZU] - dy[ZL]), rise = stretch + s->p[DG] * dy[VU];
  const sal_m stood = s->held & s->closed[FOOT], loaded = stood & s->closed[LOAD];
  const sal_m stands = sal_model_closed(s, FOOT, y[ZL]), glued = ~is_unilateral(s);
  const sal_v hold = sal_sel(glued, minus, pull_on_foot(s, y, s->p[DF]));
  const sal_v lift = sal_sel(glued, zero, stretch + s->p[DF] * dy[VU]);

  (void)t;
  gap[FOOT] = sal_sel(stood, sal_sel(loaded, pull, hold), y[ZL]);
  rate[FOOT] = sal_sel(stood, sal_sel(loaded, rise, lift), dy[ZL]);
  gap[LOAD] = sal_sel(loaded, minus, sal_sel(stands, pull, one));
  rate[LOAD] = sal_sel(stands & ~loaded, rise, zero);
}

/* Raises or lowers zU by what rounding may be, so that lam is on the side that the mode has it on:
 * the other contact, which has not changed, must not. */
SAL_INLINE sal_v settle(const sal_phase *s, const sal_v y[], sal_m lanes, double side)
{
  const double some = 8;
  const sal_v pull = pull_on_foot(s, y, s->p[DG]);
  const sal_v terms = sal_max(sal_abs(s->p[K] * y[ZU]), sal_abs(s->p[K] * s->p[L0]));
  const sal_v least = sal_max(terms, sal_max(sal_abs(s->p[DG] * y[VU]), mass_lower(s) * s->p[G]));
  const sal_v goal = side * some * sal_lane_spacing(least);
  const sal_m wrong = lanes & sal_lt(side * pull, side * goal);

  return sal_sel(wrong, y[ZU] + (goal - pull) / s->p[K], y[ZU]);
}

/* Touchdown: lam in flight and in stance selects one of the three modes.  Liftoff: only if it moves up. */
static void jump_foot(sal_phase *s, sal_m lanes, sal_v y[])
{
  const sal_v zero = sal_set(0), d = s->p[DF] - s->p[DG];
  const sal_m lands = lanes & s->closed[FOOT], released = lanes & ~s->closed[FOOT];

  y[ZL] = sal_sel(lanes, zero, y[ZL]);
  y[VL] = sal_sel(lanes, zero, y[VL]);
  const sal_m pulled = sal_gt(pull_on_foot(s, y, s->p[DG]), zero);
  const sal_m lifted = sal_gt(pull_on_foot(s, y, s->p[DF]), zero);
  const sal_m upward = sal_gt(d * y[VU], zero) | (sal_eq(d, zero) & sal_gt(y[VU], zero)) |
                       (pulled & lifted & is_unilateral(s));
  const sal_m stays = released & ~upward;

  s->closed[FOOT] &= ~(lands & is_unilateral(s) & pulled & lifted & ~s->rests);
  s->closed[FOOT] |= stays;
  s->closed[LOAD] = sal_pick(lanes, lands & s->closed[FOOT] & ~pulled, s->closed[LOAD]);
  y[ZU] = settle(s, y, stays, 1);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)t;
  if (k == FOOT)
    jump_foot(s, lanes, y);
  else
    y[ZU] = settle(s, y, lanes & s->closed[LOAD], -1);
}

SAL_FLOW_WITH_PAIRS(sal_hopping_leg, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[M] <= 0) return "m = 0 leaves no mass";
  if (p[MU] <= 0) return "mu = 0 leaves no upper mass";
  if (p[MU] >= 1) return "mu = 1 leaves no lower mass";
  if (p[K] <= 0) return "k = 0 leaves no leg";
  return p[DG] > p[DF] ? "dG > dF: a foot that the ground no longer holds would not leave it"
                       : NULL;
}

static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)which;
  y[ZU] = p[L0] - p[MU] * p[M] * p[G] / p[K];
  y[ZL] = y[VU] = y[VL] = 0;
  return true;
}

/* At touchdown its loss is CMSKE, 1/2 mL vL^2, of CMSKE + AMSKE. */
static double kinetic(const void *inner, const double p[], const double y[])
{
  (void)inner;
  return 0.5 * p[M] * (p[MU] * y[VU] * y[VU] + (1 - p[MU]) * y[VL] * y[VL]);
}

/* lam (62) right after a touchdown. */
static double pull_at_touchdown(const void *inner, const double p[], const double y[])
{
  (void)inner;
  return p[K] * (y[ZU] - y[ZL] - p[L0]) + p[DG] * y[VU] - (1 - p[MU]) * p[M] * p[G];
}

SAL_DECLARE_FLOWS(hopping_leg)
const sal_model sal_hopping_leg = {
    .name = "hopping-leg",
    .title = "two masses on a damped springy leg, hopping; foot without rebound",
    .source = "Zana, Bodor, Bencsik, Zelei, A tutorial for the analysis of the piecewise-smooth "
              "dynamics of a constrained multibody model of vertical hopping (2018)",
    .contact = {{"touchdown", "release", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}},
                {"load", "unload", .kind = SAL_CONTACT_SURFACE,
                 .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .section = {"release", FOOT, false, NULL},
    .resets = true,
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .n_option = 1,
    .velocity = {[ZU] = 1 + VU, [ZL] = 1 + VL},
    .autonomous = true,
    .watch = ZU,
    .span = 5,
    .time = "s",
    .state = {{"zU", "m", "height of the upper mass", 1.1, 1, 1.3, -1e6, 1e6},
              {"zL", "m", "height of the foot", 0.05, 0, 0.2, -1e6, 1e6},
              {"vU", "m/s", "velocity of the upper mass", 0, -1, 1, -1e6, 1e6},
              {"vL", "m/s", "velocity of the foot", 0, -1, 1, -1e6, 1e6}},
    .param = {{"m", "kg", "both masses; 1 with k = g = 1 and L0 = 0 makes all dimensionless", 75, 1,
               100, 0, 1e6},
              {"mu", "1", "share of the upper mass", 0.8, 0.6, 0.95, 0, 1},
              {"k", "N/m", "stiffness of the leg", 15000, 1000, 3e4, 0, 1e9},
              {"dF", "N*s/m", "damping of the leg in flight, 2 sqrt(k m) D_F", 150, 0, 300, 0, 1e6},
              {"dG", "N*s/m", "damping in stance, 2 sqrt(k m) D_G; below 0 it feeds energy", -80,
               -120, 0, -1e6, 1e6},
              {"g", "m/s^2", "gravity", 9.81, 1, 20, 0, 1e3},
              {"L0", "m", "free length of the leg", 1, 0, 1, 0, 1e3}},
    .option = {{"release",
                "a foot that the ground would have to pull down at touchdown; paper: it is held; "
                "unilateral: no force acts on it",
                {"paper", "unilateral"}}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .equilibrium = equilibrium,
    .kinetic = kinetic,
    .admissible = {"lam", FOOT, true, pull_at_touchdown},
    .natural = {"Zana, Bodor, Bencsik, Zelei (2018): m = k = g = 1", {1 + M, 1 + K, 1 + G}},
    .kinetic_text = "0.5 * m * (mu * vU^2 + (1 - mu) * vL^2)",
    SAL_FLOWS(hopping_leg),
};
#endif
