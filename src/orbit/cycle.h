/** Periodic orbits: what is known of one, how it is sought, and how well it is one. */
#pragma once

#include "return_map.h"

/* Floquet multipliers: eigenvalues of the derivative of a return map on the space that orbits can
 * move in, by LAPACK.
 *
 * That space is found by projection.  Directions that are multipliers of 1 or 0 by construction, such
 * as the flow's own, those off the section, off a constraint or along a symmetry, are left out by
 * where they point, never by the size of their multiplier: a multiplier of an orbit may have any. */

/** n eigenvalues by falling modulus; of a pair the one with im > 0 first. */
typedef struct {
  int n;
  double re[SAL_MAX_STATE], im[SAL_MAX_STATE];
} sal_multipliers;

/** Orthonormal columns basis [n][*m], row major, of the vectors that are normal to each row of normal
 *  [n_normal][n].  Rows that depend on each other count once; n, n_normal <= SAL_MAX_STATE.  False
 *  when a row is not finite. */
bool sal_multipliers_basis(int n, int n_normal, const double normal[], int *m, double basis[]);

/** Eigenvalues of M [n][n] on the space spanned by basis [n][m]: of basis^T M basis.  basis NULL: on
 *  all of it.  False, and n = 0, when M is not finite. */
bool sal_multipliers_find(int n, const double M[], int m, const double basis[],
                          sal_multipliers *out);

/** Largest modulus; 0 when there is none. */
double sal_multipliers_radius(const sal_multipliers *multipliers);

/* ---- cycle_record.c ----
 *  Data of a periodic orbit, and settings of the search.
 */

/** Outcome of the search for an orbit: SAL_CYCLES(ID, "label", "meaning"). */
#define SAL_CYCLES(C)                                                                              \
  C(FOUND, "cycle", "a periodic orbit, found to rounding")                                         \
  C(DIVERGES, "no convergence", "Newton's iteration found no orbit from this guess")               \
  C(LOST, "event lost", "the section was not reached again within the longest time")               \
  C(RESTS, "came to rest", "the state came to rest after infinitely many impacts, and no return")  \
  C(FELL, "run ended", "a contact that ends runs closed ahead of the section")                     \
  C(WRONG_MODE, "wrong phase", "a gap at the start is on the other side than its contact's mode")  \
  C(UNBOUNDED, "unbounded", "the state became infinite or no number")                              \
  C(FAILED, "integration failed",                                                                  \
    "the method could not go on, or its steps or its work (--budget) were spent")                  \
  C(GRAZES, "grazing", "a surface is met tangentially: the map has no derivative there")           \
  C(NO_FLIGHT, "no flight", "the iteration shrank to an orbit of no length")
#define SAL_CYCLE_ENUM(id, label, what) SAL_CYCLE_##id,
typedef enum { SAL_CYCLES(SAL_CYCLE_ENUM) SAL_N_CYCLE } sal_cycle_end;
#undef SAL_CYCLE_ENUM
/** By number. */
extern const struct sal_cycle_text {
  const char *label, *what;
} sal_cycle_texts[SAL_N_CYCLE];

/** One search.  y and closed are the caller's: a guess on the section (sal_return_map_begin), and
 *  afterwards the orbit's point there, or the best that was found. */
