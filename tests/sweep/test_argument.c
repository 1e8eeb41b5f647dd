/** Values given on a command line. */
#include "argument.h"
#include "measure.h"
#include "memory.h"
#include "parameter_column.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static const sal_model *monopod;

static sal_measure measure; /* of monopod, without scales */

static int find_monopod(void)
{
  monopod = sal_registry_model("monopod");
  if (monopod) sal_measure_begin(&measure, monopod);
  return monopod == NULL;
}

/* The last failure: its code has exit status 2, and its message is one line with all of these. */
static bool said(sal_err err, const char *a, const char *b)
{
  const char *m = sal_err_message();
  const bool okay = sal_err_exit(err) == 2 && strstr(m, a) && strstr(m, b) && !strchr(m, '\n');
  if (!okay) fprintf(stderr, "\n    %s\n", m);
  sal_err_clear();
  return okay;
}

static bool param_fails(const char *text, const char *a, const char *b)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_parameter_presets(monopod, param, initial);
  return said(sal_argument_param("--param", monopod, text, param), a, b);
}

static bool initial_fails(const char *text, const char *a, const char *b)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_parameter_presets(monopod, param, initial);
  return said(sal_measure_initial("--initial", text, &measure, initial), a, b);
}

static void presets_are_the_descriptors(void)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_parameter_presets(monopod, param, initial);
  CU_ASSERT_EQUAL(param[0], 1951);
  CU_ASSERT_EQUAL(param[1], 1.88);
  CU_ASSERT_EQUAL(param[4], 0); /* the first choice */
  CU_ASSERT_EQUAL(initial[2], 1.5);
}

static void parameters_and_options_are_read_by_name(void)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_parameter_presets(monopod, param, initial);
  CU_ASSERT_EQUAL(sal_argument_param("--param", monopod, "m1=20,b=1e3,adhesion=clamp", param),
                  SAL_OK);
  CU_ASSERT_EQUAL(param[0], 1000);
  CU_ASSERT_EQUAL(param[1], 20);
  CU_ASSERT_EQUAL(param[2], 22.8);
  CU_ASSERT_EQUAL(param[6], 1);
  CU_ASSERT_EQUAL(sal_measure_initial("--initial", "y2=-1,v1=.5", &measure, initial), SAL_OK);
  CU_ASSERT_EQUAL(initial[1], 0.5);
  CU_ASSERT_EQUAL(initial[2], -1);
  CU_ASSERT_EQUAL(initial[0], 0.5);
}

static void bad_parameters_are_refused(void)
{
  CU_ASSERT(param_fails(
      "m2=1", "--param: unknown parameter 'm2'; allowed: b, m1, k, f, zeta_F, zeta_G, adhesion",
      "did you mean 'm1'?"));
  CU_ASSERT(param_fails("b=1,adhesion=litteral", "unknown word for adhesion 'litteral'",
                        "did you mean 'literal'?"));
  CU_ASSERT(param_fails("b=-1", "b = -1 is out of range", "from 0 to"));
  CU_ASSERT(param_fails("b=nan", "'nan' is not a number", "b"));
  CU_ASSERT(param_fails("b=1x", "'1x' is not a number", "b"));
  CU_ASSERT(param_fails("b=", "'' is not a number", "b"));
  CU_ASSERT(param_fails("m1=39.5", "--param: ", "body mass"));
}

static void bad_initial_states_are_refused(void)
{
  CU_ASSERT(initial_fails("y3=1", "unknown state 'y3'; allowed: y1, v1, y2, v2", "mean 'y1'?"));
  CU_ASSERT(initial_fails("y1=inf", "--initial: y1: 'inf'", "finite"));
  CU_ASSERT(initial_fails("y1=1e9", "y1 = 1000000000", "from -1000 to 1000"));
}

static void lists_that_are_none_are_refused(void)
{
  static const char *const texts[] = {"", "b", "=1", "b=1,", ",b=1", "b=1,,k=2"};
  static char word[1000];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    CU_ASSERT(param_fails(texts[i], "--param: ", "NAME=VALUE"));
  CU_ASSERT(initial_fails("", "--initial: ", "NAME=VALUE"));
  CU_ASSERT(initial_fails("y1=1,", "--initial: ", "NAME=VALUE"));
  memset(word, 'b', sizeof word - 1);
  word[500] = '=';
  CU_ASSERT(param_fails(word, "--param: ", "NAME=VALUE"));
  word[1] = '=';
  CU_ASSERT(param_fails(word, "--param: ", "NAME=VALUE"));
}

