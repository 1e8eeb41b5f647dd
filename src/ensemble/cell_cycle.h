/** @file src/ensemble/cell_cycle.h
 *  What is found in a cell.
 */
#ifndef SAL_CELL_CYCLE_H
#define SAL_CELL_CYCLE_H

#include "cycle.h"
#include "sweep.h"

/** Room and work space of one thread; sal_cell_cycles_destroy frees it. */
typedef struct sal_cell_cycles sal_cell_cycles;

/** What was found in a cell. */
typedef struct {
  sal_verdict verdict;    /* without a cycle that of the simulation, if there is one */
  sal_long_run_seed from; /* of a cycle */
  int tried;              /* returns that were simulated */
  int k;                  /* of a cycle: returns to the section; else 0 */
  sal_cycle cycle;        /* likewise; y and closed are here until the next call */
} sal_cell_cycle;

#endif
