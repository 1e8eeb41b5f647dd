/** @file tests/models/test_flows.c
 *  What must hold of every model in the registry, at random points of its default ranges: the
 *  Jacobian is the derivative of the flow, the rate that of the gap, and every width has the same
 *  bits.
 */
#include "flow_probe.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { POINTS = 64 };

/* Numerical Recipes' generator "ranq1" (Press et al., 3rd ed., section 7.1.3). */
static double uniform(double lo, double hi)
{
  static uint64_t v = 4101842887655102017;

  v ^= v >> 21, v ^= v << 35, v ^= v >> 4;
  return lo + (hi - lo) * (double)((v * 2685821657736338717U) >> 11) * 0x1p-53;
}

static double within(const sal_field *f)
{
  const double x = uniform(f->lo, f->hi);

  return f->whole ? floor(x) : x;
}

/* A point of the default ranges, or one about the point of rest, where contacts act; any mode. */
static flow_point point_of(const sal_model *m, int n_guard)
{
  flow_point at = {.held = uniform(0, 1) < 0.7, .jumps = uniform(0, 1) < 0.5};

  do {
    for (int i = 0; i < m->n_param; ++i) at.param[i] = within(&m->param[i]);
    for (int i = 0; i < m->n_option; ++i) {
      int words = 1;
      while (words < SAL_MAX_CHOICE && m->option[i].choice[words]) ++words;
      at.param[m->n_param + i] = floor(uniform(0, words));
    }
    if (m->counted_by) at.param[m->counted_by - 1] = floor(uniform(1, n_guard + 1));
  } while (m->flaw && m->flaw(at.param));
  for (int i = 0; i < m->n_state; ++i) {
    at.y[i]       = within(&m->state[i]);
    at.tangent[i] = uniform(-1, 1);
  }
  double rest[SAL_MAX_STATE];
  if (uniform(0, 1) < 0.5 && m->rest && m->rest(at.param, SAL_REST_TRUE, rest))
    for (int i = 0; i < m->n_state; ++i) at.y[i] = rest[i] + uniform(-0.1, 0.1);
  for (int k = 0; k < sal_model_guards(m, at.param); ++k) at.closed[k] = uniform(0, 1) < 0.5;
  return at;
}

static int guards_of(const sal_model *m) { return m->counted_by ? 20 : m->n_guard; }

static void draw(const sal_model *m, flow_point at[])
{
  for (int i = 0; i < POINTS; ++i) at[i] = point_of(m, guards_of(m));
}

/* Slope and gaps at y + by e, the rest as in `at`. */
static void values_at(const sal_model *m, const flow_point *at, const double e[], double by,
                      flow_values *out)
{
  flow_point moved = *at;

  for (int i = 0; i < m->n_state; ++i) moved.y[i] += by * e[i];
  flow_probe_w1(m, guards_of(m), 0, 1, &moved, out);
}

/* Central differences at two distances: what they disagree by is their own uncertainty. */
typedef struct {
  double value, doubt;
} difference;

static difference central(double far_below, double below, double above, double far_above, double d)
{
  const double near = (above - below) / (2 * d), far = (far_above - far_below) / (4 * d);

  return (difference){near, fabs(near - far)};
}

static double check_jacobian(const sal_model *m, const flow_point *at)
{
  const double d     = 0x1p-18;
  const int    n     = m->n_state;
  double       large = 0;
  flow_values  here, v[4];

  flow_probe_w1(m, guards_of(m), 0, 1, at, &here);
  for (int j = 0; j < n; ++j) {
    double e[SAL_MAX_STATE] = {0};
    e[j]                    = 1;
    for (int i = 0; i < 4; ++i) values_at(m, at, e, (double[]){-2, -1, 1, 2}[i] * d, &v[i]);
    for (int i = 0; i < n; ++i) {
      const double     J = here.jacobian[i * n + j], size = 1 + fabs(J) + fabs(here.slope[i]);
      const difference found =
          central(v[0].slope[i], v[1].slope[i], v[2].slope[i], v[3].slope[i], d);
      CU_ASSERT_DOUBLE_EQUAL(J, found.value, 3e-9 * size + found.doubt);
      if (found.doubt < 1e-6 * size) large = fmax(large, fabs(J));
    }
  }
  return large;
}

