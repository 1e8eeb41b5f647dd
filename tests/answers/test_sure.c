/** @file tests/answers/test_sure.c
 *  Winners by points that no stopped run can change: made-up sweeps beside their twins in which some runs are stopped or not
 *  begun.  Whatever these do to the end, the winner of the whole sweep is the one that was sure to be.
 */
#include "memory.h"
#include "random.h"
#include "recommend.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>

#define SWEEP                                                                                      \
  "model: monopod\nt_end: 50\nmesh: 0.5\nsolvers: [ode45, ode23, dop853]\n"                        \
  "strategies: [switch, event]\nrtol: [1e-3, 1e-6]\n"                                              \
  "cells: {axes: [{name: b, log: [1000, 4000], points: 3}]}\n"
enum { N = 12, N_CELL = 3, N_RECORD = N * N_CELL, TRIALS = 3000, WEIGHTS = 5 };

static const sal_weights weights[WEIGHTS] = {{2, 0, 1}, {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

typedef struct {
  sal_sweep sweep;
  sal_cell_record cell[N_CELL];
  sal_record whole[N_RECORD], cut[N_RECORD];
  uint64_t trial;
  uint32_t drawn;
} stage;

static double draw(stage *s) { return sal_random(11, s->trial, s->drawn++); }

/* Now and then far out, and often one of few values, so that there are ties. */
static double heavy(stage *s)
{
  const double far = draw(s) < 0.05 ? 1e5 : 1, x = exp(2 * draw(s));

  return far * (s->trial % 2 ? floor(x) : x);
}

static void draw_whole(stage *s, sal_record *r, double share)
{
  double *v = r->value;

  for (int m = 0; m < SAL_N_METRIC; ++m) v[m] = NAN;
  v[SAL_METRIC_OUTCOME] = draw(s) < 0.1 ? SAL_OUT_STUCK : SAL_OUT_DONE;
  v[SAL_METRIC_RHS] = 10 * share * heavy(s);
  v[SAL_METRIC_IAE] = 1e-3 * share * heavy(s);
  v[SAL_METRIC_MAX_ERROR] = 1e-4 * heavy(s);
  v[SAL_METRIC_DT] = draw(s) < 0.4 ? NAN : 50 * fmin(1, draw(s) / share);
}

/* The same run, stopped somewhere, or not begun. */
static void stop(stage *s, sal_record *r)
{
  double *v = r->value;
  const double kind = draw(s), share = draw(s) < 0.2 ? 1 : draw(s);

  v[SAL_METRIC_OUTCOME] = kind < 0.6   ? SAL_OUT_OUTWORKED
                          : kind < 0.8 ? SAL_OUT_TOO_INACCURATE
                          : kind < 0.9 ? SAL_OUT_NOT_BEGUN
                                       : SAL_OUT_UNLIKELY;
  v[SAL_METRIC_RHS] = kind < 0.8 ? floor(share * v[SAL_METRIC_RHS]) : kind < 0.9 ? 1e9 : NAN;
  v[SAL_METRIC_MAX_ERROR_PARTIAL] =
      kind < 0.8 && v[SAL_METRIC_IAE] < 1 ? share * v[SAL_METRIC_IAE] * 2 : NAN;
  if (kind >= 0.8 || v[SAL_METRIC_DT] > share * 50) v[SAL_METRIC_DT] = NAN;
  v[SAL_METRIC_IAE] = v[SAL_METRIC_MAX_ERROR] = NAN;
}

/* Some runs are good at everything in a cell, so that there is something to be sure of. */
static void draw_sweep(stage *s)
{
  const double stopped = 0.5 * draw(s);

  for (int i = 0; i < N_RECORD; ++i) {
    draw_whole(s, &s->whole[i], draw(s) < 0.3 ? 0.05 : 1);
    s->cut[i] = s->whole[i];
    if (draw(s) < stopped && s->whole[i].value[SAL_METRIC_RHS] > 1) stop(s, &s->cut[i]);
  }
}

static void make_map(stage *s, sal_record record[], sal_points_scope scope, sal_map *map)
{
  const sal_work_weights rhs = {.rhs = 1};
  const sal_tile_result result = {.count = N_CELL, .cell = s->cell, .record = record};
  SAL_OWN_BY(sal_performance_free) sal_performance_table table = {0};

  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&s->sweep, N_CELL, &rhs, true, false, &table),
                        SAL_OK);
  sal_performance_add(&table, &result);
  CU_ASSERT_EQUAL_FATAL(sal_performance_score(&table, scope), SAL_OK);
  *map = (sal_map){.n_weights = WEIGHTS, .method = {true, true, true}, .strategy = {true, true}};
  if (s->trial % 3 == 0) map->method[s->trial % 9 / 3] = false;
  for (int w = 0; w < WEIGHTS; ++w) map->weights[w] = weights[w];
  CU_ASSERT_EQUAL_FATAL(sal_recommend(&table, map), SAL_OK);
}

