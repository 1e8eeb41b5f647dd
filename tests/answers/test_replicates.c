/** @file tests/answers/test_replicates.c
 *  Points and replicates that were filled by hand, so that dispersion and every regret are known.
 */
#include "memory.h"
#include "replicates.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>

/* One method, two strategies, two tolerances: contender = 2 t + s. */
#define SWEEP                                                                                      \
  "model: monopod\n"                                                                               \
  "t_end: 50\n"                                                                                    \
  "methods: [ode45]\n"                                                                             \
  "strategies: [switch, event]\n"                                                                  \
  "tolerances: [1e-2, 1e-4]\n"                                                                     \
  "cells: {axes: [{name: b, log: [1000, 4000], points: 30}]}\n"
enum { N_CELL = 30, N_CONTENDER = 4, N_PAIR = 26 };

/* Two tables of one sweep. */
typedef struct {
  sal_sweep             sweep;
  sal_performance_table points, replicates;
} stage;

static void set_up(stage *s)
{
  const sal_work_weights rhs = {.rhs = 1};

  *s = (stage){0};
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", SWEEP, 0, NULL, &s->sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&s->sweep, N_CELL, &rhs, false, false, &s->points),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&s->sweep, N_CELL, &rhs, false, false, &s->replicates), SAL_OK);
}

