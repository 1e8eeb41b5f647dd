/** @file src/driver/row_store.h
 *  Rows of the performance table in the memory of the ranks.  Each rank keeps those of a run of places in an order of
 *  the cells (cell_order.h), and hands copies to others by messages.
 *
 *  A rank answers requests while it waits, for rows or for the others, and whenever it requests rows itself; so all
 *  ranks must be synchronised before any other collective call.
 */
#ifndef SAL_ROW_STORE_H
#define SAL_ROW_STORE_H

#include "cell_order.h"
#include "performance_rows.h"
#include <mpi.h>

typedef struct sal_row_store sal_row_store;

/** Memory for rows of a rank, at most [B]: 1 GB, or SALTUS_ROWS_MEMORY (environment.h). */
double sal_row_store_memory(void);
/** Size of the rows of a rank [B]. */
double sal_row_store_bytes(int64_t n_cell, int n_rank, int n_config, bool points);
/** Refuses (SAL_ERR_INPUT) rows that take more than sal_row_store_memory in each of so many ranks, with the number of ranks
 *  that suffices. */
SAL_MUST_CHECK sal_err sal_row_store_check(int64_t n_cell, int n_rank, int n_config, bool points);

/** Collective.  A store of rows with nothing in it yet, of a sweep and an order that are borrowed.  It is refused
 *  (SAL_ERR_INPUT) where the room is too small for it.  sal_row_store_free frees, collectively. */
SAL_MUST_CHECK sal_err sal_row_store_create(MPI_Comm comm, const sal_performance_rows_of *of,
                                            const sal_cell_order *order, sal_row_store **store);
void sal_row_store_free(sal_row_store **store);

/** Collective.  Brings rows of cells [rows->n_cell], any of each rank, to the ranks that keep them; n_cell may be 0.
 *  here: a failure of this rank before, which is then that of all. */
SAL_MUST_CHECK sal_err sal_row_store_put(sal_row_store *store, sal_err here, const int64_t cell[],
                                         const sal_performance_table *rows);
/** Copies rows of the places first .. first + rows->n_cell - 1 of this rank, raw values of points among them, if `rows`
 *  has room for these. */
void sal_row_store_run(const sal_row_store *store, int64_t first, sal_performance_table *rows);

/** Rows of any cells, without points.  Not collective; a rank that has no use for rows waits in sal_row_store_meet. */
sal_performance_source sal_row_store_source(sal_row_store *store);

/** Collective.  Returns when all ranks are here; until then answers requests. */
SAL_MUST_CHECK sal_err sal_row_store_meet(sal_row_store *store);

#endif
