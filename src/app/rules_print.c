/** @file src/app/rules_print.c
 *  Rules as plain if-then text.
 */
#include "rules_print.h"
#include "parameter_column.h"
#include "text.h"
#include <math.h>

enum { INDENT = 4, PERCENT = 32 };

/* 4.93 %, 49.3 %, 4930 %: three digits, and never an exponent. */
static const char *percent_text(double share, char text[PERCENT])
{
  if (fabs(share) < 1)
    snprintf(text, PERCENT, "%.3g %%", 100 * share);
  else
    snprintf(text, PERCENT, "%.0f %%", 100 * share);
  return text;
}

/* A quantity that the rules may ask about: "k  ground stiffness [1], 1 .. 480". */
static void print_quantity(FILE *out, const sal_model *m, const sal_axis *axis, int c)
{
  const int k = axis->column[c], option = k - m->n_param, state = option - m->n_option;
  const sal_field *field = option < 0 ? &m->param[k] : state >= 0 ? &m->state[state] : NULL;
  double lo = INFINITY, hi = -INFINITY;

  fprintf(out, "  %-8s %s", sal_parameter_column_name(m, k),
          field ? field->what : m->option[option].what);
  for (int64_t i = 0; i < axis->n_point; ++i) {
    lo = fmin(lo, sal_axis_value(axis, i, c));
    hi = fmax(hi, sal_axis_value(axis, i, c));
  }
  if (field) fprintf(out, " [%s], %g .. %g", field->unit, lo, hi);
  fprintf(out, "\n");
}

void sal_rules_print_head(FILE *out, const sal_performance_table *a, const sal_rules_setting *set)
{
  const sal_sweep *s = a->sweep;

  fprintf(out, "rules for %s from %lld cell%s\n", s->model->name, (long long)a->n_cell,
          sal_text_plural(a->n_cell));
  for (int i = 0; i < s->n_axis; ++i)
    for (int c = 0; c < s->axis[i].n_column; ++c) print_quantity(out, s->model, &s->axis[i], c);
  if (set->by_reader)
    fprintf(out,
            "Work is the expected total as the reader of the map says it, with what follows a "
            "miss; more work is what that\nis beyond the least of all contenders, at most %g %%.  ",
            100 * set->miss);
  else
    fprintf(out,
            "Work and misses are those of the run in each cell%s.\nA miss is a cell in which the "
            "error is not reached, or the run fails.  It counts as %g %% more work,\nand nothing "
            "counts as more.  ",
            set->why, 100 * set->miss);
  fprintf(out, "A rule must save %g %% of what one answer for all cells costs.\n",
          100 * set->limits.price);
}

/* By the reader: costs are totals, with what follows a miss. */
static bool by_reader(const sal_policy *policy) { return policy->costs.missing != NULL; }

/* "12 % more work, 3.2 % missed" */
static void print_cost(FILE *out, const sal_question *q, const sal_policy *policy,
                       const sal_policy_cost *cost)
{
  char text[PERCENT];

  if (by_reader(policy))
    fprintf(out, "%s more work, ", percent_text(cost->cost, text));
  else if (cost->missed < cost->n && sal_question_by_error(q))
    fprintf(out, "%s more work, ", percent_text(cost->regret, text));
  else if (cost->missed < cost->n)
    fprintf(out, "%.3g points less, ", cost->regret);
  fprintf(out, "%s %s", percent_text(cost->missing, text),
          sal_question_by_error(q) ? "missed" : "failed");
}

static void print_test(FILE *out, const sal_model *m, const sal_binning_quantity *quantity, int bin)
{
  fprintf(out, "if %s ", sal_parameter_column_name(m, quantity->column));
  if (quantity->word)
    fprintf(out, "is %s\n",
            m->option[quantity->column - m->n_param].choice[(int)quantity->edge[bin]]);
  else
    fprintf(out, "< %.15g\n", quantity->edge[bin - 1]);
}

static void print_leaf(FILE *out, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *policy, int at)
{
  const sal_cost_matrix *costs = &policy->costs;

  fprintf(out, "use ");
  sal_cli_question_print_contender(out, a->sweep, costs->contender[policy->tree.node[at].choice]);
  fprintf(out, "   (%lld cell%s: ", (long long)policy->node[at].n,
          sal_text_plural(policy->node[at].n));
  print_cost(out, q, policy, &policy->node[at]);
  fprintf(out, ")\n");
}

