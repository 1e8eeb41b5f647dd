/** Values given on a command line: the checks of a sweep file for single words and numbers.
 *
 *  `where` heads the messages ("--param"); failures are SAL_ERR_USAGE.
 */
#pragma once

#include "err.h"
#include "strategy.h"

enum { SAL_MAX_ITEM = 128 };
/** Cuts "name=value" off a list with commas between the items; *text is NULL after the last. */
sal_err sal_argument_item(const char *where, const char **text, char name[SAL_MAX_ITEM],
                          char value[SAL_MAX_ITEM]);

/** May a field have that value? */
sal_err sal_argument_number(const char *where, const sal_field *field, double value);
/** The number of a field, with or without a unit of its kind, or the number of an option's word; checked. */
sal_err sal_argument_field(const char *where, const sal_field *field, const char *text,
                           double *value);
/** The same of the parameter, option or initial state in a column (parameter_column.h). */
sal_err sal_argument_column(const char *where, const sal_model *model, int column, const char *text,
                            double *value);

/** "b=1951,m1=1.88" onto presets param [n_param + n_option]; options by their words. */
sal_err sal_argument_param(const char *where, const sal_model *model, const char *text,
                           double param[]);
/** The same values alone; whether they can be run together is not checked. */
sal_err sal_argument_values(const char *where, const sal_model *model, const char *text,
                            double param[]);
/** "x=1,z=0.1" as a direction in state space, direction [n_state], with 0 where nothing is given;
 *  any numbers but all 0. */
sal_err sal_argument_direction(const char *where, const sal_model *model, const char *text,
                               double direction[]);

/** By name, or a message with all names and the nearest one. */
sal_err sal_argument_model(const char *where, const char *name, const sal_model **out);
sal_err sal_argument_method(const char *where, const char *name, const sal_method **out);
/** Fails on a method that owns its loop (engine.h), where the loop is ours to set. */
sal_err sal_argument_own_method(const char *where, const sal_method *method);
sal_err sal_argument_strategy(const char *where, const char *name, const sal_strategy **out);
/** A tolerance: 1e-14 <= value <= 0.1. */
sal_err sal_argument_tolerance(const char *where, double value);
