/** @file src/sweep/physical.h
 *  From the quantities of a real system to what its model is run with.
 */
#ifndef SAL_PHYSICAL_H
#define SAL_PHYSICAL_H

#include "err.h"
#include "measure.h"
#include "model.h"

/** Can anything physical be given for it? */
bool sal_physical_takes(const sal_model *model);

/** Reads "NAME=NUMBER UNIT,..": the quantities of a model without units (model->physical), or the parameters of a model in
 *  SI units; initial states; ground=NAME with radius, and speed or rebound, for what a ground gives (terrain.h).
 *
 *  value [columns] (parameter_column.h) holds what is not given, in the model's own units; NaN: it must be.  A model
 *  without units gets it in those of the run and *measure its scales; one in SI units in SI units, scales are the
 *  caller's to choose.  All is checked against its range. */
SAL_MUST_CHECK sal_err sal_physical_read(const char *where, const sal_model *model,
                                         const char *text, double value[], sal_measure *measure);

/** For a run: param [n_param + n_option] and initial [n_state] hold what is not given, in the model's own units, and receive
 *  all in those of the run, natural units of a model in SI units. */
SAL_MUST_CHECK sal_err sal_physical_parse(const char *where, const sal_model *model,
                                          const char *text, double param[], double initial[],
                                          sal_measure *measure);

/** value [columns] of a model in SI units, in the units of *measure, whose scales make what is wanted (natural.h). */
void sal_physical_scale(const double wanted[], double value[], sal_measure *measure);

#endif
