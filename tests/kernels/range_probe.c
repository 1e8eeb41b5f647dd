/** Carries boxes and points into lanes and the results back (lane half). */
#include "range_probe.h"

void SAL_FN(range_probe)(const sal_flow_programs *programs, int count, double *const column[])
{
  const sal_flow *flow = &SAL_FN(sal_program_flow);
  sal_m open = sal_none();
  const sal_phase s = {.n_guard = 1, .closed = &open, .inner = programs};

  for (int i = 0; i < count; i += SAL_LANES) {
    sal_v c[N_RANGE_COLUMN];
    for (int j = 0; j < GAP_0; ++j) memcpy(&c[j], column[j] + i, sizeof c[j]);
    const sal_v low[] = {c[BOX_X0], c[BOX_Y0]}, high[] = {c[BOX_X1], c[BOX_Y1]};
    const sal_v at[] = {c[POINT_X], c[POINT_Y]}, zero = sal_set(0);
    flow->range(&s, zero, zero, low, high, low, high, &c[GAP_0], &c[GAP_1], &c[RATE_0], &c[RATE_1]);
    flow->guard(&s, zero, at, at, &c[GAP], &c[RATE]);
    for (int j = GAP_0; j < N_RANGE_COLUMN; ++j) memcpy(column[j] + i, &c[j], sizeof c[j]);
  }
}
