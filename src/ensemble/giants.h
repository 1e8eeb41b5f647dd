/** @file src/ensemble/giants.h
 *  Runs of a sample that take far more work than the others, and what they would come to.
 *
 *  A sample is not to take as long as its giants do: it runs under a budget of its own, and a run that
 *  exceeds it is scaled up by the time it has reached.
 */
#ifndef SAL_GIANTS_H
#define SAL_GIANTS_H

#include "sweep.h"
#include "tile.h"

enum { SAL_GIANTS_MOST = 5, SAL_GIANTS_BINS = 256 };

/** Evaluations of f of a run in a sample. */
#define SAL_GIANTS_BUDGET 2e6

typedef struct {
  int contender; /* -1: the reference */
  double work;   /* of the whole run, in evaluations of f; NaN: nothing is known but that it is more
                       than the budget */
  double reached;                 /* the time at which it was ended; NaN: it was not */
  double value[SAL_MAX_QUANTITY]; /* parameters, options, initial states of its cell */
} sal_giant;

/** Filled by sal_giants_add from all zero; the dearest ones first. */
typedef struct {
  int n;
  sal_giant giant[SAL_GIANTS_MOST];
  int64_t cut; /* runs that were ended by the budget of the sample, references among them */
  int64_t runs, bin[SAL_GIANTS_BINS]; /* runs by work, in eighths of an octave */
} sal_giants;

/** The sweep of a sample as it is run: `sample` under that budget, or its own where that is less. */
sal_sweep sal_giants_bounded(const sal_sweep *sample);

/** What the whole run of a record would take in the sweep, which has not the sample's budget, in units of
 *  what it has taken: 1 or more. */
double sal_giants_scale(const sal_sweep *sweep, const sal_record *record);

/** Takes the runs of a tile of the sample in. */
void sal_giants_add(const sal_sweep *sample, const sal_tile_result *result, sal_giants *giants);

/** The median work of all runs; 0 without any. */
double sal_giants_median(const sal_giants *giants);

/** Is that giant far above the median: a hundred times, or of unknown work? */
bool sal_giants_is_one(const sal_giants *giants, int i);

#endif
