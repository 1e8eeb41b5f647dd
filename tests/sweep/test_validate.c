/** Values out of range or that make no sense together; presets that depend on other values. */
#include "compatibility.h"
#include "refuse.h"
#include "registry.h"
#include "sweep_read.h"

#define WITH_TOLERANCES(list)                                                                      \
  "model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [event]\nrtol: " list "\n"

static void numbers_that_are_none_are_refused(void)
{
  refuse("mesh: nan\n", "s.yaml:6", "mesh: 'nan' is not a number", "finite");
  refuse("mesh: inf\n", "s.yaml:6", "'inf' is not a number");
  refuse("mesh: .inf\n", "s.yaml:6", "'.inf' is not a number");
  refuse("mesh: -Infinity\n", "s.yaml:6", "is not a number");
  refuse("mesh: 1e999\n", "s.yaml:6", "'1e999' is too large", "1.7976931348623157e+308");
  refuse("mesh: 1x\n", "s.yaml:6", "'1x' is not a number");
  refuse("mesh: 0x1\n", "s.yaml:6", "'0x1' is not a number");
  refuse("mesh: 0.1 0.2\n", "s.yaml:6", "is not a number");
  refuse("parameters: {m1: nan}\n", "s.yaml:6", "m1: 'nan' is not a number");
  refuse("cells:\n  columns: [b]\n  rows:\n  - [1s]\n", "s.yaml:9", "b: '1s' is not a number");
  refuse("divergence: {epsilon: [1,5]}\n", "s.yaml:6", "divergence.epsilon: a list of 2");
}

static void numbers_out_of_range_are_refused(void)
{
  refuse_text("model: monopod\nt_end: 0\nsolvers: [ode45]\nstrategies: [event]\n"
              "rtol: [1e-3]\n",
              "s.yaml:2", "t_end = 0", "greater than 0");
  refuse_text("model: monopod\nt_end: -5\nsolvers: [ode45]\nstrategies: [event]\n"
              "rtol: [1e-3]\n",
              "s.yaml:2", "t_end = -5", "greater than 0");
  refuse("mesh: 0\n", "s.yaml:6", "mesh = 0", "greater than 0");
  refuse("mesh: 5e-324\n", "s.yaml:6", "mesh = 5e-324 is out of range",
         "from 2.2250738585072014e-308");
  refuse("reference_tolerance: 0.10000000000000002\n", "s.yaml:6",
         "reference_tolerance = 0.10000000000000002", "from 1e-14 to 0.1");
  refuse("mesh: -0.1\n", "s.yaml:6", "mesh = -0.1", "greater than 0");
  refuse("max_step: -1\n", "s.yaml:6", "max_step = -1", "from 0");
  refuse("max_attempts: -1\n", "s.yaml:6", "max_attempts = -1", "from 0");
  refuse("max_attempts: 1.5\n", "s.yaml:6", "max_attempts = 1.5 is not a whole number");
  refuse("timing: {repeats: 0.5}\n", "s.yaml:6", "timing.repeats = 0.5 is not a whole number");
  refuse("reference_tolerance: 0\n", "s.yaml:6", "reference_tolerance = 0", "from 1e-14 to 0.1");
  refuse("divergence:\n  floor: -1\n", "s.yaml:7", "divergence.floor = -1", "from 0");
  refuse("divergence: {epsilon: [0]}\n", "s.yaml:6", "divergence.epsilon = 0", "greater than 0");
}

static void tolerances_out_of_range_are_refused(void)
{
  refuse_text(WITH_TOLERANCES("[1e-3, 0]"), "s.yaml:5", "rtol = 0", "from 1e-14 to 0.1");
  refuse_text(WITH_TOLERANCES("[1e-3,\n -1e-6]"), "s.yaml:6", "rtol = -1e-06");
  refuse_text(WITH_TOLERANCES("[0.5]"), "s.yaml:5", "rtol = 0.5");
  refuse_text(WITH_TOLERANCES("[1e-15]"), "s.yaml:5", "rtol = 1e-15");
}

static void inadmissible_parameters_are_refused(void)
{
  refuse("parameters: {b: -3}\n", "s.yaml:6", "b = -3", "from 0 to");
  refuse("initial: {v2: 1e4}\n", "s.yaml:6", "v2 = 10000", "from -1000 to 1000");
  refuse("cells:\n  columns: [k, b]\n  rows:\n  - [1, 2]\n  - [1, -2]\n", "s.yaml:10", "b = -2");
}

