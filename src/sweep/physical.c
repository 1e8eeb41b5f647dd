/** @file src/sweep/physical.c
 *  Quantities of a real system as text, and the model's own conversion.
 */
#include "physical.h"
#include "memory.h"
#include "quantities.h"
#include "registry.h"
#include "text.h"
#include "value.h"
#include <assert.h>

static sal_err refuse_model(const char *where, const sal_model *model)
{
  SAL_OWN_BY(sal_text_free) sal_text allowed = {0};

  for (const sal_model *const *m = sal_registry_models; *m; ++m)
    if ((*m)->physical) sal_text_add(&allowed, "%s%s", allowed.length ? ", " : "", (*m)->name);
  return sal_fail(SAL_ERR_USAGE, "%s: model %s has no physical quantities; allowed: %s", where,
                  model->name, allowed.string ? allowed.string : "no model");
}

sal_err sal_physical_parse(const char *where, const sal_model *model, const char *text,
                           double param[], sal_scales *scales)
{
  const sal_physical *p = model->physical;
  double value[SAL_MAX_PHYSICAL];

  if (!p) return refuse_model(where, model);
  assert(p->n_quantity <= SAL_MAX_PHYSICAL);
  SAL_TRY(sal_quantities_parse(where, p->n_quantity, p->quantity, text, value));
  p->from_physical(model->inner, value, param, scales);
  for (int i = 0; i < model->n_param; ++i)
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, model->param[i].name, param[i],
                            model->param[i].least, model->param[i].most));
  return SAL_OK;
}
