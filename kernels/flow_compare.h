/** Do two flows of a model have the same bits?  Looked at in all lanes at once, each at a point of its own.
 */
#pragma once

#include "model.h"

/** Input of one lane. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], t;
  double y[SAL_MAX_STATE],
      slope[SAL_MAX_STATE]; /* all states; of the continuous ones, for `guard` */
  bool closed[SAL_MAX_CONTACT], held, rests;
} sal_flow_point;

/** Bytes that a comparison works in, at any width. */
static inline size_t sal_flow_compare_bytes(const sal_model *model)
{
  const size_t n = (size_t)model->n_state;

  return (n * n + n) * 2 * 8 * sizeof(double);
}

/** The name of the first function whose results differ between the flows of this width of a and b, which are alike in all
 *  else; NULL: none does.  Any NaN is like any other.  at [width], work: of those bytes, aligned to 64. */
const char *sal_flow_compare_w1(const sal_model *a, const sal_model *b, const sal_flow_point at[],
                                void *work);
const char *sal_flow_compare_w4(const sal_model *a, const sal_model *b, const sal_flow_point at[],
                                void *work);
const char *sal_flow_compare_w8(const sal_model *a, const sal_model *b, const sal_flow_point at[],
                                void *work);