static void the_jacobian_is_the_derivative_of_the_flow(void)
{
  static flow_point at[POINTS];

  for (int i = 0; sal_registry_models[i]; ++i) {
    double large = 0;
    draw(sal_registry_models[i], at);
    for (int k = 0; k < POINTS; ++k) {
      at[k].held = true; /* differences must not straddle a change of mode */
      large      = fmax(large, check_jacobian(sal_registry_models[i], &at[k]));
    }
    CU_ASSERT(large >= 1);
  }
}

static void the_rate_is_the_derivative_of_the_gap(void)
{
  const double      d = 0x1p-18;
  static flow_point at[POINTS];
  flow_values       here, v[4];

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m     = sal_registry_models[i];
    double           large = 0;
    draw(m, at);
    for (int k = 0; k < POINTS; ++k) {
      flow_probe_w1(m, guards_of(m), 0, 1, &at[k], &here);
      for (int j = 0; j < 4; ++j)
        values_at(m, &at[k], at[k].tangent, (double[]){-2, -1, 1, 2}[j] * d, &v[j]);
      for (int g = 0; g < guards_of(m); ++g) {
        const difference found = central(v[0].gap[g], v[1].gap[g], v[2].gap[g], v[3].gap[g], d);
        CU_ASSERT_DOUBLE_EQUAL(here.rate[g], found.value, 3e-9 + found.doubt);
        large = fmax(large, fabs(here.rate[g]));
      }
    }
    CU_ASSERT(m->n_guard == 0 ? large == 0 : large > 0.5);
  }
}

static void every_width_has_the_same_bits(void)
{
  static flow_point  at[POINTS];
  static flow_values one[POINTS], wide[POINTS];

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    draw(m, at);
    const int jumper = guards_of(m) / 2;
    memset(one, 0, sizeof one);
    flow_probe_w1(m, guards_of(m), jumper, POINTS, at, one);
    for (int w = 1; w < n_probe(); ++w) {
      memset(wide, 0, sizeof wide);
      probes[w].call(m, guards_of(m), jumper, POINTS, at, wide);
      CU_ASSERT(memcmp(one, wide, sizeof one) == 0);
    }
    CU_ASSERT(memcmp(&one[0], &one[1], sizeof one[0]) != 0);
    for (int k = 0; k < POINTS; ++k)
      for (int j = 0; j < m->n_state; ++j) CU_ASSERT(isfinite(one[k].slope[j]));
  }
}

/* Contacts that a trajectory does not have stay open and count for nothing. */
static void surplus_contacts_stay_open(void)
{
  enum { MORE = PROBE_GUARDS };
  static flow_point  at[POINTS];
  static flow_values own[POINTS], among_more[POINTS];

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m     = sal_registry_models[i];
    int              mixed = 0;
    if (!m->counted_by) continue;
    draw(m, at);
    memset(own, 0, sizeof own);
    flow_probe_w1(m, guards_of(m), 0, POINTS, at, own);
    flow_probe_w1(m, MORE, 0, POINTS, at, among_more);
    for (int k = 0; k < POINTS; ++k) {
      CU_ASSERT(memcmp(own[k].slope, among_more[k].slope, sizeof own[k].slope) == 0);
      CU_ASSERT(memcmp(own[k].jacobian, among_more[k].jacobian, sizeof own[k].jacobian) == 0);
      for (int g = sal_model_guards(m, at[k].param); g < MORE; ++g)
        CU_ASSERT(among_more[k].gap[g] == 1 && among_more[k].rate[g] == 0);
      mixed += !at[k].held && own[k].gap[0] <= 0; /* a mode that the gaps decide */
    }
    CU_ASSERT(mixed > 3);
  }
}

static void every_model_rests_where_it_says(void)
{
  int resting = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m  = sal_registry_models[i];
    const flow_point at = point_of(m, guards_of(m));
    double           y[SAL_MAX_STATE], dy[SAL_MAX_STATE];
    if (!m->rest || !m->rest(at.param, SAL_REST_TRUE, y)) continue;
    sal_model_rhs(m, at.param, 0, y, dy);
    for (int j = 0; j < m->n_state; ++j) CU_ASSERT_DOUBLE_EQUAL(dy[j], 0, 1e-11);
    ++resting;
  }
  CU_ASSERT(resting >= 5);
}

SAL_TEST_MAIN("flows of all models", NULL,
              {"the Jacobian is the derivative of the flow",
               the_jacobian_is_the_derivative_of_the_flow},
              {"the rate is the derivative of the gap", the_rate_is_the_derivative_of_the_gap},
              {"every width has the same bits", every_width_has_the_same_bits},
              {"surplus contacts stay open", surplus_contacts_stay_open},
              {"every model rests where it says", every_model_rests_where_it_says})
