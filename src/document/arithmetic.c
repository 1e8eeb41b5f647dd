/** From bytes to tokens, and from tokens to values by recursive descent. */
#include "arithmetic.h"
#include "base.h"
#include "value.h"
#include <stdarg.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

sal_err sal_arithmetic_fail(const sal_arithmetic *a, const char *format, ...)
{
  char message[1024];
  va_list args;

  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return sal_document_fail(a->document, a->text, "%s: %s (character %td of the expression)", a->key,
                           message, a->token - a->start + 1);
}

/* The bytes of a number: 12, 1.5, .5e-3. */
static size_t length_of_number(const char *at)
{
  size_t n = strspn(at, DIGITS);

  if (at[n] == '.') ++n, n += strspn(at + n, DIGITS);
  if (at[n] == 'e' || at[n] == 'E') {
    const size_t sign = at[n + 1] == '+' || at[n + 1] == '-';
    const size_t digits = strspn(at + n + 1 + sign, DIGITS);
    if (digits) n += 1 + sign + digits;
  }
  return n;
}

static size_t length_of_sign(const char *at)
{
  static const char *const two[] = {"<=", ">=", "==", "!="};

  for (int i = 0; i < 4; ++i)
    if (strncmp(at, two[i], 2) == 0) return 2;
  return strchr("+-*/%^()<>,", *at) != NULL;
}

sal_err sal_arithmetic_advance(sal_arithmetic *a)
{
  const char *at = a->next + strspn(a->next, " \t\r\n");
  size_t n = 0;

  a->token = at;
  if (*at == '\0') {
    a->kind = SAL_ARITHMETIC_END;
  } else if (strchr(LETTERS, *at)) {
    a->kind = SAL_ARITHMETIC_NAME;
    n = strspn(at, LETTERS DIGITS);
  } else if (strchr(DIGITS ".", *at)) {
    a->kind = SAL_ARITHMETIC_DIGITS;
    n = length_of_number(at);
  } else {
    a->kind = SAL_ARITHMETIC_SIGN;
    n = length_of_sign(at);
    if (n == 0)
      return sal_arithmetic_fail(a,
                                 "'%.1s' is not a sign of the language; allowed are "
                                 "+ - * / %% ^ ( ) , < <= > >= == != and words",
                                 at);
  }
  if (n >= sizeof a->word)
    return sal_arithmetic_fail(a, "'%.20s..' is longer than %zu bytes", at, sizeof a->word - 1);
  memcpy(a->word, at, n);
  a->word[n] = '\0';
  a->next = at + n;
  return SAL_OK;
}

bool sal_arithmetic_is_at(const sal_arithmetic *a, const char *word)
{
  return a->kind != SAL_ARITHMETIC_END && strcmp(a->word, word) == 0;
}

sal_err sal_arithmetic_expect(sal_arithmetic *a, const char *word)
{
  if (sal_arithmetic_is_at(a, word)) return sal_arithmetic_advance(a);
  if (a->kind == SAL_ARITHMETIC_END)
    return sal_arithmetic_fail(a, "it ends where '%s' is expected", word);
  return sal_arithmetic_fail(a, "found '%s' where '%s' is expected", a->word, word);
}

static sal_err read_atom(sal_arithmetic *a, int *value)
{
  const sal_arithmetic_language *l = a->language;
  char name[SAL_ARITHMETIC_WORD];

  if (a->kind == SAL_ARITHMETIC_END)
    return sal_arithmetic_fail(a, "it ends where a number or a name is expected");
  memcpy(name, a->word, sizeof name);
  if (a->kind == SAL_ARITHMETIC_DIGITS) {
    SAL_TRY(l->number(a, value));
    return sal_arithmetic_advance(a);
  }
  const bool named = a->kind == SAL_ARITHMETIC_NAME;
  if (!named && !sal_arithmetic_is_at(a, "("))
    return sal_arithmetic_fail(a, "'%s' stands where a number or a name is expected", name);
  SAL_TRY(sal_arithmetic_advance(a));
  if (named) return l->name(a, name, value);
  SAL_TRY(l->whole(a, value));
  return sal_arithmetic_expect(a, ")");
}

/* -a, +a, not a, or an atom. */
static sal_err read_operand(sal_arithmetic *a, int *value)
{
  const sal_arithmetic_language *l = a->language;
  const bool minus = sal_arithmetic_is_at(a, "-"),
             denies = l->denial && sal_arithmetic_is_at(a, "not");

  if (!minus && !denies && !sal_arithmetic_is_at(a, "+")) return read_atom(a, value);
  SAL_TRY(sal_arithmetic_advance(a));
  SAL_TRY(sal_arithmetic_signs(a, denies ? l->denial : l->power, value));
  return l->prefix(a, denies ? "not" : minus ? "-" : "+", value);
}

static const sal_arithmetic_sign *find_sign(const sal_arithmetic *a, int level)
{
  const sal_arithmetic_sign *s = a->language->signs;

  while (s->sign && (s->level < level || !sal_arithmetic_is_at(a, s->sign))) ++s;
  return s;
}

sal_err sal_arithmetic_signs(sal_arithmetic *a, int level, int *value)
{
  const sal_arithmetic_language *l = a->language;
  int last = -1;

  *value = 0;
  if (++a->depth > SAL_ARITHMETIC_DEPTH || a->depth + a->deeper > SAL_ARITHMETIC_ALL)
    return sal_arithmetic_fail(a, "nested more than %d deep", SAL_ARITHMETIC_DEPTH);
  SAL_TRY(read_operand(a, value));
  for (const sal_arithmetic_sign *s; (s = find_sign(a, level))->sign;) {
    int right = 0;
    SAL_TRY(sal_arithmetic_advance(a));
    SAL_TRY(sal_arithmetic_signs(a, s->level + (s->level != l->power), &right));
    SAL_TRY(l->combine(a, s, right, &last, value));
  }
  --a->depth;
  return SAL_OK;
}

sal_err sal_arithmetic_read(sal_arithmetic *a, int *value)
{
  const char *text = sal_document_text(a->document, a->text);

  *value = 0;
  if (!text || !text[0])
    return sal_value_wrong_kind(a->document, a->text, a->key, a->language->expected);
  if (strlen(text) > SAL_ARITHMETIC_BYTES)
    return sal_document_fail(a->document, a->text, "%s: an expression of %zu bytes; allowed: %d",
                             a->key, strlen(text), SAL_ARITHMETIC_BYTES);
  a->start = a->token = a->next = text;
  SAL_TRY(sal_arithmetic_advance(a));
  SAL_TRY(a->language->whole(a, value));
  if (a->kind == SAL_ARITHMETIC_END) return SAL_OK;
  return sal_arithmetic_fail(a, "'%s' stands where the expression should end", a->word);
}
