/** Reading recorded trajectories: a head of YAML, a line `---`, and a table of rows. */
#include "recorded_file.h"
#include "base.h"
#include "table_source.h"
#include "value.h"
#include <float.h>
#include <limits.h>
#include <stdarg.h>

typedef sal_recorded_file file_of;

/* A number of a mapping, left alone where there is none. */
static sal_err read_number(const sal_document *d, int mapping, const char *key, double least,
                           double most, bool whole, double *value)
{
  const int node = sal_document_child(d, mapping, key);

  return node ? sal_value_check(d, node, key, least, most, whole, value) : SAL_OK;
}

static sal_err read_states(file_of *f)
{
  const char *name;

  SAL_TRY(sal_value_need(&f->head, 1, "", "states", &f->states));
  SAL_TRY(sal_value_list(&f->head, f->states, "states", 1, SAL_MAX_STATE));
  f->n_state = sal_document_count(&f->head, f->states);
  for (int i = 0; i < f->n_state; ++i)
    SAL_TRY(sal_value_name(&f->head, sal_document_item(&f->head, f->states, i), "states",
                           SAL_MAX_NAME, &name));
  return SAL_OK;
}

static sal_err read_cells(file_of *f)
{
  int n;

  SAL_TRY(sal_value_need(&f->head, 1, "", "cells", &f->cells));
  SAL_TRY(sal_value_list(&f->head, f->cells, "cells", 1, INT_MAX));
  f->n_cell = sal_document_count(&f->head, f->cells);
  for (int i = 0; i < f->n_cell; ++i)
    SAL_TRY(sal_value_pairs(&f->head, sal_document_item(&f->head, f->cells, i), "cells", &n));
  return SAL_OK;
}

static sal_err read_select(file_of *f)
{
  const char *lines = sal_document_text(&f->head, sal_document_find(&f->head, "select"));
  const size_t n = lines ? strlen(lines) : 0;
  sal_text text = {0};

  sal_text_add(&text, "%s%s", n ? lines : "", n && lines[n - 1] != '\n' ? "\n" : "");
  f->select = sal_text_take(&text);
  return f->select ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
}

static sal_err read_head(file_of *f)
{
  static const char *const keys[] = {
      SAL_RECORDED_KEY, "model",   "states", "t_end", "mesh",   "between",    "cells", "runs",
      "rows",           "library", "type",   "order", "select", "strategies", "rtol",  NULL};
  static const char *const between[] = {"hermite", "linear", NULL};
  const sal_document *d = &f->head;
  double mesh = 0, order = 1;
  int node, way = 0;

  SAL_TRY(sal_value_keys(d, 1, "", keys));
  SAL_TRY(sal_value_need(d, 1, "", SAL_RECORDED_KEY, &node));
  SAL_TRY(sal_value_check(d, node, SAL_RECORDED_KEY, 1, 1, true, NULL));
  SAL_TRY(sal_value_need(d, 1, "", "model", &node));
  SAL_TRY(sal_value_name(d, node, "model", SAL_MAX_NAME, &f->model));
  SAL_TRY(read_states(f));
  SAL_TRY(sal_value_need(d, 1, "", "t_end", &node));
  SAL_TRY(sal_value_check(d, node, "t_end", DBL_MIN, 1e300, false, &f->t_end));
  SAL_TRY(read_number(d, 1, "mesh", 1, 1e9, true, &mesh));
  SAL_TRY(read_number(d, 1, "order", 1, 100, true, &order));
  f->mesh = (int64_t)mesh;
  f->order = (int)order;
  if ((node = sal_document_child(d, 1, "between")))
    SAL_TRY(sal_value_word(d, node, "between", between, &way));
  f->linear = way == 1;
  f->library = sal_value_line(d, 1, "library", NULL);
  f->type = sal_value_line(d, 1, "type", NULL);
  SAL_TRY(read_select(f));
  return read_cells(f);
}

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

static sal_err read_outcome(const sal_document *d, sal_recorded_run *run)
{
  const char *names[SAL_N_OUTCOME + 1] = {NULL};
  const int node = sal_document_child(d, run->node, "outcome");
  int rank = SAL_OUT_DONE;

  for (int i = 0; i < SAL_N_OUTCOME; ++i) names[i] = sal_metric_outcomes[i].label;
  if (node) SAL_TRY(sal_value_rank(d, node, "", "outcome", names, &rank));
  run->outcome = (sal_outcome)rank;
  return SAL_OK;
}

