/** @file src/app/rules_print.c
 *  Rules as plain if-then text and as JSON.
 */
#include "rules_print.h"
#include "answer_json.h"
#include "parameter_column.h"
#include "spent_text.h"
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
static void say_quantity(const sal_report *r, const sal_model *m, const sal_axis *axis, int c)
{
  const int k = axis->column[c], option = k - m->n_param, state = option - m->n_option;
  const sal_field *field = option < 0 ? &m->param[k] : state >= 0 ? &m->state[state] : NULL;
  double lo, hi;

  sal_report_say(r, "  %-8s %s", sal_parameter_column_name(m, k),
                 field ? field->what : m->option[option].what);
  sal_axis_ends(axis, c, &lo, &hi);
  if (field) sal_report_say(r, " [%s], %g .. %g", field->unit, lo, hi);
  sal_report_say(r, "\n");
}

void sal_rules_print_head(sal_report *r, const sal_performance_table *a,
                          const sal_rules_policy *rules)
{
  const sal_rules_request *set = &rules->request;
  const bool by_reader = rules->origin == SAL_RULES_BY_READER;
  const int64_t asked = sal_rules_policy_cells(rules);
  const sal_sweep *s = a->sweep;
  sal_json *j = &r->json;

  sal_json_text(j, "model", s->model->name);
  sal_json_whole(j, "cells", a->n_cell);
  sal_json_whole(j, "cells_asked", asked);
  sal_json_whole(j, "depth", set->limits.depth);
  sal_json_number(j, "gain", set->limits.price);
  sal_json_text(j, "costs", by_reader ? "reader" : "measured");
  sal_report_say(r, "rules for %s from %lld cell%s", s->model->name, (long long)asked,
                 sal_text_plural(asked));
  if (asked < a->n_cell) sal_report_say(r, ", spread over %lld", (long long)a->n_cell);
  sal_report_say(r, "\n");
  sal_spent_text_put(r, a);
  sal_json_array(j, "questions");
  for (int i = 0; i < s->n_axis; ++i)
    for (int c = 0; c < s->axis[i].n_column; ++c) say_quantity(r, s->model, &s->axis[i], c);
  if (by_reader)
    sal_report_say(
        r,
        "Work is the expected total as the reader of the map says it, with what follows a "
        "miss; more work is what that\nis beyond the least of all contenders, at most %g %%.  ",
        100 * set->miss);
  else
    sal_report_say(
        r,
        "Work and misses are those of the run in each cell%s.\nA miss is a cell in which the "
        "error is not reached, or the run fails.  It counts as %g %% more work,\nand nothing "
        "counts as more.  ",
        rules->origin == SAL_RULES_TOO_FEW ? "; there are too few cells for a reader" : "",
        100 * set->miss);
  sal_report_say(r, "A rule must save %g %% of what one answer for all cells costs.\n",
                 100 * set->limits.price);
}

void sal_rules_print_end(sal_report *r) { sal_json_end(&r->json); }

/* ---- as JSON ---- */

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
  sal_json_array(j, "then");
  for (int i = 0; i < SAL_POLICY_NEXT && policy->next[at][i] >= 0; ++i) {
    sal_json_object(j, NULL);
    sal_answer_json_contender(j, a->sweep, policy->costs.contender[policy->next[at][i]]);
    sal_json_end(j);
  }
  sal_json_end(j);
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

/* ---- as text ---- */

/* By the reader: costs are totals, with what follows a miss. */
static bool has_expected(const sal_policy *policy) { return policy->costs.missing != NULL; }

/* "12 % more work, 3.2 % missed" */
static void say_cost(const sal_report *r, const sal_question *q, const sal_policy *policy,
                     const sal_policy_cost *cost)
{
  char text[PERCENT];

  if (has_expected(policy))
    sal_report_say(r, "%s more work, ", percent_text(cost->cost, text));
  else if (cost->missed < cost->n && sal_question_by_error(q))
    sal_report_say(r, "%s more work, ", percent_text(cost->regret, text));
  else if (cost->missed < cost->n)
    sal_report_say(r, "%.3g points less, ", cost->regret);
  sal_report_say(r, "%s %s", percent_text(cost->missing, text),
                 sal_question_by_error(q) ? "missed" : "failed");
}

static void say_test(const sal_report *r, const sal_model *m, const sal_binning_quantity *quantity,
                     int bin)
{
  sal_report_say(r, "if %s ", sal_parameter_column_name(m, quantity->column));
  if (quantity->word)
    sal_report_say(r, "is %s\n",
                   m->option[quantity->column - m->n_param].choice[(int)quantity->edge[bin]]);
  else
    sal_report_say(r, "< %.15g\n", quantity->edge[bin - 1]);
}

static void say_leaf(const sal_report *r, const sal_performance_table *a, const sal_question *q,
                     const sal_policy *policy, int at, int depth)
{
  const sal_cost_matrix *costs = &policy->costs;

  sal_report_say(r, "use ");
  sal_cli_question_say_contender(r, a->sweep, costs->contender[policy->tree.node[at].choice]);
  sal_report_say(r, "   (%lld cell%s: ", (long long)policy->node[at].n,
                 sal_text_plural(policy->node[at].n));
  say_cost(r, q, policy, &policy->node[at]);
  sal_report_say(r, ")\n");
  for (int i = 0; i < SAL_POLICY_NEXT && policy->next[at][i] >= 0; ++i) {
    if (i == 0)
      sal_report_say(r, "%*safter a miss ", depth, "");
    else
      sal_report_say(r, ", then ");
    sal_cli_question_say_contender(r, a->sweep, costs->contender[policy->next[at][i]]);
  }
  if (policy->next[at][0] >= 0) sal_report_say(r, "\n");
}

