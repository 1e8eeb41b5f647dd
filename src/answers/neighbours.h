/** The cells of a sweep nearest to a place, of the same sample: of grids, of points, of Sobol's boxes, in pools.
 *
 *  Of a grid no cell but those in reach is looked at: branch and bound over its axes (Fincke and Pohst, Math. Comp. 44,
 *  1985).  The metric's factor is triangular: with the last coordinates chosen, their part of the distance is known, and the
 *  next axis is gone through outwards from where it adds nothing.  Axes whose points have several quantities, and scattered
 *  cells, are looked through, or searched by an index; what is found is the same.
 */
#pragma once

#include "sobol_points.h"

/* The nearest of cells that are offered in any order: the k nearest, those that are as far as the k-th but for rounding, and how far
 * the next one is. */

/** d2: square of the distance. */
typedef struct {
  int64_t cell;
  double d2;
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

/* ---- neighbours ---- */

typedef struct sal_neighbours sal_neighbours;

/** Creates a search by coordinates, which are borrowed.  sal_neighbours_free frees. */
sal_err sal_neighbours_create(const sal_surrogate_coordinates *coordinates,
                              sal_neighbours **neighbours);
void sal_neighbours_free(sal_neighbours **neighbours);

/** A search for another thread: axes and indexes are those of `of`, which outlives it and gets no index any more. */
sal_err sal_neighbours_twin(const sal_neighbours *of, const sal_surrogate_coordinates *coordinates,
                            sal_neighbours **neighbours);

/** Has it points in no order, so that neighbours may have any numbers? */
bool sal_neighbours_scattered(const sal_neighbours *neighbours);

/** Makes an index where one helps: for many searches. */
sal_err sal_neighbours_index(sal_neighbours *neighbours);

/** Prepares searches around places [n] for k neighbours each: where these lie together, the points around all of them are looked
 *  up once; else *pays is false, and fewer of them may do better.  Until the next call, or until it is ended, the metric must
 *  stay as it is. */
enum { SAL_NEIGHBOURS_FEW = 8 }; /* places for which it never pays */
sal_err sal_neighbours_gather(sal_neighbours *neighbours, const sal_surrogate_metric *metric, int n,
                              const sal_surrogate_place place[], int k, bool *pays);
void sal_neighbours_gather_end(sal_neighbours *neighbours);

/** Finds them, list->at [list->n_near] in the order of cells, and the distance of the next one. */
sal_err sal_neighbours_find(const sal_neighbours *neighbours, const sal_neighbours_search *search,
                            sal_nearest *list, double *next);

/* The points around a batch of places that lie together, found once: what is nearest to each of them is chosen from these. */

typedef struct sal_neighbour_pool sal_neighbour_pool;

/** Creates a pool of axis `axis`, a smooth sequence with all coordinates, whose points are the cells.  Borrowed.  Freed by
 *  sal_neighbour_pool_free. */
sal_err sal_neighbour_pool_create(const sal_surrogate_coordinates *coordinates, int axis,
                                  const sal_sobol_boxes *boxes, sal_neighbour_pool **pool);
/** An empty one of the same points, by these coordinates. */
sal_err sal_neighbour_pool_twin(const sal_neighbour_pool *of,
                                const sal_surrogate_coordinates *coordinates,
                                sal_neighbour_pool **pool);
void sal_neighbour_pool_free(sal_neighbour_pool **pool);

/** Does it pay for places [n], of which each has k neighbours?  *middle: the one that is nearest to the middle of all. */
bool sal_neighbour_pool_pays(const sal_neighbour_pool *pool, const sal_surrogate_metric *metric,
                             int n, const sal_surrogate_place place[], int k, int *middle);
/** All points that may be within a distance of any of the places, until it is emptied. */
sal_err sal_neighbour_pool_fill(sal_neighbour_pool *pool, const sal_surrogate_metric *metric, int n,
                                const sal_surrogate_place place[], double reach);
void sal_neighbour_pool_empty(sal_neighbour_pool *pool);
/** How far it is best filled: somewhat farther than neighbours reached since it was filled before; 0: that is not known. */
double sal_neighbour_pool_reach(const sal_neighbour_pool *pool);
/** The square up to which neighbours reached that it had not. */
void sal_neighbour_pool_note(sal_neighbour_pool *pool, double square);

/** The nearest of them, as the search over all cells has them; false: it has none, or nearer ones may be outside of it. */
bool sal_neighbour_pool_find(sal_neighbour_pool *pool, const sal_neighbours_search *ask,
                             sal_nearest *list);

/* The points of an axis, or scattered ones, with a search for those near a place: by looking at
 * all of them, or by a k-d tree (Bentley, Commun. ACM 18, 1975) of 4 bytes a point and 2 for each
 * of its coordinates; those of Sobol's sequence by its equations (sobol_points.h). */

/** A split of the points: those below lie at most, those above at least there. */
typedef struct {
  double at;
  int coordinate;
} sal_point_split;

/** sal_point_set_free frees; without an index there is nothing to free. */
typedef struct {
  const sal_axis *axis;
  int n;                               /* coordinates */
  const sal_surrogate_coordinate *at;  /* [n] */
  const int *c;                        /* [n] the column of each in the axis */
  const int32_t *class_of;             /* [n_point], NULL: all of class 0 */
  sal_sobol_boxes sequence;            /* n > 0: no index is needed */
  const sal_surrogate_coordinates *of; /* of a sequence, and the number of its axis there */
  int number;
  /* The index: points in the order of the leaves, and the splits above them, as in a heap. */
  int32_t *order;   /* [n_point] NULL: none */
  uint16_t *coarse; /* [n_point][n] their coordinates, in 65535ths, in that order */
  int depth;
  sal_point_split *split; /* [2^depth - 1] */
} sal_point_set;

/** Bytes of an index of so many points with n coordinates; while it is made it has their keys, too. */
double sal_point_set_bytes(double n_point, int n, bool building);
sal_err sal_point_set_index(sal_point_set *set);
void sal_point_set_free(sal_point_set *set);

/** A search around z [n] of the set, whose coordinates are first .. first + n - 1 of the metric.  In x = L' dz components at
 *  or after `first` depend on the coordinates of the set and on later ones alone. */
typedef struct {
  const double *z;
  const sal_surrogate_metric *metric;
  int first;
  const double *offset; /* [n] what later coordinates add to x; NULL: nothing */
  int class;            /* only points of it */
  double before;        /* sum of squares of later x */
  const double *limit;  /* of the whole sum; it may become less on the way */
  void (*found)(void *with, int64_t point, const double z[], double sum); /* sum: with `before` */
  void *with;
} sal_point_search;

/** Calls found() for all points whose sum may stay within the limit, and perhaps for others. */
void sal_point_set_search(const sal_point_set *set, const sal_point_search *search);
