/** @file src/app/map_print.c
 *  Winners counted over the cells of a map.
 */
#include "map_print.h"
#include "contender.h"
#include "json.h"
#include "memory.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>

enum { SHOWN = 3, QUESTION = 96 };

/* Cells in which a pair of a strategy and a method wins. */
typedef struct {
  int     pair;
  int64_t wins;
} win_count;

/* What there is to say on one question. */
typedef struct {
  int       pairs;
  win_count of[SAL_MAX_LIST * SAL_MAX_LIST]; /* [pairs], most wins first */
  int64_t   cells, missed;                   /* missed: no contender answers */
  int64_t   unknown;                         /* no reference is good enough to tell */
  int64_t   unproven;                        /* a run that was stopped might win */
  double    margin;                          /* the median; NaN: there is none */
} win_summary;

static int more_wins(const void *left, const void *right)
{
  const win_count *a = left, *b = right;

  return a->wins != b->wins ? (a->wins < b->wins) - (a->wins > b->wins)
                            : (a->pair > b->pair) - (a->pair < b->pair);
}

static int less_than(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

/* The question at every stride-th place; margin [n] is work space. */
static void count_wins(const sal_sweep *s, const sal_map_place place[], int64_t n, int64_t stride,
                       double margin[], win_summary *w)
{
  int64_t n_margin = 0;

  w->pairs  = sal_contender_pairs(s);
  w->cells  = n;
  w->missed = w->unknown = w->unproven = 0;
  for (int p = 0; p < w->pairs; ++p) w->of[p] = (win_count){p, 0};
  for (int64_t i = 0; i < n; ++i) {
    const sal_map_place *at = &place[i * stride];
    w->unproven += at->reason == SAL_REASON_OUTWORKED;
    if (at->best < 0)
      ++*(at->reason == SAL_REASON_NO_REFERENCE ? &w->unknown : &w->missed);
    else
      ++w->of[sal_contender_pair(s, at->best)].wins;
    if (!isnan(at->margin)) margin[n_margin++] = at->margin;
  }
  qsort(w->of, (size_t)w->pairs, sizeof *w->of, more_wins);
  qsort(margin, (size_t)n_margin, sizeof *margin, less_than);
  w->margin = n_margin ? margin[n_margin / 2] : NAN;
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
  if (w->missed) fprintf(out, "  no contender %.0f %%", 100 * cell_share(w, w->missed));
  if (w->unknown) fprintf(out, "  no good reference %.0f %%", 100 * cell_share(w, w->unknown));
  if (w->unproven)
    fprintf(out, "  a stopped run might win in %.2g %%", 100 * cell_share(w, w->unproven));
  if (!isnan(w->margin))
    fprintf(out, "  margin %.2g %s", by_error ? 100 * w->margin : w->margin,
            by_error ? "%" : "points");
  fprintf(out, "\n");
}

/* The members behind those that say which question it is. */
static void put_wins(sal_json *j, const sal_sweep *s, const win_summary *w)
{
  sal_json_whole(j, "unanswered", w->missed + w->unknown);
  sal_json_whole(j, "no_reference", w->unknown);
  if (w->unproven) sal_json_whole(j, "outworked", w->unproven);
  sal_json_number(j, "margin", w->margin);
  sal_json_array(j, "winners");
  for (int p = 0; p < w->pairs && w->of[p].wins; ++p) {
    sal_json_object(j, NULL);
    sal_json_text(j, "method", sal_contender_method(s, w->of[p].pair));
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
    sal_json_number(j, "tolerance", tolerance);
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

static void tell_all(FILE *out, sal_json *j, const sal_sweep *s, const sal_map *m, double margin[],
                     win_summary *sum)
{
  for (int e = 0; e < m->n_error; ++e) {
    count_wins(s, m->by_error + e, m->n_cell, m->n_error, margin, sum);
    tell_error(out, j, s, m, m->error[e], sum);
  }
  for (int w = 0; w < m->n_weights; ++w)
    for (int t = 0; t < m->n_tolerance; ++t) {
      count_wins(s, m->by_points + (int64_t)w * m->n_tolerance + t, m->n_cell,
                 (int64_t)m->n_weights * m->n_tolerance, margin, sum);
      tell_points(out, j, s, &m->weights[w], s->tolerance[t], sum);
    }
}

sal_err sal_map_print(FILE *out, const sal_sweep *s, const sal_map *m, bool json)
{
  double      *margin = sal_alloc((size_t)m->n_cell, sizeof *margin);
  win_summary *sum    = sal_alloc(1, sizeof *sum);
  sal_json     j;

  if (!margin || !sum) {
    sal_free(margin);
    sal_free(sum);
    return sal_fail(SAL_ERR_MEMORY, "no memory for a summary");
  }
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
  tell_all(out, json ? &j : NULL, s, m, margin, sum);
  if (json) {
    sal_json_end(&j);
    sal_json_end(&j);
  }
  sal_free(margin);
  sal_free(sum);
  return SAL_OK;
}
