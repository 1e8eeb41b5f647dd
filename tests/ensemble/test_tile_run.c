/** A tile's records: complete, and the same on any threads, in any tile. */
#include "config.h"
#include "memory.h"
#include "sal_test.h"
#include "stop.h"
#include "sweep_file.h"
#include "tile_run.h"
#include "tile_tasks.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { N_CELL = 7 };

/* All configurations on the first cells, for a short while: every cell has contacts by t = 11. */
#define SHORT                                                                                      \
  "t_end=11", "mesh=0.01", "timing.repeats=0", "rtol=[1e-3,1e-6]", "divergence={}",                \
      "cells.rows=[[1951,20,22.8,0.051],[1951,10.4,22.8,0.051],[1951,1.88,22.8,0.3],"              \
      "[550,1.88,22.8,0.051],[1951,1.88,480,0.051],[1951,1.88,22.8,0.155],[38000,1.88,1,0.051]]"

/* Everything about all cells but the time they took, from tiles of at most `size` cells on
 * `threads` threads. */
typedef struct {
  sal_cell_record cell[N_CELL];
  sal_record *record;
  size_t bytes; /* of record */
} all;

/* The times of the cells are positive and add up to that of all threads; then they are taken
 * out. */
static void take_times(all *a, double cpu)
{
  double sum = 0;

  for (int i = 0; i < N_CELL; ++i) {
    double *seconds = &a->cell[i].value[SAL_CELL_SECONDS];
    double *wall = &a->cell[i].value[SAL_CELL_WALL];
    CU_ASSERT(*seconds > 0 && *wall > 0.5 * *seconds); /* two clocks of different steps */
    sum += *seconds;
    *seconds = *wall = 0;
  }
  CU_ASSERT(fabs(sum - cpu) < 1e-12 + 1e-9 * cpu);
}

static all run(const sal_sweep *sweep, int64_t size, int threads)
{
  const int n = sal_config_count(sweep);
  all a = {.bytes = sizeof *a.record * (size_t)(N_CELL * n)};
  sal_tile_space *space = NULL;

  a.record = sal_alloc(a.bytes, 1);
  omp_set_num_threads(threads);
  CU_ASSERT_FATAL(sal_tile_threads() == threads);
  CU_ASSERT_FATAL(sal_tile_space_create(sweep, size, &space) == SAL_OK);
  for (int64_t first = 0; first < N_CELL; first += size) {
    const sal_tile tile = {first, N_CELL - first < size ? N_CELL - first : size};
    sal_tile_result result;
    CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
    CU_ASSERT(result.first == first && result.count == tile.count);
    memcpy(a.cell + first, result.cell, (size_t)result.count * sizeof *result.cell);
    memcpy(a.record + first * n, result.record, (size_t)(result.count * n) * sizeof *result.record);
    sal_tile_result_free(&result);
  }
  const sal_tile_use use = sal_tile_used(space);
  CU_ASSERT(use.lanes.live > N_CELL * n && use.lanes.live <= use.lanes.all);
  take_times(&a, use.cpu);
  sal_tile_space_destroy(&space);
  CU_ASSERT(space == NULL);
  return a;
}

static void threads_and_tiles_change_no_bit(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  const int n = sal_config_count(&sweep);
  all plain = run(&sweep, N_CELL, 1);

  for (int threads = 1; threads <= 3; ++threads)
    for (int64_t size = 1; size <= N_CELL; size += 2) {
      all other = run(&sweep, size, threads);
      CU_ASSERT(memcmp(plain.cell, other.cell, sizeof plain.cell) == 0);
      CU_ASSERT(memcmp(plain.record, other.record, plain.bytes) == 0);
      sal_free(other.record);
    }
  for (int i = 0; i < N_CELL * n; ++i) {
    const double *v = plain.record[i].value;
    CU_ASSERT(v[SAL_METRIC_OUTCOME] == SAL_OUT_DONE && v[SAL_METRIC_STEPS] > 10);
    CU_ASSERT(v[SAL_METRIC_IAE] > 0 && isnan(v[SAL_METRIC_SD]));
    CU_ASSERT(i < n || v[SAL_METRIC_IAE] != plain.record[i - n].value[SAL_METRIC_IAE]);
  }
  sal_free(plain.record);
  sal_sweep_free(&sweep);
}

