/** The providers of this build: the table for sal_providers_set (src/sweep/providers.h), of program, library and tests.
 */
#pragma once

#include "provider.h"

/** Ended by NULL. */
extern const sal_provider *const sal_wings[];
