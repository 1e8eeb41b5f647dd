/** @file src/app/regret_print.c
 *  Regret as a table, as JSON, and point by point.
 */
#include "atomic_file.h"
#include "contender.h"
#include "json.h"
#include "offgrid.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include "regret_report.h"
#include "text.h"
#include <math.h>

enum { NAME = 96 };

static const char *const selector_names[] = {
#define SAL_REGRET_NAME(id, name) name,
    SAL_REGRET_SELECTORS(SAL_REGRET_NAME)
#undef SAL_REGRET_NAME
};

/* Does the selector use one contender at all points? */
static bool has_pick(const sal_regret_row *row) { return row->pick.schedule.n > 0; }

/* "switch:ode45:1e-06", or "" for a selector with one for each point. */
static const char *name_of_pick(const sal_regret_report *r, const sal_regret_row *row,
                                char text[SAL_CONTENDER_NAME])
{
  text[0] = '\0';
  if (has_pick(row))
    sal_contender_name(&r->map.sweep, row->pick.schedule.level[row->pick.from], text);
  return text;
}

/* ---- a table ---- */

/* A share or a regret in per cent; "-" where there is none. */
static void print_percent(FILE *out, int width, double share)
{
  if (isnan(share))
    fprintf(out, " %*s", width, "-");
  else
    fprintf(out, 100 * share < 1e4 ? " %*.1f" : " %*.3g", width, 100 * share);
}

/* "-" where there is none. */
static void print_factor(FILE *out, double x)
{
  if (isnan(x))
    fprintf(out, " %7s", "-");
  else
    fprintf(out, " %7.3g", x);
}

static void print_deviation(FILE *out, double deviation)
{
  if (isnan(deviation))
    fprintf(out, " %7s", "-");
  else
    fprintf(out, " %7.2f", deviation);
}

static void print_quantiles(FILE *out, const sal_quantiles *s)
{
  fprintf(out, "  ");
  print_percent(out, 7, s->median);
  print_percent(out, 7, s->p90);
  print_percent(out, 8, s->largest);
  print_percent(out, 7, s->mean);
}

static void print_selector(FILE *out, const sal_regret_report *r, const sal_regret_row *row,
                           sal_regret_selector selector)
{
  const sal_regret_summary *g = &row->summary;
  char                      text[SAL_CONTENDER_NAME];

  fprintf(out, "%-30s", selector_names[selector]);
  if (!row->there) {
    fprintf(out, " is not possible with this cube\n");
    return;
  }
  print_percent(out, 6, (double)g->missed / (double)g->evaluated);
  print_factor(out, g->excess.median);
  print_factor(out, g->excess.largest);
  print_quantiles(out, &g->regret);
  print_quantiles(out, &g->retried);
  fprintf(out, "  %s", name_of_pick(r, row, text));
  if (g->stopped)
    fprintf(out, "%sstopped at the caps of %lld point%s", has_pick(row) ? ", " : "",
            (long long)g->stopped, sal_text_plural(g->stopped));
  fprintf(out, "\n");
}

static void print_error_table(FILE *out, const sal_regret_report *r, const sal_regret_answer *a)
{
  const sal_regret_summary *g = &a->row[SAL_REGRET_MAP].summary;

  fprintf(out, "\n%s %g: some contender reaches it at %lld of %lld point%s", r->map.table.by->scale,
          a->asked, (long long)g->evaluated, (long long)g->points, sal_text_plural(g->points));
  if (g->evaluated == 0) {
    fprintf(out, "\n");
    return;
  }
  fprintf(out, "; the map expected none at %lld of them\n", (long long)g->abstained);
  fprintf(out, "%30s %6s %15s   %31s   %31s\n", "", "misses", "by a factor of",
          "regret where it hits [%]       ", "regret with retries [%]        ");
  fprintf(out, "%30s %6s %7s %7s", "", "[%]", "median", "worst");
  for (int i = 0; i < 2; ++i) fprintf(out, "   %7s %7s %8s %7s", "median", "90 %", "worst", "mean");
  fprintf(out, "  contender\n");
  for (int w = 0; w < SAL_N_REGRET_SELECTOR; ++w)
    if (sal_regret_selects(r, (sal_regret_selector)w))
      print_selector(out, r, &a->row[w], (sal_regret_selector)w);
  if (isfinite(sal_regret_ratio(a, false)))
    fprintf(out, "mean regret of the single best over that of the map: %.3g, with retries %.3g\n",
            sal_regret_ratio(a, false), sal_regret_ratio(a, true));
}

