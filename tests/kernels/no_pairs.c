/** Compiled once per width. */
#include "no_pairs.h"
#include <stddef.h>

void SAL_FN(no_pairs)(const sal_model *model, sal_model *copy)
{
  static sal_flow flow;

  flow = *model->SAL_WIDTH(w);
  flow.pair = NULL;
  *copy = *model;
  copy->SAL_WIDTH(w) = &flow;
}
