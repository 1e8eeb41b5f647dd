/** From a file of cells to a design. */
#include "base.h"
#include "document_edit.h"
#include "enum_words.h"
#include "plain_file.h"
#include "table_source.h"
#include "validate.h"
#include "value.h"
#include <errno.h>
#include <unistd.h>

#define FILE_KEY "cells.file"
enum { CHUNK = 1 << 16 };

/** A file while it is read. */
typedef struct {
  const sal_document *document;
  const sal_model *model;
  const char *path;
  sal_table_source in;
  const char *names[SAL_MAX_WORD + 1]; /* that a column may have */
  int list;                            /* node of cells.columns; 0: all columns are taken */
  bool counts, named;                  /* counts of members alone are taken; a line has names */
  int n, rank[SAL_MAX_COLUMN], at[SAL_MAX_COLUMN]; /* taken: among the names, in the file */
  int64_t lines;                                   /* of the file */
  sal_design *design;
} reading;

/* Fails at the line in hand. */
#define FAIL(r, format, ...)                                                                       \
  sal_fail(SAL_ERR_INPUT, "%s:%lld: " format, (r)->path, (long long)(r)->in.number, __VA_ARGS__)

static const sal_field *field_of(const reading *r, int c)
{
  const int rank = r->rank[c], n = r->model->n_param;

  return rank < n ? &r->model->param[rank] : &r->model->state[rank - n];
}

/* Cuts "b [N]" into name and unit, in place; "": none. */
static const char *cut_unit(char *word)
{
  char *open = strrchr(word, '[');
  const size_t n = strlen(word);

  if (!open || open == word || word[n - 1] != ']') return "";
  word[n - 1] = '\0';
  char *end = open;
  while (end > word && strchr(" \t", end[-1])) --end;
  *end = '\0';
  return open + 1;
}

static bool same_unit(const char *a, const char *b)
{
  const char *unit[] = {a ? a : "", b ? b : ""};

  for (int i = 0; i < 2; ++i)
    if (strcmp(unit[i], "-") == 0 || strcmp(unit[i], "1") == 0) unit[i] = "";
  return strcmp(unit[0], unit[1]) == 0;
}

static sal_err take_column(reading *r, int rank, int at, const char *unit)
{
  for (int c = 0; c < r->n; ++c)
    if (r->rank[c] == rank) return FAIL(r, "two columns are called '%s'", r->names[rank]);
  if (r->n == SAL_MAX_COLUMN) return FAIL(r, "more than %d columns are taken", SAL_MAX_COLUMN);
  r->rank[r->n] = rank;
  r->at[r->n++] = at;
  const char *own = field_of(r, r->n - 1)->unit;
  if (*unit && !same_unit(unit, own))
    return FAIL(r, "column '%s' is in '%.40s'; the model has it in '%s'", r->names[rank], unit,
                own ? own : "");
  return SAL_OK;
}

static sal_err refuse_name(const reading *r, const char *word)
{
  char where[SAL_PLACE];

  snprintf(where, sizeof where, "%s:%lld", r->path, (long long)r->in.number);
  SAL_TRY(sal_text_check(where, word));
  const sal_err err =
      sal_text_unknown(SAL_ERR_INPUT, where, "column", word, (const char **)r->names);
  sal_err_add("; cells.columns chooses those that are taken");
  return err;
}

/* Entry i of cells.columns; -1: no quantity of the model, which is refused when the list is read. */
static int wanted_rank(const reading *r, int i)
{
  const char *word = sal_document_text(r->document, sal_document_item(r->document, r->list, i));

  return sal_text_rank(word ? word : "", r->names);
}

static sal_err choose_names(reading *r, const char *const unit[])
{
  for (int i = 0; i < sal_document_count(r->document, r->list); ++i) {
    const int rank = wanted_rank(r, i), before = r->n;
    for (int k = 0; k < r->in.n && rank >= 0; ++k)
      if (strcmp(r->in.word[k], r->names[rank]) == 0) SAL_TRY(take_column(r, rank, k, unit[k]));
    if (rank >= 0 && r->n == before)
      return FAIL(r, "none of its %d column%s is called '%s'", r->in.n, sal_text_plural(r->in.n),
                  r->names[rank]);
  }
  return SAL_OK;
}

static sal_err read_names(reading *r)
{
  const char *unit[SAL_TABLE_SOURCE_COLUMNS];

  for (int k = 0; k < SAL_TABLE_SOURCE_COLUMNS; ++k)
    unit[k] = k < r->in.n ? cut_unit(r->in.word[k]) : "";
  r->named = true;
  if (r->list) return choose_names(r, unit);
  for (int k = 0; k < r->in.n; ++k) {
    const int rank = sal_text_rank(r->in.word[k], r->names);
    if (rank < 0 && !r->counts) return refuse_name(r, r->in.word[k]);
    if (rank >= 0) SAL_TRY(take_column(r, rank, k, unit[k]));
  }
  return SAL_OK;
}

