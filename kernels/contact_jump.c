/** Landing, impact and what holds afterwards, at width 1. */
#include "contact_jump.h"
#include "contact_rows.h"
#include "contact_solve.h"
#include "lane.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { TURNS = 1 << 12 };

static bool takes_part(const sal_contact_mode *of) { return of->closed || of->opens; }

/* Contacts that are beyond their surfaces have no part in the event. */
static void leave_out(sal_contact_motion *s)
{
  for (int c = 0; c < s->m; ++c) {
    sal_contact_mode *of = &s->mode[c];
    if (of->away) of->closed = of->sticks = of->lands = of->opens = of->stops = of->breaks = false;
  }
}

static bool land(sal_contact_motion *s, sal_contact_rows *p)
{
  for (int c = 0; c < s->m; ++c) s->mode[c].takes = s->mode[c].lies = takes_part(&s->mode[c]);
  return s->stays || sal_contact_rows_land(s, p);
}

/* How far a contact that opens is lifted off 0: some roundings of its gap. */
static double lift_of(const sal_contact_motion *s, int c)
{
  double size = 0;

  for (int i = 0; i < s->n; ++i) size += fabs(s->terms[c].normal[i] * s->q[i]);
  return 8 * DBL_EPSILON * size + s->grain;
}

/* Lifts gaps of contacts that open off 0 by some roundings, and rates by what accelerations gain in some roundings of time,
 * lest rounding close them again; closed ones keep theirs. */
static void lift(sal_contact_motion *s, sal_contact_rows *p, bool positions)
{
  for (int c = 0; c < s->m; ++c) s->mode[c].takes = s->mode[c].parts;
  sal_contact_rows_pose(s, true, p);
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_terms *t = &s->terms[p->of[k]];
    const double least = positions ? lift_of(s, p->of[k]) : s->moment * p->size[2 * k];
    const double now = positions ? 0 : t->drift + sal_contact_rows_dot(s->n, t->normal, s->v);
    if (s->mode[p->of[k]].closed)
      p->u[2 * k] = positions ? least : 0;
    else
      p->u[2 * k] = now - least;
    p->u[2 * k + 1] = p->r[2 * k + 1] = 0;
  }
  if (sal_contact_rows_push(p)) sal_contact_rows_respond(p, positions ? s->q : s->v);
}

/* ---- impacts ---------------------------------------------------------------------------------- */

/* A contact that slides does so with its own coefficient: true where one has changed. */
static bool use_sliding(const sal_contact_motion *s, sal_contact_rows *p)
{
  bool any = false;

  for (int k = 0; k < p->m; ++k) {
    const double mu = s->terms[p->of[k]].mu;
    if (p->mu[k] == 0 || p->slides[k] == 0 || p->mu[k] == mu) continue;
    p->mu[k] = mu;
    any = true;
  }
  return any;
}

/* Rates below this are rounding: of their own terms, or of the time in which accelerations make them. */
static double blur_of_rates(const sal_contact_rows *p, double moment)
{
  double most = 0;

  for (int i = 0; i < 2 * p->m; ++i) {
    double gain = 0;
    for (int j = 0; j < p->n; ++j) gain += fabs(p->row[i * p->n + j] * p->free[j]);
    most = sal_max(most, sal_max(1e-12 * p->size[i], moment * gain));
  }
  return most;
}

/* By Poisson's law the impulse of expansion is at least e times that of compression, r, after which velocities are v
 * (Pfeiffer and Glocker 1996, chapter 8); `least` has that of each row. */
static bool expand(sal_contact_motion *s, sal_contact_rows *p)
{
  const int n = 2 * p->m;
  bool any = false;

  p->least = p->room;
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_terms *t = &s->terms[p->of[k]];
    const bool rebounds = t->poisson && !s->mode[p->of[k]].rests;
    p->least[k] = rebounds ? t->restitution * p->r[2 * k] : 0;
    any |= p->least[k] > 0;
  }
  if (!any) return true;
  for (int k = 0; k < p->m; ++k) {
    p->r[2 * k] = p->least[k];
    p->r[2 * k + 1] = 0;
  }
  sal_contact_rows_respond(p, s->v);
  for (int i = 0; i < n; ++i) p->u[i] = p->w[i] + sal_contact_rows_dot(n, p->W + i * n, p->r);
  memset(p->r, 0, (size_t)n * sizeof *p->r);
  if (!sal_contact_rows_solve(p)) return false;
  sal_contact_rows_respond(p, s->v);
  return true;
}

