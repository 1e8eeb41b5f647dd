/** Dormand & Prince 5(4), J. Comput. Appl. Math. 6 (1980) 19-26, with the continuously
 *  differentiable dense output of order 4 that Shampine & Reichelt (1997) use.
 */
#include "rk.h"

SAL_RK_METHOD_OPS_DENSE(ode45)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode45)
const sal_method sal_ode45 = {
    .name = "ode45",
    .title = "explicit Runge-Kutta 5(4) of Dormand and Prince",
    .source = "doi:10.1016/0771-050X(80)90013-3; doi:10.1137/S1064827594276424",
    .order = 5,
    .min_order = 5,
    SAL_METHOD_OPS(ode45),
};
#endif
