/** Tables: splines against closed forms, their order and derivatives, files, and wrong ones. */
#include "energy_text.h"
#include "equation_programs.h"
#include "text.h"

static sal_equation_model *table_of(const char *words, int n, double (*f)(double), double width)
{
  sal_text text = {0};

  sal_text_add(&text,
               "equations: 1\nname: e\nstates: {x: {preset: 0}, v: {preset: 0}}\n"
               "flow: {x: a(x), v: a(t)}\ntables:\n  a: {%s, rows: [",
               words);
  for (int i = 0; i <= n; ++i)
    sal_text_add(&text, "%s[%.17g, %.17g]", i ? ", " : "", width * i / n, f(width * i / n));
  sal_text_add(&text, "]}\n");
  char *whole = sal_text_take(&text);
  sal_equation_model *e = parse(whole);
  sal_free(whole);
  return e;
}

static double at(const sal_equation_model *e, double x)
{
  const double y[] = {x, 0};
  double f[2];

  sal_model_rhs(sal_equation_model_get(e), NULL, 0, y, f);
  return f[0];
}

static double slope_at(const sal_equation_model *e, double x)
{
  const double y[] = {x, 0};
  double J[4];

  sal_model_jacobian(sal_equation_model_get(e), NULL, 0, y, false, J);
  return J[0];
}

static double hat(double x) { return x == 1; }
static double line(double x) { return 3 - 2 * x; }

/* Through (0, 0), (1, 1), (2, 0) the natural spline is (3 x - x^3) / 2 up to the middle. */
static void test_values_of_three_knots(void)
{
  sal_equation_model *cubic = table_of("kind: cubic", 2, hat, 2);
  sal_equation_model *linear = table_of("kind: linear, outside: zero", 2, hat, 2);

  for (int i = 0; i <= 16; ++i) {
    const double x = i / 16.0;
    CU_ASSERT(near(at(cubic, x), (3 * x - x * x * x) / 2, 1));
    CU_ASSERT(near(at(cubic, 2 - x), at(cubic, x), 1));
    CU_ASSERT(near(slope_at(cubic, x), (3 - 3 * x * x) / 2, 1));
    CU_ASSERT(near(at(linear, x), x, 1));
    CU_ASSERT(x == 1 || slope_at(linear, x) == 1);
  }
  CU_ASSERT(at(cubic, -1) == 0 && slope_at(cubic, -1) == 0);
  sal_equation_model_free(cubic);
  sal_equation_model_free(linear);
  cubic = table_of("kind: cubic", 5, line, 1);
  linear = table_of("outside: zero", 5, line, 1);
  CU_ASSERT(near(at(cubic, 0.37), line(0.37), 1));
  CU_ASSERT(near(slope_at(cubic, 0.37), -2, 1));
  CU_ASSERT(at(cubic, -5) == 3 && near(at(cubic, 7), 1, 1));
  CU_ASSERT(at(linear, -5) == 0 && at(linear, 7) == 0);
  CU_ASSERT(at(linear, 0) == 3);
  sal_equation_model_free(cubic);
  sal_equation_model_free(linear);
}

/* Both ends of a sine have no second derivative, so the natural spline has its whole order. */
static double error_of(const char *words, int n, bool of_slope)
{
  const double pi = 3.14159265358979323846;
  sal_equation_model *e = table_of(words, n, sin, pi);
  double most = 0;

  for (int i = 0; i < 400; ++i) {
    const double x = pi * (i + 0.37) / 400;
    const double wrong = of_slope ? slope_at(e, x) - cos(x) : at(e, x) - sin(x);
    most = fmax(most, fabs(wrong));
  }
  sal_equation_model_free(e);
  return most;
}

static void test_orders_of_splines(void)
{
  static const struct {
    const char *words;
    bool of_slope;
    double order;
  } cases[] = {{"kind: linear", false, 2}, {"kind: cubic", false, 4}, {"kind: cubic", true, 3}};

  for (int c = 0; c < 3; ++c) {
    const double coarse = error_of(cases[c].words, 12, cases[c].of_slope),
                 fine = error_of(cases[c].words, 48, cases[c].of_slope);
    CU_ASSERT(fine > 1e-12);
    CU_ASSERT(fabs(log2(coarse / fine) / 2 - cases[c].order) < 0.2);
  }
}

