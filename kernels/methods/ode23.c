/** Bogacki & Shampine 3(2), Appl. Math. Lett. 2 (1989) 321-325; the dense output is the cubic
 *  Hermite polynomial of the two ends.
 */
#include "rk.h"

SAL_RK_METHOD_OPS_DENSE(ode23)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23)
const sal_method sal_ode23 = {
    .name = "ode23",
    .title = "explicit Runge-Kutta 3(2) of Bogacki and Shampine",
    .source = "doi:10.1016/0893-9659(89)90079-7; doi:10.1137/S1064827594276424",
    .order = 3,
    .min_order = 3,
    SAL_METHOD_OPS(ode23),
};
#endif
