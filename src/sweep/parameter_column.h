/** Points in the quantities of a model.  These as columns: parameters, then options, then initial states, counted as
 *  in sal_axis.
 */
#pragma once

#include "sweep.h"
#include "text.h"

/** The name of a column: a parameter, an option, or a state. */
const char *sal_parameter_column_name(const sal_model *model, int column);
/** The descriptor of a parameter or a state; NULL: the column is an option. */
const sal_field *sal_parameter_column_field(const sal_model *model, int column);
/** Is this column varied by an axis of the sweep? */
bool sal_parameter_column_varies(const sal_sweep *sweep, int column);
/** Is it an option, whose values are the numbers of its words? */
bool sal_parameter_column_is_option(const sal_model *model, int column);
/** Is it one with nothing between two of its values: an option, or a discrete state? */
bool sal_parameter_column_is_discrete(const sal_model *model, int column);
/** A value of a column: an option by its word, another quantity with so many digits, written to `number`. */
const char *sal_parameter_column_text(const sal_model *model, int column, double value, int digits,
                                      char number[SAL_TEXT_NUMBER]);
/** Number of columns. */
int sal_parameter_column_count(const sal_model *model);

/** Presets of the model: param [n_param + n_option], initial [n_state]. */
void sal_parameter_presets(const sal_model *model, double param[], double initial[]);

/** Sets the initial states that follow from the others, which must be as preset and then come to be allowed values. */
sal_err sal_parameter_begin(const char *where, const sal_model *model, const double param[],
                            double initial[]);

/* A point of the parameter space of a sweep, as a user gives it: one value for each quantity,
 * value [n_param + n_option + n_state], in the order in which sal_axis counts columns. */

/** "b=1951,m1=1.88": everything that the axes vary must be there; what they do not vary is as in
 *  the sweep, and may only be given as that. */
sal_err sal_parameter_point_parse(const char *where, const sal_sweep *sweep, const char *text,
                                  double value[]);
/** The same with ranges, "b=1500..2500,k=22.8": lo, hi [n_param + n_option + n_state], equal where there is one value.
 *  A quantity that varies, is neither an option nor a whole number, and is left out has lo and hi NaN: its whole range.  *box: is it more than
 *  a point? */
sal_err sal_parameter_box_parse(const char *where, const sal_sweep *sweep, const char *text,
                                double lo[], double hi[], bool *box);
/** The same from numbers, given [n_param + n_option + n_state]; NaN: not given, as in the sweep where it varies nowhere. */
sal_err sal_parameter_point_set(const char *where, const sal_sweep *sweep, const double given[],
                                double value[]);
/** The values that are fixed in the sweep, and NaN where it varies. */
void sal_parameter_point_fixed(const sal_sweep *sweep, double value[]);

/** Adds the name of axis a in a cube: that of its column, initial_STATE for a state, or the names of its columns with _ between
 *  them. */
void sal_parameter_axis_name(const sal_sweep *sweep, int a, sal_text *name);
