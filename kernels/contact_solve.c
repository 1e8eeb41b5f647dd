/** Primal-dual active set with factors of the band. */
#include "contact_solve.h"
#include "contact_lemke.h"
#include <math.h>
#include <string.h>

/** Parts of the work space of the active set method. */
typedef struct {
  double *L, *inverse, *w; /* lower half as W's / 1 / D [m] / [m] */
  double *scaled;          /* [band + 1] a row of L D */
} factors;

static size_t words_of_factors(size_t m, size_t band) { return m * (band + 1) + 2 * m + band + 1; }

size_t sal_contact_solve_words(int m, int band)
{
  const size_t n = (size_t)m, cones = n * (sizeof(sal_contact_cone) / sizeof(double) + 1);
  const size_t least = 2 * n + cones + sal_contact_least_norm_words(m);
  const size_t any = sal_contact_lemke_words(m);

  return words_of_factors(n, (size_t)band) + n * n + (any > least ? any : least);
}

static factors cut(const sal_contact_problem *p, double work[])
{
  const size_t m = (size_t)p->m, band = (size_t)p->band;
  factors f = {.L = work, .inverse = work + m * (band + 1)};

  f.w = f.inverse + m;
  f.scaled = f.w + m;
  return f;
}

double sal_contact_solve_largest(int n, const double a[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) most = fabs(a[i]) > most ? fabs(a[i]) : most;
  return most;
}

static int first_of(const sal_contact_problem *p, int i) { return i > p->band ? i - p->band : 0; }

/* W = L D L' of the active rows, the other ones those of the identity; false: a row is redundant. */
static bool factor(const sal_contact_problem *p, const bool active[], const factors *f)
{
  for (int i = 0; i < p->m; ++i) {
    const double *W = sal_contact_solve_row(p, i);
    double *L = f->L + (size_t)(i + 1) * (size_t)p->band;
    const int first = first_of(p, i);
    double *scaled = f->scaled - first, pivot = W[i];

    f->inverse[i] = 1;
    for (int j = first; j < i; ++j) {
      const double *of_j = f->L + (size_t)(j + 1) * (size_t)p->band;
      const int from = first_of(p, j) > first ? first_of(p, j) : first;
      double sum = active[i] && active[j] ? W[j] : 0;
      for (int k = from; k < j && active[i]; ++k) sum -= scaled[k] * of_j[k];
      scaled[j] = active[j] ? sum : 0;
      L[j] = scaled[j] * f->inverse[j];
      pivot -= scaled[j] * L[j];
    }
    if (!active[i]) continue;
    if (!(pivot > SAL_TOUCH_PIVOT * W[i])) return false;
    f->inverse[i] = 1 / pivot;
  }
  return true;
}

/* z of the active rows, so that W z + q = 0 there; 0 of the others. */
static void substitute(const sal_contact_problem *p, const bool active[], const factors *f,
                       double z[])
{
  for (int i = 0; i < p->m; ++i) {
    const double *L = f->L + (size_t)(i + 1) * (size_t)p->band;
    double sum = active[i] ? -p->q[i] : 0;
    for (int k = first_of(p, i); k < i; ++k) sum -= L[k] * z[k];
    z[i] = sum;
  }
  for (int i = 0; i < p->m; ++i) z[i] *= f->inverse[i];
  for (int i = p->m - 1; i >= 0; --i) {
    const double *L = f->L + (size_t)(i + 1) * (size_t)p->band;
    for (int k = first_of(p, i); k < i; ++k) z[k] -= L[k] * z[i];
  }
}

static void rates(const sal_contact_problem *p, const double z[], double w[])
{
  for (int i = 0; i < p->m; ++i) {
    const double *W = sal_contact_solve_row(p, i);
    double sum = p->q[i] + W[i] * z[i];
    for (int j = first_of(p, i); j < i; ++j) {
      sum += W[j] * z[j];
      w[j] += W[j] * z[i];
    }
    w[i] = sum;
  }
}

/* w: rates of z */
static double residual_of(const sal_contact_problem *p, const double z[], const double w[])
{
  const double unit = sal_contact_solve_largest(p->m, p->q);
  double worst = 0;

  for (int i = 0; i < p->m; ++i) {
    const double push = sal_contact_solve_row(p, i)[i] * z[i];
    const double off = fabs(push < w[i] ? push : w[i]);
    if (!(off <= worst)) worst = off;
  }
  return unit > 0 ? worst / unit : worst;
}

/* The largest violation, as a share of max |q|; an impulse counts as its row's W[i][i] z[i].  w [m]: W z + q. */
static double residual(const sal_contact_problem *p, const double z[], double w[])
{
  rates(p, z, w);
  return residual_of(p, z, w);
}