typedef struct {
  const double *param; /* [n_param + n_option] */
  double *y;           /* [n_state] */
  bool *closed;        /* [n_guard] */
  double *dp;          /* [n_unknown][n_unknown] out: derivative of the map; NULL: not wanted */

  sal_cycle_end why; /* out; what follows is set where it is FOUND, else 0 or NaN */
  double period;     /* out: time of the map's iterate */
  int iterations;    /* out: of Newton; set in any case */
  double closure;    /* out: largest residual over the unknown's size; set in any case */
  sal_multipliers
      multipliers; /* out: on the section, without what the section or constraints fix */
  int n_normal;    /* out: 1: the section's normal by the unknowns is known, else 0 */
  double normal[SAL_MAX_STATE];
  double gap;       /* out: largest |h| ahead of an event */
  double crossing;  /* out: smallest |dh/dt| at an event, over |Dh| |f|: 0 is grazing */
  double flow;      /* out: |Phi f - f'| / |f|: how far the monodromy matrix is from carrying the
                           flow's direction into itself, with a multiplier of 1; NaN where driven, and
                           where contacts change at the instant of the point */
  int grazing;      /* out: the contact that has it; -1: no events */
  int n_event;      /* out: contacts closed or opened in a period */
  int n_at_once;    /* out: the first of them, at the instant of the point itself */
  int n_zeno;       /* out: contacts brought to rest by infinitely many impacts */
  double clearance; /* out: the least gap at which an open contact turns back and does not close:
                                  multipliers hold for pushes that move that gap by less; NaN: none does */
  double clearance_time; /* out: when, in the period */
  int missed;            /* out: that contact; -1: none */
  int least;             /* out: visits of the section after which the orbit has come back: a
                                  divisor of the map's iterate */
} sal_cycle;

/** Directions that are not an orbit's own besides those of the map, such as the gradients of
 *  constraints: writes rows normal [n][n_state] and returns n, at most SAL_MAX_STATE. */
typedef int sal_cycle_normals(const double param[], const bool closed[], const double y[],
                              double normal[]);
/** Puts y [n_state] onto the constraints.  With gradients of constraints as normals, and without this,
 *  what a guess misses them by would stay. */
typedef void sal_cycle_project(const double param[], const bool closed[], double y[]);

/** How orbits are sought; all 0 is a good one. */
typedef struct {
  int max_iterations;         /* 0: 40 */
  double accept;              /* largest closure; 0: 1000 times rtol, 1e-10 at least */
  sal_cycle_normals *normals; /* NULL: none */
  sal_cycle_project *project; /* NULL: there is nothing to do */
} sal_cycle_setup;

/** Rows of the setup's normals at y by the map's unknowns: row [SAL_MAX_STATE][n_unknown], of which n
 *  are there already; returns how many are there then. */
int sal_cycle_add_normals(const sal_return_map *map, const sal_cycle_setup *setup,
                          const sal_cycle *cell, const double y[], int n, double row[]);

/** Residual of a point: largest |end - start| of the unknowns over their sizes. */
double sal_cycle_residual(const sal_return_map *map, const double start[], const double end[]);

/** Does the gap of event e leap at the event before it, or where the run begins?  It is not a surface that
 *  is met. */
bool sal_cycle_leaps(const sal_events *log, int64_t e);

/** Outcome for an orbit of a run of the map that did not return. */
sal_cycle_end sal_cycle_of_return(sal_return_end why);

/* ---- cycle.c ----
 *  Periodic orbits: fixed points of a return map, by Newton's iteration in lanes, with their
 *  multipliers and checks.
 *
 *  The unknowns are those of the map: the states that a point of the section may differ in.  With
 *  redundant coordinates the equations are singular (Zana, Bodor, Bencsik & Zelei (2018), whose (31)
 *  has two multipliers of 1 that belong to its constraints), and any miss of the constraints would
 *  stay: the setup's `project` puts guess and trials onto them, and steps lie along them then, normal
 *  to `normals`.  Without them an orbit may be found beside the constraints: one of a family, which its
 *  multipliers of 1 show.  The step is damped: halved until the residual falls and the orbit comes back.  It
 *  ends where rounding stops it.
 *
 *  A cell depends on its own parameters and guess alone: not on its neighbours, nor on the width.
 */

/** Seeks an orbit in each of n cells.  Fails only for want of memory. */
sal_err sal_cycle_find(const sal_return_map *map, const sal_cycle_setup *setup, int64_t n,
                       sal_cycle cell[]);

/** The orbit of a cell that is FOUND and has closed sooner (`least`), once more by Newton's iteration on
 *  the map of that many returns, with its own period, multipliers and events; *reduced: that found
 *  the same orbit.  Else the cell is as it was.  Fails only for want of memory. */
sal_err sal_cycle_reduce(const sal_return_map *fewer, const sal_cycle_setup *setup, sal_cycle *cell,
                         bool *reduced);

