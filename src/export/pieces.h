/** @file src/export/pieces.h
 *  All that a program is made of: pieces of its language, numbers, and words of a model's or a solver's text.
 *
 *  The author of a text is not the one who runs the program, so no function here takes a string: a piece is made of a literal, a word is
 *  made by sal_pieces_clean, and the functions of text.h that take any string cannot be called below this header.
 */
#ifndef SAL_EXPORT_PIECES_H
#define SAL_EXPORT_PIECES_H

#include "text.h"

/** A piece of a language: CODE("literal"). */
typedef struct {
  int length;
  const char *code;
} sal_export_piece;
// clang-format off
#define CODE(literal) {(int)sizeof(literal) - 1, "" literal}
// clang-format on
#define NAME(literal) ((sal_export_piece)CODE(literal)) /* as a value */

enum { SAL_EXPORT_LETTERS = 96 };

/** Words that end no string, no comment and no line in any language: letters, digits and a few signs; '_' in place of all others, and
 *  ".." where they are long. */
typedef struct {
  char letter[SAL_EXPORT_LETTERS];
} sal_export_word;

sal_export_word sal_pieces_clean(const char *text);

void sal_pieces_add(sal_text *out, int n, const sal_export_piece piece[]);
void sal_pieces_add_word(sal_text *out, sal_export_word word);
void sal_pieces_add_whole(sal_text *out, int value);

/** ADD(out, CODE("x"), d->piece, ..) */
#define ADD(out, ...)                                                                              \
  sal_pieces_add(out, (int)(sizeof((sal_export_piece[]){__VA_ARGS__}) / sizeof(sal_export_piece)), \
                 (const sal_export_piece[]){__VA_ARGS__})

#ifndef SAL_EXPORT_PIECES_C
#pragma GCC poison sal_text_add sal_text_append sal_text_join
#endif

#endif