/* Places of a map by points where the winner is sure, is said to be open, or is known with its points. */
typedef struct {
  int sure[WEIGHTS], open[WEIGHTS], known;
} counts;

static void compare(stage *s, sal_points_scope scope, counts *n)
{
  SAL_OWN_BY(sal_map_free) sal_map whole = {0}, cut = {0};

  make_map(s, s->whole, scope, &whole);
  make_map(s, s->cut, scope, &cut);
  for (int i = 0; i < N_CELL * WEIGHTS * 2; ++i) {
    const sal_map_place *all = &whole.by_points[i], *some = &cut.by_points[i];
    const int w = i / 2 % WEIGHTS;
    if (some->reason == SAL_REASON_OUTWORKED) {
      CU_ASSERT(some->best < 0);
      ++n->open[w];
      continue;
    }
    CU_ASSERT_EQUAL(some->best, all->best);
    if (some->reason == SAL_REASON_BOUNDS) {
      CU_ASSERT(some->best >= 0 && isnan(some->value) && some->error == all->error);
      ++n->sure[w];
    } else if (some->best >= 0) {
      CU_ASSERT(some->value == all->value && some->second == all->second);
      ++n->known;
    }
  }
}

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

static void the_winner_that_is_sure_is_the_winner(void)
{
  static stage s;
  counts all = {.known = 0}, each = {.known = 0};

  set_up(&s);
  for (s.trial = 0; s.trial < TRIALS; ++s.trial) {
    s.drawn = 0;
    draw_sweep(&s);
    compare(&s, SAL_POINTS_GLOBAL, &all);
    compare(&s, SAL_POINTS_PER_CELL, &each);
  }
  for (int w = 0; w < WEIGHTS; ++w) {
    printf("%g/%g/%g: sure %d, open %d; per cell %d, %d\n", weights[w].sd, weights[w].dt,
           weights[w].iae, all.sure[w], all.open[w], each.sure[w], each.open[w]);
    CU_ASSERT(all.sure[w] > 100 && each.sure[w] > 100 && all.open[w] > 100 && each.open[w] > 100);
  }
  CU_ASSERT(all.known > 100 && each.known > 100);
  sal_sweep_free(&s.sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* One cell in which a run of the second pair is stopped: others of the tolerance have no points, those of the other have. */
static void a_stopped_run_takes_the_points_of_its_scale(void)
{
  static stage s;
  SAL_OWN_BY(sal_performance_free) sal_performance_table table = {0};
  const sal_work_weights rhs = {.rhs = 1};

  set_up(&s);
  draw_sweep(&s);
  for (int i = 0; i < N_RECORD; ++i) {
    s.whole[i].value[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
    s.whole[i].value[SAL_METRIC_IAE] = 1e-3 * (i + 1);
  }
  s.whole[N + 1].value[SAL_METRIC_OUTCOME] = SAL_OUT_OUTWORKED; /* in the second cell */
  const sal_tile_result result = {.count = N_CELL, .cell = s.cell, .record = s.whole};
  for (int scope = SAL_POINTS_GLOBAL; scope <= SAL_POINTS_PER_CELL; ++scope) {
    CU_ASSERT_EQUAL_FATAL(sal_performance_create(&s.sweep, N_CELL, &rhs, true, false, &table),
                          SAL_OK);
    sal_performance_add(&table, &result);
    CU_ASSERT(table.n_withheld[0] == 1 && table.n_withheld[1] == 0);
    CU_ASSERT_EQUAL_FATAL(sal_performance_score(&table, (sal_points_scope)scope), SAL_OK);
    CU_ASSERT_EQUAL(sal_performance_scaled(&table, 0, 0), scope == SAL_POINTS_PER_CELL);
    CU_ASSERT_FALSE(sal_performance_scaled(&table, 1, 0));
    CU_ASSERT_TRUE(sal_performance_scaled(&table, 1, 1));
    CU_ASSERT(table.iae[N] == s.whole[N].value[SAL_METRIC_IAE]); /* as it was */
    CU_ASSERT(table.iae[N + 6] >= 1 && table.iae[N + 6] <= 10);
    sal_performance_free(&table);
  }
  sal_sweep_free(&s.sweep);
}

SAL_TEST_MAIN("sure winners by points", NULL,
              {"the winner that is sure is the winner", the_winner_that_is_sure_is_the_winner},
              {"a stopped run takes the points of its scale",
               a_stopped_run_takes_the_points_of_its_scale})
