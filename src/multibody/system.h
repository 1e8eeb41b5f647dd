/** A system of constrained bodies: what bodies, joints and forces there are, as plain tables.
 *
 *  Coordinates q are Cartesian: position and Euler parameters of a spatial body, position and angle of
 *  a planar one, the height of a particle.  Joints are primitives Phi(q) = 0; each is a product of two
 *  vectors that are fixed in one body, so that a handful of functions (arm.h, constraint.h) has all
 *  derivatives.  Every number stands in one array, so that a trajectory's parameters make a copy of
 *  it and nothing else changes.
 *
 *  Serban, Negrut, Haug: An implicit Runge-Kutta method for integration of DAEs of multibody dynamics
 *  (state-space form by generalized coordinate partitioning); the primitives after Haug,
 *  Computer-Aided Kinematics and Dynamics of Mechanical Systems, sections 9.4 and 9.6.
 */
#pragma once

#include <stdbool.h>

enum {
  SAL_ARM = 7, /* coordinates of a body, at most */
  SAL_PAIR = 2 * SAL_ARM,
  SAL_LABEL = 64,             /* bytes of a name */
  SAL_MAX_Q = 512,            /* coordinates */
  SAL_MAX_FREEDOM = SAL_MAX_Q /* independent ones */
};

typedef enum {
  SAL_BODY_SPATIAL,
  SAL_BODY_PLANAR,
  SAL_BODY_PARTICLE,
  SAL_N_BODY_KIND
} sal_body_kind;

/** A body: its coordinates, and the places of its numbers. */
typedef struct {
  char name[SAL_LABEL];
  sal_body_kind kind;
  int first; /* coordinate */
  int mass;  /* value: mass, then Ixx Iyy Izz Ixy Ixz Iyz of a spatial body, I of a planar one */
} sal_body;

/** A vector fixed in a body, A(q) s, or a point of it, r(q) + A(q) s; on the ground both are s. */
typedef struct {
  int body; /* -1: the ground */
  int s;    /* value: three numbers in the frame of the body */
  bool placed;
} sal_arm;

typedef enum {
  SAL_CONSTRAINT_POINT,    /* a component of d = P_j - P_i */
  SAL_CONSTRAINT_DOT1,     /* a_i . a_j */
  SAL_CONSTRAINT_DOT2,     /* a_i . d */
  SAL_CONSTRAINT_DISTANCE, /* d . d - C^2 */
  SAL_CONSTRAINT_NORM,     /* e . e - 1 of a spatial body */
  SAL_N_CONSTRAINT_KIND
} sal_constraint_kind;

/** One scalar equation between two bodies. */
typedef struct {
  sal_constraint_kind kind;
  sal_arm a, i, j;  /* a_i; P_i, P_j, of DOT1: j is a_j */
  int axis, length; /* of POINT; value of DISTANCE */
  int roll; /* of DOT2 between planar bodies: value of a radius that the relative angle goes with; 0: none */
  int joint;            /* which joint it belongs to; -1: a body's Euler parameters */
  int column[SAL_PAIR]; /* coordinate of each local one; -1: there is none */
} sal_constraint;

typedef enum {
  SAL_FORCE_LINE,  /* TSDA: along the line from P_i to P_j */
  SAL_FORCE_AXIS,  /* the same along a global axis: the length has a sign */
  SAL_FORCE_ANGLE, /* RSDA between planar bodies */
  SAL_FORCE_TIRE,  /* vertical, at the wheel's centre P_j, between it and the road */
  SAL_FORCE_PLANE, /* of a compliant contact: along the normal a_i of the plane through P_i */
  SAL_N_FORCE_KIND
} sal_force_kind;

/** On which side of its free length a force acts. */
typedef enum { SAL_SIDE_BOTH, SAL_SIDE_PUSH, SAL_SIDE_PULL, SAL_N_SIDE } sal_side;

/** A force F = k (l - l0) + c l', in tension above 0; of a tire l is how deep it is pressed in.  That of a
 *  compliant contact is -p |p|^(exponent - 1) max(0, k + c p') with p = l0 - l. */
typedef struct {
  char name[SAL_LABEL];
  sal_force_kind kind;
  sal_arm a, i, j;
  int axis;
  sal_side side;
  int own;      /* of a force with a side: the contact that switches it */
  int exponent; /* value: of a compliant contact; -1: the force is linear */
  int k;        /* value: k, c, l0; of a tire k, c, radius */
  int contact;  /* of a tire: its own, -1: bilateral.  Others: `closed` counts in it */
  int closed;   /* value: k, c, l0 while the contact is closed; -1: the same */
  int column[SAL_PAIR];
} sal_force;

