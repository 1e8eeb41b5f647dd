/** @file src/answers/reader.h
 *  The reader: which method, strategy and tolerance reaches an asked error at a point with least
 *  expected total work, and with what probability.
 *
 *  Around the point a plane is fitted to the logarithms of error and work of each contender, by
 *  weighted least squares over the nearest cells (Cleveland and Devlin, "Locally weighted regression",
 *  J. Am. Stat. Assoc. 83, 1988).  How far its errors scatter around the plane is the contender's own, at this place;
 *  in what shape they do is one for all contenders and places (error_shape.h), from cells left out.  Between the tolerances of the sweep both are interpolated, so that the answer
 *  may have any tolerance.  The answer is the first try of a plan (tries.h), whose total counts what follows a miss:
 *  the next tries, by any method, and after the last the dearest contender.
 *
 *  All cells alike, of grids, random, Sobol and scattered points; options of a model, and other
 *  quantities with nothing between two values, divide the cells into samples of their own.
 */
#ifndef SAL_READER_H
#define SAL_READER_H

#include "answer.h"
#include "map.h"
#include "performance_table.h"
#include "question.h"
#include "reader_coordinates.h"
#include "reader_types.h"
#include "tries.h"

/** A reader of a source, which it copies; what that reads from is borrowed.  sal_reader_close frees it. */
typedef struct sal_reader sal_reader;

/** Opens it.  fit: of the same source, from before; NULL: it is made, which reads up to 512 times 49 cells.
 *  Fails when a sample has fewer cells than a plane needs: SAL_ERR_INPUT, which says how many. */
SAL_MUST_CHECK sal_err sal_reader_open(const sal_performance_source *source,
                                       const sal_reader_fit *fit, sal_reader **reader);
void sal_reader_close(sal_reader **reader);
const sal_reader_fit *sal_reader_fit_of(const sal_reader *reader);
/** How it keeps what it promises for that error: leave-one-out at up to 256 cells, whose neighbours are read. */
SAL_MUST_CHECK sal_err sal_reader_promise_of(sal_reader *reader, double error,
                                             sal_reader_promise *promise);

/** Are there enough cells for a reader?  Without one a map has winners of cells alone. */
SAL_MUST_CHECK sal_err sal_reader_possible(const sal_sweep *sweep, bool *possible);

/** Question by error, at a point value [n_param + n_option + n_state]. */
typedef struct {
  double error;
  double probability; /* least work with this probability; NaN: least expected total work */
  const bool *method, *strategy; /* which may answer; NULL: all */
} sal_reader_question;

typedef struct {
  sal_reader_choice best;   /* pair -1: none, for the reason below */
  sal_reader_choice safe;   /* least work with probability 0.99; pair -1: none */
  sal_reader_choice likely; /* the largest probability of all */
  /* The plan of the answer: tries[0] is best, each further one follows a miss of that before it; after the
   * last the dearest run, of this work. */
  int n_try;
  sal_reader_choice tries[SAL_TRIES_MOST + 1];
  double dearest; /* NaN: none is known */
  /* Least expected total where a miss is followed by the same pair at ever tighter tolerances (reader_totals.h). */
  sal_reader_choice repeated;
  sal_reason reason; /* of no answer: NO_CONTENDER or NO_REFERENCE; else WORK or ALONE */
  double unverified; /* weight of cells whose reference does not reach the error */
  int n_pair;
  sal_reader_choice pair[SAL_MAX_LIST * SAL_MAX_LIST]; /* the best of each that has one, ranked */
  sal_answer first; /* the first of them beside the next ones: sal_answer_best */
  int64_t n_cell;   /* neighbours */
  int n_outside, outside[SAL_MAX_QUANTITY];          /* columns in which the point lies outside */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY]; /* of outside[i] in the sweep */
} sal_reader_answer;

/** The answer with its runner-up; without one where an attempt at the point has replaced the first of the ranked pairs. */
sal_answer sal_answer_best(const sal_reader_answer *answer);

/** The probability that try i of a plan is needed; i = n_try: that the dearest run is. */
double sal_answer_needed(const sal_reader_answer *answer, int i);

/** Answers at a point.  Fails when an option is not in the map, or for want of memory. */
SAL_MUST_CHECK sal_err sal_reader_ask(sal_reader *reader, const double value[],
                                      const sal_reader_question *question,
                                      sal_reader_answer *answer);

/** What is expected of a pair at a tolerance that answers may have, where the last question was asked, as the first try
 *  of a plan; pair -1 where it has no plane there. */
sal_reader_choice sal_reader_candidate(const sal_reader *reader, int pair, double tolerance);
const sal_reader_coordinates *sal_reader_coordinates_of(const sal_reader *reader);

/** One of the answer's n_cell neighbours, where the last question was asked. */
typedef struct {
  int64_t cell;
  double weight; /* in planes */
  double
      share; /* the sum of shares times values is that of their plane at the place; they add up to 1 */
} sal_reader_near;
sal_reader_near sal_reader_near_of(const sal_reader *reader, int i);

/** Answers by points at a point of the sweep: the largest p_tot first, then less work; planes through
 *  the points themselves.  `scored` has the same cells with points in place of raw values (a table that
 *  sal_performance_score has seen); out [pairs].  *n: how many have points. */
SAL_MUST_CHECK sal_err sal_reader_ask_points(sal_reader *reader, const double value[],
                                             const sal_performance_source *scored,
                                             const sal_question *question, int *n,
                                             sal_reader_points out[]);

/** So many cells of a map will be asked for: where their neighbours are likely to be all cells of the
 *  source, in no order, these are read in order now, if there is room for them. */
SAL_MUST_CHECK sal_err sal_reader_expect(sal_reader *reader, int64_t count);

/** Answers the questions of a map, by error, in cells [count]: answer [count][map->n_error]. */
SAL_MUST_CHECK sal_err sal_reader_map(sal_reader *reader, const sal_map *map, int64_t count,
                                      const int64_t cell[], sal_answer answer[]);

/** Answers at n points, value [n][n_param + n_option + n_state], by least expected total work (the probability does
 *  not matter): the same numbers as sal_reader_ask.  Fails as that does. */
SAL_MUST_CHECK sal_err sal_reader_spots(sal_reader *reader, int64_t n,
                                        double (*const value)[SAL_MAX_QUANTITY],
                                        const sal_reader_question *question, sal_answer answer[]);

/** Expected total work, and probability, of each contender of the sweep for questions [n], which differ in
 *  their errors alone, at points value [count][n_param + n_option + n_state]: [n][count][n_contender].  NaN where it has
 *  no fit or may not answer, and of all contenders where the question has no answer.  The probability does not matter. */
SAL_MUST_CHECK sal_err sal_reader_contenders(sal_reader *reader, int n,
                                             const sal_reader_question question[], int64_t count,
                                             double (*const value)[SAL_MAX_QUANTITY],
                                             double total[], double probability[]);

#endif
