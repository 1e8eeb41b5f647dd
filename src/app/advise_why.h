/** @file src/app/advise_why.h
 *  Why an answer is what it is: stiffness, events, and what the other solvers take.
 */
#ifndef SAL_ADVISE_WHY_H
#define SAL_ADVISE_WHY_H

#include "ask.h"
#include "report.h"

/** Prints it, and the member `why`: from a run of the model's reference solver at the point of the setup, and from the
 *  answers of the others there. */
SAL_MUST_CHECK sal_err sal_advise_why_print(sal_report *report, const sal_advice *advice,
                                            const sal_setup *like, const double param[],
                                            const double initial[]);

#endif
