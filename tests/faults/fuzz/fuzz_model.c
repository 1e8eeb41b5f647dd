/** A model file of constrained bodies, and what it computes at its preset. */
#include "fuzz.h"
#include "model_file.h"
#include "model_point.h"
#include <stdlib.h>

enum { LONGEST = 30000, MOST = 8 };

static void compute(const sal_model *m)
{
  double y[SAL_MAX_STATE], param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, dy[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  if (m->flaw && m->flaw(m->inner, param)) return;
  sal_model_field(m, param, closed, 1, y, dy);
  for (int k = 0; k < m->n_guard && k < MOST; ++k) {
    closed[k] = true;
    sal_model_jump(m, param, k, closed, 1, y);
  }
}

void fuzz_input(const uint8_t *data, size_t size)
{
  if (size > LONGEST) return;
  char *text = fuzz_text(data, size);
  sal_model_file *file = NULL;

  if (sal_model_file_parse("f.yaml", text, &file) == SAL_OK) {
    compute(sal_model_file_model(file));
    sal_model_file_free(file);
  }
  free(text);
}