static void tear_down(stage *s)
{
  sal_performance_free(&s->replicates);
  sal_performance_free(&s->points);
  sal_sweep_free(&s->sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void put(sal_performance_table *a, int64_t cell, int k, double work, double error)
{
  a->work[cell * N_CONTENDER + k]  = work;
  a->error[cell * N_CONTENDER + k] = error;
}

/* 26 ratios e^(0 .. 25 steps), in no order: 16 % and 84 % lie at steps 4 and 21. */
static void dispersion_is_half_the_way_between_two_quantiles(void)
{
  static const double step = 0.1;
  double              dispersion[N_CONTENDER], back[N_CONTENDER];
  stage               s;

  set_up(&s);
  for (int64_t c = 0; c < N_PAIR; ++c) {
    const int64_t rank = c * 7 % N_PAIR;
    /* the two at the ends have gone astray, which has no weight */
    const double far = rank == 0 ? -50 : rank == N_PAIR - 1 ? 50 : 0;
    put(&s.points, c, 0, 1, 1e-3 / (double)(c + 1));
    put(&s.replicates, c, 0, 1, 1e-3 / (double)(c + 1) * exp(step * (double)rank + far));
    put(&s.points, c, 1, 1, 1e-3);
    put(&s.replicates, c, 1, 1, 1e-3);
  }
  put(&s.points, N_PAIR, 0, 1, 1e-3); /* each of these has no partner */
  put(&s.replicates, N_PAIR + 1, 0, 1, 1e-9);
  put(&s.points, 0, 2, 1, 1e-3);
  put(&s.replicates, 0, 2, 1, 1e-5);
  put(&s.points, 0, 3, 1, 1e-3);

  CU_ASSERT_EQUAL(sal_replicates_dispersion(&s.points, &s.replicates, dispersion), SAL_OK);
  CU_ASSERT_EQUAL(sal_replicates_dispersion(&s.replicates, &s.points, back), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(dispersion[0], 8.5 * step, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(back[0], 8.5 * step, 1e-13);
  CU_ASSERT(dispersion[1] == 0 &&
            dispersion[2] == 0); /* no dispersion in equal ones, none known from one pair */
  CU_ASSERT(isnan(dispersion[3]));
  tear_down(&s);
}

/* What a point and its replicate are filled with, and the evaluation of the choice at the replicate
 * for 1e-2. */
typedef struct {
  double work[N_CONTENDER], error[N_CONTENDER], replicate_work[N_CONTENDER],
      replicate_error[N_CONTENDER];
  int    chosen;
  bool   abstained, missed;
  double regret, excess, retried;
} known;

static void fill(stage *s, int64_t cell, const known *x)
{
  for (int k = 0; k < N_CONTENDER; ++k) {
    put(&s->points, cell, k, x->work[k], x->error[k]);
    put(&s->replicates, cell, k, x->replicate_work[k], x->replicate_error[k]);
  }
}

static bool near(double a, double b) { return isnan(b) ? isnan(a) : fabs(a - b) < 1e-12; }

static void check(const sal_regret_evaluation *v, const known *x)
{
  CU_ASSERT_EQUAL(v->chosen, x->chosen);
  CU_ASSERT(v->abstained == x->abstained && v->missed == x->missed);
  CU_ASSERT(near(v->regret, x->regret) && near(v->excess, x->excess));
  CU_ASSERT(near(v->retried, x->retried));
}

#define USUAL                                                                                      \
  {10, 16, 20, 40}, { 1e-1, 1e-3, 1e-3, 1e-5 }

static void what_is_best_at_a_replicate_is_evaluated_at_the_point(void)
{
  static const known expected[] = {
      /* the same there */
      {USUAL, USUAL, 1, false, false, 0, NAN, 0},
      /* 10 hits at the replicate only: it has to be followed by 20, and 16 would have done */
      {USUAL, {10, 16, 20, 40}, {5e-3, 1e-3, 1e-3, 1e-5}, 0, false, true, NAN, 10, 30 / 16. - 1},
      /* 16 misses at the replicate only, so that 20 is chosen */
      {USUAL, {10, 16, 20, 40}, {1e-1, 2e-2, 1e-3, 1e-5}, 2, false, false, 0.25, NAN, 0.25},
      /* work differs: regret is in that of the point */
      {USUAL, {10, 16, 15, 40}, {1e-1, 1e-3, 1e-3, 1e-5}, 2, false, false, 0.25, NAN, 0.25},
      /* none is expected to hit at the replicate: the most accurate is chosen */
      {USUAL, {10, 16, 20, 40}, {1, 1, 1, 0.1}, 3, true, false, 1.5, NAN, 1.5},
      /* a run that did not reach the end does not count */
      {USUAL, {10, NAN, 20, 40}, {1e-1, NAN, 1e-3, 1e-5}, 2, false, false, 0.25, NAN, 0.25}};
  enum { N = sizeof expected / sizeof *expected };
  const sal_question    q            = {.error = 1e-2, .caution = 0};
  const double          dispersion[] = {9, 9, 9, NAN}; /* of no consequence without caution */
  sal_regret_evaluation v[N_CELL];
  stage                 s;

  set_up(&s);
  for (int64_t c = 0; c < N; ++c) fill(&s, c, &expected[c]);
  CU_ASSERT_EQUAL(sal_replicates_evaluate(&s.points, &s.replicates, dispersion, &q, v), SAL_OK);
  for (int c = 0; c < N; ++c) check(&v[c], &expected[c]);
  CU_ASSERT(v[N].best == -1 && isnan(v[N].regret)); /* an empty cell */
  tear_down(&s);
}

/* 5e-3 at the replicate, and dispersion 1: e^0.69 is a factor of 2. */
static void caution_counts_dispersion_in_standard_deviations(void)
{
  static const known x = {USUAL, {10, 16, 20, 40}, {5e-3, 1e-3, 1e-3, 1e-5}, 0, 0, 0, 0, 0, 0};
  static const struct {
    double caution, dispersion;
    int    chosen;
  } expected[] = {{0.69, 1, 0}, {0.70, 1, 1}, {1, 0.69, 0},
                  {1, 0.70, 1}, {0, 100, 0},  {100, NAN, 0} /* not known: none */};
  sal_regret_evaluation v[N_CELL];
  stage                 s;

  set_up(&s);
  fill(&s, 0, &x);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const double       dispersion[] = {expected[i].dispersion, 0, 0, 0};
    const sal_question q            = {.error = 1e-2, .caution = expected[i].caution};
    CU_ASSERT_EQUAL(sal_replicates_evaluate(&s.points, &s.replicates, dispersion, &q, v), SAL_OK);
    CU_ASSERT_EQUAL(v[0].chosen, expected[i].chosen);
    CU_ASSERT_EQUAL(v[0].missed, expected[i].chosen == 0);
  }
  tear_down(&s);
}

SAL_TEST_MAIN("replicates", NULL,
              {"dispersion is half the way between two quantiles",
               dispersion_is_half_the_way_between_two_quantiles},
              {"what is best at a replicate is evaluated at the point",
               what_is_best_at_a_replicate_is_evaluated_at_the_point},
              {"caution counts dispersion in standard deviations",
               caution_counts_dispersion_in_standard_deviations})
