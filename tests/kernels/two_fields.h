/** A test-only model on the line: y' = open above 0 and y' = closed below, both constant.  Where
 *  both lead to 0 the surface is not crossed but slid along, and the system is not event-selected.
 */
#pragma once

#include "model.h"

/** Parameters open and closed; contact y > 0. */
extern const sal_model two_fields;
