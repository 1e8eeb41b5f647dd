/** A ball that falls onto a rigid floor and leaves it with e times its speed: hard impact instead
 *  of a spring, and for e < 1 infinitely many impacts in finite time (Zeno).
 *
 *      y'' = -g  above the floor;   v -> -e v  at touchdown, and the contact is open again at once.
 *
 *  A contact that stays closed is a ball at rest: the floor carries it and nothing moves.  The impacts
 *  themselves are jumps, which a strategy without events never makes.
 */
#include "contact_motion.h"
#include "stages.h"

enum { Y, V, N_STATE };
enum { G, E, N_PARAM };
enum { BALL, N_GUARD };

/* Does the floor carry the ball?  One that is thrown up from it is in the air. */
static sal_m is_carried(const sal_phase *s, const sal_v y[])
{
  const sal_v gap = y[Y];

  return sal_pick(s->held, s->closed[BALL], sal_le(gap, sal_set(0)) & sal_le(y[V], sal_set(0)));
}

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_m lies = is_carried(s, y);

  (void)t;
  dy[Y] = sal_sel(lies, sal_set(0), y[V]);
  dy[V] = sal_sel(lies, sal_set(0), -s->p[G]);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t;
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[Y * N_STATE + V] = sal_sel(is_carried(s, y), sal_set(0), sal_set(1));
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  gap[BALL] = y[Y];
  rate[BALL] = dy[Y];
}

/* By a step's error the ball may rise already where it reaches the floor: it leaves with what the impact leaves
 * of that speed. */
static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m lands = lanes & s->closed[k];
  const sal_v after = s->p[E] * sal_abs(y[V]);

  (void)t;
  y[Y] = sal_sel(lanes, sal_set(0), y[Y]);
  y[V] = sal_sel(lands, sal_sel(s->rests, sal_set(0), after), y[V]);
  s->closed[k] &= ~(lands & sal_gt(y[V], sal_set(0))); /* without rebound it stays closed */
}

SAL_FLOW(sal_bouncing_ball, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)p, (void)which;
  y[Y] = y[V] = 0;
  return true;
}

static bool motion(const void *inner, const double p[], double t, const double y[], double memory[],
                   sal_contact_motion *out)
{
  (void)inner, (void)t, (void)memory;
  *out->mass = 1;
  *out->load = -p[G];
  out->steady = true;
  out->terms->gap = y[Y];
  *out->terms->normal = 1;
  out->terms->restitution = p[E];
  return true;
}

SAL_DECLARE_FLOWS(bouncing_ball)
const sal_model sal_bouncing_ball = {
    .name = "bouncing-ball",
    .title = "ball on a rigid floor with restitution, closed form",
    .source = "textbook: free fall and Newton's law of impact",
    .contact = {{"impact", "release", .form = {SAL_FORM_AFFINE, SAL_FORM_AFFINE}}},
    .resets = true,
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .velocity = {[Y] = 1 + V},
    .autonomous = true,
    .watch = Y,
    .span = 3,
    .time = "s",
    .state = {{"y", "m", "height over the floor", 1, 0, 10, 0, 1e3},
              {"v", "m/s", "velocity", 0, -5, 5, -1e3, 1e3}},
    .param = {{"g", "m/s^2", "gravity", 9.81, 1, 20, 0, 1e3},
              {"e", "1", "restitution: speed after over speed before", 0.8, 0, 1, 0, 1}},
    .equilibrium = equilibrium,
    .motion = motion,
    .n_touch = N_GUARD,
    .natural = {"height of the fall and g are 1", {1 + G, 1 + N_PARAM + Y}, .restitution = 1 + E},
    .kinetic_text = "0.5 * v^2",
    SAL_FLOWS(bouncing_ball),
};
#endif
