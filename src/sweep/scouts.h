/** @file src/sweep/scouts.h
 *  Scouts: the first cells of a sweep, from whose runs it is known which contenders the cells around them need.
 *
 *  Scouts are run whole, within their caps (cap.h).  Of a scout those contenders are useful that take at most `within`
 *  times the least work for one of the errors of the stairs, and their pairs at so many tolerances on either side.
 *  In every other cell a contender that is useful to none of its `nearest` scouts is not begun.  Nearness is measured in the
 *  box that the points are drawn from, each column by its range, or the range of its logarithm.
 *
 *  The audit cells, which come after the scouts, are run whole, too: what a cell of the rest loses is known from them.
 *
 *  What is useful in a cell depends on the sweep and the scouts alone.
 */
#ifndef SAL_SCOUTS_H
#define SAL_SCOUTS_H

#include "cap.h"
#include "err.h"
#include "sweep.h"

typedef struct sal_scouts sal_scouts;

/** How many of the first cells are run whole, scouts and audit cells; 0: there are no scouts, and all are. */
int64_t sal_scouts_whole(const sal_sweep *sweep);

/** Scouts of which nothing is known yet; the sweep has some, and outlives them.  sal_scouts_free frees. */
SAL_MUST_CHECK sal_err sal_scouts_create(const sal_sweep *sweep, sal_scouts **out);
void sal_scouts_free(sal_scouts **scouts);

/** Takes in the runs of a scout, of its records [n_contender]. */
void sal_scouts_add(sal_scouts *scouts, int64_t scout, const sal_cell_record *cell,
                    const sal_record record[]);

/** What is known of all scouts, [*n] words: those of several processes are joined by a bitwise or. */
uint64_t *sal_scouts_known(sal_scouts *scouts, int64_t *n);

/** useful [n_contender]: the contenders that a cell needs; all where nothing is known of its scouts.  Any thread may
 *  ask. */
void sal_scouts_useful(const sal_scouts *scouts, int64_t cell, bool useful[]);

/** What audit cells would have lost, over the errors of the stairs that some contender reached. */
typedef struct {
  int64_t cells, questions;
  int64_t lost;       /* questions whose winner would not have been begun */
  int64_t unanswered; /* of these: no other contender reaches the error */
  double *
      ratio; /* [lost - unanswered] work of the best that is left over that of the winner, ascending; freed
                         with sal_free */
  int64_t room;
} sal_scouts_audit;

/** Adds an audit cell, of its records [n_contender]; the counts of several processes add up. */
SAL_MUST_CHECK sal_err sal_scouts_audit_add(const sal_scouts *scouts, int64_t cell,
                                            const sal_cell_record *figures,
                                            const sal_record record[], sal_scouts_audit *audit);
void sal_scouts_audit_free(sal_scouts_audit *audit);

#endif
