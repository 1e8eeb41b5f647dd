/** Times of steps: a table as a text, to any number of states, for whom and for which lanes they are known.
 */
#include "memory.h"
#include "registry.h"
#include "sal_test.h"
#include "step_cost.h"
#include <math.h>
#include <string.h>

enum { SIZES = 3 };
static const int states[SIZES] = {2, 4, 16};

static double power(const double ns[], int n) { return sal_step_table_power(SIZES, states, ns, n); }

/* 100 ns for 2 states, 400 for 4, 1600 for 16: n^2 up to 4, then n. */
static const double powers[SIZES] = {100, 400, 1600};

static void between_sizes_it_is_a_power(void)
{
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 2), 100e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 3), 225e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 4), 400e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 8), 800e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 64), 6400e-9, 1e-17); /* as it rose last */
  CU_ASSERT_DOUBLE_EQUAL(power(powers, 1), 100e-9, 1e-18);   /* not below the least */
}

static void twice_as_expensive_is_twice_the_time(void)
{
  double twice[SIZES];

  for (int k = 0; k < SIZES; ++k) twice[k] = 2 * powers[k];
  for (int n = 1; n < 100; ++n)
    CU_ASSERT_DOUBLE_EQUAL(power(twice, n) / power(powers, n), 2, 1e-12);
}

static void what_is_not_measured_is_filled_in(void)
{
  const double some[SIZES] = {0, 300, 1200}, one[SIZES] = {0, 300, 0}, none[SIZES] = {0, 0, 0},
               falls[SIZES] = {100, 100, 50};

  CU_ASSERT_DOUBLE_EQUAL(power(some, 2), 300e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(some, 8), 600e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(power(one, 50), 300e-9, 1e-18);
  CU_ASSERT(isnan(power(none, 4)));
  CU_ASSERT_DOUBLE_EQUAL(power(falls, 16), 50e-9,
                         1e-18); /* what is measured holds, also where it falls */
  CU_ASSERT_DOUBLE_EQUAL(power(falls, 64), 50e-9, 1e-18); /* beyond it never less for more states */
}

/* All of ours are measured with every strategy that drives them and in all lanes. */
static void the_program_has_every_solver(void)
{
  SAL_OWN_BY(sal_step_table_free) sal_step_table t = {0};
  const sal_strategy *event = sal_registry_strategy("event");

  CU_ASSERT_EQUAL_FATAL(sal_step_table_read(NULL, &t), SAL_OK);
  CU_ASSERT(strlen(t.machine) > 0);
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s)
      for (int k = 0; k < SAL_STEP_LANES && !sal_registry_strategies[s]->captures; ++k) {
        const double step = sal_step_table_at(&t, sal_registry_methods[m]->name,
                                              sal_registry_strategies[s], sal_step_lanes[k], 4);
        CU_ASSERT(step > 1e-9 && step < 1e-3);
      }
  CU_ASSERT(sal_step_table_at(&t, "radau5", event, 1, 16) >
            sal_step_table_at(&t, "ode45", event, 1, 16));
  CU_ASSERT(sal_step_table_at(&t, "radau5", event, 1, 4) >
            sal_step_table_at(&t, "radau5", event, 8, 4));
  CU_ASSERT(isnan(sal_step_table_at(&t, "stranger", event, 1, 4)));
  CU_ASSERT(isnan(sal_step_table_at(&t, "moreau", event, 1, 4)));
  CU_ASSERT(sal_step_table_at(&t, "moreau", sal_registry_strategy("capture"), 1, 16) > 1e-7);
  CU_ASSERT(sal_step_table_at(&t, "moreau-implicit", sal_registry_strategy("capture"), 1, 16) >
            sal_step_table_at(&t, "moreau", sal_registry_strategy("capture"), 1, 16));
  /* an engine takes one trajectory at a time: its row, which is far above ours, is that of any lanes */
  const double cvode = sal_step_table_at(&t, "sundials-cvode-bdf", event, 1, 4);
  CU_ASSERT(cvode > sal_step_table_at(&t, "ode15s", event, 1, 4));
  CU_ASSERT(cvode == sal_step_table_at(&t, "sundials-cvode-bdf", event, 8, 4));
}

