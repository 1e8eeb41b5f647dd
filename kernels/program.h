/** @file kernels/program.h
 *  A flow as data: programs of operations over a file of registers, which program_flow.c runs in all
 *  lanes.  src/equations makes them of a text.
 *
 *  Registers, in this order: the words of the run (parameters, options, constants: sal_model_fill), the
 *  continuous states, the discrete ones, t, and the slope dy (of `guard` alone); then the constants of
 *  the program, and the values that it computes.  A mask is a register whose bits are all set or all clear.
 */
#ifndef SAL_PROGRAM_H
#define SAL_PROGRAM_H

#include "model.h"
#include <stdint.h>

#define SAL_PROGRAM_OP(name, operands, ...) SAL_PROGRAM_##name,
typedef enum {
  SAL_PROGRAM_end, /* the program's */
#include "program_ops.def"
  SAL_N_PROGRAM_OP
} sal_program_op;
#undef SAL_PROGRAM_OP

/** Most registers of a program. */
enum { SAL_PROGRAM_REGISTERS = 2048 };

/** Register `to` becomes the operation on registers a, b, c; the last one is SAL_PROGRAM_end.  Of `held` a, and of
 *  `closed` b, is the number of a contact. */
typedef struct {
  uint16_t op, to, a, b, c;
} sal_instruction;

/** All of it is the maker's, and lives as long as the model. */
typedef struct {
  int n_register;
  int n_word; /* words of the run that are read, by number */
  const uint16_t *word;
  int first_constant, n_constant; /* registers that hold constant[] */
  const double *constant;
  const sal_instruction *code;
  int n_out;
  const uint16_t *out; /* registers of the results, in an order that both sides know */
} sal_program;

/** What a change of one contact does.  Results: new values of the states value[], continuous before discrete, and
 *  then masks: where the contacts mode[] are closed after it.  All of them are made of what was before. */
typedef struct {
  int n_value, n_mode;
  const uint16_t *value, *mode;
  sal_program program;
} sal_jump_program;

/** What sal_model.inner points to. */
typedef struct {
  int n_words; /* of the run, in all */
  int n_continuous, n_discrete, n_guard;
  sal_program rhs;              /* dy [n_continuous] */
  sal_program jac;              /* J [n_continuous][n_continuous] */
  sal_program guard;            /* gap [n_guard], rate [n_guard] */
  const sal_jump_program *jump; /* [n_guard] */
} sal_flow_programs;

/** The flows of all models whose `inner` are such programs: with jac, guard and jump. */
extern const struct sal_flow_w1 sal_program_flow_w1;
extern const struct sal_flow_w4 sal_program_flow_w4;
extern const struct sal_flow_w8 sal_program_flow_w8;

/** Runs a program at width 1: words [n_words], y [n_continuous + n_discrete]; out [n_out]; contacts: see sal_phase. */
void sal_program_run(const sal_flow_programs *of, const sal_program *program, const double words[],
                     double t, const double y[], const bool closed[], double out[]);

#endif
