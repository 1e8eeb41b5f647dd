/** @file src/app/rules_json.c
 *  Rules as JSON.
 */
#include "parameter_column.h"
#include "rules_print.h"
#include <math.h>

static void put_cost(FILE *out, const sal_policy_cost *f)
{
  fprintf(out, "\"cells\": %lld, \"missed\": %lld", (long long)f->n, (long long)f->missed);
  sal_json_number(out, "regret", f->regret);
  sal_json_number(out, "cost", f->cost);
}

static void put_test(FILE *out, const sal_model *m, const sal_binning_quantity *quantity,
                     const sal_policy_tree_node *node)
{
  fprintf(out, "\"quantity\": \"%s\", ", sal_parameter_column_name(m, quantity->column));
  if (quantity->word)
    fprintf(out, "\"is\": \"%s\"",
            m->option[quantity->column - m->n_param].choice[(int)quantity->edge[node->bin]]);
  else
    fprintf(out, "\"below\": %.15g", quantity->edge[node->bin - 1]);
  fprintf(out, ", \"yes\": %d, \"no\": %d", node->yes, node->no);
}

static void put_answer(FILE *out, const sal_performance_table *a, const sal_policy *policy, int at)
{
  sal_cli_question_json_contender(out, a->sweep,
                                  policy->costs.contender[policy->tree.node[at].choice]);
}

static void put_tree(FILE *out, const sal_performance_table *a, const sal_policy *policy)
{
  fprintf(out, ", \"nodes\": [");
  for (int i = 0; i < policy->tree.n; ++i) {
    const sal_policy_tree_node *node = &policy->tree.node[i];
    fprintf(out, "%s{", i ? ", " : "");
    if (node->feature < 0) {
      put_answer(out, a, policy, i);
      fprintf(out, ", ");
      put_cost(out, &policy->node[i]);
    } else {
      put_test(out, a->sweep->model, &policy->binning.quantity[node->feature], node);
    }
    fprintf(out, "}");
  }
  fprintf(out, "]");
}

void sal_rules_json_head(FILE *out, const sal_performance_table *a, const sal_rules_setting *set)
{
  fprintf(out, "\"model\": \"%s\", \"cells\": %lld, \"depth\": %d, \"gain\": %.17g",
          a->sweep->model->name, (long long)a->n_cell, set->limits.depth, set->limits.price);
}

void sal_rules_json(FILE *out, const sal_performance_table *a, const sal_question *q,
                    const sal_policy *policy)
{
  const struct {
    const char            *name;
    const sal_policy_cost *of;
  } row[] = {{"rules", &policy->rules},
             {"rules_left_out", &policy->rules_out},
             {"single", &policy->single},
             {"single_left_out", &policy->single_out}};

  fprintf(out, "{");
  sal_cli_question_json(out, a, q);
  fprintf(out, ", \"answered\": %d", policy->costs.n);
  if (policy->costs.n > 0) {
    sal_json_number(out, "miss", policy->costs.miss);
    fprintf(out, ", \"winners\": %d", policy->n_winner);
    put_tree(out, a, policy);
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
      fprintf(out, ", \"%s\": {", row[i].name);
      put_cost(out, row[i].of);
      fprintf(out, "}");
    }
    fprintf(out, ", \"answer_for_all\": {");
    put_answer(out, a, policy, 0);
    fprintf(out, "}");
  }
  fprintf(out, "}");
}
