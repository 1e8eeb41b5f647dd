/** One-step methods as data: explicit Runge-Kutta pairs and Rosenbrock-W methods whose coefficients are made at run
 *  time, which sal_method.inner points to.  src/tableaus makes them of a text.
 */
#pragma once

#include "method.h"

/* ---- explicit pairs, whose last stage is the slope at the new point ---- */

enum { SAL_MAX_RK_DEGREE = 8 };

/** The last row of `table.a` holds the weights of the solution. */
typedef struct {
  int stages, slots; /* of a step; of memory: those of the dense output besides */
  int degree;        /* of the dense output; 0: it is not made of `dense` */
  sal_stage_table table;
  double e[SAL_MAX_STAGE];                        /* [stages] of the error estimate: b - b^ */
  double dense[SAL_MAX_STAGE][SAL_MAX_RK_DEGREE]; /* weight of k_i: sum_j dense[i][j] theta^(j+1) */
  double power;                                   /* 1 / q, where the error is O(h^q) */
  double shrink;                                  /* a failed step shrinks no further than this */
  double later; /* factor for further failures of the step; 0: as for the first one */
  bool blends;  /* e^2 / sqrt(e^2 + 0.01 e3^2) is the error, with a second estimate */
  double e3[SAL_MAX_STAGE];
} sal_tableau;

/** The tableau of an explicit pair, ours or one made at run time; NULL of any other method. */
const sal_tableau *sal_tableau_of(const sal_method *method);

/** The operations of a pair whose inner is a sal_tableau, with a dense output that is made of `dense` and no blended
 *  estimate.  Steps are those of methods/rk.c, whatever the model, and have the bits of a pair of methods/tableau.h
 *  with the same constants. */
extern const struct sal_method_ops_w1 sal_given_pair_w1;
extern const struct sal_method_ops_w4 sal_given_pair_w4;
extern const struct sal_method_ops_w8 sal_given_pair_w8;

/* ---- Rosenbrock-W methods ---- */

enum { SAL_ROSENBROCK_W_STAGES = 8 }; /* at most */

/** Hairer & Wanner, Solving ODEs II, IV.7.  With J = df/dy and T = df/dt at (t, y), and W = I - h g J, the stages
 *
 *    W u_i = g (h f(t + alpha_i h, y + sum_j a_ij u_j) + h^2 gamma_i T + sum_j c_ij u_j),      j < i,
 *
 *  make the step yn = y + sum_i m_i u_i, whose difference to the embedded solution is sum_i e_i u_i.  These are
 *  the coefficients of u = Gamma k, so that no product of J with a vector is left.  Strictly lower triangular
 *  matrices, sums of rows, weights; g = gamma. */
typedef struct {
  int stages;
  int degree; /* of the dense output; 0: the cubic Hermite polynomial */
  double gamma;
  double a[SAL_ROSENBROCK_W_STAGES][SAL_ROSENBROCK_W_STAGES];
  double c[SAL_ROSENBROCK_W_STAGES][SAL_ROSENBROCK_W_STAGES];
  double alpha[SAL_ROSENBROCK_W_STAGES], gamma_sum[SAL_ROSENBROCK_W_STAGES];
  double m[SAL_ROSENBROCK_W_STAGES], e[SAL_ROSENBROCK_W_STAGES];
  double dense[SAL_ROSENBROCK_W_STAGES][SAL_MAX_RK_DEGREE]; /* of u_i, as in sal_tableau */
  bool shares[SAL_ROSENBROCK_W_STAGES]; /* has the arguments of the stage before it, and so its f */
  bool ends_new;                        /* the last stage has its f at the new point */
  double power;                         /* 1 / q, where the error is O(h^q) */
  double shrink;                        /* a failed step shrinks no further than this */
} sal_rosenbrock_w;

/** The operations of a method whose inner is a sal_rosenbrock_w. */
extern const struct sal_method_ops_w1 sal_given_rosenbrock_w1;
extern const struct sal_method_ops_w4 sal_given_rosenbrock_w4;
extern const struct sal_method_ops_w8 sal_given_rosenbrock_w8;
