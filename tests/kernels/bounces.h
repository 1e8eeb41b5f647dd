/** The exact solution of the model linear-ground: free flight and the damped oscillator, joined at
 *  touchdowns and lift-offs that are found in long double by bisection.
 */
#pragma once

#include <math.h>
#include <stdbool.h>

enum { BOUNCES_MAX = 64 };

/** A phase: it begins at t with (y, v), lasts until the next one begins. */
typedef struct {
  long double t, y, v;
  bool closed;
} bounces_phase;

typedef struct {
  long double g, k, d; /* gravity, stiffness and damping over mass; d^2 < 4 k */
  int n;
  bounces_phase phase[BOUNCES_MAX];
} bounces;

/** (y, v) of one phase a time s after its beginning. */
static inline void bounces_in_phase(const bounces *b, const bounces_phase *p, long double s,
                                    long double y[])
{
  if (!p->closed) {
    y[0] = p->y + s * (p->v - s * b->g / 2);
    y[1] = p->v - s * b->g;
    return;
  }
  const long double rest = -b->g / b->k, decay = b->d / 2, w = sqrtl(b->k - decay * decay);
  const long double A = p->y - rest, B = (p->v + decay * A) / w;
  const long double e = expl(-decay * s), c = cosl(w * s), sine = sinl(w * s);
  y[0] = rest + e * (A * c + B * sine);
  y[1] = e * ((w * B - decay * A) * c - (w * A + decay * B) * sine);
}

/** How long a phase that begins with y = 0 or falls lasts; infinity when it never ends within
 *  `most`.  Looks in steps far shorter than half a swing on the spring and than a flight. */
static inline long double bounces_length(const bounces *b, const bounces_phase *p, long double most)
{
  const long double half = b->d / 2, side = p->closed ? -1 : 1;
  const long double swing = p->closed ? 3 / sqrtl(b->k - half * half) : 2 * fabsl(p->v) / b->g;
  const long double step = swing > 0 ? fminl(most / 1000, swing / 64) : most / 1000;
  long double lo = step, y[2];

  for (;; lo += step) {
    if (lo > most) return INFINITY;
    bounces_in_phase(b, p, lo + step, y);
    if (side * y[0] < 0) break;
  }
  long double hi = lo + step;
  for (int i = 0; i < 80; ++i) {
    const long double mid = (lo + hi) / 2;
    bounces_in_phase(b, p, mid, y);
    if (side * y[0] > 0)
      lo = mid;
    else
      hi = mid;
  }
  return hi;
}

/** All phases of [0, span] from (y, v) above or on the ground. */
static inline bounces bounces_solve(const double param[], double y, double v, double span)
{
  bounces b = {.g = param[0], .k = param[1], .d = param[2], .n = 1};

  b.phase[0] = (bounces_phase){0, y, v, y <= 0 && v <= 0};
  while (b.n < BOUNCES_MAX) {
    const bounces_phase *p = &b.phase[b.n - 1];
    const long double last = bounces_length(&b, p, span);
    long double end[2];
    if (!(p->t + last < span)) break;
    bounces_in_phase(&b, p, last, end);
    b.phase[b.n++] = (bounces_phase){p->t + last, 0, end[1], !p->closed};
  }
  return b;
}

static inline void bounces_at(const bounces *b, long double t, long double y[])
{
  int i = b->n - 1;

  while (i > 0 && b->phase[i].t > t) --i;
  bounces_in_phase(b, &b->phase[i], t - b->phase[i].t, y);
}
