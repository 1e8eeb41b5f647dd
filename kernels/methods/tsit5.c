/** Tsitouras 5(4), Comput. Math. Appl. 62 (2011) 770-775, with its free interpolant of order 4, which
 *  is continuously differentiable.  The coefficients are those of the paper carried to more digits.
 */
#include "rk.h"

SAL_RK_METHOD_OPS_DENSE(tsit5)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(tsit5)
const sal_method sal_tsit5 = {
    .name = "tsit5",
    .title = "explicit Runge-Kutta 5(4) of Tsitouras",
    .source = "doi:10.1016/j.camwa.2011.06.002",
    .order = 5,
    .min_order = 5,
    SAL_METHOD_OPS(tsit5),
};
#endif
