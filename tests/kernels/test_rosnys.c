/** The Rosenbrock-Nystrom methods: order conditions from the numbers that are shipped, the errors of an
 *  independent program in 34 digits, what another Jacobian does to the order, and stiff limits.
 *  Equation numbers are those of Sandu, Negrut, Haug, Potra, Sandu.
 */
#include "coupled_pair.h"
#include "methods/rosenbrock_nystrom.h"
#include "run_one.h"
#include "sal_test.h"
#include "stiff_swing.h"
#include "van_der_pol.h"
#include <string.h>

enum { STAGES = SAL_NYSTROM_STAGES };
typedef long double matrix[STAGES][STAGES];

/* ---- coefficients --------------------------------------------------------------------------- */

/** The method in the form of (20): by Theorem 2.1 c = 1 / gamma - G^-1, a = alpha G^-1, m = b G^-1. */
typedef struct {
  int n;
  long double gamma;
  matrix G, inverse, alpha, beta;          /* beta = alpha + G below the diagonal */
  long double b[STAGES], e[STAGES];        /* weights, and b - bhat */
  long double node[STAGES], slope[STAGES]; /* sums of the rows of alpha, beta */
} classical;

static void multiply(int n, matrix A, matrix B, matrix out)
{
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      out[i][j] = 0;
      for (int k = 0; k < n; ++k) out[i][j] += A[i][k] * B[k][j];
    }
}

/* G of a lower triangular G^-1, whose diagonal is 1 / gamma. */
static void invert(classical *m)
{
  for (int j = 0; j < m->n; ++j)
    for (int i = 0; i < m->n; ++i) {
      long double sum = i == j;
      for (int k = j; k < i; ++k) sum -= m->inverse[i][k] * m->G[k][j];
      m->G[i][j] = i < j ? 0 : m->gamma * sum;
    }
}

static classical classical_of(const sal_rosenbrock_nystrom *t)
{
  classical m = {.n = t->stages, .gamma = t->gamma};
  matrix a = {{0}};

  for (int i = 0; i < m.n; ++i)
    for (int j = 0; j < m.n; ++j) {
      m.inverse[i][j] = (i == j ? 1 / m.gamma : 0) - t->c[i][j];
      a[i][j] = t->a[i][j];
    }
  invert(&m);
  multiply(m.n, a, m.G, m.alpha);
  for (int i = 0; i < m.n; ++i)
    for (int j = 0; j < m.n; ++j) {
      m.b[j] += t->m[i] * m.G[i][j];
      m.e[j] += t->e_m[i] * m.G[i][j];
      m.beta[i][j] = j < i ? m.alpha[i][j] + m.G[i][j] : 0;
      m.node[i] += m.alpha[i][j];
      m.slope[i] += m.beta[i][j];
    }
  return m;
}

static void expect_equal(const char *what, long double found, long double right)
{
  if (!(fabsl(found - right) < 1e-14L)) printf("\n    %s: %.18Lg", what, found - right);
  CU_ASSERT(fabsl(found - right) < 1e-14L);
}

/* sum_i w_i p_i (A q)_i */
static long double tree(const classical *m, const long double w[], const long double p[],
                        const matrix A, const long double q[])
{
  long double sum = 0;

  for (int i = 0; i < m->n; ++i)
    for (int j = 0; j < m->n; ++j) sum += w[i] * p[i] * A[i][j] * q[j];
  return sum;
}

static long double power(const classical *m, const long double w[], const long double x[], int k)
{
  long double sum = 0;

  for (int i = 0; i < m->n; ++i) {
    long double p = w[i];
    for (int j = 0; j < k; ++j) p *= x[i];
    sum += p;
  }
  return sum;
}

/* (36a-d) for the weights w, whose sum is `one`: 1, or 0 for a difference of two that all hold for. */
static void expect_order_3(const classical *m, const long double w[], int one)
{
  static const long double ones[STAGES] = {1, 1, 1, 1};
  const long double g = m->gamma;

  expect_equal("36a", power(m, w, ones, 1), one);
  expect_equal("36b", power(m, w, m->slope, 1), one * (0.5L - g));
  expect_equal("36c", power(m, w, m->node, 2), one / 3.0L);
  expect_equal("36d", tree(m, w, ones, m->beta, m->slope), one * (1 / 6.0L - g + g * g));
}

