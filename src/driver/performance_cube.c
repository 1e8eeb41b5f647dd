/** @file src/driver/performance_cube.c
 *  From a cube on the disk to a performance table.
 */
#include "performance_cube.h"
#include "cube_file.h"
#include "cube_read.h"
#include "enum_words.h"
#include "memory.h"
#include "quantities.h"
#include "sweep_read.h"
#include "text.h"
#include "value.h"
#include "work.h"
#include <math.h>
#include <string.h>

enum { BLOCK = 256 };

sal_err sal_performance_error(const char *text, double *error)
{
  if (!sal_value_read(text, error))
    return sal_fail(SAL_ERR_USAGE, "--error: '%s' is no number", text);
  if (!(*error > 0))
    return sal_fail(SAL_ERR_USAGE, "--error: %g is not allowed; allowed: greater than 0", *error);
  return SAL_OK;
}

sal_err sal_performance_errors(const char *list, int *n, double error[])
{
  for (*n = 0; list; ++*n) {
    char         word[64];
    const size_t length = strcspn(list, ",");
    if (*n == SAL_MAX_QUESTION)
      return sal_fail(SAL_ERR_USAGE, "--error: more than %d", SAL_MAX_QUESTION);
    snprintf(word, sizeof word, "%.*s", (int)length, list);
    SAL_TRY(sal_performance_error(word, &error[*n]));
    for (int i = 0; i < *n; ++i)
      if (error[i] == error[*n]) return sal_fail(SAL_ERR_USAGE, "--error: %s is there twice", word);
    list = list[length] ? list + length + 1 : NULL;
  }
  return SAL_OK;
}

sal_err sal_performance_tolerance(const sal_sweep *s, double wanted, int *tolerance)
{
  sal_text list = {0};

  for (*tolerance = 0; *tolerance < s->n_tolerance; ++*tolerance)
    if (fabs(s->tolerance[*tolerance] / wanted - 1) < 1e-9) return SAL_OK;
  for (int t = 0; t < s->n_tolerance; ++t)
    sal_text_add(&list, "%s%g", t ? ", " : "", s->tolerance[t]);
  const sal_err err = sal_fail(SAL_ERR_USAGE, "--tol: %g is not in this cube; allowed: %s", wanted,
                               list.string ? list.string : "");
  sal_text_free(&list);
  return err;
}

/* Marks the names of a list, or all of them. */
static sal_err mark_names(const char *where, const char *what, const char *list,
                          const char *const names[], bool marked[])
{
  for (int i = 0; names[i]; ++i) marked[i] = !list;
  while (list) {
    char         word[64];
    const size_t n = strcspn(list, ",");
    int          i = 0;
    snprintf(word, sizeof word, "%.*s", (int)n, list);
    while (names[i] && strcmp(names[i], word) != 0) ++i;
    if (!names[i]) return sal_text_unknown(SAL_ERR_USAGE, where, what, word, names);
    marked[i] = true;
    list      = list[n] ? list + n + 1 : NULL;
  }
  return SAL_OK;
}

/* The number of a word among `names`; `preset` when none was given. */
static sal_err resolve_word(const char *where, const char *word, const char *const names[],
                            int preset, int *out)
{
  *out = preset;
  for (int i = 0; word && names[i]; ++i)
    if (strcmp(word, names[i]) == 0) {
      *out = i;
      return SAL_OK;
    }
  return word ? sal_text_unknown(SAL_ERR_USAGE, where, "word", word, names) : SAL_OK;
}

static sal_err resolve_winners(const sal_performance_words *w, sal_performance_cube *c)
{
  const char *names[SAL_MAX_LIST + 1] = {NULL};

  for (int i = 0; i < c->sweep.n_method; ++i) names[i] = c->sweep.method[i]->name;
  SAL_TRY(mark_names("--methods", "method of this cube", w->methods, names, c->method));
  memset(names, 0, sizeof names);
  for (int i = 0; i < c->sweep.n_strategy; ++i) names[i] = c->sweep.strategy[i]->name;
  return mark_names("--strategies", "strategy of this cube", w->strategies, names, c->strategy);
}

