/** A recommendation map: for each cell and each question the best configuration, plain data.
 *
 *  Configurations have the numbers of config.h, [tolerance][strategy][method].  The runner-up is the
 *  best configuration of another method or strategy: the same solver at the next tolerance does not count
 *  as another one.
 */
#pragma once

#include "sweep.h"

/** Weights of eq. (36) of Dallas, Machairas, Papadopoulos. */
typedef struct {
  double sd, dt, iae;
} sal_weights;

/** Reads "sd=2,dt=0,iae=1"; those not named are 0, none may be negative, not all may be 0. */
sal_err sal_map_weights_parse(const char *where, const char *text, sal_weights *out);

/** Reason of an answer: R(ID, "label", "meaning"). */
#define SAL_REASONS(R)                                                                             \
  R(NO_CONFIG, "no_config",                                                                        \
    "no configuration answers the question, though the reference is good enough")                  \
  R(ALONE, "alone", "only one method with one strategy answers it")                                \
  R(WORK, "work", "the best does less work than the runner-up")                                    \
  R(SD, "sd", "the solution duration adds most to the margin in points")                           \
  R(DT, "dt", "the divergence time adds most to the margin in points")                             \
  R(IAE, "iae", "the integral of the absolute error adds most to the margin in points")            \
  R(TIE_WORK, "tie_work", "equal points, less work")                                               \
  R(TIE_ERROR, "tie_error", "equal points and work, the smaller error")                            \
  R(TIE_ORDER, "tie_order", "equal in everything, first in the order of the sweep file")           \
  R(NO_REFERENCE, "no_reference",                                                                  \
    "the reference is less accurate than what is asked for, or there is none")                     \
  R(OVER_CUTOFF, "over_cutoff",                                                                    \
    "not known: a run that was stopped at the cutoff of its cell, or not begun, might answer it "  \
    "better")                                                                                      \
  R(CAPTURED, "captured",                                                                          \
    "not known: the reference has no end, where time stepping has; its error is not known")

#define SAL_REASON_ID(id, label, what) SAL_REASON_##id,
typedef enum { SAL_REASONS(SAL_REASON_ID) SAL_N_REASON } sal_reason;
#undef SAL_REASON_ID

/** Is the truth not known well enough to answer? */
static inline bool sal_reason_lacks_reference(sal_reason reason)
{
  return reason == SAL_REASON_NO_REFERENCE || reason == SAL_REASON_CAPTURED;
}

/** Label and meaning of each reason, by number. */
extern const struct sal_reason_text {
  const char *label, *what;
} sal_map_reasons[SAL_N_REASON];

enum { SAL_MAX_QUESTION = 32 };

/** One place of a map.  By error the value is the work and the margin how much more of it the
 *  runner-up takes, as a share; by points the value is p_tot of (36) and the margin the difference.
 *  NaN without such a configuration. */
typedef struct {
  int best, second; /* configurations, -1: none */
  double value, second_value, margin;
  double error; /* of the best one */
  sal_reason reason;
} sal_map_place;

/** The recommendation at a point for an asked error (src/answers/surrogate.h); src/answers/answer.def has the meaning of each
 *  member.  Pairs of method and strategy have the numbers of config.h, the tolerance is any.  -1 and NaN where there is
 *  none. */
typedef struct {
  int pair, runner_up, other;
  sal_reason reason; /* of no answer: NO_CONFIG, NO_REFERENCE or CAPTURED; else WORK, or ALONE */
  double rtol, probability, error, work, total;
  double margin, confidence; /* the confidence is about 1/2 at a border of the map */
  double other_margin, other_confidence;
} sal_answer;

typedef enum { SAL_MEMBER_OF_CHOICE, SAL_MEMBER_OF_ANSWER } sal_answer_of;
typedef enum { SAL_MEMBER_PAIR, SAL_MEMBER_NUMBER, SAL_MEMBER_REASON } sal_answer_type;
typedef enum { SAL_MEMBER_PURE, SAL_MEMBER_ERROR, SAL_MEMBER_WORK } sal_answer_unit;

/** A row of src/answers/answer.def, as outputs read it. */
typedef struct {
  const char *name, *what;
  sal_answer_of of;
  sal_answer_type type;
  sal_answer_unit unit;
  bool map; /* a dataset of maps */
  double (*get)(const sal_answer *answer);
} sal_answer_member;

/** A map; its owner frees it with sal_map_free. */
typedef struct {
  int64_t n_cell;
  const sal_error_metric *by; /* the error that is asked for */
  int n_error, n_weights, n_tolerance;
  double error[SAL_MAX_QUESTION];        /* asked for */
  sal_weights weights[SAL_MAX_QUESTION]; /* asked weights */

  sal_work_weights work;
  sal_points_scope scope;
  bool method[SAL_MAX_LIST], strategy[SAL_MAX_LIST]; /* which may win */
  bool timed;                      /* solution duration measured in time; else in work */
  sal_map_place *by_error;         /* [n_cell][n_error] */
  sal_map_place *by_points;        /* [n_cell][n_weights][n_tolerance] */
  sal_answer *answer;              /* [n_cell][n_error]; NULL: too few cells for the surrogate */
  const sal_answer_member *member; /* of an answer; the last has no name */
} sal_map;
void sal_map_free(sal_map *map);
