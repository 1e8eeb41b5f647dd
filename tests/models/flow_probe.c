/** Carries points into lanes, calls a model there, and carries the answers back (lane half). */
#include "flow_probe.h"

typedef struct {
  sal_v t, p[PROBE_PARAMS], y[SAL_MAX_STATE], tangent[SAL_MAX_STATE];
  sal_m closed[PROBE_GUARDS], held, jumps;
} lanes_in;

static void load(const sal_model *m, int n_guard, int count, const flow_point at[], lanes_in *in)
{
  memset(in, 0, sizeof *in);
  for (int l = 0; l < SAL_LANES && l < count; ++l) {
    double p[SAL_MAX_P] = {0};
    sal_model_fill(m, at[l].param, p);
    for (int i = 0; i < sal_model_words(m); ++i) SAL_AT(in->p[i], l) = p[i];
    for (int i = 0; i < m->n_state; ++i) {
      SAL_AT(in->y[i], l) = at[l].y[i];
      SAL_AT(in->tangent[i], l) = at[l].tangent[i];
    }
    for (int k = 0; k < n_guard; ++k) SAL_AT(in->closed[k], l) = -(int64_t)at[l].closed[k];
    SAL_AT(in->t, l) = at[l].t;
    SAL_AT(in->held, l) = -(int64_t)at[l].held;
    SAL_AT(in->jumps, l) = -(int64_t)at[l].jumps;
  }
}

static void store(int n, const sal_v from[], int lane, double to[])
{
  for (int i = 0; i < n; ++i) to[i] = SAL_AT(from[i], lane);
}

void SAL_FN(flow_probe)(const sal_model *model, int n_guard, int jumper, int count,
                        const flow_point at[], flow_values out[])
{
  const sal_flow *flow = model->SAL_WIDTH(w);
  const int n = sal_model_continuous(model);

  for (int first = 0; first < count; first += SAL_LANES) {
    sal_v slope[SAL_MAX_STATE], J[SAL_MAX_DENSE * SAL_MAX_DENSE];
    sal_v gap[PROBE_GUARDS], rate[PROBE_GUARDS];
    lanes_in in, before;
    sal_phase phase = {.n_guard = n_guard,
                       .p = in.p,
                       .q = in.y + sal_model_continuous(model),
                       .closed = in.closed,
                       .inner = model->inner};
    load(model, n_guard, count - first, at + first, &in);
    phase.held = in.held;
    before = in;
    flow->rhs(&phase, in.t, in.y, slope);
    if (flow->jac) flow->jac(&phase, in.t, in.y, J);
    if (flow->guard) flow->guard(&phase, in.t, in.y, in.tangent, gap, rate);
    const bool touched = memcmp(&in, &before, sizeof in) != 0;
    if (flow->jump) flow->jump(&phase, jumper, in.jumps, in.t, in.y);
    for (int l = 0; l < SAL_LANES && first + l < count; ++l) {
      flow_values *o = &out[first + l];
      o->has_jacobian = flow->jac != NULL;
      o->touched = touched;
      store(n, slope, l, o->slope);
      if (flow->jac) store(n * n, J, l, o->jacobian);
      if (flow->guard) store(n_guard, gap, l, o->gap);
      if (flow->guard) store(n_guard, rate, l, o->rate);
      store(model->n_state, in.y, l, o->y);
      for (int k = 0; k < n_guard; ++k) o->closed[k] = SAL_AT(in.closed[k], l) != 0;
    }
  }
}

bool SAL_FN(flow_range)(const sal_model *model, int n_guard, int count, const flow_point at[],
                        const flow_point to[], flow_bounds out[])
{
  const sal_flow *flow = model->SAL_WIDTH(w);

  for (int first = 0; first < count && flow->range; first += SAL_LANES) {
    sal_v bound[4][PROBE_GUARDS];
    lanes_in in, end;
    load(model, n_guard, count - first, at + first, &in);
    load(model, n_guard, count - first, to + first, &end);
    const sal_phase phase = {.n_guard = n_guard,
                             .p = in.p,
                             .q = in.y + sal_model_continuous(model),
                             .closed = in.closed,
                             .held = in.held,
                             .inner = model->inner};
    flow->range(&phase, in.t, end.t, in.y, end.y, in.tangent, end.tangent, bound[0], bound[1],
                bound[2], bound[3]);
    for (int l = 0; l < SAL_LANES && first + l < count; ++l)
      for (int side = 0; side < 2; ++side) {
        store(n_guard, bound[side], l, out[first + l].gap[side]);
        store(n_guard, bound[2 + side], l, out[first + l].rate[side]);
      }
  }
  return flow->range != NULL;
}
