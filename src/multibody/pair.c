/** Sums of the vectors of two bodies. */
#include "arm.h"

void sal_pair_put(const sal_pair_place *at, const sal_arm *arm, int side, double sign,
                  sal_pair *out)
{
  sal_arm_value a;
  const bool moves = arm->body >= 0;

  sal_arm_at(at->system, at->value, at->q, arm, &a);
  for (int i = 0; i < 3; ++i) {
    out->x[i] += sign * a.x[i];
    for (int l = 0; l < SAL_ARM && moves; ++l) out->d[i][side * SAL_ARM + l] = sign * a.d[i][l];
  }
}

void sal_pair_put_turn(const sal_pair_place *at, const double p[], const sal_arm *arm, int side,
                       double sign, sal_pair_turn *out)
{
  sal_arm_turn a;

  sal_arm_along(at->system, at->value, at->q, p, arm, &a);
  for (int i = 0; i < 3; ++i) {
    out->bend[i] += sign * a.bend[i];
    for (int l = 0; l < SAL_ARM; ++l) {
      out->d2[i][side * SAL_ARM + l] = sign * a.d2[i][l];
      out->d3[i][side * SAL_ARM + l] = sign * a.d3[i][l];
    }
  }
}

void sal_pair_bend(const sal_pair_place *at, const sal_arm *arm, int side, double factor,
                   const double w[3], double block[SAL_PAIR][SAL_PAIR])
{
  const double weight[3] = {factor * w[0], factor * w[1], factor * w[2]};
  double K[SAL_ARM][SAL_ARM] = {{0}};

  sal_arm_hessian(at->system, at->value, at->q, arm, weight, K);
  for (int k = 0; k < SAL_ARM; ++k)
    for (int l = 0; l < SAL_ARM; ++l) block[side * SAL_ARM + k][side * SAL_ARM + l] += K[k][l];
}

void sal_pair_scatter(const int column[SAL_PAIR], double block[SAL_PAIR][SAL_PAIR], int n_q,
                      double S[])
{
  for (int k = 0; k < SAL_PAIR; ++k)
    for (int l = 0; l < SAL_PAIR; ++l)
      if (column[k] >= 0 && column[l] >= 0) S[column[k] * n_q + column[l]] += block[k][l];
}

double sal_pair_dot(const int column[SAL_PAIR], const double row[SAL_PAIR], const double x[])
{
  double sum = 0;

  for (int l = 0; l < SAL_PAIR; ++l)
    if (column[l] >= 0) sum += row[l] * x[column[l]];
  return sum;
}