/* A file without names has the columns of cells.columns, all of them. */
static sal_err count_columns(reading *r)
{
  const int n = sal_document_count(r->document, r->list);

  if (n == 0)
    return FAIL(r, "no line before it names the columns; %s",
                "cells.columns: [..] names them in their order");
  if (n != r->in.n)
    return FAIL(r, "%d column%s without names; cells.columns names %d", r->in.n,
                sal_text_plural(r->in.n), n);
  for (int i = 0; i < n; ++i)
    if (wanted_rank(r, i) >= 0) SAL_TRY(take_column(r, wanted_rank(r, i), i, ""));
  return SAL_OK;
}

static sal_err refuse_value(const reading *r, int c, const char *word, double value, bool is_number)
{
  const sal_field *f = field_of(r, c);
  char where[SAL_PLACE];

  snprintf(where, sizeof where, "%s:%lld", r->path, (long long)r->in.number);
  if (is_number) SAL_TRY(sal_value_range(SAL_ERR_INPUT, where, f->name, value, f->least, f->most));
  if (is_number) return FAIL(r, "%s = %.60s is not a whole number", f->name, word);
  SAL_TRY(sal_text_check(where, word));
  if (!*word) return FAIL(r, "%s is missing; " SAL_VALUE_EXPECTED, f->name);
  return FAIL(r, "%s = '%.60s' is not a number%s; " SAL_VALUE_EXPECTED, f->name, word,
              strchr(word, ',') ? " (a decimal comma)" : "");
}

static sal_err read_point(reading *r)
{
  if (!r->design && r->n == 0 && !r->named) SAL_TRY(count_columns(r));
  if (!r->design) {
    r->design = sal_design_create(r->n, 1 + r->lines - r->in.number);
    if (!r->design) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for its rows", r->path);
    r->design->n_point = 0;
    r->design->first = r->in.number;
  }
  sal_design *d = r->design;
  for (int c = 0; c < r->n; ++c) {
    const sal_field *f = field_of(r, c);
    const char *word = r->in.word[r->at[c]];
    double value = 0;
    const bool is_number = sal_value_read(word, &value);
    if (!is_number || !(value >= f->least && value <= f->most) ||
        (f->whole && value != floor(value)))
      return refuse_value(r, c, word, value, is_number);
    d->value[d->n_point * r->n + c] = value;
  }
  d->in_lines = (d->n_point == 0 || d->in_lines) && r->in.number == d->first + d->n_point;
  ++d->n_point;
  return SAL_OK;
}

static sal_err read_line(reading *r, char *line, size_t n)
{
  sal_table_line is = SAL_TABLE_SOURCE_NOTHING;

  if (r->in.number == r->lines)
    return sal_fail(SAL_ERR_IO, "%s: has become longer while it was read", r->path);
  if (strlen(line) != n)
    return sal_fail(SAL_ERR_INPUT,
                    "%s:%lld: no text (NUL); a table as text, such as CSV, is expected", r->path,
                    (long long)r->in.number + 1);
  if (n > 0 && line[n - 1] == '\n') line[n - 1] = '\0';
  SAL_TRY(sal_table_source_line(&r->in, line, &is));
  if (is == SAL_TABLE_SOURCE_NOTHING) return SAL_OK;
  return is == SAL_TABLE_SOURCE_NAMES ? read_names(r) : read_point(r);
}

/* Lines, so that there is room for as many points; from the beginning then. */
static sal_err count_lines(reading *r, FILE *file)
{
  char chunk[CHUNK];

  r->lines = 1;
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    for (size_t i = 0; i < n; ++i) r->lines += chunk[i] == '\n';
  if (ferror(file) || fseek(file, 0, SEEK_SET))
    return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", r->path, strerror(errno));
  if (r->lines > SAL_MAX_CELL)
    return sal_fail(SAL_ERR_INPUT, "%s: %lld lines; allowed: to %d cells", r->path,
                    (long long)r->lines, SAL_MAX_CELL);
  return SAL_OK;
}

static sal_err read_stream(reading *r, FILE *file)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t n;

  SAL_TRY(count_lines(r, file));
  sal_err err = SAL_OK;
  while (err == SAL_OK && (n = getline(&line, &room, file)) >= 0)
    err = read_line(r, line, (size_t)n);
  if (err == SAL_OK && ferror(file))
    err = sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", r->path, strerror(errno));
  free(line);
  if (err == SAL_OK && !r->design)
    return sal_fail(SAL_ERR_INPUT, "%s: has no rows; one for each cell is expected", r->path);
  return err;
}

static sal_err read_file(reading *r)
{
  int fd;

  SAL_TRY(sal_plain_file_open(r->path, "a file of cells", &fd));
  FILE *file = fdopen(fd, "rb");
  if (!file) close(fd);
  if (!file) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->path);
  const sal_err err = read_stream(r, file);
  fclose(file);
  return err;
}

/* A key that a text from a cube has already must say the same. */
static sal_err put(sal_document *d, const char *key, const char *value, const char *path)
{
  const int there = sal_document_find(d, key);
  const char *text = sal_document_text(d, there);

  if (!there) return sal_document_preset(d, key, value);
  if (text && strcmp(text, value) == 0) return SAL_OK;
  return sal_document_fail(d, there, "%s: %.40s; %s has %s: its values are others", key,
                           text ? text : "a list", path, value);
}

