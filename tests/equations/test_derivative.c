/** Derivatives against differences whose error is known to be small. */
#include "equation_text.h"

/* f' by Richardson's extrapolation of central differences: an error of about 1e-11. */
static double difference(const sal_equation_model *e, double t, double x, double v, int by)
{
  double d[2];

  for (int k = 0; k < 2; ++k) {
    const double h = 0x1p-9 / (k + 1);
    d[k] = (slope_of(e, t, x + (by == 0 ? h : 0), v + (by == 1 ? h : 0)) -
            slope_of(e, t, x - (by == 0 ? h : 0), v - (by == 1 ? h : 0))) /
           (2 * h);
  }
  return (4 * d[1] - d[0]) / 3;
}

static const char *const smooth[] = {
    "a * x + b * v",
    "x * v - v / x",
    "-(x - v) * (x + v)",
    "x^2 + v^3",
    "x^8 * v^5",
    "x^v",
    "x^-1.5 + v^0.5",
    "pow(a, x)",
    "sqrt(x * x + v)",
    "abs(x - 2) * v + abs(x + 2)",
    "min(x, v * 100) + max(x, v / 100)",
    "v * x if x > 0 else 1",
    "sin(x * v) * cos(3 * x - v)",
    "tan(x) * v",
    "asin(x / 4) + acos(v / 4)",
    "atan(3 * x * v)",
    "atan2(x, v - 2)",
    "sinh(x) * cosh(v)",
    "tanh(2 * x - v)",
    "exp(-x * v) * log(x + v)",
    "hypot(x, v)",
    "sign(x) * v^2",
    "sin(2 * t) * x + x * t",
};

static void jacobians_are_those_of_differences(void)
{
  for (size_t i = 0; i < sizeof smooth / sizeof *smooth; ++i) {
    sal_equation_model *e = equation_of(smooth[i], "");
    if (!e) fprintf(stderr, "%s: %s\n", smooth[i], sal_err_message());
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    double most = 0;
    for (int k = 0; k < 20; ++k) {
      const double param[] = {2, -3, 0}, y[] = {0.3 + 0.05 * k, 1.5 - 0.055 * k};
      double J[4];
      sal_model_jacobian(sal_equation_model_get(e), param, 0, y, false, J);
      CU_ASSERT(J[0] == 0 && J[1] == 1);
      for (int by = 0; by < 2; ++by) {
        const double right = difference(e, 0, y[0], y[1], by), found = J[2 + by];
        CU_ASSERT(fabs(found - right) <= 2e-8 * (1 + fabs(right)));
        if (!(fabs(found - right) <= 2e-8 * (1 + fabs(right))))
          fprintf(stderr, "%s at (%g, %g): %.12g, not %.12g\n", smooth[i], y[0], y[1], found,
                  right);
        most = fmax(most, fabs(right));
      }
    }
    CU_ASSERT(most > 0.1 || i + 1 == sizeof smooth / sizeof *smooth); /* else 0 would do */
    sal_equation_model_free(e);
  }
}

/* The rate of a gap: with the time, and along a slope. */
static void rates_are_those_of_differences(void)
{
  static const char *const gaps[] = {"x - sin(3 * t) * v", "x * v + t^3 - exp(t * x)",
                                     "a * sin(2 * t + x) * cos(v)"};

  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; ++i) {
    char text[512];
    sal_equation_model *e;
    snprintf(text, sizeof text,
             "equations: 1\nname: e\nparameters: {a: {preset: 2}}\nstates: {x: {preset: 0.5}, v: "
             "{preset: 0.25}}\ncontacts: {wall: {names: [c, o], gap: %s}}\nflow: {x: v, v: -x}\n",
             gaps[i]);
    CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("g.yaml", text, &e), SAL_OK);
    const sal_model *m = sal_equation_model_get(e);
    const double param[] = {2}, y[] = {0.4, 0.9}, slope[] = {1.25, -0.75}, t = 0.3;
    const bool open[] = {false};
    double d[2], gap, rate, late, early, unused;
    sal_model_rates(m, param, open, t, y, slope, &gap, &rate);
    for (int k = 0; k < 2; ++k) {
      const double h = 0x1p-9 / (k + 1);
      const double after[] = {y[0] + h * slope[0], y[1] + h * slope[1]},
                   before[] = {y[0] - h * slope[0], y[1] - h * slope[1]};
      sal_model_rates(m, param, open, t + h, after, slope, &late, &unused);
      sal_model_rates(m, param, open, t - h, before, slope, &early, &unused);
      d[k] = (late - early) / (2 * h);
    }
    CU_ASSERT(fabs(rate) > 0.1);
    CU_ASSERT(fabs(rate - (4 * d[1] - d[0]) / 3) < 1e-8);
    sal_equation_model_free(e);
  }
}

/* Where a root is 0 its derivative would be infinite, but stands beside a 0. */
static void a_force_of_contact_has_a_jacobian_at_its_edge(void)
{
  static const char *const laws[] = {"-sqrt(abs(x)) * x * (1 + v)", "-x * abs(x)^0.5"};

  for (int i = 0; i < 2; ++i) {
    sal_equation_model *e = equation_of(laws[i], "");
    const double param[] = {2, -3, 0}, y[] = {0, 1};
    double J[4];
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    sal_model_jacobian(sal_equation_model_get(e), param, 0, y, false, J);
    CU_ASSERT(J[2] == 0 && J[3] == 0);
    sal_equation_model_free(e);
  }
}

SAL_TEST_MAIN("derivatives", NULL,
              {"Jacobians are those of differences", jacobians_are_those_of_differences},
              {"rates are those of differences", rates_are_those_of_differences},
              {"the edge of a contact has a Jacobian",
               a_force_of_contact_has_a_jacobian_at_its_edge})
