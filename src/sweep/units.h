/** Units of what a model's runs are measured by.
 *
 *  metrics.def names units that a model gives: its unit of time, that of the state whose error is
 *  scored.  Products are written as UDUNITS reads them, "m s" and "1/s"; what has none has the unit "1".
 */
#pragma once

#include "err.h"
#include "metric.h"
#include "model.h"

enum { SAL_UNITS_TEXT = 64 };

/** The unit of time of a model, "s" or "1". */
const char *sal_units_of_time(const sal_model *model);
/** That of the state whose error is scored. */
const char *sal_units_watched(const sal_model *model);

/** The unit of a metric of that model's runs, in `text` or of static storage; NULL: its values have
 *  several, or are words. */
const char *sal_units_of_metric(const sal_metric *metric, const sal_model *model,
                                char text[SAL_UNITS_TEXT]);

/** Has "1mm" a unit after its number? */
bool sal_units_given(const char *text);

/** Reads "1e-3", "1mm", "1 mm" or "6 kN/m" into *value, in `unit`; a number alone is in that unit.  NULL: it is not known
 *  yet; the number is read, and its unit is not looked at.  `where` heads messages, `what` names what the
 *  number is of: "an error of zU". */
sal_err sal_units_read(const char *where, const char *what, const char *text, const char *unit,
                       double *value);
