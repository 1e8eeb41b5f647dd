/** Reading recorded trajectories, line by line. */
#include "recorded_file.h"
#include "memory.h"
#include "metric.h"
#include "recorded_words.h"
#include "text.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef sal_recorded_file file_of;

static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, which some editors put first */

static sal_err fail_at(const file_of *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static sal_err fail_at(const file_of *f, const char *format, ...)
{
  char text[512];
  va_list list;

  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return sal_fail(SAL_ERR_INPUT, "%s:%d: %s", f->path, f->line, text);
}

static sal_err fail_unknown(const file_of *f, const char *what, const char *found,
                            const char *const names[])
{
  char where[PATH_MAX + 16];

  snprintf(where, sizeof where, "%s:%d", f->path, f->line);
  return sal_text_unknown(SAL_ERR_INPUT, where, what, found, names);
}

/* ---- the head ------------------------------------------------------------------------------- */

static const struct {
  const char *key;
  size_t offset;
} texts[] = {{"model", offsetof(file_of, model)},
             {"states", offsetof(file_of, states)},
             {"library", offsetof(file_of, library)},
             {"type", offsetof(file_of, type)},
             {"order", offsetof(file_of, order_word)}};
enum { N_TEXT = sizeof texts / sizeof *texts };

static sal_err take_number(const file_of *f, const char *key, const char *rest, double least,
                           double most, double *out)
{
  if (sal_recorded_number(rest, out) && *out >= least && *out <= most) return SAL_OK;
  return fail_at(f, "%s: '%.40s'; allowed: a number from %g to %g", key, rest, least, most);
}

static sal_err take_select(file_of *f, const char *line)
{
  sal_text all = {0};

  sal_text_add(&all, "%s%s\n", f->select ? f->select : "", line);
  sal_free(f->select);
  f->select = sal_text_take(&all);
  return f->select ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
}

static int count_words(const char *text)
{
  int n = 0;

  for (text += strspn(text, " \t\r"); *text; text += strspn(text, " \t\r")) {
    text += strcspn(text, " \t\r");
    ++n;
  }
  return n;
}

static sal_err take_between(file_of *f, const char *rest)
{
  static const char *const ways[] = {"hermite", "linear", NULL};

  f->linear = strcmp(rest, "linear") == 0;
  return f->linear || strcmp(rest, "hermite") == 0 ? SAL_OK : fail_unknown(f, "word", rest, ways);
}

/* "cell 3 b=1951 ..": numbered in their order. */
static sal_err take_cell(file_of *f, char *rest)
{
  const char *word = sal_recorded_word(&rest);
  double number;

  if (!word || !sal_recorded_number(word, &number) || number != f->n_cell + 1)
    return fail_at(f, "cell '%.40s'; expected: number %d, cells are numbered in order from 1",
                   word ? word : "", f->n_cell + 1);
  f->cell[f->n_cell++] = rest;
  return SAL_OK;
}

static sal_err take_head(file_of *f, const char *key, char *rest)
{
  static const char *const keys[] = {"model",   "states",     "t_end", "mesh",       "cell",
                                     "run",     "library",    "type",  "order",      "select",
                                     "between", "strategies", "rtol",  "tolerances", NULL};
  double number;

  for (int i = 0; i < N_TEXT; ++i)
    if (strcmp(key, texts[i].key) == 0) {
      *(char **)(void *)((char *)f + texts[i].offset) = rest;
      if (!*rest) return fail_at(f, "%s: expected: a word after it", key);
    }
  if (strcmp(key, "states") == 0) f->n_state = count_words(rest);
  if (f->n_state > SAL_MAX_STATE)
    return fail_at(f, "states: %d of them; allowed: to %d", f->n_state, SAL_MAX_STATE);
  if (strcmp(key, "t_end") == 0) return take_number(f, key, rest, 1e-300, 1e300, &f->t_end);
  if (strcmp(key, "mesh") == 0) {
    SAL_TRY(take_number(f, key, rest, 1, 1e9, &number));
    f->mesh = (int64_t)number;
  }
  if (strcmp(key, "order") == 0) {
    SAL_TRY(take_number(f, key, rest, 1, 100, &number));
    f->order = (int)number;
  }
  if (strcmp(key, "between") == 0) return take_between(f, rest);
  if (strcmp(key, "select") == 0) return take_select(f, rest);
  if (strcmp(key, "cell") == 0) return take_cell(f, rest);
  for (int i = 0; keys[i]; ++i)
    if (strcmp(key, keys[i]) == 0) return SAL_OK;
  return fail_unknown(f, "line", key, keys);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static const struct {
  const char *key;
  size_t offset;
  bool needed;
  double preset; /* NAN: not known */
} numbers[] = {{"cell", offsetof(sal_recorded_run, cell), true, 0},
               {"rtol", offsetof(sal_recorded_run, tolerance), true, 0},
               {"steps", offsetof(sal_recorded_run, steps), true, 0},
               {"rhs", offsetof(sal_recorded_run, rhs), true, 0},
               {"jacobians", offsetof(sal_recorded_run, jacobians), false, 0},
               {"factorisations", offsetof(sal_recorded_run, factorisations), false, 0},
               {"solves", offsetof(sal_recorded_run, solves), false, 0},
               {"failed", offsetof(sal_recorded_run, failed), false, NAN},
               {"events", offsetof(sal_recorded_run, events), false, NAN},
               {"restarts", offsetof(sal_recorded_run, restarts), false, NAN},
               {"gaps", offsetof(sal_recorded_run, gaps), false, NAN},
               {"seconds", offsetof(sal_recorded_run, seconds), false, NAN}};
enum { N_NUMBER = sizeof numbers / sizeof *numbers };

static double *number_of(sal_recorded_run *run, int i)
{
  return (double *)(void *)((char *)run + numbers[i].offset);
}

static sal_err take_outcome(const file_of *f, sal_recorded_run *run)
{
  const char *names[SAL_N_OUTCOME + 1] = {NULL};

  for (int i = 0; i < SAL_N_OUTCOME; ++i) {
    names[i] = sal_metric_outcomes[i].label;
    if (strcmp(names[i], run->outcome_word) == 0) {
      run->outcome = (sal_outcome)i;
      return SAL_OK;
    }
  }
  return fail_unknown(f, "outcome", run->outcome_word, names);
}

/* One key=value of a run's line. */
static sal_err take_pair(const file_of *f, sal_recorded_run *run, char *word)
{
  const char *value = sal_recorded_value(word);
  const char *keys[N_NUMBER + 3] = {"strategy", "outcome"};

  if (!value) return fail_at(f, "'%.40s'; expected: key=value", word);
  if (strcmp(word, "strategy") == 0) run->strategy = value;
  if (strcmp(word, "outcome") == 0) run->outcome_word = value;
  if (strcmp(word, "strategy") == 0 || strcmp(word, "outcome") == 0) return SAL_OK;
  for (int i = 0; i < N_NUMBER; ++i) {
    keys[2 + i] = numbers[i].key;
    if (strcmp(word, numbers[i].key) == 0)
      return take_number(f, word, value, 0, 1e15, number_of(run, i));
  }
  return fail_unknown(f, "key", word, keys);
}

static sal_err check_head(const file_of *f)
{
  if (!f->model || !f->states || !(f->t_end > 0) || f->n_cell == 0)
    return fail_at(f, "a run; expected ahead of it: model, states, t_end and cells");
  return SAL_OK;
}

static sal_err take_run(file_of *f, char *rest)
{
  sal_recorded_run *run = &f->run[f->n_run];

  SAL_TRY(check_head(f));
  *run = (sal_recorded_run){.outcome_word = "done", .line = f->line, .first = f->n_row};
  for (int i = 0; i < N_NUMBER; ++i)
    *number_of(run, i) = numbers[i].needed ? NAN : numbers[i].preset;
  for (char *word = sal_recorded_word(&rest); word; word = sal_recorded_word(&rest))
    SAL_TRY(take_pair(f, run, word));
  for (int i = 0; i < N_NUMBER; ++i)
    if (numbers[i].needed && isnan(*number_of(run, i)))
      return fail_at(f, "a run without %s=", numbers[i].key);
  if (!run->strategy) return fail_at(f, "a run without strategy=");
  if (run->cell < 1 || run->cell > f->n_cell || run->cell != floor(run->cell))
    return fail_at(f, "cell=%g; allowed: 1 to %d", run->cell, f->n_cell);
  ++f->n_run;
  return take_outcome(f, run);
}

int sal_recorded_compare(const void *a, const void *b)
{
  const sal_recorded_run *x = a, *y = b;

  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  if (x->tolerance != y->tolerance) return x->tolerance < y->tolerance ? -1 : 1;
  return strcmp(x->strategy, y->strategy);
}

/* Puts the runs into order; a run that is there twice leaves open which one counts. */
static sal_err sort_runs(file_of *f)
{
  qsort(f->run, (size_t)f->n_run, sizeof *f->run, sal_recorded_compare);
  for (int64_t i = 1; i < f->n_run; ++i) {
    const sal_recorded_run *a = &f->run[i - 1], *b = &f->run[i];
    if (sal_recorded_compare(a, b) != 0) continue;
    f->line = a->line > b->line ? a->line : b->line;
    return fail_at(
        f,
        "the run of cell %.0f, strategy %.40s, rtol %g is there twice, first in line %d; "
        "allowed: once",
        a->cell, a->strategy, a->tolerance, a->line < b->line ? a->line : b->line);
  }
  return SAL_OK;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Time does not go back; inside a step it goes on. */
static sal_err check_time(const file_of *f, const sal_recorded_run *run, const double row[],
                          bool inside)
{
  const double *before = run->n > 0 ? row - (1 + f->n_state) : row;

  if (run->n == 0 && (row[0] != 0 || inside))
    return fail_at(f, "a run begins at t = %g%s; expected: its state at t = 0", row[0],
                   inside ? ", inside a step" : "");
  if (row[0] > f->t_end * (1 + 1e-12))
    return fail_at(f, "t = %.17g after the end, t_end %.17g", row[0], f->t_end);
  if (run->n > 0 && row[0] < before[0])
    return fail_at(f, "t = %.17g after t = %.17g; allowed: times that do not go back", row[0],
                   before[0]);
  if (run->n > 0 && row[0] == before[0] && (inside || f->is_inside[f->n_row - 1]))
    return fail_at(f, "t = %.17g twice inside a step", row[0]);
  return SAL_OK;
}

/* "t y1 .. yn", the end of a step; ": t y1 .. yn", a point inside the step that ends next. */
static sal_err take_row(file_of *f, char *line)
{
  if (f->n_run == 0) return fail_at(f, "'%.40s': numbers ahead of a run", line);
  double *row = f->row + f->n_row * (1 + f->n_state);
  const bool inside = line[0] == ':';
  int n = 0;

  if (inside) ++line;
  for (char *word = sal_recorded_word(&line); word; word = sal_recorded_word(&line), ++n)
    if (n > f->n_state || !sal_recorded_number(word, &row[n]))
      return fail_at(f, "'%.40s'; expected: %d finite numbers, t and the states", word,
                     1 + f->n_state);
  if (n != 1 + f->n_state)
    return fail_at(f, "%d numbers; expected: %d, t and the states", n, 1 + f->n_state);
  sal_recorded_run *run = &f->run[f->n_run - 1];
  SAL_TRY(check_time(f, run, row, inside));
  f->is_inside[f->n_row++] = inside;
  ++run->n;
  return SAL_OK;
}

/* A run has a first row, ends with the end of a step, and no step has too many points.  Each accepted step has its
 * row: more steps than rows in which time goes on are made up. */
static sal_err check_run(const file_of *f, const sal_recorded_run *run)
{
  const int width = 1 + f->n_state;
  int64_t steps = 0;
  int inside = 0;
  double end = 0;

  if (run->n == 0) return fail_at(f, "the run ahead of this has no rows");
  for (int64_t i = run->first; i < run->first + run->n; ++i) {
    const double t = f->row[i * width];
    inside = f->is_inside[i] ? inside + 1 : 0;
    steps += !f->is_inside[i] && t > end;
    if (!f->is_inside[i]) end = t;
    if (inside > SAL_RECORDED_POINTS - 2)
      return fail_at(
          f, "the run ahead of this has a step of more than %d points inside; allowed: to %d",
          SAL_RECORDED_POINTS - 2, SAL_RECORDED_POINTS - 2);
  }
  if (inside > 0) return fail_at(f, "the run ahead of this ends inside a step");
  if (run->steps > (double)steps)
    return fail_at(f, "the run ahead of this has steps=%.0f, but %lld row%s in which time goes on",
                   run->steps, (long long)steps, sal_text_plural(steps));
  return SAL_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void trim(char *line)
{
  size_t n = strlen(line);

  while (n > 0 && strchr(" \t\r", line[n - 1])) line[--n] = '\0';
}

/* "end N" after N runs: the file is whole. */
static sal_err take_end(file_of *f, const char *rest)
{
  double n;

  f->ended = sal_recorded_number(rest, &n) && n == (double)f->n_run;
  return f->ended ? SAL_OK
                  : fail_at(f, "end '%.40s'; expected: %lld, the runs that are there", rest,
                            (long long)f->n_run);
}

static sal_err take_line(file_of *f, char *line)
{
  line += strspn(line, " \t\r");
  if (*line == '\0' || *line == '#') return SAL_OK;
  if (f->ended) return fail_at(f, "'%.40s' after the end", line);
  if (strchr("+-.:0123456789", *line)) return take_row(f, line);
  const char *key = sal_recorded_word(&line);
  line += strspn(line, " \t");
  trim(line);
  const bool ends = strcmp(key, "end") == 0;
  if (f->n_run > 0 && strcmp(key, "run") != 0 && !ends)
    return fail_at(f, "'%.40s' after the first run; expected: a run, or t and the states", key);
  if (f->n_run > 0) SAL_TRY(check_run(f, &f->run[f->n_run - 1]));
  if (f->n_run > 0 && ends) return take_end(f, line);
  return strcmp(key, "run") == 0 ? take_run(f, line) : take_head(f, key, line);
}

/* Every line might be a cell, a run or a row. */
static sal_err make_room(file_of *f, int64_t n_line)
{
  f->cell = sal_alloc((size_t)n_line, sizeof *f->cell);
  f->run = sal_alloc((size_t)n_line, sizeof *f->run);
  f->is_inside = sal_alloc((size_t)n_line, sizeof *f->is_inside);
  return f->cell && f->run && f->is_inside ? SAL_OK
                                           : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
}

static sal_err make_rows(file_of *f, int64_t n_line)
{
  if (f->row || f->n_run == 0) return SAL_OK;
  f->row = sal_alloc((size_t)n_line, (size_t)(1 + f->n_state) * sizeof *f->row);
  return f->row ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
}

static sal_err parse_lines(file_of *f)
{
  const char *at = f->text + (strncmp(f->text, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
  int64_t n_line = 1;

  for (const char *p = f->text; *p; ++p) n_line += *p == '\n';
  const bool cut = *at && at[strlen(at) - 1] != '\n';
  if (n_line > INT_MAX) return fail_at(f, "more than %d lines", INT_MAX);
  SAL_TRY(make_room(f, n_line));
  for (char *line = (char *)at, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    if (++f->line == 1) {
      trim(line);
      if (strcmp(line, SAL_RECORDED_FIRST) != 0)
        return fail_at(f, "'%.40s'; expected: " SAL_RECORDED_FIRST, line);
      continue;
    }
    SAL_TRY(take_line(f, line));
    SAL_TRY(make_rows(f, n_line));
  }
  if (cut && !f->ended) return fail_at(f, "the file ends inside a line: it has been cut");
  if (f->n_run == 0) return fail_at(f, "the file ends without a run");
  SAL_TRY(check_run(f, &f->run[f->n_run - 1]));
  return sort_runs(f);
}

sal_err sal_recorded_parse(const char *path, char *text, sal_recorded_file **out)
{
  file_of *f = sal_alloc(1, sizeof *f);

  *out = NULL;
  if (!f) {
    sal_free(text);
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  }
  f->text = text;
  f->path = sal_text_copy(path);
  sal_err err = f->path ? parse_lines(f) : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (err == SAL_OK)
    *out = f;
  else
    sal_recorded_free(f);
  return err;
}

void sal_recorded_free(sal_recorded_file *f)
{
  if (!f) return;
  sal_free(f->path);
  sal_free(f->text);
  sal_free(f->select);
  sal_free(f->cell);
  sal_free(f->run);
  sal_free(f->row);
  sal_free(f->is_inside);
  sal_free(f);
}
