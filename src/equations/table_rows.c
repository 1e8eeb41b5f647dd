/** Two columns of a table's file. */
#include "base.h"
#include "equation_programs.h"
#include "plain_file.h"
#include "program.h"
#include "table_source.h"
#include "value.h"
#include <unistd.h>

static _Thread_local char note[512];

const char *sal_table_rows_note(void) { return note; }

/** A file while it is read. */
typedef struct {
  const sal_document *document;
  sal_table_source in;
  int rows;
  double before; /* the first number of the last row */
  int column[2]; /* from 0 on; -1: by its name, not yet read from a line */
  const char *name[2];
  sal_text *out;
} reading;

/* The line that names the columns. */
static sal_err read_names(reading *r)
{
  char *const *word = r->in.word;

  for (int c = 0; c < 2; ++c) {
    const bool by_name = r->column[c] < 0;
    for (int i = 0; i < r->in.n && by_name; ++i) {
      if (strcmp(word[i], r->name[c]) != 0) continue;
      if (r->column[c] >= 0)
        return sal_fail(SAL_ERR_INPUT,
                        "%s:%lld: two columns are called '%.60s'; allowed: their numbers",
                        r->in.path, (long long)r->in.number, word[i]);
      r->column[c] = i;
    }
    if (r->column[c] < 0)
      return sal_fail(SAL_ERR_INPUT, "%s:%lld: none of its %d column%s is called '%.60s'",
                      r->in.path, (long long)r->in.number, r->in.n, sal_text_plural(r->in.n),
                      r->name[c]);
  }
  return SAL_OK;
}

static sal_err read_row(reading *r)
{
  char *const *word = r->in.word;
  const int n = r->in.n;
  double value[2];

  for (int c = 0; c < 2; ++c) {
    if (r->column[c] < 0)
      return sal_fail(SAL_ERR_INPUT,
                      "%s:%lld: the first line has to name its columns, such as '%s'", r->in.path,
                      (long long)r->in.number, r->name[c]);
    if (r->column[c] >= n)
      return sal_fail(SAL_ERR_INPUT, "%s:%lld: %d column%s; column %d is asked for", r->in.path,
                      (long long)r->in.number, n, sal_text_plural(n), r->column[c] + 1);
    if (!sal_value_read(word[r->column[c]], &value[c]))
      return sal_fail(SAL_ERR_INPUT, "%s:%lld: column %d is not a number; " SAL_VALUE_EXPECTED,
                      r->in.path, (long long)r->in.number, r->column[c] + 1);
  }
  if (r->rows > 0 && !(value[0] > r->before))
    return sal_fail(SAL_ERR_INPUT,
                    "%s:%lld: %g after %g; the first numbers of the rows have to rise", r->in.path,
                    (long long)r->in.number, value[0], r->before);
  r->before = value[0];
  if (++r->rows > SAL_LOOKUP_KNOTS)
    return sal_fail(SAL_ERR_INPUT, "%s:%lld: more than %d rows", r->in.path,
                    (long long)r->in.number, SAL_LOOKUP_KNOTS);
  sal_text_add(r->out, "  - [%.17g, %.17g]\n", value[0], value[1]);
  return SAL_OK;
}

static sal_err read_line(reading *r, const char *text, size_t length)
{
  sal_table_line is = SAL_TABLE_SOURCE_NOTHING;
  SAL_OWN char *line = sal_alloc(length + 1, 1);

  if (!line) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->in.path);
  memcpy(line, text, length);
  SAL_TRY(sal_table_source_line(&r->in, line, &is));
  if (is == SAL_TABLE_SOURCE_NOTHING) return SAL_OK;
  return is == SAL_TABLE_SOURCE_NAMES ? read_names(r) : read_row(r);
}

static sal_err read_lines(reading *r, const char *text)
{
  for (const char *at = text; *at;) {
    const size_t length = strcspn(at, "\n");
    SAL_TRY(read_line(r, at, length));
    at += length + (at[length] == '\n');
  }
  if (r->rows >= 2) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: %d row%s; a table has at least 2", r->in.path, r->rows,
                  sal_text_plural(r->rows));
}

