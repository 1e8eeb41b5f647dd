/** The plate on a bed that shakes: against its closed form where all springs stay in contact, and
 *  flat bounces that last, whose contacts all change at the same instant.
 */
#include "kernels/run_one.h"
#include "plate_cases.h"
#include <complex.h>
#include <math.h>

enum { X, Z, TH, VX, VZ, W, N_STATE };
enum { N, K, C, G, M, INERTIA, WIDTH, LENGTH, L0, F0, A, OMEGA, H, D, N_PARAM };
enum { MOST = 2048 };

static void shaken(int n, double amplitude, double tether, double p[])
{
  plate_presets(n, p);
  p[A] = amplitude;
  p[H] = tether;
  p[D] = 1;
}

static sal_record run(const double p[], double tol, double t_end, const double y[], double end[],
                      sal_events *log)
{
  sal_setup setup = config("plate", "dop853", "event", tol, t_end);
  const sal_job job = {.param = p, .initial = y, .events = log, .end = end};
  sal_record r;

  setup.n_guard = (int)p[N];
  run_batch(&setup, 1, 1, &job, &r);
  return r;
}

/* The plate on its springs is a mass whose foot is moved: z - l0 + m g / K = Re of the response. */
static void a_plate_that_never_leaves_rings_with_the_bed(void)
{
  double p[N_PARAM], y[N_STATE] = {0}, end[N_STATE], t = 1.3;

  shaken(7, 0.01, 0, p);
  const double w = p[OMEGA], level = p[L0] - p[M] * p[G] / p[K];
  const double complex push = p[K] + I * w * p[C];
  const double complex z = -I * p[A] * push / (push - p[M] * w * w); /* of A sin(w t) */
  y[Z] = level + creal(z);
  y[VZ] = creal(I * w * z);
  const sal_record r = run(p, 1e-12, t, y, end, NULL);
  CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 0);
  CU_ASSERT_DOUBLE_EQUAL(end[Z], level + creal(z * cexp(I * w * t)), 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(end[VZ], creal(I * w * z * cexp(I * w * t)), 1e-10);
  CU_ASSERT(cabs(z) > 1.5 * p[A] && end[X] == 0 && end[TH] == 0);
}

/** The state after a number of periods, begun a little off level and off the middle. */
static double settle(const double p[], int periods, double y[])
{
  const double T = sal_registry_model("plate")->section.period(NULL, p);
  double end[N_STATE];

  CU_ASSERT_DOUBLE_EQUAL(T, 2 * M_PI / p[OMEGA], 1e-15);
  for (int i = 0; i < periods; ++i) {
    const sal_record r = run(p, 1e-10, T, y, end, NULL);
    CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE);
    memcpy(y, end, N_STATE * sizeof *y);
  }
  return fabs(y[X]) + fabs(y[TH]) + fabs(y[VX]) + fabs(y[W]);
}

/* All springs touch at once and leave at once, again after each period. */
static void flat_bounces_last_and_attract(void)
{
  static const int springs[] = {2, 3, 10, 64, 512};
  double height = NAN;

  for (size_t i = 0; i < sizeof springs / sizeof *springs; ++i) {
    static sal_event event[MOST];
    sal_events log = {.event = event, .capacity = MOST};
    const int n = springs[i];
    double p[N_PARAM], y[N_STATE] = {1e-3, 1.2, -1e-3}, end[N_STATE];
    shaken(n, 0.05, 5, p);
    CU_ASSERT(settle(p, 110, y) < 1e-6);
    y[X] = y[TH] = y[VX] = y[W] = 0;
    const sal_record r = run(p, 1e-10, 2 * M_PI / p[OMEGA], y, end, &log);
    CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == 2 * (int64_t)n);
    for (int k = 1; k < n; ++k)
      CU_ASSERT(event[k].t == event[0].t && event[n + k].t == event[n].t &&
                event[k].closes == event[0].closes && event[n + k].closes != event[0].closes);
    CU_ASSERT(fabs(event[n].t - event[0].t) > 0.05);
    for (int j = 0; j < N_STATE; ++j) CU_ASSERT_DOUBLE_EQUAL(end[j], y[j], 1e-8);
    CU_ASSERT(isnan(height) || fabs(y[Z] - height) < 1e-8); /* the same for any number of springs */
    height = y[Z];
  }
}

/* Without a tether it slides off. */
static void without_a_tether_they_do_not(void)
{
  double p[N_PARAM], y[N_STATE] = {1e-6, 1.2, 0};

  shaken(10, 0.05, 0, p);
  CU_ASSERT(settle(p, 20, y) > 1e-3);
}

/* One spring after the other, and by the border of the row: the same end. */
static void the_row_is_that_of_its_contacts(void)
{
  double p[N_PARAM], end[2][N_STATE];
  sal_record r[2];

  shaken(20, 0.06, 5, p);
  for (int every = 0; every < 2; ++every) {
    sal_setup setup = config("plate", "dop853", "event", 1e-11, 3);
    const sal_job job = {
        .param = p, .initial = (double[]){0.02, 1.3, 0.05, 0, 0, 0.1}, .end = end[every]};
    setup.n_guard = 20;
    setup.every_contact = every;
    run_batch(&setup, 1, 1, &job, &r[every]);
    CU_ASSERT_FATAL(outcome(&r[every]) == SAL_OUT_DONE);
  }
  CU_ASSERT(n_event(&r[0]) == n_event(&r[1]) && n_event(&r[0]) > 100);
  for (int j = 0; j < N_STATE; ++j) CU_ASSERT_DOUBLE_EQUAL(end[0][j], end[1][j], 1e-6);
}

static void a_bed_that_stands_still_has_no_period(void)
{
  const sal_model *m = sal_registry_model("plate");
  double p[N_PARAM];

  plate_presets(10, p);
  CU_ASSERT(isinf(m->section.period(m->inner, p)) && isinf(sal_model_longest_step(m, p, NULL)));
  p[A] = 0.1;
  CU_ASSERT(sal_model_longest_step(m, p, NULL) < m->section.period(m->inner, p) &&
            isfinite(m->section.period(m->inner, p)));
}

SAL_TEST_MAIN("plate on a shaken bed", NULL,
              {"a plate that never leaves rings with the bed",
               a_plate_that_never_leaves_rings_with_the_bed},
              {"flat bounces last and attract", flat_bounces_last_and_attract},
              {"without a tether they do not", without_a_tether_they_do_not},
              {"the row is that of its contacts", the_row_is_that_of_its_contacts},
              {"a bed at rest has no period", a_bed_that_stands_still_has_no_period})
