/** Files of tables: places and lines. */
#include "table_source.h"
#include "base.h"
#include "value.h"

#define BLANKS " \t\r"
#define MARK "\xef\xbb\xbf" /* some programs put it before UTF-8 */

static _Thread_local const char *folder; /* where files may lie beside those of the text's own */

void sal_table_source_allow(const char *in) { folder = in; }

char *sal_table_source_beside(const char *path, const char *name)
{
  const char *slash = strrchr(path, '/');
  sal_text text = {0};

  if (slash && name[0] != '/') sal_text_append(&text, path, (size_t)(slash + 1 - path));
  sal_text_add(&text, "%s", name);
  return sal_text_take(&text);
}

/* A text may read files of another folder only where the user allows it. */
static bool may_be_read(const char *file, const char *path)
{
  bool inside = !strchr(file, '/');

  if (!inside && folder) {
    char *in = realpath(folder, NULL), *at = realpath(path, NULL);
    const size_t n = in ? strlen(in) : 0;
    inside = in && at && strncmp(at, in, n) == 0 && (at[n] == '/' || in[n - 1] == '/');
    free(in);
    free(at);
  }
  return inside;
}

sal_err sal_table_source_path(const sal_document *d, int node, const char *key, char **path)
{
  const char *file = sal_document_text(d, node);

  *path = NULL;
  if (!file || !file[0]) return sal_value_wrong_kind(d, node, key, "the name of a file");
  char *beside = sal_table_source_beside(d->path, file);
  if (!beside) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", d->path);
  if (may_be_read(file, beside)) {
    *path = beside;
    return SAL_OK;
  }
  sal_free(beside);
  return sal_document_fail(d, node,
                           "%s: '%.200s' is a path; allowed: a file beside the text, or one in DIR "
                           "with --tables-from DIR",
                           key, file);
}

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

/* The words of a line, cut in place; gives their number, one more than there may be where it has more.  Between two
 * commas or semicolons there is one, if an empty one. */
static int split(char *line, char between, char *word[])
{
  int n = 0;
  char *rest = line;

  if (between == ' ')
    for (char *w; (w = strtok_r(rest, BLANKS, &rest)); ++n) {
      if (n == SAL_TABLE_SOURCE_COLUMNS) return n + 1;
      word[n] = trim(w);
    }
  else
    for (char *w; rest; ++n) {
      if (n == SAL_TABLE_SOURCE_COLUMNS) return n + 1;
      w = rest;
      if ((rest = strchr(w, between))) *rest++ = '\0';
      word[n] = trim(w);
    }
  return n;
}

static bool has_number(int n, char *const word[])
{
  double value;

  for (int i = 0; i < n; ++i)
    if (sal_value_read(word[i], &value)) return true;
  return false;
}

/* The separator of the columns, from the first line that has one. */
static char separator_of(const char *line)
{
  static const char known[] = {';', ','};

  for (size_t i = 0; i < sizeof known; ++i)
    if (strchr(line, known[i])) return known[i];
  return ' ';
}

sal_err sal_table_source_line(sal_table_source *t, char *line, sal_table_line *is)
{
  const bool first = t->between == '\0';

  ++t->number;
  *is = SAL_TABLE_SOURCE_NOTHING;
  if (t->number == 1 && strncmp(line, MARK, strlen(MARK)) == 0) line += strlen(MARK);
  line[strcspn(line, "#")] = '\0';
  line += strspn(line, BLANKS);
  if (*line == '\0') return SAL_OK;
  const bool marked = first && *line == '%';
  if (first) t->between = separator_of(line);
  const int n = split(line + marked, t->between, t->word);
  if (n > SAL_TABLE_SOURCE_COLUMNS)
    return sal_fail(SAL_ERR_INPUT, "%s:%lld: more than %d columns", t->path, (long long)t->number,
                    SAL_TABLE_SOURCE_COLUMNS);
  if (first) t->n = n;
  if (n != t->n)
    return sal_fail(SAL_ERR_INPUT, "%s:%lld: %d column%s; the first line has %d", t->path,
                    (long long)t->number, n, sal_text_plural(n), t->n);
  const bool names = first && (marked || !has_number(n, t->word));
  *is = names ? SAL_TABLE_SOURCE_NAMES : SAL_TABLE_SOURCE_ROW;
  return SAL_OK;
}