/* The longest step of a model whose flow has a table of three pieces of 0.25 at `asked`; INFINITY: none. */
static double longest_step_of(const char *asked)
{
  char text[512];
  const double p[] = {0.3};

  snprintf(text, sizeof text,
           "equations: 1\nname: e\nparameters: {t0: {preset: 0.3}}\nstates: {x: {preset: 0}}\n"
           "flow: {x: a(%s)}\ntables: {a: {rows: [[0, 1], [0.25, 2], [0.5, 1], [0.75, 3]]}}\n",
           asked);
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);
  const double longest = sal_model_longest_step(m, p, (double[]){0});
  sal_equation_model_free(e);
  return longest;
}

/* Functions of the descriptor know tables, too. */
static void test_energies_of_tables(void)
{
  sal_equation_model *e =
      parse("equations: 1\nname: e\ncoordinates: {x: {preset: 0.5, rate: v}}\nkinetic: v^2 / 2\n"
            "potential: a(x)\ntables: {a: {rows: [[0, 0], [1, 4], [2, 0]], kind: linear}}\n");
  const sal_model *m = sal_equation_model_get(e);
  double f[2];

  CU_ASSERT_FATAL(m->mechanical != NULL);
  CU_ASSERT(m->mechanical(m->inner, NULL, (double[]){0.25, 2}, NULL) == 3);
  sal_model_rhs(m, NULL, 0, (double[]){0.25, 2}, f);
  CU_ASSERT(f[1] == -4);
  sal_equation_model_free(e);
}

/* Without a key of its own, no step is longer than two pieces of a table of the time, if a shifted one. */
static void test_steps_see_a_table_of_the_time(void)
{
  sal_equation_model *e = table_of("kind: linear", 8, line, 2);
  const sal_model *m = sal_equation_model_get(e);

  CU_ASSERT(sal_model_longest_step(m, NULL, (double[]){0, 0}) == 0.5);
  CU_ASSERT_FALSE(m->autonomous);
  sal_equation_model_free(e);
  CU_ASSERT(longest_step_of("t - t0") == 0.5);
  CU_ASSERT(longest_step_of("1 - t") == 0.5);
  CU_ASSERT(longest_step_of("x - t0") == INFINITY);
}

static const char plain[] = "equations: 1\nname: e\nstates: {x: {preset: 0}}\nflow: {x: a(x)}\n"
                            "tables:\n  a: {rows: [[0, 1], [1, 2]], kind: cubic}\n";

static const struct {
  const char *from, *to, *says;
} wrong[] = {
    {"[1, 2]", "[0, 2]",
     "e.yaml:6: table a: row 2: 0 after 0; the first numbers of the rows have to rise"},
    {"[1, 2]", "[.nan, 2]", "'.nan' is not a number"},
    {"1, 2", "1e-309, 2", "e.yaml:6: table a: from 0 to 1e-309 it is too steep for doubles"},
    {", [1, 2]", "", "table a: a list of 1; allowed: 2 to 20000"},
    {"[1, 2]", "[1, 2, 3]", "table a: a list of 3; allowed: 2"},
    {"kind: cubic", "kind: cubical", "did you mean 'cubic'?"},
    {"kind: cubic", "knd: cubic", "did you mean 'kind'?"},
    {"kind: cubic", "outside: one", "allowed: hold, zero"},
    {"rows:", "file: a.csv, rows:", "it has a file or rows, one of both"},
    {"rows: [[0, 1], [1, 2]]", "file: a.csv",
     "its rows are missing (table_rows); that file is not read"},
    {"{x: a(x)}", "{x: a}", "'a' is a table, which takes a number: a(x)"},
    {"{x: a(x)}", "{x: 'a(x, 1)'}", "')' is expected"},
    {"{x: a(x)}", "{x: a(x < 1)}", "where a number is needed"},
    {"  a: {", "  x: {", "there is a table of that name"},
    {"  a: {", "  sin: {", "belongs to the language"},
};

static void test_wrong_tables_are_refused(void)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[512];
    const char *from = strstr(plain, wrong[i].from);
    sal_equation_model *made;
    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(from - plain), plain, wrong[i].to,
             from + strlen(wrong[i].from));
    sal_err_clear();
    CU_ASSERT_NOT_EQUAL(sal_equation_model_parse("e.yaml", text, &made), SAL_OK);
    if (!strstr(sal_err_message(), wrong[i].says))
      fprintf(stderr, "%s\n  lacks: %s\n", sal_err_message(), wrong[i].says);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), wrong[i].says));
  }
}

SAL_TEST_MAIN("tables", NULL, {"three knots", test_values_of_three_knots},
              {"orders", test_orders_of_splines}, {"steps", test_steps_see_a_table_of_the_time},
              {"energies", test_energies_of_tables}, {"refusals", test_wrong_tables_are_refused})
