/** The elementary functions of plain numbers for all that computes results outside of the lanes.
 *
 *  libm picks a variant of its own by the CPU, whose last bits differ from those of another; these have the same bits on
 *  every machine.  Accuracy: exp, log and expm1 within 1 ulp, sin and cos within 1.6 up to 1e5; beyond, and log1p,
 *  within 3; pow, exp2, log2, log10 and hypot within 0.6, so that they are exact where the result is a double.
 */
#pragma once

double sal_scalar_exp(double x);
double sal_scalar_exp2(double x);
double sal_scalar_expm1(double x);
double sal_scalar_log(double x);
double sal_scalar_log2(double x);
double sal_scalar_log10(double x);
double sal_scalar_log1p(double x);
/** x^y as IEEE 754 has it. */
double sal_scalar_pow(double x, double y);
/** sqrt(x^2 + y^2) without overflow. */
double sal_scalar_hypot(double x, double y);
/** Defined for any finite x. */
void sal_scalar_sincos(double x, double *sine, double *cosine);
double sal_scalar_sin(double x);
double sal_scalar_cos(double x);
