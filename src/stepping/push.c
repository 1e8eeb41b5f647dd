/** The matrix of contacts in bands, and their impulses. */
#include "push.h"
#include <string.h>

size_t sal_push_words(int n, int m)
{
  const size_t N = (size_t)n, M = (size_t)m;
  const size_t solve = m > 0 ? sal_contact_solve_words(m, m - 1) : 0;

  return 4 * sal_contact_words(M, sizeof(int)) + sal_contact_words(N, sizeof(int)) +
         sal_contact_words(M, sizeof(double *)) + 2 * sal_contact_words(M, sizeof(bool)) + 2 * M +
         M * M + M * N + solve;
}

sal_push sal_push_open(int n, int m, double *memory)
{
  const size_t N = (size_t)n, M = (size_t)m;
  const size_t ints = sal_contact_words(M, sizeof(int));
  const size_t flags = sal_contact_words(M, sizeof(bool));
  double *next = memory;
  sal_push p = {.of = sal_contact_carve(&next, ints)};

  p.lo = sal_contact_carve(&next, ints);
  p.hi = sal_contact_carve(&next, ints);
  p.kept = sal_contact_carve(&next, ints);
  p.touched = sal_contact_carve(&next, sal_contact_words(N, sizeof(int)));
  p.response = sal_contact_carve(&next, sal_contact_words(M, sizeof *p.response));
  p.active = sal_contact_carve(&next, flags);
  p.carries = sal_contact_carve(&next, flags);
  p.q = sal_contact_carve(&next, M);
  p.z = sal_contact_carve(&next, M);
  p.W = sal_contact_carve(&next, M * M);
  p.store = sal_contact_carve(&next, M * N);
  p.work = next;
  return p;
}

void sal_push_begin(sal_push *p, const sal_contact_motion *s, bool again)
{
  p->m = 0;
  if (again) return;
  p->next = p->store;
  p->n_kept = -1;
  for (int c = 0; c < s->m; ++c) p->response[c] = NULL;
}

void sal_push_take(sal_push *p, const sal_contact_motion *s, const double L[], int c, double rate)
{
  const sal_contact_terms *t = &s->terms[c];

  p->of[p->m] = c;
  p->q[p->m++] = rate;
  if (p->response[c]) return;
  p->lo[c] = s->first[t->from];
  p->hi[c] = s->last[t->to - 1] + 1;
  p->response[c] = p->next;
  p->next += p->hi[c] - p->lo[c];
  sal_contact_rows_solve_mass(s, L, p->lo[c], p->hi[c], t->normal, p->response[c] - p->lo[c]);
}

/* How far contacts lie apart that move the same coordinate. */
static int find_band(sal_push *p, int n)
{
  int band = 0;

  for (int i = 0; i < n; ++i) p->touched[i] = p->m;
  for (int k = 0; k < p->m; ++k)
    for (int i = p->lo[p->of[k]]; i < p->hi[p->of[k]]; ++i) {
      if (p->touched[i] > k) p->touched[i] = k;
      if (k - p->touched[i] > band) band = k - p->touched[i];
    }
  return band;
}

static double coupling(const sal_push *p, const sal_contact_motion *s, int a, int b)
{
  const sal_contact_terms *t = &s->terms[a];
  const int from = t->from > p->lo[b] ? t->from : p->lo[b];
  const int to = t->to < p->hi[b] ? t->to : p->hi[b];
  const double *response = p->response[b] - p->lo[b];
  double sum = 0;

  for (int i = from; i < to; ++i) sum += t->normal[i] * response[i];
  return sum;
}

/* W of the contacts that take part; it stays where these are those of the step before. */
static void fill(sal_push *p, const sal_contact_motion *s)
{
  const size_t bytes = (size_t)p->m * sizeof *p->of;

  if (p->m == p->n_kept && memcmp(p->of, p->kept, bytes) == 0) return;
  p->band = find_band(p, s->n);
  for (int k = 0; k < p->m; ++k) {
    double *row = p->W + (size_t)(k + 1) * (size_t)p->band;
    for (int l = k > p->band ? k - p->band : 0; l <= k; ++l)
      row[l] = coupling(p, s, p->of[k], p->of[l]);
  }
  memcpy(p->kept, p->of, bytes);
  p->n_kept = p->m;
}

bool sal_push_solve(sal_push *p, const sal_contact_motion *s, double x[])
{
  fill(p, s);
  const sal_contact_problem problem = {.m = p->m, .band = p->band, .W = p->W, .q = p->q};

  for (int k = 0; k < p->m; ++k) p->active[k] = p->carries[p->of[k]];
  if (p->m > 0 && !sal_contact_solve(&problem, p->active, p->z, p->work)) return false;
  memset(p->carries, 0, (size_t)s->m * sizeof *p->carries);
  for (int k = 0; k < p->m; ++k) {
    const int c = p->of[k], lo = p->lo[c];
    p->carries[c] = p->z[k] > 0;
    for (int i = lo; i < p->hi[c]; ++i) x[i] += p->response[c][i - lo] * p->z[k];
  }
  return true;
}
