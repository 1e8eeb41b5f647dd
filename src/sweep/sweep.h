/** A sweep: the cells of a parameter grid times the configurations, as read from a sweep file.
 *
 *  Everything is checked when the file is read, so that a sweep that exists can be run: names are
 *  resolved, numbers are in range, parameter sets make sense together.
 */
#pragma once

#include "axis.h"
#include "document.h"
#include "error_metric.h"
#include "integrate.h"
#include "providers.h"
#include "tile.h"

/* Scattered cells: further points between those of the axes.
 *
 * They need axes of one quantity each, and lie within these.  On an axis a point has a slot: 2 i
 * where it has the value of point i of the axis, 2 i + 1 between that and the next higher value.
 * Sorted by their slots on all axes those of a box of the grid stand together: a sample spread over
 * that order is spread over the grid. */

/** Zero is none; sal_scattered_free frees. */
typedef struct {
  sal_axis point;  /* of kind rows, a column for each axis, in any order */
  int64_t *number; /* [n_point] of the points, by their slots on all axes */
} sal_scattered;

/** The column of the quantity that an axis varies. */
int sal_scattered_column(const sal_scattered *scattered, const sal_axis *axis);

void sal_scattered_free(sal_scattered *scattered);

/* Methods that are in no list of this build, of which a sweep owns what there is: those of a library
 * that options select, and those that are known by name alone.
 *
 * The results of a method can be read without it, and by a build that lacks its library.  A method
 * that is known by name alone stands for it there: it has a name and a library, and is not to be run. */

/** All zero is none; `method` points into it. */
typedef struct {
  const sal_method *method; /* to be named by a sweep */
  sal_method *made;         /* by the library; NULL: known by name alone */
  sal_method stand_in;
  sal_engine engine; /* of stand_in */
  char *name, *options;
} sal_library_choice;

/** The method `name` of a library that `options` select; `where` heads the message. */
sal_err sal_library_choice_make(const char *where, const sal_provider *library, const char *name,
                                const char *options, sal_library_choice *choice);
/** A method that is known by name alone, whose runs end at once with the outcome LIBRARY; options NULL: they are not known. */
sal_err sal_library_choice_know(const sal_provider *library, const char *name, const char *options,
                                sal_library_choice *choice);
void sal_library_choice_free(sal_library_choice *choice);

/* Which trajectories are kept, and at which points: those of all configurations, and the reference, in
 * some of the cells.
 *
 * Cells are counted from 0 here, and from 1, like the coordinate `cell` of a cube, in
 * files and messages. */

/** Zero is none. */
typedef struct {
  int64_t n_cell;
  int64_t *cell;  /* [n_cell] rising; sal_stored_free frees */
  int64_t n_mesh; /* kept at t_j = t_end j / n_mesh, j = 0 .. n_mesh */
} sal_stored_trajectories;

void sal_stored_free(sal_stored_trajectories *stored);

/* ---- sweep ---- */

enum {
  SAL_MAX_LIST = 48,        /* methods, strategies, tolerances */
  SAL_MAX_CELL = 100000000, /* each is looked at when the sweep is read: seconds */
  SAL_MAX_REFERENCE = 4     /* methods of a reference */
};

typedef enum { SAL_REFERENCE_CERTIFIED, SAL_REFERENCE_PAPER } sal_reference_kind;
typedef enum { SAL_POINTS_GLOBAL, SAL_POINTS_PER_CELL } sal_points_scope;

/** Roles of methods: the runs of some roles set the cutoffs of the roles after them (cutoff.h). */
typedef enum {
  SAL_CUTOFF_OTHERS, /* last */
  SAL_CUTOFF_BASELINES,
  SAL_CUTOFF_SECOND_BASELINES,
  SAL_CUTOFF_EXEMPT, /* with these, and without a cutoff of its own */
  SAL_N_CAP_ROLE
} sal_cutoff_role;

/** Earlier runs that set the cutoffs of a cell. */
typedef enum {
  SAL_CUTOFF_BY_ROLE,     /* roles that come before */
  SAL_CUTOFF_BY_TOLERANCE /* and in each role looser tolerances */
} sal_cutoff_order;

/** Caps on the work of runs; zero: none. */
typedef struct {
  sal_cutoff_role role[SAL_MAX_LIST]; /* [n_method] */
  sal_cutoff_order order;
  double error, factor;
  double near_factor; /* of pairs that are close to the best baseline work; 0: the same */
  double loosest;     /* error above which a run is useless; 0: none is */
  double reference;   /* 0: no cutoff by the reference */
} sal_cutoff;

/** Work after which runs are ended, even if they may win (cutoff.h). */
typedef struct {
  double factor; /* in units of the cell's cheapest accurate run; 0: no such bound */
  double least;  /* but so many evaluations of f */
  double work;   /* of any run [evaluations of f]; 0: no such bound */
} sal_budget;