static sal_err resolve_work(const sal_performance_words *w, const sal_sweep *sweep,
                            sal_work_weights *out)
{
  static const char *const names[] = {"rhs", "jacobian", "factorisation", "solve", NULL};

  *out            = sal_work_presets(sweep);
  double value[4] = {out->rhs, out->jacobian, out->factorisation, out->solve};
  if (w->work) SAL_TRY(sal_quantities_parse_plain("--work", "term", names, w->work, value));
  *out = (sal_work_weights){value[0], value[1], value[2], value[3]};
  if (out->rhs > 0) return SAL_OK; /* every method evaluates f: no work is 0 then */
  return sal_fail(SAL_ERR_USAGE, "--work: rhs = 0 is not allowed; allowed: greater than 0");
}

/* The error that is asked for, one that the cube has. */
static sal_err resolve_error(const char *path, const sal_performance_words *w,
                             const sal_sweep *sweep, const sal_error_metric **by)
{
  const char *names[SAL_MAX_ERROR_METRIC + 1];

  *by = w->by ? sal_error_metric_named(w->by) : sweep->map_by;
  sal_error_metric_names(names);
  if (!*by) return sal_text_unknown(SAL_ERR_USAGE, "--by", "error", w->by, names);
  if (sal_sweep_asks(sweep, sal_metrics[(*by)->error].group)) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has no %s; a cube has it whose sweep says `%s`", path,
                  sal_error_metric_name(*by), (*by)->key);
}

/* Points are those of trajectories. */
static sal_err check_scope(const sal_error_metric *by, sal_performance_scope scope)
{
  if (by->trajectory || scope != SAL_PERFORMANCE_POINTS) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE,
                  "--weights: points are of trajectories, and there are none by %s; allowed with "
                  "them: --by %s",
                  sal_error_metric_name(by), sal_error_metric_name(sal_error_metrics));
}

/* Everything the table needs of the cube, a few cells at a time. */
static sal_err read_table_cells(sal_cube_file *file, sal_performance_table *a)
{
  int             metric[5 + SAL_N_WORK] = {SAL_METRIC_OUTCOME, a->by->error}, n = 2;
  sal_tile_result result = {
      .cell   = sal_alloc(BLOCK, sizeof *result.cell),
      .record = sal_alloc((size_t)BLOCK * (size_t)a->n_contender, sizeof *result.record)};

  for (int i = 0; i < SAL_N_WORK; ++i)
    if (a->by->count[i] >= 0) metric[n++] = a->by->count[i];
  if (a->sd) {
    metric[n++] = SAL_METRIC_SD;
    metric[n++] = SAL_METRIC_DT;
    metric[n++] = SAL_METRIC_IAE;
  }
  sal_err err = result.cell && result.record
                    ? SAL_OK
                    : sal_fail(SAL_ERR_MEMORY, "no memory for %d cells", BLOCK);
  for (; err == SAL_OK && result.first < a->n_cell; result.first += BLOCK) {
    result.count = a->n_cell - result.first < BLOCK ? a->n_cell - result.first : BLOCK;
    err          = sal_cube_file_read(file, n, metric, &result);
    if (err == SAL_OK) sal_performance_add(a, &result);
  }
  sal_tile_result_free(&result);
  return err;
}

/* The sweep in the cube must be that of its dimensions: contenders are counted by both. */
static sal_err check_sweep(const char *path, const sal_sweep *s, const sal_cube *frame)
{
  bool same = s->n_cell == frame->n_cell && s->n_method == frame->n_method &&
              s->n_strategy == frame->n_strategy && s->n_tolerance == frame->n_tolerance;

  for (int i = 0; same && i < s->n_method; ++i)
    same = strcmp(s->method[i]->name, frame->method[i]) == 0;
  for (int i = 0; same && i < s->n_strategy; ++i)
    same = strcmp(s->strategy[i]->name, frame->strategy[i]) == 0;
  for (int i = 0; same && i < s->n_tolerance; ++i) same = s->tolerance[i] == frame->tolerance[i];
  if (same) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its sweep and its dimensions do not belong together", path);
}

