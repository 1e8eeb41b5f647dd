/** @file src/app/branch_write.h
 *  A branch as HDF5, and as a text with the conventions of AUTO-07p.
 */
#ifndef SAL_BRANCH_WRITE_H
#define SAL_BRANCH_WRITE_H

#include "continuation.h"
#include "integrate.h"

/** Value of the attribute `content` of the file. */
#define SAL_BRANCH_CONTENT "saltus branch"

/** How it was made; all borrowed. */
typedef struct {
  const sal_branch *branch;
  const sal_continuation *how;
  const sal_setup *setup;
  const double *param;
  int returns, n_free;
  const int *free_param;  /* [n_free] */
  const char *curve;      /* "branch", "lp", .. */
  const char *model_text; /* of a model that no registry has; NULL */
} sal_branch_record;

SAL_MUST_CHECK sal_err sal_branch_write(const char *path, const sal_branch_record *record);

/** One row a point: branch, point (negative: stable), type, label, parameters, norm, period, apexes,
 *  phases, multipliers, number of unstable ones; head lines begin with 0, as AUTO's do. */
SAL_MUST_CHECK sal_err sal_branch_write_text(const char *path, const sal_branch_record *record);

/** The special points, and why it ends where it does. */
void sal_branch_print(const sal_branch_record *record);

#endif
