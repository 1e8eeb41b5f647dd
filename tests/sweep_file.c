/** Reads it. */
#include "sweep_file.h"
#include "sweep_read.h"
#include <stdio.h>
#include <stdlib.h>

sal_sweep dallas_sweep(const char *const set[])
{
  sal_sweep sweep;
  int n_set = 0;

  while (set[n_set]) ++n_set;
  if (sal_sweep_read(SAL_SWEEPS "/dallas2017.yaml", n_set, set, &sweep) != SAL_OK) {
    fprintf(stderr, "%s\n", sal_err_message());
    exit(2);
  }
  return sweep;
}

void dallas_cells(const sal_sweep *sweep, double param[], double initial[])
{
  const sal_model *m = sweep->model;

  for (int i = 0; i < N_SET; ++i)
    sal_sweep_cell(sweep, i, param + i * (m->n_param + m->n_option), initial + i * m->n_state);
}
