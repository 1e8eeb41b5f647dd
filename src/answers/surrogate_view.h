/** Data that the parts of the surrogate share: the neighbours of a few cells at a time with their rows, and
 *  the planes at one of them.
 */
#pragma once

#include "schedule.h"

enum { SAL_SURROGATE_BATCH = 32, SAL_SURROGATE_MOST_BATCH = 2048 };

/** sal_surrogate_view_free frees, also after a failure. */
typedef struct sal_surrogate_view {
  sal_performance_source source; /* a copy; what it reads is borrowed */
  sal_surrogate_coordinates coordinates;
  sal_neighbours *neighbours;
  sal_surrogate_rows *rows;
  sal_surrogate_steps steps;
  sal_surrogate_totals totals;
  sal_schedule schedule;
  sal_parallel_loop *loop;
  int threads;
  struct sal_surrogate_view
      *twin; /* [threads - 1] of the other threads: rows, steps and places are this one's */
  sal_surrogate_fit *fit; /* of a surrogate: visits are by its metric; twins borrow it */
  int room;               /* places of a batch: SAL_SURROGATE_BATCH at least */
  /* Data of the places of the batch: */
  sal_surrogate_place *place; /* [room] */
  sal_nearest *list;          /* [room] */
  double *reach;              /* [room] distance of the next cell after those */
  int here;                   /* one of them, with its planes: */
  sal_local_plane plane;
  sal_local_forecast forecast;
} sal_surrogate_view;

/** Opens a view of a source, which is copied.  Fails when a sample has too few cells. */
sal_err sal_surrogate_view_create(const sal_performance_source *source, sal_surrogate_view *view);
void sal_surrogate_view_free(sal_surrogate_view *view);
/** Number of the n places, in any order, from `done` on that are best found at once: then rows that are far from each other in a
 *  file are read in one pass. */
static inline int sal_surrogate_view_batch(const sal_surrogate_view *view, int64_t n, int64_t done)
{
  return n - done < view->room ? (int)(n - done) : view->room;
}

/** Finds the k nearest cells, or all of the sample, of view->place [n]; skip [n] are cells left out of
 *  them whose rows are read all the same, NULL: none. */
sal_err sal_surrogate_view_find(sal_surrogate_view *view, int n, const sal_surrogate_metric *metric,
                                int k, const int64_t skip[]);
/** The same of cells [n], themselves left out or not. */
sal_err sal_surrogate_view_find_cells(sal_surrogate_view *view, int n, const int64_t cell[],
                                      const sal_surrogate_metric *metric, int k, bool skip);
/** Planes at place i of those found. */
sal_err sal_surrogate_view_fit(sal_surrogate_view *view, int i, const sal_surrogate_metric *metric,
                               bool scatter);

/** Places by cells, or by points value [][n_param + n_option + n_state]: of each the nearest cells. */
typedef struct {
  const int64_t *cell; /* NULL: points */
  double (*value)[SAL_MAX_QUANTITY];
  /* With planes at the place of the given number. */
  void (*at)(void *with, sal_surrogate_view *view, int64_t number);
  void *with;
} sal_surrogate_visit;

/** Calls visit->at for n places, in any order, by the threads that share the view, each with a view of its own. */
sal_err sal_surrogate_view_visit(sal_surrogate_view *view, int64_t n,
                                 const sal_surrogate_visit *visit);
/** The view of a thread. */
static inline sal_surrogate_view *sal_surrogate_view_of(sal_surrogate_view *view, int thread)
{
  return thread == 0 ? view : &view->twin[thread - 1];
}
/** Lets so many threads of a loop share visits and the fit from now on, unless some do.  Rows are read by the calling thread alone. */
sal_err sal_surrogate_view_share(sal_surrogate_view *view, int threads, sal_parallel_loop *loop);

/* Estimates from all cells at once: how fast errors change along each coordinate, their
 * shape, by how much scatter is widened, and the calibration of the answers at cells left out. */

/** Estimates it from cells of the source: the shape from all, or about 512 of more, the others from about 256. */
sal_err sal_surrogate_fit_make(sal_surrogate_view *view, sal_surrogate_fit *fit);
/** By how much scatter is widened for an error; preset: those of the errors in question. */
double sal_surrogate_fit_width(const sal_surrogate_fit *fit, const double preset[], double error);
/** The calibration of the view's fit for any error: leave-one-out at the same cells, whose neighbours are read. */
sal_err sal_surrogate_fit_calibration(sal_surrogate_view *view, double error,
                                      sal_surrogate_calibration *calibration);

/** True with enough cells for a surrogate; without one a map has winners of cells alone. */
sal_err sal_surrogate_possible(const sal_sweep *sweep, bool *possible);

/* The confidence that one answer needs less work than another at a place: how thick a border of the map is.
 *
 * Work and error of a run trade against each other: what a configuration takes for an asked error e is about
 * ln W + k (ln E - ln e), k = -d ln W / d ln E between the tolerances around it.  The difference of two of these at
 * the cells around a place goes through a plane: its value at the place over the distance of another cell gives the probability that
 * one of the two takes less work.  Errors and works of two configurations in one cell depend on each other, and so it is their
 * difference that is taken, cell by cell.  Its law is Student's with 4 degrees of freedom: it has heavier tails than a
 * normal one.
 *
 * Answers are ranked by expected totals, in which misses of all kinds count: their ratio is not what scatters here, and
 * where tolerances are about to end it is much larger.  An answer whose next one would take less for the error, but misses more
 * often, has a probability below 1/2. */

/** The answer p[0], at the place that the view has planes of, beside its runner-up p[1] and the first with another method p[2]
 *  (step -1: there is none), by their totals.  Fills in the members of answer.def from runner_up on.  A
 *  confidence is .0001 to .9999, NaN where too few cells have both.  both: that beside p[2], too, where it is not p[1]. */
void sal_confidence_compare(sal_surrogate_view *view, double ln_error,
                            const sal_surrogate_pick p[3], bool both, sal_answer *answer);

/* Estimates how far errors lie from the line between two levels (between_levels.h) from planes at many places. */

/** sal_between_sums_free frees, also after a failure. */
typedef struct {
  const sal_surrogate_steps *steps; /* borrowed */
  int n_pair, room, n;              /* places: at most, so far */
  double *residual;                 /* [n_pair][n_level][room]; NaN: none */
  double *noise; /* [n_pair][n_level] sums of the variance that the planes have */
  double *rise,
      *width; /* [n_pair] sums of logarithms: of differences and gaps, over those half as wide */
} sal_between_sums;

sal_err sal_between_sums_create(const sal_surrogate_steps *steps, int n_pair, int most,
                                sal_between_sums *sums);
void sal_between_sums_free(sal_between_sums *sums);
/** Planes at one more place. */
void sal_between_sums_add(sal_between_sums *sums, const sal_local_forecast *forecast);
sal_err sal_between_sums_make(const sal_between_sums *sums, sal_between_levels *out);
