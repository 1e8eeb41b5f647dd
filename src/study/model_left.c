/** A state by itself, and the laws of contacts there. */
#include "base.h"
#include "contact_motion.h"
#include "model_drawn.h"

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
  if (chain)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; contacts that touch in a chain rebound: %s",
                          m->in_sequence
                              ? "impacts: in-sequence, as with small gaps between them"
                              : "they share one impact, where a gap between them, however "
                                "small, would make a sequence (impacts: in-sequence)");
  return SAL_OK;
}
