/** The linearly implicit midpoint rule: (M + h / 2 D + h^2 / 4 K) (v' - v) = h F(q + h / 2 v, v), of order 2 with any K. */
#include "implicit.h"

size_t sal_implicit_words(int n) { return (2 * (size_t)n + 1) * (size_t)n; }

sal_implicit sal_implicit_open(int n, double *memory)
{
  const size_t square = (size_t)n * (size_t)n;

  return (sal_implicit){n, memory, memory + square, memory + 2 * square};
}

void sal_implicit_note(const sal_implicit *p, double *matrix, int column, double by,
                       const double load[])
{
  for (int i = 0; i < p->n; ++i) matrix[i * p->n + column] = (p->load[i] - load[i]) / by;
}

void sal_implicit_add(const sal_implicit *p, double h, sal_contact_motion *m)
{
  const int n = p->n;

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool has = j >= m->first[i] && j <= m->last[i];
      m->mass[i * n + j] = (has ? m->mass[i * n + j] : 0) +
                           h / 4 * (p->D[i * n + j] + p->D[j * n + i]) +
                           h * h / 8 * (p->K[i * n + j] + p->K[j * n + i]);
    }
    m->first[i] = 0;
    m->last[i] = n - 1;
  }
}

void sal_implicit_turn(const sal_implicit *p, const double change[], sal_contact_motion *m)
{
  for (int i = 0; i < p->n; ++i)
    for (int j = 0; j < p->n; ++j)
      m->load[i] -= (p->D[i * p->n + j] - p->D[j * p->n + i]) / 4 * change[j];
}
