/** The surrogate: which method, strategy and tolerance reaches an asked error at a point with least
 *  expected total work, and with what probability.
 *
 *  Around the point a plane is fitted to the logarithms of error and work of each configuration, by
 *  weighted least squares over the nearest cells (Cleveland and Devlin, "Locally weighted regression",
 *  J. Am. Stat. Assoc. 83, 1988).  How far its errors scatter around the plane is the configuration's own, at this place;
 *  in what shape they do is one for all configurations and places (between_levels.h), from cells left out.  Between the tolerances of the sweep both are interpolated, so that the answer
 *  may have any tolerance.  The answer is the first attempt of a schedule (schedule.h), whose total counts what follows a miss:
 *  the next attempts, by any method, and after the last the most expensive configuration.
 *
 *  All cells alike, of grids, random, Sobol and scattered points; options of a model, and other
 *  quantities with nothing between two values, divide the cells into samples of their own.
 */
#pragma once

#include "schedule.h"

/** A surrogate of a source, which it copies; what that reads from is borrowed.  sal_surrogate_close frees it. */
typedef struct sal_surrogate_view sal_surrogate;

/** Opens it.  fit: of the same source, from before; NULL: it is made, which reads up to 512 times 49 cells.
 *  Fails when a sample has fewer cells than a plane needs: SAL_ERR_INPUT with both numbers. */
sal_err sal_surrogate_open(const sal_performance_source *source, const sal_surrogate_fit *fit,
                           sal_surrogate **surrogate);
void sal_surrogate_close(sal_surrogate **surrogate);
const sal_surrogate_fit *sal_surrogate_fit_of(const sal_surrogate *surrogate);

/** Question by error, at a point value [n_param + n_option + n_state]. */
typedef struct {
  double error;
  double probability; /* least work with this probability; NaN: least expected total work */
  const bool *method, *strategy; /* which may answer; NULL: all */
} sal_surrogate_question;

/** Answers at a point.  Fails when an option is not in the map, or for want of memory. */
sal_err sal_surrogate_ask(sal_surrogate *surrogate, const double value[],
                          const sal_surrogate_question *question, sal_surrogate_answer *answer);

/** The answer to another question at the point that was asked last, into an answer at that point: the same numbers, without
 *  finding its neighbours again. */
void sal_surrogate_ask_again(sal_surrogate *surrogate, const sal_surrogate_question *question,
                             sal_surrogate_answer *answer);

/** Calls at(with, here, number) for points value [n][n_param + n_option + n_state], in any order, by the threads that share the
 *  surrogate.  Within it `here` is a surrogate whose point asked last is that of the number.  Fails as sal_surrogate_ask does. */
typedef void sal_surrogate_at(void *with, sal_surrogate *here, int64_t number);
sal_err sal_surrogate_each(sal_surrogate *surrogate, int64_t n,
                           double (*const value)[SAL_MAX_QUANTITY], sal_surrogate_at *at,
                           void *with);

/** The forecast for a pair at the nearest tolerance that answers may have, at the place of the last question, as the first attempt
 *  of a schedule; pair -1 where it has no plane there. */
sal_surrogate_choice sal_surrogate_candidate(const sal_surrogate *surrogate, int pair,
                                             double tolerance);
const sal_surrogate_coordinates *sal_surrogate_coordinates_of(const sal_surrogate *surrogate);

/** One of the answer's n_cell neighbours, where the last question was asked. */
typedef struct {
  int64_t cell;
  double weight; /* in planes */
  double
      share; /* the sum of shares times values is that of their plane at the place; they add up to 1 */
} sal_surrogate_near;
sal_surrogate_near sal_surrogate_near_of(const sal_surrogate *surrogate, int i);

/** Answers by points at a point of the sweep: the largest p_tot first, then less work; planes through
 *  the points themselves.  `scored` has the same cells with points in place of raw values (a table that
 *  sal_performance_score has seen); out [pairs].  *n: how many have points. */
sal_err sal_surrogate_ask_points(sal_surrogate *surrogate, const double value[],
                                 const sal_performance_source *scored, const sal_question *question,
                                 int *n, sal_surrogate_points out[]);

/** So many cells of a map will be asked for: where their neighbours are likely to be all cells of the
 *  source, in no order, these are read in order now, if there is room for them. */
sal_err sal_surrogate_expect(sal_surrogate *surrogate, int64_t count);

/** Answers the questions of a map, by error, in cells [count]: answer [count][map->n_error]. */
sal_err sal_surrogate_map(sal_surrogate *surrogate, const sal_map *map, int64_t count,
                          const int64_t cell[], sal_answer answer[]);

/** Answers at n points, value [n][n_param + n_option + n_state], by least expected total work (the probability does
 *  not matter): the same numbers as sal_surrogate_ask.  Fails as that does. */
sal_err sal_surrogate_spots(sal_surrogate *surrogate, int64_t n,
                            double (*const value)[SAL_MAX_QUANTITY],
                            const sal_surrogate_question *question, sal_answer answer[]);

