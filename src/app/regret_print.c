/** @file src/app/regret_print.c
 *  Regret as a table, as JSON, and point by point.
 */
#include "contender.h"
#include "csv_file.h"
#include "offgrid.h"
#include "parameter_column.h"
#include "parameter_point.h"
#include "regret_report.h"
#include <math.h>

enum { NAME = 96 };

static const char *const whos[] = {
#define SAL_REGRET_NAME(id, name) name,
    SAL_REGRET_WHOS(SAL_REGRET_NAME)
#undef SAL_REGRET_NAME
};

/* Has it one contender for all points? */
static bool has_pick(const sal_regret_row *row) { return row->pick.schedule.n > 0; }

/* "switch:ode45:1e-06", or "" for who has another one at each point. */
static const char *contender_of(const sal_regret_report *r, const sal_regret_row *row,
                                char text[NAME])
{
  const sal_sweep *s = &r->map.sweep;

  text[0] = '\0';
  if (!has_pick(row)) return text;
  const int k = row->pick.schedule.level[row->pick.from];
  snprintf(text, NAME, "%s:%s:%g", sal_contender_strategy(s, k), sal_contender_method(s, k),
           sal_contender_tolerance(s, k));
  return text;
}

/* ---- for people -------------------------------------------------------------------------------
 */

/* A share or a regret in per cent; "-" where there is none. */
static void percent(FILE *out, int width, double share)
{
  if (isnan(share))
    fprintf(out, " %*s", width, "-");
  else
    fprintf(out, 100 * share < 1e4 ? " %*.1f" : " %*.3g", width, 100 * share);
}

/* "-" where there is none. */
static void factor(FILE *out, double x)
{
  if (isnan(x))
    fprintf(out, " %7s", "-");
  else
    fprintf(out, " %7.3g", x);
}

static void dispersion(FILE *out, double deviation)
{
  if (isnan(deviation))
    fprintf(out, " %7s", "-");
  else
    fprintf(out, " %7.2f", deviation);
}

static void print_spread(FILE *out, const sal_quantiles *s)
{
  fprintf(out, "  ");
  percent(out, 7, s->median);
  percent(out, 7, s->p90);
  percent(out, 8, s->worst);
  percent(out, 7, s->mean);
}

static void print_row(FILE *out, const sal_regret_report *r, const sal_regret_row *row,
                      sal_regret_who who)
{
  const sal_regret_summary *g = &row->got;
  char                      text[NAME];

  fprintf(out, "%-24s", whos[who]);
  if (!row->there) {
    fprintf(out, " is not to be had from this cube\n");
    return;
  }
  percent(out, 6, (double)g->missed / (double)g->judged);
  factor(out, g->excess.median);
  factor(out, g->excess.worst);
  print_spread(out, &g->regret);
  print_spread(out, &g->retried);
  fprintf(out, "  %s\n", contender_of(r, row, text));
}

static void print_answer(FILE *out, const sal_regret_report *r, const sal_regret_answer *a)
{
  const sal_regret_summary *g = &a->row[SAL_REGRET_MAP].got;

  fprintf(out, "\nlargest error %g: some contender reaches it at %lld of %lld points", a->asked,
          (long long)g->judged, (long long)g->points);
  if (g->judged == 0) {
    fprintf(out, "\n");
    return;
  }
  fprintf(out, "; the map knew of none at %lld of them\n", (long long)g->silent);
  fprintf(out, "%24s %6s %15s   %31s   %31s\n", "", "misses", "by a factor of",
          "regret where it hits [%]       ", "regret with retries [%]        ");
  fprintf(out, "%24s %6s %7s %7s", "", "[%]", "median", "worst");
  for (int i = 0; i < 2; ++i) fprintf(out, "   %7s %7s %8s %7s", "median", "90 %", "worst", "mean");
  fprintf(out, "  contender\n");
  for (int w = 0; w < SAL_N_REGRET_WHO; ++w)
    if (sal_regret_asked(r, w)) print_row(out, r, &a->row[w], (sal_regret_who)w);
  if (isfinite(sal_regret_ratio(a, false)))
    fprintf(out,
            "mean regret of the best single contender over the map's: %.3g, with retries %.3g\n",
            sal_regret_ratio(a, false), sal_regret_ratio(a, true));
}

