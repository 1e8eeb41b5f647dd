/** @file src/answers/reader_view.h
 *  What the parts of the reader share: the neighbours of a few cells at a time with their rows, and
 *  the planes at one of them.
 */
#ifndef SAL_READER_VIEW_H
#define SAL_READER_VIEW_H

#include "between_sums.h"
#include "neighbours.h"
#include "reader_rows.h"
#include "reader_totals.h"
#include "tries.h"

enum { SAL_READER_BATCH = 32, SAL_READER_MOST_BATCH = 2048 };

/** sal_reader_view_free frees, also after a failure. */
typedef struct {
  sal_performance_source source; /* a copy; what it reads is borrowed */
  sal_reader_coordinates coordinates;
  sal_neighbours *neighbours;
  sal_reader_rows *rows;
  sal_reader_schedule schedule;
  sal_reader_totals totals;
  sal_tries plan;
  int room; /* places that may be at hand: SAL_READER_BATCH at least */
  /* Of the places at hand: */
  sal_reader_place *place; /* [room] */
  sal_nearest *list;       /* [room] */
  double *reach;           /* [room] distance of the next cell after those */
  sal_local_plane plane;   /* of one of them */
  sal_local_forecast forecast;
} sal_reader_view;

/** Of a source, which is copied.  Fails when a sample has too few cells. */
SAL_MUST_CHECK sal_err sal_reader_view_create(const sal_performance_source *source,
                                              sal_reader_view *view);
void sal_reader_view_free(sal_reader_view *view);

/** Of n places that lie anywhere, those from `done` on that are best found at once: then rows that are far from each other in a
 *  file are read in one go through it. */
static inline int sal_reader_view_batch(const sal_reader_view *view, int64_t n, int64_t done)
{
  return n - done < view->room ? (int)(n - done) : view->room;
}

/** Finds the k nearest cells, or all of the sample, of view->place [n]; skip [n] are cells left out of
 *  them whose rows are read all the same, NULL: none. */
SAL_MUST_CHECK sal_err sal_reader_view_find(sal_reader_view *view, int n,
                                            const sal_reader_metric *metric, int k,
                                            const int64_t skip[]);
/** The same of cells [n], themselves left out or not. */
SAL_MUST_CHECK sal_err sal_reader_view_find_cells(sal_reader_view *view, int n,
                                                  const int64_t cell[],
                                                  const sal_reader_metric *metric, int k,
                                                  bool skip);
/** Planes at place i of those found. */
SAL_MUST_CHECK sal_err sal_reader_view_fit(sal_reader_view *view, int i,
                                           const sal_reader_metric *metric, bool scatter);

/* What is estimated of all cells at once: how fast errors change along each coordinate, their
 * shape, by how much scatter is widened, and how well the answers keep what they promise at cells left out. */

/** Estimates it from cells of the source: the shape from all, or about 512 of more, the others from about 256. */
SAL_MUST_CHECK sal_err sal_reader_fit_make(sal_reader_view *view, sal_reader_fit *fit);
/** By how much scatter is widened for an error; preset: those of the errors in question. */
double sal_reader_fit_width(const sal_reader_fit *fit, const double preset[], double error);
/** The promise kept for any error, at the same cells and by the width of that fit. */
SAL_MUST_CHECK sal_err sal_reader_fit_promise(sal_reader_view *view, const sal_reader_fit *fit,
                                              double error, sal_reader_promise *promise);

#endif
