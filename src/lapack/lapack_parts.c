/** The functions that reference LAPACK takes of the Fortran library and of libm, under the names by which it calls them.
 *
 *  They are linked into one object with it, in which all names but those of LAPACKE are local (CMakeLists.txt).
 */
#include "scalar_math.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sal_lapack_wrong(const char *name, const int *argument, size_t n) __asm__("xerbla_");
void sal_lapack_concat(size_t n, char *to, size_t n_a, const char *a, size_t n_b,
                       const char *b) __asm__("_gfortran_concat_string");
double sal_lapack_pow(double x, double y) __asm__("pow");
double sal_lapack_log(double x) __asm__("log");
double sal_lapack_log10(double x) __asm__("log10");
float sal_lapack_logf(float x) __asm__("logf");

/* A call of ours with a wrong argument. */
void sal_lapack_wrong(const char *name, const int *argument, size_t n)
{
  fprintf(stderr, "%.*s: argument %d is not allowed\n", (int)n, name, *argument);
  abort();
}

/* a // b, cut or filled with blanks. */
void sal_lapack_concat(size_t n, char *to, size_t n_a, const char *a, size_t n_b, const char *b)
{
  const size_t from_a = n_a < n ? n_a : n, from_b = n_b < n - from_a ? n_b : n - from_a;

  memcpy(to, a, from_a);
  memcpy(to + from_a, b, from_b);
  memset(to + from_a + from_b, ' ', n - from_a - from_b);
}

double sal_lapack_pow(double x, double y) { return sal_scalar_pow(x, y); }
double sal_lapack_log(double x) { return sal_scalar_log(x); }
double sal_lapack_log10(double x) { return sal_scalar_log10(x); }
float sal_lapack_logf(float x) { return (float)sal_scalar_log((double)x); }
