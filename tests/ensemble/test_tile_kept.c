/** A tile given up again and again: its finished runs are not repeated, and no bit of any
 *  record changes.
 */
#include "config.h"
#include "memory.h"
#include "sal_test.h"
#include "stop.h"
#include "sweep_file.h"
#include "tile_run.h"
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { N_CELL = 4, MARK = 123456789 };

#define SHORT                                                                                      \
  "t_end=11", "mesh=0.01", "timing.repeats=0", "rtol=[1e-3,1e-6]", "divergence={}",                \
      "cells.rows=[[1951,20,22.8,0.05],[1951,2,22,0.3],[550,2,22,0.05],[38000,2,1,0.05]]",         \
      "solvers=[ode23,ode45,dop853,ode23t]"
#define PACED                                                                                      \
  "cutoff={baselines: [dop853], second_baselines: [ode45], error: 1e-5, factor: 1.5}",             \
      "budget={work: 4e3, factor: 10, least: 1e3}"

#define BY_TOLERANCE                                                                               \
  "rtol=[1e-1,1e-3,1e-5,1e-7]",                                                                    \
      "cutoff={baselines: [dop853], error: 1e-5, factor: 1, order: tolerances, loosest: 1e-2}"

static const sal_tile whole_tile = {0, N_CELL};

/* Records of all configurations, and what is known of them. */
typedef struct {
  sal_tile_kept kept;
  int64_t n;
  uint8_t before[4096];
} keeper;

static void begin_keeper(keeper *k, const sal_sweep *sweep)
{
  *k = (keeper){.n = (int64_t)N_CELL * sal_config_count(sweep)};
  k->kept.done = sal_alloc((size_t)k->n, 1);
  CU_ASSERT_FATAL(k->kept.done && k->n <= (int64_t)sizeof k->before);
}

static void end_keeper(keeper *k)
{
  sal_tile_result_free(&k->kept.result);
  sal_free(k->kept.done);
}

/* Gives the tile up after so many tasks of the main thread; others are then in the middle of theirs. */
typedef struct {
  atomic_int halt;
  int left;
} stopper;

static void count_down(void *with)
{
  stopper *s = with;

  if (--s->left == 0) atomic_store(&s->halt, 1);
}

/* tasks: 0: as many as there are. */
static sal_err run(const sal_sweep *sweep, int threads, int tasks, sal_tile_kept *kept,
                   sal_tile_result *result)
{
  stopper stop = {.left = tasks};
  sal_tile_space *space = NULL;

  omp_set_num_threads(threads);
  CU_ASSERT_FATAL(sal_tile_space_create(sweep, N_CELL, &space) == SAL_OK);
  sal_tile_space_keep(space, kept);
  sal_tile_space_watch(space, &(sal_tile_watch){count_down, &stop});
  sal_stop_share(&stop.halt);
  const sal_err err = sal_tile_run(space, &whole_tile, result);
  atomic_store(&stop.halt, 0);
  sal_stop_share(NULL);
  sal_tile_space_destroy(&space);
  return err;
}

static bool same_records(const sal_tile_result *a, const sal_tile_result *b, int64_t n)
{
  return memcmp(a->record, b->record, (size_t)n * sizeof *a->record) == 0;
}

/* All but the times. */
static bool same_cells(const sal_tile_result *a, const sal_tile_result *b)
{
  bool same = true;

  for (int64_t i = 0; i < N_CELL; ++i)
    for (int k = 0; k < SAL_N_CELL_METRIC; ++k)
      if (k != SAL_CELL_SECONDS && k != SAL_CELL_WALL)
        same = same && memcmp(&a->cell[i].value[k], &b->cell[i].value[k], sizeof(double)) == 0;
  return same;
}

