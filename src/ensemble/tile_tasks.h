/** A tile cut into tasks for threads: one configuration on some of its cells.
 *
 *  Threads take tasks one after the other, heaviest first, as ranks take tiles.  Which ones are
 *  heavy is estimated from the tiles before.  Cuts and order change no bit of any record.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Cells of the largest tile, of the largest task, and of one call of the kernels: arrays on the
 *  stack have this size. */
enum { SAL_TILE_MOST = 192 };

typedef struct {
  double cost; /* of all its cells */
  int config;
  int64_t first, count; /* of the cells that the configuration is to run */
} sal_tile_task;

/** The configurations configuration [n_config], each on cells [configuration] cells of its own, go to task [sum of
 *  ceil(cells / width)]; returns how many tasks.  A configuration's cells stay together, which fills the lanes best,
 *  but where that makes less than four tasks for each of several threads they are cut into runs that still fill
 *  the lanes, multiples of width. */
int64_t sal_tile_tasks_cut(int n_config, const int config[], const int64_t cells[], int width,
                           int threads, sal_tile_task task[]);

/** The lanes that so many runs take least time in, at most `widest`: narrower ones where few would be at work, or for
 *  long in the last of them.  as_asked: those that were asked for, however many runs there are. */
int sal_tile_tasks_width(int widest, bool as_asked, int64_t runs);

/** Sorts task [n] by falling cost; of equal ones the last configuration goes first, since tolerances get tighter to
 *  the end. */
void sal_tile_tasks_heaviest_first(int64_t n, sal_tile_task task[]);

/** order [n]: the numbers 0 .. n - 1 by falling labour [n], ties in order.  With the long runs
 *  first, what is left when the lanes run out of runs is short. */
void sal_tile_tasks_costly_first(int64_t n, const double labour[], int64_t order[]);