#define HEAD "step_costs: 1\nmachine: mine\nstates: [2, 8]\n"
#define ROW "- {solver: ode45, strategy: event, lanes: 4, ns: [10, 40]}\n"

static void a_text_is_read(void)
{
  SAL_OWN_BY(sal_step_table_free) sal_step_table t = {0};
  const sal_strategy *event = sal_registry_strategy("event"),
                     *other = sal_registry_strategy("switch");

  CU_ASSERT_EQUAL_FATAL(
      sal_step_table_parse(
          "t.yaml", HEAD "steps:\n" ROW "- {solver: petsc-bdf, strategy: switch, ns: [7, 0]}\n",
          &t),
      SAL_OK);
  CU_ASSERT_STRING_EQUAL(t.machine, "mine");
  CU_ASSERT_DOUBLE_EQUAL(sal_step_table_at(&t, "ode45", event, 4, 4), 20e-9, 1e-18);
  CU_ASSERT(isnan(sal_step_table_at(&t, "ode45", event, 1, 4)));
  CU_ASSERT(isnan(sal_step_table_at(&t, "ode45", other, 4, 4)));
  for (int k = 0; k < SAL_STEP_LANES; ++k)
    CU_ASSERT_DOUBLE_EQUAL(sal_step_table_at(&t, "petsc-bdf", other, sal_step_lanes[k], 50), 7e-9,
                           1e-18);
}

static void refuse(const char *text, const char *place, const char *says)
{
  sal_step_table t;

  CU_ASSERT_EQUAL(sal_step_table_parse("t.yaml", text, &t), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), place));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), says));
  CU_ASSERT_PTR_NULL(t.row);
  sal_err_clear();
}

static void what_is_no_table_is_refused(void)
{
  refuse("model: monopod\n", "t.yaml:1", "unknown key of a table of steps 'model'");
  refuse("machine: mine\n", "t.yaml", "required key 'step_costs' is missing");
  refuse("step_costs: 2\n", "t.yaml:1", "step_costs = 2");
  refuse("step_costs: 1\nmachine: mine\nstates: [4, 2]\n", "t.yaml:3", "2 after 4");
  refuse("step_costs: 1\nmachine: mine\nstates: [2.5]\n", "t.yaml:3", "not a whole number");
  refuse("step_costs: 1\nmachine: mine\nstates: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "t.yaml:3",
         "a list of 9");
  refuse(HEAD, "t.yaml", "required key 'steps' is missing");
  refuse(HEAD "steps: []\n", "t.yaml:4", "a list of 0");
  refuse(HEAD "steps:\n" ROW "- ode45\n", "t.yaml:6", "a mapping");
  refuse(HEAD "steps:\n" ROW ROW, "t.yaml:6", "ode45 with event is there twice");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: evnt, ns: [1, 2]}\n", "t.yaml:5",
         "did you mean 'event'");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, lanes: 2, ns: [1, 2]}\n", "t.yaml:5",
         "allowed: 1, 4, 8");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, ns: [1, 2, 3]}\n", "t.yaml:5",
         "a list of 3");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, ns: [1, -2]}\n", "t.yaml:5",
         "ns = -2 is out of range");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, ns: [1, nan]}\n", "t.yaml:5",
         "'nan' is not a number");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, ns: [0, 0]}\n", "t.yaml:5",
         "leave the row out");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event, lane: 4, ns: [1, 2]}\n", "t.yaml:5",
         "did you mean 'lanes'");
  refuse(HEAD "steps:\n- {solver: ode45, strategy: event}\n", "t.yaml:5",
         "required key 'ns' is missing");
}

SAL_TEST_MAIN("tables of steps", NULL, {"between sizes it is a power", between_sizes_it_is_a_power},
              {"twice as expensive is twice the time", twice_as_expensive_is_twice_the_time},
              {"what is not measured is filled in", what_is_not_measured_is_filled_in},
              {"the program has every solver", the_program_has_every_solver},
              {"a text is read", a_text_is_read},
              {"an invalid table is refused", what_is_no_table_is_refused})
