/** Outlier runs of a plan: their cells, and the key that bounds them. */
#include "answer_json.h"
#include "config.h"
#include "plan_print.h"
#include "scalar_math.h"

/* The key is to leave the others alone. */
static const double above_median = 10;

static void print_cell(sal_report *r, const sal_sweep *s, const sal_outlier_run *g)
{
  const char *separator = "";
  char number[SAL_TEXT_NUMBER];

  for (int c = 0; c < sal_parameter_column_count(s->model); ++c) {
    const char *name = sal_parameter_column_name(s->model, c);
    if (!sal_parameter_column_varies(s, c)) continue;
    sal_json_number(&r->json, name, g->value[c]);
    sal_report_say(r, "%s%s = %s", separator, name,
                   sal_parameter_column_text(s->model, c, g->value[c], 6, number));
    separator = ", ";
  }
}

static void print_outlier(sal_report *r, const sal_sweep *s, const sal_outlier_run *g)
{
  sal_json_object(&r->json, NULL);
  if (g->config >= 0) sal_answer_json_config(&r->json, s, g->config);
  if (g->config < 0)
    sal_report_say(r, "the reference, ");
  else
    sal_report_say(r, "%s with %s at %g, ", sal_config_method(s, g->config),
                   sal_config_strategy(s, g->config), sal_config_tolerance(s, g->config));
  sal_json_number(&r->json, "work", g->work);
  print_cell(r, s, g);
  if (isnan(g->work))
    sal_report_say(r, ": more than %.1g evaluations of f\n", SAL_OUTLIER_RUNS_BUDGET);
  else if (isnan(g->reached))
    sal_report_say(r, ": %.1e evaluations of f\n", g->work);
  else
    sal_report_say(r, ": %.1e evaluations of f, by the first %.2g of %g\n", g->work, g->reached,
                   s->t_end);
  sal_json_end(&r->json);
}

/* Budget that bounds outlier runs and leaves the median run alone: a power of ten. */
static double bound(const sal_outlier_runs *all)
{
  return sal_scalar_pow(10, ceil(sal_scalar_log10(fmax(above_median * sal_outlier_runs_median(all),
                                                       SAL_OUTLIER_RUNS_BUDGET))));
}

void sal_plan_outliers_print(sal_report *r, const sal_sweep *s, const sal_outlier_runs *all)
{
  int n = 0;

  sal_json_number(&r->json, "median_work", sal_outlier_runs_median(all));
  sal_json_array(&r->json, "outliers");
  for (; n < all->n && sal_outlier_runs_is_one(all, n); ++n) {
    sal_report_say(r, "%-13s", n ? "" : "outliers");
    print_outlier(r, s, &all->outlier[n]);
  }
  sal_json_end(&r->json);
  if (n == 0) return;
  sal_report_say(r, "%-13sthe median of the sample is %.1e; ", "", sal_outlier_runs_median(all));
  sal_report_say(r, "--set budget.work=%.0e ends such runs as over_budget\n", bound(all));
}
