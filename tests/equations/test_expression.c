/** Values of expressions, and messages for texts that are not expressions. */
#include "equation_text.h"

static const struct {
  const char *text;
  double value; /* at t = 0.75, x = 0.5, v = 0.25, a = 2, b = -3 */
} values[] = {
    {"2 + 3 * 4", 14},
    {"(2 + 3) * 4", 20},
    {"10 - 4 - 3", 3},
    {"24 / 4 / 3", 2},
    {"-2^2", -4},
    {"2^3^2", 512},
    {"2^-1", 0.5},
    {"-a * -b", -6},
    {"+x", 0.5},
    {"1.5e1 + .5 + 2. + 1E-1", 17.6},
    {"a ^ 3", 8},
    {"1 if a > b else 2", 1},
    {"1 if a < b else 2 if x > 0 else 3", 2},
    {"1 if not a < b and x <= 0.5 else 0", 1},
    {"1 if a < b or x == 0.5 else 0", 1},
    {"1 if b < x < a else 0", 1},
    {"1 if b < a < x else 0", 0},
    {"1 if 3 > 2 >= 2 != 1 else 0", 1},
    {"1 if (a > 0 if x > 1 else b < 0) else 0", 1},
    {"1 if true and not false else 0", 1},
    {"1 if law == soft else 0", 1},
    {"1 if law != hard and law == hard else 0", 0},
    {"1 if floor else 0", 0},
    {"t", 0.75},
    {"pi", 3.14159265358979323846},
    {"1 / inf", 0},
    {"min(a, b, x)", -3},
    {"max(a, b)", 2},
    {"hypot(3, -4)", 5},
    {"sign(b) + sign(a) * 10 + sign(x - 0.5) * 100", 9},
    {"abs(b)", 3},
    {"pow(a, 3) + a^8 + a^0", 8 + 256 + 1},
    {"twice * 2", 2},
    {"spacing(1)", 0x1p-52},
};

static void values_are_those_of_the_text(void)
{
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    sal_equation_model *e = equation_of(values[i].text, "let: {twice: 2 * half, half: x}");
    CU_ASSERT_PTR_NOT_NULL(e);
    if (!e) fprintf(stderr, "%s: %s\n", values[i].text, sal_err_message());
    if (!e) continue;
    const double found = slope_of(e, 0.75, 0.5, 0.25);
    CU_ASSERT_DOUBLE_EQUAL(found, values[i].value, 1e-15 * fabs(values[i].value));
    if (fabs(found - values[i].value) > 1e-14 * fabs(values[i].value))
      fprintf(stderr, "%s = %.17g, not %.17g\n", values[i].text, found, values[i].value);
    sal_equation_model_free(e);
  }
}

/* To libm's accuracy, at points where each has a value. */
static void functions_are_those_of_the_library(void)
{
  static const struct {
    const char *text;
    double (*f)(double);
  } functions[] = {{"sin(x)", sin},   {"cos(x)", cos},   {"tan(x)", tan},   {"asin(x)", asin},
                   {"acos(x)", acos}, {"atan(x)", atan}, {"sinh(x)", sinh}, {"cosh(x)", cosh},
                   {"tanh(x)", tanh}, {"exp(x)", exp},   {"log(x)", log},   {"sqrt(x)", sqrt},
                   {"x^0.5", sqrt},   {"abs(x)", fabs}};

  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    sal_equation_model *e = equation_of(functions[i].text, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    for (int k = 1; k < 16; ++k) {
      const double x = 0.0625 * k;
      const double right = functions[i].f(x);
      CU_ASSERT(fabs(slope_of(e, 0, x, 0) - right) <= 4e-16 * fabs(right));
    }
    sal_equation_model_free(e);
  }
}

static void equal_parts_are_computed_once_and_in_the_order_of_the_text(void)
{
  sal_equation_model *e = equation_of("(0.1 + x) + 0.2 - (x + 0.2 + 0.1)", "");
  volatile double left = 0.1 + 0.3, right = 0.3 + 0.2;

  CU_ASSERT_PTR_NOT_NULL_FATAL(e);
  left = left + 0.2;
  right = right + 0.1;
  CU_ASSERT(left != right);
  CU_ASSERT_EQUAL(slope_of(e, 0, 0.3, 0), left - right);
  sal_equation_model_free(e);
}