static void say_tree(const sal_report *r, const sal_performance_table *a, const sal_question *q,
                     const sal_policy *policy)
{
  int order[SAL_POLICY_TREE_NODES];
  bool otherwise[SAL_POLICY_TREE_NODES] = {false};

  sal_policy_tree_order(&policy->tree, order);
  for (int i = 0; i < policy->tree.n; ++i) {
    const sal_policy_tree_node *node = &policy->tree.node[order[i]];
    const int depth = INDENT * (node->depth + 1);
    if (otherwise[order[i]]) sal_report_say(r, "%*selse\n", depth - INDENT, "");
    sal_report_say(r, "%*s", depth, "");
    if (node->feature < 0) {
      say_leaf(r, a, q, policy, order[i], depth + INDENT);
    } else {
      otherwise[node->no] = true;
      say_test(r, a->sweep->model, &policy->binning.quantity[node->feature], node->bin);
    }
  }
}

static void say_mean_cost(const sal_report *r, const sal_question *q, const sal_policy *policy,
                          const char *name, const sal_policy_cost *cost)
{
  char regret[PERCENT], miss[PERCENT], total[PERCENT];

  if (cost->n == 0) {
    sal_report_say(r, "    %-34s%11s\n", name, "too few cells");
    return;
  }
  snprintf(regret, PERCENT, "%.3g  ", cost->regret);
  snprintf(total, PERCENT, "%.3g  ", cost->cost);
  if (sal_question_by_error(q)) {
    percent_text(cost->regret, regret);
    percent_text(cost->cost, total);
  }
  sal_report_say(r, "    %-34s%12s%12s", name, has_expected(policy) ? total : regret,
                 percent_text(cost->missing, miss));
  if (!has_expected(policy)) sal_report_say(r, "%15s", total);
  sal_report_say(r, "\n");
}

static void say_mean_costs(const sal_report *r, const sal_performance_table *a,
                           const sal_question *q, const sal_policy *policy)
{
  const int single = policy->costs.contender[policy->tree.node[0].choice];

  sal_report_say(r, "\n    %-34s%12s%12s%s\n", "in the mean",
                 sal_question_by_error(q) ? "more work" : "points less",
                 sal_question_by_error(q) ? "missed" : "failed",
                 has_expected(policy) ? "" : "    with misses");
  say_mean_cost(r, q, policy, "these rules", &policy->rules);
  say_mean_cost(r, q, policy, "  in cells left out of the fit", &policy->rules_out);
  say_mean_cost(r, q, policy, "one answer for all cells", &policy->single);
  say_mean_cost(r, q, policy, "  in cells left out of the fit", &policy->single_out);
  sal_report_say(r, "    the answer for all is ");
  sal_cli_question_say_contender(r, a->sweep, single);
  sal_report_say(r, "; %s names %d\n", has_expected(policy) ? "the reader" : "the map itself",
                 policy->n_winner);
}

/* Where the tree is not shown to be worth asking, the one answer comes first. */
static void say_advice(const sal_report *r, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *policy)
{
  char rules[PERCENT], single[PERCENT];

  if (policy->tree.n == 1 || sal_policy_pays(policy)) return;
  sal_report_say(r, "  one answer for all: use ");
  sal_cli_question_say_contender(r, a->sweep, policy->costs.contender[policy->tree.node[0].choice]);
  if (policy->rules_out.n == 0) {
    sal_report_say(r,
                   "\n  There are too few cells to tell whether the rules below are better:\n\n");
    return;
  }
  if (sal_question_by_error(q)) {
    percent_text(policy->rules_out.cost, rules);
    percent_text(policy->single_out.cost, single);
  } else {
    snprintf(rules, PERCENT, "%.3g points", policy->rules_out.cost);
    snprintf(single, PERCENT, "%.3g", policy->single_out.cost);
  }
  sal_report_say(
      r,
      "\n  The rules below fit these cells, but are no better in cells left out of the fit (%s "
      "against %s):\n\n",
      rules, single);
}

static void say_policy(const sal_report *r, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *policy)
{
  if (policy->answered < policy->asked)
    sal_report_say(r, "; in %lld of %lld cells, no contender answers in the others",
                   (long long)policy->answered, (long long)policy->asked);
  sal_report_say(r, "\n\n");
  say_advice(r, a, q, policy);
  say_tree(r, a, q, policy);
  say_mean_costs(r, a, q, policy);
}

void sal_rules_print(sal_report *r, const sal_performance_table *a, const sal_question *q,
                     const sal_policy *policy)
{
  sal_json_object(&r->json, NULL);
  sal_report_say(r, "\n");
  sal_cli_question_print(r, a, q);
  sal_json_whole(&r->json, "answered", policy->answered);
  if (policy->answered > 0) {
    put_policy(&r->json, a, policy);
    say_policy(r, a, q, policy);
  } else {
    sal_report_say(r, ": no contender in any cell\n");
  }
  sal_json_end(&r->json);
}
