/** Contacts of a mechanical system whose terms are programs, as one problem. */
#include "program_contacts.h"
#include "contact_jump.h"
#include "contact_rows.h"
#include <assert.h>
#include <float.h>
#include <string.h>

enum { WORDS = 8192 };
typedef sal_program_contacts system_at;

static int soft_frictions(const sal_contact_program *c)
{
  int n = 0;

  for (int i = 0; i < c->m; ++i) n += !c->of[i].rigid && c->of[i].stick > 0;
  return n;
}

size_t sal_program_contacts_words(const sal_contact_program *c)
{
  const size_t m = sal_contact_words((size_t)c->m, sizeof(int));
  const size_t n = sal_contact_words((size_t)c->n, sizeof(int));

  return 3 * m + 2 * n + (size_t)c->m + (size_t)c->terms.n_out + 2 * (size_t)c->n;
}

size_t sal_program_contacts_motion_words(const system_at *s, size_t *zero)
{
  const int n_soft = soft_frictions(s->c);
  const size_t words = sal_contact_motion_words(s->n, s->m, n_soft);

  if (zero) *zero = words - sal_contact_rows_words(s->n, s->m, n_soft);
  return words;
}

system_at sal_program_contacts_open(const sal_flow_programs *f, const sal_contact_program *c,
                                    const double words[], const bool closed[], double memory[])
{
  const size_t m = sal_contact_words((size_t)c->m, sizeof(int));
  const size_t n = sal_contact_words((size_t)c->n, sizeof(int));
  system_at s = {.f = f, .c = c, .n = c->n, .m = c->m, .words = words, .closed = closed};

  s.of = sal_contact_carve(&memory, m);
  s.soft = sal_contact_carve(&memory, m);
  s.pick = sal_contact_carve(&memory, m);
  s.coordinate = sal_contact_carve(&memory, n);
  s.rank = sal_contact_carve(&memory, n);
  s.gap = sal_contact_carve(&memory, (size_t)c->m);
  s.out = sal_contact_carve(&memory, (size_t)c->terms.n_out);
  s.gradient = sal_contact_carve(&memory, 2 * (size_t)c->n);
  s.memory = memory;
  for (int i = 0; i < c->n; ++i) s.coordinate[i] = s.rank[i] = i;
  for (int i = 0; i < c->m; ++i) s.pick[i] = i;
  return s;
}

/* The state of coordinate i of the problem. */
static int state_of(const system_at *s, int i) { return s->c->state[s->coordinate[i]]; }

static const double *take(const double *from, int n, double to[])
{
  memcpy(to, from, (size_t)n * sizeof *to);
  return from + n;
}

/* The terms of a contact. */
static void take_terms(const system_at *s, const sal_contact_place *of, sal_contact_terms *t)
{
  const int n = of->to - of->from;
  const double *next = s->out + of->at;

  t->from = n > 0 ? s->rank[of->from] : 0;
  t->to = t->from + n;
  t->gap = next[0], t->restitution = next[1], t->mu = next[2], t->hold = next[3];
  next = take(next + 4, n, t->normal + t->from);
  t->drift = *next++;
  t->turn = *next++;
  next = take(next, n, t->along + t->from);
  t->slide_drift = next[0], t->slide_turn = next[1];
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

  for (int i = 0; i < s->c->m && s->before; ++i) {
    if (!s->c->of[i].mark || s->gap[i] == s->before[i]) continue;
    bool *of = &s->sides[s->c->of[i].guard];
    const bool below = s->gap[i] < 0 || (*of && s->gap[i] <= 0);
    if (*of == below) continue;
    *of = below;
    any = true;
  }
  return any;
}

static void take_mass(const system_at *s, sal_contact_motion *m)
{
  const sal_contact_program *c = s->c;

  for (int i = 0; i < s->n; ++i) {
    const int of = s->coordinate[i], first = c->first[of];
    m->first[i] = i - (of - first);
    m->last[i] = i + (c->last[of] - of);
    take(s->out + c->row[of] + first, m->last[i] + 1 - m->first[i],
         m->mass + (size_t)i * (size_t)s->n + m->first[i]);
    m->load[i] = s->out[c->load + of];
  }
}

/* Results of the terms at s->y. */
static void run_terms(system_at *s)
{
  const sal_contact_program *c = s->c;

  sal_program_run(s->f, &c->terms, s->words, s->t, s->y, s->closed, s->out);
  for (int i = 0; i < c->m; ++i) s->gap[i] = s->out[c->of[i].at];
  if (look_at_marks(s)) sal_program_run(s->f, &c->terms, s->words, s->t, s->y, s->closed, s->out);
}

