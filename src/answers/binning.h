/** @file src/answers/binning.h
 *  The binning of a sweep: the quantities of its axes, divided into bins at whose edges rules may
 *  tell cells apart.
 *
 *  An edge lies halfway between two values of the quantity that follow each other: geometrically on
 *  log axes, on lists above 0, and in columns of other points that span a decade or more above 0;
 *  edges of a whole quantity are whole numbers.  An edge is rounded to 3 digits, or to as many as
 *  it takes to stay between the two.  A quantity with many values gets a few edges at equal shares
 *  of them.  An option has a bin for each of its words.
 */
#ifndef SAL_BINNING_H
#define SAL_BINNING_H

#include "parameter_column.h"
#include "parameter_point.h"
#include "policy_tree.h"

enum { SAL_MAX_BIN = 32 };

/** One quantity; bins are numbered upwards. */
typedef struct {
  int column; /* as in sal_axis */
  bool word;
  int n_bin;
  double edge[SAL_MAX_BIN]; /* bin b ends below edge[b]; of words: the choice of each bin */
  uint8_t *bin;             /* [n], NULL: edges alone */
} sal_binning_quantity;

/** All quantities that have more than one value; sal_binning_free frees it. */
typedef struct {
  int n;
  sal_binning_quantity quantity[SAL_MAX_QUANTITY];
} sal_binning;

/** The edges, which depend on the sweep alone and are worth keeping: all values of an axis are sorted.  Fails for want of
 *  memory, and when an axis has more than SAL_MAX_BIN words.  There is nothing to be freed. */
SAL_MUST_CHECK sal_err sal_binning_edges(const sal_sweep *sweep, sal_binning *out);
/** The bins of the cells cell [n] between such edges.  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_binning_make(const sal_sweep *sweep, const sal_binning *edges, int32_t n,
                                        const int32_t cell[], sal_binning *out);
void sal_binning_free(sal_binning *binning);

#endif
