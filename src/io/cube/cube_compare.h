/** @file src/io/cube/cube_compare.h
 *  Steps of the comparison of two cubes, for the sources of this folder alone.
 */
#ifndef SAL_CUBE_COMPARE_H
#define SAL_CUBE_COMPARE_H

#include "cube.h"
#include "dataset.h"
#include "text.h"

/* In what the sweeps of two cubes differ, so that their values cannot be compared. */

/** Adds what differs in model, axes and dimensions: "axes k, f (8 x 8 cells) against rows b, m1 (13
 *  cells); methods ..".  Nothing is added when the cubes have the same dimensions. */
void sal_cube_sweeps_differ(const sal_cube *a, const sal_cube *b, sal_text *out);

/* Two datasets, value by value and block by block. */

/** A value of a dataset; its type selects the member. */
typedef struct {
  double real;
  int64_t whole; /* of FLAG, too */
  char *text;
} sal_set_value;

/** Result of a comparison; sal_set_compare_free frees it. */
typedef struct {
  int64_t n, first;       /* values that differ, and the first of them .. */
  sal_set_value value[2]; /* .. in both */
  double largest;         /* difference of two numbers; NaN: none of two numbers */
} sal_set_finding;

/** Blocks of both, kept from comparison to comparison, since memory that is given back and asked for
 *  again in aligned pieces need not be reused (glibc bug 14581).  Zero is none. */
typedef struct {
  size_t bytes;
  void *block[2];
} sal_set_room;
void sal_set_compare_free_room(sal_set_room *room);

/** Have they the same shape and type? */
bool sal_set_compare_shape(const sal_dataset *a, const sal_dataset *b);

/** Compares the values of two datasets of one shape, bit by bit, but any NaN is like any other, and
 *  verifies both.  Memory is that of a block, but for text. */
SAL_MUST_CHECK sal_err sal_set_compare(const sal_h5 *in_a, const sal_dataset *a, const sal_h5 *in_b,
                                       const sal_dataset *b, sal_set_room *room,
                                       sal_set_finding *found);
void sal_set_compare_free(sal_set_finding *found);

#endif
