/** Runs that were stopped at the cutoff of their cell: they never win, none gains by being one, and
 *  where they might have won it is said.
 */
#include "choose.h"
#include "memory.h"
#include "points.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>

/* 2 methods, 1 strategy, 2 tolerances: configuration = 2 t + m; one cell for each b. */
#define SWEEP                                                                                      \
  "model: monopod\nt_end: 50\nsolvers: [ode45, ode15s]\nstrategies: [event]\n"                     \
  "rtol: [1e-3, 1e-6]\ncells: {axes: [{name: b, log: [1000, 4000], points: 2}]}\n"
enum { N = 4, N_CELL = 2 };

typedef struct {
  sal_sweep sweep;
  sal_performance_table table;
  sal_cell_record cell[N_CELL];
  sal_record record[N_CELL * N];
} stage;

static void set_up(stage *s)
{
  *s = (stage){0};
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", SWEEP, 0, NULL, &s->sweep), SAL_OK);
  for (int c = 0; c < N_CELL; ++c) {
    s->cell[c].value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
    s->cell[c].value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 0;
  }
}

static void put(stage *s, int cell, int k, sal_outcome outcome, double work, double error)
{
  double *v = s->record[cell * N + k].value;
  v[SAL_METRIC_OUTCOME] = outcome;
  v[SAL_METRIC_RHS] = v[SAL_METRIC_SD] = work;
  v[SAL_METRIC_MAX_ERROR] = v[SAL_METRIC_IAE] = outcome == SAL_OUT_DONE ? error : NAN;
  v[SAL_METRIC_MAX_ERROR_PARTIAL] = outcome == SAL_OUT_DONE ? NAN : error;
  v[SAL_METRIC_DT] = NAN;
}

static void fill(stage *s, bool points)
{
  const sal_work_weights rhs = {.rhs = 1};
  const sal_tile_result result = {.count = N_CELL, .cell = s->cell, .record = s->record};

  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&s->sweep, N_CELL, NULL, &rhs, points, false, &s->table), SAL_OK);
  sal_performance_add(&s->table, &result);
}

