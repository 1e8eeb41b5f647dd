/** Columns of matrices whose rows stand one after the other: the tangent vectors of exponents. */
#pragma once

#include <stdint.h>

/** Product of column i of a [m][k] and column j of b. */
double sal_columns_dot(int64_t m, int64_t k, const double a[], int i, const double b[], int j);
/** Takes from column j of v [m][k] its parts along the first n columns of q, twice, adding them to part [n], unless NULL;
 *  returns what is left of its length. */
double sal_columns_project(int64_t m, int64_t k, const double q[], int n, double v[], int j,
                           double part[]);
