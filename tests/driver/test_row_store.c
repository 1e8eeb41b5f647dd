/** Rows in the memory of the ranks: each rank has those of all ranks, at any time. */
#include "exchange.h"
#include "map_rows.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_read.h"
#include "work.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* 391 cells of 4 configurations. */
static const char text[] = "title: made up\n"
                           "model: monopod\n"
                           "cells:\n"
                           "  axes:\n"
                           "    - {name: b, log: [550, 38000], points: 23}\n"
                           "    - {name: k, log: [1, 480], points: 17}\n"
                           "solvers: [ode45, dop853]\n"
                           "strategies: [event]\n"
                           "rtol: [1e-3, 1e-5]\n";

enum { N_CELL = 391, N_CONFIG = 4, BLOCK = 7 };

static int self, ranks;
static sal_sweep sweep;
static sal_performance_rows_of of;
static sal_cell_order *order;
static sal_row_store *store;

/* A number of its own for each place of each column. */
static double value_of(int column, int64_t cell, int config)
{
  return 1e6 * column + (double)(cell * N_CONFIG + config) + 0.25 + 1e-9;
}

/* Errors asked for, not in order: least errors are known by the levels that they exceed. */
#define MIDDLE (1e6 * 2 + (double)(201 * N_CONFIG + 1) + 0.25 + 1e-9) /* that of cell 201 */
static const double asked[] = {3e6, 1e6, MIDDLE};
static double level_of(double least) { return nextafter(least > MIDDLE ? MIDDLE : 1e6, INFINITY); }

/* Work in three bytes, four and eight; configuration 1 was stopped, configuration 2 does not count, 3 failed in some cells. */
static void fill_row(sal_performance_table *t, int64_t cell, int64_t row)
{
  double *const column[] = {t->work, t->error, t->least_error, t->sd, t->dt, t->iae};

  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < N_CONFIG && column[k]; ++i)
      column[k][row * N_CONFIG + i] = k == 2 ? NAN : value_of(k, cell, i);
  t->work[row * N_CONFIG] = 3 * (double)(cell % 11) + 4.0 * 16 / 15 + 0.8 * 7;
  t->work[row * N_CONFIG + 1] = (cell % 2 ? 1e7 : 1e6) / 15 + (double)cell;
  t->error[row * N_CONFIG + 1] = INFINITY;
  t->least_error[row * N_CONFIG + 1] = cell % 5 ? level_of(value_of(2, cell, 1)) : 0;
  t->work[row * N_CONFIG + 2] = t->error[row * N_CONFIG + 2] = NAN;
  if (cell % 3 == 0) t->error[row * N_CONFIG + 3] = NAN;
  for (int k = 3; k < 6; ++k)
    for (int i = 1; i < N_CONFIG && column[k]; ++i)
      if (!isfinite(t->error[row * N_CONFIG + i])) column[k][row * N_CONFIG + i] = NAN;
  t->reference_error[row] = cell % 7 ? value_of(6, cell, 0) / 3 : INFINITY;
}

static bool is_row(const sal_performance_table *t, int64_t cell, int64_t row, int columns)
{
  const double *const column[] = {t->work, t->error, t->least_error, t->sd, t->dt, t->iae};
  double due[6][N_CONFIG], reference = 0;
  sal_performance_table is;
  bool same;

  is = (sal_performance_table){.work = due[0],
                               .error = due[1],
                               .least_error = due[2],
                               .sd = due[3],
                               .dt = due[4],
                               .iae = due[5],
                               .reference_error = &reference};
  fill_row(&is, cell, 0);
  same = t->reference_error[row] == reference;
  for (int k = 0; k < columns; ++k)
    for (int i = 0; i < N_CONFIG; ++i) {
      const double found = column[k][row * N_CONFIG + i];
      same = same && (found == due[k][i] || (isnan(found) && isnan(due[k][i])));
    }
  return same;
}

static int make_rows(int64_t n, bool points, sal_performance_table *t)
{
  if (sal_performance_create(&sweep, n, NULL, &of.weights, points, false, t) != SAL_OK) return 1;
  t->by = of.by;
  return 0;
}

/* Blocks of cells by turns, wherever they belong; where a rank has no more it puts none. */
static int put_blocks(void)
{
  for (int64_t at = 0; at < N_CELL; at += (int64_t)ranks * BLOCK) {
    SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
    const int64_t first = at + self * BLOCK, left = N_CELL - first;
    const int64_t n = left < 0 ? 0 : left < BLOCK ? left : BLOCK;
    int64_t cell[BLOCK];
    if (make_rows(BLOCK, true, &rows)) return 1;
    rows.n_cell = n;
    for (int64_t i = 0; i < n; ++i) {
      cell[i] = N_CELL - 1 - (first + i);
      fill_row(&rows, cell[i], i);
      if (cell[i] == 201)
        rows.least_error[i * N_CONFIG + 1] = MIDDLE; /* which does not exceed itself */
    }
    if (sal_row_store_put(store, SAL_OK, cell, &rows) != SAL_OK) return 1;
  }
  return sal_row_store_meet(store) != SAL_OK;
}

static int make_store(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (sal_sweep_parse("s.yaml", text, 0, NULL, &sweep) != SAL_OK) return 1;
  of = (sal_performance_rows_of){.sweep = &sweep,
                                 .by = sal_error_metrics,
                                 .weights = sal_work_presets(&sweep),
                                 .points = true,
                                 .n_error = 3,
                                 .error = asked};
  if (sal_cell_order_create(&sweep, &order) != SAL_OK) return 1;
  if (sal_row_store_create(MPI_COMM_WORLD, &of, order, &store) != SAL_OK || !store) return 1;
  return put_blocks();
}

