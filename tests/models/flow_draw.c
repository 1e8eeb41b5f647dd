/** Numerical Recipes' generator "ranq1" (Press et al., 3rd ed., section 7.1.3), begun with a name's
 *  hash (FNV-1a), and what is made of it.
 */
#include "flow_draw.h"
#include <math.h>

flow_stream flow_draw_stream(const char *name)
{
  flow_stream s = {14695981039346656037U};

  for (; *name; ++name) s.v = (s.v ^ (unsigned char)*name) * 1099511628211U;
  s.v ^= 4101842887655102017U;
  for (int i = 0; i < 8; ++i) flow_draw_uniform(&s, 0, 1);
  return s;
}

double flow_draw_uniform(flow_stream *s, double lo, double hi)
{
  uint64_t v = s->v;

  v ^= v >> 21, v ^= v << 35, v ^= v >> 4;
  s->v = v;
  return lo + (hi - lo) * (double)((v * 2685821657736338717U) >> 11) * 0x1p-53;
}

static double within(flow_stream *s, const sal_field *f)
{
  const double x = flow_draw_uniform(s, f->lo, f->hi);

  return f->whole ? floor(x) : x;
}

void flow_draw_param(flow_stream *s, const sal_model *m, int n_guard, double param[])
{
  do {
    for (int i = 0; i < m->n_param; ++i) {
      const bool off = m->param[i].preset == 0 && flow_draw_uniform(s, 0, 1) < 0.5;
      param[i] = off ? 0 : within(s, &m->param[i]);
    }
    for (int i = 0; i < m->n_option; ++i) {
      int words = 1;
      while (words < SAL_MAX_CHOICE && m->option[i].choice[words]) ++words;
      param[m->n_param + i] = floor(flow_draw_uniform(s, 0, words));
    }
    if (m->counted_by) param[m->counted_by - 1] = floor(flow_draw_uniform(s, 1, n_guard + 1));
  } while (m->flaw && m->flaw(m->inner, param));
}

flow_point flow_draw_point(flow_stream *s, const sal_model *m, int n_guard)
{
  flow_point at = {.t = flow_draw_uniform(s, 0, m->span),
                   .held = flow_draw_uniform(s, 0, 1) < 0.7,
                   .jumps = flow_draw_uniform(s, 0, 1) < 0.5};
  double rest[SAL_MAX_STATE];

  flow_draw_param(s, m, n_guard, at.param);
  for (int i = 0; i < m->n_state; ++i) {
    at.y[i] = within(s, &m->state[i]);
    at.tangent[i] = i < sal_model_continuous(m) ? flow_draw_uniform(s, -1, 1) : 0;
  }
  if (flow_draw_uniform(s, 0, 1) < 0.5 && m->equilibrium &&
      m->equilibrium(m->inner, at.param, SAL_EQUILIBRIUM_TRUE, rest))
    for (int i = 0; i < sal_model_continuous(m); ++i)
      at.y[i] = rest[i] + flow_draw_uniform(s, -0.1, 0.1);
  for (int k = 0; k < sal_model_guards(m, at.param); ++k)
    at.closed[k] = flow_draw_uniform(s, 0, 1) < 0.5;
  return at;
}
