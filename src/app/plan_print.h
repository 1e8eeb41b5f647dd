/** @file src/app/plan_print.h
 *  What `saltus plan` says.
 */
#ifndef SAL_PLAN_PRINT_H
#define SAL_PLAN_PRINT_H

#include "estimate.h"
#include "sweep.h"

/** What a sweep comes to. */
typedef struct {
  int          ranks, threads; /* of the run; threads of each rank */
  int64_t      trajectories, cube_bytes;
  double       journal_bytes;       /* beside the cube while it is made */
  double       stored_bytes;        /* of trajectories, beside the cube */
  double       rank_bytes, seconds; /* of the first rank, which has most; NaN: not predicted */
  sal_estimate estimate;
} sal_plan;

/** Prints it for people, or as one line of JSON. */
void sal_plan_print(const sal_sweep *sweep, const sal_plan *plan);
void sal_plan_print_json(const sal_sweep *sweep, const sal_plan *plan);

#endif
