/** A hybrid system in metres and seconds, by the classical Runge-Kutta method from event to event.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 6 };

/* An event is where the gap falls below 0; gap NULL: none. */
typedef struct {
  int n;
  void (*flow)(double t, const double y[], int mode, double dy[]);
  double (*gap)(double t, const double y[], int mode);
  int (*jump)(double t, double y[], int mode); /* the next mode */
} hybrid;

static void step(const hybrid *s, double t, double h, int mode, const double y[], double out[])
{
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
  double k[N] = {0}, x[N], sum[N] = {0};

  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < s->n; ++i) x[i] = y[i] + at[stage] * h * k[i];
    s->flow(t + at[stage] * h, x, mode, k);
    for (int i = 0; i < s->n; ++i) sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < s->n; ++i) out[i] = y[i] + h * sum[i];
}

/* The largest step up to h before the event. */
static double locate(const hybrid *s, double t, double h, int mode, const double y[])
{
  double low = 0, high = h, next[N];

  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    step(s, t, middle, mode, y, next);
    if (s->gap(t + middle, next, mode) < 0)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* Returns how many events there were. */
static int follow(const hybrid *s, double t_end, double h, double y[])
{
  double t = 0, next[N];
  int mode = 0, events = 0;

  while (t < t_end) {
    const double most = fmin(h, t_end - t);
    step(s, t, most, mode, y, next);
    const bool meets = s->gap && s->gap(t + most, next, mode) < 0;
    const double taken = meets ? locate(s, t, most, mode, y) : most;
    if (meets) step(s, t, taken, mode, y, next);
    memcpy(y, next, sizeof next);
    t = t_end - t <= taken ? t_end : t + taken;
    if (meets) mode = s->jump(t, y, mode);
    events += meets;
    if (events > 1000) break; /* it hovers */
  }
  return events;
}
