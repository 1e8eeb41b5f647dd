/** @file src/wings/wings.h
 *  The providers of this build: the table for sal_providers_set (src/sweep/providers.h), of program, library and tests.
 */
#ifndef SAL_WINGS_H
#define SAL_WINGS_H

#include "provider.h"

/** Ended by NULL. */
extern const sal_provider *const sal_wings[];

#endif