static const struct {
  const char *text, *says;
} wrong[] = {
    {"a *", "it ends where a number or a name is expected"},
    {"a b", "'b' stands where the expression should end"},
    {"(a", "it ends where ')' is expected"},
    {"a * * b", "'*' stands where"},
    {"ca * x", "unknown name 'ca'"},
    {"twise", "did you mean 'twice'?"},
    {"sine(x)", "unknown function 'sine'; did you mean 'sin'?"},
    {"sin(x, v)", "sin takes 1 operand, not 2"},
    {"atan2(x)", "atan2 takes 2 operands, not 1"},
    {"min(x)", "min takes 2 or more"},
    {"x > 0", "a condition, true or false, where a number is needed"},
    {"x + (v > 0)", "a condition"},
    {"1 if x else 0", "a number where a condition is needed"},
    {"1 if x and v > 0 else 0", "a number where a condition is needed"},
    {"1 if not x else 0", "a number where a condition is needed"},
    {"1 if x > 0", "it ends where 'else' is expected"},
    {"1 if x > 0 else v > 0", "a condition"},
    {"sin(x > 0)", "a condition"},
    {"law", "is compared with one of its words"},
    {"1 if law == stiff else 0", "'stiff' is not a word of option law"},
    {"x $ 2", "'$' is not a sign of the language"},
    {"1e999", "is not a finite number"},
    {"1..2", "stands where the expression should end"},
    {"rests", "a condition"},
    {"1 if rests else 0", "must not depend on rests"},
    {"1 if closing else 0", "must not depend on closing"},
    {"loop", "'loop' depends on itself, by way of pool"},
    {"if", "'if' stands where"},
    {"x.y", "stands where the expression should end"},
};

static void what_is_no_expression_is_refused(void)
{
  static const char more[] = "let: {twice: 2 * x}";
  static const char cycle[] = "let: {loop: pool + 1, pool: 2 * loop}";

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    sal_equation_model *e =
        equation_of(wrong[i].text, strcmp(wrong[i].text, "loop") == 0 ? cycle : more);
    CU_ASSERT_PTR_NULL(e);
    const bool said = strstr(sal_err_message(), wrong[i].says) != NULL;
    CU_ASSERT(said && strncmp(sal_err_message(), "e.yaml:", 7) == 0);
    if (!said) fprintf(stderr, "%s: %s\n", wrong[i].text, sal_err_message());
    sal_equation_model_free(e);
  }
}

/* n times `open`, a middle, n times `close`. */
static sal_equation_model *nested(size_t n, const char *open, const char *middle, const char *close)
{
  const size_t room = n * (strlen(open) + strlen(close)) + strlen(middle) + 1;
  char *text = malloc(room), *at = text;

  for (size_t i = 0; i < n; ++i) at = stpcpy(at, open);
  at = stpcpy(at, middle);
  for (size_t i = 0; i < n; ++i) at = stpcpy(at, close);
  sal_equation_model *e = equation_of(text, "");
  free(text);
  return e;
}

static void depth_and_length_have_bounds(void)
{
  static const char *const deep[][3] = {{"(", "x", ")"},
                                        {"-", "x", ""},
                                        {"sin(", "x", ")"},
                                        {"", "x", "^x"},
                                        {"", "x", " if x > 0 else x"}};

  for (size_t i = 0; i < sizeof deep / sizeof *deep; ++i) {
    sal_equation_model *e = nested(20, deep[i][0], deep[i][1], deep[i][2]);
    CU_ASSERT_PTR_NOT_NULL(e);
    sal_equation_model_free(e);
    CU_ASSERT_PTR_NULL(nested(3000, deep[i][0], deep[i][1], deep[i][2]));
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "nested more than 200 deep"));
    CU_ASSERT_PTR_NULL(nested(100000, deep[i][0], deep[i][1], deep[i][2]));
  }
  sal_equation_model *e = nested(1000, "x + ", "x", "");
  CU_ASSERT_PTR_NOT_NULL(e);
  if (e) CU_ASSERT_DOUBLE_EQUAL(slope_of(e, 0, 0.5, 0), 500.5, 1e-12);
  sal_equation_model_free(e);
  CU_ASSERT_PTR_NULL(nested(300000, "x + ", "x", ""));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "bytes; allowed"));
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("expressions", NULL, {"values are those of the text", values_are_those_of_the_text},
              {"functions are those of the library", functions_are_those_of_the_library},
              {"the order of the text is kept",
               equal_parts_are_computed_once_and_in_the_order_of_the_text},
              {"invalid expressions are refused", what_is_no_expression_is_refused},
              {"depth and length have bounds", depth_and_length_have_bounds},
              {"memory comes back", memory_comes_back})
