/** The B-derivative (Bouligand) of a flow through an instant at which contacts change sides.
 *
 *  Where n surfaces intersect, nearby trajectories cross them in any of n! orders, each through fields
 *  of its own.  The flow has no Jacobian there but a directional derivative that is continuous and
 *  piecewise linear, with one piece per order:
 *
 *      b = mode before, T = 0;  n times:
 *          F = f(rho, b),  tau_k = -(Dh_k delta + d_t h_k T) / (d_t h_k + Dh_k F),
 *          j = the k with least tau_k among those left,
 *          delta += tau_j F,  T += tau_j,  side j of b changes;
 *      delta -= T f(rho, b after).
 *
 *  With n = 1 this is the saltation matrix; a jump R(t, y) adds delta = d_t R T + DR delta ahead of
 *  the last line.  Council, Revzen, Burden, Representing and Computing
 *  the B-Derivative of the Piecewise-Differentiable Flow of a Class of Nonsmooth Vector Fields, J.
 *  Comput. Nonlinear Dyn. 17 (2022) 091004, Fig. 2.1; Burden, Sastry, Koditschek, Revzen,
 *  Event-selected vector field discontinuities yield piecewise-differentiable flows, SIAM J. Appl.
 *  Dyn. Syst. 15 (2016) 1227-1267.
 */
#pragma once

#include "model.h"

/** Where contacts change sides, and what was before.  A model that resets its state allows one at a
 *  time: the order of several resets may matter, and then the flow is not continuous. */
typedef struct {
  const sal_model *model;
  const double *param;
  double t;
  const double *y;    /* [n_state] rho, before any jump */
  const bool *closed; /* [n_guard] before */
  int n;              /* > 0; 1 for a model that resets */
  const int *contact; /* [n] those that change sides */
  double least;       /* a surface reached with less than this times |Dh| |F| is grazed */
} sal_corner;

typedef enum {
  SAL_CORNER_CROSSED,
  SAL_CORNER_GRAZED, /* the flow is tangent to a surface */
  SAL_CORNER_BACK,   /* a field on some side of the surfaces leads back: no event-selected system */
} sal_corner_end;

/** The contact that is not crossed as it must be, and the rate at which it is crossed: above 0 in
 *  the direction of its change. */
typedef struct {
  int contact;
  double rate;
} sal_corner_fault;

/** Bytes of scratch for n contacts. */
size_t sal_corner_bytes(int n);

/** Carries delta [n_state] through the corner; order [n] receives the contacts in the order they
 *  are crossed (may be NULL).  All fields on the way are checked: each surface must be reached by
 *  the field before it and left by the field after.  When one is not, *fault identifies it, and delta
 *  is undefined. */
sal_corner_end sal_corner_map(const sal_corner *corner, double delta[], int order[],
                              sal_corner_fault *fault, void *work);
