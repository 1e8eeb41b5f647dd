/** The matrix of contacts in bands, and their impulses. */
#include "push.h"
#include <string.h>

/* Bytes of n things, up to the next double. */
static size_t whole(size_t n, size_t size) { return (n * size + 7) / 8 * 8; }

static void *carve(char **next, size_t n, size_t size)
{
  void *at = *next;

  if (*next) *next += whole(n, size);
  return at;
}

size_t sal_push_bytes(int n, int m)
{
  const size_t N = (size_t)n, M = (size_t)m;
  const size_t solve = m > 0 ? sal_contact_solve_words(m, m - 1) : 0;

  return 3 * whole(M, sizeof(int)) + whole(N, sizeof(int)) + whole(M, sizeof(double *)) +
         2 * whole(M, sizeof(bool)) + (2 * M + M * M + M * N + solve) * sizeof(double);
}

sal_push sal_push_open(int n, int m, void *memory)
{
  const size_t N = (size_t)n, M = (size_t)m;
  char *next = memory;
  sal_push p = {.of = carve(&next, M, sizeof(int))};

  p.lo = carve(&next, M, sizeof(int));
  p.hi = carve(&next, M, sizeof(int));
  p.touched = carve(&next, N, sizeof(int));
  p.response = carve(&next, M, sizeof(double *));
  p.active = carve(&next, M, sizeof(bool));
  p.carries = carve(&next, M, sizeof(bool));
  p.q = carve(&next, M, sizeof(double));
  p.z = carve(&next, M, sizeof(double));
  p.W = carve(&next, M * M, sizeof(double));
  if (m > 0) p.response[0] = carve(&next, M * N, sizeof(double));
  p.work = (double *)(void *)next;
  return p;
}

void sal_push_take(sal_push *p, const sal_contact_motion *s, const double L[], int c, double rate)
{
  const sal_contact_terms *t = &s->terms[c];
  const int k = p->m++, lo = s->first[t->from], hi = s->last[t->to - 1] + 1;

  if (k > 0) p->response[k] = p->response[k - 1] + (p->hi[k - 1] - p->lo[k - 1]);
  p->of[k] = c;
  p->lo[k] = lo;
  p->hi[k] = hi;
  p->q[k] = rate;
  sal_contact_rows_solve_mass(s, L, lo, hi, t->normal, p->response[k] - lo);
}

/* How far contacts lie apart that move the same coordinate. */
static int find_band(sal_push *p, int n)
{
  int band = 0;

  for (int i = 0; i < n; ++i) p->touched[i] = p->m;
  for (int k = 0; k < p->m; ++k)
    for (int i = p->lo[k]; i < p->hi[k]; ++i) {
      if (p->touched[i] > k) p->touched[i] = k;
      if (k - p->touched[i] > band) band = k - p->touched[i];
    }
  return band;
}

static double coupling(const sal_push *p, const sal_contact_motion *s, int k, int l)
{
  const sal_contact_terms *t = &s->terms[p->of[k]];
  const int from = t->from > p->lo[l] ? t->from : p->lo[l];
  const int to = t->to < p->hi[l] ? t->to : p->hi[l];

  return from < to
             ? sal_contact_rows_dot(to - from, t->normal + from, p->response[l] + (from - p->lo[l]))
             : 0;
}

bool sal_push_solve(sal_push *p, const sal_contact_motion *s, double x[])
{
  const int band = find_band(p, s->n);
  const sal_contact_problem problem = {.m = p->m, .band = band, .W = p->W, .q = p->q};

  for (int k = 0; k < p->m; ++k) {
    double *row = p->W + (size_t)(k + 1) * (size_t)band;
    for (int l = k > band ? k - band : 0; l <= k; ++l) row[l] = coupling(p, s, k, l);
    p->active[k] = p->carries[p->of[k]];
  }
  if (p->m > 0 && !sal_contact_solve(&problem, p->active, p->z, p->work)) return false;
  memset(p->carries, 0, (size_t)s->m * sizeof *p->carries);
  for (int k = 0; k < p->m; ++k) {
    p->carries[p->of[k]] = p->z[k] > 0;
    for (int i = p->lo[k]; i < p->hi[k]; ++i) x[i] += p->response[k][i - p->lo[k]] * p->z[k];
  }
  return true;
}