typedef enum { SAL_ROAD_FLAT, SAL_ROAD_CYLINDER, SAL_ROAD_TABLE, SAL_N_ROAD_KIND } sal_road_kind;

/** The height of the road along x. */
typedef struct {
  sal_road_kind kind;
  int at; /* value: radius of the cylinder, of the disc, x; or x, z of each point */
  int n_point;
} sal_road;

typedef enum {
  SAL_GROUND_LOCK,
  SAL_GROUND_TIRE,
  SAL_GROUND_RIGID,
  SAL_GROUND_SOFT,
  SAL_GROUND_GRIP,
  SAL_N_GROUND_KIND
} sal_ground_kind;

/** A contact: a point that stays where it lands, a tire that only pushes, a rigid contact with
 *  restitution, a force that acts on one side, or whether the friction of such a one holds. */
typedef struct {
  char name[SAL_LABEL], closes[SAL_LABEL], opens[SAL_LABEL];
  sal_ground_kind kind;
  int which; /* lock, rigid: number of the constraint, after the permanent ones; else: of the force */
  int restitution; /* rigid: value */
  bool poisson;    /* rigid: its law, else Newton's */
  int reach,
      ends; /* rigid: constraint of the place along a segment, 0: it is a line; value of its two ends */
  int partner; /* soft: contact of its friction, -1: none; grip: contact of its force */
  int mu,
      still; /* grip: values of friction that slides, and that holds; rigid with a cone: the first */
  int cone;  /* rigid: the first of two constraints of friction in space; 0: it has none */
  int radius,
      point; /* rigid: values of a sphere around P_j, and of where it touches in its body; 0: none */
  int number; /* of a grip among them */
} sal_ground;

/** A number that follows a parameter: value[at] = factor * param. */
typedef struct {
  int at, param;
  double factor;
} sal_binding;

/** The system; owned by its maker, sal_system_free frees.  Read-only afterwards. */
typedef struct {
  int n_body, n_q;
  int n_constraint; /* permanent ones; those of the locks, then of rigid contacts and grips follow */
  int n_lock;       /* locks, rigid contacts, grips */
  int n_load;       /* locks; they are the first contacts */
  int n_grip;       /* contacts of friction; their constraints are among n_lock */
  int n_force, n_ground, n_joint, n_value, n_binding;
  sal_body *body;
  sal_constraint *constraint; /* [n_constraint + n_lock] */
  sal_force *force;
  sal_ground *ground;
  char (*joint)[SAL_LABEL];
  sal_binding *binding;
  sal_road road;
  double *value;
  int gravity;               /* value: three numbers */
  double *q0, *qd0;          /* [n_q] the initial state, on the constraints */
  double *given;             /* [n_q] velocities as the file gives them; NaN: it does not */
  int n_v, *independent;     /* the independent coordinates; n_q - n_constraint of them */
  bool poisson, in_sequence; /* of any contact / impacts of contacts that touch */
  bool adapts;               /* they are chosen anew where they have become bad ones */
  struct sal_chain_plan
      *chain;           /* how to recur along the joints; NULL: that is not done, for this reason */
  const char *no_chain; /* of static duration */
} sal_system;

static inline bool sal_system_rigid(const sal_system *system, int k)
{
  return system->ground[k].kind == SAL_GROUND_RIGID;
}
/** Is it the friction of a rigid contact? */
static inline bool sal_system_grips_rigid(const sal_system *system, int k)
{
  const sal_ground *g = &system->ground[k];

  return g->kind == SAL_GROUND_GRIP && sal_system_rigid(system, g->partner);
}
/** A rigid contact, or the friction of one. */
static inline bool sal_system_of_rigid(const sal_system *system, int k)
{
  return sal_system_rigid(system, k) || sal_system_grips_rigid(system, k);
}

/** Coordinates of a body of this kind. */
int sal_system_coordinates(sal_body_kind kind);
/** Its name of coordinate c, such as "e1". */
const char *sal_system_coordinate(sal_body_kind kind, int c);
/** The coordinate of this name, BODY_e1, or whose velocity is called so, BODY_ve1; -1: there is none. */
int sal_system_find(const sal_system *system, const char *name, bool velocity);
/** The name of a coordinate or its velocity. */
void sal_system_name(const sal_system *system, int q, bool velocity, char name[2 * SAL_LABEL]);
/** Sets the columns of a pair of bodies (-1: ground): those of i from 0, those of j from SAL_ARM. */
void sal_system_columns(const sal_system *system, int i, int j, int column[SAL_PAIR]);
/** Frees all that the system owns but the plan. */
void sal_system_free(sal_system *system);
