/** Dimensionless vertical hopper: toe and body mass, a spring leg between them, and Hunt-Crossley
 *  ground under the toe.  Dallas, Machairas, Papadopoulos, eqs (18)-(19); parameters (20)-(23),
 *  ranges (24)-(27), initial state (35).  With c = 4 pi^2 - m1 and e = y1 - y2 + 1 (leg extension):
 *
 *      y1'' = -(F + c e + f),   y2'' = m1 e - f,   F = sqrt|y1| (b |y1| y1' + c k y1)  in stance.
 *
 *  F as printed pulls once y1' > c k / b; that is kept, `adhesion: clamp` cuts it off.  In stance
 *  the spring is odd in y1, so that a stage of an `event` step may lie slightly above the ground;
 *  the printed -|y1|^1.5 is the same for y1 <= 0.
 *
 *  A damper in parallel with the leg makes it bounce for ever where it feeds energy in stance:
 *
 *      c delta (y2' - y1') added to y1'',   -m1 delta (y2' - y1') to y2'',   delta = zeta / pi,
 *
 *  with zeta_F >= 0 while y1 > 0 and zeta_G <= 0 while y1 <= 0, the damping ratio of the two masses on
 *  the free leg.  It changes at y1 = 0, whatever the force on the ground is.  Without, zeta = 0.
 */
#include "stages.h"

enum { Y1, V1, Y2, V2, N_STATE };
enum { B, M1, K, F, ZETA_F, ZETA_G, N_PARAM };
enum { ADHESION = N_PARAM, N_GIVEN, DELTA_F = N_GIVEN, DELTA_G, N_WORD };
enum { TOE, N_GUARD };

#define FOUR_PI2 39.478417604357434475
#define TWO_PI 6.2831853071795864769
#define PI 3.1415926535897932385

SAL_INLINE sal_v leg_damping(const sal_phase *s, const sal_v y[])
{
  return sal_sel(sal_model_closed(s, TOE, y[Y1]), s->p[DELTA_G], s->p[DELTA_F]);
}

/** F, and its derivatives unless by_y1 is NULL; zero in lanes without contact. */
SAL_INLINE sal_v ground_force(const sal_phase *s, const sal_v y[], sal_v *by_y1, sal_v *by_v1)
{
  const sal_v zero = sal_set(0);
  const sal_m closed = sal_model_closed(s, TOE, y[Y1]);

  if (by_y1) *by_y1 = *by_v1 = zero;
#if SAL_LANES == 1
  if (!closed) return zero; /* flight is most of the time; of many lanes some are in stance */
#endif

  const sal_v ck = (FOUR_PI2 - s->p[M1]) * s->p[K];
  const sal_v depth = sal_abs(y[Y1]), root = sal_sqrt(depth), damping = s->p[B] * depth;
  const sal_v force = root * (damping * y[V1] + ck * y[Y1]);
  const sal_m acts = closed & ~(sal_eq(s->p[ADHESION], sal_set(1)) & sal_gt(force, zero));

  if (by_y1) {
    const sal_v pull = sal_sel(sal_lt(y[Y1], zero), -y[V1], y[V1]);
    *by_y1 = sal_sel(acts, 1.5 * root * (s->p[B] * pull + ck), zero);
    *by_v1 = sal_sel(acts, root * damping, zero);
  }
  return sal_sel(acts, force, zero);
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v extension = y[Y1] - y[Y2] + 1.0, c = FOUR_PI2 - s->p[M1];
  const sal_v damped = leg_damping(s, y) * (y[V2] - y[V1]);

  (void)t;
  dy[Y1] = y[V1];
  dy[V1] = c * damped - (c * extension + s->p[F]) - ground_force(s, y, NULL, NULL);
  dy[Y2] = y[V2];
  dy[V2] = s->p[M1] * extension - s->p[F] - s->p[M1] * damped;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v c = FOUR_PI2 - s->p[M1], delta = leg_damping(s, y);
  sal_v by_y1, by_v1;

  (void)t;
  ground_force(s, y, &by_y1, &by_v1);
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[Y1 * N_STATE + V1] = sal_set(1);
  J[V1 * N_STATE + Y1] = -(by_y1 + c);
  J[V1 * N_STATE + V1] = -(by_v1 + c * delta);
  J[V1 * N_STATE + Y2] = c;
  J[V1 * N_STATE + V2] = c * delta;
  J[Y2 * N_STATE + V2] = sal_set(1);
  J[V2 * N_STATE + Y1] = s->p[M1];
  J[V2 * N_STATE + V1] = s->p[M1] * delta;
  J[V2 * N_STATE + Y2] = -s->p[M1];
  J[V2 * N_STATE + V2] = -(s->p[M1] * delta);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  gap[TOE] = y[Y1];
  rate[TOE] = dy[Y1];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)k, (void)t;
  y[Y1] = sal_sel(lanes, sal_set(0), y[Y1]);
}

