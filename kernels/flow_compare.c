/** The functions of two flows, called with the same phase (lane half). */
#include "flow_compare.h"

/** Input of both flows. */
typedef struct {
  sal_v p[SAL_MAX_P], y[SAL_MAX_STATE], slope[SAL_MAX_STATE], t;
  sal_m closed[SAL_MAX_CONTACT], held, rests;
} given;

static void gather(const sal_model *m, const sal_flow_point at[], given *g)
{
  double p[SAL_MAX_P] = {0};

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    sal_model_fill(m, at[lane].param, p);
    for (int i = 0; i < sal_model_words(m); ++i) SAL_AT(g->p[i], lane) = p[i];
    for (int i = 0; i < m->n_state; ++i) SAL_AT(g->y[i], lane) = at[lane].y[i];
    for (int i = 0; i < m->n_state; ++i) SAL_AT(g->slope[i], lane) = at[lane].slope[i];
    for (int k = 0; k < m->n_guard; ++k) SAL_AT(g->closed[k], lane) = -(int64_t)at[lane].closed[k];
    SAL_AT(g->t, lane) = at[lane].t;
    SAL_AT(g->held, lane) = -(int64_t)at[lane].held;
    SAL_AT(g->rests, lane) = -(int64_t)at[lane].rests;
  }
}

static sal_phase phase_of(const sal_model *m, const given *g, sal_m closed[])
{
  for (int k = 0; k < m->n_guard; ++k) closed[k] = g->closed[k];
  return (sal_phase){.n_guard = m->n_guard,
                     .p = g->p,
                     .closed = closed,
                     .held = g->held,
                     .rests = g->rests,
                     .q = g->y + sal_model_continuous(m),
                     .inner = m->inner};
}

static bool same(int n, const sal_v a[], const sal_v b[])
{
  sal_m differ = sal_none();

  for (int i = 0; i < n; ++i)
    differ |= (sal_bits(a[i]) ^ sal_bits(b[i])) & (sal_eq(a[i], a[i]) | sal_eq(b[i], b[i]));
  return !sal_any(differ);
}

static bool same_jump(const sal_model *m, const given *g, const sal_flow *flow[2], int k)
{
  sal_v y[2][SAL_MAX_STATE];
  sal_m closed[2][SAL_MAX_CONTACT], differ = sal_none();

  for (int f = 0; f < 2; ++f) {
    sal_phase s = phase_of(m, g, closed[f]);
    for (int i = 0; i < m->n_state; ++i) y[f][i] = g->y[i];
    flow[f]->jump(&s, k, ~sal_none(), g->t, y[f]);
  }
  for (int j = 0; j < m->n_guard; ++j) differ |= closed[0][j] ^ closed[1][j];
  return same(m->n_state, y[0], y[1]) && !sal_any(differ);
}

static bool same_guard(const sal_model *m, const given *g, const sal_flow *flow[2])
{
  sal_v gap[2][2 * SAL_MAX_CONTACT];
  sal_m closed[SAL_MAX_CONTACT];
  const sal_phase s = phase_of(m, g, closed);

  for (int f = 0; f < 2; ++f) flow[f]->guard(&s, g->t, g->y, g->slope, gap[f], gap[f] + m->n_guard);
  return same(2 * m->n_guard, gap[0], gap[1]);
}

const char *SAL_FN(sal_flow_compare)(const sal_model *a, const sal_model *b,
                                     const sal_flow_point at[], void *work)
{
  const int n = sal_model_continuous(a);
  const sal_flow *flow[2] = {a->SAL_WIDTH(w), b->SAL_WIDTH(w)};
  sal_v *value[2] = {work, (sal_v *)work + n * n + n};
  sal_m closed[SAL_MAX_CONTACT];
  given g;

  gather(a, at, &g);
  const sal_phase s = phase_of(a, &g, closed);
  for (int f = 0; f < 2; ++f) flow[f]->rhs(&s, g.t, g.y, value[f]);
  if (!same(n, value[0], value[1])) return "f";
  for (int f = 0; f < 2 && flow[0]->jac; ++f) flow[f]->jac(&s, g.t, g.y, value[f]);
  if (flow[0]->jac && !same(n * n, value[0], value[1])) return "the Jacobian";
  if (!a->autonomous) {
    for (int f = 0; f < 2; ++f) flow[f]->by_time(&s, g.t, g.y, value[f]);
    if (!same(n, value[0], value[1])) return "df/dt";
  }
  if (a->n_guard > 0 && !same_guard(a, &g, flow)) return "a gap or its rate";
  for (int k = 0; k < a->n_guard; ++k)
    if (!same_jump(a, &g, flow, k)) return "a jump";
  return NULL;
}
