/** The state-space form by recursion along the tree of the joints: the same v'' = f(v, v') and Jacobians
 *  as of reduced.h, from relative speeds.
 *
 *  Each body has a velocity (r', w) and an acceleration in the directions of the ground.  With B the
 *  changes of all poses for changes of v,
 *
 *      B^T M B v'' = B^T (F - M c),   c = B' v',
 *
 *  where B follows from body to body along the tree and, in each block of the plan, from as many linear
 *  equations as the block has relative speeds.  Poses follow likewise, by Newton's method.  For J1 and J2
 *  the same is done for the changes D of velocities and L of accelerations at fixed v' and v''; what
 *  the joints transmit is known by then, and keeps its components in the bodies that it acts along:
 *
 *      B^T M B [J1 J2] = -B^T [dZ(B, D, L)  dZ(0, B, 2 D + w x B)],   Z = M a + w x J w - F - joints.
 *
 *  The solver is built twice, for registers of two numbers and of four, with the same bits.
 *
 *  Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 3, 6, 8; dZ at fixed multipliers after
 *  (31), (35) of CSTR-01-06.
 */
#pragma once

#include "chain_plan.h"
#include "force.h"
#include <stddef.h>

/** Four columns of one number. */
typedef double sal_chain_pack
    __attribute__((vector_size(SAL_CHAIN_LANES * sizeof(double)), may_alias));

/** One equation at the point: its coefficients of the velocities of body[0], body[1]. */
typedef double sal_chain_wrench[2][6];

struct sal_chain_way;

/** The solver's memory; arrays of packs are [..][n_pack][6] or [..][n_pack][3]. */
typedef struct {
  const struct sal_chain_way *way;
  const sal_system *system;
  const sal_chain_plan *plan;
  const double *value;
  double *q, *good; /* [n_q] of the caller; `good` of the last point that was found */
  double *v;        /* [4 n_pack] independent coordinates by columns */
  double *rate;     /* [4 n_pack] and their velocities */

  double (*start)[4]; /* [n_body] of a hinge: how the body is turned to its parent at angle 0 */
  double (*half)[2];  /* [n_body] cosine and sine of half the angle */
  double (*s)[3];     /* [n_arm] arms in their bodies */
  double (*A)[9];     /* [n_body] rows of the rotation */
  double (*r)[3];     /* [n_body] */
  double (*x)[3], (*xd)[3]; /* [n_arm] arms and their rates w x x */
  double (*xdd)[3];         /* [n_arm] w x (w x x), and w' x x once w' is known */
  double (*w)[6], (*a)[6];  /* [n_body] velocity, acceleration */
  double (*J)[9];           /* [n_body] inertia */
  double *turn, *turn2;     /* [n_body] speed of a hinge, and acceleration */
  sal_chain_wrench *row;    /* [n_speed] */
  double *gap;              /* [n_speed] what an equation is off by, and other right sides */
  sal_chain_pack *local;    /* [n_body][6 packs][6] velocities for each speed of the block */
  sal_chain_pack *lu;       /* [n_speed][6 packs] factors of each block's equations */
  int *pivot;               /* [n_speed] */
  bool factored;
  double scale; /* 1 + |q| */

  sal_chain_pack *B, *D, *L;   /* [n_body][n_pack][6] */
  sal_chain_pack *c;           /* [n_body][1][6], lane 0 */
  sal_chain_pack *SB, *SD, *S; /* [n_speed][n_pack] the same of relative speeds; scratch */
  sal_chain_pack *M;           /* [4 n_pack][n_pack] B^T M B, and its factors */
  double (*load)[6];           /* [n_body] forces and torques */
  double (*through)[6];        /* [n_body] what its joint gives to a body */
  double *lambda;              /* [n_speed] multipliers of the rows */
  sal_chain_pack *X, *V, *Y;   /* [n_arm][n_pack][3] dx, dx', dx'', without what is not known yet */
  sal_chain_pack *Z[2];        /* [n_body][n_pack][6] dZ for dv and dv' */
  sal_chain_pack *R[2];        /* [4 n_pack][n_pack] right sides of J1 and J2, and these */
} sal_chain;

/** Functions of the solver, in one of its builds. */
typedef struct sal_chain_way {
  /** With numbers [n_value] and coordinates q, good [n_q], which hold the initial pose and have to outlive
   *  the chain, whose memory is laid out. */
  void (*begin)(sal_chain *chain, const sal_system *system, const double value[], double q[],
                double good[]);
  /** Goes to v [n_v], near the last point: false where another solver has to walk there, and the chain is where
   *  it was then. */
  bool (*leap)(sal_chain *chain, const double v[]);
  /** Takes the pose q [n_q], which is that of v to rounding. */
  bool (*take)(sal_chain *chain, const double q[], const double v[]);
  /** Velocities for vd [n_v]; qd [n_q]. */
  void (*advance)(sal_chain *chain, const double vd[], double qd[]);
  /** vdd [n_v] in the mode of `at`; false: B^T M B is not positive. */
  bool (*accelerate)(sal_chain *chain, const sal_force_place *at, double vdd[]);
  /** J [2 n_v][n_v], the columns of J1 and J2, at a point that has its accelerations. */
  void (*linearize)(sal_chain *chain, const sal_force_place *at, double J[]);
  /** dq [n_q] for dv [n_v]. */
  void (*vary)(const sal_chain *chain, const double dv[], double dq[]);
} sal_chain_way;

extern const sal_chain_way sal_chain_way_w1, sal_chain_way_w4;

/* ---- chain_memory.c ---- */

/** Points the arrays into the block, NULL: only counts.  Bytes, a multiple of 64. */
size_t sal_chain_lay_out(const sal_system *system, sal_chain *chain, char *block);
/** The build for this CPU. */
const sal_chain_way *sal_chain_choose(void);
