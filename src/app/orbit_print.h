/** @file src/app/orbit_print.h
 *  Orbits as text and JSON.
 */
#ifndef SAL_ORBIT_PRINT_H
#define SAL_ORBIT_PRINT_H

#include "orbit_search.h"

/** Prints it to standard output; `matrices` adds the derivative of the map and the monodromy matrix. */
void sal_orbit_print(const sal_orbit_search *search, bool matrices);
/** The same as one line of JSON. */
void sal_orbit_print_json(const sal_orbit_search *search);

/** What the multipliers say, in words. */
const char *sal_orbit_print_verdict(const sal_cycle *cycle);

#endif
