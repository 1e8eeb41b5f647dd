/** A model of equations, what it computes at its preset, and what is found in its text. */
#include "equation_findings.h"
#include "equation_model.h"
#include "fuzz.h"
#include "model_point.h"
#include <stdlib.h>

enum { LONGEST = 30000 };

static void compute(const sal_model *m)
{
  double y[SAL_MAX_STATE], param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, dy[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  sal_model_field(m, param, closed, 1, y, dy);
  for (int k = 0; k < m->n_guard; ++k) {
    closed[k] = true;
    sal_model_jump(m, param, k, closed, 1, y);
  }
  if (m->energy) m->energy(m->inner, param, 1, y, closed);
  if (m->equilibrium) m->equilibrium(m->inner, param, SAL_EQUILIBRIUM_TRUE, y);
}

static void ignore(void *with, const char *question, sal_equation_finding_kind kind,
                   const char *text)
{
  (void)with, (void)question, (void)kind, (void)text;
}

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size);
  sal_equation_model *model = NULL;

  if (sal_equation_model_parse("f.yaml", text, &model) == SAL_OK) {
    compute(sal_equation_model_get(model));
    sal_equation_model_free(model);
    if (sal_equation_findings("f.yaml", text, ignore, NULL) != SAL_OK) abort();
  }
  free(text);
}
