/** Properties of every model in the registry, at random points of its default ranges: the
 *  Jacobian is the derivative of the flow, the rate that of the gap, the invariant does not change
 *  along the flow, and every width has the same bits.
 */
#include "flow_check.h"
#include "flow_draw.h"
#include "model_point.h"
#include "range_check.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { POINTS = 64 };

static void draw(const sal_model *m, flow_point at[])
{
  flow_stream s = flow_draw_stream(m->name);

  for (int i = 0; i < POINTS; ++i) at[i] = flow_draw_point(&s, m, flow_draw_guards(m));
}

/* The check at all points; returns the largest number compared. */
static double check_model(const sal_model *m, flow_check *check)
{
  static flow_point at[POINTS];
  double size = 0;

  draw(m, at);
  for (int k = 0; k < POINTS; ++k) {
    const flow_verdict v = check(m, flow_draw_guards(m), &at[k]);
    if (v.text[0]) printf("\n    %s", v.text);
    CU_ASSERT(v.text[0] == '\0');
    size = fmax(size, v.size);
  }
  return size;
}

static void the_jacobian_is_the_derivative_of_the_flow(void)
{
  for (int i = 0; sal_registry_models[i]; ++i)
    if (sal_model_has_jacobian(sal_registry_models[i]))
      CU_ASSERT(check_model(sal_registry_models[i], flow_check_jacobian) > 0.1);
}

static void the_rate_is_the_derivative_of_the_gap(void)
{
  for (int i = 0; sal_registry_models[i]; ++i) {
    const double size = check_model(sal_registry_models[i], flow_check_rate);
    CU_ASSERT(sal_registry_models[i]->n_guard == 0 ? size == 0 : size > 0.1);
  }
}

/* Most ranges over points are tight, and many over boxes decide. */
static void ranges_enclose_gaps_and_rates(void)
{
  int with = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const range_verdict v = range_check_model(sal_registry_models[i], 6000);
    if (v.text[0]) printf("\n    %s", v.text);
    CU_ASSERT(v.text[0] == '\0');
    CU_ASSERT(v.boxes == 0 || (v.tight > v.boxes / 5 && v.sure > v.boxes / 4));
    with += v.boxes > 100000 / 3;
  }
  CU_ASSERT(with >= 3);
}

static void the_slope_is_finite_and_changes_nothing(void)
{
  for (int i = 0; sal_registry_models[i]; ++i)
    CU_ASSERT(check_model(sal_registry_models[i], flow_check_slope) > 0);
}

static void a_second_order_system_moves_at_its_velocities(void)
{
  int seen = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    if (!sal_model_is_second_order(m)) continue;
    CU_ASSERT(2 * check_model(m, flow_check_velocity) == sal_model_continuous(m));
    ++seen;
  }
  CU_ASSERT(seen > 0);
}

static void an_autonomous_flow_does_not_know_the_time(void)
{
  int seen = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    if (!sal_registry_models[i]->autonomous) continue;
    CU_ASSERT(check_model(sal_registry_models[i], flow_check_time) > 0);
    ++seen;
  }
  CU_ASSERT(seen > 0);
}

/* Parameters at the ends of what is admissible, such as no damping, often leave an invariant where
 * others do not. */
static void the_invariant_does_not_change_along_the_flow(void)
{
  enum { TRIES = 2000 };

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    flow_stream s = flow_draw_stream(m->name);
    int compared = 0;
    for (int k = 0; k < TRIES && compared < POINTS && m->energy; ++k) {
      flow_point at = flow_draw_point(&s, m, flow_draw_guards(m));
      for (int j = 0; j < m->n_param; ++j) {
        const double where = flow_draw_uniform(&s, 0, 1), drawn = at.param[j];
        if (where < 0.5) continue;
        at.param[j] = where < 0.75 ? m->param[j].least : m->param[j].most;
        if (m->flaw && m->flaw(m->inner, at.param)) at.param[j] = drawn;
      }
      const flow_verdict v = flow_check_energy(m, flow_draw_guards(m), &at);
      if (v.text[0]) printf("\n    %s", v.text);
      CU_ASSERT(v.text[0] == '\0');
      compared += v.size > 0;
    }
    CU_ASSERT(!m->energy || compared > 0);
  }
}

/* The entry of the whole Jacobian that is farthest outside the band the model claims. */
static void the_jacobian_keeps_to_its_band(void)
{
  static flow_point at[POINTS];
  static flow_values v;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    const int n = sal_model_continuous(m), lower = m->band.lower, upper = m->band.upper;
    if ((lower == 0 && upper == 0) || !sal_model_has_jacobian(m)) continue;
    draw(m, at);
    for (int k = 0; k < POINTS; ++k) {
      flow_probe_w1(m, flow_draw_guards(m), 0, 1, &at[k], &v);
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
          CU_ASSERT((c >= r - lower && c <= r + upper) || v.jacobian[r * n + c] == 0);
    }
  }
}