static void parameters_that_make_no_sense_together_are_refused(void)
{
  refuse("parameters: {m1: 39.5}\n", "s.yaml:6", "m1 >= 4 pi^2", "body mass");
  refuse("cells:\n  columns: [b, m1]\n  rows:\n  - [1, 39.4]\n  - [1, 40]\n", "s.yaml:10",
         "body mass");
}

static void entries_that_are_there_twice_are_refused(void)
{
  refuse_text("model: monopod\nt_end: 5\nsolvers: [ode45, ode23,\n  ode45]\nstrategies: [event]\n"
              "rtol: [1e-3]\n",
              "s.yaml:4", "duplicate 'ode45' in solvers");
  refuse_text("model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [event, event]\n"
              "rtol: [1e-3]\n",
              "s.yaml:4", "duplicate 'event' in strategies");
  refuse_text(WITH_TOLERANCES("[1e-3, 0.001]"), "s.yaml:5", "duplicate '0.001' in rtol");
  refuse("cells:\n  columns: [b, k, b]\n  rows:\n  - [1, 2, 3]\n", "s.yaml:7",
         "duplicate 'b' in cells.columns");
}

static void a_column_cannot_be_fixed_too(void)
{
  refuse("cells: {columns: [b], rows: [[1]]}\nparameters: {b: 3}\n", "s.yaml:7", "b is a column",
         "parameters");
  refuse("initial: {y1: 0}\ncells: {columns: [y1], rows: [[1]]}\n", "s.yaml:6", "y1 is a column",
         "initial");
}

static void a_mesh_that_does_not_fit_is_refused(void)
{
  refuse("mesh: 1e-9\n", "s.yaml:6", "mesh = 1e-09", "t_end = 5", "5e+09 intervals", "1e+08");
  refuse("mesh: 5.5\n", "s.yaml:6", "mesh = 5.5 is wider than t_end = 5");
  refuse("mesh: 1e-320\n", "s.yaml:6", "mesh");
  /* With the preset of mesh it is t_end that is at fault. */
  refuse_set("t_end=1e6", "--set t_end", "1e+09 intervals");
  refuse_set("t_end=1e-4", "--set t_end", "wider than");
}

static void epsilon_needs_one_entry_per_tolerance(void)
{
  refuse("divergence: {epsilon: [0.05, 0.01]}\n", "s.yaml:6", "divergence.epsilon: a list of 2",
         "1, one for each tolerance");
}

static void epsilon_has_a_preset_for_each_tolerance(void)
{
  sal_sweep s = accept_with(WITH_TOLERANCES("[0.01, 1e-3, 9.9999999999e-4, 9e-4, 1e-9]"), 0, NULL);
  static const double expected[] = {0.05, 0.05, 0.05, 0.01, 0.01};
  for (int i = 0; i < 5; ++i) CU_ASSERT_EQUAL(s.epsilon[i], expected[i]);
  sal_sweep_free(&s);
  s = accept("divergence: {epsilon: [0.125]}\n");
  CU_ASSERT_EQUAL(s.epsilon[0], 0.125);
  sal_sweep_free(&s);
}

static void the_mesh_ends_at_t_end_and_is_fine_enough(void)
{
  static const struct {
    const char *t_end, *mesh;
    int64_t n;
  } cases[] = {{"50", "0.001", 50000}, {"5", "5", 1},
               {"1", "0.1", 10},       {"1", "0.3", 4},
               {"0.7", "0.1", 7},      {"2.1", "0.3", 7},
               {"4.2", "0.6", 7},      {"3", "0.00003", 100000},
               {"2", "1.999", 2},      {"100", "1e-6", 100000000}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char t_end[40], mesh[40];
    snprintf(t_end, sizeof t_end, "t_end=%s", cases[i].t_end);
    snprintf(mesh, sizeof mesh, "mesh=%s", cases[i].mesh);
    sal_sweep s = accept_with(SMALLEST, 2, (const char *const[]){t_end, mesh});
    CU_ASSERT_EQUAL(s.n_mesh, cases[i].n);
    CU_ASSERT(s.t_end / (double)s.n_mesh <= s.mesh * (1 + 1e-9));
    sal_sweep_free(&s);
  }
}

static void references_have_their_own_preset_tolerance(void)
{
  static const struct {
    const char *lines;
    double tolerance;
  } cases[] = {{SMALLEST "reference: certified\n", 1e-13},
               {SMALLEST "reference: paper\n", 1e-12},
               {SMALLEST "reference: paper\nreference_tolerance: 1e-10\n", 1e-10}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sal_sweep s = accept_with(cases[i].lines, 0, NULL);
    CU_ASSERT_EQUAL(s.reference, i ? SAL_REFERENCE_PAPER : SAL_REFERENCE_CERTIFIED);
    CU_ASSERT_EQUAL(s.reference_tolerance, cases[i].tolerance);
    sal_sweep_free(&s);
  }
}

