/** The functions of a model, callable from a test at every width (flow_probe.c). */
#pragma once

#include "integrate.h"

enum { PROBE_GUARDS = 64, PROBE_PARAMS = SAL_MAX_P };

/** Where to evaluate; the mode is frozen where `held`. */
typedef struct {
  double t, param[PROBE_PARAMS], y[SAL_MAX_STATE], tangent[SAL_MAX_STATE];
  bool closed[PROBE_GUARDS], held, jumps; /* jumps: contact `jumper` of this point has fired */
} flow_point;

/** Values of the model there.  Zero it before, so that two of them can be compared as memory. */
typedef struct {
  double slope[SAL_MAX_STATE], jacobian[SAL_MAX_DENSE * SAL_MAX_DENSE];
  double gap[PROBE_GUARDS], rate[PROBE_GUARDS];
  double y[SAL_MAX_STATE]; /* after the jump */
  bool closed[PROBE_GUARDS];
  bool has_jacobian, touched; /* touched: the right-hand side has changed what it must not */
} flow_values;

/** Evaluates at `count` points; n_guard as in sal_phase. */
typedef void flow_probe(const sal_model *model, int n_guard, int jumper, int count,
                        const flow_point at[], flow_values out[]);

flow_probe flow_probe_w1, flow_probe_w4, flow_probe_w8;

/** Bounds of gaps and rates [2][PROBE_GUARDS] over the boxes from at[i] to to[i], in the mode of at[i]; false: the model
 *  has none. */
typedef struct {
  double gap[2][PROBE_GUARDS], rate[2][PROBE_GUARDS];
} flow_bounds;
typedef bool flow_range(const sal_model *model, int n_guard, int count, const flow_point at[],
                        const flow_point to[], flow_bounds out[]);

flow_range flow_range_w1, flow_range_w4, flow_range_w8;

static const struct {
  int width;
  flow_probe *call;
  flow_range *range;
} probes[] = {{1, flow_probe_w1, flow_range_w1},
              {4, SAL_W4(flow_probe_w4), SAL_W4(flow_range_w4)},
              {8, SAL_W8(flow_probe_w8), SAL_W8(flow_range_w8)}};

/** How many of `probes` this CPU can run. */
static inline int n_probe(void)
{
  int n = 1;
  while (n < 3 && probes[n].width <= sal_integrate_widest()) ++n;
  return n;
}
