/** Strings that grow, and the optimal string alignment distance (Damerau, 1964; Levenshtein, 1966).
 */
#include "text.h"
#include "array.h"
#include "memory.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer words are not treated as misspelt names. */
enum { MAX_WORD = 64 };

/* Makes room for n more bytes and the NUL. */
static bool make_room(sal_text *text, size_t n)
{
  int64_t room = (int64_t)text->room;
  char *string = NULL;
  if (!text->lost && n < SIZE_MAX / 4)
    string = sal_array_grow(text->string, (int64_t)text->length, (int64_t)n + 1, &room, 1);
  text->lost = !string;
  if (text->lost) return false;
  text->string = string;
  text->room = (size_t)room;
  return true;
}

void sal_text_append(sal_text *text, const char *bytes, size_t n)
{
  if (!make_room(text, n)) return;
  if (n > 0) memcpy(text->string + text->length, bytes, n); /* an empty text has no bytes */
  text->length += n;
  text->string[text->length] = '\0';
}

void sal_text_add(sal_text *text, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  if (n >= 0 && make_room(text, (size_t)n)) {
    vsnprintf(text->string + text->length, (size_t)n + 1, format, again);
    text->length += (size_t)n;
  }
  va_end(again);
  va_end(args);
}

void sal_text_join(sal_text *text, const char *between, const char *const names[])
{
  for (int i = 0; names[i]; ++i) sal_text_add(text, "%s%s", i ? between : "", names[i]);
}

char *sal_text_take(sal_text *text)
{
  if (!text->string) make_room(text, 0);
  char *string = text->string;
  if (text->lost) {
    sal_free(string);
    string = NULL;
  }
  *text = (sal_text){0};
  return string;
}

void sal_text_free(sal_text *text)
{
  sal_free(text->string);
  *text = (sal_text){0};
}

char *sal_text_copy(const char *string)
{
  const size_t n = strlen(string) + 1;
  char *copy = sal_alloc(n, 1);
  return copy ? memcpy(copy, string, n) : NULL;
}

/* 15 digits come back from every double with as many, 17 from any; subnormal ones have fewer. */
const char *sal_text_number(double value, char text[SAL_TEXT_NUMBER])
{
  for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; ++digits) {
    snprintf(text, SAL_TEXT_NUMBER, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return text;
}

const char *sal_text_item(const char *list, size_t room, char item[])
{
  const size_t n = strcspn(list, ",");

  snprintf(item, room, "%.*s", (int)n, list);
  return list[n] ? list + n + 1 : NULL;
}

sal_err sal_text_mark(const char *where, const char *what, const char *list,
                      const char *const names[], bool marked[])
{
  for (int i = 0; names[i]; ++i) marked[i] = !list;
  while (list) {
    char word[64];
    list = sal_text_item(list, sizeof word, word);
    const int i = sal_text_rank(word, names);
    if (i < 0) return sal_text_unknown(SAL_ERR_USAGE, where, what, word, names);
    marked[i] = true;
  }
  return SAL_OK;
}

const char *sal_text_plural(int64_t n) { return n == 1 ? "" : "s"; }

int sal_text_width(int least, int n, char *const names[])
{
  int width = least;

  for (int i = 0; i < n; ++i)
    if ((int)strlen(names[i]) > width) width = (int)strlen(names[i]);
  return width;
}

sal_err sal_text_check(const char *where, const char *text)
{
  unsigned code;

  if (!sal_text_forbidden(text, &code)) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: the character U+%04X; allowed: text without control characters and without "
                  "those that turn its direction",
                  where, code);
}

int sal_text_rank(const char *word, const char *const names[])
{
  for (int i = 0; names[i]; ++i)
    if (strcmp(names[i], word) == 0) return i;
  return -1;
}

static size_t lesser(size_t a, size_t b) { return a < b ? a : b; }

/* Number of edits between a [n_a] and b [n_b], both of lower case. */
static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
  size_t rows[3][MAX_WORD + 1];
  for (size_t j = 0; j <= n_b; ++j) rows[0][j] = j;
  for (size_t i = 1; i <= n_a; ++i) {
    size_t *row = rows[i % 3];
    const size_t *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= n_b; ++j) {
      row[j] = lesser(lesser(up[j], row[j - 1]) + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = lesser(row[j], up2[j - 2] + 1);
    }
  }
  return rows[n_a % 3][n_b];
}

/* Lower case copy; returns the length, MAX_WORD + 1 when it is too long. */
static size_t copy_lower(const char *word, char out[MAX_WORD])
{
  size_t n = 0;
  for (; word[n]; ++n) {
    if (n == MAX_WORD) return MAX_WORD + 1;
    out[n] = (char)tolower((unsigned char)word[n]);
  }
  return n;
}

/* "y" of "initial_y" */
static bool is_end_of(const char *name, const char *word)
{
  const size_t n = strlen(name), all = strlen(word);

  return n > 0 && n + 1 < all && word[all - n - 1] == '_' && strcmp(word + all - n, name) == 0;
}

const char *sal_text_nearest(const char *word, const char *const names[])
{
  char a[MAX_WORD], b[MAX_WORD];
  const size_t n_a = copy_lower(word, a);
  const char *best = NULL;
  size_t slips = SIZE_MAX;
  if (n_a > MAX_WORD) return NULL;
  for (int i = 0; names[i]; ++i) {
    if (is_end_of(names[i], word)) return names[i];
    const size_t n_b = copy_lower(names[i], b), longer = n_a > n_b ? n_a : n_b;
    if (n_b > MAX_WORD) continue;
    /* Words of one letter have nothing in common but capitals. */
    const size_t allowed = longer < 2 ? 0 : longer < 6 ? 1 : longer / 3;
    const size_t d = edit_distance(a, n_a, b, n_b);
    if (d <= allowed && d < slips) {
      best = names[i];
      slips = d;
    }
  }
  return best;
}

sal_err sal_text_unknown(sal_err code, const char *where, const char *what, const char *found,
                         const char *const names[])
{
  const char *meant = sal_text_nearest(found, names);
  sal_text text = {0};
  sal_text_add(&text, "%s: unknown %s '%s'; allowed: ", where, what, found);
  sal_text_join(&text, ", ", names);
  if (!names[0]) sal_text_add(&text, "none");
  if (meant) sal_text_add(&text, "; did you mean '%s'?", meant);
  if (text.string) sal_text_plain(text.string);
  (void)sal_fail(code, "%s", text.string ? text.string : where);
  sal_text_free(&text);
  return code;
}
