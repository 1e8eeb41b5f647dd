/** Cells of a file, `cells: {file: design.csv}`: as numbers, beside the text of the sweep.
 *
 *  The text keeps the name of the file, the columns, how many points they have, and a sum of their values.  Cubes and
 *  journals keep the values and give them back (sal_design_give) before such a text is read again.
 */
#pragma once

#include "err.h"
#include <stdatomic.h>
#include <stdint.h>

enum { SAL_DESIGN_SUM = 17 }; /* bytes of a sum as a text */

/** Shared by all that use it; sal_design_drop by each of them. */
typedef struct sal_design {
  atomic_int users;
  int n_column;
  int64_t n_point;
  char sum[SAL_DESIGN_SUM]; /* of the values */
  double *value;            /* [n_point][n_column] */
  char *path;               /* of the file, if that was read; NULL */
  int64_t first;            /* its line of the first point */
  bool in_lines;            /* each point has the line after that of the one before */
} sal_design;

/** One with room for so many points, and one user; NULL when memory ran out. */
sal_design *sal_design_create(int n_column, int64_t n_point);
void sal_design_drop(sal_design **design);

/** Fills sum from the values. */
void sal_design_seal(sal_design *design);

/** A design that a text needs and this thread does not have, of n_point points, > 0. */
typedef struct {
  int64_t n_point;
  int n_column;
  char sum[SAL_DESIGN_SUM];
  char **column; /* [n_column] names of parameters and states; freed by sal_design_lack_free */
} sal_design_lack;

/** Fills *lack for the text of a sweep; n_point is 0 where the text needs none, or it is there. */
sal_err sal_design_find_lack(const char *text, sal_design_lack *lack);
void sal_design_lack_free(sal_design_lack *lack);

/** Takes over a design whose values are filled; texts that name its sum are read with it by this thread from now on, as
 *  long as it is among the last ones.  `where` has it; fails unless it is the one that was lacking. */
sal_err sal_design_give(const char *where, const sal_design_lack *lack, sal_design **design);

/** One that this thread has, with one more user; NULL: none has that sum.  And one more that it has. */
sal_design *sal_design_known(const char *sum);
void sal_design_note(sal_design *design);
