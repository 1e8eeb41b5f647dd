/** @file tests/sweep/test_key_alias.c
 *  Second names of keys: `methods` for `solvers`, `tolerances` for `rtol`, in files and overrides.
 */
#include "extension.h"
#include "offgrid.h"
#include "refuse.h"

#define TOP "model: monopod\nt_end: 5\n"
#define OTHER TOP "methods: [ode45, ode23]\nstrategies: [event]\ntolerances: [1e-3]\n"
#define KEYS TOP "solvers: [ode45, ode23]\nstrategies: [event]\nrtol: [1e-3]\n"

static void both_names_make_the_same_sweep(void)
{
  sal_sweep a = accept_with(KEYS, 0, NULL), b = accept_with(OTHER, 0, NULL);
  CU_ASSERT_STRING_EQUAL(a.settled, b.settled); /* so a journal of the one goes on with the other */
  CU_ASSERT_STRING_EQUAL(b.text, OTHER);        /* a file is kept as it is */
  CU_ASSERT_EQUAL(b.n_method, 2);
  CU_ASSERT_EQUAL(b.tolerance[0], 1e-3);
  sal_sweep_free(&a);
  sal_sweep_free(&b);
}

static void overrides_meet_keys_by_either_name(void)
{
  static const char *const file[] = {KEYS, OTHER};
  static const char *const set[] = {"methods=[ode23s]", "tolerances=[1e-5]", "solvers=[dop853]"};
  for (int i = 0; i < 2; ++i) {
    sal_sweep s = accept_with(file[i], 3, set);
    CU_ASSERT_EQUAL(s.n_method, 1);
    CU_ASSERT_STRING_EQUAL(s.method[0]->name, "dop853"); /* the last one wins */
    CU_ASSERT_EQUAL(s.tolerance[0], 1e-5);
    CU_ASSERT_PTR_NULL(strstr(s.text, "\nmethods:"));
    sal_sweep_free(&s);
  }
}

static void messages_name_the_key_where_the_alias_stands(void)
{
  refuse_text(TOP "methods: [ode46]\n", "s.yaml:3", "entry 1 of solvers", "'ode46'");
  refuse_text(TOP "methods: [ode45]\nstrategies: [event]\ntolerances: [tiny]\n", "s.yaml:5",
              "entry 1 of rtol", "'tiny'");
  refuse_set("tolerances=[0]", "--set tolerances", "rtol = 0", "from 1e-14 to 0.1");
}

static void both_names_at_once_are_refused(void)
{
  refuse_text(TOP "solvers: [ode45]\nstrategies: [event]\nmethods: [ode45]\n", "s.yaml:5",
              "'methods' is another name of 'solvers'", "s.yaml:3");
  refuse_text(TOP "tolerances: [1e-3]\nstrategies: [event]\nrtol: [1e-3]\n", "s.yaml:3",
              "'tolerances' is another name of 'rtol'", "s.yaml:5");
}

/* Sweeps that are made from the text of another one. */
static void sweeps_with_the_alias_are_extended(void)
{
  sal_sweep s = accept_with(
      OTHER "cells: {axes: [{columns: [b, k], sobol: [[1e3, 2e3], [10, 20]], points: 4}]}\n", 0,
      NULL);
  const sal_offgrid_request draws = {.points = 2, .replicates = 1};
  char *text = NULL;
  int64_t added = 0;
  CU_ASSERT_EQUAL_FATAL(sal_extension_text(&s, 4, &text, &added), SAL_OK);
  sal_sweep more = accept_with(text, 0, NULL);
  CU_ASSERT_EQUAL(more.n_cell, 8);
  sal_sweep_free(&more);
  sal_free(text);
  CU_ASSERT_EQUAL_FATAL(sal_offgrid_text(&s, &draws, &text), SAL_OK);
  more = accept_with(text, 0, NULL);
  CU_ASSERT_EQUAL(more.n_method, 2);
  sal_sweep_free(&more);
  sal_free(text);
  sal_sweep_free(&s);
}

SAL_TEST_MAIN("key_alias", NULL, {"both names make the same sweep", both_names_make_the_same_sweep},
              {"overrides meet keys by either name", overrides_meet_keys_by_either_name},
              {"messages name the key where the alias stands",
               messages_name_the_key_where_the_alias_stands},
              {"both names at once are refused", both_names_at_once_are_refused},
              {"sweeps with the alias are extended", sweeps_with_the_alias_are_extended})
