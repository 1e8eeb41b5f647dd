/** The states whose error is scored: one, or the members of a family (sal_model.watch). */
#pragma once

#include "model.h"
#include <string.h>

static inline int sal_model_n_watched(const sal_model *model) { return 1 + model->n_also; }
static inline int sal_model_watched(const sal_model *model, int i)
{
  return i == 0 ? model->watch : model->also[i - 1];
}
static inline const char *sal_model_watched_name(const sal_model *model)
{
  return model->family ? model->family : model->state[model->watch].name;
}

/** Watches these states, n > 0, of that name. */
static inline void sal_model_watch(sal_model *model, const char *name, int n, const int state[])
{
  model->watch = state[0];
  model->family = strcmp(model->state[state[0]].name, name) == 0 ? NULL : name;
  model->n_also = n - 1;
  for (int i = 1; i < n; ++i) model->also[i - 1] = (uint16_t)state[i];
}

/** Mean of what two states a, b [n_state] differ by in the watched ones. */
static inline double sal_model_apart(const sal_model *model, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i <= model->n_also; ++i) {
    const int k = sal_model_watched(model, i);
    sum += fabs(a[k] - b[k]);
  }
  return sum / (1 + model->n_also);
}