/* ---- cycle_checks.c ----
 *  Data stored with an orbit: its multipliers, and how well it closes.
 */

/** Fills what a cell keeps of its orbit where it is FOUND, from y, closed and the derivative dp
 *  [n][n_unknown][n_unknown] there; an orbit that grazes, has no length or a start in the wrong phase
 *  is rejected, with the reason in why.  Fails only for want of memory. */
sal_err sal_cycle_checks_run(const sal_return_map *map, const sal_cycle_setup *setup, int64_t n,
                             const double *const dp[], sal_cycle cell[]);

/* ---- least_returns.c ----
 *  How soon an orbit of a map's iterate has come back: a point that closes after one return closes
 *  after any number of them, and a simulation that winds towards it may seem to repeat after several.
 */

/** The first visit of a section at an event that is like the point y it began at, of those that divide
 *  the iterate; log: of a run of the map from y.  The iterate itself for a section in time, which no
 *  event marks. */
int sal_least_returns_in_log(const sal_return_map *map, const sal_events *log, const double y[]);

/** Sets `least` of the cells that are FOUND where the section is one in time: one run for each
 *  divisor of the iterate.  Fails only for want of memory. */
sal_err sal_least_returns_run(const sal_return_map *map, int64_t n, sal_cycle cell[]);

/* ---- clearance.c ----
 *  Distance of an orbit from the surfaces that it does not reach.  The derivative of a return map
 *  does not include them: a push that moves a gap by more than that reaches the surface, and the
 *  multipliers do not hold beyond it.
 */

/** The least value of the gap of an open contact where it turns back without having closed. */
typedef struct {
  double gap, at; /* its value; NaN and no meaning without a contact; the time in the period */
  double range;   /* largest |gap| of that contact on the mesh while it is open */
  int contact;    /* -1: no gap has a least value between its events */
} sal_clearance;

/** Clearance of an orbit with the cell's point and period; log: of its run, with modes.  Gaps are sampled on a mesh of
 *  512 points for each return and between them: a contact that comes near and turns back within a part of
 *  that mesh is not seen.  contact: to look at; -1: all.  Where the map mutes contacts the orbit need not be periodic, and
 *  a muted one counts in the times in which it is, where its gap may be below 0.  Fails only for want of memory. */
sal_err sal_clearance_find(const sal_return_map *map, const sal_cycle *cell, const sal_events *log,
                           int contact, sal_clearance *out);

/* ---- grazing.c ---- */

/** The contact that an orbit grazes most nearly of those that the map does not mute, and when: where it turns back within
 *  `near` of its range, or closes at the root of `near` of the orbit's speed (gap 0).  contact -1: none.  Fails as
 *  sal_clearance_find. */
sal_err sal_grazing_find(const sal_return_map *map, const sal_cycle *cell, const sal_events *log,
                         double near, sal_clearance *out);
/** The times around it in which that contact is not to be noticed: half way to the contact's other events. */
sal_mute sal_grazing_mute(const sal_clearance *grazed, double period, const sal_events *log);

/* ---- scan.c ----
 *  Orbits around a guess from which Newton's iteration finds none: points spread over ever larger boxes
 *  of the section's unknowns, those that come back to the section, and Newton's iteration from each.
 */

/** Report of a scan. */
typedef struct {
  int points;   /* that were tried, in all boxes */
  int found;    /* from how many of the last box Newton's iteration came to an orbit */
  double reach; /* half the width of the last box, in the unknowns' sizes at the guess */
} sal_scan_report;

/** Seeks an orbit around guess [n_state], a point of the section: of those found in the first box that has
 *  any, the nearest to the guess; one that needs all the map's returns before one that closes sooner.  The
 *  cell is filled as by sal_cycle_find where that is FOUND; else only `why` is set, to DIVERGES.  Points
 *  and choice depend on guess and map alone.  Fails only for want of memory. */
sal_err sal_scan_find(const sal_return_map *map, const sal_cycle_setup *setup, const double guess[],
                      sal_cycle *cell, sal_scan_report *report);
