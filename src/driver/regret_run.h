/** A map judged at points: the cube of points, drawn from the map's box and run, and what the map advises
 *  there.
 */
#pragma once

#include "extension.h"
#include "performance_cube.h"
#include "run_sweep.h"

/** Options of the evaluation; strings are borrowed. */
typedef struct {
  const char *path; /* the map */
  const char *from; /* a cube of points that is there already; NULL: they are drawn and run */
  sal_offgrid_request points;         /* method and strategy are set from the map, as these say: */
  bool some_methods, some_strategies; /* only those that may win in the map are run */
  sal_performance_chooser map_as, points_as; /* how both are read */
  sal_sweep_trust trust;                     /* of their sweep */
  sal_run_options run;                       /* out: the cube of points */
} sal_regret_request;

/** State of one rank: the caller fills `request` and leaves the rest 0; only rank 0 has the cubes and the text.
 *  sal_regret_free frees it, also after a failure.  It must not be moved. */
typedef struct {
  sal_regret_request request;
  sal_performance_cube map, points;
  char *text; /* of the sweep of the points */
} sal_regret;

/** On one rank: opens the map.  Fails where it has too few cells to be asked, and where it would be overwritten. */
sal_err sal_regret_open(sal_regret *regret);
/** On one rank, unless `from`: claims the output and draws the points. */
sal_err sal_regret_draw(sal_regret *regret);
/** Collective, unless `from`: runs what was drawn on rank 0. */
sal_err sal_regret_run(MPI_Comm comm, double began, sal_regret *regret);
/** On one rank: opens the cube of points, and checks that it goes together with the map. */
sal_err sal_regret_open_points(sal_regret *regret);
void sal_regret_free(sal_regret *regret);

/** With which probability a choice is to be sure: see sal_regret_answer.confident. */
enum { SAL_REGRET_PROBABILITIES = 4 };
extern const double sal_regret_probabilities[SAL_REGRET_PROBABILITIES];

/** Question, and its configurations: the ones that count in the map and were run at the points. */
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
  /* First the answer, then what follows its misses: attempts [n_attempt]; of the first error `outside`, too. */
  const sal_surrogate_answer *schedule;
  sal_surrogate_choice confident[SAL_REGRET_PROBABILITIES]; /* least work with that probability */
} sal_regret_answer;

/** A point; all of it is borrowed. */
typedef struct {
  const double *value;             /* [n_param + n_option + n_state] */
  int64_t first, stride;           /* its cells: first + r stride, r < replicates */
  const sal_regret_answer *answer; /* [n_error] */
} sal_regret_point;

/** Takes the points, one after the other; a failure ends it. */
typedef sal_err sal_regret_take(void *with, const sal_regret_point *point);

/** The question for errors [n], which are borrowed. */
sal_regret_question sal_regret_answers_question(const sal_performance_cube *map,
                                                const sal_sweep *points, int n,
                                                const double error[]);

/** Asks it at each point. */
sal_err sal_regret_answers_each(const sal_regret_question *question, sal_regret_take *take,
                                void *with);
