/** @file src/tableaus/order_conditions.c
 *  Sums over the trees, and what they should be.
 */
#include "order_conditions.h"

bool sal_order_conditions_same(sal_exact a, sal_exact b, sal_exact size)
{
  const sal_exact more = sal_coefficient_size(a) + sal_coefficient_size(b) + size;

  return sal_coefficient_size(a - b) <= SAL_ORDER_CONDITIONS_SLACK * more;
}

/* Does the condition of a tree hold?  The weight of stage i is weight[i * stride]. */
static bool holds(const sal_rooted_trees *trees, int tree, const sal_exact weight[], size_t stride,
                  sal_exact wanted, sal_order_failure *failure)
{
  const sal_rooted_tree *t = &trees->tree[tree];
  sal_exact sum = 0, size = 0;

  for (size_t i = 0; i < (size_t)trees->stages; ++i) {
    const sal_exact term = weight[i * stride] * t->weight[i];
    sum += term;
    size += sal_coefficient_size(term);
  }
  if (sal_order_conditions_same(sum, wanted, size)) return true;
  failure->order = t->order;
  failure->found = (double)sum;
  failure->wanted = (double)wanted;
  failure->off = (double)(sum - wanted);
  return false;
}

int sal_order_conditions(const sal_rooted_trees *trees, const sal_exact weight[], const char *name,
                         sal_order_failure *failure)
{
  *failure = (sal_order_failure){.order = 0};
  for (int i = 0; i < trees->n; ++i) {
    if (holds(trees, i, weight, 1, trees->tree[i].target, failure)) continue;
    sal_rooted_trees_say(trees, i, name, failure->text);
    return failure->order - 1;
  }
  return trees->most;
}

int sal_order_conditions_dense(const sal_rooted_trees *trees, const sal_exact dense[], int most,
                               int degree, sal_order_failure *failure)
{
  *failure = (sal_order_failure){.order = 0};
  for (int i = 0; i < trees->n; ++i)
    for (int j = 0; j < degree; ++j) {
      const sal_exact wanted = j + 1 == trees->tree[i].order ? trees->tree[i].target : 0;
      if (holds(trees, i, dense + j, (size_t)most, wanted, failure)) continue;
      sal_rooted_trees_say(trees, i, "dense", failure->text);
      return failure->order - 1;
    }
  return trees->most < degree ? trees->most : degree;
}