/* Two configurations on many threads are cut into runs of cells. */
static void tasks_change_no_bit(void)
{
  sal_sweep sweep = DALLAS(SHORT, "solvers=[ode45]", "strategies=[event]", "width=1");
  all plain = run(&sweep, N_CELL, 1);

  CU_ASSERT(sal_config_count(&sweep) == 2);
  for (int threads = 2; threads <= 6; ++threads) {
    all other = run(&sweep, N_CELL, threads);
    CU_ASSERT(memcmp(plain.cell, other.cell, sizeof plain.cell) == 0);
    CU_ASSERT(memcmp(plain.record, other.record, plain.bytes) == 0);
    sal_free(other.record);
  }
  CU_ASSERT(plain.record[0].value[SAL_METRIC_IAE] != plain.record[2].value[SAL_METRIC_IAE]);
  sal_free(plain.record);
  sal_sweep_free(&sweep);
}

static void widths_change_no_bit(void)
{
  static const char *const width[] = {"width=1", "width=4", "width=8"};
  all of[3];

  for (int i = 0; i < 3; ++i) {
    sal_sweep sweep = DALLAS(SHORT, width[i]);
    CU_ASSERT(sal_tile_width(&sweep) ==
              (sweep.width < sal_integrate_widest() ? sweep.width : sal_integrate_widest()));
    of[i] = run(&sweep, N_CELL, 2);
    CU_ASSERT(memcmp(of[0].cell, of[i].cell, sizeof of[i].cell) == 0);
    CU_ASSERT(memcmp(of[0].record, of[i].record, of[i].bytes) == 0);
    sal_sweep_free(&sweep);
  }
  for (int i = 0; i < 3; ++i) sal_free(of[i].record);
}

/* Each configuration's place: the methods follow one another, then the strategies, then the tolerances.
 * Only events restart, only implicit methods form Jacobians, and tighter tolerances take longer. */
static void records_lie_where_the_sweep_says(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  all a = run(&sweep, N_CELL, 2);
  const int n = sal_config_count(&sweep);

  for (int i = 0; i < N_CELL; ++i)
    for (int s = 0; s < sweep.n_strategy; ++s)
      for (int m = 0; m < sweep.n_method; ++m) {
        const double *loose =
            a.record[i * n + sal_config_encode(&sweep, (sal_config){0, s, m})].value;
        const double *tight =
            a.record[i * n + sal_config_encode(&sweep, (sal_config){1, s, m})].value;
        CU_ASSERT(tight[SAL_METRIC_STEPS] > loose[SAL_METRIC_STEPS]);
        CU_ASSERT((tight[SAL_METRIC_RESTARTS] > 0) == sweep.strategy[s]->held);
        CU_ASSERT((tight[SAL_METRIC_JACOBIANS] > 0) == sweep.method[m]->implicit);
      }
  sal_free(a.record);
  sal_sweep_free(&sweep);
}

static void the_cells_figures_come_from_the_reference(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  all a = run(&sweep, N_CELL, 2);

  for (int i = 0; i < N_CELL; ++i) {
    const double *v = a.cell[i].value;
    CU_ASSERT(v[SAL_CELL_REFERENCE_OUTCOME] == SAL_OUT_DONE);
    CU_ASSERT(v[SAL_CELL_REFERENCE_ERROR] < 1e-9 && v[SAL_CELL_REFERENCE_ERROR] > 1e-15);
    CU_ASSERT(v[SAL_CELL_REFERENCE_EVENTS] >= 1);
    CU_ASSERT(v[SAL_CELL_SR_PUBLISHED] > 3 * v[SAL_CELL_SR] && v[SAL_CELL_SR] > 1);
    CU_ASSERT(v[SAL_CELL_RATE_PUBLISHED] > v[SAL_CELL_RATE] && v[SAL_CELL_RATE] > 6);
    CU_ASSERT(v[SAL_CELL_RATE_TRAJECTORY] > 6.3);
  }
  sal_free(a.record);
  sal_sweep_free(&sweep);
}

