/** A turn of THE trajectory loop: the only place where model, method, strategy and metrics meet.
 *
 *  One turn is one attempted step in every lane: propose a size, attempt the step, let
 *  the strategy locate contacts, commit, begin anew after events, load the next job into lanes
 *  that are done.  A lane never depends on another one, so a trajectory has the same bits in every
 *  batch and at every width.
 */
#include "change.h"
#include "integrate_turn.h"
#include "lane_math.h"
#include "measured_lanes.h"
#include "methods/control.h"
#include "times.h"

enum { MAX_RESTEP = 6 };

/* Retires lanes that have come to an end.  That is rare, so the check for it is inlined and the
 * call stays out of the hot loop. */
SAL_INLINE void retire_lanes(sal_batch *b, sal_m lanes, sal_outcome outcome, sal_m *fresh)
{
  if (sal_any(lanes)) sal_batch_retire(b, lanes, outcome, fresh);
}

static void measure_gaps(sal_batch *b, sal_m lanes)
{
  sal_step_state *s = &b->s;

  sal_contacts_look(s, &b->at, lanes, s->t, s->y, s->f, b->at.ga, b->at.ra);
  sal_assign(b->at.n, lanes, b->at.gap, b->at.ga);
  sal_assign(b->at.n, lanes, b->at.rate, b->at.ra);
}

static void start_lanes(sal_batch *b, sal_m lanes)
{
  sal_step_state *s = &b->s;
  const sal_v rest = b->t_last - s->t;
  const sal_v most = b->setup->max_step > 0 ? sal_set(b->setup->max_step) : 0.1 * rest;

  s->hmax = sal_sel(lanes, sal_min(b->longest, most), s->hmax);
  s->hmin = sal_sel(lanes, 16.0 * sal_lane_spacing(s->t), s->hmin);
  s->again &= ~lanes;
  s->method->start(s, lanes);
  if (b->strategy) measure_gaps(b, lanes);
}

/* Puts the jobs of `lanes` at their start, and the next ones in place of those that cannot begin;
 * *fresh: all lanes that have a new job. */
static void enter_lanes(sal_batch *b, sal_m lanes, sal_m *fresh)
{
  while (sal_any(lanes)) {
    sal_m next = sal_none();
    const sal_m beyond = sal_change_enter(b, lanes);
    start_lanes(b, lanes);
    const sal_m wrong = b->strategy ? sal_change_note_rebound(b, lanes & ~beyond) : sal_none();
    const sal_m unheld = b->strategy ? sal_change_unheld(b, lanes & ~beyond & ~wrong) : sal_none();
    *fresh |= lanes;
    retire_lanes(b, lanes & b->s.unsolved, SAL_OUT_UNSOLVED, &next);
    retire_lanes(b, beyond, SAL_OUT_PENETRATES, &next);
    retire_lanes(b, wrong, SAL_OUT_BAD_JUMP, &next);
    retire_lanes(b, unheld, SAL_OUT_ZENO, &next);
    lanes = next;
  }
}

/* Sizes of this attempt.  A fresh step is clamped to [hmin, hmax] and stretched to the end when
 * that is less than a tenth farther; a repeated one keeps its size. */
static void propose_size(sal_batch *b)
{
  sal_step_state *s = &b->s;
  const sal_m fresh = b->live & ~b->moved & ~s->again;

  s->hmin = sal_sel(fresh, 16.0 * sal_lane_spacing(s->t), s->hmin);
  s->absh = sal_sel(fresh, sal_max(sal_min(s->absh, s->hmax), s->hmin), s->absh);
  b->cruise = sal_sel(fresh, s->absh, b->cruise);
  if (b->strategy && b->strategy->reach)
    s->absh =
        sal_sel(fresh, sal_max(sal_min(b->strategy->reach(s, &b->at), s->absh), s->hmin), s->absh);
  sal_control_set_out(fresh, s->t, s->t_end, s->fixed > 0 ? 1 + 1e-9 : SAL_CONTROL_REACH, &s->absh,
                      &s->tn, &s->h);
}

/* Lanes whose proposed state is not a number or too large: without an error test nothing else would
 * stop them. */
