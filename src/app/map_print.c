/** @file src/app/map_print.c
 *  Winners counted over the cells of a map.
 */
#include "map_print.h"
#include "contender.h"
#include "json.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>

enum { SHOWN = 3, QUESTION = 96 };

/* Cells in which a pair of a strategy and a method wins. */
typedef struct {
  int pair;
  int64_t wins;
} win_count;

/* What there is to say on one question. */
typedef struct {
  int pairs;
  win_count of[SAL_MAX_LIST * SAL_MAX_LIST]; /* [pairs], most wins first */
  int64_t cells;
  sal_map_told is;
} win_summary;

static int more_wins(const void *left, const void *right)
{
  const win_count *a = left, *b = right;

  return a->wins != b->wins ? (a->wins < b->wins) - (a->wins > b->wins)
                            : (a->pair > b->pair) - (a->pair < b->pair);
}

static void sort_wins(const sal_map_summary *summary, int question, int64_t cells, win_summary *w)
{
  w->pairs = summary->pairs;
  w->cells = cells;
  w->is = sal_map_summary_tell(summary, question);
  for (int p = 0; p < w->pairs; ++p) w->of[p] = (win_count){p, w->is.wins[p]};
  qsort(w->of, (size_t)w->pairs, sizeof *w->of, more_wins);
}

static double cell_share(const win_summary *w, int64_t cells)
{
  return (double)cells / (double)w->cells;
}

static void print_wins(FILE *out, const sal_sweep *s, const char *question, const win_summary *w,
                       bool by_error)
{
  fprintf(out, "%-28s", question);
  for (int p = 0; p < w->pairs && p < SHOWN && w->of[p].wins; ++p)
    fprintf(out, " %s:%s %.0f %%", sal_contender_strategy(s, w->of[p].pair),
            sal_contender_method(s, w->of[p].pair), 100 * cell_share(w, w->of[p].wins));
  if (w->is.missed) fprintf(out, "  no contender %.0f %%", 100 * cell_share(w, w->is.missed));
  if (w->is.unknown)
    fprintf(out, "  no good reference %.0f %%", 100 * cell_share(w, w->is.unknown));
  if (w->is.unproven)
    fprintf(out, "  a stopped run might win in %.2g %%", 100 * cell_share(w, w->is.unproven));
  if (!isnan(w->is.margin))
    fprintf(out, "  margin %.2g %s", by_error ? 100 * w->is.margin : w->is.margin,
            by_error ? "%" : "points");
  fprintf(out, "\n");
}

/* The members behind those that say which question it is. */
static void put_wins(sal_json *j, const sal_sweep *s, const win_summary *w)
{
  sal_json_whole(j, "unanswered", w->is.missed + w->is.unknown);
  sal_json_whole(j, "no_reference", w->is.unknown);
  if (w->is.unproven) sal_json_whole(j, "outworked", w->is.unproven);
  sal_json_number(j, "margin", w->is.margin);
  sal_json_array(j, "winners");
  for (int p = 0; p < w->pairs && w->of[p].wins; ++p) {
    sal_json_object(j, NULL);
    sal_json_text(j, "solver", sal_contender_method(s, w->of[p].pair));
    sal_json_text(j, "strategy", sal_contender_strategy(s, w->of[p].pair));
    sal_json_whole(j, "cells", w->of[p].wins);
    sal_json_end(j);
  }
  sal_json_end(j);
  sal_json_end(j);
}

static void tell_error(FILE *out, sal_json *j, const sal_sweep *s, const sal_map *m, double error,
                       const win_summary *w)
{
  char question[QUESTION];

  if (j) {
    sal_json_object(j, NULL);
    sal_json_number(j, "asked_error", error);
    put_wins(j, s, w);
    return;
  }
  snprintf(question, sizeof question, "%s %g", m->by->label, error);
  print_wins(out, s, question, w, true);
}

static void tell_points(FILE *out, sal_json *j, const sal_sweep *s, const sal_weights *weights,
                        double tolerance, const win_summary *w)
{
  char question[QUESTION];

  if (j) {
    sal_json_object(j, NULL);
    sal_json_number(j, "rtol", tolerance);
    sal_json_object(j, "weights");
    sal_json_number(j, "sd", weights->sd);
    sal_json_number(j, "dt", weights->dt);
    sal_json_number(j, "iae", weights->iae);
    sal_json_end(j);
    put_wins(j, s, w);
    return;
  }
  snprintf(question, sizeof question, "%g/%g/%g at %g", weights->sd, weights->dt, weights->iae,
           tolerance);
  print_wins(out, s, question, w, false);
}

static void tell_all(FILE *out, sal_json *j, const sal_sweep *s, const sal_map *m,
                     const sal_map_summary *summary)
{
  int q = 0;
  win_summary w;

  for (int e = 0; e < m->n_error; ++e) {
    sort_wins(summary, q++, m->n_cell, &w);
    tell_error(out, j, s, m, m->error[e], &w);
  }
  for (int k = 0; k < m->n_weights; ++k)
    for (int t = 0; t < m->n_tolerance; ++t) {
      sort_wins(summary, q++, m->n_cell, &w);
      tell_points(out, j, s, &m->weights[k], s->tolerance[t], &w);
    }
}

void sal_map_print(FILE *out, const sal_sweep *s, const sal_map *m, const sal_map_summary *summary,
                   bool json)
{
  sal_json j;

  if (json) {
    sal_json_begin(&j, out);
    sal_json_text(&j, "model", s->model->name);
    sal_json_text(&j, "by", sal_error_metric_name(m->by));
    sal_json_whole(&j, "cells", m->n_cell);
    sal_json_array(&j, "questions");
  } else {
    fprintf(
        out,
        "shares of the winners in %lld cell%s, and the middle of the margins over the runner-up\n",
        (long long)m->n_cell, sal_text_plural(m->n_cell));
  }
  tell_all(out, json ? &j : NULL, s, m, summary);
  if (json) {
    sal_json_end(&j);
    sal_json_end(&j);
  }
}
