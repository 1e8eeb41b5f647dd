/** The lane half's arithmetic, callable from a test at every width (lane_probe.c). */
#pragma once

#include "integrate.h"
#include "program.h"

enum { PROBE_BLOCK = 8 };

typedef enum {
  PROBE_LOG,
  PROBE_EXP,
  PROBE_POW,
  PROBE_ROUGH_POW,
  PROBE_SINCOS,
  PROBE_SPACING
} probe_function;

/** Applies f to x [count], a multiple of PROBE_BLOCK; p is the exponent of a power.  The answers go
 *  to y, and for sincos the cosines to z. */
typedef void probe_map(probe_function f, double p, int count, const double x[], double y[],
                       double z[]);
/** A matrix that is a band, stored as one; NULL: it is full. */
typedef struct {
  int lower, upper;
} probe_band;

/** Solves `count` systems A x = b of n equations by sal_linear_factorise and sal_linear_solve, or those of
 *  bands; count is a multiple of PROBE_BLOCK, A [count][n][n], b and x [count][n]. */
typedef void probe_solver(int n, const probe_band *band, int count, const double A[],
                          const double b[], double x[]);

/** out [count] = the first slope that the flow of programs makes of two states x, y [count]. */
typedef void probe_runner(const sal_flow_programs *programs, int count, const double x[],
                          const double y[], double out[]);

/** Looks for all zeros of `count` polynomials, a multiple of PROBE_BLOCK, by sal_bernstein_find: powers of
 *  theta - origin in a [count][degree + 1], each positive at 0, bounds of their zeros in at [count][most][2], in
 *  order, how many in n [count], and in open [count] whether one was left undecided. */
typedef void probe_zeros(int degree, double origin, double noise, int count, const double a[],
                         int most, double at[], int n[], int open[]);

probe_zeros probe_zeros_w1, probe_zeros_w4, probe_zeros_w8;
probe_runner probe_program_w1, probe_program_w4, probe_program_w8;
probe_map probe_map_w1, probe_map_w4, probe_map_w8;
probe_solver probe_solve_w1, probe_solve_w4, probe_solve_w8;

/** The same of n complex equations: A [count][2][n][n] and b, x [count][2][n], real parts first. */
probe_solver probe_complex_solve_w1, probe_complex_solve_w4, probe_complex_solve_w8;

static const struct {
  int width;
  probe_map *map;
  probe_solver *solve, *complex_solve;
  probe_runner *program;
  probe_zeros *zeros;
} probes[] = {
    {1, probe_map_w1, probe_solve_w1, probe_complex_solve_w1, probe_program_w1, probe_zeros_w1},
    {4, SAL_W4(probe_map_w4), SAL_W4(probe_solve_w4), SAL_W4(probe_complex_solve_w4),
     SAL_W4(probe_program_w4), SAL_W4(probe_zeros_w4)},
    {8, SAL_W8(probe_map_w8), SAL_W8(probe_solve_w8), SAL_W8(probe_complex_solve_w8),
     SAL_W8(probe_program_w8), SAL_W8(probe_zeros_w8)},
};

/** How many of `probes` this CPU can run. */
static inline int n_probe(void)
{
  int n = 1;
  while (n < 3 && probes[n].width <= sal_integrate_widest()) ++n;
  return n;
}
