/** Rows of a source as the surrogate takes them, with those read last kept. */
#pragma once

#include "parallel.h"
#include "performance_table.h"

typedef struct sal_surrogate_rows sal_surrogate_rows;

/** Memory for rows that a surrogate keeps, at most [B]. */
extern const double sal_surrogate_rows_memory;
/** Rows that fit into so many bytes, of a table of n_cell cells. */
int64_t sal_surrogate_rows_most(double bytes, int64_t n_cell, int n_config);
/** The most bytes taken on the way until `rows` of them are kept: room grows by doubling, and the old one is
 *  there while the new one is filled. */
double sal_surrogate_rows_bytes(double bytes, double rows, int64_t n_cell, int n_config);

/** Opens the rows of a source, which is copied; sal_surrogate_rows_free frees.  bytes: memory for rows, or more where
 *  a single fetch takes more. */
sal_err sal_surrogate_rows_create(const sal_performance_source *source, double bytes,
                                  sal_surrogate_rows **rows);
void sal_surrogate_rows_free(sal_surrogate_rows **rows);
/** Rows that are read are filled by so many threads of a loop. */
void sal_surrogate_rows_share(sal_surrogate_rows *rows, int threads, sal_parallel_loop *loop);

/** Has rows of these cells at hand, in any order and some of them twice; those not kept are read at
 *  once, ascending. */
sal_err sal_surrogate_rows_fetch(sal_surrogate_rows *rows, int64_t n, const int64_t cell[]);

/** Reads all rows of the source in order, if all can be kept. */
sal_err sal_surrogate_rows_fetch_all(sal_surrogate_rows *rows);

/** A row: the logarithms of error and work of each configuration.  Where it does not count its error is NaN, and its work
 *  about what it takes, or took until it failed; NaN: unknown. */
typedef struct {
  const double *ln_error, *ln_work; /* [n_config] */
  double reference_error; /* infinite: there is none; NaN: nor is there, and the cell is captured */
} sal_surrogate_row;

/** That of a cell of the last fetch, until the next one. */
sal_surrogate_row sal_surrogate_rows_of(const sal_surrogate_rows *rows, int64_t cell);

int sal_surrogate_rows_configs(const sal_surrogate_rows *rows);