static sal_err put_design(const reading *r, sal_document *d)
{
  SAL_OWN_BY(sal_text_free) sal_text columns = {0};
  char points[32];

  for (int c = 0; c < r->n; ++c)
    sal_text_add(&columns, "%s%s", c ? ", " : "[", r->names[r->rank[c]]);
  sal_text_add(&columns, "]");
  if (columns.lost) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  snprintf(points, sizeof points, "%lld", (long long)r->design->n_point);
  if (!r->list) SAL_TRY(sal_document_preset(d, "cells.columns", columns.string));
  SAL_TRY(put(d, "cells.points", points, r->path));
  return put(d, "cells.sum", r->design->sum, r->path);
}

/* Keys that go without a file, or not with one. */
static sal_err check_keys(const sal_document *d, int cells, int file)
{
  static const char *const not_beside[] = {"rows", "axes", "scattered"}, *const beside[] = {
                                                                             "sum", "points"};

  for (int i = 0; i < 3; ++i) {
    const int node = sal_document_child(d, cells, not_beside[i]);
    if (file && node)
      return sal_document_fail(d, node, "cells has both file and %s; allowed: one of them",
                               not_beside[i]);
  }
  for (int i = 0; i < 2; ++i) {
    const int node = sal_document_child(d, cells, beside[i]);
    if (!file && node)
      return sal_document_fail(d, node, "cells.%s goes with cells.file; a run puts it there",
                               beside[i]);
  }
  return SAL_OK;
}

/* A file that the user names. */
static sal_err load_file(sal_document *d, int cells, int file, const sal_model *model,
                         sal_design **design)
{
  SAL_OWN char *path = NULL;

  SAL_TRY(sal_table_source_path(d, file, FILE_KEY, &path));
  reading r = {.document = d, .model = model, .path = path, .in = {.path = path}};
  r.list = sal_document_child(d, cells, "columns");
  sal_enum_words_gather(SAL_ENUM_COLUMNS, model, r.names);
  sal_err err = read_file(&r);
  if (err == SAL_OK) sal_design_seal(r.design);
  if (err == SAL_OK) err = put_design(&r, d);
  if (err != SAL_OK) {
    sal_design_drop(&r.design);
    return err;
  }
  r.design->path = path;
  path = NULL;
  sal_design_note(r.design);
  *design = r.design;
  return SAL_OK;
}

/* One that a cube or journals have given back. */
static sal_err take_given(const sal_document *d, int cells, int file, sal_design **design)
{
  const char *sum = sal_document_text(d, sal_document_child(d, cells, "sum"));
  const char *points = sal_document_text(d, sal_document_child(d, cells, "points"));
  double n;

  *design = sum ? sal_design_known(sum) : NULL;
  if (*design && points && sal_value_read(points, &n) && n == (double)(*design)->n_point &&
      (*design)->n_column == sal_document_count(d, sal_document_child(d, cells, "columns")))
    return SAL_OK;
  sal_design_drop(design);
  return sal_document_fail(d, file,
                           FILE_KEY ": the rows of '%.80s' are missing; that file is not read "
                                    "because a cube or a journal names it",
                           sal_document_text(d, file));
}

sal_err sal_design_counts(const sal_document *d, bool named, const sal_model *model, double most[])
{
  const int cells = sal_document_find(d, "cells"), file = sal_document_child(d, cells, "file");
  SAL_OWN_BY(sal_design_drop) sal_design *design = NULL;
  SAL_OWN char *path = NULL;

  for (int i = 0; i < model->n_count; ++i) most[i] = -INFINITY;
  if (!file) return SAL_OK;
  SAL_TRY(named ? sal_table_source_path(d, file, FILE_KEY, &path)
                : take_given(d, cells, file, &design));
  reading r = {.document = d, .model = model, .path = path, .in = {.path = path}, .counts = true};
  r.list = sal_document_child(d, cells, "columns");
  for (int i = 0; i < model->n_count; ++i) r.names[i] = model->param[i].name;
  if (named) {
    const sal_err err = read_file(&r);
    design = r.design;
    if (err != SAL_OK) return err;
  }
  for (int c = 0; c < design->n_column; ++c) {
    const int rank = named ? r.rank[c] : wanted_rank(&r, c);
    for (int64_t i = 0; i < design->n_point && rank >= 0; ++i)
      most[rank] = fmax(most[rank], design->value[i * design->n_column + c]);
  }
  return SAL_OK;
}

sal_err sal_design_load(sal_document *d, bool named, const sal_model *model, sal_design **design,
                        bool *changed)
{
  const int cells = sal_document_find(d, "cells"), file = sal_document_child(d, cells, "file");

  *design = NULL;
  SAL_TRY(check_keys(d, cells, file));
  if (!file || !model) return SAL_OK;
  if (!named) return take_given(d, cells, file, design);
  *changed = true;
  return load_file(d, cells, file, model, design);
}
