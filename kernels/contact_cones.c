/** Projected Gauss-Seidel sweeps over second-order cones. */
#include "contact_cones.h"
#include "contact_solve.h"
#include <math.h>
#include <string.h>

/* Sweeps, and rounds within a contact. */
enum { SWEEPS = 20000, ROUNDS = 8 };

static const double *row_of(const sal_contact_cones *p, int i)
{
  return p->W + (size_t)i * 3 * (size_t)p->m;
}

static void rates(const sal_contact_cones *p, int c, const double r[], double w[3])
{
  for (int i = 0; i < 3; ++i) {
    const double *row = row_of(p, 3 * c + i);
    w[i] = p->u[3 * c + i];
    for (int j = 0; j < 3 * p->m; ++j) w[i] += row[j] * r[j];
  }
}

/* The largest eigenvalue of W along contact c: rates along it by impulses there. */
static double stretch(const sal_contact_cones *p, int c)
{
  const double *first = row_of(p, 3 * c + 1) + 3 * (size_t)c,
               *second = row_of(p, 3 * c + 2) + 3 * (size_t)c;
  const double half = (first[1] - second[2]) / 2;

  return (first[1] + second[2]) / 2 + sqrt(half * half + first[2] * first[2]);
}

/* The impulse of contact c that follows from r and its rates, on the cone. */
static void project(const sal_contact_cones *p, int c, const double r[3], const double w[3],
                    double out[3])
{
  const double push = row_of(p, 3 * c)[3 * c], pull = stretch(p, c);
  double along[2] = {0, 0};

  out[0] = push > 0 ? r[0] - w[0] / push : r[0];
  out[0] = out[0] > 0 ? out[0] : 0;
  if (pull > 0) {
    along[0] = r[1] - w[1] / pull;
    along[1] = r[2] - w[2] / pull;
  }
  const double size = sqrt(along[0] * along[0] + along[1] * along[1]), most = p->mu[c] * out[0];
  const double share = size > most ? most / size : 1;
  out[1] = share * along[0];
  out[2] = share * along[1];
}

/* How far `to` is from r, as a rate. */
static double distance(const sal_contact_cones *p, int c, const double r[3], const double to[3])
{
  const double push = row_of(p, 3 * c)[3 * c], pull = stretch(p, c);
  const double a = to[1] - r[1], b = to[2] - r[2];
  const double by_n = push * fabs(to[0] - r[0]), by_t = pull * sqrt(a * a + b * b);

  return by_n > by_t ? by_n : by_t;
}

/* The largest violation, as a share of max |u|; impulses count as rates. */
static double cones_residual(const sal_contact_cones *p, const double r[], double w[])
{
  const double unit = sal_contact_solve_largest(3 * p->m, p->u);
  double worst = 0;

  for (int c = 0; c < p->m; ++c) {
    double to[3];
    rates(p, c, r, w + 3 * c);
    project(p, c, r + 3 * c, w + 3 * c, to);
    const double off = distance(p, c, r + 3 * c, to);
    if (!(off <= worst)) worst = off;
  }
  return unit > 0 ? worst / unit : worst;
}

/* One contact after the other; returns the largest change as a rate. */
static double sweep(const sal_contact_cones *p, double r[])
{
  double worst = 0;

  for (int c = 0; c < p->m; ++c) {
    const double was[3] = {r[3 * c], r[3 * c + 1], r[3 * c + 2]};
    for (int round = 0; round < ROUNDS; ++round) {
      double w[3], to[3];
      rates(p, c, r, w);
      project(p, c, r + 3 * c, w, to);
      if (memcmp(to, r + 3 * c, sizeof to) == 0) break; /* as do all further rounds */
      memcpy(r + 3 * c, to, sizeof to);
    }
    const double by = distance(p, c, was, r + 3 * c);
    worst = by > worst ? by : worst;
  }
  return worst;
}

bool sal_contact_cones_solve(const sal_contact_cones *p, double r[], double w[])
{
  const double least = 1e-2 * SAL_TOUCH_RESIDUAL * sal_contact_solve_largest(3 * p->m, p->u);

  for (int i = 0; i < SWEEPS && sweep(p, r) > least; ++i) {
  }
  return cones_residual(p, r, w) <= SAL_TOUCH_RESIDUAL;
}
