/** A W-method of two stages: order 2 whatever stands for J1, J2 and df/dt, with an embedded solution
 *  of order 1.  ROS2 of Verwer, Spee, Blom, Hundsdorfer, SIAM J. Sci. Comput. 20 (1999) 1456-1480,
 *  in the form for second-order systems of Sandu, Negrut, Haug, Potra, Sandu, section 4, with
 *  gamma = 1 + 1 / sqrt 2: L-stable with the exact Jacobian.
 */
#include "rosenbrock_nystrom.h"

#define GAMMA 1.7071067811865475244 /* gamma, and the inverse of it */
#define INVERSE 0.58578643762690495120
const sal_rosenbrock_nystrom sal_rosnysw2_table = {
    .stages = 2,
    .embedded = 1,
    .gamma = GAMMA,
    .a = {{0}, {INVERSE}},
    .c = {{0}, {-2 * INVERSE}},
    .delta = {{0}, {1 - 2 * GAMMA}},
    .theta = {{0}, {1}},
    .alpha = {0, 1},
    .gamma_sum = {GAMMA, -GAMMA},
    .m = {1.5 * INVERSE, 0.5 * INVERSE},
    .mu = {0.5 + 0.5 * INVERSE, 0.5},
    .e_m = {-0.5 * INVERSE, -0.5 * INVERSE},
    .e_mu = {0.5 - 0.5 * INVERSE, -0.5},
};

SAL_ROSENBROCK_NYSTROM(rosnysw2);

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(rosnysw2)
const sal_method sal_rosnysw2 = {
    .name = "rosnysw2",
    .title = "Rosenbrock-Nystrom W-method of order 2 for second-order systems",
    .source = "Sandu, Negrut, Haug, Potra, Sandu, A Rosenbrock-Nystrom State Space Implicit "
              "Approach for the Dynamic Analysis of Mechanical Systems, section 4",
    .order = 2,
    .min_order = 2,
    .embedded = 1,
    .implicit = true,
    .second_order = true,
    SAL_METHOD_OPS(rosnysw2),
};
#endif
