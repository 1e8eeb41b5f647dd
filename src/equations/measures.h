/** Measures of runs (kernels/measured.h) from their texts: "max(x) from 2 in mm", of a model of equations or of any other.
 *
 *      FUNCTION(ARGUMENTS) [from TIME] [in UNIT]
 */
#pragma once

#include "err.h"
#include "provider.h"

/** The measures that the text of equations has itself, under its key `measure`, then those given.  text NULL: the model is
 *  of another kind, whose parameters, options and states are the names.  *out is NULL where there are none;
 *  sal_measures_free frees it. */
sal_err sal_measures_make(const sal_measured_text given[], int n, const sal_model *model,
                          const char *text, const double count[], const sal_measured_list **out);
void sal_measures_free(const sal_measured_list *list);
