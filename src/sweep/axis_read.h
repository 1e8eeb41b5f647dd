/** @file src/sweep/axis_read.h
 *  One axis as the sweep file has it.
 */
#ifndef SAL_AXIS_READ_H
#define SAL_AXIS_READ_H

#include "validate.h"

/** Where an axis stands, and what to call it. */
typedef struct {
  const sal_validation *context;
  int node;          /* the mapping */
  const char *label; /* "entry 2 of cells.axes", "cells" */
} sal_axis_entry;

/** Reads and checks an axis, but does not make the values of one that has a formula.  On failure
 *  the caller frees axis->value. */
SAL_MUST_CHECK sal_err sal_axis_read(const sal_axis_entry *entry, sal_axis *axis);

/** Reads `rows` for `columns`, which may be options here: an axis of kind rows.  On failure as above. */
SAL_MUST_CHECK sal_err sal_axis_read_rows(const sal_axis_entry *entry, sal_axis *axis);

/** Makes those values, and refuses points that are the same. */
SAL_MUST_CHECK sal_err sal_axis_read_fill(const sal_axis_entry *entry, sal_axis *axis);

#endif
