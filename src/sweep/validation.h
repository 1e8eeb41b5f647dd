/** @file src/sweep/validation.h
 *  What every step from a sweep file to a sweep sees.
 */
#ifndef SAL_VALIDATION_H
#define SAL_VALIDATION_H

#include "document.h"
#include "raw.h"
#include "sweep.h"

typedef struct {
  const sal_document *document;
  const sal_model *model;
  const sal_raw *raw;
  sal_sweep *sweep; /* filled step by step */
} sal_validation;

#endif
