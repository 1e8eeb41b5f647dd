/** Newton's method across a curve, and its tangent. */
#include "base.h"
#include "walk.h"
#include <lapacke.h>

/* Newton's method goes on until its steps no longer shrink; those of a converged one are of the
 * size of rounding in G, and neither they nor G are allowed to be larger than this. */
static const double good = 1e-12, fair = 1e-7, closed = 1e-8;
enum { MOST_ITERATIONS = 14 };

typedef struct {
  double *G, *J, *size, *A, *b, *from;
  lapack_int *pivot;
} room;

static room cut(const sal_curve *c)
{
  const size_t n = (size_t)c->n;
  double *w = c->work;
  room r = {.G = w, .J = w + n, .size = w + n + n * n};

  r.A = r.size + n;
  r.b = r.A + n * n;
  r.from = r.b + n;
  r.pivot = (lapack_int *)(r.from + n);
  return r;
}

size_t sal_curve_bytes(int n)
{
  const size_t m = (size_t)n;

  return (2 * m * m + 4 * m) * sizeof(double) + m * sizeof(lapack_int);
}

double sal_curve_dot(const sal_curve *c, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i < c->n; ++i) sum += a[i] / c->scale[i] * (b[i] / c->scale[i]);
  return sum;
}

const double *sal_curve_jacobian(const sal_curve *c) { return cut(c).J; }

/* A = [J; direction^T] in scaled variables and equations, factorised.  false: it is singular. */
static bool factorise(const sal_curve *c, const room *r, const double direction[])
{
  const int n = c->n;

  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j < n; ++j) r->A[i * n + j] = r->J[i * n + j] * c->scale[j] / r->size[i];
  for (int j = 0; j < n; ++j) r->A[(n - 1) * n + j] = direction[j] / c->scale[j];
  return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, r->A, n, r->pivot) == 0;
}

static bool solve(const sal_curve *c, const room *r)
{
  return LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', c->n, 1, r->A, c->n, r->pivot, r->b, 1) == 0;
}

static double largest(int n, const double v[])
{
  double most = 0;

  for (int i = 0; i < n; ++i)
    if (!(fabs(v[i]) <= most)) most = fabs(v[i]);
  return most;
}

/* One step of Newton's method into r->b (scaled); its size, or NaN where the system is singular. */
static double newton_step(const sal_curve *c, const room *r, const double direction[],
                          const double z[])
{
  const int n = c->n;

  if (!factorise(c, r, direction)) return NAN;
  for (int i = 0; i + 1 < n; ++i) r->b[i] = -r->G[i] / r->size[i];
  r->b[n - 1] = 0;
  for (int j = 0; j < n; ++j)
    r->b[n - 1] -= direction[j] / c->scale[j] * ((z[j] - r->from[j]) / c->scale[j]);
  return solve(c, r) ? largest(n, r->b) : NAN;
}

static double distance(const sal_curve *c, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i < c->n; ++i) {
    const double d = (a[i] - b[i]) / c->scale[i];
    sum += d * d;
  }
  return sqrt(sum);
}

static void measure(const sal_curve *c, const room *r, const double z[], sal_curve_report *report)
{
  report->residual = 0;
  for (int i = 0; i + 1 < c->n; ++i)
    report->residual = fmax(report->residual, fabs(r->G[i]) / r->size[i]);
  report->moved = distance(c, z, r->from);
}

static void say(sal_curve_report *report, const char *what)
{
  snprintf(report->flaw, sizeof report->flaw, "%s (residual %.1e after %d iterations)", what,
           report->residual, report->iterations);
}

/* Goes on from z: true when the last step was at rounding, or when it makes no sense to go on. */
static bool is_over(const sal_curve *c, const room *r, const double direction[], double most,
                    double *last, double z[], sal_curve_report *report)
{
  const double step = newton_step(c, r, direction, z);

  measure(c, r, z, report);
  if (report->residual < c->enough) return true;
  if (report->residual <= closed && (step <= good || (step <= fair && step >= 0.5 * *last)))
    return true;
  if (isnan(step))
    say(report, "the equations of the orbit are singular");
  else if (report->iterations > 2 && step > 2 * *last)
    say(report, "Newton's method diverges");
  else if (report->iterations == MOST_ITERATIONS)
    say(report, "Newton's method does not converge");
  if (report->flaw[0]) return true;
  *last = step;
  for (int j = 0; j < c->n; ++j) z[j] += r->b[j] * c->scale[j];
  if (distance(c, z, r->from) > most)
    say(report, "the nearest orbit is too far from the prediction");
  return report->flaw[0] != '\0';
}

sal_err sal_curve_correct(const sal_curve *c, const double direction[], double most, double z[],
                          sal_curve_report *report)
{
  const room r = cut(c);
  double last = INFINITY;

  *report = (sal_curve_report){.iterations = 0};
  memcpy(r.from, z, (size_t)c->n * sizeof *z);
  do {
    SAL_TRY(c->evaluate(c->context, z, r.G, r.J, r.size, report->flaw));
    ++report->iterations;
  } while (!report->flaw[0] && !is_over(c, &r, direction, most, &last, z, report));
  return SAL_OK;
}

bool sal_curve_tangent(const sal_curve *c, const double direction[], double t[], double *det)
{
  const room r = cut(c);
  const int n = c->n;

  if (!factorise(c, &r, direction)) return false;
  memset(r.b, 0, (size_t)n * sizeof *r.b);
  r.b[n - 1] = 1;
  if (!solve(c, &r)) return false;
  for (int j = 0; j < n; ++j) t[j] = r.b[j] * c->scale[j];
  const double length = sqrt(sal_curve_dot(c, t, t));
  if (!isfinite(length) || length == 0) return false;
  for (int j = 0; j < n; ++j) t[j] /= length;
  *det = length; /* det [J; t] = det [J; direction] / (t . direction) */
  for (int i = 0; i < n; ++i) {
    *det *= r.A[i * n + i];
    if (r.pivot[i] != i + 1) *det = -*det;
  }
  return true;
}
