/** @file src/tableaus/coefficient.c
 *  Numbers and small expressions of them.
 */
#include "coefficient.h"
#include "text.h"
#include "value.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits that 113 bits can tell apart, and the largest power of ten that they hold exactly. */
enum { MOST_DIGITS = 36, MOST_TENS = 48, MOST_POWER = 64, NAME = 64 };

typedef struct {
  const sal_document *document;
  int node, depth;
  const char *what, *start, *at;
  const sal_coefficient_names *names;
} reader;

static sal_err read_sum(reader *r, sal_exact *value);

static sal_err fail(const reader *r, const char *said)
{
  return sal_document_fail(r->document, r->node, "%s: '%.80s': %s (character %d)", r->what,
                           r->start, said, (int)(r->at - r->start) + 1);
}

static void skip_blanks(reader *r)
{
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n') ++r->at;
}

/* Goes on after this sign; false where something else stands. */
static bool take(reader *r, char sign)
{
  skip_blanks(r);
  if (*r->at != sign) return false;
  ++r->at;
  return true;
}

static sal_exact ten_to(int power)
{
  sal_exact value = 1;

  for (int i = 0; i < power; ++i) value *= 10;
  return value;
}

/* Digits with at most one point: the whole number that they make, and the tens to divide it by. */
static sal_exact read_digits(reader *r, int *tens, int *seen)
{
  sal_exact whole = 0;
  int kept = 0;
  bool point = false;

  for (;; ++r->at) {
    if (*r->at == '.' && !point) {
      point = true;
      continue;
    }
    if (!isdigit((unsigned char)*r->at)) return whole;
    ++*seen;
    if (kept < MOST_DIGITS) {
      whole = whole * 10 + (*r->at - '0');
      kept += whole > 0;
      *tens += point;
    } else if (!point) {
      --*tens;
    }
  }
}

static sal_err read_number(reader *r, sal_exact *value)
{
  int tens = 0, seen = 0;

  *value = read_digits(r, &tens, &seen);
  if (!seen) return fail(r, "a number is expected");
  if (*r->at == 'e' || *r->at == 'E') {
    char *end;
    const long exponent = strtol(r->at + 1, &end, 10);
    if (end == r->at + 1 || isspace((unsigned char)r->at[1]))
      return fail(r, "the exponent is missing");
    r->at = end;
    tens = exponent > 1000 ? -1001 : exponent < -1000 ? 1001 : tens - (int)exponent;
  }
  if (*value == 0) return SAL_OK;
  if (abs(tens) > MOST_TENS) return fail(r, "the number is too large or too small");
  *value = tens < 0 ? *value * ten_to(-tens) : *value / ten_to(tens);
  return SAL_OK;
}

/* Newton's iteration doubles the digits of the root in double precision twice. */
static sal_exact root_of(sal_exact x)
{
  sal_exact root = sqrt((double)x);

  for (int i = 0; x > 0 && i < 3; ++i) root = (root + x / root) / 2;
  return root;
}

static sal_err read_inner(reader *r, sal_exact *value)
{
  SAL_TRY(read_sum(r, value));
  return take(r, ')') ? SAL_OK : fail(r, "')' is expected");
}

static sal_err read_root(reader *r, sal_exact *value)
{
  if (!take(r, '(')) return fail(r, "'(' is expected after sqrt");
  SAL_TRY(read_inner(r, value));
  if (*value < 0) return fail(r, "the root of a number below 0");
  *value = root_of(*value);
  return SAL_OK;
}

static sal_err refuse_name(const reader *r, const char *word)
{
  const char *known[SAL_COEFFICIENT_NAMES + 2];

  for (int i = 0; i < r->names->n; ++i) known[i] = r->names->name[i];
  known[r->names->n] = "sqrt";
  known[r->names->n + 1] = NULL;
  return sal_value_unknown(r->document, r->node, r->what, "name", word, known);
}

