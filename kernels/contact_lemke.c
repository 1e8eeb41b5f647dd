/** Lexicographic pivots on a condensed tableau; least norms by Newton's method on the dual. */
#include "contact_lemke.h"
#include <math.h>
#include <string.h>

/* ---- Lemke's method ------------------------------------------------------------------------- */

/** Basic variables [n] as functions of the other n + 1: variable i < n is row i of M z + q, n + i is z[i], 2 n is
 *  the artificial one. */
typedef struct {
  int n;
  double *T;           /* [n][n + 2]; the last column is the basic variables' values */
  double *scale;       /* [n] of rows and columns: unit diagonals */
  int *basic, *column; /* [n] / [n + 1] variables */
  int *place;          /* [2 n + 1] its row, or -1 - its column */
} tableau;

size_t sal_contact_lemke_words(int n)
{
  const size_t m = (size_t)n;

  return m * (m + 2) + m + (4 * m + 2) / 2 + 1;
}

static double *entry(const tableau *t, int row, int column)
{
  return t->T + (size_t)row * (size_t)(t->n + 2) + column;
}

static double begin(tableau *t, const double M[], const double q[], double work[])
{
  const int n = t->n;
  double unit = 0;

  t->T = work;
  t->scale = work + (size_t)n * (size_t)(n + 2);
  t->basic = (int *)(void *)(t->scale + n);
  t->column = t->basic + n;
  t->place = t->column + n + 1;
  for (int i = 0; i < n; ++i) {
    const double diagonal = M[(size_t)i * (size_t)n + (size_t)i];
    t->scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    unit = fabs(t->scale[i] * q[i]) > unit ? fabs(t->scale[i] * q[i]) : unit;
  }
  for (int i = 0; i < n && unit > 0; ++i) {
    for (int j = 0; j < n; ++j)
      *entry(t, i, j) = -t->scale[i] * M[(size_t)i * (size_t)n + (size_t)j] * t->scale[j];
    *entry(t, i, n) = -1;
    *entry(t, i, n + 1) = t->scale[i] * q[i] / unit;
    t->basic[i] = t->place[i] = i;
    t->column[i] = n + i;
    t->place[n + i] = -1 - i;
  }
  t->column[n] = 2 * n;
  t->place[2 * n] = -1 - n;
  return unit;
}

/* Basic variable of a row and variable of a column change places. */
static void pivot(tableau *t, int row, int column)
{
  const double inverse = 1 / *entry(t, row, column);
  const int leaves = t->basic[row], enters = t->column[column];

  *entry(t, row, column) = 1;
  for (int j = 0; j < t->n + 2; ++j) *entry(t, row, j) *= inverse;
  for (int i = 0; i < t->n; ++i) {
    const double factor = *entry(t, i, column);
    if (i == row || factor == 0) continue;
    *entry(t, i, column) = 0;
    for (int j = 0; j < t->n + 2; ++j) *entry(t, i, j) -= factor * *entry(t, row, j);
  }
  t->basic[row] = enters;
  t->column[column] = leaves;
  t->place[enters] = row;
  t->place[leaves] = -1 - column;
}

/* Element of row i and of column j of the inverse of the basis. */
static double inverse_at(const tableau *t, int i, int j)
{
  return t->place[j] < 0 ? *entry(t, i, -1 - t->place[j]) : t->place[j] == i ? 1 : 0;
}

/* Does row a leave before row b, by the ratios of all columns in turn?  The artificial variable leaves first. */
static bool leaves_first(const tableau *t, int a, int b, int column)
{
  const double tie = 1e-13, of_a = *entry(t, a, column), of_b = *entry(t, b, column);
  double first = *entry(t, a, t->n + 1) / of_a, second = *entry(t, b, t->n + 1) / of_b;

  if (fabs(first - second) > tie * (1 + fabs(first))) return first < second;
  if (t->basic[a] == 2 * t->n || t->basic[b] == 2 * t->n) return t->basic[a] == 2 * t->n;
  for (int j = 0; j < t->n; ++j) {
    first = inverse_at(t, a, j) / of_a;
    second = inverse_at(t, b, j) / of_b;
    if (fabs(first - second) > tie * (1 + fabs(first))) return first < second;
  }
  return false;
}

static int leaving_row(const tableau *t, int column)
{
  int row = -1;

  for (int i = 0; i < t->n; ++i)
    if (*entry(t, i, column) > 1e-10 && (row < 0 || leaves_first(t, i, row, column))) row = i;
  return row;
}

/* Reads z; false: the artificial variable is still above rounding. */
static bool finish(const tableau *t, double unit, double z[])
{
  const int n = t->n, artificial = t->place[2 * n];

  if (artificial >= 0 && *entry(t, artificial, n + 1) > 1e-12) return false;
  for (int i = 0; i < n; ++i) {
    const double value = t->place[n + i] < 0 ? 0 : *entry(t, t->place[n + i], n + 1);
    z[i] = value > 0 ? value * unit * t->scale[i] : 0;
  }
  return true;
}

