/** From the physical quantities of a hopper to the parameters of the dimensionless one. */
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>

enum { M1, M2, K, L0, KG, BG, G, N_QUANTITY }; /* as the model lists them */
enum { N_PARAM = 4, N_ALL = N_PARAM + 3 };     /* no damper in the leg; adhesion: literal, 0 */

static const sal_physical *hopper(void) { return sal_registry_model("monopod")->physical; }

/* Equations (8), (9) in stance: accelerations of toe and body. */
static void accelerate(const double q[], double y1, double v1, double y2, double a[2])
{
  const double root = sqrt(-y1);

  a[0] = -(q[BG] * -y1 * root * v1 + (q[K] + q[KG] * root) * y1 - q[K] * y2 + q[M1] * q[G] +
           q[K] * q[L0]) /
         q[M1];
  a[1] = -(-q[K] * y1 + q[K] * y2 + q[M2] * q[G] - q[K] * q[L0]) / q[M2];
}

/* The model's flow at a state of the physical hopper, scaled by (10)-(17), is the physical one. */
static void the_conversion_keeps_the_equations_of_motion(void)
{
  const double q[N_QUANTITY] = {0.6, 11, 4200, 0.45, 2.5e5, 9e4, 9.8};
  const double y1 = -0.013, v1 = -0.4, y2 = 0.41;
  double a[2], p[N_ALL] = {0}, dy[4], free[4];
  sal_scales scales;

  accelerate(q, y1, v1, y2, a);
  hopper()->from_physical(NULL, q, p, &scales);
  const double s = scales.second, l = scales.metre;
  const double y[] = {y1 / l, s * v1 / l, y2 / l, 0}, airborne[] = {0.1, 0, y[2] - y[0] + 0.1, 0};
  sal_model_rhs(sal_registry_model("monopod"), p, 0, y, dy);
  CU_ASSERT_DOUBLE_EQUAL(dy[0] / (s * v1 / l), 1, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(dy[1] / (s * s * a[0] / l), 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(dy[3] / (s * s * a[1] / l), 1, 1e-12);
  sal_model_rhs(sal_registry_model("monopod"), p, 0, airborne, free);
  CU_ASSERT(fabs(dy[1] - free[1]) > 0.1 * fabs(dy[1])); /* the ground takes part in it */
}

/* One unit of time is a period of the two masses on the spring without ground or gravity. */
static void the_scales_are_a_period_and_a_leg(void)
{
  const double q[N_QUANTITY] = {0.6, 11, 4200, 0.45, 2.5e5, 9e4, 9.8};
  double p[N_ALL] = {0};
  sal_scales scales;

  hopper()->from_physical(NULL, q, p, &scales);
  CU_ASSERT_DOUBLE_EQUAL(scales.second, 2 * M_PI / sqrt(4200 / 0.6 + 4200 / 11.0), 1e-15);
  CU_ASSERT_EQUAL(scales.metre, 0.45);
}

/* Quantities made so that (20)-(23) give the nominal set of Table 2. */
static void a_hopper_of_the_nominal_set_is_recognised(void)
{
  const double nominal[N_PARAM] = {1951, 1.88, 22.8, 0.051}, k = 5000, l0 = 0.5, mass = 10;
  const double m1 = nominal[1] / (4 * M_PI * M_PI) * mass, m2 = mass - m1;
  const double g = nominal[3] * mass * k * l0 / (4 * M_PI * M_PI * m1 * m2);
  const double bg = nominal[0] * m1 / (2 * M_PI * pow(l0, 1.5) * sqrt(m1 * m2 / (mass * k)));
  const double kg = nominal[2] * k / sqrt(l0);
  const double q[N_QUANTITY] = {m1, m2, k, l0, kg, bg, g};
  double p[N_ALL] = {0};
  sal_scales scales;

  hopper()->from_physical(NULL, q, p, &scales);
  for (int i = 0; i < N_PARAM; ++i) CU_ASSERT_DOUBLE_EQUAL(p[i] / nominal[i], 1, 1e-13);
}

/* The parser relies on this for every model that has physical quantities. */
static void descriptions_are_complete(void)
{
  int found = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_physical *physical = sal_registry_models[i]->physical;
    if (!physical) continue;
    ++found;
    CU_ASSERT(physical->n_quantity > 0 && physical->n_quantity <= SAL_MAX_PHYSICAL);
    CU_ASSERT(physical->source && physical->from_physical);
    for (int k = 0; k < physical->n_quantity; ++k) {
      const sal_quantity *q = &physical->quantity[k];
      CU_ASSERT(q->name && q->what && q->unit[0].name && q->unit[0].factor == 1);
      CU_ASSERT_PTR_NULL(q->unit[SAL_MAX_UNIT].name);
      CU_ASSERT(isnan(q->preset) || q->preset > 0);
    }
  }
  CU_ASSERT(found > 0);
  CU_ASSERT_EQUAL(hopper()->n_quantity, N_QUANTITY);
  CU_ASSERT_EQUAL(hopper()->quantity[G].preset, 9.81);
}

SAL_TEST_MAIN("monopod", NULL,
              {"the conversion keeps the equations of motion",
               the_conversion_keeps_the_equations_of_motion},
              {"the scales are a period and a leg", the_scales_are_a_period_and_a_leg},
              {"a hopper of the nominal set is recognised",
               a_hopper_of_the_nominal_set_is_recognised},
              {"descriptions are complete", descriptions_are_complete})
