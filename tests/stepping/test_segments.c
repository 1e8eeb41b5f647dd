/** Points and the ends of segments in time stepping. */
#include "integrate.h"
#include "memory.h"
#include "model_file.h"
#include "provider.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <stdio.h>

extern const sal_provider sal_moreau_provider;

typedef struct {
  double y[SAL_MAX_STATE];
  int outcome;
  double t;
} run_end;

/* A disc without turning, whose middle starts at (x, z) with speed v along a segment from -1 to 1. */
static run_end run(double x, double z, double v, double t_end)
{
  char text[1024];
  sal_model_file *file;
  run_end out = {0};
  sal_record record;

  snprintf(text, sizeof text,
           "name: point\nspan: 1\ngravity: [0, -10]\nbodies:\n  - {name: b, kind: planar, mass: 1, "
           "inertia: 1, position: [%g, %g], angle: 0, velocity: [%g, 0]}\ncontacts:\n"
           "  - {name: c, bodies: [ground, b], normal: [0, 1], extent: [-1, 1], law: {rigid: "
           "{restitution: 0}}}\n",
           x, z, v);
  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("point.yaml", text, &file), SAL_OK);
  const sal_model *m = sal_model_file_model(file);
  const sal_setup setup = {.model = m,
                           .method = sal_moreau_provider.methods[0],
                           .strategy = sal_registry_strategy("capture"),
                           .rtol = 1e-3,
                           .atol = 1e-3,
                           .t_end = t_end,
                           .max_attempts = 10000};
  double param[1] = {0}, y[SAL_MAX_STATE];
  const sal_job job = {.param = param, .initial = y, .end = out.y};
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);

  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  sal_model_file_free(file);
  out.outcome = (int)record.value[SAL_METRIC_OUTCOME];
  out.t = record.value[SAL_METRIC_T_REACHED];
  return out;
}

static void test_a_point_from_beneath_is_refused(void)
{
  const run_end out = run(-1.5, -0.1, 1, 1);

  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_UNSOLVED);
  CU_ASSERT_DOUBLE_EQUAL(out.t, 0.5, 2e-3);
}

/* It lands close to the end, slides over it and falls. */
static void test_a_point_slides_off(void)
{
  for (int k = 0; k < 2; ++k) {
    const double x = k ? 0.78 : 0.5, slides = 0.2 + (k ? 0.02 : 0.3);
    const run_end out = run(x, 0.2, 1, 1);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], x + 1, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1], -5 * (1 - slides) * (1 - slides), 3e-2);
  }
}

static void test_a_point_passes_below(void)
{
  const run_end out = run(-3, -0.1, 1, 1);

  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT_DOUBLE_EQUAL(out.y[1], -5.1, 1e-9);
}

SAL_TEST_MAIN("segments", NULL, {"from beneath", test_a_point_from_beneath_is_refused},
              {"off the end", test_a_point_slides_off}, {"below", test_a_point_passes_below})
