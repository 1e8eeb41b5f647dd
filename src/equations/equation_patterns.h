/** Which states the registers of a program are made of. */
#pragma once

#include "program.h"

/** A set of states. */
typedef struct {
  uint64_t bit[SAL_MAX_STATE / 64];
} sal_equation_pattern;

static inline bool sal_equation_pattern_has(const sal_equation_pattern *p, int state)
{
  return p->bit[state / 64] >> state % 64 & 1;
}

/** The sets of all registers [n_register] at the end of the program, for `free`; registers from `first` on are states
 *  0 .. n - 1, or their slopes.  NULL: no memory, or there is not a program. */
sal_equation_pattern *sal_equation_pattern_of(const sal_program *program, int first, int n);