static sal_m overflowed(const sal_step_state *s, sal_m lanes)
{
  sal_m bad = sal_none();

  for (int i = 0; i < s->n; ++i) bad |= lanes & ~sal_le(sal_abs(s->yn[i]), sal_set(1e300));
  return bad;
}

sal_v sal_integrate_work(const sal_batch *b)
{
  const sal_work_weights *c = &b->setup->work;
  const sal_step_state *s = &b->s;

  return c->rhs * sal_to_double(s->n_rhs) + c->jacobian * sal_to_double(s->n_jac) +
         c->factorisation * sal_to_double(s->n_lu) + c->solve * sal_to_double(s->n_solve);
}

sal_v sal_integrate_spent(const sal_batch *b)
{
  return sal_integrate_work(b) + b->setup->work.rhs * sal_to_double(b->s.n_row);
}

/* Lanes that may have used up their attempts or their budget.  An event may cost thousands of attempts. */
static sal_m lanes_to_look_at(const sal_batch *b)
{
  const sal_m due = SAL_MASK(b->attempts >= b->look), events = SAL_MASK(b->s.n_row > 0);

  return sal_any(events) ? due | (events & sal_gt(sal_integrate_spent(b), b->budget)) : due;
}

/* Retires those of them that have, and returns them.  A projection is an attempt, too: two surfaces may
 * toss a state to and fro for ever. */
static sal_m retire_spent(sal_batch *b, sal_m lanes, sal_m *fresh)
{
  sal_m capped = sal_none(), over = sal_none();

  if (!sal_any(lanes)) return sal_none();
  sal_batch_look(b, lanes, sal_integrate_spent(b), &capped, &over);
  retire_lanes(b, capped, SAL_OUT_STEP_CAP, fresh);
  retire_lanes(b, over, SAL_OUT_OVER_BUDGET, fresh);
  return capped | over;
}

/* After attempts of size `tried` in the lanes of `live`, of which those of `ok` have passed.  Returns
 * the lanes that go on from there. */
static sal_m judge_step(sal_batch *b, sal_m live, sal_m ok, sal_v tried, sal_m *fresh)
{
  sal_step_state *s = &b->s;

  const sal_m wrong = live & ~ok;
  const sal_m stuck = wrong & sal_le(tried, s->hmin);
  sal_count(&b->attempts, live, 1);
  sal_count(&b->failed, wrong, 1);
  s->again |= wrong;
  const sal_m lost = s->fixed > 0 ? overflowed(s, ok) : sal_none();
  const sal_m look = live & lanes_to_look_at(b) & ~stuck & ~lost;
  if (b->has_cutoff) sal_batch_lower_cutoffs(b, live);
  const sal_m over_cutoff =
      b->has_cutoff ? live & sal_gt(sal_integrate_work(b), b->most_work) & ~stuck & ~lost
                    : sal_none();
  if (!sal_any(lost | stuck | look | over_cutoff)) return ok;
  retire_lanes(b, lost, SAL_OUT_NOT_FINITE, fresh);
  retire_lanes(b, stuck, SAL_OUT_UNDERFLOW, fresh);
  const sal_m spent = retire_spent(b, look, fresh);
  const sal_m useless = over_cutoff & sal_eq(b->most_work, sal_set(0));
  retire_lanes(b, useless & ~spent, SAL_OUT_TOO_INACCURATE, fresh);
  retire_lanes(b, over_cutoff & ~useless & ~spent, SAL_OUT_OVER_CUTOFF, fresh);
  return ok & ~stuck & ~spent & ~lost & ~over_cutoff;
}

/* For methods whose dense output is less accurate than their step.  It has state and slope of the step at both ends, so that
 * its error falls with the square of the distance from the end: a step with a root far from there is repeated,
 * so that it ends a little beyond the root.  In a step in which the gap moves by little more than its rounding, or ends so
 * close to the surface, the dense output is as good, and a repeated step could lose the root.  Returns the lanes to commit
 * now. */
