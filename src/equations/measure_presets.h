/** Measures that go by a name alone, of any model: "peak" for the largest value of each position. */
#pragma once

#include "err.h"
#include "provider.h"

/** Passes the measures for which the name given stands to `take`, one after the other.  has_kinetic: expressions may have the word
 *  kinetic.  Fails where the name is none of these, or the model has no part that it is of. */
sal_err sal_measure_presets(const sal_measured_text *given, const sal_model *model,
                            bool has_kinetic,
                            sal_err (*take)(void *with, const sal_measured_text *measure),
                            void *with);
