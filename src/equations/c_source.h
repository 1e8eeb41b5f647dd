/** The flow of a text as C: a file of the kernels' contract, to be compiled at any lane width. */
#pragma once

#include "program.h"
#include "text.h"

/** Adds C that defines the flow SAL_FN(sal_text), which works on the same phase as the programs that it is written from: one
 *  statement an operation, in their order, hence their bits.  It includes headers of the kernels and contacts.c, and so
 *  needs nothing else of the program.  out->lost where memory ran out. */
void sal_c_source_write(const sal_flow_programs *flow, sal_text *out);
