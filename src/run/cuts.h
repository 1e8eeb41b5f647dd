/** @file src/run/cuts.h
 *  Where rules may cut what a sweep varies: the quantities of its axes, in bins.
 *
 *  A cut lies halfway between two values of the quantity that follow each other: geometrically on
 *  log axes, on lists above 0, and in columns of other points that span a decade or more above 0; a
 *  whole quantity is cut at a whole number.  It is rounded to 3 digits, or to as many as it takes
 *  to stay between the two.  A quantity with many values gets a few cuts at equal shares of them.
 *  An option has a bin for each of its words.
 */
#ifndef SAL_CUTS_H
#define SAL_CUTS_H

#include "spot.h"
#include "tree.h"

enum { SAL_MAX_BIN = 32 };

/** One quantity; bins are numbered upwards. */
typedef struct {
  int      column; /* as in sal_axis */
  bool     word;
  int      n_bin;
  double   cut[SAL_MAX_BIN]; /* bin b ends below cut[b]; of words: the choice of each bin */
  uint8_t *bin;              /* [n] */
} sal_cut;

/** All quantities that have more than one value; sal_cuts_free frees it. */
typedef struct {
  int     n;
  sal_cut cut[SAL_MAX_QUANTITY];
} sal_cuts;

/** For the cells cell [n].  Where to cut depends on the sweep alone.  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_cuts_make(const sal_sweep *sweep, int32_t n, const int32_t cell[],
                                     sal_cuts *out);
void                   sal_cuts_free(sal_cuts *cuts);

#endif
