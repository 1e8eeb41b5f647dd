/** Primal-dual active set by masks (lane half). */
#include "contact_lanes.h"
#include "contact_solve.h"

enum { MOST = SAL_TOUCH_LANES };

/* z of the active rows, 0 of the others.  Returns the lanes in which no row is redundant. */
static sal_m solve_active(int m, const sal_v W[], const sal_v q[], const sal_m active[], sal_v z[])
{
  const sal_v zero = sal_set(0), one = sal_set(1);
  sal_v L[MOST][MOST], inverse[MOST], scaled[MOST];
  sal_m regular = ~sal_none();

  for (int i = 0; i < m; ++i) {
    sal_v pivot = W[i * m + i];
    z[i] = sal_sel(active[i], -q[i], zero);
    for (int j = 0; j < i; ++j) {
      scaled[j] = sal_sel(active[i] & active[j], W[i * m + j], zero);
      for (int k = 0; k < j; ++k) scaled[j] -= scaled[k] * L[j][k];
      L[i][j] = scaled[j] * inverse[j];
      pivot -= scaled[j] * L[i][j];
      z[i] -= L[i][j] * z[j];
    }
    const sal_m large = sal_gt(pivot, SAL_TOUCH_PIVOT * W[i * m + i]);
    regular &= large | ~active[i];
    inverse[i] = one / sal_sel(active[i] & large, pivot, one);
  }
  for (int i = 0; i < m; ++i) z[i] *= inverse[i];
  for (int i = m - 1; i >= 0; --i)
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): z has m components */
    for (int k = 0; k < i; ++k) z[k] -= L[i][k] * z[i];
  return regular;
}

/* Rows of the wrong sign change sets in `lanes`.  Returns the lanes in which there are some; still [m]: rows without a rate that
 * are not active; worst: the residual. */
static sal_m exchange(int m, const sal_v W[], const sal_v q[], sal_v least, sal_m lanes,
                      const sal_v z[], sal_m active[], sal_m still[], sal_v *worst)
{
  sal_m changes = sal_none();

  *worst = sal_set(0);
  for (int i = 0; i < m; ++i) {
    const sal_v push = z[i] * W[i * m + i];
    sal_v w = q[i];
    for (int j = 0; j < m; ++j) w += W[i * m + j] * z[j];
    still[i] = ~active[i] & sal_le(w, least);
    const sal_m should = sal_pick(active[i], sal_ge(push, -least), sal_lt(w, -least));
    changes |= lanes & (should ^ active[i]);
    active[i] = sal_pick(lanes, should, active[i]);
    *worst = sal_max(sal_abs(sal_min(push, w)), *worst);
  }
  return changes;
}

static sal_m solve_one_by_one(int m, const sal_v W[], const sal_v q[], sal_m lanes, sal_m active[],
                              sal_v z[])
{
  enum { WORDS = 16 * MOST * MOST + 64 * MOST };
  double lower[MOST * MOST], rate[MOST], impulse[MOST], work[WORDS];
  const sal_contact_problem p = {.m = m, .band = m - 1, .W = lower, .q = rate};
  sal_m solved = sal_none();
  bool set[MOST];

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j <= i; ++j) lower[(i + 1) * (m - 1) + j] = SAL_AT(W[i * m + j], lane);
      rate[i] = SAL_AT(q[i], lane);
      set[i] = true;
    }
    SAL_AT(solved, lane) = -(int64_t)sal_contact_solve(&p, set, impulse, work);
    for (int i = 0; i < m; ++i) {
      SAL_AT(z[i], lane) = impulse[i];
      SAL_AT(active[i], lane) = -(int64_t)set[i];
    }
  }
  return solved;
}

/* Rows without a rate become active in `lanes`.  Returns those in which they depend on the others. */
static sal_m join_still(int m, const sal_v W[], const sal_v q[], sal_m lanes, const sal_m still[],
                        sal_m active[])
{
  sal_v unused[MOST];
  sal_m any = sal_none();

  for (int i = 0; i < m; ++i) {
    active[i] |= lanes & still[i];
    any |= lanes & still[i];
  }
  return sal_any(any) ? any & ~solve_active(m, W, q, active, unused) : any;
}

sal_m sal_contact_lanes(int m, const sal_v W[], const sal_v q[], sal_m lanes, sal_m active[],
                        sal_v z[])
{
  sal_v trial[MOST], unit = sal_set(0), worst;
  sal_m open = lanes, redundant = sal_none(), still[MOST];

  for (int i = 0; i < m; ++i) unit = sal_max(sal_abs(q[i]), unit);
  const sal_v least = SAL_TOUCH_SIGN * unit;
  for (int round = 0; round < 2 * m + 10 && sal_any(open); ++round) {
    const sal_m regular = solve_active(m, W, q, active, trial);
    redundant |= open & ~regular;
    open &= regular;
    const sal_m done = open & ~exchange(m, W, q, least, open, trial, active, still, &worst);
    for (int i = 0; i < m; ++i) z[i] = sal_sel(done, sal_max(trial[i], sal_set(0)), z[i]);
    redundant |= done & ~sal_le(worst, SAL_TOUCH_RESIDUAL * unit);
    if (sal_any(done)) redundant |= join_still(m, W, q, done, still, active);
    open &= ~done;
  }
  redundant |= open;
  if (!sal_any(redundant)) return lanes;
  return (lanes & ~redundant) | solve_one_by_one(m, W, q, redundant, active, z);
}
