/** @file src/sweep/physical.c
 *  The monopod's pi theorem: Dallas, Machairas, Papadopoulos, (10)-(13) and (20)-(23).
 *
 *  The ground pushes with k_g |y|^1.5 - b_g y' |y|^1.5, eq. (1), hence the units of k_g and b_g.
 */
#include "physical.h"
#include "quantities.h"
#include "value.h"
#include <math.h>
#include <string.h>

#define FOUR_PI2 39.478417604357434475
#define TWO_PI   6.2831853071795864769

enum { M1, M2, K, L0, KG, BG, G, N_QUANTITY };

static const sal_quantity quantities[N_QUANTITY] = {
    [M1] = {"m1", "mass of the toe", {{"kg", 1}, {"g", 1e-3}}, NAN},
    [M2] = {"m2", "mass of the body", {{"kg", 1}, {"g", 1e-3}}, NAN},
    [K]  = {"k", "stiffness of the leg", {{"N/m", 1}, {"kN/m", 1e3}, {"N/mm", 1e3}}, NAN},
    [L0] = {"l0", "free length of the leg", {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}}, NAN},
    [KG] = {"kg", "stiffness of the ground", {{"N/m^1.5", 1}, {"kN/m^1.5", 1e3}}, NAN},
    [BG] = {"bg", "damping of the ground", {{"N*s/m^2.5", 1}, {"Ns/m^2.5", 1}}, NAN},
    [G]  = {"g", "acceleration of gravity", {{"m/s^2", 1}}, 9.81},
};

sal_err sal_physical_parse(const char *where, const sal_model *model, const char *text,
                           double param[], sal_scales *scales)
{
  double q[N_QUANTITY];

  if (strcmp(model->name, "monopod") != 0)
    return sal_fail(SAL_ERR_USAGE, "%s: model %s has no physical quantities; allowed: monopod",
                    where, model->name);
  SAL_TRY(sal_quantities_parse(where, N_QUANTITY, quantities, text, q));
  const double share = q[M1] / (q[M1] + q[M2]), reduced = share * q[M2];
  const double s = TWO_PI * sqrt(reduced / q[K]); /* (13) */

  *scales  = (sal_scales){.second = s, .metre = q[L0]};
  param[0] = s * q[BG] * q[L0] * sqrt(q[L0]) / q[M1];    /* (20) */
  param[1] = FOUR_PI2 * share;                           /* (21) */
  param[2] = q[KG] * sqrt(q[L0]) / q[K];                 /* (22) */
  param[3] = FOUR_PI2 * reduced * q[G] / (q[K] * q[L0]); /* (23) */
  for (int i = 0; i < model->n_param; ++i)
    SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, model->param[i].name, param[i],
                            model->param[i].least, model->param[i].most));
  return SAL_OK;
}
