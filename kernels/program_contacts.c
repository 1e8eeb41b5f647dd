/** Contacts of a mechanical system whose terms are programs, as one problem. */
#include "contact_jump.h"
#include "contact_rows.h"
#include "program.h"
#include <assert.h>
#include <float.h>
#include <string.h>

enum { N = SAL_PROGRAM_CONTACTS, WORDS = 8192 };

/** A system at a state, and where its values come from. */
typedef struct {
  const sal_flow_programs *f;
  const sal_contact_program *c;
  const double *words;
  double t, *y;
  const bool *closed;
  sal_contact_motion motion;
  int of[N], soft[N]; /* contacts with laws that are rigid / soft ones whose friction holds */
  double gap[N];      /* of contacts with laws */
  double mark[N];     /* gaps of contacts without a law */
  const double
      *before; /* and those ahead of the event, whose sides follow the states; NULL: they stay */
  bool *sides; /* [n_guard] `closed`, where they do */
  double memory[WORDS];
} system_at;

/* All but the memory, which is large. */
static void open_system(system_at *s, const sal_flow_programs *f, const sal_contact_program *c,
                        const double words[], const bool closed[])
{
  s->f = f;
  s->c = c;
  s->words = words;
  s->closed = closed;
  s->before = NULL;
  s->sides = NULL;
}

static const double *take(const double *from, int n, double to[])
{
  memcpy(to, from, (size_t)n * sizeof *to);
  return from + n;
}

/* The terms of a contact of n coordinates; returns where the next one's are. */
static const double *take_terms(const double *next, int n, sal_contact_terms *t)
{
  t->gap = next[0], t->restitution = next[1], t->mu = next[2], t->hold = next[3];
  next = take(next + 4, n, t->normal);
  t->drift = *next++;
  t->turn = *next++;
  next = take(next, n, t->along);
  t->slide_drift = *next++;
  t->slide_turn = *next++;
  return next;
}

static bool is_rubbing(const system_at *s, int c)
{
  const int stick = s->c->of[c].stick;

  return stick > 0 && s->closed[s->c->of[c].guard] && s->closed[stick];
}

/* Contacts without a law are on the side on which the states are now; true where one has changed. */
static bool look_at_marks(const system_at *s)
{
  bool any = false;

  for (int i = 0; i < s->c->n_mark && s->before; ++i) {
    bool *of = &s->sides[s->c->mark[i]];
    const bool below = s->mark[i] < 0 || (*of && s->mark[i] <= 0);
    if (s->mark[i] == s->before[i] || *of == below) continue;
    *of = below;
    any = true;
  }
  return any;
}

static bool evaluate(void *of, sal_contact_motion *m)
{
  enum { MOST = N * N + N + N * (2 * N + 8) + N };
  system_at *s = of;
  const int n = s->c->n;
  double out[MOST], normal[N], along[N];
  const double *next = out;

  take(m->q, n, s->y);
  take(m->v, n, s->y + n);
  sal_program_run(s->f, &s->c->terms, s->words, s->t, s->y, s->closed, out);
  take(out + s->c->terms.n_out - s->c->n_mark, s->c->n_mark, s->mark);
  if (look_at_marks(s)) sal_program_run(s->f, &s->c->terms, s->words, s->t, s->y, s->closed, out);
  m->m = m->n_bound = 0;
  m->moment = 8 * DBL_EPSILON * fabs(s->t);
  next = take(next, n * n, m->mass);
  next = take(next, n, m->load);
  for (int c = 0; c < s->c->m; ++c) {
    sal_contact_terms soft = {.normal = normal, .along = along};
    if (s->c->of[c].rigid) {
      s->of[m->m] = c;
      next = take_terms(next, n, &m->terms[m->m]);
      m->terms[m->m].poisson = s->c->of[c].poisson;
      s->gap[c] = m->terms[m->m++].gap;
      continue;
    }
    next = take_terms(next, n, &soft);
    s->gap[c] = soft.gap;
    if (!is_rubbing(s, c)) continue;
    take(along, n, m->bound + m->n_bound * n);
    m->bends[m->n_bound] = soft.slide_turn;
    s->soft[m->n_bound++] = c;
  }
  return true;
}

