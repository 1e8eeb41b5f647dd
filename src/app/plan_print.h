/** @file src/app/plan_print.h
 *  What a sweep would be, as text and as JSON.
 */
#ifndef SAL_PLAN_PRINT_H
#define SAL_PLAN_PRINT_H

#include "estimate.h"
#include "sweep.h"
#include <stdio.h>

/** What the sweep comes to. */
typedef struct {
  int          ranks, threads; /* of the run; threads of each rank */
  int64_t      trajectories, cube_bytes;
  double       journal_bytes;       /* beside the cube while it is made */
  double       stored_bytes;        /* of trajectories, beside the cube */
  double       rank_bytes, seconds; /* of the first rank, which has most; NaN: not predicted */
  sal_estimate estimate;
} sal_plan;

/** Prints it for people, or as one line of JSON. */
void sal_plan_print(FILE *out, const sal_sweep *sweep, const sal_plan *plan);
void sal_plan_print_json(FILE *out, const sal_sweep *sweep, const sal_plan *plan);

#endif