static void the_order_conditions_hold(void)
{
  static const long double ones[STAGES] = {1, 1, 1, 1};
  const classical m = classical_of(&sal_rosnys4_table);
  const long double g = m.gamma, *node = m.node, *slope = m.slope;
  long double squares[STAGES] = {0}, twice[STAGES] = {0};

  expect_order_3(&m, m.b, 1);
  expect_order_3(&m, m.e, 0);
  for (int i = 0; i < m.n; ++i) {
    squares[i] = node[i] * node[i];
    for (int j = 0; j < i; ++j) twice[i] += m.beta[i][j] * slope[j];
  }
  expect_equal("36e", power(&m, m.b, node, 3), 0.25L);
  expect_equal("36f", tree(&m, m.b, node, m.alpha, slope), 0.125L - g / 3);
  expect_equal("36g", tree(&m, m.b, ones, m.beta, squares), 1 / 12.0L - g / 3);
  expect_equal("36h", tree(&m, m.b, ones, m.beta, twice),
               1 / 24.0L - g / 2 + 1.5L * g * g - g * g * g);
  const long double H = m.beta[2][1] * slope[1];
  expect_equal("38", H * (slope[1] * squares[3] - slope[3] * squares[1]),
               (slope[1] * squares[2] - slope[2] * squares[1]) * twice[3]);
  expect_equal("39a", m.alpha[3][0], m.alpha[2][0]);
  expect_equal("39b", m.alpha[3][1], m.alpha[2][1]);
  expect_equal("39c", m.alpha[3][2], 0);
  expect_equal("40", node[2] * (0.25L - node[1] / 3), 0.2L - node[1] / 4);
  expect_equal("41", m.b[3] * m.beta[3][2] * squares[2] * (node[2] - node[1]),
               0.05L - g / 4 - node[1] * (1 / 12.0L - g / 3));
  expect_equal("42a", m.b[2], 0);
  expect_equal("42b", node[1], 2 * g);
  CU_ASSERT(fabsl(m.e[0]) > 0.1L && fabsl(m.b[0] - m.e[0] - m.alpha[2][0]) < 0.6L);
  expect_equal("bhat1", m.b[0] - m.e[0], m.alpha[2][0]);
}

/* A W-method of order 2: no condition holds by its Jacobian. */
static void the_w_conditions_hold(void)
{
  static const long double ones[STAGES] = {1, 1, 1, 1};
  const classical m = classical_of(&sal_rosnysw2_table);

  expect_equal("sum of b", power(&m, m.b, ones, 1), 1);
  expect_equal("b alpha", tree(&m, m.b, ones, m.alpha, ones), 0.5L);
  expect_equal("b G", tree(&m, m.b, ones, m.G, ones), 0);
  expect_equal("sum of b - bhat", power(&m, m.e, ones, 1), 0);
  CU_ASSERT(fabsl(tree(&m, m.e, ones, m.alpha, ones)) > 0.4L); /* of order 1 only */
}

/* Theorem 2.1 for the members that the conditions above do not use. */
static void check_transformed(const sal_rosenbrock_nystrom *t)
{
  const classical m = classical_of(t);
  matrix a = {{0}}, along = {{0}}, twice = {{0}},
         across = {{0}}; /* alpha G^-1, alpha alpha G^-1, G alpha G^-1 */
  classical copy = m;

  multiply(m.n, copy.alpha, copy.inverse, a);
  multiply(m.n, copy.alpha, a, twice);
  multiply(m.n, copy.G, a, across);
  memcpy(along, a, sizeof a);
  for (int i = 0; i < m.n; ++i) {
    long double mu = m.b[i], e_mu = m.e[i], sum = 0;
    for (int j = 0; j < m.n; ++j) {
      mu += m.b[j] * along[j][i];
      e_mu += m.e[j] * along[j][i];
      sum += m.G[i][j];
      expect_equal("delta", m.G[i][j] + across[i][j] - (i == j ? m.gamma : 0), t->delta[i][j]);
      expect_equal("theta", m.alpha[i][j] + twice[i][j], t->theta[i][j]);
    }
    expect_equal("mu", mu, t->mu[i]);
    expect_equal("e_mu", e_mu, t->e_mu[i]);
    expect_equal("alpha", m.node[i], t->alpha[i]);
    expect_equal("gamma", sum, t->gamma_sum[i]);
  }
  CU_ASSERT(fabsl(across[1][0]) > 0.1L && fabsl(t->theta[1][0]) > 0.1L);
}

static void the_members_belong_together(void)
{
  check_transformed(&sal_rosnys4_table);
  check_transformed(&sal_rosnysw2_table);
}

/* ---- errors of an independent program ------------------------------------------------------- */

enum { RUNS = 5 };

/** Largest error of the positions after 20, 40, 80, 160 and 320 steps; printed with three digits. */
typedef struct {
  const sal_method *method;
  const sal_model *model;
  double error[RUNS];
  double order; /* of the last two */
} table_row;

