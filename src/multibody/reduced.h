/** The state-space form of a constrained system: v'' = f(v, v') and its Jacobians.
 *
 *  Some of the coordinates q, v, are independent; the other ones, u, follow from Phi(u, v) = 0 by
 *  Newton's method, their velocities and accelerations from linear systems with Phi_u.  With
 *  q_v = N = [H; I], H = -Phi_u^-1 Phi_v, and c = [Phi_u^-1 tau; 0],
 *
 *      N^T M N v'' = N^T (Q - M c),        (10)
 *
 *  and J1 = df/dv, J2 = df/dv' by differentiation of M q'' + Phi_q^T lambda = Q and Phi_q q'' = tau
 *  along the solution, (26)-(35) as corrected.  Contacts that lock a point add rows G v'' = gamma and
 *  multipliers mu to the small system.
 *
 *  A solver keeps the last solved point: Newton's method starts there and with its factors, and stops
 *  at rounding, so that where it started from changes no more than the last digits.  It walks to a
 *  far point in pieces, so that a linkage does not fold over.  Dense LAPACK.
 *
 *  Serban, Negrut, Haug, Potra: A topology based approach..; equation numbers are those of
 *  Sandu, Negrut, Haug, Potra, Sandu, CSTR-01-06.
 */
#pragma once

#include "chain.h"
#include "constraint.h"

/** How far the last point is known. */
typedef enum {
  SAL_REDUCED_NOTHING,
  SAL_REDUCED_POSITIONS,
  SAL_REDUCED_VELOCITIES,
  SAL_REDUCED_ACCELERATIONS,
  SAL_REDUCED_MULTIPLIERS,
  SAL_REDUCED_JACOBIANS
} sal_reduced_stage;

/** The solver's memory.  n: coordinates, m: permanent constraints, n_v = n - m, n_c: closed locks. */
typedef struct {
  const sal_system *system;
  int n, m, n_v, n_c;
  bool few_rows;   /* rows of locks are evaluated by the caller */
  bool ready;      /* laid out, with numbers of a trajectory */
  bool factored;   /* lu and H are those of some nearby point */
  bool straight;   /* particles without joints or forces: accelerations follow from the mode */
  bool small_fits; /* the factors in small are those of this mode, where it is straight */
  sal_reduced_stage known;
  sal_chain *
      chain; /* the solver that recurs; NULL: this one solves all.  With it only q, q', v'' and J are known */

  bool pushes;   /* tires do not pull; set before anything is solved */
  bool *closed;  /* [n_ground] the mode */
  double *sense; /* [n_grip] -1 or 1: which way friction slides; it is part of the mode */
  int *u, *v;    /* [m], [n_v] dependent, independent coordinates */
  int *pivot, *pivot_small;
  int *lock;     /* [n_c] numbers of the constraints */
  int *contact;  /* [n_c] and of their contacts */
  bool *carried; /* [n_ground] friction whose slip what is closed determines */
  double *value; /* [n_value] */

  double *q, *qd, *qdd; /* [n] */
  double *lambda;       /* [m + n_lock], of open locks 0 */
  double *phi;          /* [m] */
  double *good;         /* [n] q of the last point that was found */

  sal_constraint_row *row, *along, *third; /* [m + n_lock] Phi_q, (Phi_q q')_q, (Phi_qq q' q')_q */
  sal_constraint_row *along2;              /* (Phi_q q'')_q */

  double *lu;    /* [m][m] by columns */
  double *N;     /* [n][n_v] */
  double *D;     /* [n][n_v] q'_v */
  double *L;     /* [n][n_v] q''_v at fixed v'' */
  double *tau;   /* [m + n_lock] */
  double *c, *Q; /* [n] */
  double *small; /* [n_v + n_lock]^2 of (10), by columns; factors of it */
  double *Mhat;  /* [n_v][n_v] */
  double *Qhat;  /* [n_v + n_lock] */
  double *vdd;   /* [n_v + n_lock] v'', mu */
  double *S, *V; /* [n][n] (M q'' + Phi_q^T lambda - Q)_q; Q_q' */
  double *P;     /* [n][2 n_v] */
  double *MJ;    /* [n_v + n_lock][2 n_v] Mhat [J1 J2], and below G [J1 J2] */
  double *J;     /* [2 n_v][n_v + n_lock] the columns of J1 and J2, and of the slopes of mu */
  double *work;  /* [max(m, n) * 2 n_v + ..] */
} sal_reduced;

/** Doubles that a solver needs. */
size_t sal_reduced_words(const sal_system *system);

