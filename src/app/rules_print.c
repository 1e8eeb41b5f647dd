/** @file src/app/rules_print.c
 *  Rules as plain if-then text.
 */
#include "rules_print.h"
#include "parameter_column.h"
#include <math.h>

enum { INDENT = 4, PERCENT = 32 };

static bool by_error(const sal_question *q) { return !isnan(q->error); }

/* 4.93 %, 49.3 %, 4930 %: three digits, and never an exponent. */
static const char *percent(double share, char text[PERCENT])
{
  if (fabs(share) < 1)
    snprintf(text, PERCENT, "%.3g %%", 100 * share);
  else
    snprintf(text, PERCENT, "%.0f %%", 100 * share);
  return text;
}

static double missed(const sal_policy_cost *f) { return (double)f->missed / (double)f->n; }

/* What the rules speak of: "k  ground stiffness [1], 1 .. 480". */
static void print_quantity(FILE *out, const sal_model *m, const sal_axis *axis, int c)
{
  const int        k = axis->column[c], option = k - m->n_param, state = option - m->n_option;
  const sal_field *field = option < 0 ? &m->param[k] : state >= 0 ? &m->state[state] : NULL;
  double           lo = INFINITY, hi = -INFINITY;

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

  fprintf(out, "rules for %s from %lld cells\n", s->model->name, (long long)a->n_cell);
  for (int i = 0; i < s->n_axis; ++i)
    for (int c = 0; c < s->axis[i].n_column; ++c) print_quantity(out, s->model, &s->axis[i], c);
  fprintf(
      out,
      "A miss is a cell in which the error is not reached, or the run fails.  It counts as %g %% "
      "more work,\nand nothing counts as more.  A rule must save %g %% of what one answer for "
      "all cells loses.\n",
      100 * set->miss, 100 * set->limits.price);
}

/* "12 % more work, 3.2 % missed" */
static void print_following(FILE *out, const sal_question *q, const sal_policy_cost *f)
{
  char text[PERCENT];

  if (f->missed < f->n && by_error(q)) fprintf(out, "%s more work, ", percent(f->regret, text));
  if (f->missed < f->n && !by_error(q)) fprintf(out, "%.3g points less, ", f->regret);
  fprintf(out, "%s %s", percent(missed(f), text), by_error(q) ? "missed" : "failed");
}

static void print_test(FILE *out, const sal_model *m, const sal_bins *cut, int bin)
{
  fprintf(out, "if %s ", sal_parameter_column_name(m, cut->column));
  if (cut->word)
    fprintf(out, "is %s\n", m->option[cut->column - m->n_param].choice[(int)cut->cut[bin]]);
  else
    fprintf(out, "< %.15g\n", cut->cut[bin - 1]);
}

static void print_leaf(FILE *out, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *book, int at)
{
  const sal_cost_matrix *costs = &book->costs;

  fprintf(out, "use ");
  sal_cli_question_print_contender(out, a->sweep, costs->contender[book->tree.node[at].choice]);
  fprintf(out, "   (%lld cells: ", (long long)book->node[at].n);
  print_following(out, q, &book->node[at]);
  fprintf(out, ")\n");
}

static void print_tree(FILE *out, const sal_performance_table *a, const sal_question *q,
                       const sal_policy *book)
{
  int  order[SAL_POLICY_TREE_NODES];
  bool otherwise[SAL_POLICY_TREE_NODES] = {false};

  sal_policy_tree_order(&book->tree, order);
  for (int i = 0; i < book->tree.n; ++i) {
    const sal_policy_tree_node *node  = &book->tree.node[order[i]];
    const int                   depth = INDENT * (node->depth + 1);
    if (otherwise[order[i]]) fprintf(out, "%*selse\n", depth - INDENT, "");
    fprintf(out, "%*s", depth, "");
    if (node->feature < 0) {
      print_leaf(out, a, q, book, order[i]);
    } else {
      otherwise[node->no] = true;
      print_test(out, a->sweep->model, &book->cuts.cut[node->feature], node->bin);
    }
  }
}

static void print_row(FILE *out, const sal_question *q, const char *name, const sal_policy_cost *f)
{
  char regret[PERCENT], miss[PERCENT], loss[PERCENT];

  if (f->n == 0) {
    fprintf(out, "    %-34s%11s\n", name, "too few cells");
    return;
  }
  snprintf(regret, PERCENT, "%.3g  ", f->regret);
  snprintf(loss, PERCENT, "%.3g  ", f->loss);
  fprintf(out, "    %-34s%12s%12s%15s\n", name, by_error(q) ? percent(f->regret, regret) : regret,
          percent(missed(f), miss), by_error(q) ? percent(f->loss, loss) : loss);
}

static void print_table(FILE *out, const sal_performance_table *a, const sal_question *q,
                        const sal_policy *book)
{
  const int single = book->costs.contender[book->tree.node[0].choice];

  fprintf(out, "\n    %-34s%12s%12s%15s\n", "in the mean",
          by_error(q) ? "more work" : "points less", by_error(q) ? "missed" : "failed",
          "with misses");
  print_row(out, q, "these rules", &book->rules);
  print_row(out, q, "  in cells left out of the fit", &book->rules_out);
  print_row(out, q, "one answer for all cells", &book->single);
  print_row(out, q, "  in cells left out of the fit", &book->single_out);
  fprintf(out, "    the answer for all is ");
  sal_cli_question_print_contender(out, a->sweep, single);
  fprintf(out, "; the map itself names %d\n", book->n_winner);
}

void sal_rules_print(FILE *out, const sal_performance_table *a, const sal_question *q,
                     const sal_policy *book)
{
  fprintf(out, "\n");
  sal_cli_question_print(out, a, q);
  if (book->costs.n == 0) {
    fprintf(out, ": no contender in any cell\n");
    return;
  }
  if (book->costs.n < a->n_cell)
    fprintf(out, "; in %d of %lld cells, nobody answers in the others", book->costs.n,
            (long long)a->n_cell);
  fprintf(out, "\n\n");
  print_tree(out, a, q, book);
  print_table(out, a, q, book);
}
