/** Accelerations of a mechanical system whose terms are a program, and the forces of its closed contacts, in a mode that is
 *  given: rows of the same coordinates lie in a band, so that the work for a row or a chain grows with its length.
 */
#pragma once

#include "program.h"

/** A row that is bound: the gap of contact c, or what slides along it. */
typedef struct {
  int c, lo, hi; /* M^-1 of its direction is 0 but for the coordinates lo .. hi - 1 */
  bool along;
  double *response; /* [hi - lo] */
} sal_program_hold_row;

typedef struct {
  const sal_contact_program *of;
  double *out;            /* results of its terms, in which Cholesky's factors replace M */
  bool *closed, *sticks;  /* [m] the mode of each contact */
  double *sense;          /* [m] */
  double *a;              /* [n] accelerations */
  double *normal, *along; /* [m] forces of rigid contacts */
  bool redundant;         /* a force is not unique, or nothing but rounding */
  int n_row, band;
  sal_program_hold_row *row;
  double *diagonal, *size, *b, *A; /* [n_row], [n_row], [n_row], [n_row][2 band + 1] */
  bool *done;                      /* [n_row] eliminated, in this order */
  int *order;
  double *store;
  int *touched; /* [n] */
} sal_program_hold;

/** How many contacts one may lie after the first that moves a coordinate which it moves, too. */
int sal_program_hold_band(const sal_contact_program *of);
/** Doubles of memory / the arrays in it; those of the mode and the results are the caller's to fill. */
size_t sal_program_hold_words(const sal_contact_program *of);
sal_program_hold sal_program_hold_open(const sal_contact_program *of, double memory[]);
/** Accelerations and forces; false: the mass is not positive definite.  *at, unless NULL: by this coordinate, whose
 *  pivot stands on the diagonal in place of its root. */
bool sal_program_hold_solve(sal_program_hold *h, int *at);