static void pairs_that_cannot_work_are_refused_by_name(void)
{
  refuse_text("model: decay\nsolvers: [ode45, rosnys4]\nstrategies: [event]\nrtol: [1e-3]\n",
              "s.yaml:3", "rosnys4 is for second-order systems",
              "model decay has states that are neither a position nor its velocity");
  refuse_text("model: monopod\nt_end: 5\nsolvers: [ode45, ode15s]\nstrategies: [event, ess2]\n"
              "rtol: [1e-3]\n",
              "s.yaml:4", "strategy ess2", "one-step", "ode15s");
  refuse_text("model: bouncing-ball\nt_end: 5\nsolvers: [ode45]\nstrategies: [switch]\n"
              "rtol: [1e-3]\n",
              "s.yaml:4", "bouncing-ball resets", "switch");
  sal_sweep sweep = accept("projection: {zone: 1e-3, measure: gap, step: 0.01}\n");
  CU_ASSERT(sweep.zone == 1e-3 && !sweep.zone_in_time && sweep.step == 0.01);
  sal_sweep_free(&sweep);
}

static void pairs_that_cannot_work_may_be_left_out(void)
{
  sal_sweep s;

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml",
                                        "model: monopod\nt_end: 5\nsolvers: [ode45, ode15s]\n"
                                        "strategies: [event, ess2]\nrtol: [1e-3]\n"
                                        "unsupported: leave-out\ncontacts: every\n",
                                        0, NULL, &s),
                        SAL_OK);
  CU_ASSERT(!s.incompatible[0][0] && !s.incompatible[0][1] && !s.incompatible[1][0] &&
            s.incompatible[1][1]);
  CU_ASSERT(s.every_contact);
  sal_sweep_free(&s);
}

static void a_model_says_how_long_its_runs_are(void)
{
  const char *text = "model: hopper1d\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n";
  sal_sweep s = accept_with(text, 0, NULL), again;

  CU_ASSERT_EQUAL(s.t_end, sal_registry_model("hopper1d")->span);
  CU_ASSERT_PTR_NOT_NULL(strstr(s.text, "t_end: 10")); /* whatever another program thinks */
  again = accept_with(s.text, 0, NULL);
  CU_ASSERT(again.t_end == s.t_end && strcmp(again.settled, s.settled) == 0);
  sal_sweep_free(&again);
  sal_sweep_free(&s);
  s = accept_with(text, 1, (const char *const[]){"t_end=3"});
  CU_ASSERT_EQUAL(s.t_end, 3);
  sal_sweep_free(&s);
  refuse_text("model: hopper1d\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\nmesh: 11\n",
              "s.yaml:5", "mesh = 11 is wider than t_end = 10");
}

/* One file for any model: what goes together runs. */
static void all_methods_and_strategies_make_a_sweep_of_any_model(void)
{
  const char *text = "model: monopod\nsolvers: all\nstrategies: all\nrtol: [1e-3]\n"
                     "unsupported: leave-out\n";

  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    char model[80];
    snprintf(model, sizeof model, "model=%s", (*m)->name);
    sal_sweep s = accept_with(text, 1, (const char *const[]){model}), again;
    int ran = 0;
    CU_ASSERT(s.model == *m && s.t_end == (*m)->span);
    CU_ASSERT(s.n_method == SAL_N_METHOD && s.n_strategy == SAL_N_STRATEGY - 1);
    for (int i = 0; i < s.n_method * s.n_strategy; ++i) {
      const int method = i % s.n_method, strategy = i / s.n_method;
      char why[SAL_COMPATIBILITY_TEXT];
      sal_setup setup = {.model = s.model,
                         .method = s.method[method],
                         .strategy = s.strategy[strategy],
                         .zone_in_time = true};
      CU_ASSERT(s.method[method] == sal_registry_methods[method]);
      CU_ASSERT(s.incompatible[strategy][method] == (sal_compatibility_flaw(&setup, why) != NULL));
      ran += !s.incompatible[strategy][method];
    }
    CU_ASSERT(ran >= s.n_method / 2 && ran < s.n_method * s.n_strategy);
    again = accept_with(s.text, 0, NULL);
    CU_ASSERT(again.n_method == s.n_method && strcmp(again.settled, s.settled) == 0);
    CU_ASSERT_PTR_NULL(strstr(s.text, "solvers: all"));
    sal_sweep_free(&again);
    sal_sweep_free(&s);
  }
  refuse_text("model: monopod\nsolvers: [all, ode45]\nstrategies: [event]\nrtol: [1e-3]\n",
              "s.yaml:2", "duplicate 'ode45' in solvers");
  refuse_text("model: monopod\nsolvers: ode45\nstrategies: [event]\nrtol: [1e-3]\n", "s.yaml:2",
              "a list");
  refuse_text("model: bouncing-ball\nsolvers:\n  all\nstrategies:\n  all\nrtol: [1e-3]\n",
              "s.yaml:5", "resets its state", "unsupported: leave-out");
}

