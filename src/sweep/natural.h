/** @file src/sweep/natural.h
 *  Natural units of a model in SI units: similarity.
 *
 *  Equations whose terms agree in their units keep their form in any units of mass, length and time.  So units can be
 *  chosen in which up to three quantities have the values one wants: 1, or those that a cube has everywhere.
 */
#ifndef SAL_NATURAL_H
#define SAL_NATURAL_H

#include "err.h"
#include "model.h"

/** Are all its quantities in units of metres, kilograms and seconds? */
bool sal_natural_has(const sal_model *model);

/** Values of the columns in the model's natural units: wanted [columns] (parameter_column.h), 1 or NaN. */
void sal_natural_wanted(const sal_model *model, double wanted[]);

/** The units in which value [columns], in SI units, becomes wanted where that is not NaN, nearest to SI units where that
 *  leaves a choice.  A value that conflicts with values before it is left out. */
void sal_natural_scales(const sal_model *model, const double value[], const double wanted[],
                        sal_scales *scales);

/** The unit of a column; "1" of an option. */
const char *sal_natural_unit(const sal_model *model, int column);

#endif
