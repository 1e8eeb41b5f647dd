/** Products of vectors, of single numbers and of packs of columns. */
#pragma once

#include "chain.h"

static inline double dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** out += a x b */
static inline void add_cross(const double a[3], const double b[3], double out[3])
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/** out = A s */
static inline void rotate(const double A[9], const double s[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = dot3(A + 3 * (ptrdiff_t)i, s);
}

static inline sal_chain_pack dot_pack(const double a[3], const sal_chain_pack b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Sets packs to 0; a memset of so few is slower. */
static inline void clear(int n, sal_chain_pack x[])
{
  const sal_chain_pack none = {0};

  for (int i = 0; i < n; ++i) x[i] = none;
}

/** out += a x b of packs. */
static inline void spin(const double a[3], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/** out -= a x b, so out += b x a */
static inline void spin_back(const double a[3], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  out[0] -= a[1] * b[2] - a[2] * b[1];
  out[1] -= a[2] * b[0] - a[0] * b[2];
  out[2] -= a[0] * b[1] - a[1] * b[0];
}

/** out += J b */
static inline void weigh(const double J[9], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  for (int i = 0; i < 3; ++i) out[i] += dot_pack(J + 3 * (ptrdiff_t)i, b);
}

static inline double sum_of(sal_chain_pack a) { return a[0] + a[1] + a[2] + a[3]; }

/** Number i of an array of packs. */
static inline double *lane_of(sal_chain_pack a[], int i) { return (double *)a + i; }

/** Part of a body's velocity by speed k of its block: component i at [i * SAL_CHAIN_LANES]. */
static inline const double *local_of_speed(const sal_chain *c, int body, int k)
{
  const ptrdiff_t pack =
      (ptrdiff_t)body * (SAL_CHAIN_BLOCK / SAL_CHAIN_LANES) + k / SAL_CHAIN_LANES;

  return (const double *)(c->local + pack * 6) + k % SAL_CHAIN_LANES;
}

/** Column pack p of a body, or of an arm. */
static inline sal_chain_pack *pack_of(const sal_chain *c, sal_chain_pack a[], int which, int p,
                                      int height)
{
  return a + ((ptrdiff_t)which * c->plan->n_pack + p) * height;
}

/* ---- Declarations shared by the files of the chain. ---- */

/* Both builds are in the program, and names have the suffix of their build. */
#ifdef __AVX2__
#define SAL_CHAIN_BUILD(name) name##_w4
#else
#define SAL_CHAIN_BUILD(name) name##_w1
#endif

#define sal_chain_accelerate SAL_CHAIN_BUILD(sal_chain_accelerate)
#define sal_chain_linearize SAL_CHAIN_BUILD(sal_chain_linearize)
#define sal_chain_expand SAL_CHAIN_BUILD(sal_chain_expand)
#define sal_chain_pose_begin SAL_CHAIN_BUILD(sal_chain_pose_begin)
#define sal_chain_pose_take SAL_CHAIN_BUILD(sal_chain_pose_take)
#define sal_chain_pose_move SAL_CHAIN_BUILD(sal_chain_pose_move)
#define sal_chain_pose_give SAL_CHAIN_BUILD(sal_chain_pose_give)
#define sal_chain_pose_gaps SAL_CHAIN_BUILD(sal_chain_pose_gaps)
#define sal_chain_pose_rates SAL_CHAIN_BUILD(sal_chain_pose_rates)
#define sal_chain_rows_form SAL_CHAIN_BUILD(sal_chain_rows_form)
#define sal_chain_rows_bend SAL_CHAIN_BUILD(sal_chain_rows_bend)
#define sal_chain_rows_change SAL_CHAIN_BUILD(sal_chain_rows_change)
#define sal_chain_columns_factor SAL_CHAIN_BUILD(sal_chain_columns_factor)
#define sal_chain_columns_carry SAL_CHAIN_BUILD(sal_chain_columns_carry)
#define sal_chain_columns_at SAL_CHAIN_BUILD(sal_chain_columns_at)
#define sal_chain_columns_close SAL_CHAIN_BUILD(sal_chain_columns_close)
#define sal_chain_columns_solve SAL_CHAIN_BUILD(sal_chain_columns_solve)
#define sal_chain_columns_solve_transposed SAL_CHAIN_BUILD(sal_chain_columns_solve_transposed)
#define sal_chain_columns_begin SAL_CHAIN_BUILD(sal_chain_columns_begin)
#define sal_chain_columns_form SAL_CHAIN_BUILD(sal_chain_columns_form)
#define sal_chain_motion_solve SAL_CHAIN_BUILD(sal_chain_motion_solve)
#define sal_chain_force_add SAL_CHAIN_BUILD(sal_chain_force_add)
#define sal_chain_force_change SAL_CHAIN_BUILD(sal_chain_force_change)
#define sal_chain_force_push SAL_CHAIN_BUILD(sal_chain_force_push)
#define sal_chain_joints_load SAL_CHAIN_BUILD(sal_chain_joints_load)
#define sal_chain_joints_change SAL_CHAIN_BUILD(sal_chain_joints_change)

/** out = B x of a body for x [4 n_pack]. */
void sal_chain_expand(const sal_chain *chain, int body, const double x[], double out[6]);

/* ---- chain_pose.c ----
 *  From relative speeds to poses, arms and rows.
 */

/** The rest of `half` and `start` from q. */
void sal_chain_pose_begin(sal_chain *chain);
/** The angles of the hinges, rotations and places of q. */
void sal_chain_pose_take(sal_chain *chain, const double q[]);
/** Moves the bodies of a block by speeds [block->n]. */
void sal_chain_pose_move(sal_chain *chain, const sal_chain_block *block, const double by[]);
/** Sets the coordinates of a block that are given, and the one that follows; false: there is none. */
bool sal_chain_pose_give(sal_chain *chain, const sal_chain_block *block);
/** gap of a block's rows. */
void sal_chain_pose_gaps(sal_chain *chain, const sal_chain_block *block);
/** q' [n_q] of velocities (r', w). */
void sal_chain_pose_rates(const sal_chain *chain, double (*w)[6], double qd[]);

/* ---- chain_rows.c ----
 *  Equations of a block: their rows, what velocities make of them, and how they change.
 */

/** row of a block's equations. */
void sal_chain_rows_form(sal_chain *chain, const sal_chain_block *block);
/** gap = what a row adds to row . a at these velocities. */
void sal_chain_rows_bend(sal_chain *chain, const sal_chain_block *block);
/** S [n_speed][n_pack] of a block = minus what row . w changes by along B, where D is 0 and V = w x dx; where it
 *  `bends`, row . a + bend, where L is 0. */
void sal_chain_rows_change(sal_chain *chain, const sal_chain_block *block, bool bends,
                           sal_chain_pack S[]);

/* ---- chain_columns.c ----
 *  Columns that follow along the tree and through the loops.
 */

/** Columns of all bodies: [n_body][stride][6], of which those of a block have packs `on`. */
typedef struct {
  sal_chain_pack *x;
  int stride;
  const sal_chain_packs *on;
} sal_chain_columns;

/** `local` and `lu` of a block whose rows are there; false: they are dependent. */
bool sal_chain_columns_factor(sal_chain *chain, const sal_chain_block *block);
/** X [6] of a body, which holds what it has of its own, from its parent's P, NULL: the ground. */
void sal_chain_columns_carry(const sal_chain *chain, int body, const sal_chain_pack P[],
                             sal_chain_pack X[]);
/** Pack p of a body, NULL: of the ground. */
sal_chain_pack *sal_chain_columns_at(const sal_chain_columns *X, int body, int p);
/** S [n_speed][stride], right sides, becomes the relative speeds of a block, which are added to X. */
void sal_chain_columns_close(const sal_chain *chain, const sal_chain_block *block,
                             const sal_chain_columns *X, sal_chain_pack S[]);
/** b [block->n] becomes the solution; transposed: of the transposed equations. */
void sal_chain_columns_solve(const sal_chain *chain, const sal_chain_block *block, double b[]);
void sal_chain_columns_solve_transposed(const sal_chain *chain, const sal_chain_block *block,
                                        double b[]);
/** Fills the constant part of B. */
void sal_chain_columns_begin(sal_chain *chain);
/** B, SB. */
void sal_chain_columns_form(sal_chain *chain);

/* ---- chain_motion.c, chain_jacobian.c ---- */

/** As in sal_chain_way. */
bool sal_chain_accelerate(sal_chain *chain, const sal_force_place *at, double vdd[]);
void sal_chain_linearize(sal_chain *chain, const sal_force_place *at, double J[]);

/** M^-1 X for X [4 n_pack][stride] in place, with the factors of the last accelerations. */
void sal_chain_motion_solve(const sal_chain *chain, int stride, sal_chain_pack X[]);

/* ---- chain_force.c ----
 *  Forces on the bodies.
 */

/** load = forces, gravity and what is quadratic in velocities. */
void sal_chain_force_add(sal_chain *chain, const sal_force_place *at);
/** Subtracts their changes from Z. */
void sal_chain_force_change(sal_chain *chain, const sal_force_place *at);

/** A force at a point of a body, and in a pack of columns what both change by. */
typedef struct {
  const double *x, *g;           /* [3] */
  const sal_chain_pack *dx, *dg; /* [3]; dx NULL: the body does not turn */
} sal_chain_push;

/** Subtracts sign times its change from Z[way]; of the ground nothing. */
void sal_chain_force_push(sal_chain *chain, int way, int body, int p, double sign,
                          const sal_chain_push *push);

/* ---- chain_joints.c ----
 *  Loads transmitted by the joints.
 */

/** lambda and `through` of the accelerations there are. */
void sal_chain_joints_load(sal_chain *chain);
/** Subtracts from Z what changes of it along B. */
void sal_chain_joints_change(sal_chain *chain);
