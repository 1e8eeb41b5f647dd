/** @file src/base/stack.h
 *  Room on the stacks of threads.
 */
#ifndef SAL_STACK_H
#define SAL_STACK_H

#include "err.h"
#include <stddef.h>

/** Bytes that the stack of the first thread may have (ulimit -s). */
size_t sal_stack_limit(void);

/** Fails where a stack with so many bytes left has too little room for a run, or where threads > 1 and those that OpenMP
 *  starts would have too small ones. */
SAL_MUST_CHECK sal_err sal_stack_check(size_t left, int threads);

#endif
