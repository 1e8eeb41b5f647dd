/** Questions to a map: weights, points of the parameter space, a real robot. */
#include "map.h"
#include "memory.h"
#include "parameter_column.h"
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
             {"sd=x", {"'x' is not a number"}},
             {"sd=inf", {"'inf' is not a number"}},
             {"sd", {"'sd': expected NAME=VALUE"}},
             {"", {"expected NAME=VALUE"}}};
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
  double v[SAL_MAX_QUANTITY];

  CU_ASSERT_EQUAL(sal_parameter_point_parse("--at", &sweep, "k=20,y2=1.75,b=1234,f=0.2", v),
                  SAL_OK);
  CU_ASSERT(v[0] == 1234 && v[2] == 20 && v[3] == 0.2 && v[1] == 1.88);
  CU_ASSERT(v[7 + 2] == 1.75 && v[7] == 0.5); /* after six parameters and an option */
  static const struct {
    const char *text, *says[4];
  } bad[] = {{"bb=1,k=20,y2=2", {"unknown axis 'bb'", "allowed: b, k, y2", "did you mean 'b'?"}},
             {"b=1000,k=20", {"--at: y2 varies in this cube, and is missing"}},
             {"b=1000,k=20,y2=2,f=0.1", {"f is 0.2 everywhere", "0.1 is another system"}},
             {"b=1000,k=20,y2=2,m1=50", {"m1 is 1.88 everywhere"}},
             {"b=-1,k=20,y2=2", {"b = -1 is out of range"}},
             {"b=1000,k=0,y2=2", {"k = 0 leaves no ground"}},
             {"b=1e3x,k=1,y2=2", {"'1e3x' is not a number"}}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_refused(sal_parameter_point_parse("--at", &sweep, bad[i].text, v), bad[i].says);
  sal_sweep_free(&sweep);
}

static const sal_model *monopod(void) { return sal_registry_model("monopod"); }

/* Parameters p [n_param] alone, and the scales that follow. */
static sal_err parse(const sal_model *m, const char *text, double p[], sal_scales *scales)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE] = {0};
  SAL_OWN sal_measure *measure = sal_alloc(1, sizeof *measure);

  memcpy(param, p, (size_t)m->n_param * sizeof *p);
  SAL_TRY(sal_physical_parse("--physical", m, text, param, initial, measure));
  memcpy(p, param, (size_t)m->n_param * sizeof *p);
  *scales = measure->scales;
  return SAL_OK;
}

static void units_are_checked(void)
{
#define REST "m2=11kg,k=4200N/m,l0=0.45m,kg=2.5e5N/m^1.5,bg=9e4N*s/m^2.5"
  static const struct {
    const char *text, *says[4];
  } bad[] = {{"m1=0.6," REST, {"m1 = 0.6 has no unit", "allowed: kg, g"}},
             {"m1=0.6m," REST, {"unknown unit 'm'", "allowed: kg, g"}},
             {"m1=0kg," REST, {"m1 = 0kg must be above 0"}},
             {"m1=-1kg," REST, {"must be above 0"}},
             {"m1=kg," REST, {"'kg' is not a number with a unit"}},
             {"m1=0.6kg,mm2=1kg," REST, {"unknown quantity 'mm2'", "did you mean 'm2'?"}},
             {REST, {"m1, the mass of the toe, is missing"}},
             {"m1=0.6kg,g=9.81m/s," REST, {"g: unknown unit 'm/s'", "allowed: m/s^2"}}};
  double p[SAL_MAX_PARAM] = {0};
  sal_scales scales;

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_refused(parse(monopod(), bad[i].text, p, &scales), bad[i].says);
  CU_ASSERT_EQUAL(parse(monopod(), "m1=0.6kg," REST, p, &scales), SAL_OK);
  const double preset = p[3];
  CU_ASSERT_EQUAL(parse(monopod(), "m1=0.6kg,g=9.81m/s^2," REST, p, &scales), SAL_OK);
  CU_ASSERT(preset > 0 && p[3] == preset);
  static const char *const other[] = {"affine3 has no physical quantities; allowed: monopod", NULL};
  check_refused(parse(sal_registry_model("affine3"), "m1=0.6kg," REST, p, &scales), other);
}

/* One hopper, written in every unit there is. */
static void units_are_converted(void)
{
  static const char *const text[] = {
      "m1=0.6kg,m2=11kg,k=4200N/m,l0=0.45m,kg=2.5e5N/m^1.5,bg=9e4N*s/m^2.5,g=9.8m/s^2",
      "m1=600g,m2=11000g,k=4.2kN/m,l0=45cm,kg=250kN/m^1.5,bg=9e4Ns/m^2.5,g=9.8m/s^2",
      "m1=0.6 kg,m2=11 kg,k=4.2 N/mm,l0=450 mm,kg=2.5e5 N/m^1.5,bg=9e4 N*s/m^2.5,g=9.8 m/s^2"};
  double p[3][SAL_MAX_PARAM] = {{0}};
  sal_scales scales;

  for (int i = 0; i < 3; ++i) {
    CU_ASSERT_EQUAL(parse(monopod(), text[i], p[i], &scales), SAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(scales.metre, 0.45, 1e-15);
    for (int k = 0; k < 4; ++k) CU_ASSERT(p[0][k] > 0 && fabs(p[i][k] / p[0][k] - 1) < 1e-14);
  }
}

/* A made-up model: p = (kept, ratio), ratio = heat / (mass of the cup), in a range of its own. */
static void cup_from_physical(const void *inner, const double q[], double p[], sal_scales *scales)
{
  (void)inner;
  p[1] = q[1] / q[0];
  *scales = (sal_scales){.second = q[2], .metre = 1};
}

static const sal_physical cup_physical = {
    .n_quantity = 3,
    .quantity = {{"mass", "mass of the cup", {{"kg", 1}, {"g", 1e-3}}, NAN},
                 {"heat", "heat in it", {{"J", 1}, {"kJ", 1e3}}, NAN},
                 {"time", "time it takes", {{"s", 1}, {"h", 3600}}, 60}},
    .from_physical = cup_from_physical};

static const sal_model cup = {
    .name = "cup",
    .n_param = 2,
    .param = {{.name = "kept", .least = 0, .most = 9}, {.name = "ratio", .least = 0, .most = 1e6}},
    .physical = &cup_physical};

static void any_model_may_have_physical_quantities(void)
{
  static const char *const range[] = {"--physical: ratio = 2000000 is out of range", NULL};
  static const char *const unknown[] = {"unknown quantity 'm1'", "allowed: mass, heat, time", NULL};
  double p[] = {7, 0};
  sal_scales scales;

  CU_ASSERT_EQUAL(parse(&cup, "heat=3kJ,mass=500g", p, &scales), SAL_OK);
  CU_ASSERT(p[0] == 7 && p[1] == 6000 && scales.second == 60 && scales.metre == 1);
  CU_ASSERT_EQUAL(parse(&cup, "heat=3J,mass=1kg,time=2h", p, &scales), SAL_OK);
  CU_ASSERT(p[0] == 7 && p[1] == 3 && scales.second == 7200);
  check_refused(parse(&cup, "heat=2kJ,mass=1g", p, &scales), range);
  check_refused(parse(&cup, "m1=1kg", p, &scales), unknown);
}

SAL_TEST_MAIN("questions to a map", NULL,
              {"weights are read and checked", weights_are_read_and_checked},
              {"points are read and checked", points_are_read_and_checked},
              {"units are checked", units_are_checked},
              {"units are converted", units_are_converted},
              {"any model may have physical quantities", any_model_may_have_physical_quantities})
