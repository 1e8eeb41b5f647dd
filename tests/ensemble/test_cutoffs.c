/** Capped tiles: no winner is lost, who is stopped depends on the cell alone, and an engine of one
 *  thread stays on the main one while the others go on.
 */
#include "config.h"
#include "cutoff.h"
#include "engine.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_file.h"
#include "tile_run.h"
#include "work.h"
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

enum { N_CELL = 5 };

#define SHORT                                                                                      \
  "t_end=11", "mesh=0.01", "timing.repeats=0", "rtol=[1e-3,1e-5,1e-7]", "divergence={}",           \
      "cells.rows=[[1951,20,22.8,0.051],[1951,1.88,22.8,0.3],[550,1.88,22.8,0.051],"               \
      "[1951,1.88,480,0.051],[38000,1.88,1,0.051]]",                                               \
      "solvers=[ode23,ode45,dop853,ode23s,ode23t]"
#define BY_TOLERANCE                                                                               \
  "cutoff={baselines: [dop853], error: 1e-5, factor: 1.2, order: tolerances, loosest: 1e-2}"
#define BOX                                                                                        \
  "cells={axes: [{columns: [b, k], sobol: [[900, 5000], [5, 100]], log: true, points: 5}]}"
#define PACED "cutoff={baselines: [dop853], second_baselines: [ode45], error: 1e-5, factor: 1.5}"

static sal_tile_result run_tile(const sal_sweep *sweep, int64_t first, int64_t count, int threads)
{
  const sal_tile tile = {first, count};
  sal_tile_space *space = NULL;
  sal_tile_result result;

  omp_set_num_threads(threads);
  CU_ASSERT_FATAL(sal_tile_space_create(sweep, count, &space) == SAL_OK);
  CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
  sal_tile_space_destroy(&space);
  return result;
}

static bool ended_as(const sal_record *r, sal_outcome outcome)
{
  return r->value[SAL_METRIC_OUTCOME] == (double)outcome;
}

/* The configuration with least work for an error in a cell, or -1. */
static int winner(const sal_sweep *sweep, const sal_tile_result *r, int64_t cell, double asked)
{
  const sal_work_weights w = sal_work_presets(sweep);
  const double truth = r->cell[cell].value[SAL_CELL_REFERENCE_ERROR_WATCHED];
  const int n = sal_config_count(sweep);
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < n; ++k) {
    const sal_record *record = &r->record[cell * n + k];
    const double work = sal_work_of(&w, sal_error_metrics, record);
    if (!sal_metric_finished(record->value[SAL_METRIC_OUTCOME]) ||
        record->value[SAL_METRIC_MAX_ERROR] + truth > asked || work >= least)
      continue;
    least = work;
    best = k;
  }
  return best;
}

/* From the runs of the phases before. */
static sal_cutoff_baseline pace_before(const sal_sweep *sweep, int phase,
                                       const sal_cell_record *cell, const sal_record record[])
{
  sal_cutoff_baseline baseline = sal_cutoff_begin(sweep, 0, cell);

  for (int k = 0; k < sal_config_count(sweep); ++k)
    if (sal_cutoff_phase_of(sweep, k) < phase) sal_cutoff_add(sweep, 1, &k, record, &baseline);
  return baseline;
}

/* A run that is not stopped is as without cutoffs; one that is takes more than its cutoff in either. */
static int64_t compare_runs(const sal_sweep *sweep, const sal_tile_result *full,
                            const sal_tile_result *capped)
{
  const sal_work_weights w = sal_work_presets(sweep);
  const int n = sal_config_count(sweep);
  int64_t stopped = 0, fell = 0;

  for (int64_t i = 0; i < N_CELL * n; ++i) {
    const double whole = sal_work_of(&w, sal_error_metrics, &full->record[i]);
    const double done = sal_work_of(&w, sal_error_metrics, &capped->record[i]);
    if (!ended_as(&capped->record[i], SAL_OUT_OVER_CUTOFF)) {
      CU_ASSERT(memcmp(&full->record[i], &capped->record[i], sizeof *full->record) == 0);
      continue;
    }
    const sal_record *of_cell = &capped->record[i / n * n];
    const int phase = sal_cutoff_phase_of(sweep, (int)(i % n));
    const sal_cutoff_baseline baseline = pace_before(sweep, phase, &full->cell[i / n], of_cell);
    const sal_cutoff_of_job cutoff = sal_cutoff_of_run(sweep, (int)(i % n), &baseline, of_cell);
    const double error = capped->record[i].value[SAL_METRIC_MAX_ERROR_PARTIAL];
    double most = cutoff.most_work > 0 ? cutoff.most_work : INFINITY;
    for (int k = 0; k < cutoff.stairs.n; ++k)
      if (error > cutoff.stairs.error[k]) most = fmin(most, cutoff.stairs.work[k]);
    ++stopped;
    fell += most < cutoff.most_work || cutoff.most_work == 0;
    CU_ASSERT(phase > 0 && done > most && whole >= done);
    CU_ASSERT(capped->record[i].value[SAL_METRIC_T_REACHED] < sweep->t_end);
    CU_ASSERT(isnan(capped->record[i].value[SAL_METRIC_MAX_ERROR]));
  }
  CU_ASSERT(fell > 0 && fell < stopped);
  return stopped;
}

