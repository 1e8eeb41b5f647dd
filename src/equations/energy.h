/** Models that a text describes by energies: coordinates, kinetic and potential energy, forces, and
 *  contacts with laws.
 *
 *  With coordinates q and rates v = q' Lagrange's equations are
 *
 *      M(q, t) v' = h + sum_c G_c' N_c + T_c' F_c,      M = d2T/dv2,
 *      h = Q - dV/dq + dT/dq - (d2T/dv dq) v - d2T/dv dt,
 *
 *  where the gap g_c of a contact has the gradient G_c, and what slides along it the gradient T_c.  A soft contact
 *  pushes with N = p |p|^(x-1) max(0, k + c p'), p = -g (Hunt and Crossley 1975).  A rigid one has g'' = 0 while it is
 *  closed, which gives N; it opens where N falls below 0.  Friction slides with F = -mu N sense, or sticks with the F
 *  that keeps what slides from it, as long as |F| <= static N.  See also Pfeiffer and Glocker, Multibody Dynamics with
 *  Unilateral Contacts (1996).
 */
#pragma once

#include "algebra.h"
#include "equation_reading.h"

/** Guards of a contact: it, then its friction where it has some. */
typedef struct {
  int guard,
      stick; /* numbers of contacts of the model; stick 0: no friction (it is never the first) */
  int sense; /* discrete state: the sense of sliding, 1 or -1 */
  int along; /* node of the document */
  bool rigid, poisson;
} sal_energy_contact;

/** A constrained quantity: its rate is row v + drift, and the rate of that row v' + turn. */
typedef struct {
  int row[SAL_ALGEBRA_MOST], drift, turn;
} sal_energy_bound;

/** The nodes that make a contact's force. */
typedef struct {
  int gap, restitution, push;     /* push: force of a compliant one */
  int slides, mu, hold;           /* what slides; coefficients of friction: sliding, and at rest */
  int sense, closed, sticks;      /* sticks: also closed */
  sal_energy_bound normal, along; /* of `terms` alone */
} sal_energy_law;

/** All that motion depends on at some states and modes; nodes alone, so that sal_algebra_replace makes it at other ones. */
typedef struct {
  sal_algebra_matrix mass;
  int load[SAL_ALGEBRA_MOST], q[SAL_ALGEBRA_MOST], v[SAL_ALGEBRA_MOST];
  sal_energy_law law[SAL_PROGRAM_CONTACTS];
} sal_energy_terms;

enum { SAL_ENERGY_MOST = SAL_MAX_STATE / 2 };

struct sal_energy {
  int n, n_contact; /* coordinates / contacts with laws */
  bool at_run;      /* more than are written out: solved for at run time */
  int q[SAL_ENERGY_MOST], v[SAL_ENERGY_MOST];
  sal_energy_contact contact[SAL_MAX_CONTACT];
  sal_energy_law law[SAL_MAX_CONTACT];
  int *mass, *load;       /* [n][n], [n] */
  sal_energy_terms terms; /* at the states and modes of a run, where they are written out */
  bool in_sequence;       /* impacts of contacts that touch */
  int n_mark;             /* contacts without a law: guards, gaps and modes */
  int mark[SAL_PROGRAM_CONTACTS], mark_gap[SAL_PROGRAM_CONTACTS], marked[SAL_PROGRAM_CONTACTS];
  /** The problem of contacts that act together, without its programs: term [n_term] are the results of its terms.  n_term 0:
   *  there is none. */
  sal_contact_program problem;
  int n_term, *term, redundant;   /* redundant: whether their forces are */
  int kinetic, potential, stored; /* stored: in soft contacts */
  int pivot
      [SAL_ALGEBRA_MOST]; /* of M at its factorisation; above 0 where it is positive definite */
};
typedef struct sal_energy sal_energy;

/** Forces of contacts: N and F. */
typedef struct {
  int normal[SAL_PROGRAM_CONTACTS], along[SAL_PROGRAM_CONTACTS];
  /* A mask: rows depend on one another, so that forces are not unique, or a contact carries nothing beside the rounding of the
   * terms size[] of its target, which are there with has_size. */
  int redundant, size[SAL_PROGRAM_CONTACTS];
  bool has_size;
} sal_energy_forces;

/** Which rows are bound, and how friction of the others acts: masks. */
typedef struct {
  int normal[SAL_PROGRAM_CONTACTS], along[SAL_PROGRAM_CONTACTS];
  int slides[SAL_PROGRAM_CONTACTS];
} sal_energy_modes;

/** Does an expression depend on rates of coordinates? */
bool sal_energy_has_rates(const sal_equation_reading *r, int root);

/* ---- energy_terms.c: Lagrange's equations ---- */

/** Marks the coordinates that a node depends on, or with `rates` their rates, on [n]; where memory ran out the graph is full. */
void sal_energy_moves(sal_graph *graph, const sal_energy *energy, int node, bool rates, bool on[]);
/** The constraint on an expression of coordinates and time: row [n], drift and turn. */
void sal_energy_bind(sal_graph *graph, const sal_energy *energy, int node, int row[], int *drift,
                     int *turn);
/** Its rate. */
int sal_energy_rate_of(sal_graph *graph, const sal_energy *energy, int node);
/** Mass and load from the energies and the generalised forces [n]; false: no memory. */
bool sal_energy_lagrange(sal_graph *graph, sal_energy *energy, const int force[]);

/* ---- energy_forces.c: what contacts do ---- */

/** The modes of the terms. */
void sal_energy_current(sal_graph *graph, const sal_energy *energy, const sal_energy_terms *terms,
                        sal_energy_modes *modes);
/** The least changes [n], in the norm of M, that change row by row what is bound in these modes by target, and the
 *  forces that make them.  Both normal and along of `target` count. */
void sal_energy_respond(sal_graph *graph, const sal_energy *energy, const sal_energy_terms *terms,
                        const sal_energy_modes *modes, const sal_energy_forces *target,
                        sal_energy_forces *out, int change[]);
/** Adds the force of soft contact c, whose gap and what slides have these gradients [n], to a load [n]; slides: a mask. */
void sal_energy_add_push(sal_graph *graph, const sal_energy *energy, const sal_energy_law *law,
                         int c, const int normal[], const int along[], int slides, int load[]);
/** Accelerations [n] and the forces of contacts. */
void sal_energy_accelerate(sal_graph *graph, const sal_energy *energy,
                           const sal_energy_terms *terms, const sal_energy_modes *modes,
                           sal_energy_forces *out, int acceleration[]);
/** The rate of what is bound. */
int sal_energy_rate(sal_graph *graph, const sal_energy *energy, const sal_energy_terms *terms,
                    const sal_energy_bound *bound);

/* ---- energy_order.c ---- */

/** The order of coordinates in the problem of contacts: state[k] is its k-th one; false: no memory. */
bool sal_energy_order(sal_graph *graph, const sal_energy *energy, int state[]);

/* ---- energy_list.c: the problem of contacts at run time ---- */

/** Fills `problem` and `term`; false: no memory. */
bool sal_energy_list(sal_graph *graph, sal_energy *energy);
/** Frees them, `mass` and `load`. */
void sal_energy_free(sal_energy *energy);
void sal_energy_problem_free(sal_contact_program *problem);

/* ---- energy_jumps.c ---- */

/** The jumps of all contacts, into the reading. */
void sal_energy_jumps(sal_equation_reading *r);