/* columns: [NAME or number, NAME or number]; the first two unless given. */
static sal_err read_columns(reading *r, int mapping, const char *key)
{
  const sal_document *d = r->document;
  const int list = sal_document_child(d, mapping, "columns");

  if (!list) return SAL_OK;
  SAL_TRY(sal_value_list(d, list, key, 2, 2));
  for (int c = 0; c < 2; ++c) {
    const int node = sal_document_item(d, list, c);
    const char *word = sal_document_text(d, node);
    double number;
    r->name[c] = word ? word : "";
    r->column[c] = -1;
    if (!sal_value_read(r->name[c], &number)) continue;
    if (!(number >= 1 && number <= SAL_TABLE_SOURCE_COLUMNS && number == (int)number))
      return sal_document_fail(d, node, "%s: columns: %s; allowed: a name, or 1 to %d", key,
                               r->name[c], SAL_TABLE_SOURCE_COLUMNS);
    r->column[c] = (int)number - 1;
  }
  return SAL_OK;
}

/* The file of a table, or what is wrong with it, and where the text names it. */
static sal_err read_file(const sal_document *d, int node, const char *key, const char *path,
                         char **text)
{
  char why[512];
  const sal_err err = sal_text_file_read(path, "a table's file", text);

  if (err == SAL_OK) return SAL_OK;
  snprintf(why, sizeof why, "%s", sal_err_message());
  sal_err_clear();
  (void)sal_document_fail(d, node, "%s: %s", key, why);
  return err;
}

static sal_err keep_table(const sal_document *d, const yaml_node_pair_t *pair, bool *any,
                          sal_text *out)
{
  const char *name = sal_document_text(d, pair->key);
  const int node = sal_document_child(d, pair->value, "file");
  const char *file = sal_document_text(d, node);
  char key[SAL_MAX_NAME];

  if (!file || !name) return SAL_OK;
  snprintf(key, sizeof key, "table %.40s", name);
  SAL_OWN char *path = NULL, *text = NULL;
  reading r = {.document = d, .column = {0, 1}, .name = {"", ""}, .out = out};
  SAL_TRY(read_columns(&r, pair->value, key));
  SAL_TRY(sal_table_source_path(d, node, key, &path));
  r.in.path = path;
  SAL_TRY(read_file(d, node, key, path, &text));
  sal_text_add(out, "%s  %s:\n", *any ? "" : "table_rows: # of the files, kept with the text\n",
               name);
  *any = true;
  return read_lines(&r, text);
}

/* The rows that a text keeps are used: a file of the same name may say something else. */
static sal_err note_kept(const sal_document *d, const yaml_node_pair_t *pair)
{
  const char *file = sal_document_text(d, sal_document_child(d, pair->value, "file"));
  SAL_OWN char *path = file ? sal_table_source_beside(d->path, file) : NULL;

  if (path && access(path, F_OK) == 0)
    snprintf(note, sizeof note,
             "%.200s: table %.40s: the rows kept in the text are used, %.200s is not read", d->path,
             sal_document_text(d, pair->key), path);
  return SAL_OK;
}

sal_err sal_table_rows_keep(const char *path, const char *text, char **kept)
{
  __attribute__((cleanup(sal_document_free))) sal_document d = {0};
  __attribute__((cleanup(sal_text_free))) sal_text out = {0};
  const size_t length = strlen(text);
  bool any = false;

  *kept = NULL;
  sal_text_append(&out, text, length);
  if (strstr(text, "tables:")) {
    SAL_TRY(sal_document_parse(path, text, &d));
    const int tables = sal_document_find(&d, "tables");
    int n;
    if (length && text[length - 1] != '\n') sal_text_add(&out, "\n");
    const bool there = sal_document_find(&d, "table_rows");
    SAL_TRY(sal_value_pairs(&d, tables, "tables", &n));
    for (int i = 0; i < n; ++i) {
      const yaml_node_pair_t *pair = sal_document_pair(&d, tables, i);
      SAL_TRY(there ? note_kept(&d, pair) : keep_table(&d, pair, &any, &out));
    }
  }
  *kept = sal_text_take(&out);
  return *kept ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}
