/** @file src/answers/nearest.h
 *  The nearest of cells that are offered in any order: the k nearest, those that are as far as the k-th but for rounding, and how far
 *  the next one is.
 */
#ifndef SAL_NEAREST_H
#define SAL_NEAREST_H

#include "surrogate_coordinates.h"
#include "surrogate_metric.h"
#include <stdbool.h>
#include <stdint.h>

/** d2: square of the distance. */
typedef struct {
  double d2;
  int64_t cell;
} sal_near_cell;

/** Zeros are an empty list, which keeps its room from search to search; sal_nearest_free frees. */
typedef struct {
  int k;
  double limit; /* farther cells are of no use */
  int n, n_near, room;
  sal_near_cell *at;
  bool out_of_memory;
} sal_nearest;

void sal_nearest_begin(sal_nearest *list, int k);
void sal_nearest_offer(sal_nearest *list, int64_t cell, double d2);
/** Puts the n_near nearest into the order of cells, and returns the distance of the next one; 1.25
 *  times the largest one where there is none, 1 where that is 0. */
double sal_nearest_end(sal_nearest *list);
void sal_nearest_free(sal_nearest *list);

/** Squares of distances are those of the metric: surrogate_metric.h. */
typedef struct {
  const sal_surrogate_place *place;
  const sal_surrogate_metric *metric;
  int k;        /* at most the cells of the sample */
  int64_t skip; /* a cell that is left out; -1: none */
} sal_neighbours_search;

#endif
