/** Surfaces that both sides lead back to, and flows that have none. */
#include "equation_model.h"
#include "sal_test.h"
#include "stiffness.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Chatter of a model with states x and v and these rates, at (x, v); contact: v < 0. */
static sal_chatter found(const char *rate_of_x, const char *rate_of_v, double x, double v,
                         char sentence[400])
{
  char text[800];
  sal_equation_model *e = NULL;

  snprintf(text, sizeof text,
           "equations: 1\nname: e\nstates: {x: {preset: 0}, v: {preset: 1}}\n"
           "contacts: {below: {names: [under, over], gap: v}}\nflow:\n  x: %s\n  v: %s\n",
           rate_of_x, rate_of_v);
  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("e.yaml", text, &e), SAL_OK);
  const sal_model *m = sal_equation_model_get(e);
  const double param[1] = {0}, y[] = {x, v};
  const sal_chatter c = sal_chatter_find(m, param, 1, y);
  sal_chatter_say(&c, m, 400, sentence);
  sal_equation_model_free(e);
  return c;
}

static void dry_friction_by_sign_chatters(void)
{
  char text[400];
  sal_chatter c = found("v", "-10 * sign(v) - x", 1.18, 1e-7, text);

  CU_ASSERT_EQUAL(c.state, 1);
  CU_ASSERT_DOUBLE_EQUAL(c.low, -11.18, 0.1);
  CU_ASSERT_DOUBLE_EQUAL(c.high, 8.82, 0.1);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "the slope of v leaps between -11.1"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "kind friction"));
  c = found("1", "2 if below else -3", 0, 0, text); /* by a contact's mode */
  CU_ASSERT_EQUAL(c.state, 1);
  c = found("-3 if x > v else 1.5", "1", 0.5, 0.5, text); /* on a surface of two states */
  CU_ASSERT_EQUAL(c.state, 0);
}

static void other_flows_do_not(void)
{
  static const char *const rate[] = {
      "-10 * sign(v) - x", /* far from the surface, and through it: */
      "10 * sign(v)",      "-1e6 * v - x",      "-10 * tanh(1e5 * v) - x",
      "-100 * x",          "1 if below else 2", "1 / v"};
  static const double v[] = {5, 1e-7, 1, 1e-3, 0.1, -1e-6, 1e-300};
  char text[400];

  for (size_t i = 0; i < sizeof rate / sizeof *rate; ++i) {
    CU_ASSERT_EQUAL(found("v", rate[i], i == 0 ? 20 : 1, v[i], text).state, -1);
    CU_ASSERT_STRING_EQUAL(text, "");
  }
}

SAL_TEST_MAIN("surfaces that a flow leads back to", NULL,
              {"dry friction by sign chatters", dry_friction_by_sign_chatters},
              {"other flows do not", other_flows_do_not})
