/** @file src/driver/map_answers.h
 *  The answers of a map: each rank makes those of its run of places in an order of boxes, hands them to the ranks that write runs
 *  of cells, and writes such a run itself.
 */
#ifndef SAL_MAP_ANSWERS_H
#define SAL_MAP_ANSWERS_H

#include "map_group.h"
#include "map_rows.h"
#include "map_summary.h"
#include "performance_cube.h"
#include "surrogate.h"

/** Cells of a rank whose answers are made at once, of a map of n_cell cells with n_config configurations, and the memory
 *  for what is known of them, at most [B]; bytes of all columns that are handed over or written at once. */
enum { SAL_MAP_ROUND = 16 << 20, SAL_MAP_WRITE = 64 << 20 };

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
SAL_MUST_CHECK sal_err sal_map_answers_write(const sal_map_answers_of *of, sal_map_file *file);

#endif
