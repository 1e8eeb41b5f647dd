/** @file src/equations/python_source.h
 *  The flow of a text as Python: functions f, gaps and jump that SciPy's solvers can be given.
 */
#ifndef SAL_PYTHON_SOURCE_H
#define SAL_PYTHON_SOURCE_H

#include "program.h"
#include "text.h"

/** NULL, or what of the programs cannot be written in Python: static storage. */
const char *sal_python_source_lacks(const sal_flow_programs *flow);

/** Adds
 *    f(t, y, q, mode)          dy [n_continuous]; q: discrete states; mode [n_guard]: which contacts are closed, None: as
 *                              the gaps say
 *    gaps(t, y, q, mode)       [n_guard]
 *    jump(k, t, y, mode)       (y, mode) after contact k has changed to mode[k]; y: continuous and discrete states
 *  which read P, the words of the run (sal_model_fill), and numpy as np.  out->lost where memory ran out. */
void sal_python_source_write(const sal_flow_programs *flow, sal_text *out);

#endif
