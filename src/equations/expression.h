/** Reading expressions: numbers, names, + - * / ^ ( ), comparisons, and or not, `a if c else b`, and
 *  functions, with the precedence of Python.
 */
#pragma once

#include "scope.h"

/** Reads the scalar `text` of the scope's document into *value.  `key` heads the messages, which say what
 *  was found, what is allowed, and what a wrong name may be meant for.  `type`: what it has to be. */
sal_err sal_expression_read(sal_scope *scope, int text, const char *key, sal_scope_type type,
                            int *value);

/** Functions that a scope uses for expressions. */
extern const sal_scope_language sal_expression_language;
