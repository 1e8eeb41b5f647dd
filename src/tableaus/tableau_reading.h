/** @file src/tableaus/tableau_reading.h
 *  A solver's text while it is read: its tableau in 113 bits.
 */
#ifndef SAL_TABLEAU_READING_H
#define SAL_TABLEAU_READING_H

#include "coefficient.h"
#include "document.h"
#include "err.h"
#include "given_method.h"
#include "model.h"

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
SAL_MUST_CHECK sal_err sal_tableau_read(const sal_document *document, sal_tableau_reading *r);
/** Checks the numbers: sums of rows, orders. */
SAL_MUST_CHECK sal_err sal_tableau_check(const sal_tableau_reading *r, sal_tableau_facts *facts);

/** Does the last stage stand at the new point: is its row of A the weights b? */
bool sal_tableau_ends_new(const sal_tableau_reading *r);

#endif