/* Nothing rebounds in this event. */
static bool is_plastic(const sal_contact_motion *s, const sal_contact_rows *p)
{
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_terms *t = &s->terms[p->of[k]];
    const sal_contact_mode *of = &s->mode[p->of[k]];
    const bool may = of->lands || t->poisson || s->in_sequence;
    if (may && !of->rests && t->restitution > 0) return false;
  }
  return true;
}

/* Is contact k closed at this rate?  With a low one it rises by less than it is lifted off 0 as it opens: such flights are
 * those of rounding, and contacts that throw each other up in turn come to no end.  It is closed if a force holds it. */
static void note_rate(sal_contact_motion *s, const sal_contact_rows *p, int k, double rate,
                      double least)
{
  sal_contact_mode *of = &s->mode[p->of[k]];
  double gain = 0;

  for (int j = 0; j < p->n; ++j) gain += fabs(p->row[2 * k * p->n + j] * p->free[j]);
  of->rises = rate > least && rate * rate <= 2 * gain * lift_of(s, p->of[k]) && is_plastic(s, p);
  of->closed = rate <= least || of->rises;
}

/* Strikes the contacts whose rates are posed; with Newton's law their rates after it are -e times those before. */
static bool rebound(sal_contact_motion *s, sal_contact_rows *p, double blur)
{
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_terms *t = &s->terms[p->of[k]];
    sal_contact_mode *of = &s->mode[p->of[k]];
    const bool rebounds = (of->lands || s->in_sequence) && !of->rests && !t->poisson;
    of->bounces = rebounds && p->u[2 * k] < -blur;
    if (of->bounces) p->u[2 * k] *= 1 + t->restitution;
  }
  do
    if (!sal_contact_rows_solve(p)) return false;
  while (use_sliding(s, p));
  sal_contact_rows_respond(p, s->v);
  return expand(s, p);
}

static void pose_all(sal_contact_motion *s, sal_contact_rows *p)
{
  for (int c = 0; c < s->m; ++c) s->mode[c].takes = takes_part(&s->mode[c]) || s->mode[c].lands;
  sal_contact_rows_pose(s, false, p);
}

/* Strikes one contact after another, the fastest first and equal ones together, until none approaches; what still does
 * after TURNS of them is left. */
static bool rebound_in_sequence(sal_contact_motion *s, sal_contact_rows *p, double blur)
{
  for (int turn = 0; turn < TURNS; ++turn) {
    double fastest = -blur;
    pose_all(s, p);
    for (int k = 0; k < p->m; ++k) fastest = p->u[2 * k] < fastest ? p->u[2 * k] : fastest;
    if (fastest == -blur) break;
    for (int k = 0; k < p->m; ++k) s->mode[p->of[k]].takes = p->u[2 * k] <= fastest * (1 - 1e-9);
    sal_contact_rows_pose(s, false, p);
    if (!rebound(s, p, blur)) return false;
  }
  pose_all(s, p);
  for (int i = 0; i < 2 * p->m; ++i)
    if (fabs(p->u[i]) <= blur) p->u[i] = 0;
  return true;
}

/* Which contacts stay closed, and how they slide, by the rates after the impact. */
static void note_struck(sal_contact_motion *s, const sal_contact_rows *p, double blur)
{
  for (int k = 0; k < p->m; ++k) {
    sal_contact_mode *of = &s->mode[p->of[k]];
    const double rate = sal_contact_rows_dot(s->n, sal_contact_rows_row(p, 2 * k), s->v);
    of->struck = p->r[2 * k] > 0;
    of->slid = p->slides[k];
    note_rate(s, p, k, rate + s->terms[p->of[k]].drift, blur);
    of->opens = of->opens && of->closed;
    if (!of->rubs) continue;
    of->sticks = of->closed && p->slides[k] == 0;
    if (p->slides[k]) of->sense = p->slides[k];
  }
}

