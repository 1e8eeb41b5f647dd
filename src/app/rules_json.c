/** @file src/app/rules_json.c
 *  Rules as JSON.
 */
#include "answer_json.h"
#include "parameter_column.h"
#include "rules_print.h"

static void put_cost(sal_json *j, const sal_policy *policy, const sal_policy_cost *cost)
{
  sal_json_whole(j, "cells", cost->n);
  if (policy->costs.missing) {
    sal_json_number(j, "miss_probability", cost->missing);
    sal_json_number(j, "cost", cost->cost);
    return;
  }
  sal_json_whole(j, "missed", cost->missed);
  sal_json_number(j, "regret", cost->regret);
  sal_json_number(j, "cost", cost->cost);
}

static void put_test(sal_json *j, const sal_model *m, const sal_binning_quantity *quantity,
                     const sal_policy_tree_node *node)
{
  sal_json_text(j, "quantity", sal_parameter_column_name(m, quantity->column));
  if (quantity->word)
    sal_json_text(j, "is",
                  m->option[quantity->column - m->n_param].choice[(int)quantity->edge[node->bin]]);
  else
    sal_json_number(j, "below", quantity->edge[node->bin - 1]);
  sal_json_whole(j, "yes", node->yes);
  sal_json_whole(j, "no", node->no);
}

static void put_leaf(sal_json *j, const sal_performance_table *a, const sal_policy *policy, int at)
{
  sal_answer_json_contender(j, a->sweep, policy->costs.contender[policy->tree.node[at].choice]);
}

static void put_tree(sal_json *j, const sal_performance_table *a, const sal_policy *policy)
{
  sal_json_array(j, "nodes");
  for (int i = 0; i < policy->tree.n; ++i) {
    const sal_policy_tree_node *node = &policy->tree.node[i];
    sal_json_object(j, NULL);
    if (node->feature < 0) {
      put_leaf(j, a, policy, i);
      put_cost(j, policy, &policy->node[i]);
    } else {
      put_test(j, a->sweep->model, &policy->binning.quantity[node->feature], node);
    }
    sal_json_end(j);
  }
  sal_json_end(j);
}

void sal_rules_json_head(sal_json *j, FILE *out, const sal_performance_table *a,
                         const sal_rules_setting *set)
{
  sal_json_begin(j, out);
  sal_json_text(j, "model", a->sweep->model->name);
  sal_json_whole(j, "cells", a->n_cell);
  sal_json_whole(j, "depth", set->limits.depth);
  sal_json_number(j, "gain", set->limits.price);
  sal_json_text(j, "costs", set->by_reader ? "reader" : "measured");
  sal_json_array(j, "questions");
}

void sal_rules_json_end(sal_json *j)
{
  sal_json_end(j);
  sal_json_end(j);
}

static void put_policy(sal_json *j, const sal_performance_table *a, const sal_policy *policy)
{
  const struct {
    const char *name;
    const sal_policy_cost *of;
  } row[] = {{"rules", &policy->rules},
             {"rules_left_out", &policy->rules_out},
             {"single", &policy->single},
             {"single_left_out", &policy->single_out}};

  sal_json_number(j, "miss", policy->costs.miss);
  sal_json_whole(j, "winners", policy->n_winner);
  sal_json_bool(j, "rules_pay", sal_policy_pays(policy));
  put_tree(j, a, policy);
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    sal_json_object(j, row[i].name);
    put_cost(j, policy, row[i].of);
    sal_json_end(j);
  }
  sal_json_object(j, "answer_for_all");
  put_leaf(j, a, policy, 0);
  sal_json_end(j);
}

void sal_rules_json(sal_json *j, const sal_performance_table *a, const sal_question *q,
                    const sal_policy *policy)
{
  sal_json_object(j, NULL);
  sal_cli_question_json(j, a, q);
  sal_json_whole(j, "answered", policy->costs.n);
  if (policy->costs.n > 0) put_policy(j, a, policy);
  sal_json_end(j);
}