static void every_width_has_the_same_bits(void)
{
  static flow_point at[POINTS];
  static flow_values one[POINTS], wide[POINTS];

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    const int jumper = flow_draw_guards(m) / 2, n = flow_draw_guards(m);
    draw(m, at);
    memset(one, 0, sizeof one);
    flow_probe_w1(m, n, jumper, POINTS, at, one);
    for (int w = 1; w < n_probe(); ++w) {
      memset(wide, 0, sizeof wide);
      probes[w].call(m, n, jumper, POINTS, at, wide);
      CU_ASSERT(memcmp(one, wide, sizeof one) == 0);
    }
    CU_ASSERT(memcmp(&one[0], &one[1], sizeof one[0]) != 0);
  }
}

/* Contacts that a trajectory does not have stay open and count for nothing. */
static void surplus_contacts_stay_open(void)
{
  enum { MORE = PROBE_GUARDS };
  static flow_point at[POINTS];
  static flow_values own[POINTS], among_more[POINTS];

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    int mixed = 0;
    if (!m->counted_by) continue;
    draw(m, at);
    memset(own, 0, sizeof own);
    flow_probe_w1(m, flow_draw_guards(m), 0, POINTS, at, own);
    flow_probe_w1(m, MORE, 0, POINTS, at, among_more);
    for (int k = 0; k < POINTS; ++k) {
      CU_ASSERT(memcmp(own[k].slope, among_more[k].slope, sizeof own[k].slope) == 0);
      CU_ASSERT(memcmp(own[k].jacobian, among_more[k].jacobian, sizeof own[k].jacobian) == 0);
      for (int g = sal_model_guards(m, at[k].param); g < MORE; ++g)
        CU_ASSERT(among_more[k].gap[g] == 1 && among_more[k].rate[g] == 0);
      mixed += !at[k].held && own[k].gap[0] <= 0; /* a mode that the gaps decide */
    }
    CU_ASSERT(mixed > 0);
  }
}

static void every_model_rests_where_it_says(void)
{
  static flow_point at[POINTS];
  int resting = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    double y[SAL_MAX_STATE] = {0}, dy[SAL_MAX_STATE];
    draw(m, at);
    for (int k = 0; k < POINTS; ++k) {
      if (!m->equilibrium || !m->equilibrium(m->inner, at[k].param, SAL_EQUILIBRIUM_TRUE, y))
        continue;
      sal_model_rhs(m, at[k].param, 0, y, dy);
      for (int j = 0; j < sal_model_continuous(m); ++j) CU_ASSERT_DOUBLE_EQUAL(dy[j], 0, 1e-11);
      ++resting;
    }
  }
  CU_ASSERT(resting > 0);
}

/* Points of a model stay what they are when it is joined by other ones. */
static void points_depend_on_the_name_alone(void)
{
  flow_stream a = flow_draw_stream("decay"), b = flow_draw_stream("decay"),
              c = flow_draw_stream("plate");
  const double x = flow_draw_uniform(&a, 0, 1);

  flow_draw_uniform(&c, 0, 1);
  CU_ASSERT(x == flow_draw_uniform(&b, 0, 1) && x > 0 && x < 1);
  CU_ASSERT(flow_draw_uniform(&a, 0, 1) != x && flow_draw_uniform(&c, 0, 1) != x);
}

SAL_TEST_MAIN(
    "flows of all models", NULL,
    {"the Jacobian is the derivative of the flow", the_jacobian_is_the_derivative_of_the_flow},
    {"the Jacobian keeps to its band", the_jacobian_keeps_to_its_band},
    {"the rate is the derivative of the gap", the_rate_is_the_derivative_of_the_gap},
    {"ranges enclose gaps and rates", ranges_enclose_gaps_and_rates},
    {"the slope is finite and changes nothing", the_slope_is_finite_and_changes_nothing},
    {"a second-order system moves at its velocities",
     a_second_order_system_moves_at_its_velocities},
    {"an autonomous flow does not know the time", an_autonomous_flow_does_not_know_the_time},
    {"the invariant does not change along the flow", the_invariant_does_not_change_along_the_flow},
    {"every width has the same bits", every_width_has_the_same_bits},
    {"surplus contacts stay open", surplus_contacts_stay_open},
    {"every model rests at its equilibrium", every_model_rests_where_it_says},
    {"points depend on the name alone", points_depend_on_the_name_alone})
