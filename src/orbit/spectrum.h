/** Lyapunov exponents at visits of a section, in lanes, and the last of these visits.
 *
 *  Tangent vectors are carried from visit to visit with saltation matrices, as a return map carries them, and made
 *  orthonormal there (Benettin, Galgani, Giorgilli & Strelcyn, Meccanica 15 (1980) 9-30): an exponent is the mean of
 *  the logarithms of what is left of the length of a vector, over the time.  Its standard error is that of batch
 *  means.  A rest or a stick maps directions to nothing: their vectors are dropped, and their exponents are -inf.
 *  On a cycle whose vectors repeat the errors are 0.  Where visits repeat to rounding but vectors do not, which turn with a
 *  complex pair of multipliers, exponents are those of the cycle's multipliers, and their errors 0.
 */
#pragma once

#include "return_map.h"
#include <stdint.h>

enum { SAL_SPECTRUM_PERIODS = 64 }; /* the longest period that is recognised, in visits */

/** How cells are followed. */
typedef struct {
  int settle,
      visits; /* visits that pass, at least 1, then those that count; vectors turn in half of the first */
  int n_exponent; /* at least the map's setup.vectors, which are found; 0: none */
  int kept;       /* last visits whose states are kept, at most `visits` */
  int n_state;    /* states of each; 0: none */
  const int *state;
  double close,
      bound; /* visits are alike within this, over the unknowns' sizes; bound of the unknowns' moduli */
} sal_spectrum_setup;

/** A cell; y, closed and what results go to are the caller's. */
typedef struct {
  const double *param; /* [n_param + n_option] */
  double *y;           /* [n_state] the initial condition, then the last visit */
  bool *closed;        /* [n_guard] the mode there */
  double
      *exponent; /* [n_exponent] falling; -inf: lost; NaN: not found, or the visits ended before */
  double *error; /* [n_exponent] standard errors; NaN where there is none */
  double *kept;  /* [setup n_state][kept] NaN where the visits ended before */
  sal_return_end why; /* out: of the last return */
  bool still;         /* out: it did not return, and the state at the end does not move */
  int visits;         /* out: that count */
  double time;        /* out: of these */
  int period;         /* out: visits after which they repeat; 0: they do not */
  int lost;           /* out: exponents of -inf */
} sal_spectrum;

/** Exponents of a cell that repeats after of->period visits, by eigenvalues, of the vectors that are the first n columns of
 *  q [n_unknown][setup.vectors] at its last visit, orthonormal: exponent [n] falling, NaN where the multiplier is real, less
 *  than rounding beside the largest, or not found, as where the vectors do not span a space that a period maps
 *  into itself, even with one more. */
sal_err sal_cycle_exponents(const sal_return_map *map, const sal_spectrum *of, const double q[],
                            int n, double exponent[]);

/** Follows n cells.  The map's setup.returns is 1.  Fails only for want of memory. */
sal_err sal_spectrum_run(const sal_return_map *map, const sal_spectrum_setup *setup, int64_t n,
                         sal_spectrum cell[]);

/* Columns of matrices whose rows stand one after the other: the tangent vectors of exponents. */

/** Product of column i of a [m][k] and column j of b. */
double sal_columns_dot(int64_t m, int64_t k, const double a[], int i, const double b[], int j);
/** Takes from column j of v [m][k] its parts along the first n columns of q, twice, adding them to part [n], unless NULL;
 *  returns what is left of its length. */
double sal_columns_project(int64_t m, int64_t k, const double q[], int n, double v[], int j,
                           double part[]);
