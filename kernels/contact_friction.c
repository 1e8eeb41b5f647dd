/** Lemke's method for few contacts with friction, projected Gauss-Seidel sweeps for many. */
#include "contact_friction.h"
#include "contact_lemke.h"
#include "contact_solve.h"
#include <math.h>
#include <string.h>

/* Lemke's method is the first up to FEW contacts, and goes on from sweeps that do not end up to MANY. */
enum { FEW = 12, MANY = 64, SWEEPS = 5000 };

static double at(const sal_contact_rubbing *p, int i, int j)
{
  return p->W[(size_t)i * 2 * (size_t)p->m + (size_t)j];
}

static bool is_free(const sal_contact_rubbing *p, int c)
{
  return p->mu[c] > 0 && p->sense[c] == 0;
}

/* The friction that a normal impulse allows. */
static double most_along(const sal_contact_rubbing *p, int c, double normal)
{
  return p->mu[c] * (normal + (p->least ? p->least[c] : 0));
}

size_t sal_contact_friction_words(int m)
{
  const size_t few = m < MANY ? (size_t)m : MANY, n = 2 * (size_t)m;
  const size_t lemke = 16 * few * few + 16 * few + sal_contact_lemke_words((int)(4 * few));
  const size_t cones = (size_t)m * (sizeof(sal_contact_cone) / sizeof(double) + 1);
  const size_t least = cones + sal_contact_least_norm_words((int)n);

  return 3 * n + (lemke > least ? lemke : least);
}

static double unit_of(const sal_contact_rubbing *p)
{
  double most = 0;

  for (int c = 0; c < p->m; ++c) {
    const double n = fabs(p->u[2 * c]), t = is_free(p, c) ? fabs(p->u[2 * c + 1]) : 0;
    most = n > most ? n : most;
    most = t > most ? t : most;
  }
  return most;
}

static double rate(const sal_contact_rubbing *p, const double r[], int i)
{
  const double *row = p->W + (size_t)i * 2 * (size_t)p->m;
  double sum = p->u[i];

  for (int j = 0; j < 2 * p->m; ++j) sum += row[j] * r[j];
  return sum;
}

static double clamp(double a, double most) { return a > most ? most : a < -most ? -most : a; }

double sal_contact_friction_residual(const sal_contact_rubbing *p, const double r[], double w[])
{
  const double unit = unit_of(p);
  double worst = 0;

  for (int c = 0; c < p->m; ++c) {
    const int n = 2 * c, t = n + 1;
    const double push = at(p, n, n) * r[n], most = most_along(p, c, r[n]) * at(p, t, t);
    w[n] = rate(p, r, n);
    w[t] = rate(p, r, t);
    double off = fabs(push < w[n] ? push : w[n]), pull = at(p, t, t) * r[t];
    if (is_free(p, c))
      pull -= clamp(pull - w[t], most);
    else
      pull += p->sense[c] * most;
    off = fabs(pull) > off ? fabs(pull) : off;
    if (!(off <= worst)) worst = off;
  }
  return unit > 0 ? worst / unit : worst;
}

/* ---- Lemke's method -------------------------------------------------------------------------- */

/** One unknown: of contact c the normal impulse, with the friction that is bound to it, a part of the one along it in
 *  the direction `side`, or (side 0) the speed at which it slides. */
typedef struct {
  int c, side;
  bool normal;
} unknown;

static int list_unknowns(const sal_contact_rubbing *p, unknown list[])
{
  int n = 0;

  for (int c = 0; c < p->m; ++c) {
    list[n++] = (unknown){c, 0, true};
    if (!is_free(p, c)) continue;
    list[n++] = (unknown){c, 1, false};
    list[n++] = (unknown){c, -1, false};
    list[n++] = (unknown){c, 0, false};
  }
  return n;
}

/* The rate in the direction of a row's unknown that a unit of another one makes. */
static double coupling(const sal_contact_rubbing *p, unknown row, unknown of)
{
  const int n = 2 * of.c, t = n + 1;

  if (!row.normal && row.side == 0) { /* mu N - (both parts) */
    if (row.c != of.c || (!of.normal && of.side == 0)) return 0;
    return of.normal ? p->mu[of.c] : -1;
  }
  if (!of.normal && of.side == 0) return row.c == of.c && row.side != 0 ? 1 : 0;
  const int i = 2 * row.c + (row.normal ? 0 : 1);
  const double sign = row.normal ? 1 : row.side;
  if (!of.normal) return sign * of.side * at(p, i, t);
  return sign * (at(p, i, n) - p->sense[of.c] * p->mu[of.c] * at(p, i, t));
}

