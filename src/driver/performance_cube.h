/** A cube as answers are made from it (performance_table.h), and the choices that select how: as a source
 *  of rows of chosen cells, or as a whole table.
 */
#pragma once

#include "choose.h"
#include "cube_read.h"
#include "step_cost.h"
#include "surrogate.h"
#include "units.h"

/* Rows of the performance table from a cube on the disk: of chosen cells, or of all cells, block by
 * block. */

typedef struct sal_performance_rows sal_performance_rows;

/** Definition of the rows: by, weights, timed, with points or without; errors [n_error] that a map of them is asked for,
 *  borrowed, 0: the presets of `by`. */
typedef struct {
  const sal_sweep *sweep; /* borrowed */
  const sal_error_metric *by;
  sal_work_weights weights;
  bool points, timed;
  int n_error;
  const double *error;
} sal_performance_rows_of;

/** Opens rows of a file, which they take over, also after a failure; sal_performance_rows_close frees. */
sal_err sal_performance_rows_open(sal_cube_file *file, const sal_performance_rows_of *of,
                                  sal_performance_rows **rows);
/** Bytes that are read for the row of a cell. */
double sal_performance_rows_bytes(const sal_performance_rows_of *of, const sal_packed_size *packed);
void sal_performance_rows_close(sal_performance_rows **rows);
sal_cube_file *sal_performance_rows_file(const sal_performance_rows *rows);

/** Chosen cells, which may be any and some of them twice; nothing is kept of them.  One thread at a
 *  time. */
sal_performance_source sal_performance_rows_source(sal_performance_rows *rows);

/** Reads cells first .. first + n - 1 at once: *result, whose arrays are those of `rows` and last until the next call. */
sal_err sal_performance_rows_read(sal_performance_rows *rows, int64_t first, int64_t n,
                                  sal_tile_result *result);

/** Takes rows of cells first .. first + table->n_cell - 1. */
typedef sal_err sal_performance_rows_take(void *with, int64_t first,
                                          const sal_performance_table *table);
/** Hands over all cells in their order, verified after the last of them.  Ends at the first failure
 *  of `take`. */
sal_err sal_performance_rows_each(sal_performance_rows *rows, sal_performance_rows_take *take,
                                  void *with);

/** Fills a table of all cells. */
sal_err sal_performance_rows_all(sal_performance_rows *rows, sal_performance_table *table);

/* ---- performance cube ---- */

/** Choice of configurations, error and work that answers are based on. */
typedef struct {
  bool method[SAL_MAX_LIST], strategy[SAL_MAX_LIST]; /* which may win */
  const sal_error_metric *by;                        /* which error */
  sal_work_weights weights;                          /* what a run costs, in evaluations of f */
  sal_step_cost *time;                               /* or as a time, taken over; NULL: in these */
  sal_points_scope scope;                            /* of points */
  bool timed;                                        /* SD of points is time, not work */
} sal_performance_choice;

/** Changes a choice, which begins with the presets of the sweep, once the sweep of a cube is known. */
typedef struct {
  sal_err (*choose)(const void *with, const sal_sweep *sweep, sal_performance_choice *choice);
  const void *with;
} sal_performance_chooser;

/** With points, or without; or with them where the error is one of trajectories, as they are, and
 *  there is a tolerance at which none of these was stopped at a cutoff. */
typedef enum {
  SAL_PERFORMANCE_ERRORS,
  SAL_PERFORMANCE_POINTS,
  SAL_PERFORMANCE_EITHER
} sal_performance_scope;

/** A cube, opened; sal_performance_cube_free frees it.  It must not be moved: the table and sources
 *  point to the sweep in it. */
typedef struct {
  sal_sweep sweep;
  sal_performance_table table; /* without columns until all cells are read */
  sal_step_cost *time;         /* its own; NULL: work is in evaluations of f */
  bool method[SAL_MAX_LIST], strategy[SAL_MAX_LIST]; /* which may win */
  bool same_program; /* see sal_cube; and libraries are given now what they were given then */
  sal_performance_scope wanted;
  bool points;   /* rows have raw values of points */
  bool borrowed; /* the sweep is another's, but for its path, which is that of the cube */
  sal_performance_rows
      *rows;   /* of the file; NULL: closed, since the table is whole, or not opened */
  bool ranged; /* points: the range of all cells is known */
  sal_points_range range;
} sal_performance_cube;

