/** @file src/app/recommend_point.h
 *  A question asked of a map at one point, and what is printed of the answer.
 */
#ifndef SAL_RECOMMEND_POINT_H
#define SAL_RECOMMEND_POINT_H

#include "parameter_column.h"
#include "performance_cube.h"
#include "physical.h"
#include "stencil.h"
#include <stdio.h>

/** sal_recommend_point_free frees it. */
typedef struct {
  const char           *path;
  sal_performance_cube  cube;
  sal_question          question;
  double                value[SAL_MAX_QUANTITY]; /* the point */
  bool                  physical;                /* given in physical units, with these scales */
  sal_scales            scales;
  sal_stencil           stencil;
  sal_choose_candidate *list;       /* [n] ranked */
  int                   n, n_agree; /* n_agree: surrounding cells in which the same pair wins */
} sal_recommend_point;

/** Finds the cells around the point and ranks; fails when no contender answers the question. */
SAL_MUST_CHECK sal_err sal_recommend_point_find(sal_recommend_point *advice);
void                   sal_recommend_point_free(sal_recommend_point *advice);

/** For people, and as one line of JSON. */
void sal_recommend_print(FILE *out, const sal_recommend_point *advice);
void sal_recommend_print_json(FILE *out, const sal_recommend_point *advice);

#endif