static bool by_lemke(const sal_contact_rubbing *p, double r[], double work[])
{
  unknown list[4 * MANY];
  const int n = list_unknowns(p, list);
  double *M = work, *q = M + n * n, *z = q + n;

  for (int i = 0; i < n; ++i) {
    const unknown row = list[i];
    for (int j = 0; j < n; ++j) M[i * n + j] = coupling(p, row, list[j]);
    q[i] = row.normal ? p->u[2 * row.c] : row.side * p->u[2 * row.c + 1];
    if (!row.normal && row.side == 0) q[i] = most_along(p, row.c, 0);
  }
  if (!sal_contact_lemke(n, M, q, z, z + n)) return false;
  memset(r, 0, 2 * (size_t)p->m * sizeof *r);
  for (int i = 0; i < n; ++i) {
    const int c = list[i].c;
    if (list[i].normal) {
      r[2 * c] = z[i];
      if (!is_free(p, c)) r[2 * c + 1] = -p->sense[c] * p->mu[c] * z[i];
    } else
      r[2 * c + 1] += list[i].side * z[i];
  }
  return true;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* One row after the other; returns the largest change as a rate. */
static double sweep(const sal_contact_rubbing *p, double r[])
{
  double worst = 0;

  for (int c = 0; c < p->m; ++c) {
    const int n = 2 * c, t = n + 1;
    const double was[] = {r[n], r[t]};
    const double push = at(p, n, n) > 0 ? r[n] - rate(p, r, n) / at(p, n, n) : r[n];
    r[n] = push > 0 ? push : 0;
    const double most = most_along(p, c, r[n]);
    if (!is_free(p, c))
      r[t] = -p->sense[c] * most;
    else if (at(p, t, t) > 0)
      r[t] = clamp(r[t] - rate(p, r, t) / at(p, t, t), most);
    const double by_n = fabs(r[n] - was[0]) * at(p, n, n), by_t = fabs(r[t] - was[1]) * at(p, t, t);
    worst = by_n > worst ? by_n : worst;
    worst = by_t > worst ? by_t : worst;
  }
  return worst;
}

static void by_sweeps(const sal_contact_rubbing *p, int most, double r[])
{
  const double least = 1e-2 * SAL_TOUCH_RESIDUAL * unit_of(p);

  for (int c = 0; c < p->m; ++c)
    if (!is_free(p, c)) r[2 * c + 1] = -p->sense[c] * p->mu[c] * r[2 * c];
  for (int i = 0; i < most && sweep(p, r) > least; ++i) {
  }
}

/* ---- one contact ----------------------------------------------------------------------------- */

/* Its impulses are unique where friction cannot lift it: those of the first mode that satisfies the laws to rounding. */
static bool by_modes(const sal_contact_rubbing *p, double r[], double w[])
{
  const double a = p->W[0], b = p->W[1], d = p->W[3], mu = p->mu[0];
  const double mode[] = {p->sense[0], 1, -1}; /* 0: it sticks */
  const int n = p->u[0] < 0 ? (mode[0] == 0 ? 3 : 1) : 0;

  if (p->m > 1 || p->least || !(mu * fabs(b) < 0.5 * a)) return false;
  r[0] = r[1] = 0;
  double off = sal_contact_friction_residual(p, r, w);
  for (int i = 0; i < n && !(off <= 1e-13); ++i) {
    const bool sticks = mode[i] == 0;
    const double by = sticks ? -b / d : -mode[i] * mu; /* friction by the normal impulse */
    r[0] = -(p->u[0] + (sticks ? by * p->u[1] : 0)) / (a + by * b);
    r[1] = by * r[0] - (sticks ? p->u[1] / d : 0);
    off = sal_contact_friction_residual(p, r, w);
  }
  return off <= 1e-13;
}

/* ---- either ---------------------------------------------------------------------------------- */

/* Impulses of least norm that make the rates w; those in r stay where rounding has spoilt the better ones. */
static void settle(const sal_contact_rubbing *p, const int slides[], const double w[], double r[],
                   double work[])
{
  const int n = 2 * p->m;
  const double least = SAL_TOUCH_RESIDUAL * unit_of(p);
  double *any = work, *wanted = any + n;
  sal_contact_cone *cone = (sal_contact_cone *)(wanted + n);

  for (int c = 0; c < p->m; ++c) {
    const double sense = is_free(p, c) ? slides[c] : p->sense[c];
    cone[c] =
        (sal_contact_cone){.normal = 2 * c, .along = 2 * c + 1, .mu = p->mu[c], .sense = sense};
    if (w[2 * c] > least) continue;
    cone[c].kind = !(p->mu[c] > 0) ? SAL_CONE_HALF_LINE
                   : sense == 0    ? SAL_CONE_WEDGE
                                   : SAL_CONE_RAY;
  }
  for (int i = 0; i < n; ++i) wanted[i] = w[i] - p->u[i];
  memcpy(any, r, (size_t)n * sizeof *r);
  sal_contact_least_norm(n, p->W, p->m, cone, wanted, r, (double *)(cone + p->m));
  if (!(sal_contact_friction_residual(p, r, wanted) <= SAL_TOUCH_RESIDUAL))
    memcpy(r, any, (size_t)n * sizeof *r);
}

static bool is_solved(const sal_contact_rubbing *p, const double r[], double w[])
{
  return sal_contact_friction_residual(p, r, w) <= SAL_TOUCH_RESIDUAL;
}

bool sal_contact_friction(const sal_contact_rubbing *p, double r[], int slides[], double work[])
{
  const double least = SAL_TOUCH_SIGN * unit_of(p);
  const bool few = p->m <= FEW, many = p->m > MANY;
  double *w = work, *more = w + 2 * p->m;
  const bool alone = by_modes(p, r, w);
  bool solved = alone;

  if (!few) {
    by_sweeps(p, many ? SWEEPS : SWEEPS / 10, r);
    solved = is_solved(p, r, w);
  }
  if (!solved && !many) solved = by_lemke(p, r, more) && is_solved(p, r, w);
  if (!solved && !many) {
    by_sweeps(p, SWEEPS, r);
    solved = is_solved(p, r, w);
  }
  if (!solved) return false;
  for (int c = 0; c < p->m; ++c) {
    const double speed = w[2 * c + 1], some = p->m > FEW ? 100 * least : least;
    slides[c] = speed > some ? 1 : speed < -some ? -1 : 0;
  }
  if (!alone && !p->least) settle(p, slides, w, r, more); /* its cones begin at 0 */
  return true;
}
