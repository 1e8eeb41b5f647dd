/** @file src/answers/neighbours.h
 *  The cells of a sweep nearest to a place, of the same sample.
 *
 *  Of a grid no cell but those in reach is looked at: branch and bound over its axes (Fincke and Pohst, Math. Comp. 44,
 *  1985).  The metric's factor is triangular: with the last coordinates chosen, their part of the distance is known, and the
 *  next axis is gone through outwards from where it adds nothing.  Axes whose points have several quantities, and scattered
 *  cells, are looked through, or searched by an index; what is found is the same.
 */
#ifndef SAL_NEIGHBOURS_H
#define SAL_NEIGHBOURS_H

#include "nearest.h"

typedef struct sal_neighbours sal_neighbours;

/** Creates a search by coordinates, which are borrowed.  sal_neighbours_free frees. */
SAL_MUST_CHECK sal_err sal_neighbours_create(const sal_surrogate_coordinates *coordinates,
                                             sal_neighbours **neighbours);
void sal_neighbours_free(sal_neighbours **neighbours);

/** Has it points in no order, so that neighbours may have any numbers? */
bool sal_neighbours_scattered(const sal_neighbours *neighbours);

/** Makes an index where one helps: for many searches. */
SAL_MUST_CHECK sal_err sal_neighbours_index(sal_neighbours *neighbours);

/** Prepares searches around places [n] for k neighbours each: where these lie together, the points around all of them are looked
 *  up once; else *pays is false, and fewer of them may do better.  Until the next call, or until it is ended, the metric must
 *  stay as it is. */
enum { SAL_NEIGHBOURS_FEW = 8 }; /* places for which it never pays */
SAL_MUST_CHECK sal_err sal_neighbours_gather(sal_neighbours *neighbours,
                                             const sal_surrogate_metric *metric, int n,
                                             const sal_surrogate_place place[], int k, bool *pays);
void sal_neighbours_gather_end(sal_neighbours *neighbours);

/** Finds them, list->at [list->n_near] in the order of cells, and the distance of the next one. */
SAL_MUST_CHECK sal_err sal_neighbours_find(const sal_neighbours *neighbours,
                                           const sal_neighbours_search *search, sal_nearest *list,
                                           double *next);

#endif