static void timing_fills_the_duration_and_nothing_else(void)
{
  sal_sweep plain = DALLAS(SHORT), timed = DALLAS(SHORT, "timing.repeats=2");
  all a = run(&plain, 3, 2), b = run(&timed, 3, 2);
  double spread = 0;

  for (int i = 0; i < N_CELL * sal_config_count(&plain); ++i) {
    CU_ASSERT(b.record[i].value[SAL_METRIC_SD] > 0);
    CU_ASSERT(b.record[i].value[SAL_METRIC_SD_SPREAD] >= 0);
    spread += b.record[i].value[SAL_METRIC_SD_SPREAD];
    b.record[i].value[SAL_METRIC_SD] = a.record[i].value[SAL_METRIC_SD];
    b.record[i].value[SAL_METRIC_SD_SPREAD] = a.record[i].value[SAL_METRIC_SD_SPREAD];
  }
  CU_ASSERT(spread > 0); /* no two runs of all take the same time */
  CU_ASSERT(memcmp(a.record, b.record, a.bytes) == 0);
  CU_ASSERT(memcmp(a.cell, b.cell, sizeof a.cell) == 0);
  sal_free(a.record);
  sal_free(b.record);
  sal_sweep_free(&plain);
  sal_sweep_free(&timed);
}

/* The cutoff lets most configurations through, but no reference. */
static void an_error_against_a_failed_reference_is_unknown(void)
{
  sal_sweep sweep = DALLAS(SHORT, "rtol=[1e-2]", "solvers=[ode45]", "max_attempts=250",
                           "reference_tolerance=1e-14");
  all a = run(&sweep, N_CELL, 2);
  const int n = sal_config_count(&sweep);
  int done = 0;

  for (int i = 0; i < N_CELL; ++i) {
    CU_ASSERT(a.cell[i].value[SAL_CELL_REFERENCE_OUTCOME] == SAL_OUT_STEP_CAP);
    CU_ASSERT(isnan(a.cell[i].value[SAL_CELL_REFERENCE_ERROR]));
    for (int c = 0; c < n; ++c) {
      const double *v = a.record[i * n + c].value;
      CU_ASSERT(isnan(v[SAL_METRIC_IAE]) && isnan(v[SAL_METRIC_MAX_ERROR]));
      done += v[SAL_METRIC_OUTCOME] == SAL_OUT_DONE;
    }
  }
  CU_ASSERT(done >= N_CELL);
  sal_free(a.record);
  sal_sweep_free(&sweep);
}

/* Raises a flag after so many tasks. */
typedef struct {
  int enough, pauses;
  atomic_int halt;
  int64_t done; /* as seen in the last pause */
  bool falls;
  sal_tile_space *space;
} watcher;

static void note_done(void *with)
{
  watcher *w = with;
  const int64_t done = sal_tile_done(w->space);

  w->falls = w->falls || done < w->done;
  w->done = done;
  if (++w->pauses == w->enough) atomic_store(&w->halt, 1);
}