static bool strike(sal_contact_motion *s, sal_contact_rows *p)
{
  bool any = s->in_sequence, flies = false;

  if (!sal_contact_rows_fall(s, p)) return false;
  for (int c = 0; c < s->m; ++c) flies |= s->mode[c].lands && !s->mode[c].rests;
  for (int c = 0; c < s->m; ++c) s->mode[c].gain = 0, s->mode[c].rises = false;
  for (int c = 0; c < s->m && !flies; ++c) s->mode[c].rests = true; /* nothing throws others up */
  sal_contact_rows_steady(s, p);
  pose_all(s, p);
  const double blur = blur_of_rates(p, s->moment);
  for (int k = 0; k < p->m; ++k) {
    sal_contact_mode *of = &s->mode[p->of[k]];
    if (!of->lands) continue;
    note_rate(s, p, k, p->u[2 * k], blur);
    any |= p->u[2 * k] < -blur;
  }
  if (!any) return true;
  if (s->in_sequence && !rebound_in_sequence(s, p, blur)) return false;
  if (!rebound(s, p, blur)) return false;
  note_struck(s, p, blur);
  return true;
}

/* ---- what holds ------------------------------------------------------------------------------- */

/* Friction of closed contacts as it begins: those that stick, or stop with another one, may slide; the others do. */
static void begin_friction(const sal_contact_motion *s, sal_contact_rows *p)
{
  bool any = false;

  for (int k = 0; k < p->m; ++k) any |= s->mode[p->of[k]].stops;
  for (int k = 0; k < p->m; ++k) {
    sal_contact_mode *of = &s->mode[p->of[k]];
    const sal_contact_terms *t = &s->terms[p->of[k]];
    if (!of->rubs) continue;
    if (any && !of->breaks && !of->sticks) {
      double size;
      const double speed = sal_contact_rows_rate(s->n, t->along, s->v, t->slide_drift, &size);
      const double blur =
          1e-6 * size + 0x1p20 * s->moment * sal_contact_solve_largest(2 * p->m, p->size);
      of->sticks = fabs(speed) <= sal_max(blur, 1e-6 * sal_contact_solve_largest(s->n, s->v));
      if (!of->sticks && of->stops) of->sense = speed < 0 ? -1 : 1;
    }
    if (of->sticks) continue;
    p->mu[k] = t->mu;
    p->sense[k] = of->sense;
  }
}

/* Contacts that stuck and slide now, or whose hold breaks in this event; true where one has changed. */
static bool end_sticking(const sal_contact_motion *s, sal_contact_rows *p)
{
  bool any = false;

  for (int k = 0; k < p->m; ++k) {
    sal_contact_mode *of = &s->mode[p->of[k]];
    if (!of->rubs || !of->sticks) continue;
    const int way = p->slides[k] ? p->slides[k] : !of->breaks ? 0 : p->r[2 * k + 1] < 0 ? 1 : -1;
    if (way == 0) continue;
    of->sticks = of->breaks = false;
    of->stuck = true;
    of->sense = way;
    p->mu[k] = s->terms[p->of[k]].mu;
    p->sense[k] = way;
    any = true;
  }
  return any;
}

static bool hold(const sal_contact_motion *s, sal_contact_rows *p)
{
  sal_contact_rows_pose(s, true, p);
  begin_friction(s, p);
  for (int round = 0; round < 2 * p->m + 10; ++round) {
    if (!sal_contact_rows_solve(p)) return false;
    if (!end_sticking(s, p)) return true;
  }
  return false;
}

/* The speed of a contact that has just stopped is an error of the step.  Where sliding with it has no solution it sticks; false: none
 * is left that may. */
static bool jam(sal_contact_motion *s)
{
  bool any = false;

  for (int c = 0; c < s->m; ++c) {
    sal_contact_mode *of = &s->mode[c];
    if (!of->stops || of->sticks) continue;
    of->stops = false;
    of->sticks = any = true;
  }
  return any;
}

/* Does a contact that its force has released fall back?  It is closed then. */
static bool falls_back(sal_contact_motion *s, sal_contact_rows *p)
{
  double *a = p->was;
  bool any = false;

  memcpy(a, p->free, (size_t)s->n * sizeof *a);
  sal_contact_rows_respond(p, a);
  for (int c = 0; c < s->m; ++c) {
    const sal_contact_terms *t = &s->terms[c];
    double size;
    const double second =
        sal_contact_rows_rate(t->to - t->from, t->normal + t->from, a + t->from, t->turn, &size);
    if (s->mode[c].takes || !s->mode[c].opens || !(second < -1e-8 * size)) continue;
    s->mode[c].takes = any = true;
  }
  return any;
}

