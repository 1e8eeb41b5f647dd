/** Contacts with Coulomb's friction in space as one problem, by sweeps from contact to contact (Jourdan, Alart and Jean 1998;
 *  Acary, Cadoux, Lemarechal and Malick 2011).
 *
 *  Rates w = W r + u of m contacts, rows 3 i normal, 3 i + 1 and 3 i + 2 along it, under impulses r: 0 <= r_n _|_ w_n >= 0,
 *  |r_t| <= mu r_n, and r_t = -mu r_n w_t / |w_t| where it slides.
 */
#pragma once

#include <stdbool.h>

typedef struct {
  int m;
  const double *W, *u; /* [3 m][3 m] symmetric positive semidefinite, [3 m] */
  const double *mu;    /* [m] */
} sal_contact_cones;

/** r [3 m], from which the sweeps begin.  w [3 m]: W r + u.  false: not solved to SAL_TOUCH_RESIDUAL of max |u|. */
bool sal_contact_cones_solve(const sal_contact_cones *problem, double r[], double w[]);
