/** A solver's text while it is read: its tableau in 113 bits, its order by rooted trees, its coefficients as arithmetic.
 */
#pragma once

#include "document.h"
#include "given_method.h"

/* The numbers of a tableau: decimals, fractions and roots, in 113 bits, so that what is made of them
 * (differences of weights, an inverse) is rounded to a double once. */

#if LDBL_MANT_DIG == 113 /* as on ARM */
#define SAL_EXACT long double
#else
#define SAL_EXACT __float128
#endif
__extension__ typedef SAL_EXACT sal_exact;

/** Most names / largest number. */
enum { SAL_COEFFICIENT_NAMES = 32 };
#define SAL_COEFFICIENT_MOST 1e6

/** Named numbers in expressions; names are borrowed. */
typedef struct {
  int n;
  const char *name[SAL_COEFFICIENT_NAMES];
  sal_exact value[SAL_COEFFICIENT_NAMES];
} sal_coefficient_names;

/** Reads the scalar `node`: numbers, names, + - * / ^ ( ) and sqrt.  `what` heads the messages ("row 3 of A"). */
sal_err sal_coefficient_read(const sal_document *document, int node, const char *what,
                             const sal_coefficient_names *names, sal_exact *value);
/** The modulus. */
sal_exact sal_coefficient_size(sal_exact x);

/* Rooted trees and their elementary weights: a method is of order p where sum_i b_i Phi_i(tree) = 1 / density for
 * all trees of up to p vertices.  Hairer, Norsett & Wanner, Solving ODEs I, II.2; Hairer & Wanner, II, IV.7.
 *
 * A vertex with several sons multiplies sums over a_ij.  One with a single son takes a_ij in a Runge-Kutta method and
 * a_ij + gamma_ij in a Rosenbrock method; in a W-method, whose matrix need not be a Jacobian, there are both a_ij
 * and gamma_ij, and the condition of a tree with the latter is 0. */

typedef enum { SAL_TREES_RUNGE_KUTTA, SAL_TREES_ROSENBROCK, SAL_TREES_W } sal_trees_kind;

/** Highest order that is looked at, and how many trees there are to it: of a W-method to order 5 as well. */
enum { SAL_TREES_ORDER = 8, SAL_TREES_MOST = 200 };

typedef struct {
  int order, n_child;
  int child[SAL_TREES_ORDER]; /* numbers of trees, not rising */
  bool gamma;                 /* the only son hangs on gamma_ij */
  sal_exact target;           /* 1 / density; 0: see above */
  sal_exact weight[SAL_MAX_STAGE];
  /* of a son in a sum over a_ij, the same over what a single son takes, and over gamma_ij */
  sal_exact among[SAL_MAX_STAGE], single[SAL_MAX_STAGE], inexact[SAL_MAX_STAGE];
} sal_rooted_tree;

typedef struct {
  sal_trees_kind kind;
  int stages, n, most;
  sal_rooted_tree tree[SAL_TREES_MOST]; /* by order */
} sal_rooted_trees;

/** All trees of up to `most` vertices.  gamma: NULL for a Runge-Kutta method. */
void sal_rooted_trees_make(sal_rooted_trees *trees, sal_trees_kind kind, int stages,
                           const sal_exact a[][SAL_MAX_STAGE],
                           const sal_exact gamma[][SAL_MAX_STAGE], int most);

enum { SAL_TREES_TEXT = 160 };
/** The weight as a sum, "sum b_i c_i a_ij c_j". */
const char *sal_rooted_trees_say(const sal_rooted_trees *trees, int tree, const char *weights,
                                 char text[SAL_TREES_TEXT]);

/* ---- tableau reading ---- */

typedef enum { SAL_TABLEAU_RUNGE_KUTTA, SAL_TABLEAU_ROSENBROCK_W } sal_tableau_kind;

/** Rows are nodes of the document, for messages; stages count what stands in the text. */
typedef struct {
  const sal_document *document;
  sal_coefficient_names names;
  sal_tableau_kind kind;
  const char *name, *title, *source;
  int stages, order, embedded;
  int degree; /* of `dense`; 0: the text gives none */
  bool has_c;
  double shrink;
  sal_exact a[SAL_MAX_STAGE][SAL_MAX_STAGE], gamma[SAL_MAX_STAGE][SAL_MAX_STAGE];
  sal_exact b[SAL_MAX_STAGE], b_hat[SAL_MAX_STAGE], c[SAL_MAX_STAGE];
  sal_exact dense[SAL_MAX_STAGE][SAL_MAX_RK_DEGREE];
} sal_tableau_reading;

enum { SAL_TABLEAU_W_ORDER = 4 }; /* to which w_order is looked at */

/** Properties of a tableau that satisfies the conditions. */
typedef struct {
  int dense_order; /* p, where values between steps are wrong by O(h^p); of the cubic Hermite polynomial
                      where the text gives none */
  int stages, slopes; /* of a step: with one at the new point; evaluations of f */
  int w_order; /* of a Rosenbrock-W method with any matrix for its Jacobian, to SAL_TABLEAU_W_ORDER; else 0 */
  double at_infinity; /* of a Rosenbrock-W method: its stability function there */
} sal_tableau_facts;

/** Reads the document: kinds of values, names, shapes. */
sal_err sal_tableau_read(const sal_document *document, sal_tableau_reading *r);
/** Checks the numbers: sums of rows, orders. */
sal_err sal_tableau_check(const sal_tableau_reading *r, sal_tableau_facts *facts);

/** Does the last stage stand at the new point: is its row of A the weights b? */
bool sal_tableau_ends_new(const sal_tableau_reading *r);
