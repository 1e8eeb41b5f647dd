/** @file kernels/library_reason.h
 *  Why another library gave a trajectory up, by number as in the cube.
 */
#ifndef SAL_LIBRARY_REASON_H
#define SAL_LIBRARY_REASON_H

#define SAL_LIBRARY_REASON(id, label, what) SAL_LIBRARY_##id,
typedef enum {
#include "library_reasons.def"
  SAL_N_LIBRARY_REASON
} sal_library_reason;
#undef SAL_LIBRARY_REASON

#endif
