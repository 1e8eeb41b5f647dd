/** The flow of energies with more coordinates or contacts than are written out: accelerations, forces and jumps are solved for
 *  at run time, from the program of their terms.
 */
#include "base.h"
#include "contact_jump.h"
#include "equation_programs.h"
#include "program_contacts.h"
#include "program_hold.h"

/** A system at a state. */
typedef struct {
  const sal_flow_programs *f;
  sal_program_hold hold;
  double *own; /* memory at a single point */
  bool solved;
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
} visit;

/* The speed along contact c. */
static double slip(const visit *at, int c)
{
  const sal_contact_program *p = at->f->motion;
  const sal_contact_place *of = &p->of[c];
  const int n = of->to - of->from;
  const double *row = at->hold.out + of->at + 6 + n;
  double speed = row[n];

  for (int i = 0; i < n; ++i) speed += row[i] * at->y[p->n + p->state[of->from + i]];
  return speed;
}

/* The mode of each contact, given or by its gap. */
static void take_mode(visit *at, bool held)
{
  const sal_contact_program *p = at->f->motion;

  for (int c = 0; c < p->m; ++c) {
    const sal_contact_place *of = &p->of[c];
    const bool rubs = of->rigid && of->stick > 0;
    at->hold.closed[c] = of->rigid && (held ? at->closed[of->guard] : at->hold.out[of->at] <= 0);
    at->hold.sticks[c] =
        rubs && at->hold.closed[c] && (held ? at->closed[of->stick] : slip(at, c) == 0);
    at->hold.sense[c] = rubs ? at->y[at->f->n_continuous + of->sense] : 0;
  }
}

static void solve(visit *at, const double words[], double t, bool held)
{
  const sal_program *terms = &at->f->motion->terms;

  if (held)
    sal_program_run(at->f, terms, words, t, at->y, at->closed, at->hold.out);
  else
    sal_program_run_free(at->f, terms, words, t, at->y, at->hold.out);
  take_mode(at, held);
  at->solved = sal_program_hold_solve(&at->hold, NULL);
}

/* *at stays where it is; solved is false where memory ran out, too. */
static void arrive(const sal_scalar_phase *s, double t, const double y[], visit *at)
{
  const sal_flow_programs *f = s->inner;

  at->f = f;
  at->solved = false;
  at->own = s->memory ? NULL : sal_alloc(f->motion->n_hold, sizeof *at->own);
  memcpy(at->y, y, (size_t)f->n_continuous * sizeof *y);
  memcpy(at->y + f->n_continuous, s->q, (size_t)f->n_discrete * sizeof *y);
  for (int k = 0; k < f->n_guard; ++k) at->closed[k] = s->held && s->closed[k] != 0;
  if (!s->memory && !at->own) return;
  at->hold = sal_program_hold_open(f->motion, s->memory ? s->memory : at->own);
  solve(at, s->p, t, s->held);
}

static void leave(const visit *at) { sal_free(at->own); }

static void rhs(const sal_scalar_phase *s, double t, const double y[], double dy[])
{
  const sal_flow_programs *f = s->inner;
  const int n = f->motion->n, *state = f->motion->state;
  SAL_OWN_BY(leave) visit at;

  arrive(s, t, y, &at);
  for (int i = 0; i < f->n_continuous; ++i) dy[i] = i < n ? y[n + i] : NAN;
  if (!at.solved) return;
  for (int i = 0; i < n; ++i) dy[n + state[i]] = at.hold.a[i];
  if (f->rhs.n_out == 0) return;
  double *rest = dy + n + n;
  if (s->held)
    sal_program_run(f, &f->rhs, s->p, t, at.y, at.closed, rest);
  else
    sal_program_run_free(f, &f->rhs, s->p, t, at.y, rest);
}

/* Gaps of closed contacts, below 0 while forces hold them. */
static void take_forces(const visit *at, double gap[])
{
  const sal_contact_program *p = at->f->motion;

  for (int c = 0; c < p->m; ++c) {
    const sal_contact_place *of = &p->of[c];
    if (!at->hold.closed[c]) continue;
    gap[of->guard] = -at->hold.normal[c];
    if (at->hold.sticks[c])
      gap[of->stick] = fabs(at->hold.along[c]) - at->hold.out[of->at + 3] * at->hold.normal[c];
  }
}

/** A problem of contacts on the heap. */
typedef struct {
  sal_program_contacts at;
  double *own, *motion;
} problem;

static void leave_problem(const problem *p) { sal_free_all(p->own, p->motion); }

/* That of the contacts which are closed, or take part in an event; at.memory is NULL where memory ran out. */
static problem open_problem(const sal_flow_programs *f, const double words[], double t, double y[],
                            const bool closed[], const bool fired[])
{
  problem p = {.own = sal_alloc(sal_program_contacts_words(f->motion), sizeof *p.own)};

  if (!p.own) return p;
  p.at = sal_program_contacts_open(f, f->motion, words, closed, p.own);
  sal_program_contacts_choose(&p.at, t, y, fired);
  p.at.memory = p.motion =
      sal_alloc(sal_program_contacts_motion_words(&p.at, NULL), sizeof *p.motion);
  return p;
}

/* The same by the least forces, where they are not unique. */
static bool take_margins(visit *at, const double words[], double t, double gap[])
{
  SAL_OWN_BY(leave_problem) problem p = open_problem(at->f, words, t, at->y, at->closed, NULL);

  return p.at.memory && sal_program_contacts_margins(&p.at, t, at->y, gap);
}

