/** saltus map: the best configuration of each cell, written into the cube. */
#include "answer_json.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "map_cube.h"
#include "map_summary.h"

typedef struct {
  const char *path, *error;
  sal_cli_texts weights;
  bool json;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;

#define OPTIONS_OF_map
#include "options.def"

static sal_err read_questions(const options *o, sal_map *map)
{
  *map = (sal_map){0};
  if (o->error) SAL_TRY(sal_cli_performance_errors(o->error, NULL, &map->n_error, map->error));
  if (o->weights.n > SAL_MAX_QUESTION)
    return sal_fail(SAL_ERR_USAGE, "more than %d --weights", SAL_MAX_QUESTION);
  for (int i = 0; i < o->weights.n; ++i) {
    SAL_TRY(sal_map_weights_parse("--weights", o->weights.text[i], &map->weights[i]));
    for (int k = 0; k < i; ++k)
      if (memcmp(&map->weights[k], &map->weights[i], sizeof *map->weights) == 0)
        return sal_fail(SAL_ERR_USAGE, "--weights: %s is there twice", o->weights.text[i]);
  }
  map->n_weights = o->weights.n;
  return SAL_OK;
}

/* Reads the errors in their unit, which the cube gives. */
static sal_err ask_errors(const void *with, const sal_performance_table *of, sal_map *map)
{
  return sal_cli_performance_errors(with, of, &map->n_error, map->error);
}

enum { SHOWN = 3, QUESTION = 96 };

/* Cells in which a pair of a strategy and a method wins. */
typedef struct {
  int pair;
  int64_t wins;
} win_count;

/* Summary of the answers to one question. */
typedef struct {
  int pairs;
  win_count of[SAL_MAX_LIST * SAL_MAX_LIST]; /* [pairs], most wins first */
  int64_t cells;
  sal_map_shares is;
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
  w->is = sal_map_summary_shares(summary, question);
  for (int p = 0; p < w->pairs; ++p) w->of[p] = (win_count){p, w->is.wins[p]};
  qsort(w->of, (size_t)w->pairs, sizeof *w->of, more_wins);
}

static double cell_share(const win_summary *w, int64_t cells)
{
  return (double)cells / (double)w->cells;
}

static void say_wins(const sal_report *r, const sal_sweep *s, const win_summary *w, bool by_error)
{
  for (int p = 0; p < w->pairs && p < SHOWN && w->of[p].wins; ++p)
    sal_report_say(r, " %s:%s %.0f %%", sal_config_strategy(s, w->of[p].pair),
                   sal_config_method(s, w->of[p].pair), 100 * cell_share(w, w->of[p].wins));
  if (w->is.missed)
    sal_report_say(r, "  no configuration %.0f %%", 100 * cell_share(w, w->is.missed));
  if (w->is.unknown)
    sal_report_say(r, "  no good reference %.0f %%", 100 * cell_share(w, w->is.unknown));
  if (w->is.unproven)
    sal_report_say(r, "  a stopped run might win in %.3g %%", 100 * cell_share(w, w->is.unproven));
  if (!isnan(w->is.margin))
    sal_report_say(r, "  margin %.2g %s", by_error ? 100 * w->is.margin : w->is.margin,
                   by_error ? "%" : "points");
  sal_report_say(r, "\n");
}

/* The members that follow those that say which question it is. */
static void put_wins(sal_json *j, const sal_sweep *s, const win_summary *w)
{
  sal_json_members(j, "unanswered %ld, no_reference %ld", w->is.missed + w->is.unknown + w->is.open,
                   w->is.unknown);
  if (w->is.unproven) sal_json_whole(j, "over_cutoff", w->is.unproven);
  sal_json_number(j, "margin", w->is.margin);
  sal_json_array(j, "winners");
  for (int p = 0; p < w->pairs && w->of[p].wins; ++p) {
    sal_json_object_of(j, NULL, "solver %s, strategy %s, cells %ld",
                       sal_config_method(s, w->of[p].pair), sal_config_strategy(s, w->of[p].pair),
                       w->of[p].wins);
  }
  sal_json_end(j);
}

static void print_wins(sal_report *r, const sal_sweep *s, const char *question,
                       const win_summary *w, bool by_error)
{
  sal_report_say(r, "%-28s", question);
  say_wins(r, s, w, by_error);
  put_wins(&r->json, s, w);
  sal_json_end(&r->json);
}

static void print_error(sal_report *r, const sal_sweep *s, const sal_map *m, double error,
                        const win_summary *w)
{
  char question[QUESTION];

  sal_json_object(&r->json, NULL);
  sal_json_number(&r->json, "asked_error", error);
  snprintf(question, sizeof question, "%s %g", m->by->label, error);
  print_wins(r, s, question, w, true);
}

static void print_points(sal_report *r, const sal_sweep *s, const sal_weights *weights,
                         double tolerance, const win_summary *w)
{
  char question[QUESTION];

  sal_json_object(&r->json, NULL);
  sal_json_number(&r->json, "rtol", tolerance);
  sal_answer_json_weights(&r->json, weights);
  snprintf(question, sizeof question, "%g/%g/%g at %g", weights->sd, weights->dt, weights->iae,
           tolerance);
  print_wins(r, s, question, w, false);
}

static void print_questions(sal_report *r, const sal_sweep *s, const sal_map *m,
                            const sal_map_summary *summary)
{
  int q = 0;
  win_summary w;

  for (int e = 0; e < m->n_error; ++e) {
    sort_wins(summary, q++, m->n_cell, &w);
    print_error(r, s, m, m->error[e], &w);
  }
  for (int k = 0; k < m->n_weights; ++k)
    for (int t = 0; t < m->n_tolerance; ++t) {
      sort_wins(summary, q++, m->n_cell, &w);
      print_points(r, s, &m->weights[k], s->tolerance[t], &w);
    }
}

static void print_captured(sal_report *r, const sal_performance_table *of,
                           const sal_map_captured *captured)
{
  char least[SAL_PERFORMANCE_ERROR_TEXT], most[SAL_PERFORMANCE_ERROR_TEXT];

  if (captured->cells == 0) return;
  sal_report_say(r,
                 "captured: in %lld cell%s without a reference two runs of time stepping differ by "
                 "%s to %s in the mean, and either may be off by more\n",
                 (long long)captured->cells, sal_text_plural(captured->cells),
                 sal_performance_error_text(of, 2, captured->least, least),
                 sal_performance_error_text(of, 2, captured->most, most));
  sal_json_object(&r->json, "captured");
  sal_json_whole(&r->json, "cells", captured->cells);
  sal_json_number(&r->json, "least", captured->least);
  sal_json_number(&r->json, "most", captured->most);
  sal_json_end(&r->json);
}

/* For each question the share of cells in which a solver with a strategy wins, the largest first (as text three of them), and
 * the median of the margins. */
static void print_map(sal_report *r, const sal_performance_cube *cube, const sal_map *m,
                      const sal_map_summary *summary, const sal_map_captured *captured)
{
  const sal_sweep *s = &cube->sweep;

  sal_json_members(&r->json, "model %s, by %s, cells %ld", s->model->name,
                   sal_error_metric_name(m->by), m->n_cell);
  sal_json_array(&r->json, "questions");
  sal_report_say(r,
                 "shares of the winners in %lld cell%s, and the middle of the margins over the "
                 "runner-up\n",
                 (long long)m->n_cell, sal_text_plural(m->n_cell));
  print_questions(r, s, m, summary);
  sal_json_end(&r->json);
  print_captured(r, &cube->table, captured);
}

static sal_err run_map(void *given, sal_command_call *call)
{
  const options *o = given;
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);
  const sal_map_request request = {
      .path = o->path, .chooser = &chooser, .ask = o->error ? ask_errors : NULL, .with = o->error};
  SAL_OWN_BY(sal_map_made_free) sal_map_made made = {0};

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  SAL_TRY(read_questions(o, &made.questions));
  SAL_TRY(sal_map_cube(call->comm, &request, &made));
  if (call->rank != 0) return SAL_OK;
  sal_map_captured captured;
  SAL_TRY(sal_map_captured_count(o->path, &made.cube.sweep, &captured));
  sal_report r = sal_report_begin(stdout, o->json);
  print_map(&r, &made.cube, &made.questions, &made.summary, &captured);
  sal_report_end(&r);
  return SAL_OK;
}

const sal_command_code sal_cmd_map = {
    .table = {{rows, 0},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)}},
    .size = sizeof(options),
    .run = run_map};