static void tear_down(stage *s)
{
  sal_performance_free(&s->table);
  sal_sweep_free(&s->sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* In both cells: 10 for 1e-2, 30 for 1e-5, and what the other method did. */
static void fill_both(stage *s, sal_outcome loose, double did_loose, sal_outcome tight,
                      double did_tight)
{
  for (int c = 0; c < N_CELL; ++c) {
    put(s, c, 0, SAL_OUT_DONE, 10, 1e-2);
    put(s, c, 1, loose, did_loose, 1e-3);
    put(s, c, 2, SAL_OUT_DONE, 30, 1e-5);
    put(s, c, 3, tight, did_tight, 1e-7);
  }
  fill(s, false);
}

static void what_it_did_is_a_bound(void)
{
  stage s;

  set_up(&s);
  fill_both(&s, SAL_OUT_DONE, 20, SAL_OUT_OVER_CUTOFF, 60);
  CU_ASSERT(s.table.n_counted == 3 * N_CELL && s.table.n_censored == N_CELL);
  CU_ASSERT(s.table.work[3] == 60 && isinf(s.table.error[3]));
  CU_ASSERT(sal_performance_censored(&s.table, 1, 3) && !sal_performance_censored(&s.table, 1, 2));
  tear_down(&s);
}

static sal_map map_of(const stage *s, double error, const bool method[])
{
  sal_map map = {.n_error = 1, .error = {error}, .strategy = {true}};

  for (int m = 0; m < 2; ++m) map.method[m] = method[m];
  CU_ASSERT_EQUAL_FATAL(sal_choose_map(&s->table, &map), SAL_OK);
  return map;
}

/* Compares the reason and the winner. */
static void check_map(const stage *s, double error, bool first, bool second, int best,
                      sal_reason reason)
{
  sal_map map = map_of(s, error, (const bool[]){first, second});

  CU_ASSERT(map.by_error[0].best == best && map.by_error[0].reason == reason);
  CU_ASSERT(map.by_error[0].second < 0 || map.by_error[0].second != 3);
  sal_map_free(&map);
}

static void a_map_says_where_one_might_have_won(void)
{
  stage s;

  set_up(&s);
  fill_both(&s, SAL_OUT_DONE, 20, SAL_OUT_OVER_CUTOFF, 25);
  check_map(&s, 1e-2, true, true, 0, SAL_REASON_WORK);
  check_map(&s, 1e-5, true, true, 2, SAL_REASON_OVER_CUTOFF); /* 30 > 25: not known */
  check_map(&s, 1e-6, true, true, -1, SAL_REASON_OVER_CUTOFF);
  check_map(&s, 1e-5, true, false, 2, SAL_REASON_ALONE); /* it may not win */
  check_map(&s, 1e-6, true, false, -1, SAL_REASON_NO_CONFIG);
  CU_ASSERT(s.table.least_error[3] == 1e-7 && isnan(s.table.least_error[2]));
  put(&s, 0, 3, SAL_OUT_OVER_CUTOFF, 25,
      1.1e-5); /* stopped early, but too late for this question */
  sal_performance_free(&s.table);
  fill(&s, false);
  check_map(&s, 1e-5, true, true, 2, SAL_REASON_ALONE);
  check_map(&s, 1e-6, true, true, -1, SAL_REASON_NO_CONFIG);
  tear_down(&s);
  set_up(&s);
  fill_both(&s, SAL_OUT_DONE, 20, SAL_OUT_OVER_CUTOFF, 31);
  check_map(&s, 1e-5, true, true, 2, SAL_REASON_WORK); /* a runner-up that takes more */
  tear_down(&s);
}

static void it_is_not_ranked(void)
{
  const sal_question q = {.error = INFINITY};
  sal_choose_candidate list[N];
  stage s;

  set_up(&s);
  fill_both(&s, SAL_OUT_DONE, 20, SAL_OUT_DONE, 60);
  CU_ASSERT(sal_choose(&s.table, 1, &q, list) == 4);
  sal_performance_free(&s.table);
  put(&s, 1, 3, SAL_OUT_OVER_CUTOFF, 40, 1e-9);
  fill(&s, false);
  CU_ASSERT(sal_choose(&s.table, 0, &q, list) == 4);
  CU_ASSERT(sal_choose(&s.table, 1, &q, list) == 3);
  tear_down(&s);
}

static void it_has_no_points(void)
{
  sal_points_range range;
  stage s;

  set_up(&s);
  for (int k = 0; k < N_CELL * N; ++k) put(&s, k / N, k % N, SAL_OUT_DONE, 10 + k, 1e-3);
  put(&s, 0, 1, SAL_OUT_OVER_CUTOFF, 1e6, 1e-3);
  put(&s, 1, 1, SAL_OUT_STUCK, 1e6, 1e-3);
  sal_tile_result result = {.count = N_CELL, .cell = s.cell, .record = s.record};
  sal_points_range_clear(&range);
  sal_points_range_add(&range, &s.sweep, &result);
  CU_ASSERT(range.hi[0][0] == 14);
  sal_points_fill(&range, &s.sweep, &result);
  CU_ASSERT(isnan(s.record[1].value[SAL_METRIC_POINTS_SD]));
  CU_ASSERT(s.record[N + 1].value[SAL_METRIC_POINTS_SD] == 1);
  CU_ASSERT(s.record[0].value[SAL_METRIC_POINTS_SD] == 10);
  tear_down(&s);
}

SAL_TEST_MAIN("censored", NULL, {"what it did is a bound", what_it_did_is_a_bound},
              {"a map marks where one might have won", a_map_says_where_one_might_have_won},
              {"it is not ranked", it_is_not_ranked}, {"it has no points", it_has_no_points})
