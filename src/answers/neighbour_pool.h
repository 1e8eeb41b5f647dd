/** @file src/answers/neighbour_pool.h
 *  The points around a batch of places that lie together, found once: what is nearest to each of them is chosen from these.
 */
#ifndef SAL_NEIGHBOUR_POOL_H
#define SAL_NEIGHBOUR_POOL_H

#include "nearest.h"
#include "sobol_boxes.h"

typedef struct sal_neighbour_pool sal_neighbour_pool;

/** Creates a pool of axis `axis`, a smooth sequence with all coordinates, whose points are the cells.  Borrowed.  Freed by
 *  sal_neighbour_pool_free. */
SAL_MUST_CHECK sal_err sal_neighbour_pool_create(const sal_surrogate_coordinates *coordinates,
                                                 int axis, const sal_sobol_boxes *boxes,
                                                 sal_neighbour_pool **pool);
void sal_neighbour_pool_free(sal_neighbour_pool **pool);

/** Does it pay for places [n], of which each has k neighbours?  *middle: the one that is nearest to the middle of all. */
bool sal_neighbour_pool_pays(const sal_neighbour_pool *pool, const sal_surrogate_metric *metric,
                             int n, const sal_surrogate_place place[], int k, int *middle);
/** All points that may be within a distance of any of the places, until it is emptied. */
SAL_MUST_CHECK sal_err sal_neighbour_pool_fill(sal_neighbour_pool *pool,
                                               const sal_surrogate_metric *metric, int n,
                                               const sal_surrogate_place place[], double reach);
void sal_neighbour_pool_empty(sal_neighbour_pool *pool);
/** How far it is best filled: somewhat farther than neighbours reached since it was filled before; 0: that is not known. */
double sal_neighbour_pool_reach(const sal_neighbour_pool *pool);
/** The square up to which neighbours reached that it had not. */
void sal_neighbour_pool_note(sal_neighbour_pool *pool, double square);

/** The nearest of them, as the search over all cells has them (neighbours.h); false: it has none, or nearer ones may be outside of it. */
bool sal_neighbour_pool_find(sal_neighbour_pool *pool, const sal_neighbours_search *ask,
                             sal_nearest *list);

#endif