/** The solver in memory [sal_reduced_words], aligned to a double: laid out there where the memory is
 *  all 0, with the parameters put in, and at the initial state; else as it was left. */
sal_reduced *sal_reduced_open(const sal_system *system, double memory[], const double param[]);

/** Solves without the chain from now on: all that the joints' equations have is known then. */
void sal_reduced_leave_chain(sal_reduced *r);

/** Goes to the last point of another solver of the system, to go on from there. */
void sal_reduced_follow(sal_reduced *r, const sal_reduced *other);
/** Takes other coordinates [n_v] as independent; the point stays. */
void sal_reduced_choose(sal_reduced *r, const int independent[]);

/** Goes to v, v' [n_v]; false: the position does not exist, or the constraints are dependent there. */
bool sal_reduced_move(sal_reduced *r, const double v[], const double vd[]);
/** Takes the mode closed [n_ground] at the solver's point; all contacts are open at first.  A rigid contact, or
 *  friction that holds, that follows from the joints and those before it, such as a fourth foot, has no constraint: its
 *  multiplier is 0. */
void sal_reduced_enter(sal_reduced *r, const bool closed[]);
/** Takes the senses of friction, sense [n_grip]. */
void sal_reduced_slide(sal_reduced *r, const double sense[]);

/** Mhat and Qhat [n_v] of (10), without the chain; turns: tau of locks, too. */
void sal_reduced_project(sal_reduced *r, bool turns);
/** v'' and the multipliers of the locks: vdd, lambda after m; q''.  false: Mhat is singular.  Friction that slides at a
 *  rigid contact has mu of that contact's multiplier. */
bool sal_reduced_accelerate(sal_reduced *r);
/** lambda [m]. */
bool sal_reduced_multiply(sal_reduced *r);
/** J, MJ. */
bool sal_reduced_linearize(sal_reduced *r);

/** The change dq [n] of positions for a change dv [n_v]. */
void sal_reduced_vary(const sal_reduced *r, const double dv[], double dq[]);
/** That of velocities, dqd [n], for dq and dvd [n_v], at a point that has its accelerations; without the
 *  chain. */
void sal_reduced_vary_rates(const sal_reduced *r, const double dq[], const double dvd[],
                            double dqd[]);
/** How far the dependent coordinates run ahead of the independent ones: ln |N| in the Frobenius norm,
 *  and its change along dq [n]; the condition number of the partition. */
double sal_reduced_condition(const sal_reduced *r);
double sal_reduced_condition_rate(sal_reduced *r, const double dq[]);

/** State at which forces are evaluated. */
static inline sal_force_place sal_reduced_place(const sal_reduced *r)
{
  return (sal_force_place){r->system, r->value, r->q, r->qd, r->closed, r->sense, r->pushes};
}

/** The value of the constraint of a lock or a rigid contact: its height. */
double sal_reduced_height(const sal_reduced *r, const sal_ground *g);

/* For the other files of the solver. */

/** Is Mhat diagonal, and alone?  Without joints there are bodies in the plane and particles only. */
static inline bool sal_reduced_is_free(const sal_reduced *r) { return r->m == 0 && r->n_c == 0; }

/** out [n] = N x [n_v], of a solver without chains. */
void sal_reduced_expand(const sal_reduced *r, const double x[], double out[]);

/** Row i of a matrix of this width. */
static inline double *sal_reduced_line(double A[], int i, int width)
{
  return A + (ptrdiff_t)i * width;
}

/** Phi_u x = b, b [m] in place. */
void sal_reduced_back(const sal_reduced *r, double b[]);
/** Phi_u X = B for B [m][count] in place. */
void sal_reduced_back_all(const sal_reduced *r, int count, double B[]);
/** out [count] = row . A for A [n][count]. */
void sal_reduced_row_times(const sal_constraint *c, const sal_constraint_row row, int count,
                           const double A[], double factor, double out[]);

/* ---- partition.c ----
 *  Which coordinates are independent.
 */

/** Gauss-Jordan elimination with full pivoting of A [m][n], which is overwritten: the columns of the
 *  pivots are dependent, dependent [m], the other ones independent [n - m], both in ascending order.
 *  Returns the rank; below m the rows without a pivot come first in row [m], by number, and the
 *  partition is not filled. */
int sal_partition_choose(int m, int n, double A[], int dependent[], int independent[], int row[]);
/** Ascending. */
void sal_partition_sort(int n, int x[]);

/** The dependent coordinates [n - n_v] beside given independent ones [n_v]. */
void sal_partition_complement(int n, int n_v, const int independent[], int dependent[]);
