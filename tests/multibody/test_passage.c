/** The longest step over a road: half as long as the fastest wheel is on what can be leapt over. */
#include "model_text.h"

#define WHEEL(road, velocity, more)                                                                \
  "name: wheel\ngravity: [0, 0, -10]\nspan: 4\n"                                                   \
  "parameters: {bump: {preset: 0.05, range: [0, 0.1]}}\n"                                          \
  "bodies:\n  - {name: hub, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.5], "                  \
  "euler: [1, 0, 0, 0], velocity: [" velocity ", 0, 0]}\n"                                         \
  "tires:\n  - {name: tire, body: hub, P: [0, 0, 0], k: 1e5, c: 10, radius: 0.5}\n"                \
  "road: " road "\n" more
#define CYLINDER "{type: cylinder, radius: bump, disc: 0.5, x: 3}"
#define POINTS(...) "{type: points, points: [" #__VA_ARGS__ "]}"

static double step_with(const sal_model_file *file, double bump, double speed)
{
  const sal_model *m = sal_model_file_model(file);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {bump}, y[SAL_MAX_STATE];

  for (int i = 0; i < m->n_state; ++i) {
    y[i] = m->state[i].preset;
    if (strcmp(m->state[i].name, "hub_vx") == 0) y[i] = speed;
  }
  return sal_model_longest_step(m, param, y);
}

static void a_cylinder_lasts_as_long_as_the_disc_is_on_it(void)
{
  sal_model_file *file = parse_model(WHEEL(CYLINDER, "5", ""));
  const double half = sqrt(0.55 * 0.55 - 0.5 * 0.5);

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_DOUBLE_EQUAL(step_with(file, 0.05, 5), half / 5, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(step_with(file, 0.05, -20), half / 20, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(step_with(file, 0.05, 0), half / 5, 1e-14); /* the file's speed */
  CU_ASSERT(step_with(file, 0.1, 5) > half / 5);
  CU_ASSERT(isinf(step_with(file, 0, 5)) && isinf(step_with(file, 1e-12, 5)));
  sal_model_file_free(file);
}

/* The rise and fall of a table counts, not the spacing of its samples. */
static void a_table_lasts_from_a_kink_to_the_next_but_one(void)
{
  static const struct {
    const char *text;
    double extent;
  } roads[] = {
      {WHEEL(POINTS([ 1, 0 ], [ 1.1, 0.05 ], [ 1.3, 0 ]), "5", ""), 0.3},
      {WHEEL(POINTS([ 1, 0 ], [ 1.01, 0.05 ], [ 1.5, 0.05 ], [ 1.51, 0 ]), "5", ""), 0.5},
      {WHEEL(POINTS([ 1, 0 ], [ 1.1, 0.01 ], [ 1.2, 0.02 ], [ 1.3, 0.03 ], [ 1.6, 0 ]), "5", ""),
       0.6},
      {WHEEL(POINTS([ 1, 0 ], [ 1.001, 0.05 ]), "5", ""), INFINITY}, /* a curb stays in sight */
      {WHEEL(POINTS([ 1, 0 ], [ 2, 0 ], [ 3, 0 ]), "5", ""), INFINITY},
      {WHEEL("{type: flat}", "5", ""), INFINITY}};

  for (size_t i = 0; i < sizeof roads / sizeof *roads; ++i) {
    sal_model_file *file = parse_model(roads[i].text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const double step = step_with(file, 0, 5);
    CU_ASSERT(isinf(roads[i].extent) ? isinf(step) : fabs(step - roads[i].extent / 10) < 1e-14);
    sal_model_file_free(file);
  }
}

static void the_key_of_the_file_replaces_the_rule(void)
{
  sal_model_file *file = parse_model(WHEEL(CYLINDER, "0", "longest_step: 0.25\n"));

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT(step_with(file, 0.05, 5) == 0.25 && step_with(file, 0.05, 0) == 0.25);
  sal_model_file_free(file);
}

static void what_is_not_known_is_asked_for(void)
{
  static const struct {
    const char *text, *says;
  } faults[] = {
      {WHEEL(CYLINDER, "0", ""),
       "model.yaml:9: road: no wheel moves along x initially, so that the time on a bump is not "
       "known and a step might leap over it: give the key longest_step, or the wheels a velocity"},
      {WHEEL(POINTS([ 1, 0 ], [ 2, 1 ]), "0", ""), "model.yaml:9: road: no wheel moves"},
      {WHEEL(CYLINDER, "5", "longest_step: -1\n"),
       "model.yaml:10: longest_step = -1; allowed: greater than 0"},
      {WHEEL(CYLINDER, "5", "longest_step: 0\n"), "longest_step = 0; allowed: greater than 0"},
      {WHEEL(CYLINDER, "5", "longest_step: nan\n"), "longest_step"},
      {WHEEL(CYLINDER, "5", "longest_step: soon\n"), "longest_step: 'soon' is not a number"}};

  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    sal_model_file *file;
    sal_err_clear();
    CU_ASSERT(sal_model_file_parse("model.yaml", faults[i].text, &file) != SAL_OK);
    if (!strstr(sal_err_message(), faults[i].says)) printf("%s\n", sal_err_message());
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), faults[i].says));
    sal_model_file_free(file);
  }
  CU_ASSERT(sal_memory_live() == 0);
}

SAL_TEST_MAIN("passage", NULL,
              {"a cylinder lasts as long as the disc is on it",
               a_cylinder_lasts_as_long_as_the_disc_is_on_it},
              {"a table lasts from a kink to the next but one",
               a_table_lasts_from_a_kink_to_the_next_but_one},
              {"the key of the file replaces the rule", the_key_of_the_file_replaces_the_rule},
              {"what is not known is asked for", what_is_not_known_is_asked_for})
