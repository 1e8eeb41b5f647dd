/** Rows of the contacts that take part in an event, for contact_jump.c. */
#pragma once

#include "contact_motion.h"
#include <math.h>

/** Rates or accelerations of m contacts, by impulses or forces: w = W r + u, rows normal and along by turns. */
typedef struct {
  int n, m, *of;          /* coordinates / contacts [m] */
  double *row, *response; /* [2 m][n] gradients, M^-1 row' */
  double *W;              /* [2 m][2 m] */
  double *u, *r, *w;      /* [2 m] */
  double *size;           /* [2 m] of the terms of u */
  double *mu, *sense;     /* [m] as in contact_friction.h, as is `least` (NULL) */
  double *least, *room;   /* room [m]: for `least` */
  int *slides;            /* [m] */
  bool *binds;            /* [2 m] of sal_contact_rows_bind */
  double *L, *free;       /* [n][n] Cholesky's factors of M, [n] accelerations without forces */
  double *held;           /* [n_bound][n] directions that bounds do not allow, orthonormal with M */
  double *was;            /* [2 n] q and v ahead of the event */
  double *work;
} sal_contact_rows;

/** Doubles that hold n smaller things. */
static inline size_t sal_contact_words(size_t n, size_t bytes)
{
  return (n * bytes + sizeof(double) - 1) / sizeof(double);
}
/** The next n doubles of a block. */
static inline void *sal_contact_carve(double **next, size_t n) { return (*next += n) - n; }

/** Doubles of work space of a motion, and rows in it. */
size_t sal_contact_rows_words(int n, int m, int n_bound);
sal_contact_rows sal_contact_rows_open(const sal_contact_motion *s);
/** L, free and held; false: the mass is not positive definite. */
bool sal_contact_rows_fall(const sal_contact_motion *s, sal_contact_rows *p);
/** `free` under another load, with the factors there are. */
void sal_contact_rows_load(const sal_contact_motion *s, sal_contact_rows *p);
/** x = M^-1 b in the coordinates from .. to - 1, which are whole blocks of M, by Cholesky's factors. */
void sal_contact_rows_solve_mass(const sal_contact_motion *s, const double L[], int from, int to,
                                 const double b[], double x[]);
/** The rows of the contacts whose mode `takes`: u accelerations under `free`, or rates. */
void sal_contact_rows_pose(const sal_contact_motion *s, bool forces, sal_contact_rows *p);
/** r, w and slides, with friction; false: not solved. */
bool sal_contact_rows_solve(sal_contact_rows *p);
/** r of the normal rows without friction. */
bool sal_contact_rows_push(sal_contact_rows *p);
/** r so that W r + u = 0 in the rows of `binds`, as far as they are independent: by pivots on the diagonal.  Contacts that slide
 *  have -mu sense times their normal r along it. */
void sal_contact_rows_bind(sal_contact_rows *p);
/** Adds M^-1 row' r of all rows to x [n]. */
void sal_contact_rows_respond(const sal_contact_rows *p, double x[]);
/** Gaps of the contacts that take part (mode.takes) become 0; false: as sal_contact_rows_fall. */
bool sal_contact_rows_land(sal_contact_motion *s, sal_contact_rows *p);
/** Contacts that were closed ahead of the event, or are afterwards, have no rate but what errors of steps have made: it becomes 0, as
 *  does the speed of what sticks.  Where `gain` is above 0 it begins to slide with that speed. */
void sal_contact_rows_steady(sal_contact_motion *s, sal_contact_rows *p);
/** The gradient of row i [n]. */
static inline const double *sal_contact_rows_row(const sal_contact_rows *p, int i)
{
  return p->row + (size_t)i * (size_t)p->n;
}

static inline double sal_contact_rows_dot(int n, const double a[], const double b[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/** row v + drift; *size: of its terms. */
static inline double sal_contact_rows_rate(int n, const double row[], const double v[],
                                           double drift, double *size)
{
  double sum = drift;

  *size = fabs(drift);
  for (int i = 0; i < n; ++i) {
    sum += row[i] * v[i];
    *size += fabs(row[i] * v[i]);
  }
  return sum;
}
