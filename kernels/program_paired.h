/** The code of a program for the interpreter: operations, pairs of them, and both with an operand that is the value of the instruction
 *  before.
 */
#pragma once

#include "program.h"

#define SAL_PROGRAM_OP(name, ...) SAL_PROGRAM_##name,
enum {
  SAL_PROGRAM_before_pairs = SAL_N_PROGRAM_OP - 1,
#include "program_pairs.def"
  SAL_N_PROGRAM_PAIRED
};
#undef SAL_PROGRAM_OP

/** The operation or pair `op` of which operand k (0, 1, 2: a, b, c) is the value of the instruction before; there is one of those
 *  that cost no more than to read it. */
#define SAL_PROGRAM_FOLLOWS(op, k) (SAL_N_PROGRAM_PAIRED * ((k) + 1) + (op))
#define SAL_PROGRAM_CAN_FOLLOW(op)                                                                 \
  ((int)(op) <= SAL_PROGRAM_closed || (int)(op) >= SAL_N_PROGRAM_OP)
