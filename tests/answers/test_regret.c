/** @file tests/answers/test_regret.c
 *  Choices evaluated in small grids that were filled by hand, so that every regret is known.
 */
#include "memory.h"
#include "sal_test.h"
#include "single_best.h"
#include "sweep_read.h"
#include <math.h>

/* 2 methods, 2 strategies, 3 tolerances that are not in order: contender = 4 t + 2 s + m. */
#define CONTENDERS                                                                                 \
  "model: monopod\n"                                                                               \
  "t_end: 50\n"                                                                                    \
  "methods: [ode45, ode15s]\n"                                                                     \
  "strategies: [switch, event]\n"                                                                  \
  "tolerances: [1e-4, 1e-2, 1e-6]\n"
#define GRID   CONTENDERS "cells: {axes: [{name: b, log: [1000, 4000], points: 3}]}\n"
#define POINTS CONTENDERS "cells: {columns: [b], rows: [[1500], [2000], [3000], [9000]]}\n"
enum { N_CONTENDER = 12, LOOSE = 4, MIDDLE = 0, TIGHT = 8 };

typedef struct {
  sal_sweep             sweep;
  sal_performance_table table;
} stage;

static stage set_up(const char *text)
{
  stage s = {0};

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &s.sweep), SAL_OK);
  return s;
}

/* The sweep has its place when the table points to it. */
static void furnish(stage *s)
{
  const sal_work_weights rhs = {.rhs = 1};

  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&s->sweep, s->sweep.n_cell, &rhs, false, false, &s->table), SAL_OK);
}

static void tear_down(stage *s)
{
  sal_performance_free(&s->table);
  sal_sweep_free(&s->sweep);
}

/* A pair of strategy and method, 2 s + m, at the loose, the middle and the tight tolerance. */
static void put(stage *s, int64_t cell, int pair, const double work[3], const double error[3])
{
  const int at[] = {LOOSE, MIDDLE, TIGHT};

  for (int i = 0; i < 3; ++i) {
    s->table.work[cell * N_CONTENDER + at[i] + pair]  = work[i];
    s->table.error[cell * N_CONTENDER + at[i] + pair] = isnan(work[i]) ? NAN : error[i];
  }
}

#define TRIPLE(...) ((const double[]){__VA_ARGS__})

