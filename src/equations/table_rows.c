/** @file src/equations/table_rows.c
 *  Lines of numbers; the first line may name the columns, # begins a comment.  What separates them is told by the first
 *  line: semicolons, else commas, else blanks; so a decimal comma beside semicolons is no separator.
 */
#include "table_rows.h"
#include "document.h"
#include "memory.h"
#include "plain_file.h"
#include "program.h"
#include "text.h"
#include "value.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\r"
enum { COLUMNS = 64, WORD = 64, LINE = 4096 };

static _Thread_local const char *folder; /* where files may lie beside those of the text's own */
static _Thread_local char note[512];

void sal_table_rows_allow(const char *in) { folder = in; }

const char *sal_table_rows_note(void) { return note; }

/** A file while it is read. */
typedef struct {
  const sal_document *document;
  const char *path;
  int line, rows;
  char between;  /* columns; ' ': any blanks; '\0' before the first line */
  int columns;   /* of each line */
  double before; /* the first number of the last row */
  int column[2]; /* from 0 on; -1: by its name, which no line has told yet */
  const char *name[2];
  sal_text *out;
} reading;

/* Without the blanks around it, and then without quotes; cut in place. */
static char *trim(char *word)
{
  word += strspn(word, BLANKS);
  size_t n = strlen(word);
  while (n > 0 && strchr(BLANKS, word[n - 1])) --n;
  word[n] = '\0';
  if (n < 2 || word[0] != '"' || word[n - 1] != '"') return word;
  word[n - 1] = '\0';
  return word + 1;
}

/* The words of a line, cut in place; gives their number.  Between two commas or semicolons there is one, if an empty
 * one. */
static int split(char *line, char between, char *word[])
{
  int n = 0;
  char *rest = line;

  if (between == ' ')
    for (char *w; n < COLUMNS && (w = strtok_r(rest, BLANKS, &rest));) word[n++] = trim(w);
  else
    while (n < COLUMNS && rest) {
      char *w = rest;
      if ((rest = strchr(w, between))) *rest++ = '\0';
      word[n++] = trim(w);
    }
  return n;
}

/* The line that names the columns. */
static sal_err read_names(reading *r, int n, char *word[])
{
  for (int c = 0; c < 2; ++c) {
    const bool by_name = r->column[c] < 0;
    for (int i = 0; i < n && by_name; ++i) {
      if (strcmp(word[i], r->name[c]) != 0) continue;
      if (r->column[c] >= 0)
        return sal_fail(SAL_ERR_INPUT,
                        "%s:%d: two columns are called '%.60s'; allowed: their numbers", r->path,
                        r->line, word[i]);
      r->column[c] = i;
    }
    if (r->column[c] < 0)
      return sal_fail(SAL_ERR_INPUT, "%s:%d: none of its %d column%s is called '%.60s'", r->path,
                      r->line, n, sal_text_plural(n), r->name[c]);
  }
  return SAL_OK;
}

static sal_err read_row(reading *r, int n, char *word[])
{
  double value[2];

  for (int c = 0; c < 2; ++c) {
    if (r->column[c] < 0)
      return sal_fail(SAL_ERR_INPUT, "%s:%d: the first line has to name its columns, such as '%s'",
                      r->path, r->line, r->name[c]);
    if (r->column[c] >= n)
      return sal_fail(SAL_ERR_INPUT, "%s:%d: %d column%s; column %d is asked for", r->path, r->line,
                      n, sal_text_plural(n), r->column[c] + 1);
    if (!sal_value_read(word[r->column[c]], &value[c]))
      return sal_fail(SAL_ERR_INPUT, "%s:%d: column %d is not a number; " SAL_VALUE_EXPECTED,
                      r->path, r->line, r->column[c] + 1);
  }
  if (r->rows > 0 && !(value[0] > r->before))
    return sal_fail(SAL_ERR_INPUT, "%s:%d: %g after %g; the first numbers of the rows have to rise",
                    r->path, r->line, value[0], r->before);
  r->before = value[0];
  if (++r->rows > SAL_LOOKUP_KNOTS)
    return sal_fail(SAL_ERR_INPUT, "%s:%d: more than %d rows", r->path, r->line, SAL_LOOKUP_KNOTS);
  sal_text_add(r->out, "  - [%.17g, %.17g]\n", value[0], value[1]);
  return SAL_OK;
}

