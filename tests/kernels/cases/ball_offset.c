/** The model bouncing-ball with its floor at any height: the state keeps its coordinate, the gap is
 *  the difference of two numbers that may be far larger.
 */
#include "models.h"
#include "stages.h"

enum { Y, V, N_STATE };

/* Does the floor carry the ball?  One that is thrown up from it is in the air. */
static sal_m is_carried(const sal_phase *s, const sal_v y[])
{
  const sal_v gap = y[Y] - s->p[BALL_FLOOR];

  return sal_pick(s->held, s->closed[0], sal_le(gap, sal_set(0)) & sal_le(y[V], sal_set(0)));
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_m lies = is_carried(s, y);

  (void)t;
  dy[Y] = sal_sel(lies, sal_set(0), y[V]);
  dy[V] = sal_sel(lies, sal_set(0), -s->p[BALL_GRAVITY]);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_m lies = is_carried(s, y);

  (void)t;
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[Y * N_STATE + V] = sal_sel(lies, sal_set(0), sal_set(1));
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)t;
  gap[0] = y[Y] - s->p[BALL_FLOOR];
  rate[0] = dy[Y];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m lands = lanes & s->closed[k];

  (void)t;
  y[Y] = sal_sel(lanes, s->p[BALL_FLOOR] + s->p[BALL_RESIDUE], y[Y]);
  y[V] = sal_sel(lands, -s->p[BALL_RESTITUTION] * y[V], y[V]);
  s->closed[k] &= ~(lands & sal_gt(y[V], sal_set(0)));
}

SAL_FLOW(sal_ball_offset, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(ball_offset)
const sal_model ball_offset = {
    .name = "ball-offset",
    .resets = true,
    .n_state = N_STATE,
    .velocity = {[Y] = 1 + V},
    .n_guard = 1,
    .n_param = BALL_PARAMS,
    SAL_FLOWS(ball_offset),
};
#endif
