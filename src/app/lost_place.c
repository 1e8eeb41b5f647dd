/** From a value of a model to the line of its text. */
#include "lost_place.h"
#include "equation_lost.h"
#include "equation_model.h"

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
  if (!text || lost->kind == SAL_LOST_NOTHING || lost->kind == SAL_LOST_STATE) return SAL_OK;
  return sal_equation_lost_find(path, sal_equation_model_text(text), &at, SAL_LOST_PLACE, out);
}
