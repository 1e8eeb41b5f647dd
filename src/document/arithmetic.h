/** Expressions in a text: numbers, words, parentheses, and signs by how strongly they bind.
 *
 *  A language gives out the values, by number: nodes of a graph, or places in a list.
 */
#pragma once

#include "document.h"

/** Bytes of an expression and of a word; levels of an expression, and of all that need it. */
enum {
  SAL_ARITHMETIC_BYTES = 1 << 20,
  SAL_ARITHMETIC_WORD = 64,
  SAL_ARITHMETIC_DEPTH = 200,
  SAL_ARITHMETIC_ALL = 1000
};

typedef enum {
  SAL_ARITHMETIC_END,
  SAL_ARITHMETIC_DIGITS,
  SAL_ARITHMETIC_NAME,
  SAL_ARITHMETIC_SIGN
} sal_arithmetic_token;

struct sal_arithmetic_language;

/** Where reading an expression stands: the next token goes from `token` to `next`; `word` has it, too, NUL-terminated. */
typedef struct {
  const struct sal_arithmetic_language *language;
  void *context; /* the language's own */
  const sal_document *document;
  int text; /* node of the expression */
  const char *key, *start, *token, *next;
  sal_arithmetic_token kind;
  char word[SAL_ARITHMETIC_WORD];
  int depth;
  int deeper; /* levels of the expressions that need this one */
} sal_arithmetic;

/** A sign between two operands; those of a higher level bind more strongly. */
typedef struct {
  const char *sign;
  int level, op; /* op: the language's own */
} sal_arithmetic_sign;

typedef struct sal_arithmetic_language {
  const sal_arithmetic_sign *signs; /* end with NULL */
  const char *expected;             /* in place of an expression: "a number" */
  size_t bytes;                     /* of an expression */
  int power,
      denial; /* levels: ^, of which the last binds first; what `not` denies, 0: no such word */
  /* A number, which is the token / a name, which was the token before / -a or not a / a sign and its operands, all in *value;
   * `last` is -1, or the right side of a comparison that has just been made. */
  sal_err (*number)(sal_arithmetic *a, int *value);
  sal_err (*name)(sal_arithmetic *a, const char *name, int *value);
  sal_err (*prefix)(sal_arithmetic *a, const char *sign, int *value);
  sal_err (*combine)(sal_arithmetic *a, const sal_arithmetic_sign *sign, int right, int *last,
                     int *value);
  /* All of an expression, or of what stands in parentheses. */
  sal_err (*whole)(sal_arithmetic *a, int *value);
} sal_arithmetic_language;

/** Reads the text of the node a->text into *value; language, context, document, text and key are given.  Messages say what was found,
 *  what is allowed and where. */
sal_err sal_arithmetic_read(sal_arithmetic *a, int *value);

/* For languages. */

/** Operands and the signs between them that bind at least as strongly as `level`. */
sal_err sal_arithmetic_signs(sal_arithmetic *a, int level, int *value);
/** Goes on to the next token. */
sal_err sal_arithmetic_advance(sal_arithmetic *a);
/** Is the token this word or sign? */
bool sal_arithmetic_is_at(const sal_arithmetic *a, const char *word);
/** Goes on after this word or sign, or fails where something else stands. */
sal_err sal_arithmetic_expect(sal_arithmetic *a, const char *word);
/** Fails with "FILE:LINE: KEY: MESSAGE (character N of the expression)". */
sal_err sal_arithmetic_fail(const sal_arithmetic *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
