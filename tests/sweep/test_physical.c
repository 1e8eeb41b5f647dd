/** Quantities of real systems as text, what a ground gives, times and starts with units. */
#include "measure.h"
#include "memory.h"
#include "parameter_column.h"
#include "physical.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

/* ---- grounds ---- */

/* A mass on the force x^n (stiffness + damping v), or stiffness x + damping v where n is 0, without gravity: what is left
 * of its speed. */
static double push(double n, double stiffness, double damping, double x, double v)
{
  return n > 0 ? pow(fmax(x, 0), n) * (stiffness + damping * v) : stiffness * x + damping * v;
}
static double rebound_of(double n, double stiffness, double damping, double m, double v)
{
  double x = 0, u = v;
  const double h = 1e-6;

  do { /* midpoint rule */
    const double xm = x + h / 2 * u, um = u - h / 2 * push(n, stiffness, damping, x, u) / m;
    x += h * um;
    u -= h * push(n, stiffness, damping, xm, um) / m;
  } while (x > 0);
  return -u / v;
}

static void a_loss_gives_its_restitution(void)
{
  static const double e[] = {0.3, 0.6, 0.9, 0.98};

  for (size_t i = 0; i < sizeof e / sizeof *e; ++i) {
    const double v = 1.5, k = 1e6, loss = sal_terrain_loss(e[i], v);
    CU_ASSERT_DOUBLE_EQUAL(rebound_of(1.5, k, 1.5 * loss * k, 0.2, v), e[i], 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(sal_terrain_restitution(loss, v), e[i], 1e-7);
    CU_ASSERT(loss > (1 - e[i]) / v); /* more than by its limit for small losses */
  }
}

static void a_linear_damper_loses_as_much(void)
{
  static const double e[] = {0.2, 0.7, 1};

  for (size_t i = 0; i < sizeof e / sizeof *e; ++i) {
    const double k = 5e4, m = 0.3, d = sal_terrain_linear_damping(k, m, e[i]);
    CU_ASSERT_DOUBLE_EQUAL(rebound_of(0, k, d, m, 2), e[i], 1e-3);
  }
}

/* Hertz by the material of a sphere on a half-space; a punch of the same radius. */
static void stiffness_is_that_of_the_material(void)
{
  const sal_terrain made_up = {.young = 12e6, .poisson = 0.5};

  CU_ASSERT_DOUBLE_EQUAL(sal_terrain_sphere(&made_up, 0.04), 4.0 / 3 * 16e6 * 0.2, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(sal_terrain_punch(&made_up, 0.04), 2 * 0.04 * 16e6, 1e-3);
}

static void grounds_say_where_they_are_from(void)
{
  int n = 0;

  for (const sal_terrain *ground = sal_terrains; ground->name; ++ground, ++n) {
    CU_ASSERT_EQUAL(isnan(ground->young), ground->elastic_source == NULL);
    CU_ASSERT_EQUAL(isnan(ground->young), isnan(ground->poisson));
    CU_ASSERT_EQUAL(isnan(ground->loss), ground->loss_source == NULL);
    CU_ASSERT_EQUAL(isnan(ground->restitution), ground->restitution_source == NULL);
    CU_ASSERT_EQUAL(isnan(ground->restitution), isnan(ground->speed));
    CU_ASSERT(!isnan(ground->young) || !isnan(ground->restitution));
    CU_ASSERT(isnan(ground->young) || (ground->young > 1e5 && ground->poisson <= 0.5));
    CU_ASSERT(isnan(ground->restitution) || (ground->restitution > 0 && ground->restitution <= 1));
  }
  CU_ASSERT(n >= 4);
}

/* ---- as text ---- */

typedef struct {
  const char *model, *text;
  const char *says[2];
} refused;

static void wrong_lists_are_refused(void)
{
  static const refused bad[] = {
      {"affine3", "m=1kg", {"affine3 has no physical quantities", "allowed: monopod"}},
      {"monopod", "m1=1kg", {"m2, the mass of the body, is missing", ""}},
      {"monopod", "mm1=1kg", {"unknown quantity 'mm1'", "did you mean 'm1'?"}},
      {"monopod", "m1=1", {"m1 = 1 has no unit", "allowed: kg, g"}},
      {"monopod", "m1=0kg", {"m1 = 0kg must be above 0", ""}},
      {"monopod", "radius=1cm", {"radius goes with ground=NAME", "saltus list grounds"}},
      {"monopod", "ground=concret", {"unknown ground 'concret'", "did you mean 'concrete'?"}},
      {"monopod", "ground=concrete", {"radius, the radius of the toe, is missing", ""}},
      {"monopod", "ground=concrete,radius=2", {"radius = 2 has no unit", "allowed: m"}},
      {"monopod", "ground=turf,radius=2cm", {"no stiffness of it is published", ""}},
      {"monopod", "ground=wood,radius=2cm", {"no loss of it is published", "rebound and speed"}},
      {"monopod", "ground=wood,radius=2cm,rebound=0.5", {"speed, the speed of that rebound", ""}},
      {"monopod", "ground=wood,radius=2cm,rebound=1.5,speed=1m/s", {"rebound = 1.5", "up to 1"}},
      {"linear-ground", "m=1kg,ground=rubber,radius=1cm", {"speed, the speed of touchdown", ""}},
      {"slip", "m=1kg,k=9kN/m,ground=rubber", {"slip has no ground to choose", ""}},
      {"plate", "ground=rubber", {"plate has no ground to choose", ""}},
      {"bouncing-ball", "ground=wood", {"no restitution of it is published", "give rebound"}},
      {"hopping-leg", "k=15kg", {"'15kg': allowed for k: a number, in N/m", ""}},
      {"hopping-leg", "g=0", {"g = 0 makes no natural unit", "m = k = g = 1"}},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const sal_model *m = sal_registry_model(bad[i].model);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);
    sal_parameter_presets(m, param, initial);
    CU_ASSERT_EQUAL(sal_physical_parse("--physical", m, bad[i].text, param, initial, measure),
                    SAL_ERR_USAGE);
    for (int k = 0; k < 2; ++k)
      if (!strstr(sal_err_message(), bad[i].says[k])) CU_FAIL(sal_err_message());
    sal_err_clear();
  }
}

static void a_ground_fills_what_is_not_given(void)
{
  const sal_model *m = sal_registry_model("monopod");
  static const char *const texts[] = {
      "m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,ground=rubber,radius=4cm",
      "m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,kg=3555.5555555556kN/m^1.5,bg=26666.666666667Ns/m^2.5",
      "m1=0.5kg,m2=10kg,k=5kN/m,l0=40cm,kg=1e6N/m^1.5,ground=rubber,radius=4cm"};
  double param[3][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);

  for (int i = 0; i < 3; ++i) {
    sal_parameter_presets(m, param[i], initial);
    CU_ASSERT_EQUAL(sal_physical_parse("x", m, texts[i], param[i], initial, measure), SAL_OK);
  }
  for (int k = 0; k < 4; ++k) CU_ASSERT_DOUBLE_EQUAL(param[0][k] / param[1][k], 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(param[2][2], 1e6 * sqrt(0.4) / 5000, 1e-9); /* k is that of the text */
  CU_ASSERT_DOUBLE_EQUAL(param[2][0] / param[0][0], 1e6 / 3555555.5555555555, 1e-12);
}

static void times_and_starts_are_converted(void)
{
  const sal_model *hopper = sal_registry_model("monopod"),
                  *ball = sal_registry_model("bouncing-ball");
  const sal_scales scales = {.second = 0.5, .metre = 0.2, .kilogram = 3};
  double t = 0, y[SAL_MAX_STATE] = {0};
  SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);

  sal_measure_begin(measure, hopper);
  CU_ASSERT(sal_measure_time("--t-end", "7", measure, &t) == SAL_OK && t == 7);
  CU_ASSERT_EQUAL(sal_measure_time("--t-end", "5s", measure, &t), SAL_ERR_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "with --physical it may have one"));
  sal_err_clear();
  sal_measure_set(measure, &scales);
  CU_ASSERT(sal_measure_time("--t-end", "5s", measure, &t) == SAL_OK && t == 10);
  CU_ASSERT(sal_measure_time("--t-end", "7", measure, &t) == SAL_OK && t == 7);
  CU_ASSERT(sal_measure_time("--dt", "250 ms", measure, &t) == SAL_OK && t == 0.5);
  CU_ASSERT_EQUAL(sal_measure_time("--dt", "0s", measure, &t), SAL_ERR_USAGE);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_measure_initial("-i", "y1=40cm,v1=2m/s,y2=0.25", measure, y), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(y[0], 2, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(y[1], 5, 1e-15);
  CU_ASSERT_EQUAL(y[2], 0.25);
  CU_ASSERT_EQUAL(sal_measure_initial("-i", "y1=4kg", measure, y), SAL_ERR_USAGE);
  sal_err_clear();
  CU_ASSERT_DOUBLE_EQUAL(sal_measure_size(measure, "N/m"), 3 / 0.25, 1e-12);
  sal_measure_begin(measure, ball); /* in SI units, which a number alone is in */
  CU_ASSERT(sal_measure_time("--t-end", "200ms", measure, &t) == SAL_OK && t == 0.2);
  CU_ASSERT_EQUAL(sal_measure_initial("-i", "y=20cm,v=3.6km/h", measure, y), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(y[0], 0.2, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(y[1], 1, 1e-15);
}

SAL_TEST_MAIN("physical runs", NULL, {"a loss gives its restitution", a_loss_gives_its_restitution},
              {"a linear damper loses as much", a_linear_damper_loses_as_much},
              {"stiffness is that of the material", stiffness_is_that_of_the_material},
              {"grounds say where they are from", grounds_say_where_they_are_from},
              {"wrong lists are refused", wrong_lists_are_refused},
              {"a ground fills what is not given", a_ground_fills_what_is_not_given},
              {"times and starts are converted", times_and_starts_are_converted})
