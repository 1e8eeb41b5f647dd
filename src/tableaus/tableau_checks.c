/** Conditions on the numbers of a tableau. */
#include "memory.h"
#include "tableau_reading.h"

/* A condition counts as met within this, in units of the moduli of its terms: decimals of 15 digits pass. */
#define SLACK 1e-12

/* The first condition that fails. */
typedef struct {
  int order;                 /* 0: none does */
  char text[SAL_TREES_TEXT]; /* "sum b_i c_i a_ij c_j" */
  double found, wanted, off;
} order_failure;

/* Is a equal to b, as far as numbers of the size of `size` can be? */
static bool are_same(sal_exact a, sal_exact b, sal_exact size)
{
  const sal_exact more = sal_coefficient_size(a) + sal_coefficient_size(b) + size;

  return sal_coefficient_size(a - b) <= SLACK * more;
}

/* Does the condition of a tree hold?  The weight of stage i is weight[i * stride]. */
static bool holds(const sal_rooted_trees *trees, int tree, const sal_exact weight[], size_t stride,
                  sal_exact wanted, order_failure *failure)
{
  const sal_rooted_tree *t = &trees->tree[tree];
  sal_exact sum = 0, size = 0;

  for (size_t i = 0; i < (size_t)trees->stages; ++i) {
    const sal_exact term = weight[i * stride] * t->weight[i];
    sum += term;
    size += sal_coefficient_size(term);
  }
  if (are_same(sum, wanted, size)) return true;
  failure->order = t->order;
  failure->found = (double)sum;
  failure->wanted = (double)wanted;
  failure->off = (double)(sum - wanted);
  return false;
}

/* The highest order, to that of the trees, whose conditions hold; `name` is that of the weights. */
static int order_of(const sal_rooted_trees *trees, const sal_exact weight[], const char *name,
                    order_failure *failure)
{
  *failure = (order_failure){.order = 0};
  for (int i = 0; i < trees->n; ++i) {
    if (holds(trees, i, weight, 1, trees->tree[i].target, failure)) continue;
    sal_rooted_trees_say(trees, i, name, failure->text);
    return failure->order - 1;
  }
  return trees->most;
}

/* The highest order of the polynomials sum_j dense[i * most + j] theta^(j + 1), j < degree, for all theta. */
static int order_of_dense(const sal_rooted_trees *trees, const sal_exact dense[], int most,
                          int degree, order_failure *failure)
{
  *failure = (order_failure){.order = 0};
  for (int i = 0; i < trees->n; ++i)
    for (int j = 0; j < degree; ++j) {
      const sal_exact wanted = j + 1 == trees->tree[i].order ? trees->tree[i].target : 0;
      if (holds(trees, i, dense + j, (size_t)most, wanted, failure)) continue;
      sal_rooted_trees_say(trees, i, "dense", failure->text);
      return failure->order - 1;
    }
  return trees->most < degree ? trees->most : degree;
}

static int find(const sal_tableau_reading *r, const char *key)
{
  return sal_document_find(r->document, key);
}

/* Does row i of `key`, of n numbers, sum to the number i of `name`? */
static sal_err check_row(const sal_tableau_reading *r, const char *key, int i, int n,
                         const sal_exact row[], const char *name, sal_exact wanted)
{
  sal_exact sum = 0;

  for (int j = 0; j < n; ++j) sum += row[j];
  if (are_same(sum, wanted, 1)) return SAL_OK;
  return sal_document_fail(r->document, sal_document_item(r->document, find(r, key), i),
                           "row %d of %s sums to %.16g; allowed: %s_%d = %.16g (off by %.2g)",
                           i + 1, key, (double)sum, name, i + 1, (double)wanted,
                           (double)(sum - wanted));
}

bool sal_tableau_ends_new(const sal_tableau_reading *r)
{
  const sal_exact *last = r->a[r->stages - 1];

  for (int i = 0; i < r->stages; ++i)
    if (!are_same(last[i], r->b[i], 0)) return false;
  return true;
}

static sal_err check_stages(const sal_tableau_reading *r)
{
  const bool pair = r->kind == SAL_TABLEAU_RUNGE_KUTTA;
  const int most = !pair                     ? SAL_ROSENBROCK_W_STAGES
                   : sal_tableau_ends_new(r) ? SAL_MAX_STAGE
                                             : SAL_MAX_STAGE - 1;

  if (r->stages <= most) return SAL_OK;
  return sal_document_fail(r->document, find(r, "A"), "A: %d stages; allowed: to %d%s", r->stages,
                           most, pair ? ", or one more that stands at the new point" : "");
}

