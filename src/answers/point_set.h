/** @file src/answers/point_set.h
 *  The points of an axis, or scattered ones, with a search for those near a place: by looking at
 *  all of them, or by a k-d tree (Bentley, Commun. ACM 18, 1975) of 4 bytes a point and 2 for each
 *  of its coordinates; those of Sobol's sequence by its equations (sobol_boxes.h).
 */
#ifndef SAL_POINT_SET_H
#define SAL_POINT_SET_H

#include "sobol_boxes.h"
#include "surrogate_coordinates.h"
#include "surrogate_metric.h"

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
SAL_MUST_CHECK sal_err sal_point_set_index(sal_point_set *set);
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

#endif
