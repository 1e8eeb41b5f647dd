/** Where in a step the gap of a contact reaches a level, and the earliest crossing in a step (lane half).
 */
#pragma once

#include "lane_math.h"
#include "strategy.h"

/* ---- root.c ----
 *  Where in a step the gap of a contact reaches a level (lane half).
 */

typedef struct sal_root_probe sal_root_probe;

/** Finds a zero in the lanes of `todo`: see sal_root_between. */
typedef sal_v sal_root_finder(const sal_root_probe *p, sal_m todo, sal_v a, sal_v fa, sal_v b,
                              sal_v fb, sal_v guess, bool rate, sal_m *leap);

/** The function whose zero is wanted, side * gap - level, of the candidate at->chosen in a lane; and
 *  what finds it. */
struct sal_root_probe {
  sal_dense *d;
  const sal_contacts *at;
  sal_v level;
  sal_root_finder *find;
};

/** Chooses candidate k in the lanes of m, and no other one there. */
SAL_INLINE void sal_root_choose(const sal_contacts *at, sal_m m, int k)
{
  for (int j = 0; j < at->n; ++j) at->chosen[j] &= ~m;
  at->chosen[k] |= m;
}

/** The function at t + theta h, or side * rate there; counted in `lanes`. */
sal_v SAL_FN(sal_root_value)(const sal_root_probe *p, sal_m lanes, sal_v theta, bool rate);

/** Smallest difference of theta that is resolved: 128 spacings of time. */
sal_v SAL_FN(sal_root_resolution)(const sal_step_state *s);

/** Zero between a, where the function is fa, and b > a, where it is fb and has the other sign (or
 *  is 0), down to the resolution.  The first candidate is `guess` where that lies between them,
 *  else the chord's zero; candidates stay half the resolution away from the ends.  The answer is
 *  the end on b's side of the zero.  A lane freezes as soon as it is there.  Adds to *leap, where
 *  that is not NULL, the lanes in which half of the way from fa to fb is left within the
 *  resolution: the function has no zero, it leaps over 0. */
sal_root_finder SAL_FN(sal_root_between);

/** Zero of the cubic with values fa > 0 >= fb and slopes da, db at 0 and 1, near the chord's. */
SAL_INLINE sal_v sal_root_of_cubic(sal_v fa, sal_v da, sal_v fb, sal_v db)
{
  const sal_v c2 = 3.0 * (fb - fa) - 2.0 * da - db, c3 = 2.0 * (fa - fb) + da + db;
  sal_v x = fa / (fa - fb);

  for (int pass = 0; pass < 2; ++pass)
    x = x - (((c3 * x + c2) * x + da) * x + fa) / ((3.0 * c3 * x + 2.0 * c2) * x + da);
  return x;
}

#define sal_root_value SAL_FN(sal_root_value)
#define sal_root_resolution SAL_FN(sal_root_resolution)
#define sal_root_between SAL_FN(sal_root_between)

/* ---- locate.c ----
 *  The earliest crossing in a step on its dense output: what strategies share that locate contacts
 *  (lane half).  They differ in the root finder.
 *
 *  Beyond the sign test at the ends of a step:
 *  - *within the step* gaps are looked at (isolate.h) where gap and rate at its ends show that they may cross there,
 *    or show nothing, so that the first of several crossings is found and none is lost;
 *  - a *short flight*: in the first step after an event the gap starts at 0, so a step that ends on
 *    the wrong side holds the whole phase.  An interior point on the right side is looked for; if
 *    there is none although the rate at the start fits the phase, the step is refused and
 *    repeated smaller.
 *
 *  Shampine & Thompson, Comput. Math. Appl. 39 (2000) 43-54.
 */

/** A strategy's `locate` (strategy.h) with this root finder. */
void SAL_FN(sal_locate_first)(sal_dense *d, const sal_contacts *at, sal_m lanes,
                              sal_root_finder *root, sal_crossing *out);

#define sal_locate_first SAL_FN(sal_locate_first)
