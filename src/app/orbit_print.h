/** Orbits as text and as JSON. */
#pragma once

#include "orbit_search.h"
#include "report.h"

/** `matrices` adds the derivative of the map and the monodromy matrix to the text; JSON has them. */
void sal_orbit_print(sal_report *report, const sal_orbit_search *search, bool matrices);

/** Why there is none, as a sentence, with the options that may help. */
void sal_orbit_print_why(const sal_orbit_search *search, sal_text *text);
