/** Pilots: the first cells of a sweep, from whose runs it is known which configurations the cells around them need.
 *
 *  Pilots are run whole, within their cutoffs (cutoff.h).  The useful configurations of a pilot are those that take at most `within`
 *  times the least work for one of the errors of the stairs, and their pairs at so many tolerances on either side.
 *  In every other cell a configuration that is useful to none of its `nearest` pilots is not begun.  Nearness is measured in the
 *  box that the points are drawn from, each column by its range, or the range of its logarithm.
 *
 *  The validation cells, which come after the pilots, are run whole, too: they measure the loss of the other cells.
 *
 *  The useful configurations of a cell depend on the sweep and the pilots alone.
 */
#pragma once

#include "cutoff.h"

typedef struct sal_pilots sal_pilots;

/** Number of first cells that are run whole, pilots and validation cells; 0: without pilots, when all are. */
int64_t sal_pilots_whole(const sal_sweep *sweep);

/** Pilots of which nothing is known yet; the sweep has some, and outlives them.  sal_pilots_free frees. */
sal_err sal_pilots_create(const sal_sweep *sweep, sal_pilots **out);
void sal_pilots_free(sal_pilots **pilots);

/** Takes in the runs of a pilot, of its records [n_config]. */
void sal_pilots_add(sal_pilots *pilots, int64_t pilot, const sal_cell_record *cell,
                    const sal_record record[]);

/** Results of all pilots, [*n] words: the words of several processes are combined by a bitwise or. */
uint64_t *sal_pilots_known(sal_pilots *pilots, int64_t *n);

/** useful [n_config]: the configurations that a cell needs; all where nothing is known of its pilots.  Any thread may
 *  ask. */
void sal_pilots_useful(const sal_pilots *pilots, int64_t cell, bool useful[]);

/** Losses of the validation cells by skipping, over the errors of the stairs that some configuration reached. */
typedef struct {
  int64_t cells, questions;
  int64_t lost;       /* questions whose winner would not have been begun */
  int64_t unanswered; /* of these: no other configuration reaches the error */
  double *
      ratio; /* [lost - unanswered] work of the best that is left over that of the winner, ascending; freed
                         with sal_free */
  int64_t room;
} sal_pilots_validation;

/** Adds a validation cell, of its records [n_config]; the counts of several processes add up. */
sal_err sal_pilots_validation_add(const sal_pilots *pilots, int64_t cell,
                                  const sal_cell_record *figures, const sal_record record[],
                                  sal_pilots_validation *validation);
void sal_pilots_validation_free(sal_pilots_validation *validation);