static void own_rows_come_back_with_their_points(void)
{
  const int64_t first = sal_exchange_first(N_CELL, self, ranks);
  const int64_t n = sal_exchange_first(N_CELL, self + 1, ranks) - first;
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};

  CU_ASSERT_FATAL(make_rows(n, true, &rows) == 0);
  sal_row_store_run(store, first, &rows);
  for (int64_t i = 0; i < n; ++i)
    CU_ASSERT(is_row(&rows, sal_cell_order_cell(order, first + i), i, 6));
}

/* The failure of one rank before is that of all, and nothing is put. */
static void who_has_failed_stops_all(void)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  const int64_t cell = 5;
  const sal_err here = self == ranks - 1 ? sal_fail(SAL_ERR_IO, "made up") : SAL_OK;

  CU_ASSERT_FATAL(make_rows(1, true, &rows) == 0);
  CU_ASSERT_EQUAL(sal_row_store_put(store, here, &cell, &rows), SAL_ERR_IO);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "made up");
  sal_err_clear();
}

/* All cells at once, more than a message takes, backwards and two of them twice. */
static void all_rows_come_in_the_order_asked_for(void)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  const sal_performance_source source = sal_row_store_source(store);
  int64_t cell[N_CELL + 2];

  for (int i = 0; i < N_CELL; ++i) cell[i] = N_CELL - 1 - i;
  cell[N_CELL] = 3;
  cell[N_CELL + 1] = N_CELL - 1;
  CU_ASSERT_FATAL(make_rows(N_CELL + 2, false, &rows) == 0);
  CU_ASSERT_EQUAL(source.n_cell, N_CELL);
  CU_ASSERT_EQUAL(source.n_config, N_CONFIG);
  CU_ASSERT_EQUAL(source.read(source.with, N_CELL + 2, cell, &rows), SAL_OK);
  for (int i = 0; i < N_CELL + 2; ++i) CU_ASSERT(is_row(&rows, cell[i], i, 3));
  CU_ASSERT_EQUAL(sal_row_store_meet(store), SAL_OK);
}

/* Rank r sends r * 40 requests, and ranks without requests answer; again and again. */
static void ranks_ask_at_times_of_their_own(void)
{
  SAL_OWN_BY(sal_performance_free) sal_performance_table rows = {0};
  const sal_performance_source source = sal_row_store_source(store);

  CU_ASSERT_FATAL(make_rows(2, false, &rows) == 0);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < (self + round) % ranks * 40; ++i) {
      const int64_t cell[2] = {(i * 31 + 11 * self) % N_CELL, (i * 17 + round) % N_CELL};
      CU_ASSERT_EQUAL(source.read(source.with, 2, cell, &rows), SAL_OK);
      CU_ASSERT(is_row(&rows, cell[0], 0, 3) && is_row(&rows, cell[1], 1, 3));
    }
    CU_ASSERT_EQUAL(sal_row_store_meet(store), SAL_OK);
  }
}

/* Rows beyond a rank's room are refused; more ranks keep them. */
static void too_many_rows_are_refused(void)
{
  const int64_t cells = sweep.n_cell, grid = sweep.n_grid;
  sal_row_store *none = NULL;
  char enough[32];

  CU_ASSERT(sal_row_store_bytes(cells, 1, N_CONFIG, false) == 391 * 90.0);
  CU_ASSERT(sal_row_store_bytes(cells, 3, N_CONFIG, true) == 131 * 186.0);
  sweep.n_cell = sweep.n_grid = (int64_t)(ranks * sal_row_store_memory() / 186.0) + ranks;
  CU_ASSERT_EQUAL(sal_row_store_create(MPI_COMM_WORLD, &of, order, &none), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NULL(none);
  snprintf(enough, sizeof enough, "; %d ranks suffice", ranks + 1);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), enough));
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_row_store_check(sweep.n_cell, ranks + 1, N_CONFIG, true), SAL_OK);
  sweep.n_cell = cells;
  sweep.n_grid = grid;
}

/* Each item has one owner, whose items are a run; runs differ by one at most. */
static void items_are_dealt_out_evenly(void)
{
  for (int64_t n = 1; n < 40; ++n)
    for (int r = 0; r < 13; ++r) {
      const int64_t first = sal_exchange_first(n, r, 13);
      const int64_t end = sal_exchange_first(n, r + 1, 13);
      CU_ASSERT(end - first == n / 13 || end - first == n / 13 + 1);
      CU_ASSERT(r < 12 || end == n);
      for (int64_t i = first; i < end; ++i) CU_ASSERT_EQUAL(sal_exchange_owner(n, 13, i), r);
    }
}

static void nothing_is_left(void)
{
  sal_row_store_free(&store);
  sal_cell_order_free(&order);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN_MPI("rows in the memory of the ranks", make_store,
                  {"own rows come back with their points", own_rows_come_back_with_their_points},
                  {"who has failed stops all", who_has_failed_stops_all},
                  {"all rows come in the order asked for", all_rows_come_in_the_order_asked_for},
                  {"ranks ask at times of their own", ranks_ask_at_times_of_their_own},
                  {"too many rows are refused", too_many_rows_are_refused},
                  {"items are dealt out evenly", items_are_dealt_out_evenly},
                  {"nothing is left", nothing_is_left})
