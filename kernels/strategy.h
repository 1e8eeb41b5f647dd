/** @file kernels/strategy.h
 *  What a strategy is: how changes of mode are met.
 *
 *  To add one, write kernels/strategies/NAME.c and put SAL_STRATEGY(NAME) in
 *  kernels/strategies.def; the descriptor is called sal_strategy_NAME.
 */
#ifndef SAL_STRATEGY_H
#define SAL_STRATEGY_H

#include <stdbool.h>

#include "method.h"
#include "model.h"

struct sal_finder_w1;
struct sal_finder_w4;
struct sal_finder_w8;

/** The description, the same at every width; all of it is static storage. */
typedef struct {
  const char *name, *title, *source;
  bool        held;     /* the mode is frozen while stepping */
  bool        zoned;    /* projects inside a zone around each surface: needs setup.zone */
  bool        fixed;    /* steps are fixed: needs setup.fixed_step */
  bool        one_step; /* works with one-step methods only */
  bool        in_gap;   /* its zone is one in units of the gap, never in time */
  bool        every;    /* needs to see every contact, also in a row */
  const struct sal_finder_w1 *w1;
  const struct sal_finder_w4 *w4;
  const struct sal_finder_w8 *w8;
} sal_strategy;

#define SAL_DECLARE_FINDERS(name)                                                                  \
  extern const struct sal_finder_w1 sal_##name##_w1;                                               \
  extern const struct sal_finder_w4 sal_##name##_w4;                                               \
  extern const struct sal_finder_w8 sal_##name##_w8;
#define SAL_FINDERS(name) .w1 = &sal_##name##_w1, .w4 = &sal_##name##_w4, .w8 = &sal_##name##_w8

/** Does this strategy apply the model's jumps, where they matter? */
static inline bool sal_strategy_meets(const sal_strategy *strategy, const sal_model *model)
{
  return strategy->held || !model->resets;
}

/** Can this strategy drive this method?  A multistep method cannot go on from a projected state. */
static inline bool sal_pair_works(const sal_method *method, const sal_strategy *strategy)
{
  return !strategy->one_step || method->min_order == method->order;
}

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES

/** Dense output of the current step, made at most once per step and only when asked for. */
typedef struct {
  sal_stepper *step;
  double       origin;
  int          rhs;    /* what it costs */
  int          degree; /* -1: not made yet */
  sal_m        paid;   /* lanes in which the cost has been counted */
  sal_v       *c;      /* [SAL_MAX_DEGREE + 1][n] */
} sal_dense;

/** The contacts of SAL_LANES trajectories over one step.  Candidates are those that may change
 * sides next: every contact, or the two of a row that can (model.h, sal_row), which differ by lane.
 */
typedef struct {
  int    n;            /* candidates */
  bool   in_row;       /* they are those of a row */
  double zone;         /* half-width of the zone around a surface, in units of the gap or of time */
  bool   zone_in_time; /* which of the two */
  sal_m  one_way;      /* all lanes, if the model's contacts close for good */
  sal_v *rank;         /* [n] the contact that each candidate is */
  sal_v *side;         /* [n] +1 open, -1 closed: side * gap > 0 inside the phase */
  sal_v *onward;       /* [n] in a row: contact rank + onward crosses behind it */
  sal_v *gap, *rate;   /* [n] at t, and d gap/dt there; the loop keeps them up to date */
  sal_v *gapn, *raten; /* [n] the same at tn */
  sal_m *touching;     /* [n] this contact changed sides at t: its gap is 0 by definition */
  sal_v  touched_from, touched_to; /* in a row: the contacts that changed sides at t */
  sal_v *ya, *yb;                  /* [n_state] scratch */
  sal_v *ga, *ra;                  /* [n] scratch */
  sal_v *late;             /* [n] scratch: side * gap at the end of the part still in question */
  sal_m *own;              /* [finder->words(n)] the strategy's own memory */
  sal_m *suspect, *chosen; /* [n] scratch */
  sal_v *when;             /* [n] scratch: where in the step each contact crosses */
} sal_contacts;

/** What a strategy says of a step that passed the error test. */
typedef struct {
  sal_m  hit;    /* lanes in which a contact changes sides at t + theta h */
  sal_m  refuse; /* lanes whose step jumps over a whole hop: repeat it, smaller */
  sal_m  graze;  /* lanes of `hit` that leave the new mode at the instant they entered it */
  sal_m  leap;   /* lanes of `hit` in which the gap leaps over 0 */
  sal_v  theta;  /* in (0, 1], or 0 for a graze */
  sal_m *fired;  /* [n] lanes in which this candidate is the one */
  sal_v *many;   /* [n] in a row: how many contacts change, from the candidate onward */
} sal_crossing;

/** gap [n] and rate [n] of the candidates at (t, y) along the tangent dy. */
void SAL_FN(sal_contacts_look)(const sal_stepper *s, const sal_contacts *at, sal_v t,
                               const sal_v y[], const sal_v dy[], sal_v gap[], sal_v rate[]);
#define sal_contacts_look SAL_FN(sal_contacts_look)

/** What a strategy does around a step; NULL where it does nothing.  A strategy without `find` and
 *  `project` never looks for contacts. */
typedef struct SAL_FN(sal_finder) {
  /** Own memory for n candidates, in sal_m. */
  int (*words)(int n);
  /** At the start of a run; the gaps are known. */
  void (*enter)(const sal_stepper *s, const sal_contacts *at, sal_m lanes);
  /** Behind a step that passed the error test. */
  void (*find)(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out);
  /** Instead of a step: moves lanes that are close to a surface onto it.  Returns them, their new
   *  states in s->yn and times in s->tn (h = tn - t may be negative), and out->fired. */
  sal_m (*project)(sal_stepper *s, const sal_contacts *at, sal_m lanes, sal_crossing *out);
  /** Before a step: the longest one that stays clear of the surfaces. */
  sal_v (*reach)(const sal_stepper *s, const sal_contacts *at);
} sal_finder;

/** Makes the dense output of this step if need be, and counts its cost in `lanes`. */
void SAL_FN(sal_dense_make)(sal_dense *d, sal_m lanes);
/** State [n_state] at t + theta h, once it is made. */
void SAL_FN(sal_dense_state)(const sal_dense *d, sal_v theta, sal_v y[]);
/** Its derivative with respect to time. */
void SAL_FN(sal_dense_slope)(const sal_dense *d, sal_v theta, sal_v dy[]);

#define sal_dense_make  SAL_FN(sal_dense_make)
#define sal_dense_state SAL_FN(sal_dense_state)
#define sal_dense_slope SAL_FN(sal_dense_slope)
#endif

#endif
