/** Rules by which methods, strategies and models go together, and zones with starts. */
#pragma once

#include "setup.h"

enum { SAL_COMPATIBILITY_TEXT = 200 };

/** NULL when model, method and strategy of the setup go together, with its Jacobian and the measure
 *  of its zone, else a sentence with the reason, written into text. */
const char *sal_compatibility_flaw(const sal_setup *setup, char text[SAL_COMPATIBILITY_TEXT]);

/** The same for a zone: one in units of the gap must leave some open contact outside at the start
 *  (be narrower than the drop height), one in time must be shorter than the run. */
const char *sal_compatibility_zone_flaw(const sal_model *model, const double param[],
                                        const double initial[], double zone, bool in_time,
                                        double t_end, char text[SAL_COMPATIBILITY_TEXT]);
