/** A point mass falling onto a linear spring and damper: the smallest hybrid system whose phases
 *  are smooth and have closed forms, for convergence orders across impacts.
 *
 *      y'' = -g                     in flight,      y'' = -g - k y - d y'     in contact (y <= 0).
 *
 *  As in the monopod the ground may pull; contact ends at y = 0.
 */
#include "stages.h"

enum { Y, V, N_STATE };
enum { G, K, D, N_PARAM };
enum { MASS, N_GUARD };

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v push = s->p[K] * y[Y] + s->p[D] * y[V];

  (void)t;
  dy[Y] = y[V];
  dy[V] = -(s->p[G] + sal_sel(sal_model_closed(s, MASS, y[Y]), push, sal_set(0)));
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_m closed = sal_model_closed(s, MASS, y[Y]);

  (void)t;
  J[Y * N_STATE + Y] = sal_set(0);
  J[Y * N_STATE + V] = sal_set(1);
  J[V * N_STATE + Y] = sal_sel(closed, -s->p[K], sal_set(0));
  J[V * N_STATE + V] = sal_sel(closed, -s->p[D], sal_set(0));
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  gap[MASS] = y[Y];
  rate[MASS] = dy[Y];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)k, (void)t;
  y[Y] = sal_sel(lanes, sal_set(0), y[Y]);
}

SAL_FLOW(sal_linear_ground, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  return p[K] <= 0 ? "k = 0 leaves no ground" : NULL;
}

static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)which;
  y[Y] = -p[G] / p[K];
  y[V] = 0;
  return true;
}

/* Lengths stay in metres, and time is in units of the fall by half a metre, so that g is 1: the depth of a hard ground
 * would make the height of the fall a large number. */
enum { MASS_KG, GROUND, DAMPING, GRAVITY, N_QUANTITY };

static void from_physical(const void *inner, const double q[], double p[], sal_scales *scales)
{
  const double s = sqrt(1 / q[GRAVITY]);

  (void)inner;
  *scales = (sal_scales){.second = s, .metre = 1, .kilogram = q[MASS_KG]};
  p[G] = 1;
  p[K] = q[GROUND] / q[MASS_KG] * s * s;
  p[D] = q[DAMPING] / q[MASS_KG] * s;
}

static const sal_physical physical = {
    .source = "textbook: free fall by 1/2 m in a unit of time",
    .n_quantity = N_QUANTITY,
    .quantity = {[MASS_KG] = {"m", "mass", {{"kg", 1}, {"g", 1e-3}}, NAN},
                 [GROUND] = {"k",
                             "stiffness of the ground",
                             {{"N/m", 1}, {"kN/m", 1e3}, {"N/mm", 1e3}},
                             NAN},
                 [DAMPING] = {"d", "damping of the ground", {{"N*s/m", 1}, {"Ns/m", 1}}, NAN, true},
                 [GRAVITY] = {"g", "acceleration of gravity", {{"m/s^2", 1}}, 9.81}},
    .ground = {.stiffness = 1 + GROUND, .damping = 1 + DAMPING, .mass = 1 + MASS_KG},
    .from_physical = from_physical,
};

SAL_DECLARE_FLOWS(linear_ground)
const sal_model sal_linear_ground = {
    .name = "linear-ground",
    .title = "point mass on a linear spring and damper, closed form",
    .source = "textbook: free fall and the damped harmonic oscillator",
    .contact = {{"touchdown", "liftoff", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[Y] = 1 + V},
    .autonomous = true,
    .watch = Y,
    .span = 12,
    .time = "1",
    .state = {{"y", "1", "height over the ground", 1, -1, 1, -1e3, 1e3},
              {"v", "1", "velocity", 0, -1, 1, -1e3, 1e3}},
    .param = {{"g", "1", "gravity", 1, 0.1, 10, 0, 1e3},
              {"k", "1", "ground stiffness over mass", 100, 10, 1e4, 0, 1e9},
              {"d", "1", "ground damping over mass", 1, 0, 100, 0, 1e6}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .equilibrium = equilibrium,
    .physical = &physical,
    SAL_FLOWS(linear_ground),
};
#endif
