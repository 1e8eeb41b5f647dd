/** Random points of a model, the same for as long as the model has its name: what other models there
 *  are does not matter.
 */
#pragma once

#include "flow_probe.h"

typedef struct {
  uint64_t v;
} flow_stream;

/** The stream of a name. */
flow_stream flow_draw_stream(const char *name);

double flow_draw_uniform(flow_stream *s, double lo, double hi);

/** Parameters of the default ranges that make sense together, those with a preset of 0 off in half of
 *  all points; at most n_guard contacts. */
void flow_draw_param(flow_stream *s, const sal_model *m, int n_guard, double param[]);

/** A point of the default ranges, or one about the equilibrium, where contacts act; any mode, and
 *  any time of the model's span. */
flow_point flow_draw_point(flow_stream *s, const sal_model *m, int n_guard);

/** How many contacts tests give a model: its own, or where that is a parameter 20. */
static inline int flow_draw_guards(const sal_model *m) { return m->counted_by ? 20 : m->n_guard; }
