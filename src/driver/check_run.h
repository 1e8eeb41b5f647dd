/** Two runs at a point, and their difference. */
#pragma once

#include "ask.h"

#define SAL_CHECK_TIGHTEST 1e-14

/** The same solver at a tenth of its tolerance, at SAL_CHECK_TIGHTEST at least. */
sal_surrogate_choice sal_check_tenth(sal_surrogate_choice choice);

/** Runs both.  most: work of the run of `tried`; 0: that of any run.  sure: in place of `beside` a run that is trusted, where there is
 *  one, by the surrogate of the advice. */
sal_err sal_check_both(const sal_advice *advice, const sal_surrogate_choice *tried,
                       const sal_surrogate_choice *beside, double most, bool sure,
                       sal_check *check);
