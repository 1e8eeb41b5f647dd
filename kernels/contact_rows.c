/** Delassus's matrix of contacts that change together, and problems with it. */
#include "contact_rows.h"
#include "contact_friction.h"
#include "contact_solve.h"
#include <math.h>
#include <string.h>

size_t sal_contact_motion_words(int n, int m, int n_bound)
{
  const size_t N = (size_t)n, M = (size_t)m, B = (size_t)n_bound;

  return N * N + 3 * N + 2 * sal_contact_words(N, sizeof(int)) + B * (N + 1) + 2 * M * N +
         sal_contact_words(M, sizeof(sal_contact_terms)) +
         sal_contact_words(M, sizeof(sal_contact_mode)) + sal_contact_rows_words(n, m, n_bound);
}

void sal_contact_motion_lay_out(sal_contact_motion *s, int n, int m, int n_bound, double memory[])
{
  const size_t N = (size_t)n, M = (size_t)m, B = (size_t)n_bound;
  double *next = memory;

  *s = (sal_contact_motion){.n = n, .m = m, .n_bound = n_bound};
  s->mass = sal_contact_carve(&next, N * N);
  s->load = sal_contact_carve(&next, N);
  s->q = sal_contact_carve(&next, N);
  s->v = sal_contact_carve(&next, N);
  s->bound = sal_contact_carve(&next, B * N);
  s->bends = sal_contact_carve(&next, B);
  s->first = sal_contact_carve(&next, sal_contact_words(N, sizeof(int)));
  s->last = sal_contact_carve(&next, sal_contact_words(N, sizeof(int)));
  for (int i = 0; i < n; ++i) s->last[i] = n - 1;
  s->terms = sal_contact_carve(&next, sal_contact_words(M, sizeof *s->terms));
  s->mode = sal_contact_carve(&next, sal_contact_words(M, sizeof *s->mode));
  for (int c = 0; c < m; ++c) {
    s->terms[c].normal = sal_contact_carve(&next, N);
    s->terms[c].along = sal_contact_carve(&next, N);
    s->terms[c].to = n;
  }
  s->work = next;
}

static size_t words_of_work(size_t m)
{
  const size_t n = 2 * m, bind = n * n + n + sal_contact_words(n, sizeof(int)) +
                                 sal_contact_words(n, sizeof(bool));
  const size_t push = m * m + 2 * m + sal_contact_words(m, sizeof(bool)) +
                      (m > 0 ? sal_contact_solve_words((int)m, (int)m - 1) : 0);
  const size_t rub = sal_contact_friction_words((int)m), most = push > bind ? push : bind;

  return most > rub ? most : rub;
}

size_t sal_contact_rows_words(int n, int m, int n_bound)
{
  const size_t N = (size_t)n, M = (size_t)m, rows = 2 * M;

  return 2 * rows * N + rows * rows + 4 * rows + 3 * M + 2 * sal_contact_words(M, sizeof(int)) +
         sal_contact_words(rows, sizeof(bool)) + N * N + 3 * N + (size_t)n_bound * N +
         words_of_work(M);
}

sal_contact_rows sal_contact_rows_open(const sal_contact_motion *s)
{
  const size_t N = (size_t)s->n, M = (size_t)s->m, rows = 2 * M;
  double *next = s->work;
  sal_contact_rows p = {.n = s->n};

  p.row = sal_contact_carve(&next, rows * N);
  p.response = sal_contact_carve(&next, rows * N);
  p.W = sal_contact_carve(&next, rows * rows);
  p.u = sal_contact_carve(&next, rows);
  p.r = sal_contact_carve(&next, rows);
  p.w = sal_contact_carve(&next, rows);
  p.size = sal_contact_carve(&next, rows);
  p.mu = sal_contact_carve(&next, M);
  p.sense = sal_contact_carve(&next, M);
  p.room = sal_contact_carve(&next, M);
  p.of = sal_contact_carve(&next, sal_contact_words(M, sizeof(int)));
  p.slides = sal_contact_carve(&next, sal_contact_words(M, sizeof(int)));
  p.binds = sal_contact_carve(&next, sal_contact_words(rows, sizeof(bool)));
  p.L = sal_contact_carve(&next, N * N);
  p.free = sal_contact_carve(&next, N);
  p.was = sal_contact_carve(&next, 2 * N);
  p.held = sal_contact_carve(&next, (size_t)s->n_bound * N);
  p.work = next;
  return p;
}

void sal_contact_rows_solve_mass(const sal_contact_motion *s, const double L[], int from, int to,
                                 const double b[], double x[])
{
  const int n = s->n;

  for (int i = from; i < to; ++i) {
    double sum = b[i];
    for (int k = s->first[i]; k < i; ++k) sum -= L[i * n + k] * x[k];
    x[i] = sum / L[i * n + i];
  }
  for (int i = to - 1; i >= from; --i) {
    double sum = x[i];
    for (int k = i + 1; k <= s->last[i]; ++k) sum -= L[k * n + i] * x[k];
    x[i] = sum / L[i * n + i];
  }
}

