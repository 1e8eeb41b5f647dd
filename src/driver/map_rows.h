/** Rows of a map, their store in the ranks, and the answers made from them.  The rows are handed over by a run that has the records of all cells at hand, or read from the cube, each
 *  once.  Totals over all of them are counted on the way, and the ranks keep them in boxes of neighbours.
 */
#pragma once

#include "cell_order.h"
#include "map_group.h"
#include "map_summary.h"
#include "performance_cube.h"

/* Rows of the performance table in the memory of the ranks.  Each rank keeps those of a run of places in an order of
 * the cells (cell_order.h), and hands copies to others by messages.
 *
 * A rank answers requests while it waits, for rows or for the others, and whenever it requests rows itself; so all
 * ranks must be synchronised before any other collective call. */

typedef struct sal_row_store sal_row_store;

/** Memory for rows of a rank, at most [B]: 1 GB, or SALTUS_ROWS_MEMORY (environment.h). */
double sal_row_store_memory(void);
/** Bytes of a rank for each of its rows beside the row: its address and its sizes. */
enum { SAL_MAP_ROW_PLACE = 16 };
/** Size of the rows of a rank [B], at most. */
double sal_row_store_bytes(int64_t n_cell, int n_rank, int n_config, bool points);
/** Refuses (SAL_ERR_INPUT) rows that take more than sal_row_store_memory in each of so many ranks, with the number of ranks
 *  that suffices. */
sal_err sal_row_store_check(int64_t n_cell, int n_rank, int n_config, bool points);

/** Collective.  A store of rows with nothing in it yet, of a sweep and an order that are borrowed.  It is refused
 *  (SAL_ERR_INPUT) where the room is too small for it.  sal_row_store_free frees, collectively. */
sal_err sal_row_store_create(MPI_Comm comm, const sal_performance_rows_of *of,
                             const sal_cell_order *order, sal_row_store **store);
void sal_row_store_free(sal_row_store **store);

/** Collective.  Brings rows of cells [rows->n_cell], any of each rank, to the ranks that keep them; n_cell may be 0.
 *  here: a failure of this rank before, which is then that of all. */
sal_err sal_row_store_put(sal_row_store *store, sal_err here, const int64_t cell[],
                          const sal_performance_table *rows);
/** Copies rows of the places first .. first + rows->n_cell - 1 of this rank, raw values of points among them, if `rows`
 *  has room for these. */
void sal_row_store_run(const sal_row_store *store, int64_t first, sal_performance_table *rows);

/** Coordinates of the boxes in which cells lie; 0: some lie in none. */
int sal_row_store_coordinates(const sal_sweep *sweep);
/** Memory of the surrogate for rows that it has read: less in boxes [B]. */
double sal_row_store_read(const sal_sweep *sweep);
/** Rows of any cells, without points.  Not collective; a rank that has no use for rows waits in sal_row_store_meet. */
sal_performance_source sal_row_store_source(sal_row_store *store);

/** Collective.  Returns when all ranks are here; until then answers requests. */
sal_err sal_row_store_meet(sal_row_store *store);

/* ---- map rows ---- */

/** Totals over all cells. */
typedef struct {
  sal_performance_census of;
  sal_points_range range;
} sal_map_census;

typedef struct sal_map_rows sal_map_rows;

/** Collective.  No rows yet, of a sweep that is borrowed; refused (SAL_ERR_INPUT) where ranks have no room for them.
 *  sal_map_rows_free frees, collectively. */
sal_err sal_map_rows_create(MPI_Comm comm, const sal_performance_rows_of *of, sal_map_rows **rows);
void sal_map_rows_free(sal_map_rows **rows);

/** Sets the rows that the map of the preset questions is made from; false: its runs lack the error of map.by. */
bool sal_map_rows_presets(const sal_sweep *sweep, sal_performance_rows_of *of);

/** Collective.  Adds a result of this rank, whose count may be 0; each cell is added once, by any rank.  here: a failure of this
 *  rank before, which is then that of all. */
sal_err sal_map_rows_add(sal_map_rows *rows, sal_err here, const sal_tile_result *result);
/** Collective.  Adds all cells of a cube, of which each rank reads a run, verified. */
sal_err sal_map_rows_read(sal_map_rows *rows, sal_performance_rows *from);

/** Collective.  Sums the totals of all ranks. */
sal_err sal_map_rows_count(const sal_map_rows *rows, sal_map_census *census);

/** The order in which ranks have runs of cells, and the rows. */
const sal_cell_order *sal_map_rows_order(const sal_map_rows *rows);
sal_row_store *sal_map_rows_store(const sal_map_rows *rows);

/** Collective.  Answers what others ask for until all are here, and brings a failure of one to all. */
sal_err sal_map_rows_agree(const sal_map_rows *rows, sal_err here);

/* A row of the performance table, packed: a configuration without numbers takes half a byte, any other one 16.5 at most.
 * Nothing that a map is made from is lost. */

/** Errors asked for, ascending: of a stopped configuration it is enough to store which of them its least error exceeds. */
typedef struct {
  int n;
  double error[SAL_MAX_QUESTION];
} sal_row_levels;

/** Bytes of a packed row, at most, with its raw values of points or without. */
size_t sal_row_pack_most(int n_config, bool points);

/** Packs row `at` of a table, and its raw values of points; returns the bytes. */
size_t sal_row_pack(const sal_row_levels *levels, const sal_performance_table *table, int64_t at,
                    char *packed);
size_t sal_row_pack_points(const sal_performance_table *table, int64_t at, char *packed);
/** The way back, into row `at` of another one, in which least errors exceed the same levels; points after their row. */
size_t sal_row_unpack(const sal_row_levels *levels, const char *packed,
                      sal_performance_table *table, int64_t at);
void sal_row_unpack_points(const char *packed, sal_performance_table *table, int64_t at);

/* The answers of a map: each rank makes those of its run of places in an order of boxes, hands them to the ranks that write runs
 * of cells, and writes such a run itself. */

/** Cells of a rank whose answers are made at once, of a map of n_cell cells with n_config configurations, and the memory
 *  for what is known of them, at most [B]; bytes of all columns that are handed over or written at once. */
enum { SAL_MAP_ROUND = 8 << 20, SAL_MAP_WRITE = 8 << 20 };

/** Inputs of the answers; borrowed. */
typedef struct {
  MPI_Comm comm;
  const sal_map *questions;
  sal_performance_cube *cube;
  const sal_map_rows *rows;
  sal_surrogate *surrogate; /* NULL: none is possible */
  sal_map_summary *summary; /* to be added to; NULL: none is wanted */
} sal_map_answers_of;

/** Collective.  Makes and writes the answers of all cells; a failure of one rank is that of all. */
sal_err sal_map_answers_write(const sal_map_answers_of *of, sal_map_file *file);
