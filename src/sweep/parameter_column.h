/** @file src/sweep/parameter_column.h
 *  The quantities of a model as columns: parameters, then options, then initial states, counted as
 *  in sal_axis.
 */
#ifndef SAL_PARAMETER_COLUMN_H
#define SAL_PARAMETER_COLUMN_H

#include "sweep.h"

/** The name of a column: a parameter, an option, or a state. */
const char *sal_parameter_column_name(const sal_model *model, int column);
/** Is this column varied by an axis of the sweep? */
bool sal_parameter_column_varies(const sal_sweep *sweep, int column);
/** Is it an option, whose values are the numbers of its words? */
bool sal_parameter_column_is_option(const sal_model *model, int column);
/** Is it one with nothing between two of its values: an option, or a discrete state? */
bool sal_parameter_column_is_discrete(const sal_model *model, int column);
/** Number of columns. */
int sal_parameter_column_count(const sal_model *model);

/** Presets of the model: param [n_param + n_option], initial [n_state]. */
void sal_parameter_presets(const sal_model *model, double param[], double initial[]);

#endif
