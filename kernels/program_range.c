/** Gaps and rates of programs over boxes of time and states, in all lanes at once (lane half). */
#include "interval.h"
#include "program.h"

/* ---- tables ---- */

static void extend(double lo, double hi, double range[2])
{
  range[0] = lo < range[0] ? lo : range[0];
  range[1] = hi > range[1] ? hi : range[1];
}

/* Adds the values of a cubic between u = a and u = b to range: its Bernstein coefficients there enclose them.
 * c: its coefficients, the derivative of that order is meant. */
static void add_piece(const double c[], int order, double a, double b, double range[2])
{
  double e[SAL_LOOKUP_ORDERS] = {0}, size = 0, w = 1;

  for (int j = order; j < SAL_LOOKUP_ORDERS; ++j) {
    e[j - order] = c[j];
    for (int k = 0; k < order; ++k) e[j - order] *= j - k;
  }
  for (int j = 3; j >= 0; --j) size = size * fabs(b) + fabs(e[j]);
  for (int j = 0; j < 3; ++j)
    for (int k = 2; k >= j; --k) e[k] += a * e[k + 1];
  for (int j = 0; j < 4; ++j, w *= b - a) e[j] *= w;
  const double at[] = {e[0], e[0] + e[1] / 3, e[0] + (2 * e[1] + e[2]) / 3,
                       e[0] + e[1] + e[2] + e[3]};
  for (int j = 0; j < 4; ++j) extend(at[j] - 0x1p-50 * size, at[j] + 0x1p-50 * size, range);
}

/* Whether the function leaps between lo and hi: its derivatives do at knots, it does where it ends. */
static bool add_table(const sal_lookup *t, int order, double lo, double hi, double range[2])
{
  const double first = t->knot[0], last = t->knot[t->n_knot - 1];
  const int from = sal_lookup_piece(t, lo), to = sal_lookup_piece(t, hi);
  bool leaps = order > 0 && from < to;

  for (int side = 0; side < 2; ++side) {
    const double out = order ? 0 : t->outside[side], end = side ? last : first;
    if (side ? !(hi > last) : !(lo < first)) continue;
    extend(out, out, range);
    leaps |= lo <= end && hi >= end && (order > 0 || out != sal_lookup_at(t, 0, end));
  }
  for (int i = from; i <= to && lo <= last && hi >= first; ++i)
    add_piece(t->piece + SAL_LOOKUP_ORDERS * i, order, lo > t->knot[i] ? lo - t->knot[i] : 0,
              (hi < t->knot[i + 1] ? hi : t->knot[i + 1]) - t->knot[i], range);
  return leaps;
}

static sal_interval table_range(const sal_phase *s, int index, sal_interval x)
{
  const sal_flow_programs *f = s->inner;
  sal_interval out = x;

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    double range[2] = {INFINITY, -INFINITY};
    if (add_table(&f->table[index / SAL_LOOKUP_ORDERS], index % SAL_LOOKUP_ORDERS,
                  SAL_AT(x.lo, lane), SAL_AT(x.hi, lane), range))
      SAL_AT(out.torn, lane) = -1;
    SAL_AT(out.lo, lane) = range[0];
    SAL_AT(out.hi, lane) = range[1];
  }
  return sal_interval_round(out.lo, out.hi, out.torn);
}

/* ---- programs ---- */

#define PHASE s
#define CLOSING sal_none()
#define SAL_PROGRAM_VALUE(does, range) (range)
#define SAL_PROGRAM_CODE code
#define SAL_PROGRAM_NUMBER sal_interval

static void enclose(const sal_program *program, const sal_phase *s, sal_interval r[])
{
#include "program_loop.def"
}

void sal_program_range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                       const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[],
                       sal_v rate0[], sal_v rate1[])
{
  const sal_flow_programs *f = s->inner;
  const sal_program *guard = &f->guard;
  const int n = f->n_continuous, state = f->n_words, time = state + n + f->n_discrete;
  sal_interval *r = SAL_PROGRAM_ROOM(sal_interval, guard);

  if (f->n_guard == 0) return;
  for (int i = 0; i < guard->n_word; ++i) r[guard->word[i]] = sal_interval_at(s->p[guard->word[i]]);
  for (int i = 0; i < n; ++i) {
    r[state + i] = sal_interval_of(y0[i], y1[i]);
    r[time + 1 + i] = sal_interval_of(dy0[i], dy1[i]);
  }
  for (int i = 0; i < f->n_discrete; ++i) r[state + n + i] = sal_interval_at(s->q[i]);
  r[time] = sal_interval_of(t0, t1);
  for (int i = 0; i < guard->n_constant; ++i)
    r[guard->first_constant + i] = sal_interval_at(sal_set(guard->constant[i]));
  enclose(guard, s, r);
  /* their gaps may come from the contact problem (sal_contact_program.release) */
  const sal_m redundant = sal_program_may_be_redundant(s);
  for (int k = 0; k < f->n_guard; ++k) {
    const sal_m unknown = redundant & s->closed[k];
    sal_interval gap = r[guard->out[k]];
    gap.lo = sal_sel(unknown, sal_set(-INFINITY), gap.lo);
    gap.hi = sal_sel(unknown, sal_set(INFINITY), gap.hi);
    gap.torn |= unknown;
    sal_interval_put(k, gap, r[guard->out[f->n_guard + k]], gap0, gap1, rate0, rate1);
  }
}
