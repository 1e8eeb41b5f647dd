/** @file src/answers/virtual_best.h
 *  The virtual best solver of a cell or point: the best contender there, as if it were known
 *  beforehand (Kerschke, Hoos, Neumann, Trautmann, "Automated algorithm selection: survey and
 *  perspectives", Evol. Comput. 27, 2019).
 *
 *  For a question by error a contender is available when its error (performance_table.h) is at most
 *  the asked one; the virtual best is the available contender with least work.
 */
#ifndef SAL_VIRTUAL_BEST_H
#define SAL_VIRTUAL_BEST_H

#include "performance_table.h"
#include "question.h"

/** Work is NaN when there is no such contender. */
typedef struct {
  int    best;             /* contender; -1: none is available */
  double work;             /* of the best */
  double most_work;        /* of the available contenders */
  double most_work_of_all; /* of those that count */
} sal_virtual_best;

/** The contender is the one that sal_choose puts first in the single cell. */
sal_virtual_best sal_virtual_best_at(const sal_performance_table *table, int64_t cell,
                                     const sal_question *question);
/** Those of all cells, virtual_best [table->n_cell]. */
void sal_virtual_best_all(const sal_performance_table *table, const sal_question *question,
                          sal_virtual_best virtual_best[]);

#endif
