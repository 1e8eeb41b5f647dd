/** The sweep of the paper with some keys changed, for tests that need one that is checked. */
#pragma once

#include "sweep.h"

enum { N_SET = 13 };

/** The 13 sets of sweeps/dallas2017.yaml with overrides "key=value", ended by NULL; a sweep that
 *  cannot be read ends the program.  The caller frees. */
sal_sweep dallas_sweep(const char *const set[]);

/** Parameters [N_SET][n_param + n_option] and initial states [N_SET][n_state] of all cells. */
void dallas_cells(const sal_sweep *sweep, double param[], double initial[]);

#define DALLAS(...) dallas_sweep((const char *const[]){__VA_ARGS__, NULL})