static bool factor_mass(const sal_contact_motion *s, double L[])
{
  const int n = s->n;

  for (int i = 0; i < n; ++i)
    for (int j = s->first[i]; j <= i; ++j) {
      double sum = s->mass[i * n + j];
      for (int k = s->first[i]; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (i == j && !(sum > 0)) return false;
      L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
    }
  return true;
}

/* x = M^-1 b without its part along the first `count` directions that bounds do not allow. */
static void respond_to(const sal_contact_motion *s, const sal_contact_rows *p, int count,
                       const double b[], double x[])
{
  sal_contact_rows_solve_mass(s, p->L, 0, p->n, b, x);
  for (int i = 0; i < count; ++i) {
    const double *held = p->held + (size_t)i * (size_t)p->n;
    const double share = sal_contact_rows_dot(p->n, held, b);
    for (int j = 0; j < p->n; ++j) x[j] -= share * held[j];
  }
}

bool sal_contact_rows_fall(const sal_contact_motion *s, sal_contact_rows *p)
{
  const int n = s->n;

  if (!factor_mass(s, p->L)) return false;
  for (int i = 0; i < s->n_bound; ++i) {
    const double *row = s->bound + (size_t)i * (size_t)n;
    double *held = p->held + (size_t)i * (size_t)n;
    sal_contact_rows_solve_mass(s, p->L, 0, n, row, held);
    const double all = sal_contact_rows_dot(n, held, row);
    respond_to(s, p, i, row, held);
    const double left = sal_contact_rows_dot(n, held, row);
    const double scale =
        left > SAL_TOUCH_PIVOT * all ? 1 / sqrt(left) : 0; /* 0: it follows from the others */
    for (int j = 0; j < n; ++j) held[j] *= scale;
  }
  sal_contact_rows_load(s, p);
  return true;
}

void sal_contact_rows_load(const sal_contact_motion *s, sal_contact_rows *p)
{
  const int n = s->n;

  respond_to(s, p, s->n_bound, s->load, p->free);
  for (int i = 0; i < s->n_bound; ++i) {
    const double *row = s->bound + (size_t)i * (size_t)n, *held = p->held + (size_t)i * (size_t)n;
    const double length = sal_contact_rows_dot(n, held, row);
    const double left = s->bends[i] + sal_contact_rows_dot(n, row, p->free);
    for (int j = 0; j < n && length > 0; ++j) p->free[j] -= left / length * held[j];
  }
}

/* u = row x + offset, and the size of its terms. */
static void measure(sal_contact_rows *p, int row, const double x[], double offset)
{
  const double *of = sal_contact_rows_row(p, row);

  p->u[row] = sal_contact_rows_dot(p->n, of, x) + offset;
  p->size[row] = fabs(offset);
  for (int i = 0; i < p->n; ++i) p->size[row] += fabs(of[i] * x[i]);
}

void sal_contact_rows_pose(const sal_contact_motion *s, bool forces, sal_contact_rows *p)
{
  const size_t n = (size_t)s->n;
  const double *x = forces ? p->free : s->v;

  p->m = 0;
  p->least = NULL;
  for (int c = 0; c < s->m; ++c) {
    const sal_contact_terms *t = &s->terms[c];
    const bool rubs = s->mode[c].rubs;
    if (!s->mode[c].takes) continue;
    const int k = p->m, normal = 2 * k, along = normal + 1;
    p->of[p->m++] = c;
    memcpy(p->row + (size_t)normal * n, t->normal, n * sizeof *p->row);
    memcpy(p->row + (size_t)along * n, t->along, n * sizeof *p->row);
    if (!rubs) memset(p->row + (size_t)along * n, 0, n * sizeof *p->row);
    measure(p, normal, x, forces ? t->turn : t->drift);
    measure(p, along, x, !rubs ? 0 : forces ? t->slide_turn : t->slide_drift);
    p->mu[k] = rubs ? t->hold : 0;
    p->sense[k] = 0;
    p->r[normal] = p->r[along] = 0;
    p->binds[normal] = p->binds[along] = false;
  }
  const int rows = 2 * p->m;
  memset(p->W, 0, (size_t)rows * (size_t)rows * sizeof *p->W);
  for (int i = 0; i < rows; ++i) {
    double *response = p->response + (size_t)i * n;
    if (i % 2 == 1 && !s->mode[p->of[i / 2]].rubs) {
      memset(response, 0, n * sizeof *response);
      continue;
    }
    respond_to(s, p, forces ? s->n_bound : s->n_fixed, sal_contact_rows_row(p, i), response);
    for (int j = 0; j <= i; ++j)
      p->W[i * rows + j] = p->W[j * rows + i] =
          sal_contact_rows_dot(s->n, sal_contact_rows_row(p, i), p->response + (size_t)j * n);
  }
}

static bool has_friction(const sal_contact_rows *p)
{
  for (int k = 0; k < p->m; ++k)
    if (p->mu[k] > 0) return true;
  return false;
}

bool sal_contact_rows_push(sal_contact_rows *p)
{
  const size_t m = (size_t)p->m;
  double *lower = p->work, *q = lower + m * m, *z = q + m;
  bool *active = (bool *)(void *)(z + m);
  const sal_contact_problem smooth = {.m = p->m, .band = p->m - 1, .W = lower, .q = q};

  if (p->m == 0) return true;
  for (int i = 0; i < p->m; ++i) {
    for (int j = 0; j <= i; ++j) lower[(i + 1) * (p->m - 1) + j] = p->W[4 * i * p->m + 2 * j];
    q[i] = p->u[2 * i];
    active[i] = true;
  }
  const bool solved =
      sal_contact_solve(&smooth, active, z, z + m + sal_contact_words(m, sizeof(bool)));
  for (int i = 0; i < p->m; ++i) p->r[2 * i] = z[i];
  return solved;
}

bool sal_contact_rows_solve(sal_contact_rows *p)
{
  const int n = 2 * p->m;
  const sal_contact_rubbing rubbing = {
      .m = p->m, .W = p->W, .u = p->u, .mu = p->mu, .sense = p->sense, .least = p->least};

  if (!(has_friction(p) ? sal_contact_friction(&rubbing, p->r, p->slides, p->work)
                        : sal_contact_rows_push(p)))
    return false;
  for (int i = 0; i < n; ++i) p->w[i] = p->u[i] + sal_contact_rows_dot(n, p->W + i * n, p->r);
  const double least = SAL_TOUCH_SIGN * sal_contact_solve_largest(n, p->u);
  for (int k = 0; k < p->m; ++k) {
    const double speed = p->w[2 * k + 1];
    if (p->mu[k] > 0) continue;
    p->slides[k] = speed > least ? 1 : speed < -least ? -1 : 0;
  }
  return true;
}

void sal_contact_rows_respond(const sal_contact_rows *p, double x[])
{
  for (int i = 0; i < 2 * p->m; ++i)
    for (int j = 0; j < p->n; ++j) x[j] += p->response[i * p->n + j] * p->r[i];
}

void sal_contact_rows_bind(sal_contact_rows *p)
{
  const int n = 2 * p->m;
  const size_t rows = (size_t)n;
  double *A = p->work, *b = A + rows * rows;
  int *order = (int *)(void *)(b + rows), rank = 0;
  bool *left = (bool *)(void *)(b + rows + sal_contact_words(rows, sizeof(int)));

  memcpy(A, p->W, rows * rows * sizeof *A);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < p->m; ++k)
      A[i * n + 2 * k] -= p->mu[k] * p->sense[k] * p->W[i * n + 2 * k + 1];
  for (int i = 0; i < n; ++i) {
    b[i] = -p->u[i];
    p->r[i] = 0;
    left[i] = p->binds[i] && A[i * n + i] > 0;
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
  for (int k = 0; k < p->m; ++k)
    if (p->sense[k] != 0) p->r[2 * k + 1] = -p->mu[k] * p->sense[k] * p->r[2 * k];
}

bool sal_contact_rows_land(sal_contact_motion *s, sal_contact_rows *p)
{
  if (!sal_contact_rows_fall(s, p)) return false;
  sal_contact_rows_pose(s, false, p);
  for (int k = 0; k < p->m; ++k) {
    p->binds[2 * k] = true;
    p->u[2 * k] = s->terms[p->of[k]].gap;
  }
  sal_contact_rows_bind(p);
  sal_contact_rows_respond(p, s->q);
  return true;
}

void sal_contact_rows_steady(sal_contact_motion *s, sal_contact_rows *p)
{
  for (int c = 0; c < s->m; ++c) {
    sal_contact_mode *of = &s->mode[c];
    of->takes = (of->closed || (s->unique && of->opens)) && !of->lands && !s->stays;
  }
  sal_contact_rows_pose(s, false, p);
  for (int k = 0; k < p->m; ++k) {
    const sal_contact_mode *of = &s->mode[p->of[k]];
    p->binds[2 * k] = true;
    p->binds[2 * k + 1] = of->rubs && (of->sticks || of->gain > 0);
    if (!of->sticks) p->u[2 * k + 1] -= of->sense * of->gain;
  }
  sal_contact_rows_bind(p);
  sal_contact_rows_respond(p, s->v);
}
