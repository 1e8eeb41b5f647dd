/** @file src/app/rules_json.c
 *  Rules for scripts.
 */
#include "parameter_column.h"
#include "rules_print.h"
#include <math.h>

static void put_following(FILE *out, const sal_policy_cost *f)
{
  fprintf(out, "\"cells\": %lld, \"missed\": %lld", (long long)f->n, (long long)f->missed);
  sal_json_number(out, "regret", f->regret);
  sal_json_number(out, "loss", f->loss);
}

static void put_test(FILE *out, const sal_model *m, const sal_bins *cut,
                     const sal_policy_tree_node *node)
{
  fprintf(out, "\"quantity\": \"%s\", ", sal_parameter_column_name(m, cut->column));
  if (cut->word)
    fprintf(out, "\"is\": \"%s\"",
            m->option[cut->column - m->n_param].choice[(int)cut->cut[node->bin]]);
  else
    fprintf(out, "\"below\": %.15g", cut->cut[node->bin - 1]);
  fprintf(out, ", \"yes\": %d, \"no\": %d", node->yes, node->no);
}

static void put_answer(FILE *out, const sal_performance_table *a, const sal_policy *book, int at)
{
  sal_cli_question_json_contender(out, a->sweep, book->costs.contender[book->tree.node[at].choice]);
}

static void put_tree(FILE *out, const sal_performance_table *a, const sal_policy *book)
{
  fprintf(out, ", \"nodes\": [");
  for (int i = 0; i < book->tree.n; ++i) {
    const sal_policy_tree_node *node = &book->tree.node[i];
    fprintf(out, "%s{", i ? ", " : "");
    if (node->feature < 0) {
      put_answer(out, a, book, i);
      fprintf(out, ", ");
      put_following(out, &book->node[i]);
    } else {
      put_test(out, a->sweep->model, &book->cuts.cut[node->feature], node);
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
                    const sal_policy *book)
{
  const struct {
    const char            *name;
    const sal_policy_cost *of;
  } row[] = {{"rules", &book->rules},
             {"rules_left_out", &book->rules_out},
             {"single", &book->single},
             {"single_left_out", &book->single_out}};

  fprintf(out, "{");
  sal_cli_question_json(out, a, q);
  fprintf(out, ", \"answered\": %d", book->costs.n);
  if (book->costs.n > 0) {
    sal_json_number(out, "miss", book->costs.miss);
    fprintf(out, ", \"winners\": %d", book->n_winner);
    put_tree(out, a, book);
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
      fprintf(out, ", \"%s\": {", row[i].name);
      put_following(out, row[i].of);
      fprintf(out, "}");
    }
    fprintf(out, ", \"answer_for_all\": {");
    put_answer(out, a, book, 0);
    fprintf(out, "}");
  }
  fprintf(out, "}");
}
