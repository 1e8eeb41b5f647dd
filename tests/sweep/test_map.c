/** @file tests/sweep/test_map.c
 *  What a map is asked: weights, points of the parameter space, a real robot.
 */
#include "map.h"
#include "memory.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include "physical.h"
#include "quantities.h"
#include "refuse.h"
#include "registry.h"
#include <math.h>

/* This failure, with all of the fragments in its one line. */
static void check_refused(sal_err found, const char *const fragment[])
{
  CU_ASSERT_EQUAL(found, SAL_ERR_USAGE);
  for (int i = 0; fragment[i]; ++i) {
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), fragment[i]));
    if (!strstr(sal_err_message(), fragment[i]))
      fprintf(stderr, "\n    '%s' is not in '%s'\n", fragment[i], sal_err_message());
  }
  CU_ASSERT_PTR_NULL(strchr(sal_err_message(), '\n'));
  sal_err_clear();
}

static void weights_are_read_and_checked(void)
{
  sal_weights w = {9, 9, 9};

  CU_ASSERT_EQUAL(sal_map_weights_parse("--weights", "iae=1,sd=2.5", &w), SAL_OK);
  CU_ASSERT(w.sd == 2.5 && w.dt == 0 && w.iae == 1);
  static const struct {
    const char *text, *says[4];
  } bad[] = {{"sd=0,dt=0,iae=0", {"--weights", "all weights are 0"}},
             {"sd=0", {"all weights are 0"}},
             {"sd=2,dt=-1", {"dt = -1", "negative"}},
             {"sd=2,ie=1", {"unknown weight 'ie'", "did you mean 'iae'?"}},
             {"sd=x", {"'x' is no number"}},
             {"sd=inf", {"'inf' is no number"}},
             {"sd", {"'sd' is no NAME=VALUE"}},
             {"", {"is no NAME=VALUE"}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_refused(sal_map_weights_parse("--weights", bad[i].text, &w), bad[i].says);
  CU_ASSERT(w.sd == 2.5); /* as it was */
}

/* A point is where the axes say it is; what is fixed stays. */
static void points_are_read_and_checked(void)
{
  static const char *const axes =
      SMALLEST "parameters: {f: 0.2}\ncells: {axes: [{name: b, log: [1000, 8000], points: 4}, "
               "{columns: [k, y2], random: [[10, 30], [1.5, 2]], points: 3}]}\n";
  sal_sweep sweep = accept_with(axes, 0, NULL);
  double    v[SAL_MAX_QUANTITY];

  CU_ASSERT_EQUAL(sal_parameter_point_parse("--at", &sweep, "k=20,y2=1.75,b=1234,f=0.2", v),
                  SAL_OK);
  CU_ASSERT(v[0] == 1234 && v[2] == 20 && v[3] == 0.2 && v[1] == 1.88);
  CU_ASSERT(v[5 + 2] == 1.75 && v[5] == 0.5); /* behind four parameters and an option */
  static const struct {
    const char *text, *says[4];
  } bad[] = {{"bb=1,k=20,y2=2", {"unknown axis 'bb'", "allowed: b, k, y2", "did you mean 'b'?"}},
             {"b=1000,k=20", {"--at: y2 varies in this cube, and is missing"}},
             {"b=1000,k=20,y2=2,f=0.1", {"f is 0.2 everywhere", "0.1 is another system"}},
             {"b=1000,k=20,y2=2,m1=50", {"m1 is 1.88 everywhere"}},
             {"b=-1,k=20,y2=2", {"b = -1 is out of range"}},
             {"b=1000,k=0,y2=2", {"k = 0 leaves no ground"}},
             {"b=1e3x,k=1,y2=2", {"'1e3x' is no number"}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_refused(sal_parameter_point_parse("--at", &sweep, bad[i].text, v), bad[i].says);
  sal_sweep_free(&sweep);
}

static const sal_model *monopod(void) { return sal_model_named("monopod"); }

/* The dimensionless equations (18), (19) against the physical ones (8), (9), written down apart:
 * the accelerations of a state in stance, scaled by (10)-(17), must be the same. */
static void the_conversion_keeps_the_equations_of_motion(void)
{
  const double m1 = 0.6, m2 = 11, k = 4200, l0 = 0.45, kg = 2.5e5, bg = 9e4, g = 9.8;
  const double y1 = -0.013, v1 = -0.4, y2 = 0.41, root = sqrt(-y1);
  const double a1 =
      -(bg * -y1 * root * v1 + (k + kg * root) * y1 - k * y2 + m1 * g + k * l0) / m1; /* (8) */
  const double a2               = -(-k * y1 + k * y2 + m2 * g - k * l0) / m2;         /* (9) */
  double       p[SAL_MAX_PARAM] = {0};
  sal_scales   scales;

  CU_ASSERT_EQUAL(sal_physical_parse("--physical", monopod(),
                                     "m1=600g,m2=11kg,k=4.2kN/m,l0=45cm,kg=2.5e5N/m^1.5,"
                                     "bg=9e4N*s/m^2.5,g=9.8m/s^2",
                                     p, &scales),
                  SAL_OK);
  const double s = scales.second, c = 4 * M_PI * M_PI - p[1];
  const double z1 = y1 / l0, z2 = y2 / l0, w1 = s * v1 / l0, depth = sqrt(-z1);
  const double ground = p[0] * -z1 * depth * w1 + c * p[2] * depth * z1;
  const double d1     = -(ground + c * (z1 - z2 + 1) + p[3]); /* (18) */
  const double d2     = p[1] * (z1 - z2 + 1) - p[3];          /* (19) */
  CU_ASSERT_DOUBLE_EQUAL(d1 / (s * s * a1 / l0), 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(d2 / (s * s * a2 / l0), 1, 1e-12);
  CU_ASSERT(fabs(ground) > 0.1 * fabs(d1)); /* the ground takes part in it */
  CU_ASSERT_DOUBLE_EQUAL(s, 2 * M_PI * sqrt(m1 * m2 / ((m1 + m2) * k)), 1e-15);
  CU_ASSERT(scales.metre == 0.45);
}

/* A hopper made so that (20)-(23) give the paper's nominal set. */
static void a_hopper_of_the_nominal_set_is_recognised(void)
{
  const double nominal[] = {1951, 1.88, 22.8, 0.051}, k = 5000, l0 = 0.5, mass = 10;
  const double m1 = nominal[1] / (4 * M_PI * M_PI) * mass, m2 = mass - m1;
  const double g  = nominal[3] * mass * k * l0 / (4 * M_PI * M_PI * m1 * m2);
  const double bg = nominal[0] * m1 / (2 * M_PI * pow(l0, 1.5) * sqrt(m1 * m2 / (mass * k)));
  const double kg = nominal[2] * k / sqrt(l0);
  double       p[SAL_MAX_PARAM] = {0};
  sal_scales   scales;
  char         text[256];

  snprintf(text, sizeof text,
           "m1=%.17gkg,m2=%.17gkg,k=%.17gN/m,l0=%.17gm,kg=%.17gN/m^1.5,bg=%.17gNs/m^2.5,g=%.17gm/"
           "s^2",
           m1, m2, k, l0, kg, bg, g);
  CU_ASSERT_EQUAL(sal_physical_parse("--physical", monopod(), text, p, &scales), SAL_OK);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(p[i] / nominal[i], 1, 1e-13);
}

static void units_are_checked(void)
{
#define REST "m2=11kg,k=4200N/m,l0=0.45m,kg=2.5e5N/m^1.5,bg=9e4N*s/m^2.5"
  static const struct {
    const char *text, *says[4];
  } bad[]                     = {{"m1=0.6," REST, {"m1 = 0.6 has no unit", "allowed: kg, g"}},
                                 {"m1=0.6m," REST, {"unknown unit 'm'", "allowed: kg, g"}},
                                 {"m1=0kg," REST, {"m1 = 0kg must be above 0"}},
                                 {"m1=-1kg," REST, {"must be above 0"}},
                                 {"m1=kg," REST, {"'kg' is no number with a unit"}},
                                 {"m1=0.6kg,mm2=1kg," REST, {"unknown quantity 'mm2'", "did you mean 'm2'?"}},
                                 {REST, {"m1, the mass of the toe, is missing"}},
                                 {"m1=0.6kg,g=9.81m/s," REST, {"g: unknown unit 'm/s'", "allowed: m/s^2"}}};
  double     p[SAL_MAX_PARAM] = {0};
  sal_scales scales;

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_refused(sal_physical_parse("--physical", monopod(), bad[i].text, p, &scales),
                  bad[i].says);
  CU_ASSERT_EQUAL(sal_physical_parse("--physical", monopod(), "m1=0.6kg," REST, p, &scales),
                  SAL_OK);
  const double preset = p[3];
  CU_ASSERT_EQUAL(
      sal_physical_parse("--physical", monopod(), "m1=0.6kg,g=9.81m/s^2," REST, p, &scales),
      SAL_OK);
  CU_ASSERT(preset > 0 && p[3] == preset);
  static const char *const other[] = {"plate has no physical quantities", "monopod", NULL};
  check_refused(
      sal_physical_parse("--physical", sal_model_named("plate"), "m1=0.6kg," REST, p, &scales),
      other);
}

SAL_TEST_MAIN(
    "questions to a map", NULL, {"weights are read and checked", weights_are_read_and_checked},
    {"points are read and checked", points_are_read_and_checked},
    {"the conversion keeps the equations of motion", the_conversion_keeps_the_equations_of_motion},
    {"a hopper of the nominal set is recognised", a_hopper_of_the_nominal_set_is_recognised},
    {"units are checked", units_are_checked})
