/** Tolerances between levels, probabilities and expected totals by hand. */
#include "memory.h"
#include "sal_test.h"
#include "surrogate_totals.h"
#include "sweep_read.h"
#include "sweep_steps.h"
#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
  "model: monopod\nt_end: 50\nsolvers: [ode45]\nstrategies: [switch]\ncells: {axes: [{name: k, "   \
  "list: [10]}]}\n"
/* The second is 10^(3/4) tighter. */
#define TWO HEAD "rtol: [1e-2, 1.778279410038923e-3]\n"

static void candidates_are_four_a_decade_and_tries_three_quarters_of_one(void)
{
  begin(HEAD "rtol: [1e-6, 1e-2, 1e-3, 3e-3]\n"); /* in any order */
  const int n[] = {(int)lround(4 * log10(1e-2 / 3e-3)), (int)lround(4 * log10(3)), 12};
  CU_ASSERT_EQUAL(steps.n_candidate, n[0] + n[1] + n[2] + 1);
  CU_ASSERT_EQUAL(steps.at[0].tolerance, 1e-2);
  CU_ASSERT_DOUBLE_EQUAL(steps.at[n[0]].tolerance / 3e-3, 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(steps.at[n[0] + n[1]].tolerance / 1e-3, 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(steps.at[steps.n_candidate - 1].tolerance / 1e-6, 1, 1e-12);
  int ends = 0;
  for (int i = 0; i < steps.n; ++i) {
    const sal_surrogate_step *s = &steps.at[i];
    if (s->next >= 0)
      CU_ASSERT_DOUBLE_EQUAL(steps.at[s->next].tolerance / s->tolerance, pow(10, -0.75), 1e-8);
    ends += s->next < 0;
    CU_ASSERT((s->next < 0) == (s->tolerance * pow(10, -0.75) < 1e-6 * (1 - 1e-9)));
    const double from = sweep.tolerance[steps.level[s->level]];
    if (s->share > 0)
      CU_ASSERT_DOUBLE_EQUAL(
          s->tolerance / (from * pow(sweep.tolerance[steps.level[s->level + 1]] / from, s->share)),
          1, 1e-12);
  }
  CU_ASSERT(ends >= 3 && steps.n > steps.n_candidate);
  end();
}

/* The error asked for is the mean of the first level, and half a scatter above that of the second. */
static bool fits[] = {true, true};
static double ln_error[] = {-7, -8}, ln_work[2], scatter[] = {1, 2}, share[] = {1, 1};
static const sal_error_shape shape = {3, {-1, 0, 1}, {0.1, 0.5, 0.9}, {0}};

static sal_local_forecast coins(void)
{
  ln_work[0] = log(100);
  ln_work[1] = log(300);
  return (sal_local_forecast){.n = 4,
                              .n_config = 2,
                              .fits = fits,
                              .ln_error = ln_error,
                              .ln_work = ln_work,
                              .ln_expected = ln_work,
                              .scatter = scatter,
                              .share = share};
}

static void probabilities_follow_the_scatter(const sal_local_forecast *forecast,
                                             sal_surrogate_totals *t)
{
  sal_surrogate_totals_error(t, &shape, -7, 2); /* as wide again */
  CU_ASSERT_DOUBLE_EQUAL(t->probability[3], 0.5 + 0.4 * 0.25, 1e-12);
  sal_surrogate_totals_error(t, &shape, -6.5, 1);
  CU_ASSERT_DOUBLE_EQUAL(t->probability[0], 0.5 + 0.4 * 0.5, 1e-12);
  sal_surrogate_totals_error(t, &shape, -1, 1);
  CU_ASSERT_EQUAL(t->probability[0], 0.9); /* never surer than what the shape is made of */
  sal_surrogate_totals_error(t, &shape, -9, 1);
  CU_ASSERT_EQUAL(t->probability[0], 0);
  share[1] = 0.5; /* it counts in half of the cells */
  sal_surrogate_totals_place(t, forecast, NULL, NULL);
  sal_surrogate_totals_error(t, &shape, -7, 1);
  CU_ASSERT_DOUBLE_EQUAL(t->probability[3], 0.5 * 0.7, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(t->probability[1], (2 + 0.5) / 3 * (0.5 + 0.4 / 3 / cbrt(2)), 1e-12);
  share[1] = 1;
}

static void totals_of_two_levels(void)
{
  const sal_local_forecast forecast = coins();
  sal_surrogate_totals t;

  begin(TWO);
  CU_ASSERT_EQUAL(steps.n, 4);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_totals_create(&sweep, &steps, &t), SAL_OK);
  sal_surrogate_totals_place(&t, &forecast, NULL, NULL);
  sal_surrogate_totals_error(&t, &shape, -7, 1);
  CU_ASSERT_DOUBLE_EQUAL(t.fallback, 300, 1e-12);
  sal_surrogate_choice c = sal_surrogate_totals_choice(&t, (sal_surrogate_pick){0, 0, NAN});
  CU_ASSERT_EQUAL(c.probability, 0.5);
  /* misses 1/2, then 1/2 min(1/2, 3/10) + 1/2 1/2 3/10 = 9/40, and the most expensive */
  CU_ASSERT_DOUBLE_EQUAL(c.total, 100 + 0.5 * 300 + 0.225 * 300, 1e-10);
  c = sal_surrogate_totals_choice(&t, (sal_surrogate_pick){0, 3, NAN});
  CU_ASSERT_DOUBLE_EQUAL(c.probability, 0.7, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c.total, 300 + 0.3 * 300, 1e-10);
  c = sal_surrogate_totals_choice(&t, (sal_surrogate_pick){0, 1, NAN}); /* a third of the way */
  CU_ASSERT_DOUBLE_EQUAL(c.probability, 0.5 + 0.4 / 3 / cbrt(2), 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c.work, 100 * cbrt(3), 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(c.total, c.work + (1 - c.probability) * 300, 1e-10);
  /* all totals one by one, against the search from the tight end */
  const sal_surrogate_pick best = sal_surrogate_totals_best(&t);
  for (int i = 0; i < 4; ++i) {
    c = sal_surrogate_totals_choice(&t, (sal_surrogate_pick){0, i, NAN});
    CU_ASSERT(best.total < c.total || (best.total == c.total && best.step <= i));
  }
  CU_ASSERT_EQUAL(best.total, sal_surrogate_totals_choice(&t, best).total);
  CU_ASSERT_EQUAL(sal_surrogate_totals_surest(&t, 0.6).step, 1);
  CU_ASSERT_EQUAL(sal_surrogate_totals_surest(&t, 0.8).step, -1);
  CU_ASSERT_EQUAL(sal_surrogate_totals_likely(&t).step, 3);
  probabilities_follow_the_scatter(&forecast, &t);
  sal_surrogate_totals_free(&t);
  end();
}

static void a_level_without_a_plane_is_no_candidate(void)
{
  const sal_local_forecast forecast = coins();
  sal_surrogate_totals t;

  begin(TWO);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_totals_create(&sweep, &steps, &t), SAL_OK);
  fits[1] = false;
  sal_surrogate_totals_place(&t, &forecast, NULL, NULL);
  sal_surrogate_totals_error(&t, &shape, -7, 1);
  const sal_surrogate_pick best = sal_surrogate_totals_best(&t);
  CU_ASSERT_EQUAL(best.step, 0); /* and its second attempt is the most expensive run, itself */
  CU_ASSERT_DOUBLE_EQUAL(best.total, 100 + 0.5 * 100, 1e-12);
  fits[0] = false;
  sal_surrogate_totals_place(&t, &forecast, NULL, NULL);
  sal_surrogate_totals_error(&t, &shape, -7, 1);
  CU_ASSERT_EQUAL(sal_surrogate_totals_best(&t).step, -1);
  CU_ASSERT_EQUAL(sal_surrogate_totals_likely(&t).step, -1);
  fits[0] = fits[1] = true;
  static const sal_between_levels unknown = {.n_pair = 1};
  sal_surrogate_totals_between(&t,
                               &unknown); /* two levels: nothing is known of what lies between */
  sal_surrogate_totals_place(&t, &forecast, NULL, NULL);
  for (int i = 0; i < steps.n_candidate; ++i)
    CU_ASSERT_EQUAL(isnan(t.work[i]), steps.at[i].share > 0);
  const bool none[] = {false};
  sal_surrogate_totals_place(&t, &forecast, none, NULL);
  sal_surrogate_totals_error(&t, &shape, -7, 1);
  CU_ASSERT_EQUAL(sal_surrogate_totals_best(&t).step, -1);
  sal_surrogate_totals_free(&t);
  end();
}

SAL_TEST_MAIN("totals", NULL,
              {"candidates are 16 a decade, and attempts three quarters of one",
               candidates_are_four_a_decade_and_tries_three_quarters_of_one},
              {"totals of two levels", totals_of_two_levels},
              {"a level without a plane is not a candidate",
               a_level_without_a_plane_is_no_candidate})
