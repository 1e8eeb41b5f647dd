/** A point mass on a massless, springy leg that bounces in place without loss; the closed form is made
 *  of parabolas and sines.  Anderson & Revzen, "Rapid Integrator for a Class of Multi-Contact
 *  Systems", section 5.1, with the second derivative and the rest length put right:
 *
 *      z'' = -g   (z > l0),      z'' = -g + k (l0 - z) / m   (z <= l0).
 */
#include "stages.h"

enum { Z, V, N_STATE };
enum { G, K, M, L0, N_PARAM };
enum { FOOT, N_GUARD };

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v gap = y[Z] - s->p[L0], push = -s->p[K] * gap / s->p[M];

  (void)t;
  dy[Z] = y[V];
  dy[V] = sal_sel(sal_model_closed(s, FOOT, gap), push, sal_set(0)) - s->p[G];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_m closed = sal_model_closed(s, FOOT, y[Z] - s->p[L0]);

  (void)t;
  J[Z * N_STATE + Z] = J[V * N_STATE + V] = sal_set(0);
  J[Z * N_STATE + V] = sal_set(1);
  J[V * N_STATE + Z] = sal_sel(closed, -s->p[K] / s->p[M], sal_set(0));
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)t;
  gap[FOOT] = y[Z] - s->p[L0];
  rate[FOOT] = dy[Z];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)k, (void)t;
  y[Z] = sal_sel(lanes, s->p[L0], y[Z]);
}

SAL_FLOW(sal_hopper1d, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
static const char *flaw(const void *inner, const double p[])
{
  (void)inner;
  if (p[M] <= 0) return "m = 0 leaves no body";
  return p[K] <= 0 ? "k = 0 leaves no leg" : NULL;
}

static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)which;
  y[Z] = p[L0] - p[M] * p[G] / p[K];
  y[V] = 0;
  return true;
}

SAL_DECLARE_FLOWS(hopper1d)
const sal_model sal_hopper1d = {
    .name = "hopper1d",
    .title = "point mass hopping on a massless spring, closed form",
    .source =
        "Anderson, Revzen, Rapid Integrator for a Class of Multi-Contact Systems, section 5.1",
    .contact = {{"touchdown", "liftoff", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .section = {"touchdown", FOOT, true, NULL}, /* an orbit for every energy */
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[Z] = 1 + V},
    .autonomous = true,
    .watch = Z,
    .span = 10,
    .time = "s",
    .state = {{"z", "m", "height of the mass", 2, 1, 3, -1e3, 1e3},
              {"v", "m/s", "its velocity", 0, -5, 5, -1e3, 1e3}},
    .param = {{"g", "m/s^2", "gravity", 9.81, 1, 20, 0, 1e3},
              {"k", "N/m", "leg stiffness", 200, 40, 1e4, 0, 1e9},
              {"m", "kg", "mass", 1, 0.1, 10, 0, 1e6},
              {"l0", "m", "rest length of the leg", 1, 0.5, 1.5, 0, 1e3}},
    .flaw = flaw,
    .flaw_is_convex = true,
    .equilibrium = equilibrium,
    .natural =
        {"Seyfarth, Geyer, Guenther, Blickhan (2002), of a leg that stands upright: m = g = l0 = 1",
         {1 + M, 1 + G, 1 + L0}},
    SAL_FLOWS(hopper1d),
};
#endif
