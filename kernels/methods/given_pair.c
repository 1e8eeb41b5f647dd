/** A pair whose tableau is known at run time alone. */
#include "rk.h"

static const sal_tableau *tableau_of(const sal_step_state *s) { return s->inner; }

/* As many as the largest tableau takes: n alone has to say it. */
static int words(int n, int row)
{
  (void)row;
  return SAL_MAX_STAGE * n + 1;
}

static void start(sal_step_state *s, sal_m lanes) { sal_rk_start(tableau_of(s), s, lanes); }

static sal_m step(sal_step_state *s, sal_m lanes) { return sal_rk_step(tableau_of(s), s, lanes); }

static void advance(sal_step_state *s, sal_m lanes) { sal_rk_advance(tableau_of(s), s, lanes); }

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

static int dense_one(sal_step_state *s, int i, sal_v c[])
{
  return sal_rk_dense_one(tableau_of(s), s, i, 1, c);
}

static int dense(sal_step_state *s, sal_v c[])
{
  for (int i = 0; i < s->n; ++i) sal_rk_dense_one(tableau_of(s), s, i, s->n, c + i);
  return tableau_of(s)->degree;
}

const sal_method_ops SAL_FN(sal_given_pair) = {SAL_METHOD_STEPS, .dense_one = dense_one};
