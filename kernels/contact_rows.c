/** Delassus's matrix of a few contacts, and small problems with it. */
#include "contact_rows.h"
#include "contact_friction.h"
#include "contact_solve.h"
#include <math.h>
#include <string.h>

enum { N = SAL_TOUCH_MOST, ROWS = SAL_TOUCH_ROWS, WORK = 12288 };

/* x = M^-1 b, by Cholesky's factors of M in L. */
static void solve_mass(int n, const double L[], const double b[], double x[])
{
  for (int i = 0; i < n; ++i) {
    x[i] = b[i];
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

static void factor_mass(const sal_contact_motion *s, double L[])
{
  const int n = s->n;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = s->mass[i * n + j];
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
}

double sal_contact_rows_dot(int n, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/* u = row x + offset, and the size of its terms. */
static void measure(sal_contact_rows *p, int n, int row, const double x[], double offset)
{
  p->u[row] = sal_contact_rows_dot(n, p->row[row], x) + offset;
  p->size[row] = fabs(offset);
  for (int i = 0; i < n; ++i) p->size[row] += fabs(p->row[row][i] * x[i]);
}

void sal_contact_rows_pose(const sal_contact_motion *s, const sal_contact_mode mode[],
                           const bool takes[], const double free[], const double L[],
                           sal_contact_rows *p)
{
  p->m = 0;
  for (int c = 0; c < s->m; ++c) {
    const sal_contact_terms *t = &s->terms[c];
    const int k = p->m, n = 2 * k, a = n + 1;
    if (!takes[c]) continue;
    p->of[p->m++] = c;
    memcpy(p->row[n], t->normal, sizeof p->row[n]);
    memcpy(p->row[a], t->along, sizeof p->row[a]);
    if (!mode[c].rubs) memset(p->row[a], 0, sizeof p->row[a]);
    solve_mass(s->n, L, p->row[n], p->response[n]);
    solve_mass(s->n, L, p->row[a], p->response[a]);
    measure(p, s->n, n, free ? free : s->v, free ? t->turn : t->drift);
    measure(p, s->n, a, free ? free : s->v,
            !mode[c].rubs ? 0
            : free        ? t->slide_turn
                          : t->slide_drift);
    p->mu[k] = mode[c].rubs ? t->hold : 0;
    p->sense[k] = 0;
    p->r[n] = p->r[a] = 0;
  }
  for (int i = 0; i < 2 * p->m; ++i)
    for (int j = 0; j <= i; ++j)
      p->W[i * 2 * p->m + j] = p->W[j * 2 * p->m + i] =
          sal_contact_rows_dot(s->n, p->row[i], p->response[j]);
}

static bool has_friction(const sal_contact_rows *p)
{
  for (int k = 0; k < p->m; ++k)
    if (p->mu[k] > 0) return true;
  return false;
}

bool sal_contact_rows_push(sal_contact_rows *p)
{
  double lower[N * N], q[N], z[N], work[WORK];
  const sal_contact_problem smooth = {.m = p->m, .band = p->m - 1, .W = lower, .q = q};
  bool active[N];

  for (int i = 0; i < p->m; ++i) {
    for (int j = 0; j <= i; ++j) lower[(i + 1) * (p->m - 1) + j] = p->W[4 * i * p->m + 2 * j];
    q[i] = p->u[2 * i];
    active[i] = true;
  }
  const bool solved = sal_contact_solve(&smooth, active, z, work);
  for (int i = 0; i < p->m; ++i) p->r[2 * i] = z[i];
  return solved;
}

bool sal_contact_rows_solve(sal_contact_rows *p)
{
  const int n = 2 * p->m;
  double work[WORK];
  const sal_contact_rubbing rubbing = {
      .m = p->m, .W = p->W, .u = p->u, .mu = p->mu, .sense = p->sense};

  if (p->m == 0) return true;
  memset(p->slides, 0, sizeof p->slides);
  if (!(has_friction(p) ? sal_contact_friction(&rubbing, p->r, p->slides, work)
                        : sal_contact_rows_push(p)))
    return false;
  for (int i = 0; i < n; ++i) p->w[i] = p->u[i] + sal_contact_rows_dot(n, p->W + i * n, p->r);
  return true;
}

void sal_contact_rows_respond(const sal_contact_rows *p, int n, double x[])
{
  for (int i = 0; i < 2 * p->m; ++i)
    for (int j = 0; j < n; ++j) x[j] += p->response[i][j] * p->r[i];
}

double sal_contact_rows_largest(int n, const double a[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) most = fabs(a[i]) > most ? fabs(a[i]) : most;
  return most;
}

void sal_contact_rows_bind(sal_contact_rows *p, const bool bound[])
{
  const int n = 2 * p->m;
  double A[ROWS * ROWS], b[ROWS];
  int order[ROWS] = {0}, rank = 0;
  bool left[ROWS];

  memcpy(A, p->W, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; ++i) {
    b[i] = -p->u[i];
    p->r[i] = 0;
    left[i] = bound[i] && A[i * n + i] > 0;
  }
  for (; rank < n; ++rank) {
    int best = -1;
    for (int i = 0; i < n; ++i)
      if (left[i] && A[i * n + i] > 1e-11 * p->W[i * n + i] &&
          (best < 0 || A[i * n + i] > A[best * n + best]))
        best = i;
    if (best < 0) break;
    order[rank] = best;
    left[best] = false;
    for (int i = 0; i < n; ++i) {
      if (!left[i]) continue;
      const double share = A[i * n + best] / A[best * n + best];
      for (int j = 0; j < n; ++j) A[i * n + j] -= share * A[best * n + j];
      b[i] -= share * b[best];
    }
  }
  for (int k = rank - 1; k >= 0; --k) {
    const int i = order[k];
    for (int l = k + 1; l < rank; ++l) b[i] -= A[i * n + order[l]] * p->r[order[l]];
    p->r[i] = b[i] / A[i * n + i];
  }
}

void sal_contact_rows_fall(const sal_contact_motion *s, double L[], double free[])
{
  factor_mass(s, L);
  solve_mass(s->n, L, s->load, free);
}
