/** Units of metrics, of each model, and as they are asked for. */
#include "refuse.h"
#include "registry.h"
#include "units.h"
#include <math.h>

static const char *unit_of(int metric, const char *model, char text[SAL_UNITS_TEXT])
{
  return sal_units_of_metric(&sal_metrics[metric], sal_registry_model(model), text);
}

static const char *unit_of_cell(int metric, const char *model, char text[SAL_UNITS_TEXT])
{
  return sal_units_of_metric(&sal_metrics_of_cell[metric], sal_registry_model(model), text);
}

static void metrics_have_the_units_of_their_model(void)
{
  char text[SAL_UNITS_TEXT];

  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_MAX_ERROR, "hopping-leg", text), "m");
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_MAX_ERROR_PARTIAL, "hopping-leg", text), "m");
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_IAE, "hopping-leg", text), "m s");
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_DT, "hopping-leg", text), "s");
  CU_ASSERT_STRING_EQUAL(unit_of_cell(SAL_CELL_RATE, "hopping-leg", text), "1/s");
  CU_ASSERT_STRING_EQUAL(unit_of_cell(SAL_CELL_PERIOD, "plate", text), "s");
  CU_ASSERT_STRING_EQUAL(unit_of_cell(SAL_CELL_SR, "hopping-leg", text), "1");
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_STEPS, "hopping-leg", text), "1");
  CU_ASSERT_PTR_NULL(unit_of(SAL_METRIC_OUTCOME, "hopping-leg", text));
  CU_ASSERT_PTR_NULL(unit_of_cell(SAL_CELL_REFERENCE_ERROR, "hopping-leg", text)); /* m and m/s */
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_IAE, "monopod", text), "1");
  CU_ASSERT_STRING_EQUAL(unit_of_cell(SAL_CELL_RATE, "monopod", text), "1");
  CU_ASSERT_STRING_EQUAL(unit_of_cell(SAL_CELL_REFERENCE_ERROR, "monopod", text), "1");
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_SD, "monopod", text), "s"); /* of a processor */
  CU_ASSERT_STRING_EQUAL(unit_of(SAL_METRIC_IAE, "decay", text), "s");
}

/* Symbols of metrics.def that nothing resolves would stand in a cube. */
static void no_symbol_is_left(void)
{
  char text[SAL_UNITS_TEXT];

  for (int i = 0; i < SAL_N_METRIC + SAL_N_CELL_METRIC; ++i) {
    const sal_metric *m =
        i < SAL_N_METRIC ? &sal_metrics[i] : &sal_metrics_of_cell[i - SAL_N_METRIC];
    const char *unit = sal_units_of_metric(m, sal_registry_model("monopod"), text);
    CU_ASSERT(!unit || strcmp(unit, "1") == 0 || strcmp(unit, "s") == 0);
  }
}

/* A velocity is a position over the unit of time: of each model, state by state. */
static void each_model_states_its_unit_of_time(void)
{
  int seconds = 0, velocities = 0;

  for (int k = 0; sal_registry_models[k]; ++k) {
    const sal_model *m = sal_registry_models[k];
    CU_ASSERT_PTR_NOT_NULL(m->time);
    if (!m->time) continue;
    CU_ASSERT(strcmp(m->time, "s") == 0 || strcmp(m->time, "1") == 0);
    seconds += strcmp(m->time, "s") == 0;
    for (int i = 0; i < sal_model_continuous(m); ++i) {
      char wanted[SAL_UNITS_TEXT];
      if (!m->velocity[i]) continue;
      ++velocities;
      snprintf(wanted, sizeof wanted, strcmp(m->time, "s") == 0 ? "%s/s" : "%s", m->state[i].unit);
      CU_ASSERT_STRING_EQUAL(m->state[m->velocity[i] - 1].unit, wanted);
    }
  }
  CU_ASSERT(seconds > 4 && velocities > 10);
}

static void errors_are_read_in_their_unit(void)
{
  static const struct {
    const char *text, *unit;
    double value;
  } good[] = {{"1e-3", "m", 1e-3},    {"1mm", "m", 1e-3}, {"2.5 cm", "m", 0.025},
              {"1e-3m", "m", 1e-3},   {"3um", "m", 3e-6}, {"1deg", "rad", 0.017453292519943295},
              {"36km/h", "m/s", 10},  {"0.5", "1", 0.5},  {"7nm", "m", 7e-9},
              {"2mrad", "rad", 2e-3}, {"1kN", NULL, 1}};

  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    double value = NAN;
    CU_ASSERT_EQUAL(sal_units_read("--error", "an error of y", good[i].text, good[i].unit, &value),
                    SAL_OK);
    CU_ASSERT(fabs(value - good[i].value) <= 4e-16 * good[i].value);
  }
}

static void units_of_another_kind_are_refused(void)
{
  static const struct {
    const char *text, *unit, *says;
  } bad[] = {{"3kg", "m",
              "'3kg': allowed for an error of y: a number, in m, or with one of the units nm, um"},
             {"1deg", "m", "a number, in m"},
             {"1mm", "1", "'1mm': an error of y has no unit; allowed: a number"},
             {"1mm", "N", "allowed for an error of y: a number, in N"},
             {"mm", "m", "'mm' is not a number"},
             {"1e", "m", "'1e' is not a number"}};

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    double value = NAN;
    CU_ASSERT_EQUAL(sal_units_read("--error", "an error of y", bad[i].text, bad[i].unit, &value),
                    SAL_ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), bad[i].says));
    sal_err_clear();
  }
}

SAL_TEST_MAIN("units", NULL,
              {"metrics have the units of their model", metrics_have_the_units_of_their_model},
              {"no symbol is left", no_symbol_is_left},
              {"each model states its unit of time", each_model_states_its_unit_of_time},
              {"errors are read in their unit", errors_are_read_in_their_unit},
              {"units of another kind are refused", units_of_another_kind_are_refused})
