/** How positions, velocities and the partition change along a slope of the state. */
#include "arm.h"
#include "reduced.h"
#include "scalar_math.h"
#include <string.h>

void sal_reduced_vary(const sal_reduced *r, const double dv[], double dq[])
{
  if (r->chain)
    r->chain->way->vary(r->chain, dv, dq);
  else
    sal_reduced_expand(r, dv, dq);
}

void sal_reduced_vary_rates(const sal_reduced *r, const double dq[], const double dvd[],
                            double dqd[])
{
  double *b = r->work;

  sal_reduced_expand(r, dvd, dqd);
  for (int k = 0; k < r->m; ++k)
    b[k] = -sal_pair_dot(r->system->constraint[k].column, r->along[k], dq);
  if (r->m > 0) sal_reduced_back(r, b);
  for (int i = 0; i < r->m; ++i) dqd[r->u[i]] += b[i];
}

static double square_of_N(const sal_reduced *r)
{
  double sum = 0;

  for (int i = 0; i < r->n * r->n_v; ++i) sum += r->N[i] * r->N[i];
  return sum;
}

double sal_reduced_condition(const sal_reduced *r) { return sal_scalar_log(square_of_N(r)) / 2; }

/* N_u changes by -Phi_u^-1 (Phi_q dq)_q N. */
double sal_reduced_condition_rate(sal_reduced *r, const double dq[])
{
  const sal_system *s = r->system;
  const int n_v = r->n_v;
  double *B = r->P, sum = 0;

  memset(B, 0, (size_t)(r->m * n_v) * sizeof *B);
  for (int k = 0; k < r->m; ++k) {
    sal_constraint_turn turn;
    sal_constraint_along(s, r->value, r->q, dq, &s->constraint[k], &turn);
    sal_reduced_row_times(&s->constraint[k], turn.along, n_v, r->N, -1,
                          sal_reduced_line(B, k, n_v));
  }
  sal_reduced_back_all(r, n_v, B);
  for (int i = 0; i < r->m; ++i)
    for (int j = 0; j < n_v; ++j) sum += B[i * n_v + j] * r->N[r->u[i] * n_v + j];
  return sum / square_of_N(r);
}

void sal_reduced_follow(sal_reduced *r, const sal_reduced *other)
{
  memcpy(r->q, other->good, (size_t)r->n * sizeof *r->q);
  memcpy(r->good, other->good, (size_t)r->n * sizeof *r->good);
  r->factored = false;
  r->known = SAL_REDUCED_NOTHING;
}
