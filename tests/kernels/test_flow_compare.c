/** A flow whose functions are off by a rounding, one after the other. */
#define SAL_LANES 1
#include "flow_compare.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static const sal_flow *good;

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  good->rhs(s, t, y, dy);
  dy[3] = nextafter(dy[3], INFINITY);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  good->jac(s, t, y, J);
  J[15] = nextafter(J[15], INFINITY);
}

static void gap_off(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                    sal_v rate[])
{
  good->guard(s, t, y, dy, gap, rate);
  gap[0] = nextafter(gap[0], INFINITY);
}

static void rate_off(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                     sal_v rate[])
{
  good->guard(s, t, y, dy, gap, rate);
  rate[0] = nextafter(rate[0], INFINITY);
}

static void state_off(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  good->jump(s, k, lanes, t, y);
  y[1] = nextafter(y[1], INFINITY);
}

static void mode_off(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  good->jump(s, k, lanes, t, y);
  s->closed[k] = ~s->closed[k];
}

/* Another NaN is like any other. */
static void nan_off(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  good->rhs(s, t, y, dy);
  for (int i = 0; i < 4; ++i)
    if (isnan(dy[i])) dy[i] = -dy[i];
}

static const char *compare(const sal_flow *flow, double y)
{
  const sal_model *a = sal_registry_model("monopod");
  sal_flow_point at = {.t = 0.5, .closed = {true}, .held = true};
  sal_model b = *a;
  static _Alignas(64) double work[512];

  CU_ASSERT_FATAL(sal_flow_compare_bytes(a) <= sizeof work);
  for (int i = 0; i < a->n_param; ++i) at.param[i] = a->param[i].preset;
  for (int i = 0; i < a->n_state; ++i) at.y[i] = a->state[i].preset, at.slope[i] = 0.1 * (i + 1);
  at.y[0] += y;
  b.w1 = flow;
  return sal_flow_compare_w1(a, &b, &at, work);
}

static void each_function_is_compared_to_the_last_bit(void)
{
  static const struct {
    const char *what;
    sal_flow with;
  } row[] = {{"f", {.rhs = rhs}},
             {"the Jacobian", {.jac = jac}},
             {"a gap or its rate", {.guard = gap_off}},
             {"a gap or its rate", {.guard = rate_off}},
             {"a jump", {.jump = state_off}},
             {"a jump", {.jump = mode_off}}};

  good = sal_registry_model("monopod")->w1;
  CU_ASSERT_PTR_NULL(compare(good, 0.1));
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    sal_flow flow = *good;
    if (row[i].with.rhs) flow.rhs = row[i].with.rhs;
    if (row[i].with.jac) flow.jac = row[i].with.jac;
    if (row[i].with.guard) flow.guard = row[i].with.guard;
    if (row[i].with.jump) flow.jump = row[i].with.jump;
    const char *what = compare(&flow, 0.1);
    CU_ASSERT(what && strcmp(what, row[i].what) == 0);
  }
}

static void any_nan_is_like_any_other(void)
{
  sal_flow flow;

  good = sal_registry_model("monopod")->w1;
  flow = *good;
  flow.rhs = nan_off;
  CU_ASSERT_PTR_NULL(compare(&flow, NAN));
}

SAL_TEST_MAIN("flow_compare", NULL, {"each function", each_function_is_compared_to_the_last_bit},
              {"NaN", any_nan_is_like_any_other})
