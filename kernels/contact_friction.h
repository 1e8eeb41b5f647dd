/** Contacts with Coulomb's friction in the plane as one problem (Stewart and Trinkle 1996; Jourdan, Alart and Jean 1998).
 *
 *  Rates w = W r + u of m contacts, row 2 i normal and row 2 i + 1 along it, under impulses r = (N, T): 0 <= N _|_ w_n >= 0,
 *  |T| <= mu N, and T = -mu N sign(w_t) where it slides.  The same with accelerations and forces, where the sense of a
 *  sliding contact is given.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int m;
  const double *W,
      *u; /* [2 m][2 m] symmetric positive semidefinite, [2 m]; restitution is the caller's, in u */
  const double *mu;    /* [m] 0: no friction, whatever its row */
  const double *sense; /* [m] 0: it sticks or slides, by mu; else it slides and T = -mu sense N */
  const double *least; /* [m] where sense is 0: N + least bounds T in place of N; NULL: 0 */
} sal_contact_rubbing;

size_t sal_contact_friction_words(int m);

/** r [2 m], from which the iteration begins where there are many contacts.  slides [m]: -1, 0, 1, the sign of w_t, 0
 *  within SAL_TOUCH_SIGN of max |u|: where nothing slides, it sticks.  Impulses are those of least norm for the same
 *  rates.  false: not solved to SAL_TOUCH_RESIDUAL of max |u|. */
bool sal_contact_friction(const sal_contact_rubbing *problem, double r[], int slides[],
                          double work[]);

/** The largest violation, as a share of max |u|; impulses count as W[i][i] r[i].  w [2 m]: W r + u. */
double sal_contact_friction_residual(const sal_contact_rubbing *problem, const double r[],
                                     double w[]);
