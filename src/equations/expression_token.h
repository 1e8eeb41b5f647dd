/** @file src/equations/expression_token.h
 *  The words, numbers and signs of an expression, and where reading it stands.
 */
#ifndef SAL_EXPRESSION_TOKEN_H
#define SAL_EXPRESSION_TOKEN_H

#include "scope.h"

typedef enum {
  SAL_EXPRESSION_END,
  SAL_EXPRESSION_DIGITS,
  SAL_EXPRESSION_WORD,
  SAL_EXPRESSION_SIGN
} sal_expression_token;

enum { SAL_EXPRESSION_NAME = 64, SAL_EXPRESSION_OPERANDS = 8 };

/** A token is the n bytes from `token` on; `word` holds it, too, NUL-terminated. */
typedef struct {
  sal_scope *scope;
  int text;
  const char *key, *start, *token, *next;
  sal_expression_token kind;
  char word[SAL_EXPRESSION_NAME];
  int depth;
} sal_expression_reader;

/** Goes on to the next token. */
SAL_MUST_CHECK sal_err sal_expression_advance(sal_expression_reader *reader);
/** Is the token this word or sign? */
bool sal_expression_meets(const sal_expression_reader *reader, const char *word);
/** Goes on after this word or sign, or fails where something else stands. */
SAL_MUST_CHECK sal_err sal_expression_expect(sal_expression_reader *reader, const char *word);
/** Fails with "FILE:LINE: KEY: MESSAGE (character N of the expression)". */
sal_err sal_expression_fail(const sal_expression_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The number of a function that is called so, or fails with the nearest name. */
SAL_MUST_CHECK sal_err sal_expression_function(const sal_expression_reader *reader,
                                               const char *name, int *function);
/** Its value for n operands, of which `operand` has the first SAL_EXPRESSION_OPERANDS. */
SAL_MUST_CHECK sal_err sal_expression_call(const sal_expression_reader *reader, int function, int n,
                                           const int operand[], int *value);
/** Is there such a function? */
bool sal_expression_is_function(const char *name);
/** a ^ b: whole powers from 1 to 8 by multiplication, from the left. */
int sal_expression_power(sal_graph *graph, int a, int b);

#endif