/* Runs marked as done have the bits of an undisturbed run, and stay done. */
static void check_kept(keeper *k, const sal_tile_result *plain)
{
  int64_t done = 0, more = 0;

  for (int64_t i = 0; i < k->n; ++i) {
    CU_ASSERT(k->kept.done[i] >= k->before[i]);
    more += k->kept.done[i] - k->before[i];
    done += k->kept.done[i];
    if (k->kept.done[i] && k->kept.result.record)
      CU_ASSERT(memcmp(&k->kept.result.record[i], &plain->record[i], sizeof *plain->record) == 0);
  }
  CU_ASSERT(more == k->kept.fresh && done <= k->n);
  if (more > 0) CU_ASSERT(same_cells(&k->kept.result, plain));
  memcpy(k->before, k->kept.done, (size_t)k->n);
}

/* Again and again, each time a little further, each trajectory finished once.  Two threads may come to the end at
 * once; the rounds of one do not. */
static void go_on_until_done(const sal_sweep *sweep, const sal_tile_result *plain)
{
  sal_tile_result result;
  keeper k;
  int rounds = 0, kept = 0;
  int64_t fresh = 0;

  begin_keeper(&k, sweep);
  for (sal_err err = SAL_ERR_STOPPED; err != SAL_OK; ++rounds) {
    CU_ASSERT_FATAL(rounds < 100);
    err = run(sweep, rounds < 3 ? 1 : 2, 4 + rounds, &k.kept, &result);
    CU_ASSERT_FATAL(err == SAL_OK || err == SAL_ERR_STOPPED);
    fresh += k.kept.fresh;
    kept += k.kept.fresh > 0;
    if (err == SAL_OK) break;
    CU_ASSERT(!result.record && !result.cell);
    check_kept(&k, plain);
  }
  CU_ASSERT(rounds >= 3 && kept >= 3);
  CU_ASSERT(fresh == k.n);
  CU_ASSERT(same_records(&result, plain, k.n) && same_cells(&result, plain));
  sal_tile_result_free(&result);
  end_keeper(&k);
}

static void check_bits(sal_sweep sweep, int outcome)
{
  const int64_t n = (int64_t)N_CELL * sal_config_count(&sweep);
  sal_tile_result plain;
  int64_t met = 0;

  CU_ASSERT_FATAL(run(&sweep, 2, 0, NULL, &plain) == SAL_OK);
  for (int64_t i = 0; i < n; ++i)
    met += plain.record[i].value[SAL_METRIC_OUTCOME] == (double)outcome;
  CU_ASSERT(met > 0);
  go_on_until_done(&sweep, &plain);
  sal_tile_result_free(&plain);
  sal_sweep_free(&sweep);
}

static void a_tile_given_up_goes_on_with_the_same_bits(void)
{
  check_bits(DALLAS(SHORT, "width=4"), SAL_OUT_DONE);
}

/* Caps come from baselines that were run before the stop. */
static void caps_and_budgets_are_the_same(void)
{
  check_bits(DALLAS(SHORT, PACED, "width=1"), SAL_OUT_OVER_CUTOFF);
  check_bits(DALLAS(SHORT, PACED, "width=4"), SAL_OUT_OVER_BUDGET);
  check_bits(DALLAS(SHORT, BY_TOLERANCE, "width=1"), SAL_OUT_SKIPPED_OVER_CUTOFF);
  check_bits(DALLAS(SHORT, BY_TOLERANCE, "width=4"), SAL_OUT_TOO_INACCURATE);
}

/* Records with a mark come back as they were given: they were not run. */
static void what_is_there_is_not_run(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  sal_tile_result plain, result;
  keeper k;

  begin_keeper(&k, &sweep);
  CU_ASSERT_FATAL(run(&sweep, 2, 0, NULL, &plain) == SAL_OK);
  k.kept.result.record = sal_alloc((size_t)k.n, sizeof *plain.record);
  for (int64_t i = 0; i < k.n; i += 3) {
    k.kept.done[i] = 1;
    plain.record[i].value[SAL_METRIC_STEPS] = MARK;
    k.kept.result.record[i] = plain.record[i];
    k.kept.result.record[i + 1 < k.n ? i + 1 : i].value[SAL_METRIC_EVENTS] =
        MARK; /* not done: of no use */
  }
  k.kept.result.record[k.n - 1] = plain.record[k.n - 1];
  CU_ASSERT_FATAL(run(&sweep, 2, 0, &k.kept, &result) == SAL_OK);
  CU_ASSERT(k.kept.fresh == k.n - (k.n + 2) / 3);
  CU_ASSERT(same_records(&result, &plain, k.n) && same_cells(&result, &plain));
  sal_tile_result_free(&plain);
  sal_tile_result_free(&result);
  end_keeper(&k);
  sal_sweep_free(&sweep);
}

