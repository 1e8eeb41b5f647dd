/** Rates of gaps that are right at any time scale, and wrong ones that no time scale hides. */
#include "model_drawn.h"
#include "sal_test.h"
#include "scalar_flow.h"
#include <math.h>
#include <string.h>

/* h = sin(F t + 1/2) + sin(K x) with x' = 1; BY_T and BY_X: shares of its derivatives that its rate has. */
enum { F, K, BY_T, BY_X, N_PARAM };

static void rhs(const sal_scalar_phase *s, double t, const double y[], double dy[])
{
  (void)s, (void)t, (void)y;
  dy[0] = 1;
}

static void guard(const sal_scalar_phase *s, double t, const double y[], const double dy[],
                  double gap[], double rate[])
{
  const double *p = s->p;

  gap[0] = sin(p[F] * t + 0.5) + sin(p[K] * y[0]);
  rate[0] = p[BY_T] * p[F] * cos(p[F] * t + 0.5) + p[BY_X] * p[K] * cos(p[K] * y[0]) * dy[0];
}

static const sal_scalar_functions functions = {.n = 1, .rhs = rhs, .guard = guard};
static const sal_model clocked = {
    .name = "clocked",
    .title = "a gap that time and a state drive",
    .contact = {{"closes", "opens"}},
    .n_state = 1,
    .n_guard = 1,
    .n_param = N_PARAM,
    .span = 1,
    .state = {{"x", "1", "state", 0, -1, 1, -1e3, 1e3}},
    .param = {{"F", "1", "frequency", 1, 0, 0, 0, 1e9},
              {"K", "1", "wave number", 1, 0, 0, 0, 1e9},
              {"by_t", "1", "share", 1, 0, 0, 0, 10},
              {"by_x", "1", "share", 1, 0, 0, 0, 10}},
    .inner = &functions,
    .w1 = &sal_scalar_flow_w1,
};

static sal_model_verdict_kind verdict(double by_time, double by_state, double f, double k)
{
  const double param[] = {f, k, by_time, by_state}, initial[] = {0};
  const sal_trajectory run = {0};
  sal_model_verdict v = {.question = "rates"};
  sal_model_inquiry q = {.like = {.model = &clocked, .t_end = 10 / f, .n_guard = 1},
                         .param = param,
                         .initial = initial,
                         .run = &run,
                         .v = &v};

  CU_ASSERT_EQUAL_FATAL(sal_model_drawn_rates(&q), SAL_OK);
  return v.kind;
}

static void right_ones_are_fine_at_any_scale(void)
{
  for (double f = 1e-3; f < 2e9; f *= 100)
    for (double k = 1e-3; k < 2e9; k *= 100) CU_ASSERT_EQUAL(verdict(1, 1, f, k), SAL_MODEL_FINE);
}

static void wrong_ones_are_wrong_at_any_scale(void)
{
  static const double share[] = {0, 0.5, 0.999, 1.001, 2};

  for (double f = 1; f < 2e9; f *= 100)
    for (double k = 1; k < 2e9; k *= 100)
      for (size_t i = 0; i < sizeof share / sizeof *share; ++i) {
        if (f >= k) CU_ASSERT_EQUAL(verdict(share[i], 1, f, k), SAL_MODEL_WRONG);
        if (k >= f) CU_ASSERT_EQUAL(verdict(1, share[i], f, k), SAL_MODEL_WRONG);
      }
}

SAL_TEST_MAIN("rates of gaps", NULL,
              {"right ones are fine at any scale", right_ones_are_fine_at_any_scale},
              {"wrong ones are wrong at any scale", wrong_ones_are_wrong_at_any_scale})