static void a_schedule_goes_from_loose_to_tight(void)
{
  stage                        s = set_up(GRID);
  const sal_tolerance_schedule l = sal_tolerance_schedule_of(&s.sweep, 1, 1);

  CU_ASSERT_EQUAL(l.n, 3);
  CU_ASSERT(l.level[0] == LOOSE + 3 && l.level[1] == MIDDLE + 3 && l.level[2] == TIGHT + 3);
  s.sweep.left_out[1][1] = true;
  CU_ASSERT_EQUAL(sal_tolerance_schedule_of(&s.sweep, 1, 1).n, 0);
  sal_sweep_free(&s.sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Pair 0 costs 10, 20, 40 for errors 1e-1, 1e-3, 1e-5; pair 3 costs 16 and reaches 1e-3, fails, and
 * costs 100 for 1e-7. */
static void fill_cell(stage *s, int64_t cell)
{
  put(s, cell, 0, TRIPLE(10, 20, 40), TRIPLE(1e-1, 1e-3, 1e-5));
  put(s, cell, 3, TRIPLE(16, NAN, 100), TRIPLE(1e-3, NAN, 1e-7));
}

static void a_choice_that_hits_has_a_regret_and_one_that_misses_an_excess(void)
{
  static const struct {
    double asked;
    int    pair, from;
    int    best;
    bool   missed;
    double regret, excess, retried;
  } expected[] = {
      {1, 0, 0, LOOSE, false, 0, NAN, 0},
      {1, 3, 2, LOOSE, false, 9, NAN, 9},
      {1e-2, 0, 1, LOOSE + 3, false, 0.25, NAN, 0.25},
      {1e-2, 0, 0, LOOSE + 3, true, NAN, 10, (10 + 20) / 16. - 1},
      {1e-4, 0, 0, TIGHT, true, NAN, 1e3, (10 + 20 + 40) / 40. - 1},
      /* 16, then a failure that costs the most work there is, 100, then 100 */
      {1e-4, 3, 0, TIGHT, true, NAN, 10, (16 + 100 + 100) / 40. - 1},
      {1e-4, 3, 1, TIGHT, true, NAN, INFINITY, (100 + 100) / 40. - 1},
      /* the schedule ends, and the most work of those available is added */
      {1e-6, 0, 1, TIGHT + 3, true, NAN, 1e3, (20 + 40 + 100) / 100. - 1},
      {1e-6, 0, -1, TIGHT + 3, true, NAN, INFINITY, 0},
      {1e-9, 0, 2, -1, false, NAN, NAN, NAN},
  };
  stage s = set_up(GRID);

  furnish(&s);
  fill_cell(&s, 1);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const sal_question           q            = {.error = expected[i].asked};
    const sal_virtual_best       virtual_best = sal_virtual_best_at(&s.table, 1, &q);
    const sal_tolerance_schedule schedule =
        sal_tolerance_schedule_of(&s.sweep, expected[i].pair / 2, expected[i].pair % 2);
    const sal_regret_evaluation v =
        sal_regret_evaluate(&s.table, 1, &virtual_best, q.error, &schedule, expected[i].from);
    CU_ASSERT_EQUAL(v.best, expected[i].best);
    CU_ASSERT_EQUAL(v.missed, expected[i].missed);
    CU_ASSERT_EQUAL(v.chosen, expected[i].from < 0 ? -1 : schedule.level[expected[i].from]);
    const double got[]    = {v.regret, v.excess, v.retried};
    const double wanted[] = {expected[i].regret, expected[i].excess, expected[i].retried};
    for (int k = 0; k < 3; ++k) {
      if (isnan(wanted[k])) CU_ASSERT(isnan(got[k]));
      if (isinf(wanted[k])) CU_ASSERT_EQUAL(got[k], INFINITY);
      if (isfinite(wanted[k]))
        CU_ASSERT_DOUBLE_EQUAL(got[k], wanted[k], 1e-12 * (1 + fabs(wanted[k])));
    }
  }
  const sal_question nothing = {.error = 1};
  CU_ASSERT_EQUAL(sal_virtual_best_at(&s.table, 0, &nothing).best, -1); /* an empty cell */
  tear_down(&s);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The virtual best must be the first of sal_choose, ties included. */
static void the_best_is_that_of_a_choice_in_the_cell(void)
{
  const bool           method[] = {false, true}, strategy[] = {true, false};
  const double         asked[] = {1e-2, 1e-4, 1e-6}, one = 1;
  sal_choose_candidate list[N_CONTENDER];
  stage                s    = set_up(GRID);
  int64_t              cell = 2, found = 0;

  furnish(&s);
  for (int trial = 0; trial < 200; ++trial) {
    for (int k = 0; k < N_CONTENDER; ++k) {
      const double u                        = fmod(0.618 * (trial * N_CONTENDER + k), 1);
      s.table.work[cell * N_CONTENDER + k]  = u < 0.1 ? NAN : floor(1 + 5 * fmod(7 * u, 1));
      s.table.error[cell * N_CONTENDER + k] = u < 0.1 ? NAN : pow(10, -floor(8 * fmod(13 * u, 1)));
    }
    const sal_question     q = {.error    = asked[trial % 3],
                                .method   = trial & 1 ? method : NULL,
                                .strategy = trial & 2 ? strategy : NULL};
    const int              n = sal_choose(&s.table, 1, &cell, &one, &q, list);
    const sal_virtual_best o = sal_virtual_best_at(&s.table, cell, &q);
    CU_ASSERT_EQUAL(o.best, n ? list[0].contender : -1);
    if (n) CU_ASSERT(o.work == list[0].work && o.most_work == list[n - 1].work);
    found += n > 1;
  }
  CU_ASSERT(found > 50);
  tear_down(&s);
}

static void evaluations_add_up(void)
{
  const sal_regret_evaluation v[] = {
      {.best = 1, .chosen = 1, .regret = 0, .excess = NAN, .retried = 0},
      {.best = 1, .chosen = 2, .regret = 0.5, .excess = NAN, .retried = 0.5},
      {.best = -1, .regret = NAN, .excess = NAN, .retried = NAN, .abstained = true},
      {.best = 1, .missed = true, .regret = NAN, .excess = 3, .retried = 2},
      {.best      = 1,
       .missed    = true,
       .regret    = NAN,
       .excess    = INFINITY,
       .retried   = 5,
       .abstained = true}};
  sal_regret_summary g;

  CU_ASSERT_EQUAL(sal_regret_summarise(5, v, &g), SAL_OK);
  CU_ASSERT(g.points == 5 && g.evaluated == 4 && g.missed == 2 && g.failed == 1 &&
            g.abstained == 1);
  CU_ASSERT(g.regret.mean == 0.25 && g.regret.largest == 0.5);
  CU_ASSERT(g.excess.largest == INFINITY && g.excess.mean == INFINITY);
  CU_ASSERT(g.retried.mean == 7.5 / 4 && g.retried.median == 1.25 && g.retried.largest == 5);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* In the map ode45 gets more expensive along b, and its error scatters between the last two
 * cells. */
static void a_map_is_evaluated_by_what_it_would_recommend(void)
{
  stage                 map = set_up(GRID), points = set_up(POINTS);
  sal_regret_evaluation v[4];
  sal_question          q = {.error = 1e-2};
  int64_t               outside;

  furnish(&map);
  furnish(&points);
  for (int64_t c = 0; c < 3; ++c) {
    const double factor = c < 2 ? 1 : 4;
    put(&map, c, 0, TRIPLE(10 * factor, 20 * factor, 40 * factor),
        TRIPLE(c < 2 ? 1e-3 : 1e-5, 1e-4, 1e-5));
    put(&map, c, 3, TRIPLE(30, 60, 90), TRIPLE(1e-3, 1e-4, 1e-6));
  }
  for (int64_t p = 0; p < 4; ++p) fill_cell(&points, p);

  CU_ASSERT_EQUAL(sal_regret_evaluate_map(&map.table, &points.table, &q, v, &outside), SAL_OK);
  CU_ASSERT_EQUAL(outside, 1);
  /* 10 all the way: 1500, 2000 (a cell), and 10 * 4^0.58 = 22 at 3000 */
  for (int p = 0; p < 3; ++p) CU_ASSERT_EQUAL(v[p].chosen, LOOSE);
  CU_ASSERT(v[0].missed && v[0].excess == 10 && !v[0].abstained);
  CU_ASSERT_EQUAL(v[3].chosen, LOOSE + 3); /* the edge: 30 beats 40 */
  CU_ASSERT(!v[3].missed && v[3].regret == 0);
  q.caution = 3; /* of half a decade or so of dispersion at 3000 */
  q.error   = 2e-3;
  CU_ASSERT_EQUAL(sal_regret_evaluate_map(&map.table, &points.table, &q, v, &outside), SAL_OK);
  CU_ASSERT_EQUAL(v[0].chosen, LOOSE);
  CU_ASSERT_EQUAL(v[2].chosen, LOOSE + 3);

  /* none is thought to reach it: the most accurate is named, and pair 3 at the tight end hits */
  q.error = 5e-7;
  CU_ASSERT_EQUAL(sal_regret_evaluate_map(&map.table, &points.table, &q, v, &outside), SAL_OK);
  for (int p = 0; p < 4; ++p)
    CU_ASSERT(v[p].abstained && v[p].chosen == TIGHT + 3 && !v[p].missed && v[p].regret == 0);
  tear_down(&points);
  tear_down(&map);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The loose one misses in one of three cells, the middle one never, at twice the work. */
static void a_single_best_is_as_safe_as_it_must_be(void)
{
  static const struct {
    double               risk;
    sal_single_best_rule rule;
    int                  level;
    double               missed;
  } expected[]            = {{0.34, SAL_SINGLE_BEST_AS_SAFE, LOOSE, 1 / 3.},
                             {0.33, SAL_SINGLE_BEST_AS_SAFE, MIDDLE, 0},
                             {0, SAL_SINGLE_BEST_AS_SAFE, MIDDLE, 0},
                             /* (1 + 1 + 3) / 3 against 2, 2, 1 */
                             {0, SAL_SINGLE_BEST_BY_RETRIES, LOOSE, 1 / 3.}};
  const sal_question    q = {.error = 1e-2};
  sal_virtual_best      virtual_best[3];
  sal_regret_evaluation v[3];
  stage                 s = set_up(GRID);
  /* the order is of no consequence */
  const sal_tolerance_schedule schedule[] = {sal_tolerance_schedule_of(&s.sweep, 1, 1),
                                             sal_tolerance_schedule_of(&s.sweep, 0, 0),
                                             sal_tolerance_schedule_of(&s.sweep, 1, 1)};

  furnish(&s);
  for (int64_t c = 0; c < 3; ++c) {
    put(&s, c, 0, TRIPLE(10, 20, 40), TRIPLE(c == 2 ? 1 : 1e-3, 1e-3, 1e-3));
    put(&s, c, 3, TRIPLE(100, 200, 400), TRIPLE(1, 1, 1e-3));
  }
  sal_virtual_best_all(&s.table, &q, virtual_best);
  for (size_t trial = 0; trial < 2 * sizeof expected / sizeof *expected; ++trial) {
    const size_t          i = trial / 2;
    const sal_single_best b =
        sal_single_best_pick(&s.table, virtual_best, q.error, 2, schedule + trial % 2,
                             expected[i].rule, expected[i].risk);
    CU_ASSERT_FATAL(b.from >= 0);
    CU_ASSERT_EQUAL(b.schedule.level[b.from], expected[i].level);
    CU_ASSERT_DOUBLE_EQUAL(b.missed, expected[i].missed, 1e-15);
    sal_single_best_evaluate(&s.table, virtual_best, q.error, &b, v);
    CU_ASSERT_EQUAL(v[0].chosen, expected[i].level);
    CU_ASSERT_EQUAL(v[2].missed, expected[i].level == LOOSE);
  }
  /* all miss more often than they may: the one that misses least; first the expensive pair alone */
  put(&s, 0, 3, TRIPLE(100, 200, 400), TRIPLE(1, 1, 1));
  const sal_single_best worst = sal_single_best_pick(&s.table, virtual_best, q.error, 1, schedule,
                                                     SAL_SINGLE_BEST_AS_SAFE, 0.1);
  CU_ASSERT_EQUAL(worst.schedule.level[worst.from], TIGHT + 3);
  CU_ASSERT_DOUBLE_EQUAL(worst.missed, 1 / 3., 1e-15);

  CU_ASSERT_EQUAL(sal_single_best_pick(&s.table, virtual_best, q.error, 0, schedule, 0, 1).from,
                  -1);
  sal_virtual_best_all(&s.table, &(sal_question){.error = 1e-30},
                       virtual_best); /* no contender is available */
  CU_ASSERT_EQUAL(sal_single_best_pick(&s.table, virtual_best, 1e-30, 2, schedule, 0, 1).from, -1);
  tear_down(&s);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void no_miss_of_a_few_is_still_a_risk(void)
{
  CU_ASSERT_DOUBLE_EQUAL(sal_single_best_risk(0, 198), 1 / 200., 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(sal_single_best_risk(19, 198), 0.1, 1e-15);
}

SAL_TEST_MAIN("regret", NULL,
              {"a schedule goes from loose to tight", a_schedule_goes_from_loose_to_tight},
              {"a choice that hits has a regret, one that misses an excess",
               a_choice_that_hits_has_a_regret_and_one_that_misses_an_excess},
              {"the best is that of a choice in the cell",
               the_best_is_that_of_a_choice_in_the_cell},
              {"evaluations add up", evaluations_add_up},
              {"a map is evaluated by what it would recommend",
               a_map_is_evaluated_by_what_it_would_recommend},
              {"a single best is as safe as it must be", a_single_best_is_as_safe_as_it_must_be},
              {"no miss of a few is still a risk", no_miss_of_a_few_is_still_a_risk})