/* No task is begun once the tile is given up, and the space is as good as new. */
static void a_tile_may_be_given_up_between_tasks(void)
{
  sal_sweep sweep = DALLAS(SHORT, "width=1");
  const int n = sal_config_count(&sweep);
  const sal_tile tile = {0, N_CELL};
  all plain = run(&sweep, N_CELL, 1);
  sal_tile_space *space = NULL;
  sal_tile_result result;

  omp_set_num_threads(1);
  CU_ASSERT_FATAL(sal_tile_space_create(&sweep, N_CELL, &space) == SAL_OK);
  for (int enough = 0; enough <= 20; enough += 5) {
    watcher w = {.enough = enough, .halt = enough == 0, .space = space};
    sal_stop_share(&w.halt);
    sal_tile_space_watch(space, &(sal_tile_watch){note_done, &w});
    CU_ASSERT(sal_tile_run(space, &tile, &result) == SAL_ERR_STOPPED);
    CU_ASSERT(w.pauses == enough); /* tasks done */
    CU_ASSERT(result.cell == NULL && result.record == NULL && result.count == 0);
    CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
    if (enough >= 10) CU_ASSERT(w.done > 0 && w.done < N_CELL * n); /* after 7 references */
    atomic_store(&w.halt, 0);
    sal_stop_share(NULL);
  }
  sal_tile_space_watch(space, &(sal_tile_watch){0});
  CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
  CU_ASSERT(memcmp(plain.record, result.record, plain.bytes) == 0);
  sal_tile_result_free(&result);
  sal_tile_space_destroy(&space);
  sal_free(plain.record);
  sal_sweep_free(&sweep);
}

/* Costs are not known in the first tile, where tasks count alike, and are in the second. */
static void what_is_done_rises_to_all_of_it(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  const int64_t whole = N_CELL * sal_config_count(&sweep);
  const sal_tile tile = {0, N_CELL};
  sal_tile_space *space = NULL;
  sal_tile_result result;

  omp_set_num_threads(2);
  CU_ASSERT_FATAL(sal_tile_space_create(&sweep, N_CELL, &space) == SAL_OK);
  for (int i = 0; i < 2; ++i) {
    watcher w = {.space = space};
    sal_tile_space_watch(space, &(sal_tile_watch){.pause = note_done, .with = &w});
    CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
    CU_ASSERT(!w.falls && w.pauses > 3);
    CU_ASSERT(sal_tile_done(space) <= whole && sal_tile_done(space) > whole - 100);
    if (i == 0) CU_ASSERT(sal_tile_done(space) == whole);
    sal_tile_result_free(&result);
  }
  sal_tile_space_destroy(&space);
  sal_sweep_free(&sweep);
}

static void sizes_that_fit_no_array_are_refused(void)
{
  static const int64_t size[] = {SAL_TILE_MOST + 1, 0, -1, INT64_MAX};
  sal_sweep sweep = DALLAS(SHORT);
  sal_tile_space *space;

  for (size_t i = 0; i < sizeof size / sizeof *size; ++i) {
    CU_ASSERT(sal_tile_space_create(&sweep, size[i], &space) == SAL_ERR_INPUT && !space);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "allowed: 1 to 192"));
    sal_err_clear();
  }
  CU_ASSERT(sal_tile_most(&sweep) <= SAL_TILE_MOST);
  CU_ASSERT_FATAL(sal_tile_space_create(&sweep, SAL_TILE_MOST, &space) == SAL_OK);
  sal_tile_space_destroy(&space);
  sal_sweep_free(&sweep);
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN(
    "tile", NULL, {"threads and tiles change no bit", threads_and_tiles_change_no_bit},
    {"tasks change no bit", tasks_change_no_bit}, {"widths change no bit", widths_change_no_bit},
    {"records are where the sweep puts them", records_lie_where_the_sweep_says},
    {"the cells' figures come from the reference", the_cells_figures_come_from_the_reference},
    {"timing fills the duration and nothing else", timing_fills_the_duration_and_nothing_else},
    {"an error against a failed reference is unknown",
     an_error_against_a_failed_reference_is_unknown},
    {"a tile may be given up between tasks", a_tile_may_be_given_up_between_tasks},
    {"what is done rises to all of it", what_is_done_rises_to_all_of_it},
    {"sizes that fit no array are refused", sizes_that_fit_no_array_are_refused},
    {"memory comes back", memory_comes_back})
