/** @file src/ensemble/tile_tasks.h
 *  A tile cut into pieces for threads: one contender on some of its cells.
 *
 *  Threads take pieces one after the other, heaviest first, as ranks take tiles.  What is heavy is
 *  learnt from the tiles before.  Cuts and order change no bit of any record.
 */
#ifndef SAL_TILE_TASKS_H
#define SAL_TILE_TASKS_H

#include <stdint.h>

typedef struct {
  double  cost; /* of all its cells */
  int     contender;
  int64_t first, count; /* cells, counted from the tile's first */
} sal_tile_task;

/** All contenders on all cells of a tile go to piece [n_contender * ceil(cells / width)], heaviest
 *  first; returns how many pieces.  A contender's cells stay together, which fills the lanes best,
 *  but where that makes less than four pieces for each thread they are cut into runs that still
 * fill the lanes, multiples of width.  cost [n_contender] is that of a cell, in any unit; of equal
 * ones the last contender goes first, since tolerances get tighter to the end. */
int64_t sal_tile_tasks_cut(int n_contender, int64_t cells, int width, int threads,
                           const double cost[], sal_tile_task piece[]);

/** order [n]: the numbers 0 .. n - 1 by falling labour [n], ties in order.  With the long runs
 * first, what is left when the lanes run out of runs is short. */
void sal_tile_tasks_costly_first(int64_t n, const double labour[], int64_t order[]);

#endif
