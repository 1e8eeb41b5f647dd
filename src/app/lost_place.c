/** From a value of a model to the line of its text. */
#include "lost_place.h"
#include "equation_lost.h"
#include "equation_model.h"
#include <math.h>
#include <stdio.h>

/* A mass that has vanished beside what it was at the start, as steps end just before it does, or that is below 0. */
static bool find_mass(const sal_lost *lost, const sal_cli_run *run, const sal_equation_model *text,
                      const char *path, char out[SAL_LOST_PLACE])
{
  const double vanished = 1e-6;
  double pivot[SAL_MAX_STATE], first[SAL_MAX_STATE];
  const int n_first = sal_equation_model_masses(text, run->param, 0, run->initial, first);
  const int n = sal_equation_model_masses(text, run->param, lost->t, lost->y, pivot);

  for (int i = 0; i < n && i < n_first; ++i) {
    const char *name = sal_equation_model_get(text)->state[i].name;
    if (!(pivot[i] <= vanished * fmax(first[i], 0))) continue;
    snprintf(out, SAL_LOST_PLACE,
             "%.200s: kinetic: the mass of %.60s, what moves with coordinates before it taken off, "
             "has come from %g to %.3g at t = %.9g, where %.60s is %.9g",
             path, name, first[i], pivot[i], lost->t, name, lost->y[i]);
    return true;
  }
  return false;
}

sal_err sal_lost_place(const sal_lost *lost, const sal_cli_run *run, const char *path,
                       char out[SAL_LOST_PLACE])
{
  const sal_equation_model *text = sal_provided_made(run->file, &sal_equation_model_provider);
  const bool gap = lost->kind == SAL_LOST_GAP, jump = lost->kind == SAL_LOST_JUMP;
  const sal_equation_lost at = {.state = gap ? -1 : lost->state,
                                .contact = gap || jump ? lost->contact : -1,
                                .closes = lost->closes,
                                .t = lost->t,
                                .words = run->param,
                                .y = lost->y,
                                .closed = lost->closed};

  out[0] = '\0';
  if (!text) return SAL_OK;
  if ((lost->finite || lost->kind == SAL_LOST_SLOPE) && find_mass(lost, run, text, path, out))
    return SAL_OK;
  if (lost->kind == SAL_LOST_NOTHING || lost->kind == SAL_LOST_STATE) return SAL_OK;
  return sal_equation_lost_find(path, sal_equation_model_text(text), &at, SAL_LOST_PLACE, out);
}
