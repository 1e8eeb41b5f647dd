/** @file src/sweep/physical.h
 *  From the quantities of a real system to the dimensionless parameters of its model.
 */
#ifndef SAL_PHYSICAL_H
#define SAL_PHYSICAL_H

#include "err.h"
#include "model.h"

/** Reads "NAME=NUMBER UNIT,..", with the names, units and presets of model->physical, and converts:
 *  param [n_param] keeps the values that do not follow from them, and all are checked against their
 *  ranges.  Refuses a model that has no physical quantities, and says which ones have. */
SAL_MUST_CHECK sal_err sal_physical_parse(const char *where, const sal_model *model,
                                          const char *text, double param[], sal_scales *scales);

#endif