/* Which rows have the wrong sign?  They change sets. */
static int exchange(const sal_contact_problem *p, const double z[], const double w[], double least,
                    bool active[])
{
  int n = 0;

  for (int i = 0; i < p->m; ++i) {
    const bool should = active[i] ? z[i] * sal_contact_solve_row(p, i)[i] >= -least : w[i] < -least;
    n += should != active[i];
    active[i] = should;
  }
  return n;
}

/* Rows without a rate become active, too: if they are independent of the others the solution is the only one. */
static bool is_unique(const sal_contact_problem *p, bool active[], double least, const factors *f)
{
  int n = 0;

  for (int i = 0; i < p->m; ++i) {
    if (active[i] || f->w[i] > least) continue;
    active[i] = true;
    ++n;
  }
  return n == 0 || factor(p, active, f);
}

typedef enum { UNSOLVED, ONE_OF_MANY, SOLVED } state_of_z;

/* Signs within roundings of 0; were there any below? */
static bool clip(int m, double z[])
{
  bool any = false;

  for (int i = 0; i < m; ++i) {
    any |= z[i] < 0;
    z[i] = z[i] > 0 ? z[i] : 0;
  }
  return any;
}

/* With the rates of z; UNSOLVED: a row is redundant, or the sets repeat. */
static state_of_z by_active_set(const sal_contact_problem *p, bool active[], double z[],
                                const factors *f)
{
  const double least = SAL_TOUCH_SIGN * sal_contact_solve_largest(p->m, p->q);

  for (int round = 0; round < 2 * p->m + 10; ++round) {
    if (!factor(p, active, f)) return UNSOLVED;
    substitute(p, active, f, z);
    rates(p, z, f->w);
    if (exchange(p, z, f->w, least, active) > 0) continue;
    const bool clipped = clip(p->m, z);
    const state_of_z state = is_unique(p, active, least, f) ? SOLVED : ONE_OF_MANY;
    if (clipped) rates(p, z, f->w);
    return state;
  }
  return UNSOLVED;
}

/* The solution of least norm, from any one in z, which stays where rounding has spoilt the better one. */
static void settle(const sal_contact_problem *p, const double dense[], double w[], double z[],
                   double work[])
{
  const double least = SAL_TOUCH_RESIDUAL * sal_contact_solve_largest(p->m, p->q);
  double *any = work, *wanted = any + p->m;
  sal_contact_cone *cone = (sal_contact_cone *)(wanted + p->m);

  for (int i = 0; i < p->m; ++i) {
    cone[i] = (sal_contact_cone){
        .kind = w[i] <= least ? SAL_CONE_HALF_LINE : SAL_CONE_NONE, .normal = i, .along = -1};
    wanted[i] = -p->q[i];
  }
  memcpy(any, z, (size_t)p->m * sizeof *z);
  sal_contact_least_norm(p->m, dense, p->m, cone, wanted, z, (double *)(cone + p->m));
  if (!(residual(p, z, w) <= SAL_TOUCH_RESIDUAL)) memcpy(z, any, (size_t)p->m * sizeof *z);
}

/* found: z holds a solution. */
static bool by_least_norm(const sal_contact_problem *p, bool found, double z[], const factors *f,
                          double work[])
{
  const size_t m = (size_t)p->m;
  double *dense = work, *more = work + m * m;

  memset(dense, 0, m * m * sizeof *dense);
  for (int i = 0; i < p->m; ++i)
    for (int j = first_of(p, i); j <= i; ++j)
      dense[(size_t)i * m + (size_t)j] = dense[(size_t)j * m + (size_t)i] =
          sal_contact_solve_row(p, i)[j];
  if (!found && !sal_contact_lemke(p->m, dense, p->q, z, more)) return false;
  rates(p, z, f->w);
  settle(p, dense, f->w, z, more);
  return true;
}

bool sal_contact_solve(const sal_contact_problem *p, bool active[], double z[], double work[])
{
  const factors f = cut(p, work);
  double *more = work + words_of_factors((size_t)p->m, (size_t)p->band);
  const double least = SAL_TOUCH_SIGN * sal_contact_solve_largest(p->m, p->q);

  const state_of_z state = by_active_set(p, active, z, &f);
  const bool found = state != UNSOLVED && residual_of(p, z, f.w) <= SAL_TOUCH_RESIDUAL;
  if (found && state == SOLVED) return true;
  if (!by_least_norm(p, found, z, &f, more)) return false;
  const bool solved = residual(p, z, f.w) <= SAL_TOUCH_RESIDUAL;
  for (int i = 0; i < p->m; ++i)
    active[i] = z[i] * sal_contact_solve_row(p, i)[i] > least || f.w[i] <= least;
  return solved;
}