/* What the first line says: what separates columns, and how many they are; *named: it has no numbers, but names. */
static void learn_columns(reading *r, char *line, char *word[], bool *named)
{
  double value;

  r->between = ' ';
  if (strchr(line, ',')) r->between = ',';
  if (strchr(line, ';')) r->between = ';';
  r->columns = split(line, r->between, word);
  *named = true;
  for (int i = 0; i < r->columns; ++i) *named &= !sal_value_read(word[i], &value);
}

static sal_err read_line(reading *r, const char *text, size_t length)
{
  char line[LINE], *word[COLUMNS];
  bool named = false;

  if (length >= sizeof line)
    return sal_fail(SAL_ERR_INPUT, "%s:%d: a line of %zu bytes; allowed: %d", r->path, r->line,
                    length, LINE - 1);
  memcpy(line, text, length);
  line[length] = '\0';
  line[strcspn(line, "#")] = '\0';
  if (line[strspn(line, BLANKS)] == '\0') return SAL_OK;
  const bool first = r->between == '\0';
  if (first) learn_columns(r, line, word, &named);
  const int n = first ? r->columns : split(line, r->between, word);
  if (n != r->columns)
    return sal_fail(SAL_ERR_INPUT, "%s:%d: %d column%s; the first line has %d", r->path, r->line, n,
                    sal_text_plural(n), r->columns);
  return named ? read_names(r, n, word) : read_row(r, n, word);
}

static sal_err read_lines(reading *r, const char *text)
{
  for (const char *at = text; *at;) {
    const size_t length = strcspn(at, "\n");
    ++r->line;
    SAL_TRY(read_line(r, at, length));
    at += length + (at[length] == '\n');
  }
  if (r->rows >= 2) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: %d row%s; a table has at least 2", r->path, r->rows,
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
    if (!(number >= 1 && number <= COLUMNS && number == (int)number))
      return sal_document_fail(d, node, "%s: columns: %s; allowed: a name, or 1 to %d", key,
                               r->name[c], COLUMNS);
    r->column[c] = (int)number - 1;
  }
  return SAL_OK;
}

static char *path_beside(const char *path, const char *name)
{
  const char *slash = strrchr(path, '/');
  sal_text text = {0};

  if (slash && name[0] != '/') sal_text_append(&text, path, (size_t)(slash + 1 - path));
  sal_text_add(&text, "%s", name);
  return sal_text_take(&text);
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
  sal_document_fail(d, node, "%s: %s", key, why);
  return err;
}

/* Another folder than that of the text is open to it only where the user says so. */
static sal_err check_path(const sal_document *d, int node, const char *key, const char *file,
                          const char *path)
{
  bool inside = !strchr(file, '/');

  if (!inside && folder) {
    char *in = realpath(folder, NULL), *at = realpath(path, NULL);
    const size_t n = in ? strlen(in) : 0;
    inside = in && at && strncmp(at, in, n) == 0 && (at[n] == '/' || in[n - 1] == '/');
    free(in);
    free(at);
  }
  if (inside) return SAL_OK;
  return sal_document_fail(d, node,
                           "%s: '%.200s' is a path; allowed: a file beside the text, or one in DIR "
                           "with --tables-from DIR",
                           key, file);
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
  SAL_OWN char *path = path_beside(d->path, file), *text = NULL;
  if (!path) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  reading r = {.document = d, .path = path, .column = {0, 1}, .name = {"", ""}, .out = out};
  SAL_TRY(read_columns(&r, pair->value, key));
  SAL_TRY(check_path(d, node, key, file, path));
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
  SAL_OWN char *path = file ? path_beside(d->path, file) : NULL;

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
    const yaml_node_t *node = sal_document_node(&d, sal_document_find(&d, "tables"));
    if (length && text[length - 1] != '\n') sal_text_add(&out, "\n");
    const bool there = sal_document_find(&d, "table_rows");
    const bool named = node && node->type == YAML_MAPPING_NODE;
    for (const yaml_node_pair_t *p = named ? node->data.mapping.pairs.start : NULL;
         named && p < node->data.mapping.pairs.top; ++p)
      SAL_TRY(there ? note_kept(&d, p) : keep_table(&d, p, &any, &out));
  }
  *kept = sal_text_take(&out);
  return *kept ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}
