/** A model at its presets, and the watched state by dop853 that runs of it are scored against. */
#pragma once

#include "run_one.h"

enum { MESH = 1000 };
static double mesh_state[(MESH + 1) * SAL_MAX_STATE], reference[MESH + 8];

/** param [n_param + n_option], initial [n_state]; the first word of each option. */
static inline void presets(const sal_model *m, double param[], double initial[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
}

/** Fills `reference`; the record of the run that made it. */
static inline sal_record make_reference(const char *model, const char *strategy, double t_end)
{
  sal_setup setup = config(model, "dop853", strategy, 1e-13, t_end);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_samples samples = {.n_mesh = MESH, .state = mesh_state};

  presets(setup.model, param, initial);
  const sal_record r = run_one(&setup, param, initial, &samples, NULL);
  for (int j = 0; j <= MESH; ++j)
    reference[j] = mesh_state[j * setup.model->n_state + setup.model->watch];
  return r;
}
