/** A bump of a thousandth of the span, put anywhere: references see it or say that they do not know.
 *
 *      y' = -y + A sin^2(pi (t - c) / W)  for c < t < c + W,   y' = -y elsewhere,
 *
 *  whose solution is known.  Far from the bump steps are as long as they may be.
 */
#include "made_up_sweep.h"
#include "reference.h"
#include "registry.h"
#include "sal_test.h"
#include "scalar_flow.h"
#include "scramble.h"
#include <math.h>

enum { PLACES = 300, P_AT = 0, P_SIZE = 1 };
static const double width = 1e-3; /* of the span, which is 1 */

static void rhs(const sal_scalar_phase *s, double t, const double y[], double dy[])
{
  const double into = (t - s->p[P_AT]) / width, wave = sin(3.14159265358979323846 * into);

  dy[0] = -y[0] + (into > 0 && into < 1 ? s->p[P_SIZE] * wave * wave : 0);
}

static void jac(const sal_scalar_phase *s, double t, const double y[], double J[])
{
  (void)s, (void)t, (void)y;
  J[0] = -1;
}

static const sal_scalar_functions functions = {.n = 1, .rhs = rhs, .jac = jac};

static sal_model bumpy(const char *reference)
{
  return (sal_model){
      .name = "bumpy",
      .title = "a bump",
      .source = "made up",
      .n_state = 1,
      .n_param = 2,
      .span = 1,
      .state = {{.name = "y", .unit = "1", .preset = 1, .lo = 1, .hi = 1, .least = 0, .most = 2}},
      .param = {[P_AT] = {.name = "at", .unit = "1", .hi = 1, .most = 1},
                [P_SIZE] = {.name = "size", .unit = "1", .preset = 1, .hi = 1, .most = 1}},
      .reference = reference,
      .inner = &functions,
      .w1 = &sal_scalar_flow_w1};
}

/* y(1) from y(0) = 1. */
static double end_of(const double p[])
{
  const double w = 2 * 3.14159265358979323846 / width;

  return exp(-1) + exp(p[P_AT] - 1) * p[P_SIZE] / 2 * expm1(width) * w * w / (1 + w * w);
}

static void put(int i, double size, double p[])
{
  p[P_AT] = (double)(sal_scramble((uint64_t)i) >> 11) * 0x1p-53 * (1 - width);
  p[P_SIZE] = size;
}

/* How many references leap over the bump, how many runs that they are compared with do, and how many
 * references have a larger error than they say. */
typedef struct {
  int leaps, close_leaps, silent;
} verdict;

static verdict judge(const sal_sweep *sweep, double size)
{
  const double rounding = 1e-12;
  verdict v = {0};
  sal_reference of = {0}, spare = {0};
  void *space = sal_alloc(sal_reference_bytes(sweep, 1), 1);

  CU_ASSERT_FATAL(space && sal_reference_alloc(sweep, &of) && sal_reference_alloc(sweep, &spare));
  for (int i = 0; i < PLACES; ++i) {
    double p[2];
    const double y = 1;
    put(i, size, p);
    sal_reference_run(sweep, 1, 1, p, &y, &of, &spare, space, NULL);
    const double kick = size * width / 2, end = end_of(p);
    const double off = fabs(of.state[sweep->n_mesh] - end);
    v.leaps += !(off < kick / 10);
    v.close_leaps += !(fabs(spare.state[sweep->n_mesh] - end) < kick / 10);
    v.silent += !(off <= 3 * of.error + rounding && off <= 3 * of.error_watched + rounding);
  }
  sal_reference_free(&of);
  sal_reference_free(&spare);
  sal_free(space);
  return v;
}

static verdict judge_by(const char *method, const char *more, double size)
{
  const sal_model m = bumpy(method);
  sal_text text = {0};
  sal_sweep sweep;

  sal_text_add(&text,
               "model: decay\ncells: {columns: [at], rows: [[0]]}\nt_end: 1\nmesh: 0.1\n"
               "solvers: [ode45]\nstrategies: [switch]\nrtol: [1e-6]\n%s",
               more);
  CU_ASSERT_FATAL(made_up_sweep(&m, text.string, &sweep) == SAL_OK);
  const verdict v = judge(&sweep, size);
  sal_sweep_free(&sweep);
  sal_text_free(&text);
  printf("[%s, %g: of %d %d and %d leap, %d silent] ", method, size, PLACES, v.leaps, v.close_leaps,
         v.silent);
  return v;
}

static void nothing_is_certified_that_leaps_over_a_bump(void)
{
  static const double sizes[] = {1, 1e-3, 1e-6};

  for (int k = 0; k < 3; ++k) {
    const verdict stages = judge_by("dop853", "", sizes[k]);
    const verdict implicit = judge_by("radau5", "", sizes[k]);
    CU_ASSERT(stages.close_leaps == 0 && stages.silent == 0);
    CU_ASSERT(implicit.close_leaps == 0 && implicit.silent == 0);
    CU_ASSERT(stages.leaps > PLACES / 2); /* the bump is one that runs leap over */
  }
}

static void nor_by_the_mean_of_four(void)
{
  const verdict v = judge_by("dop853", "reference: paper\nreference_tolerance: 1e-6\n", 1);

  CU_ASSERT(v.silent == 0); /* one of the four may leap, all do not */
}

static void steps_are_bounded_and_nothing_else_is_changed(void)
{
  const sal_setup any = {.t_end = 50, .rtol = 1e-3, .max_attempts = 0};
  const sal_setup tight = {.t_end = 50, .max_step = 1e-3, .max_attempts = 100};
  const sal_setup loose = {.t_end = 50, .max_step = 1};

  CU_ASSERT(sal_certificate_close(any).max_step == 0.05 && sal_certificate_close(any).rtol == 1e-3);
  CU_ASSERT(sal_certificate_close(any).max_attempts == 0);
  CU_ASSERT(sal_certificate_close(tight).max_step == 1e-3);
  CU_ASSERT(sal_certificate_close(tight).max_attempts >= 100 + SAL_CERTIFICATE_STEPS);
  CU_ASSERT(sal_certificate_close(loose).max_step == 0.05);
}

SAL_TEST_MAIN("certificate", NULL,
              {"nothing is certified that leaps over a bump",
               nothing_is_certified_that_leaps_over_a_bump},
              {"nor by the mean of four", nor_by_the_mean_of_four},
              {"steps are bounded, and nothing else is changed",
               steps_are_bounded_and_nothing_else_is_changed})
