/** @file src/tableaus/order_conditions.h
 *  The order of weights by the conditions of rooted trees.
 */
#ifndef SAL_ORDER_CONDITIONS_H
#define SAL_ORDER_CONDITIONS_H

#include "rooted_trees.h"

/** A condition counts as met within this, in units of the moduli of its terms: decimals of 15 digits pass. */
#define SAL_ORDER_CONDITIONS_SLACK 1e-12

/** The first condition that fails. */
typedef struct {
  int order;                 /* 0: none does */
  char text[SAL_TREES_TEXT]; /* "sum b_i c_i a_ij c_j" */
  double found, wanted, off;
} sal_order_failure;

/** The highest order, to that of the trees, whose conditions hold; `name` is that of the weights. */
int sal_order_conditions(const sal_rooted_trees *trees, const sal_exact weight[], const char *name,
                         sal_order_failure *failure);

/** The highest order of the polynomials sum_j dense[i * most + j] theta^(j + 1), j < degree, for all theta. */
int sal_order_conditions_dense(const sal_rooted_trees *trees, const sal_exact dense[], int most,
                               int degree, sal_order_failure *failure);

/** Is `a` equal to `b`, as far as numbers of the size of `size` can be? */
bool sal_order_conditions_same(sal_exact a, sal_exact b, sal_exact size);

#endif