static sal_err check_diagonal(const sal_tableau_reading *r)
{
  const sal_exact gamma = r->gamma[0][0];

  for (int i = 0; i < r->stages; ++i)
    if (gamma == 0 || !are_same(r->gamma[i][i], gamma, 0))
      return sal_document_fail(
          r->document, sal_document_item(r->document, find(r, "Gamma"), i),
          "row %d of Gamma: %.16g on the diagonal; allowed: one number in all rows, and not 0",
          i + 1, (double)r->gamma[i][i]);
  return SAL_OK;
}

static sal_err check_order(const sal_tableau_reading *r, const sal_rooted_trees *trees,
                           const sal_exact weight[], const char *name, const char *key, int stated)
{
  order_failure failure;
  const int order = order_of(trees, weight, name, &failure);

  if (order < stated)
    return sal_document_fail(r->document, find(r, name),
                             "%s: %d, but a condition of order %d fails: %s = %.16g; allowed: "
                             "1/%.0f = %.16g (off by %.2g)",
                             key, stated, failure.order, failure.text, failure.found,
                             1 / failure.wanted, failure.wanted, failure.off);
  if (order > stated)
    return sal_document_fail(r->document, find(r, key),
                             "%s: %d, but the conditions of order %d hold, too; allowed: %d", key,
                             stated, stated + 1, order);
  return SAL_OK;
}

static sal_err check_difference(const sal_tableau_reading *r)
{
  for (int i = 0; i < r->stages; ++i)
    if (r->b[i] != r->b_hat[i]) return SAL_OK;
  return sal_document_fail(
      r->document, find(r, "b_hat"),
      "b_hat is b: their difference is the estimate of the error, and has to be "
      "another number than 0");
}

static sal_err check_dense(const sal_tableau_reading *r, const sal_rooted_trees *trees,
                           sal_tableau_facts *facts)
{
  order_failure failure;

  facts->dense_order = 4;
  if (r->degree == 0) return SAL_OK;
  for (int i = 0; i < r->stages; ++i)
    SAL_TRY(check_row(r, "dense", i, r->degree, r->dense[i], "b", r->b[i]));
  facts->dense_order =
      1 + order_of_dense(trees, &r->dense[0][0], SAL_MAX_RK_DEGREE, r->degree, &failure);
  if (facts->dense_order > 1) return SAL_OK;
  return sal_document_fail(r->document, find(r, "dense"),
                           "dense: not of order 1: %s has to be theta (off by %.2g)", failure.text,
                           failure.off);
}

/* 1 - b (A + Gamma)^-1 (1, .., 1). */
static double stability_at_infinity(const sal_tableau_reading *r)
{
  sal_exact x[SAL_MAX_STAGE], value = 1;

  for (int i = 0; i < r->stages; ++i) {
    x[i] = 1;
    for (int j = 0; j < i; ++j) x[i] -= (r->a[i][j] + r->gamma[i][j]) * x[j];
    x[i] /= r->gamma[i][i];
    value -= r->b[i] * x[i];
  }
  return (double)value;
}

static sal_err check_orders(const sal_tableau_reading *r, sal_rooted_trees *trees,
                            sal_tableau_facts *facts)
{
  const bool pair = r->kind == SAL_TABLEAU_RUNGE_KUTTA;
  const int higher = r->order > r->embedded ? r->order : r->embedded;
  order_failure failure;

  sal_rooted_trees_make(trees, pair ? SAL_TREES_RUNGE_KUTTA : SAL_TREES_ROSENBROCK, r->stages, r->a,
                        r->gamma, higher < SAL_TREES_ORDER ? higher + 1 : higher);
  SAL_TRY(check_order(r, trees, r->b, "b", "order", r->order));
  SAL_TRY(check_order(r, trees, r->b_hat, "b_hat", "embedded_order", r->embedded));
  SAL_TRY(check_dense(r, trees, facts));
  if (pair) return SAL_OK;
  sal_rooted_trees_make(trees, SAL_TREES_W, r->stages, r->a, r->gamma, SAL_TABLEAU_W_ORDER);
  facts->w_order = order_of(trees, r->b, "b", &failure);
  facts->at_infinity = stability_at_infinity(r);
  return SAL_OK;
}

sal_err sal_tableau_check(const sal_tableau_reading *r, sal_tableau_facts *facts)
{
  SAL_OWN sal_rooted_trees *trees = sal_alloc(1, sizeof *trees);

  *facts = (sal_tableau_facts){0};
  if (!trees) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  SAL_TRY(check_stages(r));
  for (int i = 0; r->has_c && i < r->stages; ++i)
    SAL_TRY(check_row(r, "A", i, r->stages, r->a[i], "c", r->c[i]));
  if (r->kind == SAL_TABLEAU_ROSENBROCK_W) SAL_TRY(check_diagonal(r));
  SAL_TRY(check_difference(r));
  return check_orders(r, trees, facts);
}
