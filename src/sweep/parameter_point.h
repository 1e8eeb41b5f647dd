/** @file src/sweep/parameter_point.h
 *  A point of the parameter space of a sweep, as a user gives it: one value for each quantity,
 *  value [n_param + n_option + n_state], in the order in which sal_axis counts columns.
 */
#ifndef SAL_PARAMETER_POINT_H
#define SAL_PARAMETER_POINT_H

#include "parameter_column.h"
#include "sweep.h"

/** "b=1951,m1=1.88": everything that the axes vary must be there; what they do not vary is as in
 *  the sweep, and may only be given as that. */
SAL_MUST_CHECK sal_err sal_parameter_point_parse(const char *where, const sal_sweep *sweep,
                                                 const char *text, double value[]);
/** The same from parameters, param [n_param + n_option]. */
SAL_MUST_CHECK sal_err sal_parameter_point_set(const char *where, const sal_sweep *sweep,
                                               const double param[], double value[]);

#endif
