/** @file src/sweep/sweep.h
 *  A sweep: the cells of a parameter grid times the contenders, as read from a sweep file.
 *
 *  Everything is checked when the file is read, so that a sweep that exists can be run: names are
 *  resolved, numbers are in range, parameter sets make sense together.
 */
#ifndef SAL_SWEEP_H
#define SAL_SWEEP_H

#include "err.h"
#include "integrate.h"
#include "scattered.h"
#include "stored_trajectories.h"
#include <stddef.h>

enum { SAL_MAX_LIST = 32 };

typedef enum { SAL_REFERENCE_CERTIFIED, SAL_REFERENCE_PAPER } sal_reference_kind;
typedef enum { SAL_POINTS_GLOBAL, SAL_POINTS_PER_CELL } sal_points_scope;

/** A checked sweep; read-only after sal_sweep_read.  Owned by the caller, sal_sweep_free frees.
 *  The first cells are all combinations of the axes' points, the last axis running fastest; the
 *  scattered ones follow. */
typedef struct {
  char *path;    /* of the sweep file */
  char *text;    /* the sweep as run: the file, with --set applied */
  char *settled; /* what it says: YAML with presets and sorted keys, without `width`, `store` */
  char *title;

  const sal_model *model;
  int64_t          n_cell, n_grid; /* all; those of the axes */
  int              n_guard;        /* contacts of the cell with most of them */
  int              n_axis;         /* 0: a single cell */
  sal_axis        *axis;           /* [n_axis] */
  sal_scattered    scattered;
  /* What no axis varies: parameters and options, initial state. */
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  int                 n_method, n_strategy, n_tolerance;
  const sal_method   *method[SAL_MAX_LIST];
  const sal_strategy *strategy[SAL_MAX_LIST];
  double              tolerance[SAL_MAX_LIST]; /* rtol = atol */
  /* [strategy][method]: the two do not go together, their runs are left out */
  bool left_out[SAL_MAX_LIST][SAL_MAX_LIST];

  double             t_end;
  double             mesh; /* spacing asked for; n_mesh intervals cover [0, t_end] */
  int64_t            n_mesh;
  double             max_step; /* 0: a tenth of the interval */
  int64_t            max_attempts;
  sal_jacobian       jacobian;
  sal_reference_kind reference;
  double             reference_tolerance;   /* of dop853 for `certified`, of the four for `paper` */
  double             epsilon[SAL_MAX_LIST]; /* [n_tolerance] of eq. (32) */
  double             floor;                 /* eq. (32) holds where |reference| >= floor */
  double             zone;                  /* half-width of the projection's zone */
  bool               zone_in_time;          /* else in units of the gaps */
  double             step;                  /* fixed step of a strategy that takes one */
  bool               every_contact;         /* look at each, see sal_setup */
  sal_points_scope   points;
  int                repeats;     /* timed repeats of each trajectory; 0: SD is not measured */
  int                width;       /* lanes; 0: the widest the CPU has */
  sal_stored_trajectories stored; /* whose trajectories are kept */
} sal_sweep;

/** One key of the sweep file, from src/sweep/keys.def: for the parser, help texts and the README.
 */
typedef struct {
  const char *name, *type; /* dotted where it lies in a mapping; type in words */
  const char *preset;      /* YAML text, or in brackets: "(required)", or what happens without it */
  const char *what;
  double      least, most; /* of numbers */
} sal_sweep_key;
extern const sal_sweep_key sal_sweep_keys[]; /* ends with name NULL */

/** What a key may be: "from 1e-14 to 0.1", "certified, paper"; "" where the registries or the model
 *  decide, or anything goes. */
const char *sal_sweep_allowed(const sal_sweep_key *key, size_t size, char text[]);

/** Reads and checks a sweep file, with n_set overrides "key=value" (value in YAML; dots reach into
 *  mappings: "options.adhesion=clamp").  On failure *sweep is empty and the message names file,
 *  line, what was found, what is allowed and the nearest valid name. */
SAL_MUST_CHECK sal_err sal_sweep_read(const char *path, int n_set, const char *const set[],
                                      sal_sweep *sweep);
/** The same from text; `path` is used in messages only. */
SAL_MUST_CHECK sal_err sal_sweep_parse(const char *path, const char *text, int n_set,
                                       const char *const set[], sal_sweep *sweep);
void                   sal_sweep_free(sal_sweep *sweep);

/** Parameters [n_param + n_option] and initial state [n_state] of a cell. */
void sal_sweep_cell(const sal_sweep *sweep, int64_t cell, double param[], double initial[]);
/** One quantity in all cells: value [n_cell].  column: as in sal_axis. */
void sal_sweep_column(const sal_sweep *sweep, int column, double value[]);

/* ---- the same checks for single values given on a command line --------------------------------
 */

/** "b=1951,m1=1.88" onto presets param [n_param + n_option]; options by their words.  `where`
 *  heads the message ("--param"). */
SAL_MUST_CHECK sal_err sal_values_param(const char *where, const sal_model *model, const char *text,
                                        double param[]);
/** "y1=0.5,v1=0" onto presets initial [n_state]. */
SAL_MUST_CHECK sal_err sal_values_initial(const char *where, const sal_model *model,
                                          const char *text, double initial[]);
/** "x=1,z=0.1" as a direction in state space, direction [n_state], with 0 where nothing is given;
 *  any numbers but all 0. */
SAL_MUST_CHECK sal_err sal_values_direction(const char *where, const sal_model *model,
                                            const char *text, double direction[]);
/** Presets of the model: param [n_param + n_option], initial [n_state]. */
void sal_values_presets(const sal_model *model, double param[], double initial[]);
/** By name, or a message with all names and the nearest one. */
SAL_MUST_CHECK sal_err sal_values_model(const char *where, const char *name, const sal_model **out);
SAL_MUST_CHECK sal_err sal_values_method(const char *where, const char *name,
                                         const sal_method **out);
SAL_MUST_CHECK sal_err sal_values_strategy(const char *where, const char *name,
                                           const sal_strategy **out);
/** A tolerance: 1e-14 <= value <= 0.1. */
SAL_MUST_CHECK sal_err sal_values_tolerance(const char *where, double value);

#endif
