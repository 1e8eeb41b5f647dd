/** @file src/answers/policy_tree.c
 *  A policy tree, read.
 */
#include "policy_tree.h"

int sal_policy_tree_leaf(const sal_policy_tree *tree, const sal_policy_cases *cases, int32_t row)
{
  const sal_policy_tree_node *node = tree->node;

  while (node->feature >= 0) {
    const sal_policy_feature *f = &cases->feature[node->feature];
    node = &tree->node[sal_policy_feature_says_yes(f, node->bin, row) ? node->yes : node->no];
  }
  return (int)(node - tree->node);
}

void sal_policy_tree_order(const sal_policy_tree *tree, int order[])
{
  int waiting[SAL_POLICY_TREE_DEPTH + 2] = {0}, n_waiting = 1;

  for (int i = 0; n_waiting > 0; ++i) {
    const sal_policy_tree_node *node = &tree->node[order[i] = waiting[--n_waiting]];
    if (node->feature < 0) continue;
    waiting[n_waiting++] = node->no;
    waiting[n_waiting++] = node->yes;
  }
}
