/** Programs as statements of a language, one an operation, in their order. */
#pragma once

#include "program.h"
#include "text.h"

/** How it is written. */
typedef struct {
  /* Text of each sal_program_op; the letters A, B, C and the words INDEX_A, INDEX_B stand for its operands and their numbers.  NULL: none. */
  const char *const *operation;
  const char *number[2];  /* before and after a number: "sal_set(", ")" */
  const char *nan, *inf;  /* not-a-number and infinity */
  const char *element[2]; /* around the number of an element: "[", "]" */
  int base;               /* number of the first one */
  const char *word,
      *discrete; /* arrays: words of the run; discrete states of a flow, which stand in y in a jump */
  const char *statement, *end; /* before "v7 = .." and after it */
  const char *joined; /* in place of an end and a beginning, for more on a line; NULL: none */
  int inlined; /* a value that is used once is written where it is used, up to so many letters */
} sal_source_language;

/** The state of writing.  Zeros but for `in`, `flow` and `out`, which are borrowed. */
typedef struct {
  const sal_source_language *in;
  const sal_flow_programs *flow;
  const sal_program *program;
  bool jump;                         /* y holds the discrete states, too */
  int value[SAL_PROGRAM_REGISTERS];  /* number of the value that a register holds now */
  char *text[SAL_PROGRAM_REGISTERS]; /* its expression where it is inlined, else NULL */
  int n_value;                       /* values so far */
  size_t line;                       /* letters of the last statement's line; 0: none before */
  sal_text *out;
} sal_program_source;

/** From here on it is about this program; NULL: frees what is left of the one before. */
void sal_program_source_begin(sal_program_source *writing, const sal_program *program, bool jump);
/** Its statements; its results are in the registers after it. */
void sal_program_source_code(sal_program_source *writing);
/** An element of an array, the first one being 0. */
void sal_program_source_element(const sal_program_source *writing, const char *array, int i);
/** Writes the value of a register. */
void sal_program_source_register(const sal_program_source *writing, int reg);
/** A number: the shortest text that is read as this very one. */
void sal_program_source_number(const sal_program_source *writing, double x);
