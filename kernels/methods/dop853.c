/** Dormand & Prince 8(5,3), the reference method.  Hairer, Norsett & Wanner, Solving Ordinary
 *  Differential Equations I, 2nd ed., sections II.5 and II.6 (coefficients of the program DOP853).
 *
 *  Stage 12 is the slope at the new point, stages 13-15 belong to the dense output of order 7 and
 *  are made only for it.  The error estimate is the blend of the two embedded ones,
 *  taken per component in the norm that all methods here share; so is the controller, whose safety
 *  of 0.8 suits a reference.  The dense output is one order below the step, so an event is met by
 *  repeating the step up to the root.
 *  Own memory: k [16][n], then q = err^(1/8).
 */
#include "rk.h"

enum { N_STAGE = 16, N_STEP = 12, DEGREE = 7 };

static const double top[][N_STAGE] = {
    {-8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
     2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
     -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894},
    {10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
     -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
     15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408},
    {19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
     -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
     -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279},
    {-25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
     93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
     96.32455395918828, -39.17726167561544, -149.72683625798564},
};

/* The stages that dense output needs beyond the step, not counted. */
static void make_stages(sal_step_state *s)
{
  const sal_step step = {s->t, s->h, s->tn, s->y};
  sal_v x[SAL_MAX_STATE];

  s->flow->stages(&s->phase, &step, &sal_tableau_dop853.table, N_STEP + 1, N_STAGE - 1, s->mem, x);
}

/* The polynomial of state i: y + x (F0 + (1-x) (F1 + x (F2 + (1-x) (F3 + ..)))), multiplied out from
 * the inside; the stages for it are made. */
static void make_polynomial(const sal_step_state *s, int i, sal_v p[])
{
  const sal_v *k = s->mem;
  const sal_v delta = s->yn[i] - s->y[i], z = s->h * k[i], zn = s->h * s->fn[i];
  sal_v F[DEGREE] = {delta, z - delta, 2.0 * delta - (zn + z)};

  for (int m = 0; m < 4; ++m) {
    sal_v sum = sal_set(0);
    for (int j = 0; j < N_STAGE; ++j) sum += top[m][j] * k[j * s->n + i];
    F[3 + m] = s->h * sum;
  }
  p[0] = F[DEGREE - 1];
  for (int m = DEGREE - 1, degree = 0; m >= 0; --m, ++degree) {
    const sal_v first = m > 0 ? F[m - 1] : s->y[i];
    for (int j = degree + 1; j > 0; --j) {
      const sal_v above = j <= degree ? p[j] : sal_set(0);
      p[j] = m % 2 ? above - p[j - 1] : p[j - 1];
    }
    p[0] = m % 2 ? p[0] + first : first;
  }
}

static int dense(sal_step_state *s, sal_v out[])
{
  sal_v p[DEGREE + 1];

  for (int i = 0; i < s->n; ++i) {
    make_polynomial(s, i, p);
    for (int j = 0; j <= DEGREE; ++j) out[j * s->n + i] = p[j];
  }
  return DEGREE;
}

static int dense_one(sal_step_state *s, int i, sal_v out[])
{
  make_polynomial(s, i, out);
  return DEGREE;
}

SAL_RK_METHOD_OPS(dop853, make_stages)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(dop853)
const sal_method sal_dop853 = {
    .name = "dop853",
    .title = "explicit Runge-Kutta 8(5,3) of Dormand and Prince, the reference method",
    .source = "Hairer, Norsett, Wanner, Solving ODEs I, doi:10.1007/978-3-540-78862-1",
    .order = 8,
    .min_order = 8,
    .restep = true,
    .dense_rhs = N_STAGE - N_STEP - 1,
    SAL_METHOD_OPS(dop853),
};
#endif