static sal_err read_run(const file_of *f, sal_recorded_run *run)
{
  const char *keys[N_NUMBER + 3] = {"strategy", "outcome"};
  const sal_document *d = &f->head;
  int node;

  for (int i = 0; i < N_NUMBER; ++i) keys[2 + i] = numbers[i].key;
  SAL_TRY(sal_value_keys(d, run->node, "runs", keys));
  for (int i = 0; i < N_NUMBER; ++i) {
    double *value = (double *)(void *)((char *)run + numbers[i].offset);
    const double most = i == 0 ? f->n_cell : 1e15;
    *value = numbers[i].preset;
    if (numbers[i].needed) SAL_TRY(sal_value_need(d, run->node, "runs", numbers[i].key, &node));
    SAL_TRY(read_number(d, run->node, numbers[i].key, i == 0, most, i == 0, value));
  }
  SAL_TRY(sal_value_need(d, run->node, "runs", "strategy", &node));
  SAL_TRY(sal_value_name(d, node, "strategy", SAL_MAX_NAME, &run->strategy));
  return read_outcome(d, run);
}

static sal_err read_runs(file_of *f)
{
  int list;

  SAL_TRY(sal_value_need(&f->head, 1, "", "runs", &list));
  SAL_TRY(sal_value_list(&f->head, list, "runs", 1, INT_MAX));
  f->n_run = sal_document_count(&f->head, list);
  f->run = sal_alloc((size_t)f->n_run, sizeof *f->run);
  if (!f->run) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
  for (int i = 0; i < f->n_run; ++i) {
    f->run[i].node = sal_document_item(&f->head, list, i);
    SAL_TRY(read_run(f, &f->run[i]));
  }
  return SAL_OK;
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
    char place[SAL_PLACE];
    if (sal_recorded_compare(a, b) == 0)
      return sal_document_fail(
          &f->head, a->first > b->first ? a->node : b->node,
          "the run of cell %.0f, strategy %.40s, rtol %g is there twice, first at %s; allowed: "
          "once",
          a->cell, a->strategy, a->tolerance,
          sal_document_place(&f->head, a->first > b->first ? b->node : a->node, place));
  }
  return SAL_OK;
}

enum { RUN, INSIDE, TIME, FIRST_STATE }; /* columns; the states after them */

static const char *column_name(const file_of *f, int i)
{
  static const char *const first[] = {"run", "inside", "t"};

  return i > TIME
             ? sal_document_text(&f->head, sal_document_item(&f->head, f->states, i - FIRST_STATE))
             : first[i];
}