static sal_m restep_to_root(sal_batch *b, sal_m ok)
{
  const double near = 0x1p-8, beyond = 0x1p-10, roundings = 0x1p20, few = 64;
  sal_step_state *s = &b->s;
  const sal_v left = 1.0 - b->x.theta;
  const sal_m far = sal_gt(left, sal_set(near)) & sal_gt(b->x.theta, sal_set(0)) &
                    sal_gt(left * s->h, 128.0 * sal_lane_spacing(s->tn));
  sal_m moves = sal_none(); /* a step cut short without a contact has no root */

  for (int k = 0; k < b->at.n; ++k)
    moves |=
        b->x.fired[k] &
        sal_gt(sal_abs(b->at.gap[k]) + sal_abs(s->h * b->at.rate[k]), roundings * b->gap_noise[k]) &
        sal_gt(sal_abs(b->at.gapn[k]), few * b->gap_noise[k]);
  const sal_m repeats = ok & b->x.hit & moves & far & SAL_MASK(b->restep_tries < MAX_RESTEP);
  sal_count(&b->restep_tries, repeats, 1);
  s->absh = sal_sel(repeats, (1 + beyond) * b->x.theta * s->h, s->absh);
  s->again |= repeats;
  b->x.hit &= ~repeats;
  return ok & ~repeats;
}

/* Lets the strategy locate contacts in the step; returns the lanes to commit. */
static sal_m locate_contacts(sal_batch *b, sal_m ok, sal_m *anew, sal_m *fresh)
{
  sal_step_state *s = &b->s;

  b->x.hit = b->x.refuse = b->x.graze = b->x.leap = b->x.lost = sal_none();
  b->x.isolated = b->x.undecided = sal_none();
  b->x.theta = sal_set(1);
  if (!b->strategy || !b->strategy->locate) return ok;
  b->strategy->locate(&b->dense, &b->at, ok, &b->x);
  sal_count(&b->undecided, b->x.undecided & ~b->x.hit, 1);
  const sal_m refuse = b->x.refuse | b->x.lost;
  if (sal_any(refuse)) {
    const sal_m hopeless = refuse & sal_le(0.25 * s->h, s->hmin);
    sal_count(&b->guarded, refuse, 1);
    s->absh = sal_sel(refuse, 0.25 * s->h, s->absh);
    s->again |= refuse;
    s->method->retry(s, refuse & ~hopeless);
    const sal_m rests = sal_change_rest(b, hopeless & ~b->x.lost);
    retire_lanes(b, hopeless & b->x.lost, SAL_OUT_NOT_FINITE, fresh);
    retire_lanes(b, hopeless & ~b->x.lost & ~rests, SAL_OUT_STUCK, fresh);
    *anew |= rests;
    ok &= ~refuse;
  }
  return b->setup->method->restep ? restep_to_root(b, ok) : ok;
}

static void observe_lanes(sal_batch *b, sal_m lanes, sal_v t1)
{
  const sal_step_state *s = &b->s;
  const sal_model *m = b->setup->model;
  const sal_m due = lanes & sal_ge(t1, b->observer.due);

  if (!sal_any(due)) return;
  sal_step_span span = {.t = s->t, .h = s->h, .t1 = t1, .origin = b->dense.origin};
  const sal_m measured = due & b->observer.measured;
  const bool whole = b->observer.sampled || m->n_also > 0 || sal_any(due & b->observer.scored);
  bool all = whole || sal_any(measured);
  if (all) {
    if (whole)
      sal_dense_make(&b->dense, due);
    else
      sal_measured_lanes_make(b, measured, due);
    span.q = s->phase.q;
    span.closed = sal_batch_first_closed(b);
  } else
    all = sal_dense_make_one(&b->dense, m->watch, due);
  span.degree = b->dense.degree >= 0 ? b->dense.degree : b->dense.one_degree;
  span.n = all ? s->n : 1;
  span.c = all ? b->dense.c : b->dense.one_c;
  if (sal_any(measured)) sal_measured_lanes_take(b, measured, &span);
  sal_observe_lanes(&b->observer, due, &span);
}

/* Moves the lanes of `go` to the end of the step or to the event in it.  Returns the lanes that
 * must begin anew. */
