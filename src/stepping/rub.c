/** Delassus's matrix of friction in space. */
#include "rub.h"
#include "contact_cones.h"
#include "contact_rows.h"
#include <string.h>

size_t sal_rub_words(int n, int m)
{
  const size_t M = (size_t)m;

  return 6 * M * (size_t)n + 9 * M * M + 14 * M;
}

sal_rub sal_rub_open(int n, int m, double *memory)
{
  const size_t M = (size_t)m, rows = 3 * M;
  double *next = memory;
  sal_rub p = {.n = n};

  p.row = sal_contact_carve(&next, rows * (size_t)n);
  p.response = sal_contact_carve(&next, rows * (size_t)n);
  p.W = sal_contact_carve(&next, rows * rows);
  p.u = sal_contact_carve(&next, rows);
  p.r = sal_contact_carve(&next, rows);
  p.w = sal_contact_carve(&next, rows);
  p.carried = sal_contact_carve(&next, rows);
  p.mu = sal_contact_carve(&next, M);
  p.of = sal_contact_carve(&next, M);
  return p;
}

void sal_rub_take(sal_rub *p, const sal_contact_motion *s, const double L[], int c, double rate)
{
  const sal_contact_terms *t = &s->terms[c];
  const double *const rows[3] = {t->normal, t->along, t->across};
  const size_t n = (size_t)p->n;
  const int k = p->m++;

  p->of[k] = c;
  p->mu[k] = t->mu;
  for (int i = 0; i < 3; ++i) {
    double *row = p->row + (size_t)(3 * k + i) * n;
    memcpy(row, rows[i], n * sizeof *row);
    sal_contact_rows_solve_mass(s, L, 0, p->n, row, p->response + (size_t)(3 * k + i) * n);
    p->u[3 * k + i] = i == 0 ? rate : sal_contact_rows_dot(p->n, row, s->v);
    p->r[3 * k + i] = p->carried[3 * c + i];
  }
}

bool sal_rub_solve(sal_rub *p, int contacts, double x[])
{
  const sal_contact_cones problem = {.m = p->m, .W = p->W, .u = p->u, .mu = p->mu};
  const int rows = 3 * p->m;
  const size_t n = (size_t)p->n;

  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= i; ++j)
      p->W[i * rows + j] = p->W[j * rows + i] =
          sal_contact_rows_dot(p->n, p->row + (size_t)i * n, p->response + (size_t)j * n);
  memset(p->carried, 0, 3 * (size_t)contacts * sizeof *p->carried);
  if (rows > 0 && !sal_contact_cones_solve(&problem, p->r, p->w)) return false;
  for (int i = 0; i < rows; ++i) {
    p->carried[3 * p->of[i / 3] + i % 3] = p->r[i];
    for (int j = 0; j < p->n; ++j) x[j] += p->response[(size_t)i * n + (size_t)j] * p->r[i];
  }
  return true;
}