SAL_FLOW_WITH_PAIRS(sal_monopod, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
static void constants(const void *inner, const double p[], double c[])
{
  (void)inner;
  c[DELTA_F - N_GIVEN] = p[ZETA_F] / PI;
  c[DELTA_G - N_GIVEN] = p[ZETA_G] / PI;
}

static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[M1] <= 0) return "m1 = 0 leaves no toe mass";
  if (p[M1] >= FOUR_PI2) return "m1 >= 4 pi^2 = 39.478 leaves no body mass, see eq. (21)";
  if (p[K] <= 0) return "k = 0 leaves no ground";
  return NULL;
}

/* Eq. (29) omits the factor c = 4 pi^2 - m1 under the power 2/3: it is not an equilibrium of
 * (18)-(19), but the one that the published stiffness ratios belong to. */
static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  const double c = which == SAL_EQUILIBRIUM_TRUE ? FOUR_PI2 - p[M1] : 1.0;
  const double depth = sal_lane_pow(FOUR_PI2 * p[F] / (p[K] * p[M1] * c), 2.0 / 3);

  (void)inner;
  y[Y1] = -depth;
  y[Y2] = -depth - p[F] / p[M1] + 1;
  y[V1] = y[V2] = 0;
  return true;
}

/* In the units of (18)-(19), in which the masses are m1 and c: of these, of the leg m1 c e^2 / 2, and
 * of the ground that of its spring, m1 c k |y1|^2.5 / 2.5. */
static double mechanical(const void *inner, const double p[], const double y[], const bool closed[])
{
  const double c = FOUR_PI2 - p[M1], e = y[Y1] - y[Y2] + 1, depth = closed[TOE] ? fabs(y[Y1]) : 0;
  const double moving = p[M1] * y[V1] * y[V1] + c * y[V2] * y[V2];
  const double ground = depth * depth * sqrt(depth) * p[M1] * c * p[K] / 2.5;

  (void)inner;
  return moving / 2 + p[M1] * c * e * e / 2 + p[F] * (p[M1] * y[Y1] + c * y[Y2]) + ground;
}

/* F pulls from the speed c k / b on. */
static double adhesion(const void *inner, const double p[], const double y[], const bool closed[])
{
  (void)inner;
  return closed[TOE] ? y[V1] * p[B] / ((FOUR_PI2 - p[M1]) * p[K]) : 0;
}

/* The pi theorem (10)-(13), (20)-(23).  The ground pushes with kg |y|^1.5 - bg y' |y|^1.5, eq. (1),
 * hence the units of kg and bg. */
enum { MASS_TOE, MASS_BODY, LEG, LENGTH, GROUND, DAMPING, GRAVITY, N_QUANTITY };

