/** @file src/study/model_drawn.h
 *  Checks at points drawn from a model's ranges (all called for model_verdicts.h).
 */
#ifndef SAL_MODEL_DRAWN_H
#define SAL_MODEL_DRAWN_H

#include "model_draw.h"

/** Is f finite / does the Jacobian agree with differences of f / do the rates of gaps with differences of gaps /
 *  does each jump leave its gap on its side / does each parameter matter to f or a gap? */
sal_err sal_model_drawn_slope(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jacobian(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_rates(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jumps(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_parameters(sal_model_inquiry *inquiry);

#endif
