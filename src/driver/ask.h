/** Questions to a cube: at one point or over a box, by sal_ask, the answer run and checked there, and its reasons; over a raster.
 */
#pragma once

#include "performance_cube.h"
#include "physical.h"
#include "why.h"
#include <mpi.h>

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
/** Runs beside an attempt. */
enum { SAL_CHECK_BESIDE = 3 };

/** An attempt of the schedule run at the point, and beside it other runs, the last of which shows its error. */
typedef struct {
  sal_surrogate_choice tried, beside; /* of the last one beside it pair and tolerance alone */
  int n_beside;
  double difference; /* the estimated error of the attempt; NaN: one of them has no end */
  double work[2];    /* measured, of all beside it; NaN: no end */
  int outcome[2];    /* how they ended */
  double reached[2]; /* and when */
  sal_check_verdict verdict;
} sal_check;

/** sal_ask_free frees it. */
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
  /* A box: NaN is all of the quantity.  Filled in by sal_ask. */
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
  int hit; /* the attempt that is the answer; -1: none */
  bool ran;
  double
      growth; /* > 0: of errors over a run at the point, where that is sensitive (orbit/growth.h) */
  double reference_error;   /* at the point; infinite: the reference has no end */
  sal_recommend_run run[2]; /* the answer and its runner-up */
} sal_advice;

/** Flags.  RUN: by error, the attempts of the schedule run at the point (sal_check_attempts).  ALLOW: an answer without a
 *  configuration, whose best.pair is -1, is a success.  ALONE: the cube has no cells; the answer is that of sal_check_alone. */
enum { SAL_ASK_RUN = 1, SAL_ASK_ALLOW = 2, SAL_ASK_ALONE = 4 };
/** advice->growth: how fast errors grow over a run to t_end at a point, where that is a thousandfold or more; else 0. */
sal_err sal_recommend_growth(sal_advice *advice, const sal_model *model, const double param[],
                             const double initial[], double t_end);

/** Asks the cube for an error, or by points, at a point [of all quantities] or over advice->lo..hi if that is boxed.  Only
 *  configurations of the cube's chooser may win.  Fails where the model cannot begin at the point, when there are too few
 *  cells, and when no configuration answers, with the nearest one or how the last attempt failed.  May be called again for
 *  another question or point of the same cube, but for a box. */
sal_err sal_ask(sal_advice *advice, sal_question question, const double point[], unsigned how);
void sal_ask_free(sal_advice *advice);

/** How many of answer->pair take up to 10 % more than the answer: total work, or work where a
 *  probability was asked for. */
int sal_ask_close(const sal_advice *advice);
/** How much more a choice takes than the answer, as a share. */
double sal_ask_more(const sal_advice *advice, const sal_surrogate_choice *choice);
enum { SAL_RECOMMEND_FOR = 128 };
/** Advantage of a choice over the answer: "less work at once, the looser tolerance". */
const char *sal_ask_for(const sal_advice *advice, const sal_surrogate_choice *choice,
                        char text[SAL_RECOMMEND_FOR]);
/** The sweep of the point with two choices alone, pair -1: one; sal_sweep_free frees.  And the configuration of it that a
 *  choice is. */
sal_err sal_recommend_sweep(const sal_advice *advice, const sal_surrogate_choice *one,
                            const sal_surrogate_choice *two, sal_sweep *sweep);
int sal_recommend_config(const sal_advice *advice, const sal_sweep *sweep,
                         const sal_surrogate_choice *choice);
/** Fills advice->run. */
sal_err sal_recommend_run_at(sal_advice *advice);

/** Opens the surrogate of an open cube, of its table where that is small, else of the rows that are needed, with what its map has estimated, if that is for the same error and work; *source,
 *  which it reads from, must live as long.  many: points are to be asked.  Fails when there are too few cells; the message names the command that shows their winners. */
sal_err sal_ask_surrogate(sal_performance_cube *cube, bool many, sal_performance_source *source,
                          sal_surrogate **surrogate);

/* Does a run miss the requested error?  Decided without a reference: by a second run beside it.
 *
 * The two are compared by the requested measure of error: by the largest difference of the watched state over
 * the mesh, its integral, or that at the end.  More than the requested error counts as a miss.  Where the second run errs by
 * little that difference is the first one's error; where it errs as much the verdict may be wrong.  How often it is wrong is counted on the map itself: in
 * cells of it the surrogate's answer is run with the run beside it, and the cube has the error of the answer. */

/** Verdicts in cells of the map whose truth is known. */
typedef struct {
  int64_t hits,
      false_alarms;       /* runs that reach the error, and those of them that were called a miss */
  int64_t misses, unseen; /* runs that do not, and those that were called a hit */
} sal_check_rates;

