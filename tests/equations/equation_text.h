/** Texts for tests: one whose lines can be replaced, and numbers from expressions. */
#pragma once

#include "equation_model.h"
#include "memory.h"
#include "model_point.h"
#include "sal_test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters a, b; states x, v; f of v is the expression.  NULL where it is refused: sal_err_message. */
static inline sal_equation_model *equation_of(const char *expression, const char *more)
{
  static const char head[] = "equations: 1\n"
                             "name: e\n"
                             "parameters: {a: {preset: 2}, b: {preset: -3}}\n"
                             "options: {law: {words: [soft, hard]}}\n"
                             "states: {x: {preset: 0.5}, v: {preset: 0.25, rate_of: x}}\n"
                             "contacts: {floor: {names: [lands, leaves], gap: x}}\n";
  const size_t n = sizeof head + strlen(expression) + strlen(more) + 64;
  char *text = malloc(n);
  sal_equation_model *made;

  snprintf(text, n, "%s%s\nflow:\n  x: v\n  v: %s\n", head, more, expression);
  sal_err_clear();
  const sal_err err = sal_equation_model_parse("e.yaml", text, &made);
  CU_ASSERT_EQUAL(err == SAL_OK, made != NULL);
  free(text);
  return made;
}

/* f of v at (t, x, v), with the preset of a and b and the first word of the option. */
static inline double slope_of(const sal_equation_model *e, double t, double x, double v)
{
  const double param[] = {2, -3, 0}, y[] = {x, v};
  double dy[2];

  sal_model_rhs(sal_equation_model_get(e), param, t, y, dy);
  return dy[1];
}
