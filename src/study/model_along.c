/** One look at each event, before and after it; a state by itself, and the laws of contacts there. */
#include "base.h"
#include "contact_rows.h"
#include "model_drawn.h"

static const double rounding = 1e-7; /* of energies, which are sums */

static const char *name_of(const sal_model *m, const sal_event *e)
{
  const sal_contact *c = sal_model_contact(m, e->guard);

  return e->closes ? c->closes : c->opens;
}

/* An event is located where the gap is 0, to a share of a step; a gap without continuity stays off it.  A jump
 * of the state by an earlier event at that instant may leave a gap anywhere. */
static void look_for_leap(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    if (i > 0 && e->t == tr->event[i - 1].t) continue;
    if (!e->closes || fabs(e->gap) <= 1e-6 * (1 + fabs(e->rate))) continue;
    sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                          "; the gap of %s leaps at t = %.6g: it is %.4g where it closes",
                          name_of(m, e), e->t, e->gap);
    return;
  }
}

static void look_for_forbidden(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    const int k = sal_model_left_forbidden(m, e->y);
    if (k < 0) continue;
    sal_model_inquiry_put(
        q, SAL_MODEL_WRONG, "; %s at t = %.6g leaves %s = %.6g; allowed: %s%.6g to %.6g",
        name_of(m, e), e->t, m->state[k].name, e->y[k],
        m->state[k].whole ? "whole numbers from " : "", m->state[k].least, m->state[k].most);
    return;
  }
}

static void look_for_gain(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;
  double most = 0, size = 0;
  int64_t at = -1, n = 0;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    const double before = sal_model_left_energy(m, q->param, e->t, e->ahead),
                 gain = sal_model_left_energy(m, q->param, e->t, e->y) - before;
    size = fmax(size, fabs(before));
    if (gain > most) most = gain, at = i;
    n += isfinite(gain);
  }
  if (at >= 0 && most > rounding * size)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; %s at t = %.6g brings in an energy of %.4g of %.4g",
                          name_of(m, &tr->event[at]), tr->event[at].t, most, size);
  else if (n > 0)
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "; no event brings energy in");
}

void sal_model_along_events(sal_model_inquiry *q, const sal_trajectory *tr)
{
  look_for_leap(q, tr);
  look_for_forbidden(q, tr);
  look_for_gain(q, tr);
}

double sal_model_left_energy(const sal_model *m, const double param[], double t, const double y[])
{
  bool closed[SAL_MAX_GUARD];

  sal_model_mode(m, param, t, y, closed);
  if (m->mechanical) return m->mechanical(m->inner, param, y, closed);
  return m->energy ? m->energy(m->inner, param, t, y, closed) : NAN;
}

int sal_model_left_forbidden(const sal_model *m, const double y[])
{
  for (int i = sal_model_continuous(m); i < m->n_state; ++i) {
    const sal_field *f = &m->state[i];
    if (!(y[i] >= f->least && y[i] <= f->most) || (f->whole && y[i] != rint(y[i]))) return i;
  }
  return -1;
}

/* Do two contacts act on the same coordinate? */
static bool share(int n, const sal_contact_terms *a, const sal_contact_terms *b)
{
  for (int i = 0; i < n; ++i)
    if (a->normal[i] != 0 && b->normal[i] != 0) return true;
  return false;
}

/* Rigid contacts with friction whose rows are more than the coordinates: their forces are the least ones, by the scales of gaps.
 * 0 where these cannot show, as a force of 1 moves each gap alike. */
static int count_redundant(sal_contact_motion *s)
{
  sal_contact_rows p = sal_contact_rows_open(s);
  double least = INFINITY, most = 0;
  int n = 0;

  if (!sal_contact_rows_fall(s, &p)) return 0;
  for (int c = 0; c < s->m; ++c) {
    if (!(s->terms[c].mu > 0)) continue;
    sal_contact_rows_solve_mass(s, p.L, 0, s->n, s->terms[c].normal, p.free);
    const double by = sal_contact_rows_dot(s->n, s->terms[c].normal, p.free);
    least = fmin(least, by);
    most = fmax(most, by);
    ++n;
  }
  return 2 * n > s->n && most > (1 + 1e-9) * least ? n : 0;
}

sal_err sal_model_left_contacts(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  const int n = sal_model_continuous(m) / 2;

  if (!m->motion || m->n_touch == 0) return SAL_OK;
  SAL_OWN double *memory = sal_alloc(sal_contact_motion_words(n, m->n_touch, 0), sizeof *memory);
  SAL_OWN double *kept = sal_alloc((size_t)m->n_memory + 1, sizeof *kept);
  sal_contact_motion at = {0};
  double words[SAL_MAX_P];
  bool rubs = false, chain = false;

  if (!memory || !kept) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", m->name);
  sal_contact_motion_lay_out(&at, n, m->n_touch, 0, memory);
  sal_model_fill(m, q->param, words);
  if (!m->motion(m->inner, words, 0, q->initial, kept, &at)) return SAL_OK;
  for (int i = 0; i < at.m; ++i) {
    const sal_contact_terms *c = &at.terms[i];
    rubs |= c->restitution > 0 && c->mu > 0 && !c->poisson;
    for (int k = 0; k < i; ++k)
      chain |= fabs(c->gap) < 1e-9 && fabs(at.terms[k].gap) < 1e-9 && share(n, c, &at.terms[k]) &&
               fmax(c->restitution, at.terms[k].restitution) > 0;
  }
  if (rubs)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE,
                          "; friction and a rebound at one contact: Newton's law may add energy "
                          "there (Kane's paradox); law: poisson is the other one");
  const int redundant = count_redundant(&at);
  if (redundant > 0)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE,
                          "; friction at %d contacts of %d coordinates is redundant: forces are "
                          "the least ones, which depend on how gaps are scaled; write each as a "
                          "length",
                          redundant, n);
  if (chain)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; contacts that touch in a chain rebound: %s",
                          m->in_sequence
                              ? "impacts: in-sequence, as with small gaps between them"
                              : "they share one impact, where a gap between them, however "
                                "small, would make a sequence (impacts: in-sequence)");
  return SAL_OK;
}
