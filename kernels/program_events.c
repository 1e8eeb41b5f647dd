/** Events of few contacts whose terms are programs: of all that are closed or touch, of one alone, and near one. */
#include "contact_jump.h"
#include "jump_slope.h"
#include "program_contacts.h"
#include <assert.h>
#include <string.h>

enum { WORDS = 8192 };
typedef sal_program_contacts system_at;

/* A system of few contacts in memory [WORDS] of the stack. */
static system_at open_few(const sal_flow_programs *f, const double words[], const bool closed[],
                          double memory[])
{
  system_at s = sal_program_contacts_open(f, f->contacts, words, closed, memory);
  size_t zero;
  const size_t n_word = sal_program_contacts_motion_words(&s, &zero);

  assert(s.memory + n_word <= memory + WORDS);
  memset(s.memory, 0, zero * sizeof *memory);
  return s;
}

/* Contacts without a law change beside closed ones by the text, whose forces are settled then; false: there are none, or none
 * is closed. */
static bool change_marks(const sal_flow_programs *f, const double words[], double t, double y[],
                         bool closed[], bool fired[])
{
  const sal_contact_program *c = f->contacts;
  bool lies = false, any = false;

  for (int i = 0; i < c->m; ++i) lies |= c->of[i].rigid && closed[c->of[i].guard];
  for (int i = 0; i < c->m && lies; ++i) {
    const int k = c->of[i].guard;
    if (!c->of[i].mark || !fired[k]) continue;
    sal_program_jump(f, k, words, t, y, closed);
    fired[k] = false;
    any = true;
  }
  return any;
}

sal_together sal_program_contacts_jump(const void *inner, const double words[], double t,
                                       double y[], bool closed[], bool fired[], const bool rests[],
                                       const double memory[])
{
  const sal_flow_programs *f = inner;
  double own[WORDS], was[SAL_MAX_STATE];

  (void)memory;
  const bool hit = sal_program_contacts_fired(f->contacts, fired);
  memcpy(was, y, (size_t)f->n_continuous * sizeof *y);
  if (!hit && !change_marks(f, words, t, y, closed, fired)) return SAL_TOGETHER_NONE;
  system_at s = open_few(f, words, closed, own);
  s.was = hit ? NULL : was;
  return sal_program_contacts_change(&s, t, y, closed, fired, rests);
}

static bool change_alone(system_at *s, double t, double y[], bool closed[], int k, bool rests)
{
  bool fired[SAL_MAX_GUARD] = {false}, at_rest[SAL_MAX_GUARD] = {false};

  fired[k] = true;
  at_rest[k] = rests;
  s->alone = true;
  return sal_program_contacts_change(s, t, y, closed, fired, at_rest) == SAL_TOGETHER_DONE;
}

void sal_program_contacts_alone(const void *inner, const double words[], double t, double y[],
                                bool closed[], int k, bool rests)
{
  const sal_flow_programs *f = inner;
  double own[WORDS];
  system_at s = open_few(f, words, closed, own);

  if (!change_alone(&s, t, y, closed, k, rests))
    for (int i = 0; i < f->n_continuous; ++i) y[i] = NAN;
}

/** An event, and the modes ahead of it. */
typedef struct {
  const system_at *event;
  const bool *closed;
} solved_event;

/* The event nearby, with the contacts that are at work in it. */
static bool change_near(void *of, double t, double y[])
{
  const solved_event *at = of;
  double memory[WORDS];
  system_at near = open_few(at->event->f, at->event->words, at->closed, memory);

  return sal_program_contacts_near(&near, t, y, at->event);
}

void sal_program_contacts_slope(const void *inner, const double words[], double t, const double y[],
                                const bool closed[], int k, bool rests, const double x[], double dt,
                                double out[])
{
  const sal_flow_programs *f = inner;
  const int n = f->n_continuous + f->n_discrete;
  double own[WORDS], after_y[SAL_MAX_STATE];
  bool after[SAL_MAX_GUARD];

  memcpy(after, closed, (size_t)f->n_guard * sizeof *after);
  system_at s = open_few(f, words, closed, own);
  memcpy(after_y, y, (size_t)n * sizeof *y);
  const bool solved = change_alone(&s, t, after_y, after, k, rests);
  for (int i = 0; i < n; ++i) out[i] = solved ? x[i] : NAN;
  if (!solved) return;
  for (int i = 0; i < s.motion.m; ++i) /* what slides has a sense of its own */
    if (s.motion.mode[i].rubs && !s.motion.mode[i].sticks)
      out[f->n_continuous + f->contacts->of[s.of[i]].sense] = 0;
  sal_jump_slope(
      &(sal_jump){change_near, &(solved_event){&s, closed}, n, 2 * f->contacts->n, t, dt, y, x},
      out);
}

void sal_program_contacts_release(const void *inner, const double words[], double t,
                                  const double y[], const double dy[], const bool closed[],
                                  double gap[], double rate[])
{
  const sal_flow_programs *f = inner;
  const sal_contact_program *c = f->contacts;
  double at[SAL_MAX_STATE], later[SAL_PROGRAM_CONTACTS], memory[WORDS], redundant;

  sal_program_run(f, &c->redundant, words, t, y, closed, &redundant);
  if (sal_bits(redundant) == 0) return;
  const double step = sal_contact_jump_step(f->n_continuous, y, dy);
  system_at s = open_few(f, words, closed, memory);
  memcpy(at, y, (size_t)(f->n_continuous + f->n_discrete) * sizeof *y);
  if (!sal_program_contacts_margins(&s, t, at, gap)) return;
  for (int i = 0; i < f->n_continuous; ++i) at[i] += step * dy[i];
  memcpy(later, gap, sizeof later);
  if (!sal_program_contacts_margins(&s, t + step, at, later)) return;
  for (int i = 0; i < s.motion.m; ++i) {
    const int guard = c->of[s.of[i]].guard, stick = c->of[s.of[i]].stick;
    if (!s.motion.mode[i].closed) continue;
    rate[guard] = (later[guard] - gap[guard]) / step;
    if (stick > 0 && s.motion.mode[i].sticks) rate[stick] = (later[stick] - gap[stick]) / step;
  }
}
