/** TR-BDF2: a trapezoidal stage to t + g h, then a BDF2 stage to t + h, with one matrix for both.
 *  Hosea & Shampine, Appl. Numer. Math. 20 (1996) 21-37.  With g = 2 - sqrt 2, d = g / 2, w = sqrt
 *  2 / 4 and scaled slopes z = h f:
 *
 *    y2 = y + d z + d z2,   yn = y + w z + w z2 + d zn,
 *    error = M^-1 ((4 w - 1) z / 3 - z2 / 3 + 2 d zn / 3): the difference to the third-order
 *  companion.
 *
 *  Own memory: z, z2, zn, y2 [n] each, then Newton's.
 */
#include "newton.h"
#include "sizes.h"
#include "start.h"

static const double g = 0.58578643762690495120;
static const double d = 0.29289321881345247560;
static const double w = 0.35355339059327376220;

enum { Z, Z2, ZN, Y2, N_VECTOR };

static int words(int n, int row) { return N_VECTOR * n + sal_newton_words(n, row); }

SAL_INLINE sal_v *ode23tb_vector(int n, const sal_step_state *s, int which)
{
  return s->mem + which * n;
}

SAL_INLINE sal_newton ode23tb_newton(int n, const sal_step_state *s)
{
  return sal_newton_split(n, s, s->mem + N_VECTOR * n);
}

static void start(sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23tb_newton(s->n, s);

  sal_start_stiff(s, lanes, 1.0 / 3);
  sal_newton_reset(&nw, lanes);
}

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

/* The second stage starts from the slope of the cubic through the first, extrapolated. */
SAL_INLINE sal_m ode23tb_stages(int n, sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23tb_newton(n, s);
  const sal_v *z = ode23tb_vector(n, s, Z), h = s->h;
  sal_v *z2 = ode23tb_vector(n, s, Z2), *zn = ode23tb_vector(n, s, ZN),
        *y2 = ode23tb_vector(n, s, Y2), base[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) {
    base[i] = s->y[i] + d * z[i];
    z2[i] = sal_sel(lanes, z[i], z2[i]);
  }
  const sal_m first = sal_newton_solve(n, s, lanes, &nw, d, s->t + g * h, base, z2);
  for (int i = 0; i < n; ++i) {
    y2[i] = s->y[i] + d * z[i] + d * z2[i];
    const sal_v guess = 2.91421356237309504880 * z[i] + 5.32842712474619009760 * z2[i] -
                        12.36396103067892771960 * (y2[i] - s->y[i]);
    zn[i] = sal_sel(first, guess, zn[i]);
    base[i] = s->y[i] + w * z[i] + w * z2[i];
  }
  return first & sal_newton_solve(n, s, first, &nw, d, s->tn, base, zn);
}

SAL_INLINE sal_m ode23tb_step(int n, sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23tb_newton(n, s);
  sal_v *z = ode23tb_vector(n, s, Z), *z2 = ode23tb_vector(n, s, Z2),
        *zn = ode23tb_vector(n, s, ZN), e[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) z[i] = s->h * s->f[i];
  const sal_m solved = sal_newton_step(n, s, lanes, &nw, d, ode23tb_stages);
  for (int i = 0; i < n; ++i) {
    s->yn[i] = s->y[i] + w * z[i] + w * z2[i] + d * zn[i];
    s->fn[i] = zn[i] / s->h;
    e[i] = (4.0 * w - 1.0) / 3.0 * z[i] - z2[i] / 3.0 + 2.0 * d / 3.0 * zn[i];
  }
  return sal_newton_test(n, s, solved, &nw, e);
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return SAL_SIZES_CALL(ode23tb_step, s->n, s, lanes);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23tb_newton(s->n, s);

  sal_assign(s->n, lanes, s->f, s->fn);
  sal_newton_grow(s, lanes, &nw);
}

/* The parabola through the two ends and the stage between them. */
static int dense(sal_step_state *s, sal_v c[])
{
  const int n = s->n;
  const sal_v *y2 = ode23tb_vector(n, s, Y2);

  for (int i = 0; i < n; ++i) {
    const sal_v whole = s->yn[i] - s->y[i];
    const sal_v bend = ((y2[i] - s->y[i]) / g - whole) / (g - 1.0);
    c[i] = s->y[i];
    c[n + i] = whole - bend;
    c[2 * n + i] = bend;
  }
  return 2;
}

const sal_method_ops SAL_FN(sal_ode23tb) = {SAL_METHOD_STEPS};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23tb)
const sal_method sal_ode23tb = {
    .name = "ode23tb",
    .title = "TR-BDF2: trapezoidal rule, then backward differentiation formula",
    .source = "doi:10.1016/0168-9274(95)00115-8",
    .order = 2,
    .min_order = 2,
    .implicit = true,
    SAL_METHOD_OPS(ode23tb),
};
#endif