static void print_tree(FILE *out, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *policy)
{
  int order[SAL_POLICY_TREE_NODES];
  bool otherwise[SAL_POLICY_TREE_NODES] = {false};

  sal_policy_tree_order(&policy->tree, order);
  for (int i = 0; i < policy->tree.n; ++i) {
    const sal_policy_tree_node *node = &policy->tree.node[order[i]];
    const int depth = INDENT * (node->depth + 1);
    if (otherwise[order[i]]) fprintf(out, "%*selse\n", depth - INDENT, "");
    fprintf(out, "%*s", depth, "");
    if (node->feature < 0) {
      print_leaf(out, a, q, policy, order[i]);
    } else {
      otherwise[node->no] = true;
      print_test(out, a->sweep->model, &policy->binning.quantity[node->feature], node->bin);
    }
  }
}

static void print_mean_cost(FILE *out, const sal_question *q, const sal_policy *policy,
                            const char *name, const sal_policy_cost *cost)
{
  char regret[PERCENT], miss[PERCENT], total[PERCENT];

  if (cost->n == 0) {
    fprintf(out, "    %-34s%11s\n", name, "too few cells");
    return;
  }
  snprintf(regret, PERCENT, "%.3g  ", cost->regret);
  snprintf(total, PERCENT, "%.3g  ", cost->cost);
  if (sal_question_by_error(q)) {
    percent_text(cost->regret, regret);
    percent_text(cost->cost, total);
  }
  fprintf(out, "    %-34s%12s%12s", name, by_reader(policy) ? total : regret,
          percent_text(cost->missing, miss));
  if (!by_reader(policy)) fprintf(out, "%15s", total);
  fprintf(out, "\n");
}

static void print_mean_costs(FILE *out, const sal_performance_table *a, const sal_question *q,
                             const sal_policy *policy)
{
  const int single = policy->costs.contender[policy->tree.node[0].choice];

  fprintf(out, "\n    %-34s%12s%12s%s\n", "in the mean",
          sal_question_by_error(q) ? "more work" : "points less",
          sal_question_by_error(q) ? "missed" : "failed",
          by_reader(policy) ? "" : "    with misses");
  print_mean_cost(out, q, policy, "these rules", &policy->rules);
  print_mean_cost(out, q, policy, "  in cells left out of the fit", &policy->rules_out);
  print_mean_cost(out, q, policy, "one answer for all cells", &policy->single);
  print_mean_cost(out, q, policy, "  in cells left out of the fit", &policy->single_out);
  fprintf(out, "    the answer for all is ");
  sal_cli_question_print_contender(out, a->sweep, single);
  fprintf(out, "; %s names %d\n", by_reader(policy) ? "the reader" : "the map itself",
          policy->n_winner);
}

/* Where the tree is not shown to be worth asking, the one answer comes first. */
static void print_advice(FILE *out, const sal_performance_table *a, const sal_question *q,
                         const sal_policy *policy)
{
  char rules[PERCENT], single[PERCENT];

  if (policy->tree.n == 1 || sal_policy_pays(policy)) return;
  fprintf(out, "  one answer for all: use ");
  sal_cli_question_print_contender(out, a->sweep,
                                   policy->costs.contender[policy->tree.node[0].choice]);
  if (policy->rules_out.n == 0) {
    fprintf(out, "\n  There are too few cells to tell whether the rules below are better:\n\n");
    return;
  }
  if (sal_question_by_error(q)) {
    percent_text(policy->rules_out.cost, rules);
    percent_text(policy->single_out.cost, single);
  } else {
    snprintf(rules, PERCENT, "%.3g points", policy->rules_out.cost);
    snprintf(single, PERCENT, "%.3g", policy->single_out.cost);
  }
  fprintf(out,
          "\n  The rules below fit these cells, but are no better in cells left out of the fit (%s "
          "against %s):\n\n",
          rules, single);
}

void sal_rules_print(FILE *out, const sal_performance_table *a, const sal_question *q,
                     const sal_policy *policy)
{
  fprintf(out, "\n");
  sal_cli_question_print(out, a, q);
  if (policy->costs.n == 0) {
    fprintf(out, ": no contender in any cell\n");
    return;
  }
  if (policy->costs.n < a->n_cell)
    fprintf(out, "; in %d of %lld cells, no contender answers in the others", policy->costs.n,
            (long long)a->n_cell);
  fprintf(out, "\n\n");
  print_advice(out, a, q, policy);
  print_tree(out, a, q, policy);
  print_mean_costs(out, a, q, policy);
}