static void a_zone_in_gaps_takes_no_time(void)
{
  refuse_text("model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [ess, ess-listing1]\n"
              "rtol: [1e-3]\n",
              "s.yaml:4", "zone of strategy ess-listing1", "gap");
}

static void a_zone_wider_than_the_drop_is_refused(void)
{
  static const char lines[] = "model: hopper1d\nt_end: 2\nsolvers: [ode45]\nstrategies: [%s]\n"
                              "rtol: [1e-3]\nprojection: {zone: %g, measure: %s}\n";
  char text[256];

  snprintf(text, sizeof text, lines, "ess", 1.5, "gap");
  refuse_text(text, "s.yaml:6", "projection.zone", "1.5", "narrower than the drop, 1");
  snprintf(text, sizeof text, lines, "ess2", 3.0, "time");
  refuse_text(text, "s.yaml:6", "projection.zone", "3 in time", "shorter than the run, 2");
  snprintf(text, sizeof text, lines, "ess2", -1.0, "time");
  refuse_text(text, "s.yaml:6", "projection.zone", "-1", "greater than 0");
  snprintf(text, sizeof text, lines, "event", 3.0, "time"); /* no strategy projects */
  sal_sweep sweep;
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  sal_sweep_free(&sweep);
}

#define PLATE "model: plate\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n"

static void contacts_are_counted_in_whole_numbers(void)
{
  sal_sweep sweep;

  refuse_text(PLATE "parameters: {n: 2.5}\n", "s.yaml:6", "n = 2.5 is not a whole number");
  refuse_text(PLATE "parameters: {n: 0}\n", "s.yaml:6", "n = 0 is out of range");
  refuse_text(PLATE "parameters: {K: -1}\n", "s.yaml:6", "K = -1 is out of range");
  refuse_text(PLATE "parameters: {length: 1}\n", "s.yaml:6", "shorter than the bed");
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml",
                                        PLATE "cells:\n  columns: [n]\n  rows: [[3], [40], [7]]\n",
                                        0, NULL, &sweep),
                        SAL_OK);
  CU_ASSERT_EQUAL(sweep.n_guard, 40);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN(
    "settle", NULL,
    {"pairs that cannot work are refused by name", pairs_that_cannot_work_are_refused_by_name},
    {"pairs that cannot work may be left out", pairs_that_cannot_work_may_be_left_out},
    {"a model sets how long its runs are", a_model_says_how_long_its_runs_are},
    {"all methods and strategies make a sweep of any model",
     all_methods_and_strategies_make_a_sweep_of_any_model},
    {"a zone in gaps takes no time", a_zone_in_gaps_takes_no_time},
    {"a zone wider than the drop is refused", a_zone_wider_than_the_drop_is_refused},
    {"contacts are counted in whole numbers", contacts_are_counted_in_whole_numbers},
    {"numbers that are none are refused", numbers_that_are_none_are_refused},
    {"numbers out of range are refused", numbers_out_of_range_are_refused},
    {"tolerances out of range are refused", tolerances_out_of_range_are_refused},
    {"inadmissible parameters are refused", inadmissible_parameters_are_refused},
    {"parameters that make no sense together are refused",
     parameters_that_make_no_sense_together_are_refused},
    {"entries that are there twice are refused", entries_that_are_there_twice_are_refused},
    {"a column cannot be fixed, too", a_column_cannot_be_fixed_too},
    {"a mesh that does not fit is refused", a_mesh_that_does_not_fit_is_refused},
    {"epsilon needs one entry per tolerance", epsilon_needs_one_entry_per_tolerance},
    {"epsilon has a preset for each tolerance", epsilon_has_a_preset_for_each_tolerance},
    {"the mesh ends at t_end and is fine enough", the_mesh_ends_at_t_end_and_is_fine_enough},
    {"references have their own preset tolerance", references_have_their_own_preset_tolerance})