bool sal_contact_lemke(int n, const double M[], const double q[], double z[], double work[])
{
  tableau t = {.n = n};
  const double unit = begin(&t, M, q, work);
  int row = 0, column = n;

  memset(z, 0, (size_t)n * sizeof *z);
  for (int i = 1; i < n && unit > 0; ++i)
    if (*entry(&t, i, n + 1) < *entry(&t, row, n + 1)) row = i;
  if (unit == 0 || *entry(&t, row, n + 1) >= 0) return true;
  for (int round = 0; round < 50 * n + 50 && row >= 0; ++round) {
    const int leaves = t.basic[row];
    pivot(&t, row, column);
    if (leaves == 2 * n) break;
    column = -1 - t.place[leaves < n ? leaves + n : leaves - n];
    row = leaving_row(&t, column);
  }
  return finish(&t, unit, z);
}

/* ---- least norm ------------------------------------------------------------------------------ */

/** min |r|^2 / 2 over r in the cones with B r = b.  Its dual is phi(x) = |P(B' x)|^2 / 2 - b x, where P projects onto
 *  the cones: convex, with the gradient B P(B' x) - b, and r = P(B' x) at its minimum. */
typedef struct {
  int n, rank, m;
  const sal_contact_cone *cone;
  double *B, *b;                /* [rank][n], [rank] */
  double *H, *x, *trial, *step; /* [rank][rank], then [rank] each */
  double *gradient, *y;         /* [rank], [n] */
  double *left;                 /* [n] what is left of the diagonal */
  int *row;                     /* [n] rows in the order of the pivots */
} dual;

size_t sal_contact_least_norm_words(int n)
{
  const size_t m = (size_t)n;

  return 2 * m * m + 8 * m;
}

static dual cut(int n, int m, const sal_contact_cone cone[], double work[])
{
  const size_t size = (size_t)n;
  dual d = {.n = n, .m = m, .cone = cone, .B = work, .H = work + size * size};

  d.b = d.H + size * size;
  d.x = d.b + size;
  d.trial = d.x + size;
  d.step = d.trial + size;
  d.gradient = d.step + size;
  d.y = d.gradient + size;
  d.left = d.y + size;
  d.row = (int *)(void *)(d.left + size);
  return d;
}