static void from_physical(const void *inner, const double q[], double p[], sal_scales *scales)
{
  const double share = q[MASS_TOE] / (q[MASS_TOE] + q[MASS_BODY]), reduced = share * q[MASS_BODY];
  const double s = TWO_PI * sqrt(reduced / q[LEG]); /* (13) */

  (void)inner;
  *scales = (sal_scales){
      .second = s, .metre = q[LENGTH], .kilogram = (q[MASS_TOE] + q[MASS_BODY]) / FOUR_PI2};
  p[B] = s * q[DAMPING] * q[LENGTH] * sqrt(q[LENGTH]) / q[MASS_TOE]; /* (20) */
  p[M1] = FOUR_PI2 * share;                                          /* (21) */
  p[K] = q[GROUND] * sqrt(q[LENGTH]) / q[LEG];                       /* (22) */
  p[F] = FOUR_PI2 * reduced * q[GRAVITY] / (q[LEG] * q[LENGTH]);     /* (23) */
}

static const sal_physical physical = {
    .source = "Dallas, Machairas, Papadopoulos, eqs (10)-(13), (20)-(23)",
    .n_quantity = N_QUANTITY,
    .quantity =
        {[MASS_TOE] = {"m1", "mass of the toe", {{"kg", 1}, {"g", 1e-3}}, NAN},
         [MASS_BODY] = {"m2", "mass of the body", {{"kg", 1}, {"g", 1e-3}}, NAN},
         [LEG] = {"k", "stiffness of the leg", {{"N/m", 1}, {"kN/m", 1e3}, {"N/mm", 1e3}}, NAN},
         [LENGTH] = {"l0", "free length of the leg", {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}}, NAN},
         [GROUND] = {"kg", "stiffness of the ground", {{"N/m^1.5", 1}, {"kN/m^1.5", 1e3}}, NAN},
         [DAMPING] =
             {"bg", "damping of the ground", {{"N*s/m^2.5", 1}, {"Ns/m^2.5", 1}}, NAN, true},
         [GRAVITY] = {"g", "acceleration of gravity", {{"m/s^2", 1}}, 9.81}},
    .ground = {.stiffness = 1 + GROUND, .damping = 1 + DAMPING},
    .from_physical = from_physical,
};

SAL_DECLARE_FLOWS(monopod)
const sal_model sal_monopod = {
    .name = "monopod",
    .title = "vertical hopper on Hunt-Crossley ground, dimensionless",
    .source = "Dallas, Machairas, Papadopoulos, eqs (18)-(19)",
    .contact = {{"touchdown", "liftoff", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .section = {"touchdown", TOE, true, NULL},
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .n_option = 1,
    .n_const = N_WORD - N_GIVEN,
    .velocity = {[Y1] = 1 + V1, [Y2] = 1 + V2},
    .autonomous = true,
    .watch = Y1,
    .span = 50,
    .time = "1",
    .state = {{"y1", "1", "height of the toe over the leg's free length", 0.5, -1, 1, -1e3, 1e3},
              {"v1", "1", "velocity of the toe", 0, -1, 1, -1e3, 1e3},
              {"y2", "1", "height of the body over the leg's free length", 1.5, 0, 2, -1e3, 1e3},
              {"v2", "1", "velocity of the body", 0, -1, 1, -1e3, 1e3}},
    .param = {{"b", "1", "ground damping (20)", 1951, 550, 38000, 0, 1e7},
              {"m1", "1", "toe mass (21), 4 pi^2 m1 / (m1 + m2)", 1.88, 0.8, 20, 0, 1e3},
              {"k", "1", "ground stiffness over leg stiffness (22)", 22.8, 1, 480, 0, 1e6},
              {"f", "1", "weight over leg force (23)", 0.051, 0.01, 0.3, 0, 1e3},
              {"zeta_F", "1", "damping ratio of the leg in flight", 0, 0, 0.2, 0, 1e3},
              {"zeta_G", "1", "damping ratio in stance; below 0 it feeds energy", 0, -0.05, 0, -1e3,
               1e3}},
    .option = {{"adhesion",
                "may the ground pull the toe? literal: as in eq. (18); clamp: never",
                {"literal", "clamp"}}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .constants = constants,
    .equilibrium = equilibrium,
    .mechanical = mechanical,
    .adhesion = adhesion,
    .physical = &physical,
    SAL_FLOWS(monopod),
};
#endif
