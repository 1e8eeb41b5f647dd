/** A model whose flow has no steps of pairs compiled into it, so that the loop takes each by itself.
 */
#pragma once

#include "model.h"

/** Makes *copy of a model without them; good till the next call. */
void no_pairs_w1(const sal_model *model, sal_model *copy);
void no_pairs_w4(const sal_model *model, sal_model *copy);
void no_pairs_w8(const sal_model *model, sal_model *copy);
