/** Closed contacts in their modes: how far from opening, and from the laws. */
#include "contact_jump.h"
#include "contact_rows.h"
#include "contact_solve.h"
#include "lane.h"
#include <math.h>
#include <string.h>

/* The closed contacts in their modes under their forces: w are their accelerations. */
static bool press(sal_contact_motion *s, sal_contact_rows *p)
{
  if (!sal_contact_rows_fall(s, p)) return false;
  for (int c = 0; c < s->m; ++c) s->mode[c].takes = s->mode[c].closed;
  sal_contact_rows_pose(s, true, p);
  for (int k = 0; k < p->m; ++k)
    if (s->mode[p->of[k]].rubs && !s->mode[p->of[k]].sticks) {
      p->mu[k] = s->terms[p->of[k]].mu;
      p->sense[k] = s->mode[p->of[k]].sense;
    }
  return sal_contact_rows_solve(p);
}

/* By how much contact c moves back, or moves where it is closed: its rate, or where that is nothing its acceleration. */
static double falls_by(const sal_contact_motion *s, int c, const sal_contact_rows *p,
                       const double a[])
{
  const sal_contact_terms *t = &s->terms[c];
  const bool closed = s->mode[c].closed;
  double rate = t->drift, size = fabs(t->drift), second = t->turn, force = fabs(t->turn);

  for (int i = t->from; i < t->to; ++i) {
    rate += t->normal[i] * s->v[i];
    size += fabs(t->normal[i]) * (fabs(s->v[i]) + fabs(p->was[s->n + i])); /* v ahead of it, too */
    second += t->normal[i] * a[i];
    force += fabs(t->normal[i]) * (fabs(a[i]) + fabs(p->free[i]));
  }
  const double least = 1e-9 * size + 16 * s->moment * force;
  const bool rests = -rate <= least && rate <= (closed ? least : 1e-12 * size); /* or it rebounds */
  const double by = rests ? -second : -rate, of = rests ? force : size;
  return of > 0 ? (closed ? fabs(by) : by) / of : 0;
}

double sal_contact_jump_violation(sal_contact_motion *s)
{
  sal_contact_rows p = sal_contact_rows_open(s);
  double worst = 0;

  if (!press(s, &p)) return INFINITY;
  const double unit = sal_contact_solve_largest(2 * p.m, p.size);
  for (int k = 0; k < p.m && unit > 0; ++k) {
    const bool sticks = s->mode[p.of[k]].sticks;
    worst = sal_max(worst, fabs(p.w[2 * k]) / unit);
    if (sticks) worst = sal_max(worst, fabs(p.w[2 * k + 1]) / unit);
  }
  double *a = p.was;
  memcpy(a, p.free, (size_t)s->n * sizeof *a);
  sal_contact_rows_respond(&p, a);
  for (int c = 0; c < s->m; ++c)
    if (s->mode[c].parts) worst = sal_max(worst, falls_by(s, c, &p, a));
  return worst;
}

bool sal_contact_jump_margins(sal_contact_motion *s)
{
  sal_contact_rows p = sal_contact_rows_open(s);

  if (!press(s, &p)) return false;
  const double some = 1e-10 * sal_contact_solve_largest(2 * p.m, p.size);
  for (int k = 0; k < p.m; ++k) {
    const int n = 2 * k, t = n + 1, rows = 2 * p.m;
    sal_contact_mode *of = &s->mode[p.of[k]];
    const double W_n = p.W[n * (rows + 1)], W_t = p.W[t * (rows + 1)];
    of->force = p.r[n] - (p.w[n] - some) / W_n;
    if (W_t > 0) of->pull = p.mu[k] * p.r[n] - fabs(p.r[t]) - (fabs(p.w[t]) - some) / W_t;
  }
  return true;
}
