/** A language that programs are written in, as pieces of text; one table for each.
 *
 *  Of pieces in a list each stands between two things that are put in, in their order.
 */
#pragma once

#include "method.h"
#include "program_source.h"

/* All that a program is made of: pieces of its language, numbers, and words of a model's or a solver's text.
 *
 * The author of a text is not the one who runs the program, so no function here takes a string: a piece is made of a literal, a word is
 * made by sal_pieces_clean, and the functions of text.h that take any string cannot be called below this header. */

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

/* ---- dialect ---- */

/** A named constant: before its name, before its items, between two, after them; and what stands for no item. */
typedef struct {
  sal_export_piece name, open, between, close, none;
} sal_export_list;

typedef struct {
  const char *program;    /* "scipy" */
  sal_export_piece title; /* "SciPy" */
  sal_source_language source;
  sal_export_piece head[2]; /* around "NAME for TITLE" */
  sal_export_piece comment;
  sal_export_list numbers, words;
  sal_export_piece named[3]; /* name, value */

  /* Energies whose rigid contacts are one problem: beginning of the function of mass, load and contacts, in place of all below but
   * `slope`; what goes on a list on the next line; name of a file in loops. */
  sal_export_piece terms, next_line;
  const char *mechanics;
  sal_export_piece f, gaps;  /* beginnings of functions of t, y, q, mode */
  sal_export_list slope;     /* their ends: results */
  sal_export_piece jump[3];  /* number, element of mode */
  sal_export_piece fresh[3]; /* number, what register */
  sal_export_piece mode[2];  /* around a mask */
  sal_export_piece end_of_jump;
  sal_export_list jumps; /* of all functions, and what calls one of them */

  const char *loop;  /* name of a file in loops; NULL: energies alone */
  const char *steps; /* and of what follows both; NULL: nothing */
  /* Name of the solver in the language, or NULL; more: numbers that it needs. */
  const char *(*solver)(const sal_method *method);
  void (*add_solver)(const sal_program_source *writing, const sal_method *method);
} sal_export_dialect;

extern const sal_export_dialect sal_export_scipy, sal_export_octave, sal_export_c, sal_export_julia,
    sal_export_siconos;

/** The text of each dialect for an operation (operations.def). */
extern const char *const sal_dialect_c_operation[SAL_N_PROGRAM_OP],
    *const sal_dialect_scipy_operation[SAL_N_PROGRAM_OP],
        *const sal_dialect_octave_operation[SAL_N_PROGRAM_OP],
            *const sal_dialect_julia_operation[SAL_N_PROGRAM_OP];

/** The call of a method in another program, as src/sweep/solver_home.h has it; NULL: the program lacks the method. */
const char *sal_dialect_call(const char *program, const sal_method *method);
/** The beginning of a list, and its end after n items, which the caller writes. */
void sal_dialect_list_begin(const sal_export_list *list, sal_text *out, sal_export_piece name);
void sal_dialect_list_end(const sal_export_list *list, sal_text *out, int n);
/** "NAME = [1, 2]" in the words of the dialect of a list. */
void sal_dialect_numbers(const sal_export_list *list, const sal_program_source *writing,
                         sal_export_piece name, int n, const double value[]);

/** Files of loops, then one without a name. */
typedef struct {
  const char *name, *text;
  unsigned long bytes;
} sal_export_loop;
extern const sal_export_loop sal_export_loops[];