/** Expected total work, and probability, of each configuration of the sweep for questions [n], which differ in
 *  their errors alone, at points value [count][n_param + n_option + n_state], which are some of `all`: [n][all][n_config].  NaN where it has
 *  no fit or may not answer, and of all configurations where the question has no answer.  The probability does not matter. */
sal_err sal_surrogate_configs(sal_surrogate *surrogate, int n,
                              const sal_surrogate_question question[], int64_t count,
                              double (*const value)[SAL_MAX_QUANTITY], int64_t all, double total[],
                              double probability[]);

/* Answers over a box of points: who answers where in it, and what one answer for all of it is worth.
 *
 * The surrogate is asked at 256 points of a Kronecker sequence (frac(1/2 + i a_k), a_k = 1/g^k with g^(n+1) = g + 1), which
 * fills the box evenly in the coordinates of the surrogate: in logarithms where an axis is.  Nothing is drawn by chance. */

/** a_k for k = 0 .. n - 1. */
void sal_surrogate_box_sequence(int n, double fill[]);

enum { SAL_SURROGATE_BOX_POINTS = 256, SAL_SURROGATE_BOX_WINNERS = 8 };

typedef struct {
  double least, mean, most;
} sal_box_range;

/** A pair, and the share of the points at which it answers. */
typedef struct {
  int pair;
  double share;
} sal_box_winner;

typedef struct {
  double lo[SAL_MAX_QUANTITY],
      hi[SAL_MAX_QUANTITY]; /* of all quantities, those that were left out filled in */
  int n_answered;           /* of SAL_SURROGATE_BOX_POINTS */
  double unverified;        /* share of points without an answer for want of references */
  int n_winner;             /* pairs that answer somewhere */
  sal_box_winner
      winner[SAL_SURROGATE_BOX_WINNERS];  /* the largest shares first; n_winner may be more */
  sal_box_range probability, work, total; /* of the answers at the points */
  /* One answer for all points that have one: of the answers that were met that of the least mean of its total over the
   * least there. pair -1: none has a plane everywhere. */
  int pair;
  double tolerance, more; /* the mean of that, minus 1 */
  sal_box_range one_probability, one_work;
} sal_surrogate_box;

/** Fills in the ends of what is NaN, all of its quantity, in a box lo .. hi [n_param + n_option + n_state].  where heads
 *  messages.  Fails where the box reaches out of the sweep. */
sal_err sal_surrogate_box_settle(const sal_surrogate_coordinates *coordinates, const char *where,
                                 double lo[], double hi[]);

/** Asks in the box lo .. hi [n_param + n_option + n_state], NaN: all of the quantity.  where heads messages.  Fails
 *  where the box reaches out of the sweep, and as sal_surrogate_ask does. */
sal_err sal_surrogate_box_ask(sal_surrogate *surrogate, const char *where, const double lo[],
                              const double hi[], const sal_surrogate_question *question,
                              sal_surrogate_box *box);

/* Points of a picture of answers: a raster over two quantities, in panels over a third, all others fixed; and which
 * quantities such a picture is to be drawn over.
 *
 * A quantity decides as much as the answered method changes when it alone is drawn anew: the total effect of a
 * categorical variable, as Jansen estimates it (Comp. Phys. Comm. 117, 1999): how often the methods at a point and at
 * the same point with another value of the quantity differ, over how often those at two points do.  Points are those of
 * a Kronecker sequence. */

enum { SAL_SURROGATE_X, SAL_SURROGATE_Y, SAL_SURROGATE_PANEL, SAL_N_SURROGATE_AXIS };

/** The box lo .. hi [n_param + n_option + n_state], lo equal to hi where a quantity is fixed.  Values are in the
 *  middle of as many parts of an axis as it has pixels, equal in the coordinate of the surrogate; values of integer
 *  quantities are rounded. */
typedef struct {
  int axis[SAL_N_SURROGATE_AXIS]; /* coordinates of the surrogate; -1: none, of one pixel */
  int size[SAL_N_SURROGATE_AXIS]; /* pixels, and panels */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];
} sal_surrogate_raster;

int64_t sal_surrogate_raster_count(const sal_surrogate_raster *raster);
/** Point i, x running fastest, then y, then panels: value [n_param + n_option + n_state]. */
void sal_surrogate_raster_point(const sal_surrogate_raster *raster,
                                const sal_surrogate_coordinates *coordinates, int64_t i,
                                double value[]);

/** Influence of each coordinate [n] on the winner in a box, 0 .. 1 and somewhat more by chance; all 0 where one method answers
 *  everywhere.  Fixed coordinates have 0. */
sal_err sal_surrogate_raster_decides(sal_surrogate *surrogate,
                                     const sal_surrogate_question *question, const double lo[],
                                     const double hi[], double share[]);

/** Puts the coordinates that are free (lo < hi) and on no axis yet onto the axes of two or more pixels that have none, in order
 *  of their influence; among equals the first one.  Remaining coordinates are fixed at their middle. */
void sal_surrogate_raster_settle(sal_surrogate_raster *raster,
                                 const sal_surrogate_coordinates *coordinates,
                                 const double share[]);