/* The motion at s->y, and the modes. */
static void begin(system_at *s)
{
  sal_contact_motion *m = &s->motion;
  const int n = s->c->n;

  const size_t n_work = sal_contact_rows_words(n, s->c->m, s->c->m);
  const size_t n_word = sal_contact_motion_words(n, s->c->m, s->c->m);
  assert(n_word <= WORDS);
  memset(s->memory, 0, (n_word - n_work) * sizeof *s->memory);
  sal_contact_motion_lay_out(m, n, s->c->m, s->c->m, s->memory);
  m->in_sequence = s->c->in_sequence;
  take(s->y, n, m->q);
  take(s->y + n, n, m->v);
  evaluate(s, m);
  for (int i = 0; i < m->m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    m->mode[i] = (sal_contact_mode){.closed = s->closed[s->c->of[c].guard], .rubs = stick > 0};
    if (stick == 0) continue;
    m->mode[i].sticks = m->mode[i].closed && s->closed[stick];
    m->mode[i].sense = s->y[s->f->n_continuous + s->c->of[c].sense];
  }
}

/* How many contacts make a joint event: programs of single ones have Newton's law, which without friction is Poisson's. */
static int least_of(const sal_contact_motion *m)
{
  int least = 2;

  for (int i = 0; i < m->m; ++i)
    if (m->terms[i].poisson && m->mode[i].lands && m->mode[i].rubs) least = 1;
  return least;
}

/* Has a contact with a law, or friction of one, fired? */
static bool has_fired(const sal_contact_program *c, const bool fired[])
{
  for (int i = 0; i < c->m; ++i)
    if (fired[c->of[i].guard] || (c->of[i].stick > 0 && fired[c->of[i].stick])) return true;
  return false;
}

static void note_fired(system_at *s, const bool fired[], const bool rests[])
{
  for (int i = 0; i < s->motion.m; ++i) {
    const int guard = s->c->of[s->of[i]].guard, stick = s->c->of[s->of[i]].stick;
    s->motion.mode[i].rests = rests[guard];
    sal_contact_jump_note(&s->motion.mode[i], fired[guard], stick > 0 && fired[stick]);
  }
}

/* Impulses are too much for friction of soft contacts that held: it slides where they have given it a speed. */
static void slip_softly(const system_at *s, double y[], bool closed[])
{
  const sal_contact_motion *m = &s->motion;

  for (int i = 0; i < m->n_bound; ++i) {
    const int c = s->soft[i], n = s->c->n;
    double speed = 0, size = 0;
    for (int j = 0; j < n; ++j) {
      speed += m->bound[i * n + j] * m->v[j];
      size += fabs(m->bound[i * n + j] * m->v[j]);
    }
    if (fabs(speed) <= 1e-6 * size) continue;
    closed[s->c->of[c].stick] = false;
    y[s->f->n_continuous + s->c->of[c].sense] = speed < 0 ? -1 : 1;
  }
}

sal_together sal_program_contacts_jump(const void *inner, const double words[], double t,
                                       double y[], bool closed[], bool fired[], const bool rests[],
                                       const double memory[])
{
  (void)memory;
  const sal_flow_programs *f = inner;
  double at[SAL_MAX_STATE], before[N];
  bool sides[SAL_MAX_GUARD];
  system_at s;

  open_system(&s, f, f->contacts, words, closed);
  s.t = t;
  s.y = at;
  take(y, f->n_continuous + f->n_discrete, at);
  if (!has_fired(s.c, fired)) return SAL_TOGETHER_NONE;
  begin(&s);
  take(s.mark, s.c->n_mark, before);
  note_fired(&s, fired, rests);
  if (sal_contact_jump_count(&s.motion) < least_of(&s.motion)) return SAL_TOGETHER_NONE;
  memcpy(sides, closed, (size_t)f->n_guard * sizeof *sides);
  s.closed = s.sides = sides;
  s.before = before;
  if (!sal_contact_jump(&s.motion, evaluate, &s)) return SAL_TOGETHER_UNSOLVED;
  memcpy(closed, sides, (size_t)f->n_guard * sizeof *sides);
  take(s.motion.q, s.c->n, at);
  take(s.motion.v, s.c->n, at + s.c->n);
  take(at, f->n_continuous + f->n_discrete, y);
  slip_softly(&s, y, closed);
  for (int i = 0; i < s.motion.m; ++i) {
    const int c = s.of[i], stick = s.c->of[c].stick;
    closed[s.c->of[c].guard] = s.motion.mode[i].closed;
    fired[s.c->of[c].guard] = false;
    if (stick == 0) continue;
    closed[stick] = s.motion.mode[i].sticks;
    fired[stick] = false;
    y[f->n_continuous + s.c->of[c].sense] = s.motion.mode[i].sense;
  }
  return SAL_TOGETHER_DONE;
}