static sal_err read_word(reader *r, sal_exact *value)
{
  char word[NAME];
  size_t n = 0;

  while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') ++n;
  if (n >= sizeof word) return fail(r, "the name is too long");
  memcpy(word, r->at, n);
  word[n] = '\0';
  r->at += n;
  if (strcmp(word, "sqrt") == 0) return read_root(r, value);
  for (int i = 0; i < r->names->n; ++i)
    if (strcmp(r->names->name[i], word) == 0) {
      *value = r->names->value[i];
      return SAL_OK;
    }
  return refuse_name(r, word);
}

static sal_err read_atom(reader *r, sal_exact *value)
{
  skip_blanks(r);
  if (isalpha((unsigned char)*r->at)) return read_word(r, value);
  if (!take(r, '(')) return read_number(r, value);
  if (++r->depth > SAL_COEFFICIENT_DEPTH) return fail(r, "too many levels of parentheses");
  SAL_TRY(read_inner(r, value));
  --r->depth;
  return SAL_OK;
}

static sal_err read_power(reader *r, sal_exact *value)
{
  sal_exact base, power = 1;

  SAL_TRY(read_atom(r, value));
  if (!take(r, '^')) return SAL_OK;
  base = *value;
  const bool below = take(r, '-');
  SAL_TRY(read_atom(r, &power));
  const double times = (double)power;
  if (times != floor(times) || times < 0 || times > MOST_POWER)
    return fail(r, "a power has to be a whole number to 64");
  *value = 1;
  for (int i = 0; i < (int)times; ++i) *value *= base;
  if (below && *value == 0) return fail(r, "a division by 0");
  if (below) *value = 1 / *value;
  return SAL_OK;
}

static sal_err read_signed(reader *r, sal_exact *value)
{
  bool minus = false;

  for (;;) {
    if (take(r, '-'))
      minus = !minus;
    else if (!take(r, '+'))
      break;
  }
  SAL_TRY(read_power(r, value));
  if (minus) *value = -*value;
  return SAL_OK;
}

static sal_err read_product(reader *r, sal_exact *value)
{
  SAL_TRY(read_signed(r, value));
  for (;;) {
    const bool times = take(r, '*');
    sal_exact next;
    if (!times && !take(r, '/')) return SAL_OK;
    SAL_TRY(read_signed(r, &next));
    if (!times && next == 0) return fail(r, "a division by 0");
    *value = times ? *value * next : *value / next;
  }
}

static sal_err read_sum(reader *r, sal_exact *value)
{
  SAL_TRY(read_product(r, value));
  for (;;) {
    const bool plus = take(r, '+');
    sal_exact next;
    if (!plus && !take(r, '-')) return SAL_OK;
    SAL_TRY(read_product(r, &next));
    *value = plus ? *value + next : *value - next;
  }
}

sal_err sal_coefficient_read(const sal_document *document, int node, const char *what,
                             const sal_coefficient_names *names, sal_exact *value)
{
  const char *text = sal_document_text(document, node);
  reader r = {.document = document, .node = node, .what = what, .names = names};

  *value = 0;
  if (!text || !text[0]) return sal_value_wrong_kind(document, node, what, "a number");
  if (strlen(text) > SAL_COEFFICIENT_BYTES)
    return sal_document_fail(document, node, "%s: an expression of %zu bytes; allowed: %d", what,
                             strlen(text), SAL_COEFFICIENT_BYTES);
  r.start = r.at = text;
  SAL_TRY(read_sum(&r, value));
  skip_blanks(&r);
  if (*r.at) return fail(&r, "an operator is expected");
  if (sal_coefficient_size(*value) <= SAL_COEFFICIENT_MOST) return SAL_OK;
  return sal_document_fail(document, node, "%s: %g is out of range; allowed: from %g to %g", what,
                           (double)*value, -SAL_COEFFICIENT_MOST, SAL_COEFFICIENT_MOST);
}

sal_exact sal_coefficient_size(sal_exact x) { return x < 0 ? -x : x; }
