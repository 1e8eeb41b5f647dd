/** The variational flow inside one mode against closed forms. */
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"
#include "smooth_growth.h"
#include "variation.h"
#include <math.h>

static sal_outcome vary(const sal_setup *setup, const double param[], const bool closed[],
                        double t0, double t1, double y[], double Phi[])
{
  const size_t bytes = (sal_variation_bytes(setup) + 63) / 64 * 64;
  void *work = aligned_alloc(64, bytes);

  if (!work) abort();
  const sal_outcome end = sal_variation_run(setup, param, closed, t0, t1, y, Phi, work);
  free(work);
  return end;
}

static sal_setup smooth(const char *method, double tol)
{
  sal_setup setup = config("decay", method, "event", tol, 1);

  setup.model = &smooth_growth;
  setup.max_step = 2; /* the tolerance decides */
  return setup;
}

/* With u = x - z and w = 2 z - x:  u = u0 exp(sin t - sin t0),  1 / w = 1 / w0 + t - t0. */
static void smooth_truth(double t0, double t1, double u0, double w0, double y[], double Phi[])
{
  const double grow = exp(sin(t1) - sin(t0)), w = 1 / (1 / w0 + t1 - t0), fade = w / w0 * (w / w0);

  y[0] = 2 * u0 * grow + w;
  y[1] = u0 * grow + w;
  Phi[0] = 2 * grow - fade;
  Phi[1] = 2 * (fade - grow);
  Phi[2] = grow - fade;
  Phi[3] = 2 * fade - grow;
}

static double smooth_error(const char *method, double tol)
{
  const sal_setup setup = smooth(method, tol);
  double y[] = {2.5, 1.5}, Phi[4], end[2], truth[4], worst = 0;

  smooth_truth(0.5, 2, 1, 0.5, end, truth);
  CU_ASSERT_EQUAL(vary(&setup, NULL, NULL, 0.5, 2, y, Phi), SAL_OUT_DONE);
  for (int i = 0; i < 4; ++i) worst = fmax(worst, fabs(Phi[i] - truth[i]));
  for (int i = 0; i < 2; ++i) CU_ASSERT(fabs(y[i] - end[i]) <= fmax(10 * worst, 1e-13));
  CU_ASSERT(fabs(truth[0] - 1) > 0.5 && fabs(truth[1]) > 0.5);
  return worst;
}

static void every_method_finds_the_closed_form(void)
{
  for (const sal_method *const *m = sal_registry_methods; *m; ++m) {
    if ((*m)->second_order) continue; /* the variational equation is of first order */
    const double coarse = smooth_error((*m)->name, 1e-4), fine = smooth_error((*m)->name, 1e-7);
    CU_ASSERT(coarse < 3e-3 && fine < 3e-5);
    CU_ASSERT(coarse > 30 * fine);
  }
  CU_ASSERT(smooth_error("dop853", 1e-13) < 1e-12);
}

static void decay_decays(void)
{
  const sal_setup setup = config("decay", "dop853", "event", 1e-13, 2);
  const double param[] = {1.5};
  double y[] = {3}, Phi[1];

  CU_ASSERT_EQUAL(vary(&setup, param, NULL, 0, 2, y, Phi), SAL_OUT_DONE);
  CU_ASSERT_DOUBLE_EQUAL(Phi[0], exp(-3), 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(y[0], 3 * exp(-3), 1e-13);
}

/* The mode is the one given, independent of the gap: a damped oscillator above the ground. */
static void the_mode_is_the_given_one(void)
{
  const sal_setup setup = config("linear-ground", "dop853", "event", 1e-13, 2);
  const double param[] = {1, 100, 1}, t = 0.7, a = 0.5, w = sqrt(100 - a * a);
  const double e = exp(-a * t), c = cos(w * t), s = sin(w * t);
  const double truth[] = {e * (c + a / w * s), e * s / w, -100 * e * s / w, e * (c - a / w * s)};
  double y[] = {5, 0}, Phi[4];

  CU_ASSERT_EQUAL(vary(&setup, param, (bool[]){true}, 0, t, y, Phi), SAL_OUT_DONE);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(Phi[i], truth[i], 1e-11);
  y[0] = -5, y[1] = 0;
  CU_ASSERT_EQUAL(vary(&setup, param, (bool[]){false}, 0, t, y, Phi), SAL_OUT_DONE);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(Phi[i], ((double[]){1, t, 0, 1})[i], 1e-13);
  CU_ASSERT(fabs(truth[2]) > 1);
}

/* Six states and six columns do not fit at once: two rounds must give what one would. */
static void columns_come_in_rounds(void)
{
  enum { N = 6, H = 3 };
  const sal_model *m = sal_registry_model("plate");
  const sal_setup setup = config("plate", "dop853", "event", 1e-13, 2);
  double param[SAL_MAX_PARAM], y[N] = {0, 2, 0.1, 0.3, -1, 0.2}, Phi[N * N];
  const bool open[10] = {false};

  CU_ASSERT(N * (1 + N) > SAL_VARIATION_TOGETHER && sal_variation_works(m));
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  CU_ASSERT_EQUAL(vary(&setup, param, open, 1, 1.25, y, Phi), SAL_OUT_DONE);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      CU_ASSERT_DOUBLE_EQUAL(Phi[i * N + j], i == j ? 1 : j == i + H ? 0.25 : 0, 1e-14);
}

/* Two events may be so close that a tenth of the time between is below its resolution. */
static void a_few_spacings_of_time_are_a_step(void)
{
  const double t0 = 0.37;

  for (int spacings = 1; spacings <= 64; spacings *= 2) {
    sal_setup setup = config("decay", "dop853", "event", 1e-13, 2);
    setup.max_attempts = 100;
    const double param[] = {1.5};
    double y[] = {3}, Phi[1];
    CU_ASSERT_EQUAL(vary(&setup, param, NULL, t0, t0 + spacings * 0x1p-54, y, Phi), SAL_OUT_DONE);
    CU_ASSERT(y[0] <= 3 && y[0] > 3 - 1e-13);
  }
}

static void what_cannot_go_on_says_so(void)
{
  sal_setup setup = smooth("dop853", 1e-12);
  double y[] = {1, 0}, Phi[4]; /* w = -1 is infinite at t = 1 */

  const sal_outcome end = vary(&setup, NULL, NULL, 0, 2, y, Phi);
  CU_ASSERT(end == SAL_OUT_UNDERFLOW || end == SAL_OUT_NOT_FINITE);
  setup.max_attempts = 3;
  y[0] = 2.5, y[1] = 1.5;
  CU_ASSERT_EQUAL(vary(&setup, NULL, NULL, 0, 2, y, Phi), SAL_OUT_STEP_CAP);
  setup.max_attempts = 300;
  CU_ASSERT_EQUAL(vary(&setup, NULL, NULL, 0, 2, y, Phi), SAL_OUT_DONE);
}

SAL_TEST_MAIN("variation", NULL,
              {"every method finds the closed form", every_method_finds_the_closed_form},
              {"decay decays", decay_decays},
              {"the mode is the given one", the_mode_is_the_given_one},
              {"columns come in rounds", columns_come_in_rounds},
              {"a few spacings of time are a step", a_few_spacings_of_time_are_a_step},
              {"a run that cannot go on has an outcome", what_cannot_go_on_says_so})