/* Every question has the same winner; returns how many have one. */
static int64_t compare_winners(const sal_sweep *plain, const sal_tile_result *full,
                               const sal_sweep *paced, const sal_tile_result *capped,
                               double loosest)
{
  int64_t answered = 0;

  for (int64_t c = 0; c < N_CELL; ++c)
    for (double asked = loosest; asked > 0.9e-5; asked /= 10) {
      const int best = winner(plain, full, c, asked);
      answered += best >= 0;
      CU_ASSERT(best == winner(paced, capped, c, asked));
    }
  CU_ASSERT(answered > 3 * N_CELL / 2);
  return answered;
}

static void no_winner_is_lost(void)
{
  sal_sweep plain = DALLAS(SHORT), paced = DALLAS(SHORT, PACED);
  sal_tile_result full = run_tile(&plain, 0, N_CELL, 2), capped = run_tile(&paced, 0, N_CELL, 2);
  const int64_t all = N_CELL * (int64_t)sal_config_count(&plain);

  compare_winners(&plain, &full, &paced, &capped, 1e-1);
  const int64_t stopped = compare_runs(&paced, &full, &capped);
  CU_ASSERT(stopped > all / 10 && stopped < all);
  sal_tile_result_free(&full);
  sal_tile_result_free(&capped);
  sal_sweep_free(&plain);
  sal_sweep_free(&paced);
}

/* A run that was stopped, or skipped, would have done more work than its record has, with an error that is useless
 * where that was the reason. */
static void check_stopped(const sal_record *whole, const sal_record *record)
{
  CU_ASSERT(whole->value[SAL_METRIC_RHS] >= record->value[SAL_METRIC_RHS]);
  CU_ASSERT(isnan(record->value[SAL_METRIC_MAX_ERROR]));
  if (ended_as(record, SAL_OUT_TOO_INACCURATE)) {
    CU_ASSERT(whole->value[SAL_METRIC_MAX_ERROR] > 0.99e-2);
    CU_ASSERT(record->value[SAL_METRIC_MAX_ERROR_PARTIAL] > 0.99e-2);
  }
}

static void no_winner_is_lost_by_tolerance(void)
{
  sal_sweep plain = DALLAS(SHORT), rungs = DALLAS(SHORT, BY_TOLERANCE);
  sal_tile_result full = run_tile(&plain, 0, N_CELL, 2), capped = run_tile(&rungs, 0, N_CELL, 2);
  int64_t met[SAL_N_OUTCOME] = {0};

  compare_winners(&plain, &full, &rungs, &capped, 1e-2);
  for (int64_t i = 0; i < N_CELL * sal_config_count(&plain); ++i) {
    const sal_record *record = &capped.record[i];
    ++met[(int)record->value[SAL_METRIC_OUTCOME]];
    if (sal_metric_stopped(record->value[SAL_METRIC_OUTCOME]))
      check_stopped(&full.record[i], record);
    else
      CU_ASSERT(memcmp(&full.record[i], record, sizeof *record) == 0);
  }
  CU_ASSERT(met[SAL_OUT_OVER_CUTOFF] > 0 && met[SAL_OUT_SKIPPED_OVER_CUTOFF] > 0);
  CU_ASSERT(met[SAL_OUT_TOO_INACCURATE] > 0 && met[SAL_OUT_DONE] > 10);
  sal_tile_result_free(&full);
  sal_tile_result_free(&capped);
  sal_sweep_free(&plain);
  sal_sweep_free(&rungs);
}

