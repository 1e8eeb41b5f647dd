/** @file src/answers/gap_groups.h
 *  Configurations that miss the same of a few cells, so that one matrix makes the planes of all of them.
 */
#ifndef SAL_GAP_GROUPS_H
#define SAL_GAP_GROUPS_H

#include "err.h"
#include <stdbool.h>
#include <stdint.h>

enum { SAL_GAP_GROUPS_HEADS = 256 };

/** Zeros are an empty one, which keeps its room; sal_gap_groups_free frees. */
typedef struct {
  int n;       /* configurations */
  int *next;   /* [n] the next one of its group, -1: it is the last */
  bool *leads; /* [n] is it the first of a group? */
  /* While they are made: */
  uint64_t *missed;               /* [n] a bit for each cell */
  int *last, *chained;            /* [n] of leaders: the last of the group, another leader */
  int head[SAL_GAP_GROUPS_HEADS]; /* leaders by their bits */
} sal_gap_groups;

/** Room for n configurations. */
SAL_MUST_CHECK sal_err sal_gap_groups_create(int n, sal_gap_groups *groups);
void sal_gap_groups_free(sal_gap_groups *groups);

/** Groups of the configurations that have gaps, in their order: row [n_cell][n] is NaN where one misses a cell.  With more
 *  than 64 cells each configuration is a group of its own. */
void sal_gap_groups_make(sal_gap_groups *groups, int n_cell, const double *const row[],
                         const bool has_gaps[]);

#endif
