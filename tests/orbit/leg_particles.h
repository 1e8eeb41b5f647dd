/** A test-only hopping leg in redundant coordinates: the heights of four particles of which two and
 *  two are tied together, in the index-1 form of Zana, Bodor, Bencsik & Zelei (2018), eq. (18),
 *
 *      [H G^T; G 0] [q''; lam] = [-C; 0],  H = diag(mU muU, mU (1 - muU), mL muL, mL (1 - muL)),
 *      C = (0, F, -F, 0) + g H 1,  F = k (z2 - z3 - L0) + d (z2' - z3'),
 *
 *  with the rows z1 - z2 and z3 - z4 of G in flight, where d = dF, and z4 besides in stance, where
 *  d = dG.  The foot lands where z4 falls to 0, by q'+ = P_a q' (26), P_a = 1 - H^-1 G^T (G H^-1
 *  G^T)^-1 G, or by the reset (12), which stops z3 and z4 alone; it is released where the multiplier
 *  of z4 rises through 0.
 *
 *  Nothing corrects positions or velocities that miss the constraints.
 */
#pragma once

#include "model.h"

enum { LEG_M, LEG_MU, LEG_K, LEG_DF, LEG_DG, LEG_G, LEG_L0, LEG_MU_U, LEG_MU_L, LEG_RESET };
enum { LEG_PROJECTS, LEG_STOPS }; /* option reset */

extern const sal_model leg_particles;