static void names_are_found_or_the_nearest_one_is_told(void)
{
  const sal_model *model;
  const sal_method *method;
  const sal_strategy *strategy;
  CU_ASSERT_EQUAL(sal_argument_model("x", "monopod", &model), SAL_OK);
  CU_ASSERT_PTR_EQUAL(model, monopod);
  CU_ASSERT_EQUAL(sal_argument_method("x", "ode45", &method), SAL_OK);
  CU_ASSERT_STRING_EQUAL(method->name, "ode45");
  CU_ASSERT_EQUAL(sal_argument_strategy("x", "event", &strategy), SAL_OK);
  CU_ASSERT_STRING_EQUAL(strategy->name, "event");
  CU_ASSERT(said(sal_argument_model("--model", "Monopot", &model),
                 "--model: unknown model 'Monopot'", "did you mean 'monopod'?"));
  CU_ASSERT_PTR_NULL(model);
  CU_ASSERT(said(sal_argument_method("--method", "ode151s", &method), "allowed: ode23, ode45",
                 "'ode15s'?"));
  CU_ASSERT(said(sal_argument_strategy("--strategy", "swich", &strategy), "unknown strategy",
                 "'switch'?"));
}

static void tolerances_have_a_range(void)
{
  CU_ASSERT_EQUAL(sal_argument_tolerance("--tol", 1e-14), SAL_OK);
  CU_ASSERT_EQUAL(sal_argument_tolerance("--tol", 0.1), SAL_OK);
  CU_ASSERT(
      said(sal_argument_tolerance("--tol", 0.99e-14), "--tol: tolerance", "from 1e-14 to 0.1"));
  CU_ASSERT(said(sal_argument_tolerance("--tol", 0.11), "tolerance = 0.11", "from 1e-14 to 0.1"));
  CU_ASSERT(said(sal_argument_tolerance("--tol", 0), "tolerance = 0 ", "from 1e-14 to 0.1"));
  CU_ASSERT(said(sal_argument_tolerance("--tol", (double)NAN), "tolerance = nan", "to 0.1"));
}

static bool direction_fails(const char *text, const char *a, const char *b)
{
  double direction[SAL_MAX_STATE];
  return said(sal_argument_direction("--direction", monopod, text, direction), a, b);
}

static void directions_have_no_range_but_are_not_0(void)
{
  double d[SAL_MAX_STATE];
  for (int i = 0; i < SAL_MAX_STATE; ++i) d[i] = 7;
  CU_ASSERT_EQUAL(sal_argument_direction("--direction", monopod, "v1=-1e300,y2=0.5", d), SAL_OK);
  CU_ASSERT(d[0] == 0 && d[1] == -1e300 && d[2] == 0.5 && d[3] == 0);
  CU_ASSERT(initial_fails("v1=-1e300", "v1", "out of range"));
  CU_ASSERT(direction_fails("y1=0,v2=-0", "--direction", "not a direction"));
  CU_ASSERT(direction_fails("y3=1", "unknown state 'y3'", "allowed: y1, v1, y2, v2"));
  CU_ASSERT(direction_fails("y1=inf", "y1", "not a number"));
  CU_ASSERT(direction_fails("y1", "--direction", "NAME=VALUE"));
}

SAL_TEST_MAIN("argument", find_monopod,
              {"presets are the descriptor's", presets_are_the_descriptors},
              {"parameters and options are read by name", parameters_and_options_are_read_by_name},
              {"bad parameters are refused", bad_parameters_are_refused},
              {"bad initial states are refused", bad_initial_states_are_refused},
              {"directions have no range but are not 0", directions_have_no_range_but_are_not_0},
              {"lists that are none are refused", lists_that_are_none_are_refused},
              {"names are found or the nearest one is printed",
               names_are_found_or_the_nearest_one_is_told},
              {"tolerances have a range", tolerances_have_a_range})
