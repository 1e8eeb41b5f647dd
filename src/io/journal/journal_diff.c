/** Differences of two texts, line by line.
 *
 *  Where the texts part, the nearest pair of equal lines is looked for ahead in both.  That is not
 *  always the shortest difference, but it is one, and sweeps differ in few lines.
 */
#include "journal.h"
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

/* Where a line of the sweep stands, by the number that sweep.h gives. */
static void add_place(const char *text, int line, sal_text *out)
{
  const char *of = strncmp(text, "model.", 6) == 0 || strncmp(text, "model: ", 7) == 0
                       ? " of the model's file"
                   : strncmp(text, "solver ", 7) == 0 ? " of the solver's file"
                                                      : "";
  if (line > 0) sal_text_add(out, "  (line %d%s)", line, of);
  if (line < 0) sal_text_add(out, "  (--set)");
}

/* place: of the first of the lines, or NULL. */
static const char *print(char sign, const char *line, int n, const int *place, size_t most,
                         sal_text *out)
{
  for (; n > 0 && *line; --n, line = next(line)) {
    const int at = place ? *place++ : 0;
    if (out->length > most) continue;
    const size_t length = length_of(line);
    sal_text_add(out, "\n%c ", sign);
    sal_text_append(out, line, length < LINE ? length : LINE);
    if (length > LINE || out->length > most) sal_text_add(out, " ...");
    add_place(line, at, out);
  }
  return line;
}

/* Counts the lines from one place to another. */
static int count_lines(const char *from, const char *to)
{
  int n = 0;

  for (; from < to; from = next(from)) ++n;
  return n;
}

void sal_journal_diff(const char *old, const char *new, const char *settled, const int line[],
                      size_t most, sal_text *out)
{
  int n_old, n_new, passed = 0; /* lines of settled */

  for (most += out->length; *old || *new;) {
    const char *before = new;
    if (*old && *new &&same(old, new)) {
      old = next(old);
      new = next(new);
    } else {
      meet(old, new, &n_old, &n_new);
      old = print('-', old, n_old, NULL, most, out);
      new = print('+', new, n_new, line && new >= settled ? line + passed : NULL, most, out);
    }
    if (settled && new > settled) passed += count_lines(before < settled ? settled : before, new);
  }
}