/** Opens it and reads no cell yet; chooser NULL: all, or the presets of the sweep.  Fails when the cube has no such error. */
sal_err sal_performance_cube_begin(const char *path, const sal_performance_chooser *chooser,
                                   sal_performance_scope scope, sal_performance_cube *out);
/** The same for a cube whose rows are at hand, without its file: all configurations of a sweep, which is borrowed, with its presets. */
sal_err sal_performance_cube_of_sweep(const char *path, const sal_sweep *sweep,
                                      sal_performance_scope scope, sal_performance_cube *out);
/** Rows of chosen cells, read when they are asked for, with raw values of points where the scope has
 *  them. */
sal_performance_source sal_performance_cube_source(sal_performance_cube *cube);
/** Turns the raw values of such rows into points.  On the scale of all cells the first call reads these,
 *  block by block; it fails when points are wanted of runs that were not timed. */
sal_err sal_performance_cube_score(sal_performance_cube *cube, sal_performance_table *rows);
/** Counts over all cells. */
typedef struct {
  int64_t counted, censored; /* pairs that count, and that were stopped */
  int64_t timed;             /* runs that took any time */
} sal_performance_census;
/** Takes over what others have found, and the range of points.  Fails as reading the table does; *points: whether there are
 *  points. */
sal_err sal_performance_cube_surveyed(sal_performance_cube *cube,
                                      const sal_performance_census *census,
                                      const sal_points_range *range, bool *points);
/** Fit of the surrogate to this cube, as stored in its map; *there: the map has it, for the error and
 *  the weights of work that are requested. */
sal_err sal_performance_cube_fit(const sal_performance_cube *cube, sal_surrogate_fit *fit,
                                 bool *there);
/** Reads all cells into the table, and points if wanted, and closes the file.  Fails when no configuration
 *  can be trusted anywhere, as in a cube without references. */
sal_err sal_performance_cube_table(sal_performance_cube *cube);

/** For tables that are made otherwise: what is chosen, of a cube that has its sweep and no file; the failure of a table in
 *  which no configuration counts. */
sal_err sal_performance_cube_choose(sal_performance_cube *cube,
                                    const sal_performance_chooser *chooser);
sal_err sal_performance_cube_counted(const sal_performance_table *table);

/** Both: opens a cube and reads its table. */
sal_err sal_performance_cube_open(const char *path, const sal_performance_chooser *chooser,
                                  sal_performance_scope scope, sal_performance_cube *out);
void sal_performance_cube_free(sal_performance_cube *cube);

/* ---- its errors in words ---- */

enum { SAL_PERFORMANCE_ERROR_OF = 160 };
/** Kind and state of the errors of these tables, "a largest error of zU", and their unit, "1" where there is none. */
const char *sal_performance_error_of(const sal_performance_table *of,
                                     char text[SAL_PERFORMANCE_ERROR_OF]);
const char *sal_performance_error_unit(const sal_performance_table *of, char text[SAL_UNITS_TEXT]);

enum { SAL_PERFORMANCE_ERROR_TEXT = 96 };
/** An error with its unit, "1e-05 m". */
/** How many of the unit that texts have one of the table's is; 1 but where table->measure has scales. */
double sal_performance_error_size(const sal_performance_table *table);
const char *sal_performance_error_text(const sal_performance_table *table, int digits, double error,
                                       char text[SAL_PERFORMANCE_ERROR_TEXT]);

/* Configurations that may win, the error and the work that count: words that a user gives, on a command line or otherwise. */

/** Strings are borrowed; NULL: all, or the presets of the sweep. */
typedef struct {
  const char *head;                 /* of the names in messages: "--", "" */
  const char *solvers, *strategies; /* "ode45,dop853" */
  const char *in;                   /* a program (solver_home.h): what can be run there */
  const char *by;                   /* which error */
  const char *work;                 /* "rhs=1,jacobian=2": weights, in evaluations of f */
  const char *f_costs;              /* "1us": time of an evaluation of f; NULL: work is in these */
  const char *steps, *lanes; /* with f_costs: a file with the times of steps; "1", "4" or "8" */
} sal_performance_winners;

/** Fills in what the choice has of them: method, strategy, by, weights, time. */
sal_err sal_performance_winners_choose(const sal_performance_winners *winners,
                                       const sal_sweep *sweep, sal_performance_choice *choice);