/** Cells that are run whole, and what the others run by them (pilots.h). */
typedef struct {
  int64_t cells, validation; /* 0 cells: no pilots */
  int nearest;               /* 1 .. SAL_MAX_NEAREST */
  int tolerances;
  double within;
} sal_pilot_setup;
enum { SAL_MAX_NEAREST = 256 };

/** Files that may be read for a sweep whose text comes out of a cube or a journal, which may be somebody
 *  else's: only those that the user has named for its configurations. */
typedef struct {
  int n;
  const char *const *recorded; /* [n] "NAME=FILE" */
} sal_sweep_trust;

/** The model of a text with other counts of the members of its families (sal_model.n_count) than those of the sweep's
 *  model, and what depends on it. */
typedef struct {
  sal_provided *source;
  double *initial; /* [n_state] */
  int *state;      /* [n_state of the sweep's model] its states in this one; -1: it lacks one */
} sal_sweep_variant;

/** A checked sweep, which can be run unless it was read for its results alone; read-only once it is read (sweep_read.h).  Owned by the caller, sal_sweep_free
 *  frees. The first cells are all combinations of the axes' points, the last axis running fastest;
 *  the scattered ones follow. */
typedef struct {
  char *path;    /* of the sweep file */
  char *text;    /* the sweep as run: the file, with --set applied */
  char *settled; /* what results depend on, by values (model_source.h) */
  int *
      settled_line; /* of each of its lines, in the file that brings it: from 1 on; 0: none, -1: --set */
  char *title;
  double read_bytes; /* of memory, that reading it took */

  sal_provided *source;   /* NULL: the model is one of the registry */
  const sal_model *model; /* where counts vary, that with most members */
  const int *
      state_of; /* of sal_variants_at: columns that are states name those of the sweep's model; NULL: its own */
  int n_variant; /* further models of its text; 0: all cells have the same */
  sal_sweep_variant *variant;
  int64_t n_cell, n_grid;    /* all; those of the axes */
  int n_guard;               /* contacts of the cell with most of them */
  int n_axis;                /* 0: a single cell */
  sal_axis *axis;            /* [n_axis] */
  struct sal_design *design; /* that has the values of its only axis (design.h); NULL: none */
  sal_scattered scattered;
  /* Values that no axis varies: parameters and options, initial state. */
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  bool results; /* read for them alone: methods may be known by name, sweep_read.h */
  const sal_sweep_trust
      *trust;   /* while it is read; NULL: its text is the user's, and may name any file */
  int n_solver; /* solvers from texts */
  sal_provided *solver[SAL_MAX_LIST];
  int n_choice;               /* methods of libraries that are its own */
  sal_library_choice *choice; /* [n_choice] */
  int n_method, n_strategy, n_tolerance;
  const sal_method *method[SAL_MAX_LIST];
  const sal_strategy *strategy[SAL_MAX_LIST];
  double tolerance[SAL_MAX_LIST]; /* rtol = atol */
  bool scaled;                    /* absolute tolerances by state */
  double scale[SAL_MAX_STATE];    /* [n_state] where scaled: atol = rtol times this */
  /* [strategy][method]: the two do not go together, their runs are left out */
  bool incompatible[SAL_MAX_LIST][SAL_MAX_LIST];

  double t_end;
  double mesh; /* spacing asked for; n_mesh intervals cover [0, t_end] */
  int64_t n_mesh;
  double max_step; /* 0: a tenth of the interval */
  int64_t max_attempts;
  sal_jacobian jacobian;
  sal_reference_kind reference;
  double reference_tolerance;   /* of each of its methods */
  double epsilon[SAL_MAX_LIST]; /* [n_tolerance] of eq. (32) */
  double floor;                 /* eq. (32) holds where |reference| >= floor */
  double zone;                  /* half-width of the projection's zone */
  bool zone_in_time;            /* else in units of the gaps */
  double step;                  /* fixed step of a strategy that takes one */
  bool every_contact;           /* look at each, see sal_setup */
  sal_points_scope points;
  bool without_points;        /* cubes have none: maps and rules count them anew, over all cells */
  bool dropped[SAL_N_METRIC]; /* metrics of trajectories that its cube goes without */
  sal_cutoff cutoff;          /* on the work of runs */
  sal_budget budget;
  sal_pilot_setup pilots;
  const sal_error_metric *map_by;    /* the error by which maps are made */
  int repeats;                       /* timed repeats of each trajectory; 0: SD is not measured */
  int width;                         /* lanes; 0: the widest the CPU has */
  sal_long_run orbit;                /* what is asked about the long run */
  const sal_measured_list *measured; /* of its references; NULL: none */
  sal_stored_trajectories stored;    /* cells whose trajectories are kept */
} sal_sweep;

void sal_sweep_free(sal_sweep *sweep);

#define SAL_LEAST_SCALE 1e-30
#define SAL_MOST_SCALE 1e30
/** Scales of the states for a setup (sal_setup.scale); NULL: those of the model. */
static inline const double *sal_sweep_scale(const sal_sweep *sweep)
{
  return sweep->scaled ? sweep->scale : NULL;
}

