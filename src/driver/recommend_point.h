/** @file src/driver/recommend_point.h
 *  A question asked of a map at one point, and its answer put to the test there.
 */
#ifndef SAL_RECOMMEND_POINT_H
#define SAL_RECOMMEND_POINT_H

#include "parameter_column.h"
#include "performance_cube.h"
#include "physical.h"
#include "surrogate_box.h"

/** One run at the point itself. */
typedef struct {
  sal_surrogate_choice choice; /* pair -1: not run */
  double error, work;          /* measured; NaN: it does not count */
  int outcome;                 /* how it ended */
  double reached;              /* and when */
} sal_recommend_run;

typedef enum { SAL_CHECK_HIT, SAL_CHECK_MISS, SAL_CHECK_UNKNOWN } sal_check_verdict;

/** Evaluations of f that a run at a point may take where nothing is said. */
#define SAL_RECOMMEND_BUDGET 1e8

/** Attempts at a point: those of the schedule, and tolerances of the last solver down to 1e-14. */
enum { SAL_CHECK_HERE = SAL_SCHEDULE_MOST + 1 + 14 };

/** An attempt of the schedule run at the point, and beside it another run that shows its error (check_run.h). */
typedef struct {
  sal_surrogate_choice tried, beside; /* of beside pair and tolerance alone */
  double difference; /* the estimated error of the attempt; NaN: one of them has no end */
  double work[2];    /* measured; NaN: no end */
  int outcome[2];    /* how they ended */
  double reached[2]; /* and when */
  sal_check_verdict verdict;
} sal_check;

/** sal_recommend_point_free frees it. */
typedef struct {
  const char *path;
  sal_sweep_trust trust; /* for what is run */
  sal_performance_cube cube;
  const sal_tile_result *runs; /* of all cells, where the cube has no file; borrowed */
  sal_performance_source source;
  sal_surrogate *surrogate;
  sal_question question;
  bool calibrated;                /* the calibration for the asked error itself is wanted */
  double probability;             /* NaN: least expected total work */
  double value[SAL_MAX_QUANTITY]; /* the point; of a box its middle */
  /* A box: NaN is all of the quantity.  Filled in by sal_recommend_point_find. */
  bool boxed;
  const char *box_is; /* heads messages about it */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];
  sal_surrogate_box *box;       /* NULL: a point */
  sal_measure measure;          /* what the point is in metres and seconds; the table's, too */
  sal_surrogate_answer *answer; /* also by points: the cells, and what lies outside */
  sal_surrogate_points *points; /* [n_points] by points, ranked */
  int n_points;
  sal_surrogate_calibration
      calibration; /* for the asked error, or the nearest one that the map has; asked 0: none */
  double
      budget; /* of runs at the point, in evaluations of f; 0: that of the cube's sweep, or 1e8 */
  int n_here; /* attempts that were run at the point (sal_check_attempts), in their order */
  sal_check here[SAL_CHECK_HERE];
  bool ran;
  double reference_error;   /* at the point; infinite: the reference has no end */
  sal_recommend_run run[2]; /* the answer and its runner-up */
} sal_recommend_point;

/** Finds the answer; fails where the model cannot begin at the point, when there are too few cells, and by points when no
 *  configuration has any.  May be called again
 *  for another question or point of the same cube, but for a box. */
SAL_MUST_CHECK sal_err sal_recommend_point_find(sal_recommend_point *advice);
/** The failure that no configuration answers, with what comes nearest, or with how the last attempt failed at the point. */
sal_err sal_recommend_point_unanswered(const sal_recommend_point *advice);
void sal_recommend_point_free(sal_recommend_point *advice);

/** How many of answer->pair take up to 10 % more than the answer: total work, or work where a
 *  probability was asked for. */
int sal_recommend_point_close(const sal_recommend_point *advice);
/** How much more a choice takes than the answer, as a share. */
double sal_recommend_point_more(const sal_recommend_point *advice,
                                const sal_surrogate_choice *choice);
enum { SAL_RECOMMEND_FOR = 128 };
/** Advantage of a choice over the answer: "less work at once, the looser tolerance". */
const char *sal_recommend_point_for(const sal_recommend_point *advice,
                                    const sal_surrogate_choice *choice,
                                    char text[SAL_RECOMMEND_FOR]);
/** The sweep of the point with two choices alone, pair -1: one; sal_sweep_free frees.  And the configuration of it that a
 *  choice is. */
SAL_MUST_CHECK sal_err sal_recommend_point_sweep(const sal_recommend_point *advice,
                                                 const sal_surrogate_choice *one,
                                                 const sal_surrogate_choice *two, sal_sweep *sweep);
int sal_recommend_point_config(const sal_recommend_point *advice, const sal_sweep *sweep,
                               const sal_surrogate_choice *choice);
/** Fills advice->run. */
SAL_MUST_CHECK sal_err sal_recommend_run_at(sal_recommend_point *advice);

#endif
