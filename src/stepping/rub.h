/** Impulses of the contacts of a step with friction in space: three rows a contact, dense. */
#pragma once

#include "contact_motion.h"
#include <stddef.h>

typedef struct {
  int n, m, *of;          /* coordinates / contacts of the motion [m] */
  double *row, *response; /* [3 m][n] normal, along and across; M^-1 row' */
  double *W, *u, *r, *w;  /* [3 m][3 m], [3 m] */
  double *mu;             /* [m] */
  double *carried;        /* [contacts][3] impulses of the step before */
} sal_rub;

/** Doubles of memory for at most m contacts and n coordinates. */
size_t sal_rub_words(int n, int m);
/** In memory [sal_rub_words] that is 0. */
sal_rub sal_rub_open(int n, int m, double *memory);
/** Takes contact c, whose normal rate after the step is `rate` without impulses. */
void sal_rub_take(sal_rub *p, const sal_contact_motion *s, const double L[], int c, double rate);
/** r, and adds M^-1 row' r of all to x [n]; false: not solved. */
bool sal_rub_solve(sal_rub *p, int contacts, double x[]);