static void end_of(const table_row *row, int steps, double end[])
{
  const sal_setup setup = {.model = row->model,
                           .method = row->method,
                           .strategy = sal_registry_strategy("switch"),
                           .rtol = 1e-13,
                           .atol = 1e-13,
                           .t_end = COUPLED_SPAN,
                           .max_step = COUPLED_SPAN,
                           .fixed_step = (double)COUPLED_SPAN / steps,
                           .jacobian = SAL_JACOBIAN_ANALYTIC};
  const sal_job job = {.initial = coupled_start, .end = end};
  sal_record out;

  run_batch(&setup, 1, 1, &job, &out);
  CU_ASSERT(outcome(&out) == SAL_OUT_DONE && out.value[SAL_METRIC_STEPS] == steps);
}

static void check_row(const table_row *row)
{
  double last = NAN, error = NAN;

  for (int i = 0; i < RUNS; ++i) {
    double end[COUPLED_STATES];
    end_of(row, 20 << i, end);
    last = error;
    error = fmax(fabs(end[0] - coupled_end[0]), fabs(end[1] - coupled_end[1]));
    if (!(fabs(error / row->error[i] - 1) < 0.01))
      printf("\n    %s %s: %.3g, not %.3g", row->method->name, row->model->name, error,
             row->error[i]);
    CU_ASSERT_DOUBLE_EQUAL(error / row->error[i], 1, 0.01);
  }
  CU_ASSERT_DOUBLE_EQUAL(log2(last / error), row->order, 0.05);
}

/* The table of an mpmath program; its last errors of order 4 show what differences leave of df/dt. */
static void the_errors_are_those_of_an_independent_program(void)
{
  const sal_method *const four = sal_registry_method("rosnys4");
  const sal_method *const two = sal_registry_method("rosnysw2");
  const table_row rows[] = {
      {four, &coupled_exact, {6.28e-6, 3.94e-7, 2.44e-8, 1.52e-9, 9.45e-11}, 4.01},
      {&rosnys4_embedded, &coupled_exact, {3.93e-5, 5.76e-6, 7.75e-7, 1.00e-7, 1.28e-8}, 2.98},
      {four, &coupled_frozen, {1.29e-3, 6.75e-4, 3.43e-4, 1.73e-4, 8.65e-5}, 1.00},
      {&rosnys4_printed, &coupled_exact, {5.05e-4, 2.83e-4, 1.50e-4, 7.74e-5, 3.93e-5}, 0.98},
      {two, &coupled_exact, {3.62e-2, 8.34e-3, 1.96e-3, 4.70e-4, 1.15e-4}, 2.03},
      {two, &coupled_zero, {3.51e-2, 8.43e-3, 2.07e-3, 5.12e-4, 1.27e-4}, 2.01},
      {two, &coupled_frozen, {6.74e-2, 1.66e-2, 3.98e-3, 9.63e-4, 2.36e-4}, 2.03},
      {two, &coupled_wrong, {1.78e-2, 3.94e-3, 9.08e-4, 2.17e-4, 5.29e-5}, 2.04},
      {&rosnysw2_embedded, &coupled_exact, {3.06e-1, 1.59e-1, 8.15e-2, 4.11e-2, 2.07e-2}, 0.99}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) check_row(&rows[i]);
}

/* ---- stiff limits --------------------------------------------------------------------------- */

/* One step of size h with x'' = -x from (1, 0): x + i x' is then R(-i h). */
static void step_once(const char *method, double h, double end[])
{
  static const double mu = 0, start[] = {1, 0};
  sal_setup setup = config("decay", method, "switch", 1e-3, h);
  sal_job job = {.param = &mu, .initial = start, .end = end};
  sal_record out;

  setup.model = &van_der_pol;
  setup.fixed_step = setup.max_step = h;
  setup.jacobian = SAL_JACOBIAN_ANALYTIC;
  run_batch(&setup, 1, 1, &job, &out);
  CU_ASSERT(outcome(&out) == SAL_OUT_DONE && out.value[SAL_METRIC_STEPS] == 1);
}

/* R(inf) of rosnys4 is 9.58e-9: gamma has 8 digits, else it would be 0. */
static void infinitely_stiff_oscillations_are_damped_at_once(void)
{
  double end[2];

  step_once("rosnys4", 1e12, end);
  CU_ASSERT_DOUBLE_EQUAL(end[0], 9.57665767e-9, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(end[1], 0, 1e-11);
  step_once("rosnysw2", 1e12, end);
  CU_ASSERT(fabs(end[0]) < 1e-11 && fabs(end[1]) < 1e-11);
}

/* No step of theirs makes an undamped oscillation grow, and short ones hardly change it. */
static void no_oscillation_grows(void)
{
  double least = 1, end[2];

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 90; ++j) {
      const double h = 0.01 * pow(1.3, j);
      step_once(i ? "rosnysw2" : "rosnys4", h, end);
      const double size = hypot(end[0], end[1]), right = hypot(end[0] - cos(h), end[1] + sin(h));
      CU_ASSERT(size <= 1 + 1e-15);
      CU_ASSERT(h > 0.1 || (size > 0.999 && right < 2e-3));
      least = fmin(least, size);
    }
  CU_ASSERT(least < 1e-7);
}