static sal_m commit_step(sal_batch *b, sal_m go)
{
  sal_step_state *s = &b->s;
  const sal_m hit = go & b->x.hit;
  const sal_m cut = hit & sal_lt(b->x.theta, sal_set(1));
  const sal_m idle = hit & sal_eq(b->x.theta, sal_set(0));
  const sal_v t1 = sal_sel(cut, s->t + b->x.theta * s->h, s->tn);
  const sal_m on = go & ~hit;

  observe_lanes(b, go & ~idle, t1);
  if (sal_any(cut & ~idle)) {
    sal_dense_state(&b->dense, b->x.theta, b->at.ya);
    sal_assign(s->n, cut & ~idle, s->yn, b->at.ya);
  }
  s->t = sal_sel(go & ~idle, t1, s->t);
  sal_assign(s->n, go & ~idle, s->y, s->yn);
  sal_count(&b->steps, go & ~idle, 1);
  if (b->strategy) {
    sal_contacts_leave(&b->at, on);
    sal_assign(b->at.n, on, b->at.gap, b->at.gapn);
    sal_assign(b->at.n, on, b->at.rate, b->at.raten);
  }
  const sal_m onward = on & sal_lt(s->t, s->t_end);
  if (sal_any(onward)) s->method->advance(s, onward);
  s->again &= ~go;
  /* not before: an attempt that fails is repeated */
  b->restep_tries = sal_pick(go, sal_none(), b->restep_tries);
  if (!sal_any(hit)) return sal_none();
  sal_change_mode(b, hit, idle);
  sal_count(&b->grazes, hit & b->x.graze, 1);
  sal_count(&b->leaps, hit & b->x.leap, 1);
  sal_count(&b->isolated, hit & b->x.isolated, 1);
  return hit;
}

/* Moves lanes close to a surface onto it by the strategy's own step.  Returns those that must begin
 * anew. */
static sal_m project_lanes(sal_batch *b)
{
  sal_step_state *s = &b->s;

  b->moved = sal_none();
  if (!b->strategy || !b->strategy->project) return sal_none();
  b->moved = b->strategy->project(s, &b->at, b->live & ~s->again, &b->x);
  if (!sal_any(b->moved)) return sal_none();
  for (int i = 0; i < s->n; ++i) { /* dense output of a projection: a parabola */
    const sal_v line = s->h * s->f[i];
    b->dense.c[i] = s->y[i];
    b->dense.c[s->n + i] = line;
    b->dense.c[2 * s->n + i] = (s->yn[i] - s->y[i]) - line;
  }
  const double origin = b->dense.origin;
  b->dense.degree = 2;
  b->dense.paid = ~sal_none();
  b->dense.origin = 0;
  observe_lanes(b, b->moved, s->tn);
  b->dense.origin = origin;
  s->t = sal_sel(b->moved, s->tn, s->t);
  sal_assign(s->n, b->moved, s->y, s->yn);
  sal_count(&b->projections, b->moved, 1);
  sal_count(&b->attempts, b->moved, 1);
  sal_change_mode(b, b->moved, b->moved & sal_eq(s->h, sal_set(0)));
  return b->moved;
}

/* Event-selected means that a surface is left by the field after it as it is reached by the field
 * before it (liveness).  Returns the lanes just projected in which the field before would go on and
 * the one after leads back; a contact only grazed is turned back by both.  Rates of a row do not
 * depend on the mode. */
static sal_m lanes_not_event_selected(sal_batch *b)
{
  sal_step_state *s = &b->s;
  const sal_v zero = sal_set(0);
  sal_m back = sal_none(), ahead = sal_none();

  if (!b->setup->strategy->held || b->at.in_row) return back;
  for (int k = 0; k < b->at.n; ++k)
    back |= b->moved & b->x.fired[k] & sal_lt(b->at.side[k] * b->at.rate[k], zero);
  if (!sal_any(back)) return back;
  for (int k = 0; k < b->at.n; ++k) s->phase.closed[k] ^= back & b->x.fired[k];
  sal_method_rhs(s, back, s->t, s->y, b->at.yb);
  sal_contacts_look(s, &b->at, back, s->t, s->y, b->at.yb, b->at.ga, b->at.ra);
  for (int k = 0; k < b->at.n; ++k) {
    s->phase.closed[k] ^= back & b->x.fired[k];
    /* where the gap is another one in each mode, they do not meet at this surface */
    ahead |= b->x.fired[k] & sal_gt(b->at.side[k] * b->at.ra[k], zero) &
             sal_eq(b->at.gap[k], b->at.ga[k]);
  }
  return back & ahead;
}

