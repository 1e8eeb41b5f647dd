/** A branch of periodic orbits: the points that a continuation has gone through, each with its orbit
 *  in numbers, its stability, and what is special about it.
 *
 *  Types of points have the codes and the names of AUTO-07p where AUTO has them; hybrid orbits have four more.
 */
#pragma once

#include "err.h"
#include "model.h"

/** T(ID, name, code, what) */
#define SAL_BRANCH_TYPES(T)                                                                        \
  T(REGULAR, "RG", 4, "regular point")                                                             \
  T(LIMIT, "LP", 5, "fold: the branch turns, a multiplier is +1")                                  \
  T(CROSSING, "BP", 6, "branch point: another branch crosses")                                     \
  T(DOUBLING, "PD", 7, "period doubling: a multiplier is -1")                                      \
  T(TORUS, "TR", 8, "a pair of multipliers crosses the unit circle")                               \
  T(USER, "UZ", -4, "a value that was asked for")                                                  \
  T(GRAZING, "GR", 41, "grazing: at an event the gap has no rate")                                 \
  T(ADMISSIBLE, "AD", 42, "border of admissibility: a force changes its sign after an event")      \
  T(SHORT, "SP", 43, "a phase of no length: the sequence of events changes")                       \
  T(CUSP, "CP", 44, "cusp: two folds meet")                                                        \
  T(END, "EP", 9, "end: of the range, of the number of points, or where it was to stop")           \
  T(FAILED, "MX", -9, "the branch could not be followed any farther")

#define SAL_BRANCH_ID(id, name, code, what) SAL_BRANCH_##id,
typedef enum { SAL_BRANCH_TYPES(SAL_BRANCH_ID) SAL_N_BRANCH_TYPE } sal_branch_type;
#undef SAL_BRANCH_ID

typedef struct {
  const char *name;
  int code;
  const char *what;
} sal_branch_kind;
extern const sal_branch_kind sal_branch_kinds[SAL_N_BRANCH_TYPE];

enum { SAL_BRANCH_PHASES = 16, SAL_BRANCH_WORDS = 256, SAL_BRANCH_PARAMS = 2 };

/** Where the numbers of a point stand in its row; counts and offsets. */
typedef struct {
  int n_state, n_multiplier, n_contact;
  int state, apex, re, im, phase, open, loss; /* phase [SAL_BRANCH_PHASES], open [n_contact] */
  int width;
} sal_branch_layout;

sal_branch_layout sal_branch_layout_make(int n_state, int n_multiplier, int n_contact);

/** A point.  Its row has the state at the section, the largest value of each state in a period
 *  (apex), the multipliers, the largest first, the durations from event to event (NaN after the
 *  last one), the time that each contact is open, and the largest share of the kinetic energy that
 *  an event takes (loss; NaN where the model has no energy). */
typedef struct {
  sal_branch_type type;
  int label;                         /* > 0: may be restarted from; 0: none */
  double lambda[SAL_BRANCH_PARAMS];  /* the free parameters; of a branch in one, the first */
  double period, residual;           /* |P(x) - x|, each coordinate by its size */
  double admissible, transversality; /* NaN where the model tests nothing */
  int n_event, n_unstable;
  bool stable;       /* n_unstable is 0 */
  double arc;        /* pseudo-arclength from the start of the continuation */
  const char *words; /* why, of MX and EP; borrowed from the branch, or "" */
} sal_branch_point;

/** Freed with sal_branch_free. */
typedef struct {
  sal_branch_layout layout;
  int64_t n, room, rows;
  sal_branch_point *point; /* [n] */
  double *row;             /* [n][layout.width] */
  int number;              /* of the branch in its file; the first is 1 */
  char words[2][SAL_BRANCH_WORDS];
} sal_branch;

void sal_branch_init(sal_branch *branch, sal_branch_layout layout);
void sal_branch_free(sal_branch *branch);
/** Appends a copy of the point and its row [width]. */
sal_err sal_branch_add(sal_branch *branch, const sal_branch_point *point, const double row[]);
const double *sal_branch_row(const sal_branch *branch, int64_t i);
/** Reverses the order of the points, so that a part that was followed backwards leads to its start. */
void sal_branch_reverse(sal_branch *branch);
/** Numbers the special points 1, 2, .. along the branch; the start of the continuation, too. */
void sal_branch_number_labels(sal_branch *branch);

/** A number of a point by its name: `period`, `multiplier` (the largest), a state at the section, its
 *  `apex_STATE`, `impact_loss`, `open_EVENT` (time between the contact's opening and its EVENT, its closing),
 *  `closed_EVENT`, or a free parameter. */
typedef struct {
  enum sal_branch_place {
    SAL_BRANCH_IS_PARAM,
    SAL_BRANCH_IS_PERIOD,
    SAL_BRANCH_IS_IN_ROW,
    SAL_BRANCH_IS_EQUILIBRIUM /* of the period */
  } kind;
  int at; /* in lambda or the row */
} sal_branch_quantity;

/** Fails with the names that there are.  where: "--mark". */
sal_err sal_branch_quantity_find(const char *where, const sal_model *model,
                                 const sal_branch_layout *layout, const char *const free_param[],
                                 const char *name, sal_branch_quantity *out);
double sal_branch_quantity_value(sal_branch_quantity quantity, const sal_branch_point *point,
                                 const double row[]);