static bool evaluate(void *of, sal_contact_motion *m)
{
  system_at *s = of;
  const sal_contact_program *c = s->c;
  sal_contact_terms soft = {.normal = s->gradient, .along = s->gradient + s->n};

  for (int i = 0; i < s->n; ++i) {
    s->y[state_of(s, i)] = m->q[i];
    s->y[c->n + state_of(s, i)] = m->v[i];
  }
  run_terms(s);
  m->m = m->n_bound = 0;
  m->moment = 8 * DBL_EPSILON * fabs(s->t);
  take_mass(s, m);
  for (int k = 0; k < s->m; ++k) {
    const int i = s->pick[k];
    sal_contact_terms *t = c->of[i].rigid ? &m->terms[m->m] : &soft;
    take_terms(s, &c->of[i], t);
    if (c->of[i].rigid) {
      t->poisson = c->of[i].poisson;
      s->of[m->m++] = i;
    } else if (is_rubbing(s, i)) {
      take(soft.along, s->n, m->bound + m->n_bound * s->n);
      m->bends[m->n_bound] = soft.slide_turn;
      s->soft[m->n_bound++] = i;
    }
  }
  return true;
}

/* The motion at s->y, and the modes. */
static void begin(system_at *s)
{
  sal_contact_motion *m = &s->motion;

  sal_contact_motion_lay_out(m, s->n, s->m, soft_frictions(s->c), s->memory);
  m->in_sequence = s->c->in_sequence;
  for (int i = 0; i < s->n; ++i) {
    m->q[i] = s->y[state_of(s, i)];
    m->v[i] = s->y[s->c->n + state_of(s, i)];
  }
  evaluate(s, m);
  for (int i = 0; i < m->m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    m->mode[i] = (sal_contact_mode){.closed = s->closed[s->c->of[c].guard], .rubs = stick > 0};
    if (stick == 0) continue;
    m->mode[i].sticks = m->mode[i].closed && s->closed[stick];
    m->mode[i].sense = s->y[s->f->n_continuous + s->c->of[c].sense];
  }
}

/* Is contact c so near its surface that it may touch it where others have landed? */
static bool is_near(const system_at *s, int c)
{
  const sal_contact_place *of = &s->c->of[c];
  double size = 1;

  for (int i = of->from; i < of->to; ++i)
    size += fabs(s->out[of->at + 4 + i - of->from] * s->y[s->c->state[i]]);
  return fabs(s->gap[c]) <= 1e-6 * size;
}

void sal_program_contacts_choose(system_at *s, double t, double y[], const bool fired[])
{
  const sal_contact_program *c = s->c;

  s->t = t;
  s->y = y;
  run_terms(s);
  for (int i = 0; i < c->n; ++i) s->rank[i] = -1;
  s->m = s->n = 0;
  for (int k = 0; k < c->m; ++k) {
    const sal_contact_place *of = &c->of[k];
    const bool has_fired = fired && (fired[of->guard] || (of->stick > 0 && fired[of->stick]));
    if (!of->rigid || !(s->closed[of->guard] || has_fired || (fired && is_near(s, k)))) continue;
    s->pick[s->m++] = k;
    if (of->from == of->to) continue;
    for (int i = c->first[of->from]; i <= c->last[of->to - 1]; ++i) s->rank[i] = 0;
  }
  for (int i = 0; i < c->n; ++i) {
    if (s->rank[i] < 0) continue;
    s->rank[i] = s->n;
    s->coordinate[s->n++] = i;
  }
}

bool sal_program_contacts_fired(const sal_contact_program *c, const bool fired[])
{
  for (int i = 0; i < c->m; ++i)
    if (c->of[i].rigid && (fired[c->of[i].guard] || (c->of[i].stick > 0 && fired[c->of[i].stick])))
      return true;
  return false;
}

/* The speed along contact i where it comes to rest; 0: it does not rub, or it is rounding. */
static double slip_of(const sal_contact_motion *m, int i)
{
  const sal_contact_terms *t = &m->terms[i];
  double size;
  const double speed = sal_contact_rows_rate(m->n, t->along, m->v, t->slide_drift, &size);

  return m->mode[i].rubs && fabs(speed) > 1e-6 * size ? speed : 0;
}

/* Has the event of others changed the rate of contact i? */
static bool is_thrown(const system_at *s, int i)
{
  const double *row = s->motion.terms[i].normal, *was = s->was + s->c->n;
  double change = 0, size = 0;

  for (int j = 0; j < s->n; ++j) {
    const double v = s->motion.v[j], before = was[state_of(s, j)];
    change += row[j] * (v - before);
    size += fabs(row[j]) * (fabs(v) + fabs(before));
  }
  return fabs(change) > 1e-9 * size;
}

