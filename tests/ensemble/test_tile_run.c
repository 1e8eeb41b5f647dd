/** @file tests/ensemble/test_tile_run.c
 *  A tile's records: complete, and the same whoever makes them.
 */
#include "contender.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_file.h"
#include "tile_run.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { N_CELL = 7 };

/* All contenders on the first cells, for a short while: every cell has contacts by t = 11. */
#define SHORT                                                                                      \
  "t_end=11", "mesh=0.01", "timing.repeats=0", "tolerances=[1e-3,1e-6]", "divergence={}",          \
      "cells.rows=[[1951,20,22.8,0.051],[1951,10.4,22.8,0.051],[1951,1.88,22.8,0.3],"              \
      "[550,1.88,22.8,0.051],[1951,1.88,480,0.051],[1951,1.88,22.8,0.155],[38000,1.88,1,0.051]]"

/* Everything about all cells but the time they took, from tiles of at most `size` cells on
 * `threads` threads. */
typedef struct {
  sal_cell_record cell[N_CELL];
  sal_record     *record;
  size_t          bytes; /* of record */
} all;

/* The times of the cells are positive and add up to that of all threads; then they are taken out.
 */
static void take_times(all *a, double cpu)
{
  double sum = 0;

  for (int i = 0; i < N_CELL; ++i) {
    double *seconds = &a->cell[i].value[SAL_CELL_SECONDS];
    double *wall    = &a->cell[i].value[SAL_CELL_WALL];
    CU_ASSERT(*seconds > 0 && *wall > 0.5 * *seconds); /* two clocks of different steps */
    sum += *seconds;
    *seconds = *wall = 0;
  }
  CU_ASSERT(fabs(sum - cpu) < 1e-12 + 1e-9 * cpu);
}

static all run(const sal_sweep *sweep, int64_t size, int threads)
{
  const int       n     = sal_contender_count(sweep);
  all             a     = {.bytes = sizeof *a.record * (size_t)(N_CELL * n)};
  sal_tile_space *space = NULL;

  a.record = sal_alloc(a.bytes, 1);
  omp_set_num_threads(threads);
  CU_ASSERT_FATAL(sal_tile_threads() == threads);
  CU_ASSERT_FATAL(sal_tile_space_create(sweep, size, &space) == SAL_OK);
  for (int64_t first = 0; first < N_CELL; first += size) {
    const sal_tile  tile = {first, N_CELL - first < size ? N_CELL - first : size};
    sal_tile_result result;
    CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
    CU_ASSERT(result.first == first && result.count == tile.count);
    memcpy(a.cell + first, result.cell, (size_t)result.count * sizeof *result.cell);
    memcpy(a.record + first * n, result.record, (size_t)(result.count * n) * sizeof *result.record);
    sal_free(result.cell);
    sal_free(result.record);
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
  const int n     = sal_contender_count(&sweep);
  all       plain = run(&sweep, N_CELL, 1);

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

/* Two contenders on many threads are cut into runs of cells. */
static void pieces_change_no_bit(void)
{
  sal_sweep sweep = DALLAS(SHORT, "methods=[ode45]", "strategies=[event]", "width=1");
  all       plain = run(&sweep, N_CELL, 1);

  CU_ASSERT(sal_contender_count(&sweep) == 2);
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
  all                      of[3];

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

/* Each contender's place: the methods follow one another, then the strategies, then the tolerances.
 * Only events restart, only implicit methods form Jacobians, and tighter tolerances take longer. */
static void records_lie_where_the_sweep_says(void)
{
  sal_sweep sweep = DALLAS(SHORT);
  all       a     = run(&sweep, N_CELL, 2);
  const int n     = sal_contender_count(&sweep);

  for (int i = 0; i < N_CELL; ++i)
    for (int s = 0; s < sweep.n_strategy; ++s)
      for (int m = 0; m < sweep.n_method; ++m) {
        const double *loose =
            a.record[i * n + sal_contender_encode(&sweep, (sal_contender){0, s, m})].value;
        const double *tight =
            a.record[i * n + sal_contender_encode(&sweep, (sal_contender){1, s, m})].value;
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
  all       a     = run(&sweep, N_CELL, 2);

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
  all       a = run(&plain, 3, 2), b = run(&timed, 3, 2);
  double    spread = 0;

  for (int i = 0; i < N_CELL * sal_contender_count(&plain); ++i) {
    CU_ASSERT(b.record[i].value[SAL_METRIC_SD] > 0);
    CU_ASSERT(b.record[i].value[SAL_METRIC_SD_SPREAD] >= 0);
    spread += b.record[i].value[SAL_METRIC_SD_SPREAD];
    b.record[i].value[SAL_METRIC_SD]        = a.record[i].value[SAL_METRIC_SD];
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

/* The cap lets most contenders through, but no reference. */
static void an_error_against_a_failed_reference_is_unknown(void)
{
  sal_sweep sweep = DALLAS(SHORT, "tolerances=[1e-2]", "methods=[ode45]", "max_attempts=250",
                           "reference_tolerance=1e-14");
  all       a     = run(&sweep, N_CELL, 2);
  const int n     = sal_contender_count(&sweep);
  int       done  = 0;

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

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN(
    "tile", NULL, {"threads and tiles change no bit", threads_and_tiles_change_no_bit},
    {"pieces change no bit", pieces_change_no_bit}, {"widths change no bit", widths_change_no_bit},
    {"records lie where the sweep says", records_lie_where_the_sweep_says},
    {"the cells' figures come from the reference", the_cells_figures_come_from_the_reference},
    {"timing fills the duration and nothing else", timing_fills_the_duration_and_nothing_else},
    {"an error against a failed reference is unknown",
     an_error_against_a_failed_reference_is_unknown},
    {"memory comes back", memory_comes_back})