/* A line for each method with each strategy, a column for each tolerance. */
static void print_dispersion(FILE *out, const sal_regret_report *r)
{
  const sal_sweep *s = &r->map.sweep;
  int              order[SAL_MAX_LIST];

  sal_tolerance_schedule_order(s, order);
  fprintf(out,
          "\ndispersion: standard deviation of ln(error) between replicates, %g of each axis "
          "apart\n%30s",
          SAL_REPLICATE_SHARE, "");
  for (int t = 0; t < s->n_tolerance; ++t) fprintf(out, " %7.0e", s->tolerance[order[t]]);
  fprintf(out, "\n");
  for (int k = 0; k < s->n_strategy; ++k)
    for (int m = 0; m < s->n_method; ++m) {
      const sal_tolerance_schedule l = sal_tolerance_schedule_of(s, k, m);
      char                         text[NAME];
      if (l.n == 0 || !r->map.strategy[k] || !r->map.method[m]) continue;
      snprintf(text, sizeof text, "%s:%s", s->strategy[k]->name, s->method[m]->name);
      fprintf(out, "%-30s", text);
      for (int i = 0; i < l.n; ++i) print_deviation(out, r->dispersion[l.level[i]]);
      fprintf(out, "\n");
    }
}

void sal_regret_print(FILE *out, const sal_regret_report *r)
{
  fprintf(out, "%s: a map of %lld cell%s evaluated at %lld point%s off its grid",
          r->map.sweep.model->name, (long long)r->map.sweep.n_cell,
          sal_text_plural(r->map.sweep.n_cell), (long long)r->points.table.n_cell,
          sal_text_plural(r->points.table.n_cell));
  if (!isnan(r->seed)) fprintf(out, " (seed %.0f)", r->seed);
  fprintf(out, ", caution %g\nregret is work beyond that of the virtual best at each point\n",
          r->caution);
  if (r->answer[0].outside)
    fprintf(out, "%lld point%s outside the map, where its edge answers\n",
            (long long)r->answer[0].outside, r->answer[0].outside == 1 ? " lies" : "s lie");
  for (int e = 0; e < r->n_error; ++e) print_error_table(out, r, &r->answer[e]);
  if (r->replicates) print_dispersion(out, r);
}

/* ---- JSON ---- */

static void put_quantiles(sal_json *j, const char *prefix, const sal_quantiles *s)
{
  const struct {
    const char *name;
    double      value;
  } part[] = {{"median", s->median}, {"p90", s->p90}, {"worst", s->largest}, {"mean", s->mean}};
  char name[NAME];

  for (int i = 0; i < 4; ++i) {
    snprintf(name, sizeof name, "%s%s", prefix, part[i].name);
    sal_json_number(j, name, part[i].value);
  }
}

static void put_row(sal_json *j, const sal_regret_report *r, const sal_regret_answer *a,
                    sal_regret_selector selector)
{
  const sal_regret_row     *row = &a->row[selector];
  const sal_regret_summary *g   = &row->summary;
  char                      text[SAL_CONTENDER_NAME];

  sal_json_object(j, NULL);
  sal_json_number(j, "error", a->asked);
  sal_json_text(j, "selector", selector_names[selector]);
  sal_json_text(j, "contender", has_pick(row) ? name_of_pick(r, row, text) : NULL);
  sal_json_whole(j, "missed", g->missed);
  sal_json_whole(j, "failed", g->failed);
  if (g->stopped) sal_json_whole(j, "stopped", g->stopped);
  sal_json_number(j, "misses", (double)g->missed / (double)g->evaluated);
  sal_json_number(j, "excess_median", g->excess.median);
  sal_json_number(j, "excess_worst", g->excess.largest);
  put_quantiles(j, "", &g->regret);
  put_quantiles(j, "retried_", &g->retried);
  sal_json_number(j, "misses_in_cells", has_pick(row) ? row->pick.missed : NAN);
  sal_json_end(j);
}

static void put_question(sal_json *j, const sal_regret_answer *a)
{
  const sal_regret_summary *g = &a->row[SAL_REGRET_MAP].summary;

  sal_json_object(j, NULL);
  sal_json_number(j, "error", a->asked);
  sal_json_whole(j, "evaluated", g->evaluated);
  sal_json_whole(j, "abstained", g->abstained);
  sal_json_number(j, "risk", a->risk);
  sal_json_number(j, "mean_ratio", sal_regret_ratio(a, false));
  sal_json_number(j, "mean_ratio_with_retries", sal_regret_ratio(a, true));
  sal_json_end(j);
}

static void put_dispersion(sal_json *j, const sal_regret_report *r)
{
  const sal_sweep *s = &r->map.sweep;
  char             text[SAL_CONTENDER_NAME];

  sal_json_number(j, "replicate_distance", SAL_REPLICATE_SHARE);
  sal_json_array(j, "dispersion");
  for (int k = 0; k < r->replicate.n_contender; ++k) {
    const sal_contender of = sal_contender_decode(s, k);
    if (s->left_out[of.strategy][of.method] || !r->map.strategy[of.strategy] ||
        !r->map.method[of.method])
      continue;
    sal_json_object(j, NULL);
    sal_json_text(j, "contender", sal_contender_name(s, k, text));
    sal_json_number(j, "dispersion", r->dispersion[k]);
    sal_json_end(j);
  }
  sal_json_end(j);
}