/** Runs the answer of the advice, which has one, and beside it the second attempt of its schedule (next) or the same solver at
 *  a tolerance that is a decade tighter.  Errors of trajectories alone (sal_error_metric.trajectory). */
sal_err sal_check_at(const sal_advice *advice, bool next, sal_check *check);

/** Runs attempts at the point, each beside a run that errs by a fifth of it at most, as the cells predict, or at a tenth of its
 *  tolerance where none does, up to the first hit, which is the answer from then on: those of the schedule, or the most probable
 *  configuration where there is none though references reach the error, then the last solver at tighter tolerances.  Where none hits, the answer has pair -1; where the
 *  flag of stop.h ends it (sal_check_is_halted of the last one), the answer stays as it was.  Fills advice->here. */
sal_err sal_check_attempts(sal_advice *advice);
bool sal_check_is_halted(const sal_check *check);
/** "done", or how else a run has ended. */
const char *sal_check_outcome(int outcome);

/** Without cells: the pairs of the sweep run at the point at ever tighter tolerances, from the asked error on, each attempt beside
 *  the next pair at a tenth of it, up to the tolerance after the first hit.  The answer is the hit of least work, whose error and work are measured, and which has no
 *  probability; pair -1: none.  The flag of stop.h ends it.  Fills advice->here. */
sal_err sal_check_alone(sal_advice *advice);

/** Runs what would answer, and its check, in up to `cells` cells of the map. */
sal_err sal_check_map(sal_advice *advice, bool next, int64_t cells, sal_check_rates *rates);

/* ---- Why an answer is what it is: what the cells around the point have counted. ---- */

/** The best answer of another solver. */
typedef struct {
  int method;                       /* of the sweep */
  const sal_surrogate_choice *best; /* of the advice; NULL: it does not reach the error there */
  bool counted;                     /* there are counts of both, and so a cause */
  sal_why why;
} sal_recommend_rival;

typedef struct {
  double stiffness_ratio, fastest_rate, events; /* at the point, by planes; NaN: not known */
  double
      exponent; /* the largest Lyapunov exponent, where most cells around are chaotic; else NaN */
  int n_rival;
  sal_recommend_rival rival[SAL_MAX_LIST]; /* those that may win but for the best, cheapest first */
} sal_recommend_why;

/** For advice that has an answer, from the file of its cube; before its surrogate is asked anything else. */
sal_err sal_recommend_why_find(const sal_advice *advice, sal_recommend_why *why);

/** Its `exponent` alone, also without an answer; NaN, too, where the cells cannot be read. */
double sal_recommend_chaos(const sal_advice *advice);

/** Without an answer, where the references of most cells around the point have no end: mean over these of captured_difference, between
 *  two runs of time stepping; else NaN. */
double sal_recommend_captured(const sal_advice *advice);

enum { SAL_RECOMMEND_CHAOS = 256 };
/** "chaotic: errors grow tenfold every 3.1", and from when on rounding alone is more than the asked error, taking states as of the
 *  size of 1. */
const char *sal_recommend_chaos_text(const sal_advice *advice, double exponent,
                                     char text[SAL_RECOMMEND_CHAOS]);

/* ---- A picture of a cube: the surrogate asked at all points of a raster, by all ranks. ---- */

/** sal_raster_cube_free frees it; it must not be moved once it is open. */
typedef struct {
  sal_performance_cube cube; /* begun by the caller, for errors */
  sal_performance_source source;
  sal_surrogate *surrogate;
  sal_surrogate_question question;
  sal_surrogate_raster raster;    /* its axes as given, then settled */
  double share[SAL_MAX_QUANTITY]; /* what each coordinate decides in its box */
  double box_lo[SAL_MAX_QUANTITY], box_hi[SAL_MAX_QUANTITY]; /* of all quantities, before */
  int64_t n;
  sal_answer *spot; /* [n] on rank 0; NULL elsewhere */
} sal_raster_cube;

/** Opens the surrogate of the cube, and fills in the box of the raster; `where` heads messages about it. */
sal_err sal_raster_cube_open(sal_raster_cube *raster, const char *where);
/** Finds what decides, and settles the axes. */
sal_err sal_raster_cube_settle(sal_raster_cube *raster);
/** Collective.  Asks at all points, a run of them on each rank; the same bits for any number of ranks.  here: this
 *  rank's failure before, which all then have. */
sal_err sal_raster_cube_ask(MPI_Comm comm, sal_raster_cube *raster, sal_err here);
void sal_raster_cube_free(sal_raster_cube *raster);
