/** Contacts of a mechanical system whose terms are programs, as one problem. */
#include "contact_jump.h"
#include "program.h"
#include <float.h>
#include <string.h>

enum { N = SAL_TOUCH_MOST };

/** A system at a state, and where its values come from. */
typedef struct {
  const sal_flow_programs *f;
  const sal_contact_program *c;
  const double *words;
  double t, *y;
  const bool *closed;
  sal_contact_motion motion;
  sal_contact_mode mode[N];
  int of[N]; /* contacts with laws that are rigid */
} system_at;

static const double *take(const double *from, int n, double to[])
{
  memcpy(to, from, (size_t)n * sizeof *to);
  return from + n;
}

static bool evaluate(void *of, sal_contact_motion *m)
{
  enum { MOST = N * N + N + SAL_MAX_CONTACT * (2 * N + 8) };
  system_at *s = of;
  const int n = s->c->n;
  double out[MOST];
  const double *next = out;

  take(m->q, n, s->y);
  take(m->v, n, s->y + n);
  sal_program_run(s->f, &s->c->terms, s->words, s->t, s->y, s->closed, out);
  m->n = n;
  m->m = 0;
  m->moment = 8 * DBL_EPSILON * fabs(s->t);
  next = take(next, n * n, m->mass);
  next = take(next, n, m->load);
  for (int c = 0; c < s->c->m; ++c) {
    sal_contact_terms t = {.gap = next[0], .restitution = next[1], .mu = next[2], .hold = next[3]};
    next = take(next + 4, n, t.normal);
    t.drift = *next++;
    t.turn = *next++;
    next = take(next, n, t.along);
    t.slide_drift = *next++;
    t.slide_turn = *next++;
    if (!s->c->of[c].rigid) continue;
    s->of[m->m] = c;
    m->terms[m->m++] = t;
  }
  return true;
}

/* The motion at s->y, and the modes. */
static void begin(system_at *s)
{
  take(s->y, s->c->n, s->motion.q);
  take(s->y + s->c->n, s->c->n, s->motion.v);
  evaluate(s, &s->motion);
  for (int i = 0; i < s->motion.m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    s->mode[i] = (sal_contact_mode){.closed = s->closed[s->c->of[c].guard], .rubs = stick > 0};
    if (stick == 0) continue;
    s->mode[i].sticks = s->mode[i].closed && s->closed[stick];
    s->mode[i].sense = s->y[s->f->n_continuous + s->c->of[c].sense];
  }
}

/* Does friction of a compliant contact act?  It is not part of the problem. */
static bool rubs_softly(const system_at *s)
{
  for (int c = 0; c < s->c->m; ++c)
    if (!s->c->of[c].rigid && s->c->of[c].stick > 0 && s->closed[s->c->of[c].guard]) return true;
  return false;
}

/* How many rigid contacts take part in the event? */
static int count_parts(const sal_contact_program *c, const bool closed[], const bool fired[])
{
  int n = 0;

  for (int i = 0; i < c->m; ++i)
    n += c->of[i].rigid && (closed[c->of[i].guard] || fired[c->of[i].guard]);
  return n;
}

bool sal_program_contacts_jump(const void *inner, const double words[], double t, double y[],
                               bool closed[], const bool fired[], const bool rests[])
{
  const sal_flow_programs *f = inner;
  double at[SAL_MAX_STATE];
  system_at s = {.f = f, .c = f->contacts, .words = words, .t = t, .y = at, .closed = closed};

  take(y, f->n_continuous + f->n_discrete, at);
  if (count_parts(s.c, closed, fired) < 2 || rubs_softly(&s)) return false;
  begin(&s);
  for (int i = 0; i < s.motion.m; ++i) {
    const int guard = s.c->of[s.of[i]].guard, stick = s.c->of[s.of[i]].stick;
    s.mode[i].rests = rests[guard];
    sal_contact_jump_note(&s.mode[i], fired[guard], stick > 0 && fired[stick]);
  }
  if (!sal_contact_jump(&s.motion, s.mode, evaluate, &s)) return false;
  take(s.motion.q, s.c->n, at);
  take(s.motion.v, s.c->n, at + s.c->n);
  for (int i = 0; i < s.motion.m; ++i) {
    const int c = s.of[i], stick = s.c->of[c].stick;
    closed[s.c->of[c].guard] = s.mode[i].closed;
    if (stick == 0) continue;
    closed[stick] = s.mode[i].sticks;
    at[f->n_continuous + s.c->of[c].sense] = s.mode[i].sense;
  }
  take(at, f->n_continuous + f->n_discrete, y);
  return true;
}

/* Gaps of closed contacts at y: below 0 while forces hold them. */
static bool gaps_of(system_at *s, double y[], double t, double gap[])
{
  s->y = y;
  s->t = t;
  begin(s);
  if (!sal_contact_jump_margins(&s->motion, s->mode)) return false;
  for (int i = 0; i < s->motion.m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    if (!s->mode[i].closed) continue;
    gap[s->c->of[c].guard] = -s->mode[i].force;
    if (stick > 0 && s->mode[i].sticks) gap[stick] = -s->mode[i].pull;
  }
  return true;
}

void sal_program_contacts_release(const void *inner, const double words[], double t,
                                  const double y[], const double dy[], const bool closed[],
                                  double gap[], double rate[])
{
  const sal_flow_programs *f = inner;
  const int n = f->n_continuous + f->n_discrete;
  system_at s = {.f = f, .c = f->contacts, .words = words, .closed = closed};
  double at[SAL_MAX_STATE], later[SAL_MAX_CONTACT], size = 1, fast = 1, redundant;

  sal_program_run(f, &f->contacts->redundant, words, t, y, closed, &redundant);
  if (sal_bits(redundant) == 0) return;
  for (int i = 0; i < f->n_continuous; ++i) {
    size = fabs(y[i]) > size ? fabs(y[i]) : size;
    fast = fabs(dy[i]) > fast ? fabs(dy[i]) : fast;
  }
  const double step = 1e-6 * size / fast;
  take(y, n, at);
  if (!gaps_of(&s, at, t, gap)) return;
  for (int i = 0; i < f->n_continuous; ++i) at[i] += step * dy[i];
  memcpy(later, gap, sizeof later);
  if (!gaps_of(&s, at, t + step, later)) return;
  for (int i = 0; i < s.motion.m; ++i) {
    const int guard = s.c->of[s.of[i]].guard, stick = s.c->of[s.of[i]].stick;
    if (!s.mode[i].closed) continue;
    rate[guard] = (later[guard] - gap[guard]) / step;
    if (stick > 0 && s.mode[i].sticks) rate[stick] = (later[stick] - gap[stick]) / step;
  }
}