static double dot(int n, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/* Rows of which cones may use none count as 0. */
static void allow(dual *d, const double W[])
{
  for (int i = 0; i < d->n; ++i) d->left[i] = 0;
  for (int c = 0; c < d->m; ++c) {
    const sal_contact_cone *cone = &d->cone[c];
    const int rows[] = {cone->normal, cone->along};
    for (int k = 0; k < 2; ++k)
      if (rows[k] >= 0 && cone->kind != SAL_CONE_NONE &&
          (k == 0 || cone->kind != SAL_CONE_HALF_LINE))
        d->left[rows[k]] = W[(size_t)rows[k] * (size_t)(d->n + 1)];
  }
}

/* W = B' B by Cholesky's method with pivots, and b so that B r = b where W r = wanted. */
static void decompose(dual *d, const double W[], const double wanted[])
{
  const size_t n = (size_t)d->n;

  for (d->rank = 0; d->rank < d->n; ++d->rank) {
    double *line = d->B + (size_t)d->rank * n, sum;
    int best = -1;
    for (int i = 0; i < d->n; ++i) {
      const double share = d->left[i] / W[(size_t)i * (n + 1)];
      if (d->left[i] > 0 && share > 1e-11 && (best < 0 || d->left[i] > d->left[best])) best = i;
    }
    if (best < 0) break;
    const double root = sqrt(d->left[best]);
    sum = wanted[best];
    for (int k = 0; k < d->rank; ++k) sum -= d->B[(size_t)k * n + (size_t)best] * d->b[k];
    d->b[d->rank] = sum / root;
    d->row[d->rank] = best;
    for (int i = 0; i < d->n; ++i) {
      double value = W[(size_t)best * n + (size_t)i];
      for (int k = 0; k < d->rank; ++k)
        value -= d->B[(size_t)k * n + (size_t)best] * d->B[(size_t)k * n + (size_t)i];
      line[i] = value / root;
    }
    for (int i = 0; i < d->n; ++i) d->left[i] -= line[i] * line[i];
    d->left[best] = -1;
  }
}

/* r = P(y), and the part of the plane (normal, along) on which P is the identity: J [2][2]. */
static void project(const sal_contact_cone *c, const double y[], double r[], double J[4])
{
  const double a = y[c->normal], t = c->along < 0 ? 0 : y[c->along], mu = c->mu;
  const double side = c->kind == SAL_CONE_RAY ? -c->sense : t < 0 ? -1 : 1;
  const double share = (a + mu * side * t) / (1 + mu * mu), flat = 1 / (1 + mu * mu);

  memset(J, 0, 4 * sizeof *J);
  r[c->normal] = 0;
  if (c->along >= 0) r[c->along] = 0;
  if (c->kind == SAL_CONE_HALF_LINE && a > 0) {
    r[c->normal] = a;
    J[0] = 1;
  } else if (c->kind == SAL_CONE_WEDGE && fabs(t) <= mu * a) {
    r[c->normal] = a;
    r[c->along] = t;
    J[0] = J[3] = 1;
  } else if ((c->kind == SAL_CONE_WEDGE || c->kind == SAL_CONE_RAY) && share > 0) {
    r[c->normal] = share;
    r[c->along] = mu * side * share;
    J[0] = flat;
    J[1] = J[2] = mu * side * flat;
    J[3] = mu * mu * flat;
  }
}

/* phi at x, with its gradient and r there; H where it is wanted. */
static double value_at(dual *d, const double x[], double r[], bool with_hessian)
{
  const size_t n = (size_t)d->n, rank = (size_t)d->rank;
  double J[4];

  for (size_t i = 0; i < n; ++i) d->y[i] = r[i] = 0;
  for (size_t k = 0; k < rank; ++k)
    for (size_t i = 0; i < n; ++i) d->y[i] += d->B[k * n + i] * x[k];
  if (with_hessian) memset(d->H, 0, rank * rank * sizeof *d->H);
  for (int c = 0; c < d->m; ++c) {
    const sal_contact_cone *cone = &d->cone[c];
    const size_t a = (size_t)cone->normal, t = cone->along < 0 ? a : (size_t)cone->along;
    project(cone, d->y, r, J);
    if (!with_hessian || J[0] == 0) continue;
    for (size_t k = 0; k < rank; ++k) {
      const double *of_k = d->B + k * n, first = J[0] * of_k[a] + J[1] * of_k[t],
                   second = J[2] * of_k[a] + J[3] * of_k[t];
      for (size_t l = 0; l <= k; ++l)
        d->H[k * rank + l] += first * d->B[l * n + a] + second * d->B[l * n + t];
    }
  }
  for (size_t k = 0; k < rank; ++k) d->gradient[k] = dot(d->n, d->B + k * n, r) - d->b[k];
  return dot(d->n, r, r) / 2 - dot(d->rank, d->b, x);
}

/* H step = -gradient, H made definite by a share of its trace that falls with the gradient, `off` of 1 at first. */
static void newton_step(dual *d, double off)
{
  const size_t rank = (size_t)d->rank;
  double trace = 0;

  for (size_t k = 0; k < rank; ++k) trace += d->H[k * (rank + 1)];
  for (size_t k = 0; k < rank; ++k) {
    double *row = d->H + k * rank;
    row[k] += (1e-13 + 1e-3 * off) * trace;
    for (size_t l = 0; l < k; ++l)
      row[l] = (row[l] - dot((int)l, row, d->H + l * rank)) / d->H[l * (rank + 1)];
    const double left = row[k] - dot((int)k, row, row);
    row[k] = sqrt(left > 1e-15 * trace ? left : 1e-15 * trace);
    d->step[k] = (-d->gradient[k] - dot((int)k, row, d->step)) / row[k];
  }
  for (size_t k = rank; k-- > 0;) {
    for (size_t l = k + 1; l < rank; ++l) d->step[k] -= d->H[l * rank + k] * d->step[l];
    d->step[k] /= d->H[k * (rank + 1)];
  }
}

enum { HALVINGS = 20 };

/* x + share step, with shares halved until phi falls, or where rounding hides that its gradient; false: neither does. */
static bool descend(dual *d, double value, double r[])
{
  const double slope = dot(d->rank, d->gradient, d->step);
  const double steep = dot(d->rank, d->gradient, d->gradient);
  double share = 1;

  for (int i = 0; i < HALVINGS; ++i, share /= 2) {
    for (int k = 0; k < d->rank; ++k) d->trial[k] = d->x[k] + share * d->step[k];
    const bool falls = value_at(d, d->trial, r, false) <= value + 1e-4 * share * slope;
    if (!falls && !(dot(d->rank, d->gradient, d->gradient) < 0.25 * steep)) continue;
    memcpy(d->x, d->trial, (size_t)d->rank * sizeof *d->x);
    return true;
  }
  return false;
}

void sal_contact_least_norm(int n, const double W[], int m, const sal_contact_cone cone[],
                            const double wanted[], double r[], double work[])
{
  dual d = cut(n, m, cone, work);
  double size, trace = 0;

  allow(&d, W);
  decompose(&d, W, wanted);
  size = sqrt(dot(d.rank, d.b, d.b));
  for (int i = 0; i < n; ++i) trace += W[(size_t)i * (size_t)(n + 1)];
  for (int k = 0; k < d.rank; ++k) d.x[k] = d.b[k] / trace;
  for (int round = 0; round < 60 && size > 0; ++round) {
    const double value = value_at(&d, d.x, r, true);
    const double off = sqrt(dot(d.rank, d.gradient, d.gradient)) / size;
    if (off <= 1e-15) return;
    newton_step(&d, off);
    if (!descend(&d, value, r)) break;
  }
  value_at(&d, d.x, r, false);
}
