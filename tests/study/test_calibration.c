/** Zones that reach a given error.  The figures are those of an independent implementation of the
 *  algorithm, whose eps is known to 20 %: there the zone was entered at multiples of the step.
 */
#include "calibration.h"
#include "hopper.h"
#include "memory.h"
#include "sal_test.h"

/* The zone of `ess` at which the error in z is `target`; *y stays with the caller. */
static sal_calibration calibrate(const hopper *h, bool in_time, double target, double least,
                                 double most, sal_certified_run *y)
{
  sal_setup setup = hopper_config("ess", 1e-6);
  sal_calibration c;

  setup.zone_in_time = in_time;
  CU_ASSERT_FATAL(
      sal_certified_run_create(&setup, h->param, h->initial, HOPPER_Z, HOPPER_MESH, y) == SAL_OK);
  CU_ASSERT_FATAL(sal_calibration_find(y, &setup, target, least, most, 41, 1, &c) == SAL_OK);
  return c;
}

static void the_paper_s_calibration_is_met(void)
{
  static const struct {
    double k, target, eps, within;
  } cases[] = {{50, 3.0e-3, 0.036, 0.2},
               {100, 2.8e-3, 0.026, 0.2},
               {200, 2.87e-3, 0.018, 0.2},
               {1000, 2.9e-3, 0.008, 0.2},
               {200, 1.8e-1, 0.13, 0.05}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const hopper h = hopper_with(cases[i].k);
    sal_certified_run y;
    sal_calibration c = calibrate(&h, false, cases[i].target, 1e-5, 0.5, &y);
    CU_ASSERT_FATAL(c.crossings > 0);
    const sal_calibration_point *best = sal_calibration_best(&c);
    printf("\n    k = %-4g RMS %.3g: eps = %.4f, wanted %g", cases[i].k, best->measured.rms,
           best->eps, cases[i].eps);
    CU_ASSERT_DOUBLE_EQUAL(best->eps, cases[i].eps, cases[i].within * cases[i].eps);
    CU_ASSERT_DOUBLE_EQUAL(best->measured.rms, cases[i].target, 1e-4 * cases[i].target);
    CU_ASSERT(!sal_calibration_jumps(&c));
    sal_calibration_free(&c);
    sal_certified_run_free(&y);
  }
}

static void the_bracket_holds_the_target_between_neighbours(void)
{
  const long live = sal_memory_live();
  const hopper h = hopper_with(200);
  sal_certified_run y;
  sal_calibration c = calibrate(&h, false, 2.87e-3, 1e-5, 0.5, &y);

  CU_ASSERT(c.low.measured.rms <= c.target && c.target < c.high.measured.rms);
  CU_ASSERT(c.low.eps < c.high.eps && c.high.eps < c.low.eps * (1 + 2e-6));
  CU_ASSERT(c.low.measured.record.value[SAL_METRIC_SD] > 0);
  CU_ASSERT(isnan(c.scan[0].measured.record.value[SAL_METRIC_SD]));
  CU_ASSERT(c.scan[0].eps == 1e-5 && c.scan[40].eps == 0.5);
  for (int i = 0; i < 40; ++i)
    CU_ASSERT_DOUBLE_EQUAL(c.scan[i + 1].eps / c.scan[i].eps, pow(5e4, 1.0 / 40), 1e-9);
  sal_calibration_free(&c);
  sal_certified_run_free(&y);
  CU_ASSERT_EQUAL(sal_memory_live(), live);
}

/* In time the zone is entered at multiples of the step: the curve is a staircase. */
static void a_step_over_the_target_is_told(void)
{
  const hopper h = hopper_with(200);
  sal_certified_run y;
  sal_calibration c = calibrate(&h, true, 2.87e-3, 2e-6, 0.2, &y);

  CU_ASSERT(c.crossings == 1 && sal_calibration_jumps(&c));
  CU_ASSERT(c.high.eps < c.low.eps * (1 + 2e-6));
  CU_ASSERT(c.low.measured.rms < 0.5 * c.target && c.high.measured.rms > 1.2 * c.target);
  CU_ASSERT(sal_calibration_best(&c) == &c.high); /* 3.5e-3 is closer than 9.7e-4 */
  sal_calibration_free(&c);
  sal_certified_run_free(&y);
}

static void of_several_crossings_the_one_at_the_smallest_zone_is_taken(void)
{
  const hopper h = hopper_with(200);
  int first = 0, last = 0;
  sal_certified_run y;
  sal_calibration c = calibrate(&h, true, 2e-5, 2e-6, 0.2, &y);

  CU_ASSERT(c.crossings == 2);
  CU_ASSERT(c.low.measured.rms > c.target && c.high.measured.rms < c.target); /* it falls there */
  CU_ASSERT(c.high.eps < 2e-4);
  CU_ASSERT(sal_calibration_falls(&c, &first, &last));
  CU_ASSERT(c.scan[first].eps < c.low.eps && c.scan[last].eps > c.low.eps);
  sal_calibration_free(&c);
  sal_certified_run_free(&y);
}

static void where_the_error_falls_is_found_stretch_by_stretch(void)
{
  static const double errors[] = {1, 0.995, 0.5, 0.2, 3, 4, 3.9, 5};
  enum { N = sizeof errors / sizeof *errors };
  sal_calibration_point scan[N];
  sal_calibration c = {.n = N, .scan = scan};
  int first = 0, last = 0;

  for (int i = 0; i < N; ++i) scan[i].measured.rms = errors[i];
  CU_ASSERT(sal_calibration_falls(&c, &first, &last) && first == 1 && last == 3);
  first = last;
  CU_ASSERT(sal_calibration_falls(&c, &first, &last) && first == 5 && last == 6);
  first = last;
  CU_ASSERT(!sal_calibration_falls(&c, &first, &last));
}

static void an_error_out_of_reach_has_no_bracket(void)
{
  static const double targets[] = {1e-12, 10};
  const hopper h = hopper_with(200);

  for (int i = 0; i < 2; ++i) {
    sal_certified_run y;
    sal_calibration c = calibrate(&h, false, targets[i], 1e-4, 0.5, &y);
    CU_ASSERT(c.crossings == 0);
    for (int k = 0; k < c.n; ++k) CU_ASSERT((c.scan[k].measured.rms > 1e-12) && c.scan[k].eps > 0);
    CU_ASSERT(c.scan[0].measured.rms < 1e-6 && c.scan[40].measured.rms > 1);
    sal_calibration_free(&c);
    sal_certified_run_free(&y);
  }
}

SAL_TEST_MAIN("calibrate", NULL, {"the paper's calibration is met", the_paper_s_calibration_is_met},
              {"the bracket holds the target between neighbours",
               the_bracket_holds_the_target_between_neighbours},
              {"a step over the target is reported", a_step_over_the_target_is_told},
              {"of several crossings the one at the smallest zone is taken",
               of_several_crossings_the_one_at_the_smallest_zone_is_taken},
              {"where the error falls is found stretch by stretch",
               where_the_error_falls_is_found_stretch_by_stretch},
              {"an error out of reach has no bracket", an_error_out_of_reach_has_no_bracket})
