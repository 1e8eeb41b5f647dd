/** @file src/app/advice.h
 *  A question put to a cube at one point, and what is printed of the answer.
 */
#ifndef SAL_ADVICE_H
#define SAL_ADVICE_H

#include "atlas_cube.h"
#include "nearby.h"
#include "physical.h"
#include <stdio.h>

/** sal_advice_free frees it. */
typedef struct {
  const char    *path;
  sal_atlas_cube cube;
  sal_question   question;
  double         value[SAL_MAX_QUANTITY]; /* the point */
  bool           physical;                /* it came from a robot, with these scales */
  sal_scales     scales;
  sal_nearby     near;
  sal_candidate *list;       /* [n] ranked */
  int            n, n_agree; /* n_agree: surrounding cells in which the same pair wins */
} sal_advice;

/** Finds the cells around the point and ranks; fails when no contender answers the question. */
SAL_MUST_CHECK sal_err sal_advice_find(sal_advice *advice);
void                   sal_advice_free(sal_advice *advice);

/** For people, and as one line of JSON. */
void sal_advice_print(FILE *out, const sal_advice *advice);
void sal_advice_json(FILE *out, const sal_advice *advice);

#endif
