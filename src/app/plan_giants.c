/** @file src/app/plan_giants.c
 *  Who the giants are, where, and which key bounds them.
 */
#include "plan_giants.h"
#include "contender.h"
#include "parameter_column.h"
#include <math.h>

/* The key is to leave the others alone. */
static const double above_median = 10;

static void print_cell(FILE *out, const sal_sweep *s, const sal_giant *g)
{
  const char *separator = "";

  for (int c = 0; c < sal_parameter_column_count(s->model); ++c) {
    if (!sal_parameter_column_varies(s, c)) continue;
    fprintf(out, "%s%s = ", separator, sal_parameter_column_name(s->model, c));
    if (sal_parameter_column_is_option(s->model, c))
      fprintf(out, "%s", s->model->option[c - s->model->n_param].choice[(int)g->value[c]]);
    else
      fprintf(out, "%g", g->value[c]);
    separator = ", ";
  }
}

static void print_giant(FILE *out, const sal_sweep *s, const sal_giant *g)
{
  if (g->contender < 0)
    fprintf(out, "the reference");
  else
    fprintf(out, "%s with %s at %g", sal_contender_method(s, g->contender),
            sal_contender_strategy(s, g->contender), sal_contender_tolerance(s, g->contender));
  fprintf(out, ", ");
  print_cell(out, s, g);
  if (isnan(g->work))
    fprintf(out, ": more than %.1g evaluations of f", SAL_GIANTS_BUDGET);
  else if (isnan(g->reached))
    fprintf(out, ": %.1e evaluations of f", g->work);
  else
    fprintf(out, ": %.1e evaluations of f, by the first %.2g of %g", g->work, g->reached, s->t_end);
  fprintf(out, "\n");
}

/* What a giant may take when the median is to be left alone: a power of ten. */
static double bound(const sal_giants *all)
{
  return pow(10, ceil(log10(fmax(above_median * sal_giants_median(all), SAL_GIANTS_BUDGET))));
}

void sal_plan_giants_print(FILE *out, const sal_sweep *s, const sal_giants *all)
{
  int shown = 0;

  for (int i = 0; i < all->n && sal_giants_is_one(all, i); ++i) {
    fprintf(out, "%-13s", shown++ ? "" : "giants");
    print_giant(out, s, &all->giant[i]);
  }
  if (shown == 0) return;
  fprintf(out, "%-13sthe median of the sample is %.1e; ", "", sal_giants_median(all));
  fprintf(out, "--set budget.work=%.0e ends such runs as over_budget\n", bound(all));
}

void sal_plan_giants_json(sal_json *j, const sal_sweep *s, const sal_giants *all)
{
  sal_json_number(j, "median_work", sal_giants_median(all));
  sal_json_array(j, "giants");
  for (int i = 0; i < all->n && sal_giants_is_one(all, i); ++i) {
    const sal_giant *g = &all->giant[i];
    sal_json_object(j, NULL);
    if (g->contender >= 0) {
      sal_json_text(j, "solver", sal_contender_method(s, g->contender));
      sal_json_text(j, "strategy", sal_contender_strategy(s, g->contender));
      sal_json_number(j, "rtol", sal_contender_tolerance(s, g->contender));
    }
    sal_json_number(j, "work", g->work);
    for (int c = 0; c < sal_parameter_column_count(s->model); ++c)
      if (sal_parameter_column_varies(s, c))
        sal_json_number(j, sal_parameter_column_name(s->model, c), g->value[c]);
    sal_json_end(j);
  }
  sal_json_end(j);
}