static int count_closed(const visit *at)
{
  int n = 0;

  for (int c = 0; c < at->f->motion->m; ++c) n += at->hold.closed[c];
  return n;
}

/* Gaps and rates of contacts that are closed, by differences along dy. */
static void look_at_forces(visit *at, const sal_scalar_phase *s, double t, const double dy[],
                           double gap[], double rate[])
{
  const sal_contact_program *p = at->f->motion;
  const int n_closed = count_closed(at);
  const bool redundant = n_closed > 1 && at->hold.redundant;
  const double step = sal_contact_jump_step(at->f->n_continuous, at->y, dy);
  double later[SAL_MAX_GUARD];

  if (n_closed == 0) return;
  if (!redundant) take_forces(at, gap);
  if (redundant && !take_margins(at, s->p, t, gap)) return;
  for (int i = 0; i < at->f->n_continuous; ++i) at->y[i] += step * dy[i];
  memcpy(later, gap, (size_t)at->f->n_guard * sizeof *gap);
  if (!redundant) {
    solve(at, s->p, t + step, true);
    take_forces(at, later);
  } else if (!take_margins(at, s->p, t + step, later)) {
    return;
  }
  for (int c = 0; c < p->m; ++c) {
    const int guard = p->of[c].guard, stick = p->of[c].stick;
    if (!at->hold.closed[c]) continue;
    rate[guard] = (later[guard] - gap[guard]) / step;
    if (at->hold.sticks[c]) rate[stick] = (later[stick] - gap[stick]) / step;
  }
}

static void guard(const sal_scalar_phase *s, double t, const double y[], const double dy[],
                  double gap[], double rate[])
{
  const sal_flow_programs *f = s->inner;
  bool closed[SAL_MAX_GUARD], any = false;
  double at_y[SAL_MAX_STATE];

  for (int k = 0; k < f->n_guard; ++k) {
    closed[k] = s->held && s->closed[k] != 0;
    any |= closed[k];
  }
  memcpy(at_y, y, (size_t)f->n_continuous * sizeof *y);
  memcpy(at_y + f->n_continuous, s->q, (size_t)f->n_discrete * sizeof *y);
  sal_program_gaps(f, s->p, t, at_y, dy, s->held ? closed : NULL, gap, rate);
  if (!any) return;
  SAL_OWN_BY(leave) visit at;
  arrive(s, t, y, &at);
  if (at.solved) look_at_forces(&at, s, t, dy, gap, rate);
}

static sal_together change(const sal_flow_programs *f, const double words[], double t, double y[],
                           bool closed[], bool fired[], const bool rests[], bool alone)
{
  if (!sal_program_contacts_fired(f->motion, fired)) return SAL_TOGETHER_NONE;
  SAL_OWN_BY(leave_problem) problem p = open_problem(f, words, t, y, closed, fired);
  p.at.alone = alone;
  return p.at.memory ? sal_program_contacts_change(&p.at, t, y, closed, fired, rests)
                     : SAL_TOGETHER_UNSOLVED;
}

static sal_together jump_together(const void *inner, const double words[], double t, double y[],
                                  bool closed[], bool fired[], const bool rests[],
                                  const double memory[])
{
  (void)memory;
  return change(inner, words, t, y, closed, fired, rests, false);
}

/* One contact alone; where its event has no solution the state is not a number. */
static void jump(sal_scalar_phase *s, int k, double t, double y[])
{
  const sal_flow_programs *f = s->inner;
  bool closed[SAL_MAX_GUARD], fired[SAL_MAX_GUARD] = {false}, rests[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < f->n_guard; ++i) closed[i] = s->closed[i] != 0;
  fired[k] = true;
  rests[k] = s->rests;
  if (change(f, s->p, t, y, closed, fired, rests, true) == SAL_TOGETHER_UNSOLVED)
    for (int i = 0; i < f->n_continuous; ++i) y[i] = NAN;
  for (int i = 0; i < f->n_guard; ++i) s->closed[i] = -(int64_t)closed[i];
}

void sal_energy_flow(sal_flow_programs *f, sal_model *m)
{
  f->scalar = (sal_scalar_functions){
      .n = f->n_continuous, .rhs = rhs, .guard = guard, .jump = jump, .inner = f};
  m->n_memory = (int)f->motion->n_hold + 2 * f->motion->n; /* or what time stepping needs */
  m->w1 = &sal_scalar_plain_w1;
  m->w4 = NULL;
  m->w8 = NULL;
  if (m->n_touch > 0) m->jump_together = jump_together;
}

int sal_energy_flow_masses(const sal_flow_programs *f, const double words[], double t,
                           const double y[], double pivot[])
{
  static const bool open[SAL_MAX_GUARD];
  SAL_OWN double *memory = sal_alloc(f->motion->n_hold, sizeof *memory);
  const int all = f->motion->n;
  int n = all - 1;

  if (!memory) return 0;
  sal_program_hold h = sal_program_hold_open(f->motion, memory);
  sal_program_run(f, &f->motion->terms, words, t, y, open, h.out);
  const bool regular = sal_program_hold_solve(&h, &n);
  for (int i = 0; i < all; ++i) {
    const double L = i > n ? INFINITY : h.out[f->motion->row[i] + i]; /* not reached */
    pivot[f->motion->state[i]] = i != n || regular ? L * L : L;
  }
  return all;
}
