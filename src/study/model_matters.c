/** Parameters that nothing depends on: each changed at drawn points, on surfaces and beyond them, in
 *  several modes.
 */
#include "base.h"
#include "model_drawn.h"

enum { LOOKED = 8 };              /* contacts, the first ones */
enum { POINTS = 400, NEAR = 50 }; /* drawn; of them those that are moved onto surfaces, too */

/* Results of a model at a point in one mode. */
typedef struct {
  double f[SAL_MAX_STATE], gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  double after[LOOKED][2][SAL_MAX_STATE]; /* each contact's opening and closing */
  bool closed[LOOKED][2][SAL_MAX_GUARD];
} seen_at;

/* The parameter that is looked at, and what the model does with both its values. */
typedef struct {
  const sal_model_inquiry *q;
  int param;
  seen_at *seen; /* [2] */
} search;

static void look(const search *s, const sal_model_drawn_point *at, seen_at *out)
{
  const sal_model *m = s->q->like.model;
  double f[SAL_MAX_STATE] = {0};

  *out = (seen_at){.gap = {0}};
  sal_model_field(m, at->param, at->closed, at->t, at->y, f);
  memcpy(out->f, f, sizeof f);
  sal_model_rates(m, at->param, at->closed, at->t, at->y, f, out->gap, out->rate);
  for (int k = 0; (m->resets || m->n_discrete) && k < s->q->like.n_guard && k < LOOKED; ++k)
    for (int closes = 0; closes < 2; ++closes) {
      double *y = out->after[k][closes];
      bool *mode = out->closed[k][closes];
      memcpy(y, at->y, (size_t)m->n_state * sizeof *y);
      memcpy(mode, at->closed, (size_t)s->q->like.n_guard * sizeof *mode);
      mode[k] = closes;
      sal_model_jump(m, at->param, k, mode, at->t, y);
    }
}

static double other_value(const search *s, double value)
{
  const sal_field *f = &s->q->like.model->param[s->param];

  return value < f->hi ? f->hi : f->lo;
}

/* Does it matter at the point, in its mode? */
static bool matters_in(const search *s, const sal_model_drawn_point *at)
{
  sal_model_drawn_point other = *at;

  other.param[s->param] = other_value(s, at->param[s->param]);
  look(s, at, &s->seen[0]);
  look(s, &other, &s->seen[1]);
  return memcmp(&s->seen[0], &s->seen[1], sizeof s->seen[0]) != 0;
}

/* In its mode, with all contacts closed, or with one of them? */
static bool matters_at(const search *s, const sal_model_drawn_point *at)
{
  const int n = s->q->like.n_guard;
  sal_model_drawn_point in = *at;

  if (matters_in(s, &in)) return true;
  for (int k = 0; k < n; ++k) in.closed[k] = true;
  if (matters_in(s, &in)) return true;
  for (int k = 0; k < n && k < LOOKED && n > 1; ++k) {
    memset(in.closed, 0, sizeof in.closed);
    in.closed[k] = true;
    if (matters_in(s, &in)) return true;
  }
  return false;
}

/* On the surfaces of contacts, and as far beyond them as a tenth of the way there: a law of contact may do
 * nothing elsewhere. */
static bool matters_near(const search *s, const sal_model_drawn_point *at)
{
  const sal_model *m = s->q->like.model;

  for (int k = 0; k < s->q->like.n_guard && k < LOOKED; ++k) {
    sal_model_drawn_point on = *at;
    if (!sal_model_draw_onto(m, k, &on)) continue;
    if (matters_at(s, &on)) return true;
    for (int i = 0; i < sal_model_continuous(m); ++i) on.y[i] += 0.1 * (on.y[i] - at->y[i]);
    if (matters_at(s, &on)) return true;
  }
  return false;
}

/* Just after the next stop, where a pulse begins or ends that few points are drawn in. */
static bool matters_after_stop(const search *s, const sal_model_drawn_point *at)
{
  const sal_model *m = s->q->like.model;
  sal_model_drawn_point on = *at;

  if (!m->next_stop) return false;
  const double stop = m->next_stop(m->inner, at->param, at->t, &on.t);
  if (!(stop < INFINITY)) return false;
  m->next_stop(m->inner, at->param, stop, &on.t);
  return matters_at(s, &on);
}

/* The equilibrium, or the period of a drive. */
static bool matters_to_orbits(const search *s)
{
  const sal_model *m = s->q->like.model;
  double param[2][SAL_MAX_PARAM + SAL_MAX_OPTION], rest[2][SAL_MAX_STATE] = {{0}}, period[2] = {0};

  for (int a = 0; a < 2; ++a) {
    memcpy(param[a], s->q->param, (size_t)(m->n_param + m->n_option) * sizeof **param);
    if (a == 1) param[1][s->param] = other_value(s, param[0][s->param]);
    if (m->equilibrium && !m->equilibrium(m->inner, param[a], SAL_EQUILIBRIUM_TRUE, rest[a]))
      rest[a][0] = NAN;
    if (m->section.period) period[a] = m->section.period(m->inner, param[a]);
  }
  return period[0] != period[1] || memcmp(rest[0], rest[1], sizeof rest[0]) != 0;
}

static bool matters(const search *s)
{
  sal_model_drawn_point at;

  for (int64_t i = 0; i < POINTS; ++i)
    if (sal_model_draw(s->q, i, &at) && (matters_at(s, &at) || (i < NEAR && matters_near(s, &at)) ||
                                         (i < NEAR && matters_after_stop(s, &at))))
      return true;
  return matters_to_orbits(s);
}

sal_err sal_model_drawn_parameters(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  SAL_OWN seen_at *seen = sal_alloc(2, sizeof *seen);

  if (!seen) return sal_fail(SAL_ERR_MEMORY, "no memory for a point");
  for (int p = 0; p < m->n_param; ++p) {
    const search s = {q, p, seen};
    if (p < m->n_count || p + 1 == m->counted_by || m->param[p].lo == m->param[p].hi || matters(&s))
      continue;
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "%s%s", q->v->text[0] ? ", " : "nothing depends on ",
                          m->param[p].name);
  }
  if (!q->v->text[0])
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "each of them matters to f, a gap, a jump or rest");
  return SAL_OK;
}
