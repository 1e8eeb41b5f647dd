/** Stops of a model (sal_model.next_stop) in the trajectory loop (lane half): steps end there, the model takes its
 *  next form, and the method begins anew.
 */
#pragma once

#include "batch.h"

/** Finds those of `lanes` that have come to a stop, in which the model takes its next form and timed contacts fire; `changed`: lanes whose mode has changed there already.  Returns them: they begin anew. */
sal_m SAL_FN(sal_times_pass)(sal_batch *b, sal_m lanes, sal_m changed);

#define sal_times_pass SAL_FN(sal_times_pass)
