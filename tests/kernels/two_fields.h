/** @file tests/kernels/two_fields.h
 *  A test-only model on the line: y' = open above 0 and y' = closed below, both constant.  Where
 *  both lead to 0 the surface is not crossed but slid along, and the system is not event-selected.
 */
#ifndef TWO_FIELDS_H
#define TWO_FIELDS_H

#include "model.h"

/** Parameters open and closed; contact y > 0. */
extern const sal_model two_fields;

#endif
