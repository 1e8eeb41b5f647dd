/** A diagonal system whose rates are the parameters. */
#include "wide_model.h"
#include "stages.h"
#include <stdio.h>

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  for (int i = 0; i < SAL_MAX_STATE; ++i) dy[i] = -s->p[i % SAL_MAX_PARAM] * y[i];
}

SAL_FLOW(wide_flow, SAL_MAX_STATE, .jac = NULL);

#if SAL_LANES == 1
extern const struct sal_flow_w4 wide_flow_w4;
extern const struct sal_flow_w8 wide_flow_w8;

const sal_model *wide_model(void)
{
  static char names[SAL_MAX_QUANTITY][16];
  static sal_model m = {.name = "wide",
                        .title = "as many states as there may be",
                        .source = "none",
                        .n_state = SAL_MAX_STATE,
                        .n_param = SAL_MAX_PARAM,
                        .span = 1,
                        .w1 = &wide_flow_w1,
                        .w4 = SAL_W4(&wide_flow_w4),
                        .w8 = SAL_W8(&wide_flow_w8)};
  char(*name)[16] = names;

  m.n_option = SAL_MAX_OPTION;
  for (int i = 0; i < SAL_MAX_STATE; ++i, ++name) {
    snprintf(*name, sizeof *name, "x%d", i);
    m.state[i] = (sal_field){*name, "1", "a state", 1, 0, 2, -1e3, 1e3, .whole = false};
  }
  for (int i = 0; i < SAL_MAX_PARAM; ++i, ++name) {
    snprintf(*name, sizeof *name, "p%d", i);
    m.param[i] = (sal_field){*name, "1", "a rate", i + 1, 0, 100, 0, 1e3, .whole = false};
  }
  for (int i = 0; i < SAL_MAX_OPTION; ++i, ++name) {
    snprintf(*name, sizeof *name, "o%d", i);
    m.option[i] = (sal_option){*name, "a choice", {"none", "some", "most", "all"}};
  }
  return &m;
}
#endif