static void note_fired(system_at *s, const bool fired[], const bool rests[])
{
  int n_part = 0;

  for (int i = 0; i < s->motion.m; ++i) {
    const int guard = s->c->of[s->of[i]].guard, stick = s->c->of[s->of[i]].stick;
    sal_contact_mode *of = &s->motion.mode[i];
    of->rests = rests[guard];
    sal_contact_jump_note(of, fired[guard], stick > 0 && fired[stick]);
    of->away = s->alone && !of->closed && !of->opens;
    if (s->was) of->lands = of->rests = of->closed && is_thrown(s, i);
    const double slip = of->lands && of->rests ? slip_of(&s->motion, i) : 0;
    if (slip != 0) of->sense = slip < 0 ? -1 : 1;
    n_part += of->closed || of->opens;
  }
  s->motion.stays = s->was != NULL;
  s->motion.unique = s->f->contacts && (n_part == 1 || s->alone);
}

/* Impulses are too much for friction of soft contacts that held: it slides where they have given it a speed. */
static void slip_softly(const system_at *s, double y[], bool closed[])
{
  const sal_contact_motion *m = &s->motion;

  for (int i = 0; i < m->n_bound; ++i) {
    const int c = s->soft[i];
    double size;
    const double speed = sal_contact_rows_rate(m->n, m->bound + i * m->n, m->v, 0, &size);
    if (fabs(speed) <= 1e-6 * size) continue;
    closed[s->c->of[c].stick] = false;
    y[s->f->n_continuous + s->c->of[c].sense] = speed < 0 ? -1 : 1;
  }
}

sal_together sal_program_contacts_change(system_at *s, double t, double y[], bool closed[],
                                         bool fired[], const bool rests[])
{
  const sal_flow_programs *f = s->f;
  double at[SAL_MAX_STATE], before[SAL_MAX_GUARD];
  bool sides[SAL_MAX_GUARD];

  s->t = t;
  s->y = at;
  take(y, f->n_continuous + f->n_discrete, at);
  begin(s);
  take(s->gap, s->c->m, before);
  note_fired(s, fired, rests);
  memcpy(sides, closed, (size_t)f->n_guard * sizeof *sides);
  s->closed = s->sides = sides;
  s->before = s->was ? NULL : before;
  if (!sal_contact_jump(&s->motion, evaluate, s)) return SAL_TOGETHER_UNSOLVED;
  memcpy(closed, sides, (size_t)f->n_guard * sizeof *sides);
  for (int i = 0; i < s->n; ++i) {
    y[state_of(s, i)] = s->motion.q[i];
    y[s->c->n + state_of(s, i)] = s->motion.v[i];
  }
  slip_softly(s, y, closed);
  for (int i = 0; i < s->motion.m; ++i) {
    const int c = s->of[i], stick = s->c->of[c].stick;
    closed[s->c->of[c].guard] = s->motion.mode[i].closed;
    fired[s->c->of[c].guard] = false;
    if (stick == 0) continue;
    closed[stick] = s->motion.mode[i].sticks;
    fired[stick] = false;
    y[f->n_continuous + s->c->of[c].sense] = s->motion.mode[i].sense;
  }
  return SAL_TOGETHER_DONE;
}

bool sal_program_contacts_near(system_at *s, double t, double y[], const system_at *of)
{
  s->t = t;
  s->y = y;
  begin(s);
  memcpy(s->motion.mode, of->motion.mode, (size_t)s->motion.m * sizeof *s->motion.mode);
  s->motion.unique = of->motion.unique;
  if (!sal_contact_near(&s->motion, evaluate, s)) return false;
  for (int i = 0; i < s->n; ++i) {
    y[state_of(s, i)] = s->motion.q[i];
    y[s->c->n + state_of(s, i)] = s->motion.v[i];
  }
  return true;
}

/* A contact is closed where its gap is at most 0, which the first evaluation shows: a compliant one pushes there, and
 * forces of the text may depend on it. */
bool sal_program_contacts_motion(const void *inner, const double words[], double t,
                                 const double y[], double memory[], sal_contact_motion *motion)
{
  const sal_flow_programs *f = inner;
  const sal_contact_program *c = f->motion;
  const bool fits = sal_program_contacts_words(c) <= WORDS;
  double at[SAL_MAX_STATE], few[WORDS];
  bool closed[SAL_MAX_GUARD] = {false}, again = false;
  system_at s = sal_program_contacts_open(f, c, words, closed, fits ? few : memory);

  s.t = t;
  s.y = at;
  if (motion->load_only && !c->by_mode) {
    sal_program_run(f, &c->loads, words, t, y, closed, motion->load);
    return true;
  }
  take(y, f->n_continuous + f->n_discrete, at);
  for (int i = 0; i < c->n; ++i) {
    motion->q[i] = y[c->state[i]];
    motion->v[i] = y[c->n + c->state[i]];
  }
  evaluate(&s, motion);
  for (int i = 0; i < c->m; ++i)
    if (s.gap[i] <= 0) closed[c->of[i].guard] = again = c->by_mode;
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

bool sal_program_contacts_margins(system_at *s, double t, double y[], double gap[])
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