/* A line for each method with each strategy, a column for each tolerance. */
static void print_luck(FILE *out, const sal_regret_report *r)
{
  const sal_sweep *s = &r->map.sweep;
  int              order[SAL_MAX_LIST];

  sal_tolerance_schedule_order(s, order);
  fprintf(out,
          "\ndispersion: standard deviation of ln(error) between replicates, %g of each axis "
          "apart\n%24s",
          SAL_REPLICATE_SHARE, "");
  for (int t = 0; t < s->n_tolerance; ++t) fprintf(out, " %7.0e", s->tolerance[order[t]]);
  fprintf(out, "\n");
  for (int k = 0; k < s->n_strategy; ++k)
    for (int m = 0; m < s->n_method; ++m) {
      const sal_tolerance_schedule l = sal_tolerance_schedule_of(s, k, m);
      char                         text[NAME];
      if (l.n == 0 || !r->map.strategy[k] || !r->map.method[m]) continue;
      snprintf(text, sizeof text, "%s:%s", s->strategy[k]->name, s->method[m]->name);
      fprintf(out, "%-24s", text);
      for (int i = 0; i < l.n; ++i) dispersion(out, r->dispersion[l.level[i]]);
      fprintf(out, "\n");
    }
}

void sal_regret_print(FILE *out, const sal_regret_report *r)
{
  fprintf(out, "%s: a map of %lld cells judged at %lld points off its grid",
          r->map.sweep.model->name, (long long)r->map.sweep.n_cell,
          (long long)r->points.table.n_cell);
  if (!isnan(r->seed)) fprintf(out, " (seed %.0f)", r->seed);
  fprintf(out, ", caution %g\n", r->caution);
  if (r->answer[0].outside)
    fprintf(out, "%lld points lie outside the map, where its edge answers\n",
            (long long)r->answer[0].outside);
  for (int e = 0; e < r->n_error; ++e) print_answer(out, r, &r->answer[e]);
  if (r->replicates) print_luck(out, r);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static void json_number(FILE *out, const char *name, double x)
{
  fprintf(out, isfinite(x) ? ", \"%s\": %.17g" : ", \"%s\": null", name, x);
}

static void json_spread(FILE *out, const char *prefix, const sal_quantiles *s)
{
  const struct {
    const char *name;
    double      value;
  } part[] = {{"median", s->median}, {"p90", s->p90}, {"worst", s->worst}, {"mean", s->mean}};
  char name[NAME];

  for (int i = 0; i < 4; ++i) {
    snprintf(name, sizeof name, "%s%s", prefix, part[i].name);
    json_number(out, name, part[i].value);
  }
}

static void json_row(FILE *out, const sal_regret_report *r, const sal_regret_answer *a,
                     sal_regret_who who)
{
  const sal_regret_row     *row = &a->row[who];
  const sal_regret_summary *g   = &row->got;
  char                      text[NAME];

  fprintf(out, "{\"error\": %.17g, \"who\": \"%s\", \"contender\": ", a->asked, whos[who]);
  fprintf(out, has_pick(row) ? "\"%s\"" : "null", contender_of(r, row, text));
  fprintf(out, ", \"missed\": %lld, \"lost\": %lld", (long long)g->missed, (long long)g->lost);
  json_number(out, "misses", (double)g->missed / (double)g->judged);
  json_number(out, "excess_median", g->excess.median);
  json_number(out, "excess_worst", g->excess.worst);
  json_spread(out, "", &g->regret);
  json_spread(out, "retried_", &g->retried);
  json_number(out, "misses_in_cells", has_pick(row) ? row->pick.missed : NAN);
  fprintf(out, "}");
}

static void json_question(FILE *out, const sal_regret_answer *a)
{
  const sal_regret_summary *g = &a->row[SAL_REGRET_MAP].got;

  fprintf(out, "{\"error\": %.17g, \"judged\": %lld, \"silent\": %lld", a->asked,
          (long long)g->judged, (long long)g->silent);
  json_number(out, "risk", a->risk);
  json_number(out, "mean_ratio", sal_regret_ratio(a, false));
  json_number(out, "mean_ratio_with_retries", sal_regret_ratio(a, true));
  fprintf(out, "}");
}

static void json_luck(FILE *out, const sal_regret_report *r)
{
  const sal_sweep *s    = &r->map.sweep;
  const char      *next = "";

  fprintf(out, ", \"twin_distance\": %g, \"dispersion\": [", SAL_REPLICATE_SHARE);
  for (int k = 0; k < r->replicate.n_contender; ++k) {
    const sal_contender of = sal_contender_decode(s, k);
    if (s->left_out[of.strategy][of.method] || !r->map.strategy[of.strategy] ||
        !r->map.method[of.method])
      continue;
    fprintf(out, "%s{\"contender\": \"%s:%s:%g\"", next, sal_contender_strategy(s, k),
            sal_contender_method(s, k), sal_contender_tolerance(s, k));
    json_number(out, "dispersion", r->dispersion[k]);
    fprintf(out, "}");
    next = ", ";
  }
  fprintf(out, "]");
}

void sal_regret_json(FILE *out, const sal_regret_report *r)
{
  const char *next = "";

  fprintf(out, "{\"model\": \"%s\", \"cells\": %lld, \"points\": %lld", r->map.sweep.model->name,
          (long long)r->map.sweep.n_cell, (long long)r->points.table.n_cell);
  json_number(out, "seed", r->seed);
  json_number(out, "caution", r->caution);
  fprintf(out, ", \"outside\": %lld, \"questions\": [", (long long)r->answer[0].outside);
  for (int e = 0; e < r->n_error; ++e, next = ", ") {
    fprintf(out, "%s", next);
    json_question(out, &r->answer[e]);
  }
  fprintf(out, "], \"rows\": [");
  next = "";
  for (int e = 0; e < r->n_error; ++e)
    for (int w = 0; w < SAL_N_REGRET_WHO; ++w) {
      if (!r->answer[e].row[w].there) continue;
      fprintf(out, "%s", next);
      json_row(out, r, &r->answer[e], (sal_regret_who)w);
      next = ", ";
    }
  fprintf(out, "]");
  if (r->replicates) json_luck(out, r);
  fprintf(out, "}\n");
}

/* ---- point by point ---------------------------------------------------------------------------
 */

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

/* What was chosen, and what came of it. */
static void csv_choice(FILE *f, const sal_sweep *s, int contender)
{
  fprintf(f, ",%s,%s,%.17g", sal_contender_strategy(s, contender),
          sal_contender_method(s, contender), sal_contender_tolerance(s, contender));
}

static void csv_row(FILE *f, const sal_regret_report *r, double asked, const sal_evaluation *v)
{
  const double figures[] = {v->work, v->error, v->best_work, v->regret, v->excess, v->retried};

  fprintf(f, ",%.17g", asked);
  csv_choice(f, &r->map.sweep, v->chosen);
  csv_choice(f, &r->map.sweep, v->best);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) fprintf(f, ",%.17g", figures[i]);
  fprintf(f, ",%d,%d", v->missed, v->silent);
}

