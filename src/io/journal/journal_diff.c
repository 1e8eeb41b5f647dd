/** @file src/io/journal/journal_diff.c
 *  What differs between two texts, line by line.
 *
 *  Where the texts part, the nearest pair of equal lines is looked for ahead in both.  That is not
 *  always the shortest difference, but it is one, and sweeps differ in few lines.
 */
#include "journal_private.h"
#include <string.h>

enum { AHEAD = 64, LINE = 160 };

/* Length of the line, and the line after it. */
static size_t length_of(const char *line) { return strcspn(line, "\n"); }

static const char *next(const char *line)
{
  line += length_of(line);
  return *line ? line + 1 : line;
}

static const char *forward(const char *line, int n)
{
  while (n-- > 0) line = next(line);
  return line;
}

static bool same(const char *a, const char *b)
{
  const size_t n = length_of(a);

  return n == length_of(b) && strncmp(a, b, n) == 0;
}

/* Lines to pass in both until they meet again: the fewest in all. */
static void meet(const char *old, const char *new, int *n_old, int *n_new)
{
  for (int sum = 1; sum <= AHEAD; ++sum)
    for (*n_old = 0; *n_old <= sum; ++*n_old) {
      *n_new = sum - *n_old;
      const char *a = forward(old, *n_old), *b = forward(new, *n_new);
      if (same(a, b) && (*a || !*b)) return;
    }
  *n_old = *old != '\0';
  *n_new = *new != '\0';
}

static const char *tell(char sign, const char *line, int n, size_t most, sal_text *out)
{
  for (; n > 0 && *line; --n, line = next(line)) {
    if (out->length > most) continue;
    const size_t length = length_of(line);
    sal_text_add(out, "\n%c ", sign);
    sal_text_append(out, line, length < LINE ? length : LINE);
    if (length > LINE || out->length > most) sal_text_add(out, " ...");
  }
  return line;
}

void sal_journal_diff(const char *old, const char *new, size_t most, sal_text *out)
{
  int n_old, n_new;

  for (most += out->length; *old || *new;) {
    if (*old && *new &&same(old, new)) {
      old = next(old);
      new = next(new);
      continue;
    }
    meet(old, new, &n_old, &n_new);
    old = tell('-', old, n_old, most, out);
    new = tell('+', new, n_new, most, out);
  }
}