/** Parameters [n_param + n_option] and initial state [n_state] of a cell. */
void sal_sweep_cell(const sal_sweep *sweep, int64_t cell, double param[], double initial[]);

/** The sweep as a cell has it, with the model of its counts: *room, which borrows all that it points to, or the sweep itself. */
const sal_sweep *sal_variants_at(const sal_sweep *sweep, int64_t cell, sal_sweep *room);
/** Cells from `first` on, at most `most`, that have the same model. */
int64_t sal_variants_alike(const sal_sweep *sweep, int64_t first, int64_t most);
/** Cuts runs of cells where their model changes: *run [*n], of sal_alloc, is put anew. */
sal_err sal_variants_split(const sal_sweep *sweep, sal_tile **run, int64_t *n);

/* ---- variants.c ---- */

/** The model of a sweep's document anew, with the largest counts that it and its file of cells (sal_design_load: `named`) have,
 *  where they differ from the text's. */
sal_err sal_variants_count(const sal_document *document, bool named, sal_provided **source);
/** Makes the models of all counts that cells have; the sweep owns them, also on failure. */
sal_err sal_variants_make(const sal_document *document, sal_sweep *sweep);
/** Fails where the sweep has keys that need one model for all cells. */
sal_err sal_variants_check(const sal_document *document, const sal_sweep *sweep);
/** As sal_model_flaw, at counts of members that need not be those of a cell. */
const char *sal_variants_flaw(const sal_sweep *sweep, const double param[]);

/** Is an engine among the methods (engine.h)? */
static inline bool sal_sweep_has_engine(const sal_sweep *sweep)
{
  for (int i = 0; i < sweep->n_method; ++i)
    if (sweep->method[i]->engine) return true;
  return false;
}

/** Is time stepping among them? */
static inline bool sal_sweep_captures(const sal_sweep *sweep)
{
  for (int i = 0; i < sweep->n_method; ++i)
    if (sweep->method[i]->captures) return true;
  return false;
}

/** Tolerances in a decade between those of a sweep, of answers and of the points that judge them.  The work of time stepping is
 *  in proportion to 1 / rtol, and the next of four tolerances in a decade would cost 1.8 times as much. */
static inline int sal_sweep_decade_parts(const sal_sweep *sweep)
{
  return sal_sweep_captures(sweep) ? 8 : 4;
}

/** Options that the user has given the libraries of its methods, "PETSC_OPTIONS=..": results depend on them.
 *  "" without any; NULL when memory ran out.  The caller frees it with sal_free. */
char *sal_sweep_given(const sal_sweep *sweep);

/** Numerics chosen by the CPU that its runs use beside those of the C library, "OpenBLAS Haswell", or "". */
const char *sal_sweep_kernels(const sal_sweep *sweep);

/** Does the sweep ask for the metrics of this group? */
static inline bool sal_sweep_asks(const sal_sweep *sweep, sal_metric_group group)
{
  if (group == SAL_GROUP_LIBRARY) return sal_sweep_has_engine(sweep);
  if (group == SAL_GROUP_CAPTURE) return sal_sweep_captures(sweep);
  if (group == SAL_GROUP_MEASURES) return sweep->measured != NULL;
  if (group == SAL_GROUP_POINTS) return !sweep->without_points;
  return sal_long_run_asks(&sweep->orbit, group);
}

/** Is metric i of all (sal_metric_at) one of its cube's? */
static inline bool sal_sweep_keeps(const sal_sweep *sweep, int i)
{
  return sal_sweep_asks(sweep, sal_metric_at(i)->group) &&
         (i >= SAL_N_METRIC || !sweep->dropped[i]);
}

/** Metrics [SAL_N_METRIC] of trajectories that nothing reads once their cell is done; NULL: points are made from all. */
static inline const bool *sal_sweep_unneeded(const sal_sweep *sweep)
{
  return sweep->without_points ? sweep->dropped : NULL;
}

/** The methods whose runs make a reference; returns how many.  `certified`: that of the model,
 *  `paper`: ode23, ode45, ode113 and ode15s (Dallas et al., section V). */
int sal_sweep_references(const sal_sweep *sweep, const sal_method *member[SAL_MAX_REFERENCE]);

/* Failures have the code given, and a message headed by `where`. */

/** Lists the cells of words with commas between, "1,17,20-29", or "all"; none may be there twice.  Replaces the list in
 *  *out. */
sal_err sal_stored_parse(sal_err code, const char *where, const char *list, int64_t n_cell,
                         sal_stored_trajectories *out);
/** The points: `every` apart, or a little less, so that the last one is t_end. */
sal_err sal_stored_points(sal_err code, const char *where, double every, double t_end,
                          sal_stored_trajectories *out);

/** Bytes of all values: trajectories of so many configurations and of the reference, with n_state
 *  states and a mode at each point. */
double sal_stored_bytes(const sal_stored_trajectories *stored, int configs, int n_state);
/** Refuses more than 10^12 bytes. */
sal_err sal_stored_fits(sal_err code, const char *where, const sal_stored_trajectories *stored,
                        int configs, int n_state);