/* Sobol's points: the first is a pilot with a single run. */
static void what_no_pilot_needs_is_not_run(void)
{
  sal_sweep plain = DALLAS(SHORT, BOX), piloted = DALLAS(SHORT, BOX,
                                                         "pilots={cells: 1, nearest: 1, "
                                                         "tolerances: 0}");
  sal_tile_result whole = run_tile(&plain, 0, N_CELL, 2), part;
  const sal_tile tile = {0, N_CELL};
  sal_tile_space *space = NULL;
  sal_pilots *pilots = NULL;
  const int n = sal_config_count(&plain), winner = n - 1;
  sal_cell_record cell = {{0}};
  SAL_OWN sal_record *record = sal_alloc((size_t)n, sizeof *record);

  CU_ASSERT_FATAL(record != NULL && sal_pilots_create(&piloted, &pilots) == SAL_OK);
  for (int k = 0; k < n; ++k) record[k] = (sal_record){{0}};
  for (int k = 0; k < n; ++k)
    record[k].value[SAL_METRIC_OUTCOME] = k == winner ? SAL_OUT_DONE : SAL_OUT_STEP_CAP;
  sal_pilots_add(pilots, 0, &cell, record);
  CU_ASSERT_FATAL(sal_tile_space_create(&piloted, N_CELL, &space) == SAL_OK);
  sal_tile_space_pilots(space, pilots);
  CU_ASSERT_FATAL(sal_tile_run(space, &tile, &part) == SAL_OK);
  for (int64_t i = 0; i < N_CELL * n; ++i) {
    if (i % n == winner) {
      CU_ASSERT(memcmp(&whole.record[i], &part.record[i], sizeof *record) == 0);
      continue;
    }
    CU_ASSERT(ended_as(&part.record[i], SAL_OUT_SKIPPED_BY_PILOTS));
    CU_ASSERT(isnan(part.record[i].value[SAL_METRIC_RHS]));
  }
  sal_tile_space_destroy(&space);
  sal_pilots_free(&pilots);
  sal_tile_result_free(&whole);
  sal_tile_result_free(&part);
  sal_sweep_free(&plain);
  sal_sweep_free(&piloted);
}

static void check_alone(const char *cutoffs)
{
  static const char *const width[] = {"width=1", "width=4"};
  sal_sweep first = DALLAS(SHORT, cutoffs, width[0]);
  const int n = sal_config_count(&first);
  sal_tile_result plain = run_tile(&first, 0, N_CELL, 1);
  int64_t over_cutoff = 0;

  for (int64_t i = 0; i < N_CELL * n; ++i)
    over_cutoff += ended_as(&plain.record[i], SAL_OUT_OVER_CUTOFF);
  CU_ASSERT(over_cutoff > N_CELL && over_cutoff < N_CELL * n);
  for (int w = 0; w < 2; ++w)
    for (int threads = 1; threads <= 3; ++threads) {
      sal_sweep sweep = DALLAS(SHORT, cutoffs, width[w]);
      const int64_t at = threads - 1, count = N_CELL - 2; /* a tile of its own */
      sal_tile_result other = run_tile(&sweep, at, count, threads);
      CU_ASSERT(memcmp(plain.record + at * n, other.record,
                       (size_t)(count * n) * sizeof *other.record) == 0);
      sal_tile_result_free(&other);
      sal_sweep_free(&sweep);
    }
  sal_tile_result_free(&plain);
  sal_sweep_free(&first);
}

static void who_is_stopped_depends_on_the_cell_alone(void)
{
  check_alone(PACED);
  check_alone(BY_TOLERANCE);
  check_alone(
      "cutoff={reference: 0.3}"); /* no error lowers it: pairs go on by themselves until they are near */
}

/* A generous bound stops none, a mean one the baselines, too. */
static void the_reference_bounds_outliers(void)
{
  sal_sweep far = DALLAS(SHORT, "cutoff={reference: 1e6}"),
            near = DALLAS(SHORT, "cutoff={reference: 1e-4}");
  sal_tile_result some = run_tile(&far, 0, N_CELL, 2), none = run_tile(&near, 0, N_CELL, 2);

  for (int64_t i = 0; i < N_CELL * sal_config_count(&far); ++i) {
    CU_ASSERT(some.record[i].value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE);
    CU_ASSERT(ended_as(&none.record[i], SAL_OUT_OVER_CUTOFF));
  }
  sal_tile_result_free(&some);
  sal_tile_result_free(&none);
  sal_sweep_free(&far);
  sal_sweep_free(&near);
}

