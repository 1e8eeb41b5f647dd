/** Descriptors that are none: each is refused by a sentence that names what is wrong. */
#include "model_check.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static void every_registered_model_passes(void)
{
  char text[SAL_MODEL_CHECK_TEXT] = "";
  int n = 0;

  for (; sal_registry_models[n]; ++n) {
    const char *flaw = sal_model_check(sal_registry_models[n], text);
    if (flaw) fprintf(stderr, "\n    %s: %s\n", sal_registry_models[n]->name, flaw);
    CU_ASSERT_PTR_NULL(flaw);
  }
  CU_ASSERT_EQUAL(n, SAL_N_MODEL);
}

static sal_model m;
static sal_flow flow;

static void too_many_states(void) { m.n_state = 1200; }
static void too_many_parameters(void) { m.n_param = SAL_MAX_PARAM + 1; }
static void no_name(void) { m.name = ""; }
static void no_source(void) { m.source = NULL; }
static void watch_is_discrete(void)
{
  m.velocity[0] = 0;
  m.n_discrete = 1;
  m.watch = m.n_state - 1;
}
static void velocity_of_itself(void) { m.velocity[0] = 1; }
static void velocity_beyond_states(void) { m.velocity[0] = 3; }
static void velocity_is_discrete(void) { m.n_discrete = 1; }
static void all_are_discrete(void) { m.n_discrete = m.n_state; }
static void discrete_without_resets(void)
{
  m.velocity[0] = 0;
  m.n_discrete = 1;
  m.resets = false;
}
static void no_names_of_events(void) { m.contact[0] = (sal_contact){0}; }
static void no_name_of_opening(void) { m.contact[0].opens = NULL; }
static void no_span(void) { m.span = 0; }
static void endless_span(void) { m.span = INFINITY; }
#if SAL_WIDEST == 8
static void no_wide_flow(void) { m.w8 = NULL; }
#endif
static void no_rhs(void) { flow.rhs = NULL; }
static void no_gaps(void) { flow.guard = NULL; }
static void no_jump(void) { flow.jump = NULL; }
static void no_such_reference(void) { m.reference = "dop854"; }
static void preset_out_of_range(void) { m.param[1].preset = 2; }
static void range_out_of_range(void) { m.state[0].hi = 1e4; }
static void preset_that_is_no_number(void) { m.param[0].preset = NAN; }
static void range_that_is_no_number(void) { m.param[0].lo = NAN; }
static void same_names(void) { m.param[0].name = m.state[1].name; }
static void dataset_of_a_metric(void) { m.param[1].name = "steps"; }
static void group_of_the_cube(void) { m.param[0].name = "map"; }
static void name_of_a_question(void) { m.param[0].name = "by_error_e"; }
static void length_of_texts(void) { m.param[0].name = "string12"; }
static void column_of_a_trajectory(void) { m.state[1].name = "mode"; }
static void reference_of_a_state(void) { m.state[0].name = "reference_y"; }
static void names_that_are_free(void)
{
  m.param[0].name = "strings";
  m.param[1].name = "axis";
  m.state[0].name = "steps"; /* the root has initial_steps */
}
static void nameless_state(void) { m.state[1].name = NULL; }
static void constants_of_nothing(void) { m.n_const = 1; }
static void counted_by_nothing(void) { m.counted_by = 3; }
static void mass_without_solver(void)
{
  flow.mass = (void (*)(const sal_phase *, sal_v[]))(void (*)(void))no_name; /* not called */
}

static void each_flaw_is_named(void)
{
  static const struct {
    void (*spoil)(void);
    const char *says;
  } flaws[] = {
    {too_many_states, "1200 states; allowed: 1 to 1024"},
    {too_many_parameters, "65 parameters; allowed: 0 to 64"},
    {no_name, "no name"},
    {no_source, "no source"},
    {watch_is_discrete, "scored on state 1; allowed: 0 to 0"},
    {velocity_of_itself, "not pairs of a position and its velocity"},
    {velocity_beyond_states, "not pairs of a position"},
    {velocity_is_discrete, "not pairs of a position"},
    {all_are_discrete, "2 discrete states"},
    {discrete_without_resets, "is not said to reset"},
    {no_names_of_events, "events of its contacts have no names"},
    {no_name_of_opening, "closes by 'impact'"},
    {no_span, "take 0 by default"},
    {endless_span, "take inf by default"},
#if SAL_WIDEST == 8
    {no_wide_flow, "width 1, 4 or 8"},
#endif
    {no_rhs, "no right-hand side"},
    {no_gaps, "contacts, and no gaps"},
    {no_jump, "has no jump"},
    {no_such_reference, "dop854, which is not a method"},
    {preset_out_of_range, "parameter e: preset 2 lies outside of [0, 1]"},
    {range_out_of_range, "state y: [0, 10000] is more than is admissible, [0, 1000]"},
    {preset_that_is_no_number, "parameter g: preset nan; allowed: any finite number"},
    {range_that_is_no_number, "parameter g: preset"},
    {same_names, "are called v"},
    {dataset_of_a_metric, "parameter 'steps': cubes have a dataset of that name"},
    {group_of_the_cube, "parameter 'map': cubes"},
    {name_of_a_question, "parameter 'by_error_e': cubes"},
    {length_of_texts, "parameter 'string12': cubes"},
    {column_of_a_trajectory, "state 'mode': cubes"},
    {reference_of_a_state, "state 'reference_y': cubes"},
    {nameless_state, "state 1 lacks a name"},
    {constants_of_nothing, "nothing sets them"},
    {counted_by_nothing, "parameter 3 of 2"},
    {mass_without_solver, "solves no mass matrix"}
  };
  char text[SAL_MODEL_CHECK_TEXT];

  for (size_t i = 0; i < sizeof flaws / sizeof *flaws; ++i) {
    m = *sal_registry_model("bouncing-ball");
    flow = *m.w1;
    m.w1 = &flow;
    CU_ASSERT_PTR_NULL_FATAL(sal_model_check(&m, text));
    flaws[i].spoil();
    const char *flaw = sal_model_check(&m, text);
    if (!flaw || !strstr(flaw, flaws[i].says))
      fprintf(stderr, "\n    said '%s', not '%s'\n", flaw ? flaw : "", flaws[i].says);
    CU_ASSERT(flaw && strstr(flaw, flaws[i].says));
  }
}

static void other_names_are_free(void)
{
  char text[SAL_MODEL_CHECK_TEXT];

  m = *sal_registry_model("bouncing-ball");
  names_that_are_free();
  CU_ASSERT_PTR_NULL(sal_model_check(&m, text));
}

SAL_TEST_MAIN("descriptors of models", NULL,
              {"names that no dataset has are free", other_names_are_free},
              {"every registered model passes", every_registered_model_passes},
              {"each flaw is named", each_flaw_is_named})
