/** A spanning tree of the joints, and the loops that close it: which relative speeds each body has, and
 *  in which order they follow from the independent velocities.
 *
 *  A body hangs on its parent by a point that both share, and may turn about it, or about one axis of
 *  the parent alone; or it is free.  Speeds are those that this leaves.  A further condition of a joint
 *  is a row, and so is each independent velocity; a block is the least set of bodies whose rows have
 *  all of their speeds: a loop, with what hangs in it.  Blocks are solved one after the other, and so
 *  the cost grows with the number of bodies (Dulmage & Mendelsohn 1958; Tarjan 1972).
 *
 *  Positions, their changes and accelerations have a column for each independent velocity; four of
 *  them are a pack.  A body has those packs alone on which it depends.  A body that hangs on a free body alone is
 *  displaced with it and does not turn, so that these columns need no work.
 */
#pragma once

#include "err.h"
#include "system.h"

enum {
  SAL_CHAIN_LANES = 4,
  SAL_CHAIN_FREEDOM = 63,                                    /* independent coordinates, at most */
  SAL_CHAIN_PACKS = SAL_CHAIN_FREEDOM / SAL_CHAIN_LANES + 1, /* one column is none, at most */
  SAL_CHAIN_BLOCK = 24                                       /* speeds of a block, at most */
};

/** A vector that is fixed in a body; those of the same numbers are one. */
typedef struct {
  int body; /* -1: the ground */
  int s;    /* value: three numbers; -1: the axis of a hinge, which is made of others */
} sal_chain_arm;

/** How a body hangs in the tree. */
typedef struct {
  int parent;           /* body; -1: the ground */
  int at, of;           /* arms: the point in the parent and in the body; -1: the body is free */
  int axis;             /* arm: the axis in the parent; -1: it turns about any */
  int across[2], along; /* arms: what the axis is normal to, and what is parallel to it */
  bool own;             /* `across` is the body's, `along` the parent's; else the other way round */
  int first, n;         /* speeds: translations of a free body, then rotations */
  int arm, n_arm;       /* its arms, the first in `sorted` */
  int block;
} sal_chain_link;

/** An equation between speeds: what is left of a joint, or an independent velocity. */
typedef struct {
  const sal_constraint *constraint; /* NULL: a velocity */
  int body[2];                      /* i, j; -1: the ground.  A velocity is that of j */
  int a, i, j;                      /* arms */
  int coordinate, v;                /* of the body; number among the independent ones */
} sal_chain_row;

/** Which packs there are, in ascending order. */
typedef struct {
  int n, pack[SAL_CHAIN_PACKS];
} sal_chain_packs;

/** A force, by its arms. */
typedef struct {
  const sal_force *force;
  int body[2], a, i, j;
  sal_chain_packs on;
} sal_chain_force;

typedef struct {
  int body, n_body; /* the first in `order` */
  int first, n;     /* rows and speeds */
  bool given;       /* one body, of whose own coordinates all are independent but one */
  bool
      rides; /* along the first pack, a free body's place, its bodies are displaced as that one is */
  sal_chain_packs on, turns; /* packs that its bodies depend on; without that one */
} sal_chain_block;

/** All of it; read-only.  Rows and speeds are numbered block by block. */
typedef struct sal_chain_plan {
  int n_arm, n_speed, n_block, n_force, n_pack;
  int *order;             /* [n_body] bodies by block, parents first */
  sal_chain_link *link;   /* [n_body] */
  sal_chain_arm *arm;     /* [n_arm] */
  int *sorted, n_live;    /* [n_live] arms that move, by body */
  sal_chain_row *row;     /* [n_speed] */
  sal_chain_block *block; /* [n_block] */
  sal_chain_force *force; /* [n_force] */
  sal_chain_packs *reach; /* [n_body] packs on which what acts on a body depends */
  int *slot;              /* [n_v] the column of each independent coordinate */
  bool *column;           /* [4 n_pack] is there one?  The first pack may have three */
} sal_chain_plan;

/** Sets *out, which is the caller's to free, or to NULL where the system is not taken: *why is the reason,
 *  a text of static duration. */
sal_err sal_chain_plan_make(const sal_system *system, sal_chain_plan **out, const char **why);
void sal_chain_plan_free(sal_chain_plan *plan);

/* ---- chain_tree.c ----
 *  The tree of the joints.
 */

/** Links, arms, forces and rows, *n_row of them, before they are sorted; false: no memory. */
bool sal_chain_tree_grow(const sal_system *system, sal_chain_plan *plan, int *n_row);

/* ---- chain_loops.c ----
 *  Which rows determine which speeds.
 */

/** Orders bodies, rows and speeds by blocks; false: no memory.  *largest: speeds of the largest, 0
 *  where rows do not determine all speeds. */
bool sal_chain_loops_find(const sal_system *system, sal_chain_plan *plan, int *largest);