/* The same of a replicate's advice, without what it shares with the map's. */
static void csv_twin(FILE *f, const sal_regret_report *r, const sal_evaluation *v)
{
  csv_choice(f, &r->map.sweep, v->chosen);
  fprintf(f, ",%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d", v->work, v->error, v->regret, v->excess,
          v->retried, v->missed, v->silent);
}

static void csv_head(FILE *f, const sal_regret_report *r)
{
  static const char *const view[]      = {"", "twin_", "cautious_"};
  static const char *const replicate[] = {"strategy", "method", "tolerance", "work",
                                          "error",    "regret", "excess",    "regret_with_retries",
                                          "missed",   "silent"};
  const sal_model         *m           = r->map.sweep.model;

  fprintf(f, "point");
  for (int k = 0; k < sal_parameter_column_count(m); ++k)
    if (sal_parameter_column_varies(&r->map.sweep, k))
      fprintf(f, ",%s", sal_parameter_column_name(m, k));
  fprintf(f, ",asked_error,strategy,method,tolerance,best_strategy,best_method,best_tolerance,"
             "work,error,best_work,regret,excess,regret_with_retries,missed,silent");
  for (int i = 1; i < r->n_view; ++i)
    for (size_t k = 0; k < sizeof replicate / sizeof *replicate; ++k)
      fprintf(f, ",%s%s", view[i], replicate[k]);
  fprintf(f, "\n");
}

sal_err sal_regret_csv(const char *path, const sal_regret_report *r)
{
  const int64_t n = r->points.table.n_cell;
  FILE         *f;

  SAL_TRY(sal_csv_begin(path, &f));
  csv_head(f, r);
  for (int64_t p = 0; p < n; ++p)
    for (int e = 0; e < r->n_error; ++e) {
      const sal_evaluation *v = &r->answer[e].evaluation[p];
      csv_point(f, r, p);
      csv_row(f, r, r->answer[e].asked, v);
      for (int i = 1; i < r->n_view; ++i) csv_twin(f, r, &v[i * n]);
      fprintf(f, "\n");
    }
  return sal_csv_end(path, f);
}
