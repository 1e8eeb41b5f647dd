/** @file src/driver/recommend_run.h
 *  The answer put to the test: it, its runner-up and the reference are run at the point.
 */
#ifndef SAL_RECOMMEND_RUN_H
#define SAL_RECOMMEND_RUN_H

#include "recommend_point.h"

/** Fills advice->run. */
SAL_MUST_CHECK sal_err sal_recommend_run_at(sal_recommend_point *advice);

#endif
