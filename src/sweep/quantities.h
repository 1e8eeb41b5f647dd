/** Numbers with names, as a command line gives them: "sd=2,dt=0,iae=1", "m1=0.5kg,l0=30cm". */
#pragma once

#include "err.h"
#include "model.h"

/** Numbers from 0 on: value [names] keeps what it held where a name is not given.  `what` is the
 *  kind of name for messages; names end with NULL. */
sal_err sal_quantities_parse_plain(const char *where, const char *what, const char *const names[],
                                   const char *text, double value[]);

/** One quantity, "0.5kg", in base units. */
sal_err sal_quantities_read(const char *where, const sal_quantity *quantity, const char *text,
                            double *value);