/* Raises the flag when the light runs ahead of an outlier run are done. */
typedef struct {
  atomic_int halt;
  sal_tile_space *space;
  int64_t enough;
} cutter;

static void *cut_soon(void *with)
{
  const struct timespec nap = {0, 5000000};
  cutter *c = with;

  while (sal_tile_done(c->space) < c->enough) nanosleep(&nap, NULL);
  nanosleep(&nap, NULL);
  atomic_store(&c->halt, 1);
  return NULL;
}

/* At equal costs the last configuration goes first, so that the outlier run is the third of six. */
static void a_run_that_is_cut_is_not_kept(void)
{
  sal_sweep sweep = DALLAS(SHORT, "t_end=300", "mesh=1", "solvers=[ode23,ode45,dop853]",
                           "strategies=[switch]", "rtol=[1e-3,1e-14]", "budget.factor=0");
  cutter c = {.enough = (int64_t)2 * N_CELL};
  sal_tile_result result;
  pthread_t thread;
  keeper k;

  begin_keeper(&k, &sweep);
  omp_set_num_threads(1);
  CU_ASSERT_FATAL(sal_tile_space_create(&sweep, N_CELL, &c.space) == SAL_OK);
  sal_tile_space_keep(c.space, &k.kept);
  sal_stop_share(&c.halt);
  CU_ASSERT_FATAL(pthread_create(&thread, NULL, cut_soon, &c) == 0);
  CU_ASSERT(sal_tile_run(c.space, &whole_tile, &result) == SAL_ERR_STOPPED);
  pthread_join(thread, NULL);
  atomic_store(&c.halt, 0);
  sal_stop_share(NULL);
  CU_ASSERT(k.kept.fresh >= c.enough && k.kept.fresh < k.n);
  for (int64_t i = 0; i < k.n; ++i)
    if (k.kept.done[i])
      CU_ASSERT(k.kept.result.record[i].value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE);
  sal_tile_space_destroy(&c.space);
  end_keeper(&k);
  sal_sweep_free(&sweep);
}

/* A time that was cut short is none. */
static void times_are_whole(void)
{
  sal_sweep sweep = DALLAS(SHORT, "timing.repeats=2");
  sal_tile_result result;
  keeper k;

  begin_keeper(&k, &sweep);
  CU_ASSERT_FATAL(run(&sweep, 2, 4, &k.kept, &result) == SAL_ERR_STOPPED);
  CU_ASSERT(k.kept.fresh > 0);
  for (int64_t i = 0; i < k.n; ++i)
    if (k.kept.done[i] && k.kept.result.record[i].value[SAL_METRIC_OUTCOME] != SAL_OUT_INCOMPATIBLE)
      CU_ASSERT(k.kept.result.record[i].value[SAL_METRIC_SD] > 1e-7 &&
                k.kept.result.record[i].value[SAL_METRIC_SD_SPREAD] >= 0);
  end_keeper(&k);
  sal_sweep_free(&sweep);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN("tile_kept", NULL,
              {"a tile given up goes on with the same bits",
               a_tile_given_up_goes_on_with_the_same_bits},
              {"cutoffs and budgets are the same", caps_and_budgets_are_the_same},
              {"what is there is not run", what_is_there_is_not_run},
              {"a run that is cut is not kept", a_run_that_is_cut_is_not_kept},
              {"times are whole", times_are_whole}, {"memory comes back", memory_comes_back})