/* Is the force of contact k of the rows nothing but rounding of its terms? */
static bool is_nothing(const sal_contact_rows *p, int k)
{
  const int n = 2 * k;

  return p->size[n] > 0 && p->r[n] * p->W[n * (2 * p->m + 1)] <= 1e-13 * p->size[n];
}

static bool settle(sal_contact_motion *s, sal_contact_rows *p)
{
  if (!sal_contact_rows_fall(s, p)) return false;
  for (int c = 0; c < s->m; ++c) {
    sal_contact_mode *of = &s->mode[c];
    of->parts = takes_part(of) || of->lands;
    of->takes = of->closed && !of->opens;
    of->stuck = false;
    of->lands = false;
  }
  do
    while (!hold(s, p))
      if (!jam(s)) return false;
  while (!s->unique && falls_back(s, p));
  const double blur = 1e-11 * sal_contact_solve_largest(2 * p->m, p->size);
  for (int c = 0; c < s->m; ++c) s->mode[c].closed = false;
  for (int k = 0; k < p->m; ++k) {
    sal_contact_mode *of = &s->mode[p->of[k]];
    of->closed = p->w[2 * k] <= blur && !((s->unique || of->rises) && is_nothing(p, k));
    if (of->stuck && !of->sticks) of->gain = s->moment * p->size[2 * k + 1];
  }
  for (int c = 0; c < s->m; ++c) s->mode[c].sticks = s->mode[c].sticks && s->mode[c].closed;
  sal_contact_rows_steady(s, p);
  lift(s, p, false);
  lift(s, p, true);
  return true;
}

/* Is contact c on its surface within rounding, with terms evaluated near q and v? */
static bool touches(const sal_contact_motion *s, int c, const double q[], const double v[])
{
  const sal_contact_terms *t = &s->terms[c];
  double size = fabs(t->drift) * s->moment + s->grain;

  if (s->mode[c].away) return false;
  for (int i = t->from; i < t->to; ++i)
    size += fabs(t->normal[i]) * (8 * DBL_EPSILON * fabs(q[i]) + s->moment * fabs(v[i]));
  return fabs(t->gap) <= 8 * size;
}

/* Where one lands, open ones that are on their surfaces within rounding land with it. */
static void join(sal_contact_motion *s, const sal_contact_rows *p)
{
  bool any = false;

  for (int c = 0; c < s->m; ++c) any |= s->mode[c].lands;
  for (int c = 0; c < s->m && any; ++c) {
    sal_contact_mode *of = &s->mode[c];
    if (!takes_part(of) && touches(s, c, p->was, p->was + s->n)) of->closed = of->lands = true;
  }
}

void sal_contact_jump_note(sal_contact_mode *mode, bool fired, bool grip_fired)
{
  mode->lands = fired && mode->closed;
  mode->opens = fired && !mode->closed;
  if (mode->rubs && grip_fired && mode->closed) {
    mode->stops = mode->sticks;
    mode->breaks = !mode->sticks;
    mode->sticks = mode->breaks;
  }
}

bool sal_contact_jump(sal_contact_motion *s, sal_contact_evaluate *evaluate, void *of)
{
  sal_contact_rows p = sal_contact_rows_open(s);
  const size_t n = (size_t)s->n;

  memcpy(p.was, s->q, n * sizeof *s->q);
  memcpy(p.was + n, s->v, n * sizeof *s->v);
  leave_out(s);
  if (!land(s, &p) || !evaluate(of, s)) return false;
  join(s, &p);
  if (!strike(s, &p) || !evaluate(of, s) || !settle(s, &p)) return false;
#ifdef SAL_CHECKED
  /* With friction the contacts that stay may have another solution, which the check may find; and where q and v stay, so does
   * what errors of steps have made of rates. */
  bool other = s->stays;
  for (int c = 0; c < s->m; ++c) other |= s->mode[c].rubs;
  assert(other || sal_contact_jump_violation(s) <= 1e-7);
#endif
  return true;
}
