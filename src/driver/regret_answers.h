/** @file src/driver/regret_answers.h
 *  What a map advises at the points of another cube.
 */
#ifndef SAL_REGRET_ANSWERS_H
#define SAL_REGRET_ANSWERS_H

#include "performance_cube.h"

/** With which probability a choice is to be sure: see sal_regret_answer.confident. */
enum { SAL_REGRET_CONFIDENCES = 4 };
extern const double sal_regret_confidences[SAL_REGRET_CONFIDENCES];

/** What is asked, and of which contenders: those that count in the map and were run at the points. */
typedef struct {
  const sal_performance_cube *map;
  const sal_sweep *points;
  int64_t replicates; /* cells of a point */
  bool method[SAL_MAX_LIST], strategy[SAL_MAX_LIST];
  int n_error;
  const double *error;
} sal_regret_question;

/** The advice for one error: pair -1 where there is none. */
typedef struct {
  double error;
  sal_reason reason;
  sal_reader_choice total, likely; /* least expected total work; largest probability */
  sal_reader_choice confident[SAL_REGRET_CONFIDENCES]; /* least work with that probability */
} sal_regret_answer;

/** A point; all of it is borrowed. */
typedef struct {
  const double *value;              /* [n_param + n_option + n_state] */
  int64_t first, stride;            /* its cells: first + r stride, r < replicates */
  const sal_reader_answer *outside; /* any answer there, for the columns that lie outside the map */
  const sal_regret_answer *answer;  /* [n_error] */
} sal_regret_point;

/** Takes the points, one after the other; a failure ends it. */
typedef sal_err sal_regret_take(void *with, const sal_regret_point *point);

/** Fails where a map has too few cells to be asked. */
SAL_MUST_CHECK sal_err sal_regret_answers_check(const sal_performance_cube *map);

/** The question for errors [n], which are borrowed. */
sal_regret_question sal_regret_answers_question(const sal_performance_cube *map,
                                                const sal_sweep *points, int n,
                                                const double error[]);

/** Asks it at each point. */
SAL_MUST_CHECK sal_err sal_regret_answers_each(const sal_regret_question *question,
                                               sal_regret_take *take, void *with);

#endif
