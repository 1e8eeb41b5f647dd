/** @file kernels/methods/ode23.c
 *  Bogacki & Shampine 3(2), Appl. Math. Lett. 2 (1989) 321-325; the dense output is the cubic
 *  Hermite polynomial of the two ends.
 */
#include "rk.h"

static const sal_rk_tableau bogacki_shampine = {
    .stages  = 4,
    .degree  = 3,
    .table.c = {0, 1.0 / 2, 3.0 / 4, 1},
    .table.a = {{0}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
    .e       = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8},
    .dense   = {{1, -4.0 / 3, 5.0 / 9}, {0, 1, -2.0 / 3}, {0, 4.0 / 3, -8.0 / 9}, {0, -1, 1}},
    .power   = 1.0 / 3,
    .shrink  = 0.5,
};

SAL_RK_METHOD_OPS(ode23, &bogacki_shampine)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23)
const sal_method sal_ode23 = {
    .name      = "ode23",
    .title     = "explicit Runge-Kutta 3(2) of Bogacki and Shampine",
    .source    = "doi:10.1016/0893-9659(89)90079-7; doi:10.1137/S1064827594276424",
    .order     = 3,
    .min_order = 3,
    SAL_METHOD_OPS(ode23),
};
#endif