/* ---- cost ----------------------------------------------------------------------------------- */

/* Two stages and the new point, one matrix and one unit of solves, nothing for the time in a model
 * that does not depend on it. */
static void a_step_costs_three_evaluations(void)
{
  const double param[] = {1, 10, 0.2}, start[] = {-0.3, 0};
  sal_setup setup = config("linear-ground", "rosnys4", "event", 1e-3, 0.1);

  setup.fixed_step = 0.01;
  setup.jacobian = SAL_JACOBIAN_ANALYTIC;
  const sal_record out = run_one(&setup, param, start, NULL, NULL);
  const double *value = out.value;
  CU_ASSERT(value[SAL_METRIC_STEPS] == 10 && n_event(&out) == 0);
  CU_ASSERT_EQUAL(value[SAL_METRIC_RHS], 3 * 10 + 1);
  CU_ASSERT_EQUAL(value[SAL_METRIC_FACTORISATIONS], 10);
  CU_ASSERT_EQUAL(value[SAL_METRIC_SOLVES], 10);
  CU_ASSERT_EQUAL(value[SAL_METRIC_JACOBIANS], 10);
}

/* Largest errors of position and velocity of a stiff swing on a mesh, and of runs that end at its points. */
static void errors_of_swing(const char *method, double tol, double between[2], double ends[2])
{
  enum { MESH = 600 };
  static const double param[] = {20, 1e5}, initial[] = {1, 0};
  double state[MESH + 1][2], end[2];
  sal_samples samples = {.n_mesh = MESH, .state = state[0]};
  sal_setup u = {.model = &stiff_swing,
                 .method = sal_registry_method(method),
                 .strategy = sal_registry_strategy("switch"),
                 .rtol = tol,
                 .atol = tol,
                 .t_end = 3,
                 .jacobian = SAL_JACOBIAN_ANALYTIC,
                 .max_attempts = 100000};
  sal_job job = {.param = param, .initial = initial, .end = end, .samples = &samples};
  sal_record r;

  run_batch(&u, 1, 1, &job, &r);
  CU_ASSERT(outcome(&r) == SAL_OUT_DONE && r.value[SAL_METRIC_STEPS] < MESH);
  job.samples = NULL;
  for (int i = 0; i < 2; ++i) between[i] = ends[i] = 0;
  for (int j = 1; j <= MESH; ++j) {
    u.t_end = 3.0 * j / MESH;
    u.max_step = 0.3; /* that of the long run */
    run_batch(&u, 1, 1, &job, &r);
    const double right[] = {cos(u.t_end), -sin(u.t_end)};
    for (int i = 0; i < 2; ++i) {
      between[i] = fmax(between[i], fabs(state[j][i] - right[i]));
      ends[i] = fmax(ends[i], fabs(end[i] - right[i]));
    }
  }
}

static void values_between_steps_are_as_good_as_at_steps(void)
{
  for (int m = 0; m < 2; ++m)
    for (int i = 0; i < 2; ++i) {
      const char *method = m ? "rosnysw2" : "rosnys4";
      double between[2], ends[2];
      errors_of_swing(method, i ? 1e-2 : 1e-3, between, ends);
      for (int k = 0; k < 2; ++k) {
        if (!(between[k] <= 1.1 * ends[k]))
          printf("\n    %s, %s: %.3g between, %.3g at ends", method, k ? "velocity" : "position",
                 between[k], ends[k]);
        CU_ASSERT(between[k] <= 1.1 * ends[k]);
        CU_ASSERT(ends[k] > 1e-9);
      }
    }
}

SAL_TEST_MAIN("Rosenbrock-Nystrom methods", NULL,
              {"values between steps are as good as at steps",
               values_between_steps_are_as_good_as_at_steps},
              {"the order conditions hold", the_order_conditions_hold},
              {"the W conditions hold", the_w_conditions_hold},
              {"the members belong together", the_members_belong_together},
              {"the errors are those of an independent program",
               the_errors_are_those_of_an_independent_program},
              {"infinitely stiff oscillations are damped at once",
               infinitely_stiff_oscillations_are_damped_at_once},
              {"no oscillation grows", no_oscillation_grows},
              {"a step costs three evaluations", a_step_costs_three_evaluations})
