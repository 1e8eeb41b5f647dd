/** Impulses of the contacts of a step that have no friction, by the coordinates that each of them moves: the work of a
 *  chain grows with its length.
 */
#pragma once

#include "contact_rows.h"
#include "contact_solve.h"

/** Contacts that take part: W z + q are their rates after the step. */
typedef struct {
  int m, *of;           /* contacts of the motion [m] */
  int *lo, *hi;         /* [contacts] M^-1 row' is 0 but for the coordinates lo .. hi - 1 */
  double **response;    /* [contacts] M^-1 row' there */
  double *store, *next; /* memory of responses, and the part that is free */
  double *q, *z;        /* [m] */
  bool *active,
      *carries; /* [m] of sal_contact_solve / [contacts] had an impulse in the step before */
  int *touched; /* [n] the first contact that moves a coordinate */
  int n_kept, band, *kept; /* contacts that W is of, n_kept of them, and its band; -1: of none */
  double *W, *work;
} sal_push;

/** Doubles of memory for at most m contacts and n coordinates. */
size_t sal_push_words(int n, int m);
/** In memory [sal_push_words] that is 0. */
sal_push sal_push_open(int n, int m, double *memory);
/** No contact takes part; again: M and the rows are those of the step before. */
void sal_push_begin(sal_push *p, const sal_contact_motion *s, bool again);
/** Takes contact c, whose rate after the step is `rate` without impulses. */
void sal_push_take(sal_push *p, const sal_contact_motion *s, const double L[], int c, double rate);
/** z, and adds M^-1 row' z of all to x [n]; false: not solved. */
bool sal_push_solve(sal_push *p, const sal_contact_motion *s, double x[]);