static sal_err fail_at(const sal_table_source *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static sal_err fail_at(const sal_table_source *t, const char *format, ...)
{
  char text[512];
  va_list list;

  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return sal_fail(SAL_ERR_INPUT, "%s:%lld: %s", t->path, (long long)t->number, text);
}

static sal_err check_names(const file_of *f, const sal_table_source *t)
{
  for (int i = 0; i < FIRST_STATE + f->n_state; ++i)
    if (i >= t->n || strcmp(t->word[i], column_name(f, i)) != 0)
      return fail_at(
          t, "column %d: '%.40s'; expected: '%.40s', of the columns run,inside,t and the states",
          i + 1, i < t->n ? t->word[i] : "", column_name(f, i));
  return t->n == FIRST_STATE + f->n_state
             ? SAL_OK
             : fail_at(t, "%d columns; expected: %d, run,inside,t and the states", t->n,
                       FIRST_STATE + f->n_state);
}

/* Rows of a run follow each other; time does not go back, and inside a step it goes on. */
static sal_err check_row(const file_of *f, const sal_table_source *t, double number, double inside,
                         const sal_recorded_run *run)
{
  const double *row = f->row + f->n_row * (1 + f->n_state), *before = row - (1 + f->n_state);

  if (inside != 0 && inside != 1) return fail_at(t, "inside: %g; allowed: 0, 1", inside);
  if (number != (double)(run - f->run + 1))
    return fail_at(t, "run: %g; expected: %td, or the next with all its rows", number,
                   run - f->run + 1);
  if (run->n == 0 && (row[0] != 0 || inside != 0))
    return fail_at(t, "a run begins at t = %g%s; expected: its state at t = 0", row[0],
                   inside != 0 ? ", inside a step" : "");
  if (row[0] > f->t_end * (1 + 1e-12))
    return fail_at(t, "t = %.17g after the end, t_end %.17g", row[0], f->t_end);
  if (run->n > 0 && row[0] < before[0])
    return fail_at(t, "t = %.17g after t = %.17g; allowed: times that do not go back", row[0],
                   before[0]);
  if (run->n > 0 && row[0] == before[0] && (inside != 0 || f->is_inside[f->n_row - 1]))
    return fail_at(t, "t = %.17g twice inside a step", row[0]);
  return SAL_OK;
}

/* A row: of the run that has the rows before it, or the first one of the next run. */
static sal_err read_row(file_of *f, const sal_table_source *t, int64_t *at)
{
  double *row = f->row + f->n_row * (1 + f->n_state), value[FIRST_STATE] = {0};

  for (int i = 0; i < FIRST_STATE + f->n_state; ++i)
    if (!sal_value_read(t->word[i], i < TIME ? &value[i] : &row[i - TIME]))
      return fail_at(t, "%s: '%.40s' %s", column_name(f, i), t->word[i],
                     sal_value_flaw(t->word[i]));
  if (value[RUN] == (double)(*at + 2) && *at + 1 < f->n_run) f->run[++*at].first = f->n_row;
  sal_recorded_run *run = &f->run[*at];
  SAL_TRY(check_row(f, t, value[RUN], value[INSIDE], run));
  f->is_inside[f->n_row++] = value[INSIDE] != 0;
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

  if (run->n == 0) return sal_document_fail(&f->head, run->node, "the run has no rows");
  for (int64_t i = run->first; i < run->first + run->n; ++i) {
    const double t = f->row[i * width];
    inside = f->is_inside[i] ? inside + 1 : 0;
    steps += !f->is_inside[i] && t > end;
    if (!f->is_inside[i]) end = t;
    if (inside > SAL_RECORDED_POINTS - 2)
      return sal_document_fail(&f->head, run->node,
                               "the run has a step of more than %d points inside; allowed: to %d",
                               SAL_RECORDED_POINTS - 2, SAL_RECORDED_POINTS - 2);
  }
  if (inside > 0) return sal_document_fail(&f->head, run->node, "the run ends inside a step");
  if (run->steps > (double)steps)
    return sal_document_fail(&f->head, run->node,
                             "the run has steps: %.0f, but %lld row%s in which time goes on",
                             run->steps, (long long)steps, sal_text_plural(steps));
  return SAL_OK;
}

/* The head states how many rows there are: a file that was cut lacks some. */
static sal_err make_rows(file_of *f, const char *table)
{
  double rows = 0;
  int64_t lines = 0;
  int node;

  SAL_TRY(sal_value_need(&f->head, 1, "", "rows", &node));
  SAL_TRY(sal_value_check(&f->head, node, "rows", 1, 1e15, true, &rows));
  for (const char *p = table; *p; ++p) lines += *p == '\n';
  if (rows > (double)lines - 1)
    return sal_document_fail(
        &f->head, node,
        "rows: %.0f, but %lld whole lines follow the names of the columns; the file was cut", rows,
        (long long)(lines > 0 ? lines - 1 : 0));
  f->row = sal_alloc((size_t)rows, (size_t)(1 + f->n_state) * sizeof *f->row);
  f->is_inside = sal_alloc((size_t)rows, sizeof *f->is_inside);
  f->n_row = (int64_t)rows;
  return f->row && f->is_inside ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", f->path);
}

/* All lines of the table; t is at the line before the first. */
static sal_err read_rows(file_of *f, char *table, sal_table_source *t)
{
  const int64_t rows = f->n_row;
  int64_t at = 0;
  sal_table_line is;

  f->n_row = 0;
  for (char *line; (line = strsep(&table, "\n"));) {
    const bool named = t->between != '\0';
    SAL_TRY(sal_table_source_line(t, line, &is));
    if (is == SAL_TABLE_SOURCE_NOTHING) continue;
    if (!named) {
      SAL_TRY(check_names(f, t));
      continue;
    }
    if (f->n_row == rows)
      return fail_at(t, "more rows than the head states; rows: %lld", (long long)rows);
    SAL_TRY(read_row(f, t, &at));
  }
  if (f->n_row < rows)
    return fail_at(t, "%lld rows; the head states rows: %lld", (long long)f->n_row,
                   (long long)rows);
  for (int i = 0; i < f->n_run; ++i) SAL_TRY(check_run(f, &f->run[i]));
  return SAL_OK;
}

/* Ends the head at a line `---`; the table after it, NULL where there is none. */
static char *cut_head(char *text)
{
  for (char *at = text; (at = strstr(at, "\n---")); ++at) {
    char *end = at + 4 + strspn(at + 4, " \t\r");
    if (*end != '\n') continue;
    at[1] = '\0';
    return end + 1;
  }
  return NULL;
}

static sal_err parse(file_of *f)
{
  sal_table_source t = {.path = f->path, .number = 1};
  char *table = cut_head(f->text);

  SAL_TRY(sal_document_parse(f->path, f->text, &f->head));
  SAL_TRY(read_head(f));
  SAL_TRY(read_runs(f));
  for (const char *p = f->text; *p; ++p) t.number += *p == '\n';
  if (!table) return fail_at(&t, "the file ends with its head; expected: a line '---' and a table");
  SAL_TRY(make_rows(f, table));
  SAL_TRY(read_rows(f, table, &t));
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
  sal_err err = f->path ? parse(f) : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (err == SAL_OK)
    *out = f;
  else
    sal_recorded_free(f);
  return err;
}

void sal_recorded_free(sal_recorded_file *f)
{
  if (!f) return;
  sal_document_free(&f->head);
  sal_free_all(f->path, f->text, f->select, f->run, f->row, f->is_inside, f);
}

uint64_t sal_recorded_checksum(const char *text)
{
  uint64_t sum = 14695981039346656037U;

  for (; *text; ++text) sum = (sum ^ (unsigned char)*text) * 1099511628211U;
  return sum;
}