static sal_err check_counted(const char *path, const sal_performance_table *a)
{
  if (a->n_counted > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: has no %s: nothing in it can be recommended", path,
                  a->by->nowhere);
}

/* Points compare all runs of a tolerance, whose scale is not known when some were stopped. */
static sal_err check_censored(const char *path, sal_performance_scope wanted,
                              sal_performance_table *a)
{
  if (!a->sd || a->n_censored == 0) return SAL_OK;
  if (wanted == SAL_PERFORMANCE_POINTS)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: has no points to be compared, since %lld runs were stopped at the caps of "
                    "their cells; a sweep has them that is run with --set cap={}",
                    path, (long long)a->n_censored);
  sal_performance_drop_points(a);
  return SAL_OK;
}

static sal_err check_timed(const char *path, const sal_performance_table *a)
{
  for (int64_t i = 0; i < a->n_cell * a->n_contender && a->timed; ++i)
    if (a->sd[i] > 0) return SAL_OK;
  return a->timed
             ? sal_fail(SAL_ERR_INPUT,
                        "%s: was not timed (timing.repeats = 0); allowed: --duration work", path)
             : SAL_OK;
}

static sal_err fill_table(const char *path, sal_cube_file *file, const sal_performance_words *w,
                          sal_performance_scope wanted, sal_performance_cube *c)
{
  static const char *const durations[]              = {"work", "time", NULL};
  const char              *scopes[SAL_MAX_WORD + 1] = {NULL};
  const sal_error_metric  *by;
  sal_work_weights         weights;
  int                      scope, timed;

  sal_enum_words_gather(SAL_ENUM_POINTS, NULL, scopes);
  SAL_TRY(resolve_word("--points", w->points, scopes, (int)c->sweep.points, &scope));
  SAL_TRY(resolve_word("--duration", w->duration, durations, 0, &timed));
  SAL_TRY(resolve_error(path, w, &c->sweep, &by));
  SAL_TRY(check_scope(by, wanted));
  const bool points = wanted != SAL_PERFORMANCE_ERRORS && by->trajectory;
  SAL_TRY(resolve_winners(w, c));
  SAL_TRY(resolve_work(w, &c->sweep, &weights));
  SAL_TRY(sal_performance_create(&c->sweep, c->sweep.n_cell, &weights, points, timed && points,
                                 &c->table));
  c->table.by = by;
  SAL_TRY(read_table_cells(file, &c->table));
  SAL_TRY(check_counted(path, &c->table));
  SAL_TRY(check_censored(path, wanted, &c->table));
  if (!c->table.sd) return SAL_OK;
  SAL_TRY(check_timed(path, &c->table));
  return sal_performance_score(&c->table, (sal_points_scope)scope);
}

sal_err sal_performance_cube_open(const char *path, const sal_performance_words *words,
                                  sal_performance_scope scope, sal_performance_cube *out)
{
  sal_cube_file *file;
  sal_cube       frame;

  *out = (sal_performance_cube){0};
  SAL_TRY(sal_cube_file_open(path, &file, &frame));
  out->same_program = frame.same_program;
  sal_err err       = sal_sweep_parse_results(path, frame.sweep_text, &out->sweep);
  if (err == SAL_OK) err = check_sweep(path, &out->sweep, &frame);
  if (err == SAL_OK) err = fill_table(path, file, words, scope, out);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
  if (err != SAL_OK) sal_performance_cube_free(out);
  return err;
}

void sal_performance_cube_free(sal_performance_cube *c)
{
  sal_performance_free(&c->table);
  sal_sweep_free(&c->sweep);
}