/* Lanes of `fresh` have a new job; those of `anew` begin anew where they are; those of b->moved have
 * been projected. */
static void begin_lanes(sal_batch *b, sal_m anew, sal_m fresh)
{
  sal_step_state *s = &b->s;

  retire_lanes(b, (anew | b->moved) & ~fresh & b->s.unsolved, SAL_OUT_UNSOLVED, &fresh);
  retire_lanes(b, anew & ~fresh & sal_change_stuck(b), SAL_OUT_STUCK, &fresh);
  retire_lanes(b, b->moved & ~fresh & ~b->ended & sal_ge(s->t, b->t_last), SAL_OUT_DONE, &fresh);
  if (sal_any(b->moved))
    (void)retire_spent(b, b->moved & ~fresh & ~b->ended & lanes_to_look_at(b), &fresh);
  anew &= b->live & ~fresh & ~b->ended;
  sal_count(&b->restarts, anew, 1);
  enter_lanes(b, fresh, &fresh);
  if (sal_any(anew)) start_lanes(b, anew);
  b->moved &= b->live & ~fresh & ~b->ended;
  sal_m late = sal_none();
  if (sal_any(anew)) {
    const sal_m wrong = sal_change_note_rebound(b, anew);
    const sal_m unheld = sal_change_unheld(b, anew & ~wrong);
    retire_lanes(b, wrong, SAL_OUT_BAD_JUMP, &late);
    retire_lanes(b, unheld, SAL_OUT_ZENO, &late);
  }
  b->moved &= ~late;
  if (sal_any(b->moved))
    retire_lanes(b, lanes_not_event_selected(b), SAL_OUT_NOT_EVENT_SELECTED, &late);
  enter_lanes(b, late, &fresh);
  b->cruise = sal_sel(fresh, s->absh, b->cruise);
  s->absh = sal_sel(b->moved & ~fresh, sal_min(b->cruise, s->hmax), s->absh);
  if (b->setup->strategy->held && b->setup->strategy->zoned) sal_change_watch(b, ~fresh);
}

void sal_integrate_end_turn(sal_batch *b, sal_m live, sal_m ok, sal_v tried, sal_m anew)
{
  const sal_step_state *s = &b->s;
  sal_m fresh = sal_none(), go = sal_none();
  const bool zoned = b->setup->strategy->held && b->setup->strategy->zoned;

  sal_dense_begin(&b->dense);

  ok = judge_step(b, live, ok, tried, &fresh);
  if (sal_any(ok)) {
    go = locate_contacts(b, ok, &anew, &fresh);
    anew |= commit_step(b, go);
  }
  if (s->phase.since) anew |= sal_times_pass(b, (go | anew) & b->live & ~fresh & ~b->ended, anew);
  const sal_m there = go & ~fresh & ~b->ended & sal_ge(s->t, b->t_last);
  if (sal_any(there)) retire_lanes(b, there & ~sal_change_due(b), SAL_OUT_DONE, &fresh);
  if (zoned || sal_any(anew | b->moved | fresh)) begin_lanes(b, anew, fresh);
}

void sal_integrate_end_lanes(sal_batch *b)
{
  while (sal_any(b->ended & b->live)) {
    sal_m fresh = sal_none();
    retire_lanes(b, b->ended, SAL_OUT_ENDED, &fresh);
    b->ended &= b->live;
    if (!sal_any(fresh)) continue;
    enter_lanes(b, fresh, &fresh);
    b->cruise = sal_sel(fresh, b->s.absh, b->cruise);
  }
}

sal_m sal_integrate_begin_turn(sal_batch *b)
{
  const sal_m anew = project_lanes(b);

  propose_size(b);
  return anew;
}

void sal_integrate_observe(sal_batch *b, sal_m lanes)
{
  sal_dense_begin(&b->dense);
  observe_lanes(b, lanes, b->s.tn);
}

void sal_integrate_enter(sal_batch *b)
{
  sal_m fresh = sal_none();

  enter_lanes(b, ~sal_none(), &fresh);
  b->cruise = b->s.absh;
}
