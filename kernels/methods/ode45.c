/** @file kernels/methods/ode45.c
 *  Dormand & Prince 5(4), J. Comput. Appl. Math. 6 (1980) 19-26, with the continuously
 *  differentiable dense output of order 4 that Shampine & Reichelt (1997) use.
 */
#include "rk.h"

static const sal_rk_tableau dormand_prince = {
    .stages  = 7,
    .degree  = 4,
    .table.c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .table.a = {{0},
                {1.0 / 5},
                {3.0 / 40, 9.0 / 40},
                {44.0 / 45, -56.0 / 15, 32.0 / 9},
                {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
    .e = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    .dense  = {{1, -183.0 / 64, 37.0 / 12, -145.0 / 128},
               {0},
               {0, 1500.0 / 371, -1000.0 / 159, 1000.0 / 371},
               {0, -125.0 / 32, 125.0 / 12, -375.0 / 64},
               {0, 9477.0 / 3392, -729.0 / 106, 25515.0 / 6784},
               {0, -11.0 / 7, 11.0 / 3, -55.0 / 28},
               {0, 3.0 / 2, -4, 5.0 / 2}},
    .power  = 1.0 / 5,
    .shrink = 0.1,
};

SAL_RK_METHOD_OPS(ode45, &dormand_prince)

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode45)
const sal_method sal_ode45 = {
    .name      = "ode45",
    .title     = "explicit Runge-Kutta 5(4) of Dormand and Prince",
    .source    = "doi:10.1016/0771-050X(80)90013-3; doi:10.1137/S1064827594276424",
    .order     = 5,
    .min_order = 5,
    SAL_METHOD_OPS(ode45),
};
#endif
