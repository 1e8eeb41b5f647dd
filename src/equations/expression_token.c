/** @file src/equations/expression_token.c
 *  From bytes to tokens.
 */
#include "expression_token.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

sal_err sal_expression_fail(const sal_expression_reader *reader, const char *format, ...)
{
  char message[1024];
  va_list args;

  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return sal_document_fail(reader->scope->document, reader->text,
                           "%s: %s (character %td of the expression)", reader->key, message,
                           reader->token - reader->start + 1);
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
  return strchr("+-*/^()<>,", *at) != NULL;
}

sal_err sal_expression_advance(sal_expression_reader *reader)
{
  const char *at = reader->next + strspn(reader->next, " \t\r\n");
  size_t n = 0;

  reader->token = at;
  if (*at == '\0') {
    reader->kind = SAL_EXPRESSION_END;
  } else if (strchr(LETTERS, *at)) {
    reader->kind = SAL_EXPRESSION_WORD;
    n = strspn(at, LETTERS DIGITS);
  } else if (strchr(DIGITS ".", *at)) {
    reader->kind = SAL_EXPRESSION_DIGITS;
    n = length_of_number(at);
  } else {
    reader->kind = SAL_EXPRESSION_SIGN;
    n = length_of_sign(at);
    if (n == 0)
      return sal_expression_fail(reader,
                                 "'%.1s' is no sign of the language; allowed are "
                                 "+ - * / ^ ( ) , < <= > >= == != and words",
                                 at);
  }
  if (n >= sizeof reader->word)
    return sal_expression_fail(reader, "'%.20s..' is longer than %zu bytes", at,
                               sizeof reader->word - 1);
  memcpy(reader->word, at, n);
  reader->word[n] = '\0';
  reader->next = at + n;
  return SAL_OK;
}

bool sal_expression_meets(const sal_expression_reader *reader, const char *word)
{
  return reader->kind != SAL_EXPRESSION_END && strcmp(reader->word, word) == 0;
}

sal_err sal_expression_expect(sal_expression_reader *reader, const char *word)
{
  if (sal_expression_meets(reader, word)) return sal_expression_advance(reader);
  if (reader->kind == SAL_EXPRESSION_END)
    return sal_expression_fail(reader, "it ends where '%s' is expected", word);
  return sal_expression_fail(reader, "found '%s' where '%s' is expected", reader->word, word);
}
