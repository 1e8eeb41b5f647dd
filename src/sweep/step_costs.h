/** @file src/sweep/step_costs.h
 *  The program's own table of steps (step_costs.yaml), which lies in it as a text.
 */
#ifndef SAL_STEP_COSTS_H
#define SAL_STEP_COSTS_H

#include <stddef.h>

typedef struct {
  const char *name, *text;
  size_t n;
} sal_step_cost_text;

/** One, and then one without a name. */
extern const sal_step_cost_text sal_step_cost_texts[];

#endif