void sal_regret_json(FILE *out, const sal_regret_report *r)
{
  sal_json j;

  sal_json_begin(&j, out);
  sal_json_text(&j, "model", r->map.sweep.model->name);
  sal_json_text(&j, "by", sal_error_metric_name(r->map.table.by));
  sal_json_whole(&j, "cells", r->map.sweep.n_cell);
  sal_json_whole(&j, "points", r->points.table.n_cell);
  sal_json_number(&j, "seed", r->seed);
  sal_json_number(&j, "caution", r->caution);
  sal_json_whole(&j, "outside", r->answer[0].outside);
  sal_json_array(&j, "questions");
  for (int e = 0; e < r->n_error; ++e) put_question(&j, &r->answer[e]);
  sal_json_end(&j);
  sal_json_array(&j, "rows");
  for (int e = 0; e < r->n_error; ++e)
    for (int w = 0; w < SAL_N_REGRET_SELECTOR; ++w)
      if (r->answer[e].row[w].there) put_row(&j, r, &r->answer[e], (sal_regret_selector)w);
  sal_json_end(&j);
  if (r->replicates) put_dispersion(&j, r);
  sal_json_end(&j);
}

/* ---- point by point ---- */

static void csv_point(FILE *f, const sal_regret_report *r, int64_t p)
{
  const sal_model *m = r->points.sweep.model;
  double           value[SAL_MAX_QUANTITY];

  sal_sweep_cell(&r->points.sweep, p, value, value + m->n_param + m->n_option);
  fprintf(f, "%lld", (long long)p + 1);
  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    const int option = k - m->n_param;
    if (!sal_parameter_column_varies(&r->map.sweep, k)) continue;
    if (option >= 0 && option < m->n_option)
      fprintf(f, ",%s", m->option[option].choice[(int)value[k]]);
    else
      fprintf(f, ",%.17g", value[k]);
  }
}

/* A contender in three columns. */
static void csv_choice(FILE *f, const sal_sweep *s, int contender)
{
  fprintf(f, ",%s,%s,%.17g", sal_contender_strategy(s, contender),
          sal_contender_method(s, contender), sal_contender_tolerance(s, contender));
}

static void csv_evaluation(FILE *f, const sal_regret_report *r, double asked,
                           const sal_regret_evaluation *v)
{
  const double figures[] = {v->work, v->error, v->best_work, v->regret, v->excess, v->retried};

  fprintf(f, ",%.17g", asked);
  csv_choice(f, &r->map.sweep, v->chosen);
  csv_choice(f, &r->map.sweep, v->best);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) fprintf(f, ",%.17g", figures[i]);
  fprintf(f, ",%d,%d", v->missed, v->abstained);
}

/* The same of a choice at the replicate, without what it shares with that of the map. */
static void csv_replicate(FILE *f, const sal_regret_report *r, const sal_regret_evaluation *v)
{
  csv_choice(f, &r->map.sweep, v->chosen);
  fprintf(f, ",%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d", v->work, v->error, v->regret, v->excess,
          v->retried, v->missed, v->abstained);
}

static void csv_head(FILE *f, const sal_regret_report *r)
{
  static const char *const view[]   = {"", "replicate_", "cautious_"};
  static const char *const column[] = {"strategy", "method",   "tolerance", "work",
                                       "error",    "regret",   "excess",    "regret_with_retries",
                                       "missed",   "abstained"};
  const sal_model         *m        = r->map.sweep.model;

  fprintf(f, "point");
  for (int k = 0; k < sal_parameter_column_count(m); ++k)
    if (sal_parameter_column_varies(&r->map.sweep, k))
      fprintf(f, ",%s", sal_parameter_column_name(m, k));
  fprintf(f, ",asked_error,strategy,method,tolerance,best_strategy,best_method,best_tolerance,"
             "work,error,best_work,regret,excess,regret_with_retries,missed,abstained");
  for (int i = 1; i < r->n_view; ++i)
    for (size_t k = 0; k < sizeof column / sizeof *column; ++k)
      fprintf(f, ",%s%s", view[i], column[k]);
  fprintf(f, "\n");
}

sal_err sal_regret_csv(const char *path, const sal_regret_report *r)
{
  const int64_t n = r->points.table.n_cell;
  FILE         *f;

  SAL_TRY(sal_atomic_file_open(path, &f));
  csv_head(f, r);
  for (int64_t p = 0; p < n; ++p)
    for (int e = 0; e < r->n_error; ++e) {
      const sal_regret_evaluation *v = &r->answer[e].evaluation[p];
      csv_point(f, r, p);
      csv_evaluation(f, r, r->answer[e].asked, v);
      for (int i = 1; i < r->n_view; ++i) csv_replicate(f, r, &v[i * n]);
      fprintf(f, "\n");
    }
  return sal_atomic_file_close(path, f);
}
