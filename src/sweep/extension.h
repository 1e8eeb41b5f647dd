/** Sweeps made from a sweep or a point: off its grid, around a point, and with more cells, spread evenly over the box of its axes.  The cells that are there keep their
 *  numbers.
 *
 *  Where the first axis is of Sobol or random points it gets more of them: the first ones are as they
 *  were.  Else, where each axis has one quantity, the points of Sobol's sequence are added as
 *  scattered cells (sweep.h): in the logarithm on axes for which sal_axis_column_by_log is true,
 *  whole quantities rounded, options and discrete states by the values of their axes in turn.  Points
 *  that are cells already, and such as make no sense to the model, are passed over; so the next
 *  extension goes on where this one ends.
 */
#pragma once

#include "sweep.h"

enum { SAL_MAX_EXTENSION = 1000000 };

/** *text receives the sweep file with up to `wanted` further cells, for the caller to sal_free.
 *  *added: how many; fewer where the other axes have several cells for each point of the first, and
 *  where whole numbers and options leave no more.  Fails (SAL_ERR_INPUT) where no cell can be added. */
sal_err sal_extension_text(const sal_sweep *sweep, int64_t wanted, char **text, int64_t *added);

/* Points off the grid of a sweep: a second sweep with the same configurations on cells that lie
 * anywhere between those of the first.
 *
 * Each number that an axis varies is drawn by itself, from random.h: on a linear axis uniformly
 * between its ends, on a logarithmic one uniformly in the logarithm, on a list one of its values,
 * on an axis of random or Sobol points uniformly in their box (in the logarithm of
 * the columns that are drawn so), and on rows uniformly between the
 * least and the largest of them, in the logarithm where the surrogate (surrogate.h) takes that, too.  An option
 * keeps its axis: each of its choices has all the points.  A draw depends on the seed, the number
 * of the point and the place of the quantity; a point whose parameters make no sense together is
 * drawn again.
 *
 * A point may have replicates: every quantity is moved by up to SAL_REPLICATE_SHARE of its range to
 * either side, in the measure in which it is drawn, and not beyond the range.  Options, whole
 * quantities and lists keep their values.  Errors jump by more between them than what is solved
 * changes: they are draws from the distribution of each configuration's error at the point. */

enum { SAL_MAX_OFFGRID = 100000, SAL_MAX_REPLICATES = 64 };
#define SAL_REPLICATE_SHARE 1e-4

typedef struct {
  int64_t points;
  int replicates; /* cells of each point: itself, and replicates - 1 beside it */
  uint64_t seed;
  const bool *method, *strategy; /* that are run; NULL: all */
} sal_offgrid_request;

/** *text receives the sweep file of the points, for the caller to sal_free: the sweep's own text
 *  with other cells, without repeats for timing, without cutoffs, and with tolerances a quarter of a
 *  decade apart between those of the sweep (an eighth with time stepping; a half, or none, where these are too many).  The cells
 *  of a point follow each other, the point itself first; options vary fastest.  Fails when no axis
 *  varies a number (with replicates: one that can be moved), or the draws make no sense. */
sal_err sal_offgrid_text(const sal_sweep *sweep, const sal_offgrid_request *request, char **text);

/** How many cells of `points` in a row stand for one point on the axes of `sweep`, not counting what
 *  options add: 1 where they are not replicates. */
int64_t sal_offgrid_replicates(const sal_sweep *sweep, const sal_sweep *points);

/* A sweep around one point of a model: Sobol points in a box about it, every solver, the strategies that may win. */

/** Options of a sweep around a point; everything is borrowed. */
typedef struct {
  const char *name; /* the model's, or its file as a sweep names it */
  const sal_model *model;
  const double *param, *initial; /* the point: [n_param + n_option], [n_state] */
  double share; /* half the width of the box: of each value, or of its range where that is 0 */
  int64_t points;
  double t_end;
  int home;     /* solvers and strategies that can be run there (solver_home.h); -1: all of ours */
  double error; /* the tightest that will be asked for, in units of the watched state */
  const char *solvers; /* files of solvers that are asked beside ours, by commas; NULL: none */
  double budget;       /* of a run, in evaluations of f; 0: none but max_attempts */
  bool stiff;          /* explicit solvers are held back: implicit ones are the baselines */
  /* By a pilot: */
  double amplification; /* of errors, over the tolerance; 0: not known */
  double answer;        /* rtol around which quarter decades run; 0: decades alone */
  bool
      along_axes; /* cells are the point and, for each quantity that can vary, one with that alone at an end of its range */
  const double *effect; /* of each quantity that can vary, on work and errors; NULL: not known */
  int haste; /* 0: none; below SAL_AROUND_HASTES: the less time there is, the less is run */
} sal_around;

/** Parts that are left out where there is little time: from 1 on two decades of rtol, from 2 on all quantities but three and all
 *  strategies but one, and references are less exact; last all quantities but one and most solvers. */
enum { SAL_AROUND_HASTES = 4, SAL_AROUND_LAST = SAL_AROUND_HASTES - 1 };

/** Quantities that vary at most where effects are known. */
enum { SAL_AROUND_JOINT = 6 };

/** Approximate work of a cell of such a haste, in units of one without. */
double sal_around_share(int haste);

/** The first haste from `least` on, the last at most, with which the fewest cells fit into `left` [s], where a cell without haste
 *  takes `whole`. */
int sal_around_fitting(const sal_around *around, int least, double whole, double left);

/** How many quantities vary: the parameters and continuous states that have a range to be studied (of a model without
 *  any: those that are not 0), are not whole, and have room around the point; the first of them in haste.  Where effects
 *  are known, six at most, of the largest effects, in haste fewer. */
int sal_around_varies(const sal_around *around);

/** Fewer cells have no plane through them: three for each quantity that varies, and some to judge it by; without haste four. */
int64_t sal_around_fewest(const sal_around *around);
/** Fewer determine no plane with residuals to judge it by: as sal_surrogate_least_cells. */
int64_t sal_around_usable(const sal_around *around);

/** *text receives the sweep file, for the caller to sal_free.  Fails where nothing varies. */
sal_err sal_around_text(const sal_around *around, char **text);