/* ---- an engine of one thread ---- */

static pthread_t main_thread;
static int strayed, n_runs;

typedef struct {
  int n;
  double t, y[SAL_MAX_STATE], dy[SAL_MAX_STATE];
} euler_step;

static void value_at(void *with, double t, double y[])
{
  const euler_step *p = with;
  for (int i = 0; i < p->n; ++i) y[i] = p->y[i] + (t - p->t) * p->dy[i];
}

/* Euler's method with many steps: the main thread is busy for a while. */
static void run_euler(sal_engine_run *run, void *own)
{
  const double h = run->t_end / 5000;
  euler_step p = {.n = run->n};
  bool goes_on = true;
  double y[SAL_MAX_STATE];

  (void)own;
#pragma omp atomic
  strayed += !pthread_equal(pthread_self(), main_thread);
#pragma omp atomic
  ++n_runs;
  while (goes_on) {
    const double t1 = fmin(run->t + h, run->t_end);
    p.t = run->t;
    memcpy(p.y, run->y, (size_t)run->n * sizeof *run->y);
    sal_engine_rhs(run, p.t, p.y, p.dy);
    value_at(&p, t1, y);
    ++run->steps;
    goes_on = sal_engine_advance(run, t1, y, value_at, &p) && !sal_engine_used_up(run);
  }
}

static const sal_engine euler = {.library = "none", .run = run_euler, .one_thread = true};
static const sal_method euler_method = {
    .name = "euler", .order = 1, .min_order = 1, .engine = &euler, SAL_ENGINE_OPS};

/* As a baseline, and as one with a cutoff. */
static void an_engine_of_one_thread_stays_on_the_main_one(void)
{
  static const char *const cutoffs[] = {"cutoff={}", PACED,
                                        "cutoff={baselines: [ode23], error: 10, factor: 1}"};

  main_thread = pthread_self();
  for (int i = 0; i < 3; ++i) {
    sal_sweep sweep =
        DALLAS(SHORT, "strategies=[switch]", "solvers=[ode45,dop853,ode23]", cutoffs[i]);
    sal_tile_result one, more;
    sweep.method[2] = &euler_method;
    const int n = sal_config_count(&sweep), runs = 2 * 3 * N_CELL;
    strayed = n_runs = 0;
    one = run_tile(&sweep, 0, N_CELL, 1);
    more = run_tile(&sweep, 0, N_CELL, 3);
    CU_ASSERT(strayed == 0 && n_runs == runs);
    CU_ASSERT(memcmp(one.record, more.record, (size_t)(N_CELL * n) * sizeof *one.record) == 0);
    CU_ASSERT(one.record[2].value[SAL_METRIC_STEPS] > 1000);
    sal_tile_result_free(&one);
    sal_tile_result_free(&more);
    sal_sweep_free(&sweep);
  }
}

/* `saltus plan` uses it as the least time of a tile. */
static void time_on_the_main_thread_is_counted(void)
{
  sal_sweep sweep = DALLAS(SHORT, "strategies=[switch]", "solvers=[ode45,ode23]");
  const sal_tile tile = {0, N_CELL};
  sal_tile_space *space = NULL;
  double alone[2];

  for (int i = 0; i < 2; ++i) {
    sal_tile_result result;
    if (i) sweep.method[1] = &euler_method;
    omp_set_num_threads(2);
    CU_ASSERT_FATAL(sal_tile_space_create(&sweep, N_CELL, &space) == SAL_OK);
    CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
    const sal_tile_use use = sal_tile_used(space);
    alone[i] = use.alone;
    CU_ASSERT(use.alone <= use.scalar && use.scalar < use.cpu);
    sal_tile_space_destroy(&space);
    sal_tile_result_free(&result);
  }
  CU_ASSERT(alone[0] == 0 && alone[1] > 0);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("cutoffs", NULL, {"no winner is lost", no_winner_is_lost},
              {"no winner is lost by tolerance", no_winner_is_lost_by_tolerance},
              {"who is stopped depends on the cell alone",
               who_is_stopped_depends_on_the_cell_alone},
              {"what no pilot needs is not run", what_no_pilot_needs_is_not_run},
              {"the reference bounds outlier runs", the_reference_bounds_outliers},
              {"an engine of one thread stays on the main one",
               an_engine_of_one_thread_stays_on_the_main_one},
              {"time on the main thread is counted", time_on_the_main_thread_is_counted})
