/** Points of small examples that were worked out by hand. */
#include "points.h"
#include "sal_test.h"
#include <math.h>

enum { N_METHOD = 3, T_END = 50 };

static sal_sweep sweep_of(int n_tolerance, sal_points_scope scope)
{
  return (sal_sweep){.n_method = N_METHOD,
                     .n_strategy = 1,
                     .n_tolerance = n_tolerance,
                     .t_end = T_END,
                     .points = scope};
}

static sal_record record_of(double sd, double rhs, double dt, double iae)
{
  sal_record r;
  for (int i = 0; i < SAL_N_METRIC; ++i) r.value[i] = NAN;
  r.value[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
  r.value[SAL_METRIC_SD] = sd;
  r.value[SAL_METRIC_RHS] = rhs;
  r.value[SAL_METRIC_DT] = dt;
  r.value[SAL_METRIC_IAE] = iae;
  return r;
}

static void score(const sal_sweep *sweep, int64_t count, sal_record record[])
{
  sal_tile_result result = {.count = count, .record = record};
  sal_points_range range;

  sal_points_range_clear(&range);
  sal_points_range_add(&range, sweep, &result);
  sal_points_fill(&range, sweep, &result);
}

#define IS(record, metric, wanted)                                                                 \
  CU_ASSERT(fabs((record).value[SAL_METRIC_POINTS_##metric] - (wanted)) < 1e-13)

/* Three methods; the third never diverges. */
static void example(sal_record r[N_METHOD], double scale)
{
  r[0] = record_of(1 * scale, 100 * scale, 10, 0.5 * scale);
  r[1] = record_of(3 * scale, 200 * scale, 20, 0.1 * scale);
  r[2] = record_of(5 * scale, 500 * scale, NAN, 0.2 * scale);
}

static void check_example(const sal_record r[N_METHOD])
{
  IS(r[0], SD, 10);
  IS(r[1], SD, 5.5);
  IS(r[2], SD, 1);
  IS(r[0], RHS, 10);
  IS(r[1], RHS, 7.75);
  IS(r[2], RHS, 1);
  IS(r[0], DT, 1);
  IS(r[1], DT, 3.25);
  IS(r[2], DT, 10);
  IS(r[0], DT0, 5.5);
  IS(r[1], DT0, 10);
  IS(r[2], DT0, 1);
  IS(r[0], IAE, 1);
  IS(r[1], IAE, 10);
  IS(r[2], IAE, 7.75);
}

static void every_criterion_is_scored_in_its_direction(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[N_METHOD];

  example(r, 1);
  score(&sweep, 1, r);
  check_example(r);
}

static void tolerances_have_scales_of_their_own(void)
{
  const sal_sweep sweep = sweep_of(2, SAL_POINTS_GLOBAL);
  sal_record r[2 * N_METHOD];

  example(r, 1);
  example(r + N_METHOD, 1000);
  score(&sweep, 1, r);
  check_example(r);
  check_example(r + N_METHOD);
}

static void a_failed_trajectory_gets_one_point_and_does_not_stretch_the_scale(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[2 * N_METHOD];

  example(r, 1);
  example(r + N_METHOD, 1);
  for (int out = SAL_OUT_DONE + 1; out < SAL_N_OUTCOME; ++out) {
    if (!sal_metric_was_run(out)) continue;
    if (out == SAL_OUT_ENDED) continue;    /* is none */
    if (sal_metric_stopped(out)) continue; /* is not known to be one */
    r[N_METHOD] = record_of(1e9, 1e9, 0.001, 1e9);
    r[N_METHOD + 1] = record_of(1e-9, 1e-9, 49, 1e-9);
    r[N_METHOD].value[SAL_METRIC_OUTCOME] = r[N_METHOD + 1].value[SAL_METRIC_OUTCOME] = out;
    score(&sweep, 2, r);
    check_example(r);
    for (int i = N_METHOD; i < N_METHOD + 2; ++i) {
      IS(r[i], SD, 1);
      IS(r[i], RHS, 1);
      IS(r[i], DT, 1);
      IS(r[i], DT0, 1);
      IS(r[i], IAE, 1);
    }
  }
}

static void all_cells_share_a_scale_unless_each_is_to_have_its_own(void)
{
  sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[2 * N_METHOD];

  example(r, 1);
  example(r + N_METHOD, 2);
  score(&sweep, 2, r); /* SD runs from 1 to 10 */
  IS(r[0], SD, 10);
  IS(r[2], SD, 6);
  IS(r[N_METHOD + 2], SD, 1);

  sweep.points = SAL_POINTS_PER_CELL;
  score(&sweep, 2, r);
  check_example(r);
  check_example(r + N_METHOD);
}

static void equal_values_all_get_ten(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[N_METHOD];

  for (int i = 0; i < N_METHOD; ++i) r[i] = record_of(2, 300, NAN, 0.25);
  score(&sweep, 1, r);
  for (int i = 0; i < N_METHOD; ++i) {
    IS(r[i], SD, 10);
    IS(r[i], RHS, 10);
    IS(r[i], DT, 10);
    IS(r[i], DT0, 10);
    IS(r[i], IAE, 10);
  }
}

static void what_was_not_measured_gets_no_points_and_spoils_nothing(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[2 * N_METHOD];

  example(r, 1);
  for (int i = 0; i < N_METHOD; ++i) r[N_METHOD + i] = record_of(NAN, 300, 15, NAN);
  score(&sweep, 2, r);
  check_example(r);
  for (int i = N_METHOD; i < 2 * N_METHOD; ++i) {
    CU_ASSERT(isnan(r[i].value[SAL_METRIC_POINTS_SD]));
    CU_ASSERT(isnan(r[i].value[SAL_METRIC_POINTS_IAE]));
    IS(r[i], RHS, 5.5);
  }
}

static void slabs_in_any_cut_and_order_give_the_same_scale(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record whole[4 * N_METHOD], cut[4 * N_METHOD];
  sal_points_range range;

  for (int i = 0; i < 4; ++i) example(whole + i * N_METHOD, 1 + 0.37 * i);
  memcpy(cut, whole, sizeof cut);
  score(&sweep, 4, whole);

  sal_tile_result result[3] = {{.count = 1, .record = cut + 3 * N_METHOD},
                               {.count = 2, .record = cut},
                               {.count = 1, .record = cut + 2 * N_METHOD}};
  sal_points_range_clear(&range);
  for (int i = 0; i < 3; ++i) sal_points_range_add(&range, &sweep, &result[i]);
  for (int i = 0; i < 3; ++i) sal_points_fill(&range, &sweep, &result[i]);
  CU_ASSERT(memcmp(whole, cut, sizeof cut) == 0);
  CU_ASSERT(whole[0].value[SAL_METRIC_POINTS_SD] != whole[3].value[SAL_METRIC_POINTS_SD]);
}

static void a_pair_left_out_gets_none(void)
{
  const sal_sweep sweep = sweep_of(1, SAL_POINTS_GLOBAL);
  sal_record r[2 * N_METHOD];

  example(r, 1);
  example(r + N_METHOD, 1);
  r[N_METHOD] = record_of(1e9, 1e9, 0.001, 1e9);
  r[N_METHOD].value[SAL_METRIC_OUTCOME] = SAL_OUT_INCOMPATIBLE;
  score(&sweep, 2, r);
  check_example(r);
  CU_ASSERT(isnan(r[N_METHOD].value[SAL_METRIC_POINTS_SD]));
  CU_ASSERT(isnan(r[N_METHOD].value[SAL_METRIC_POINTS_DT]));
  CU_ASSERT(isnan(r[N_METHOD].value[SAL_METRIC_POINTS_IAE]));
}

SAL_TEST_MAIN("points", NULL, {"a pair left out gets none", a_pair_left_out_gets_none},
              {"every criterion is scored in its direction",
               every_criterion_is_scored_in_its_direction},
              {"tolerances have scales of their own", tolerances_have_scales_of_their_own},
              {"a failed trajectory gets 1 point and does not stretch the scale",
               a_failed_trajectory_gets_one_point_and_does_not_stretch_the_scale},
              {"all cells share a scale unless each is to have its own",
               all_cells_share_a_scale_unless_each_is_to_have_its_own},
              {"equal values all get 10", equal_values_all_get_ten},
              {"what was not measured gets no points and spoils nothing",
               what_was_not_measured_gets_no_points_and_spoils_nothing},
              {"results in any cut and order give the same scale",
               slabs_in_any_cut_and_order_give_the_same_scale})