/* A contact is closed where its gap is at most 0, which the first evaluation shows: a compliant one pushes there, and
 * forces of the text may depend on it. */
bool sal_program_contacts_motion(const void *inner, const double words[], double t,
                                 const double y[], double memory[], sal_contact_motion *motion)
{
  const sal_flow_programs *f = inner;
  const sal_contact_program *c = f->motion;
  double at[SAL_MAX_STATE];
  bool closed[N] = {false}, again = false;
  system_at s;

  (void)memory;
  open_system(&s, f, c, words, closed);
  s.t = t;
  s.y = at;
  take(y, f->n_continuous + f->n_discrete, at);
  take(y, c->n, motion->q);
  take(y + c->n, c->n, motion->v);
  evaluate(&s, motion);
  for (int i = 0; i < c->m; ++i)
    if (s.gap[i] <= 0) closed[c->of[i].guard] = again = true;
  return !again || evaluate(&s, motion);
}

/* The load is the flow of velocities where all contacts are open. */
bool sal_program_unit_motion(const void *inner, const double words[], double t, const double y[],
                             double memory[], sal_contact_motion *motion)
{
  const sal_flow_programs *f = inner;
  const sal_unit_program *c = f->unit;
  const int n = f->n_continuous / 2;
  static const bool open[SAL_MAX_GUARD];
  double dy[SAL_MAX_STATE], out[SAL_MAX_UNIT_TERMS];
  const double *next = out;

  (void)memory;
  sal_program_run(f, &f->rhs, words, t, y, open, dy);
  sal_program_run(f, &c->terms, words, t, y, open, out);
  take(dy + n, n, motion->load);
  for (int i = 0; i < n; ++i) {
    motion->mass[i * n + i] = 1;
    motion->first[i] = motion->last[i] = i;
  }
  motion->m = c->m;
  for (int k = 0; k < c->m; ++k) {
    sal_contact_terms *terms = &motion->terms[k];
    terms->gap = *next++;
    terms->restitution = *next++;
    terms->drift = *next++;
    terms->from = c->from[k];
    terms->to = c->to[k];
    next = take(next, terms->to - terms->from, terms->normal + terms->from);
  }
  return true;
}

/* Gaps of closed contacts at y: below 0 while forces hold them. */
static bool gaps_of(system_at *s, double y[], double t, double gap[])
{
  s->y = y;
  s->t = t;
  begin(s);
  if (!sal_contact_jump_margins(&s->motion)) return false;
  for (int i = 0; i < s->motion.m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    if (!s->motion.mode[i].closed) continue;
    gap[s->c->of[c].guard] = -s->motion.mode[i].force;
    if (stick > 0 && s->motion.mode[i].sticks) gap[stick] = -s->motion.mode[i].pull;
  }
  return true;
}

void sal_program_contacts_release(const void *inner, const double words[], double t,
                                  const double y[], const double dy[], const bool closed[],
                                  double gap[], double rate[])
{
  const sal_flow_programs *f = inner;
  const int n = f->n_continuous + f->n_discrete;
  system_at s;
  double at[SAL_MAX_STATE], later[SAL_PROGRAM_CONTACTS], size = 1, fast = 1, redundant;

  sal_program_run(f, &f->contacts->redundant, words, t, y, closed, &redundant);
  if (sal_bits(redundant) == 0) return;
  for (int i = 0; i < f->n_continuous; ++i) {
    size = fabs(y[i]) > size ? fabs(y[i]) : size;
    fast = fabs(dy[i]) > fast ? fabs(dy[i]) : fast;
  }
  const double step = 1e-6 * size / fast;
  open_system(&s, f, f->contacts, words, closed);
  take(y, n, at);
  if (!gaps_of(&s, at, t, gap)) return;
  for (int i = 0; i < f->n_continuous; ++i) at[i] += step * dy[i];
  memcpy(later, gap, sizeof later);
  if (!gaps_of(&s, at, t + step, later)) return;
  for (int i = 0; i < s.motion.m; ++i) {
    const int guard = s.c->of[s.of[i]].guard, stick = s.c->of[s.of[i]].stick;
    if (!s.motion.mode[i].closed) continue;
    rate[guard] = (later[guard] - gap[guard]) / step;
    if (stick > 0 && s.motion.mode[i].sticks) rate[stick] = (later[stick] - gap[stick]) / step;
  }
}
