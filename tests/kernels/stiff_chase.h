/** A test-only model that is stiff and depends on time: two states chase cos t, one slowly and one
 *  fast (Prothero & Robinson, Math. Comp. 28 (1974) 145-162).
 */
#pragma once

#include "model.h"

/** y_i' = -r_i (y_i - cos t) - sin t with parameters r_0, r_1; y_i = cos t from y_i = 1. */
extern const sal_model stiff_chase;
