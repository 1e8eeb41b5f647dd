/** The work space of tiles, and the parts of their run.  Private to tile_*.c and stored_run.c. */
#pragma once

#include "pilots.h"
#include "reference.h"
#include "tile_tasks.h"

/* ---- Memory of a tile, and its watch while it runs. ---- */

/** Work space for tiles of at most `cells` cells, 1 .. SAL_TILE_MOST, made once and used for every
 *  tile. */
typedef struct sal_tile_space sal_tile_space;

/** Time of the tiles of this space so far. */
typedef struct {
  double cpu;    /* of all threads [s] */
  double wall;   /* the same by the clock: more than cpu where threads wait for a processor */
  double scalar; /* of cpu outside lanes: stiffness of cells, their orbits, engines [s] */
  double alone;  /* of cpu for tasks of the main thread alone [s] */
  sal_lane_use lanes;
} sal_tile_use;

/** Looks after a tile while it runs. */
typedef struct {
  /* By the thread that calls sal_tile_run, and by no other, after each task of a tile it has done
   * itself, while the other threads go on: so that messages need not wait for the end of a tile. */
  void (*pause)(void *with); /* NULL: nothing */
  void *with;
} sal_tile_watch;

/* ---- tile_orbits.c ----
 *  The long-term behaviour of the cells of a tile, as far as the sweep requests it: rest, transients, cycles
 *  and their multipliers; and the multiplier that each configuration would have reported.
 */

/** Room and work space of one thread; sal_tile_orbits_destroy frees it, after a failure, too. */
typedef struct sal_tile_orbits sal_tile_orbits;

sal_err sal_tile_orbits_create(const sal_sweep *sweep, int width, sal_tile_orbits **out);
void sal_tile_orbits_destroy(sal_tile_orbits **orbits);

/** Bytes of all that, about. */
size_t sal_tile_orbits_bytes(const sal_sweep *sweep);

/** The cycle of a cell, for what is compared with it. */
typedef struct {
  double state[SAL_MAX_STATE]; /* after the section */
  bool *closed;                /* [n_guard] the mode there; the caller's */
  double period, re, im;       /* leading multiplier, im >= 0 */
  int returns;                 /* k; 0: there is none */
} sal_tile_cycle;

/** Fills the metrics of `count` cells, cell and row of *out, whose parameters [count][n_param + n_option], initial states
 *  [count][n_state] and references are given, and cycle [count].  Fails for want of memory only. */
sal_err sal_tile_orbits_run(sal_tile_orbits *orbits, int64_t count, const double param[],
                            const double initial[], const sal_reference reference[],
                            sal_tile_cycle cycle[], sal_tile_result *out);

/** The multipliers by a configuration of the cycles of the cells cell [count], 0 .. SAL_TILE_MOST - 1; the arrays are
 *  those of all cells of a tile, record[i * stride] that of cell i. */
void sal_tile_orbits_config(sal_tile_orbits *orbits, int config, int64_t count,
                            const int64_t cell[], const double param[],
                            const sal_tile_cycle cycle[], int64_t stride, sal_record record[]);

/* ---- the space ---- */

/** Configurations, by place in `listed`: first .. shared - 1 are run by the main thread, shared .. end - 1 by all;
 *  tasks likewise, once the phase is cut. */
typedef struct {
  int first, shared, end;
  int64_t task_first, task_shared, task_end;
} sal_tile_phase;

struct sal_tile_space {
  const sal_sweep *sweep; /* of the cells in hand */
  sal_sweep at;           /* room for it where cells differ in their counts */
  int64_t cells;
  int width, n_thread;
  double *param, *initial;          /* [cells][n_param + n_option], [cells][n_state] */
  sal_reference *reference, *spare; /* [cells] each */
  sal_tile_cycle *cycle;            /* [cells]; NULL where the sweep requests none */
  bool *cycle_closed;               /* [cells][n_guard] their modes */
  void **work;                      /* [n_thread] */
  sal_tile_orbits **orbits;         /* [n_thread]; NULL where the sweep requests none */
  sal_tile_task *task;              /* [n_config * ceil(cells / width)] */
  uint8_t *open;                    /* [n_config][cells] those that a configuration is to run */
  double *spent;                    /* [n_config] CPU time so far [s] */
  double *cost;                     /* [n_config] the same for one cell */
  int *listed;                      /* [n_config] by phase */
  sal_cutoff_baseline *baseline;    /* [cells] by the phases so far */
  int n_phase;
  sal_tile_phase phase[SAL_MAX_CAP_PHASE];
  double reference_spent, reference_cost;
  int64_t cells_done;
  sal_tile_use used;
  sal_tile_watch watch;
  sal_tile_kept *kept;      /* borrowed; NULL: none */
  const sal_pilots *pilots; /* borrowed; NULL: every configuration is useful */
  bool *useful;             /* [cells][n_config], of pilots */
  /* of the tile in hand */
  int64_t n_task;
  int64_t *n_open;    /* [n_config] of the phases so far */
  double worth;       /* trajectories that a second of expected CPU time counts as; 0: unknown */
  atomic_llong done;  /* in trajectories */
  atomic_llong fresh; /* trajectories finished, of a tile with `kept` */
  atomic_bool given_up;
  sal_err failed; /* of the tile: the first failure of a thread, and its message */
  sal_err_note message;
};

/* ---- tile_phases.c ----
 *  The phases of a tile's configurations, whose cutoffs are set by the runs before them (cutoff.h).
 *
 *  In each phase the tasks of engines that one thread alone may call come first: the main thread does
 *  them, and joins the others, which share all other tasks meanwhile.
 */

/** Is a configuration an engine, and one that runs on the main thread of the process alone? */
bool sal_tile_phases_engine(const sal_sweep *sweep, int config);
bool sal_tile_phases_alone(const sal_sweep *sweep, int config);

/** Lists configurations by phase. */
void sal_tile_phases_list(sal_tile_space *s);

/** A cell whose reference is done, with its figures; and when a phase is. */
void sal_tile_phases_begin_cell(sal_tile_space *s, int64_t cell, const sal_cell_record *figures);
void sal_tile_phases_end_cell(sal_tile_space *s, int phase, int64_t cell,
                              const sal_tile_result *result);

/** Finds the cells that a configuration of the next phase is to run; the others have their records then. */
void sal_tile_phases_open(sal_tile_space *s, int config, const sal_tile_result *result);

/** Cuts a phase whose configurations are open, of a tile of so many cells, into tasks. */
void sal_tile_phases_cut(sal_tile_space *s, int phase, int64_t cells);

/* ---- tile_kept.c ----
 *  Finished trajectories of a tile that is not: those that are there when it is begun, and those that are
 *  when it is given up.
 *
 *  No configuration is begun before all references and orbits are done: when one was finished in a tile that is
 *  given up, so were these.
 */

/** Is the record of a configuration in a cell there already? */
bool sal_tile_kept_has(const sal_tile_space *space, int64_t cell, int config);

/** Notes which of the runs of a configuration, on cell [n], are finished: what was not cut, neither itself nor in
 *  what comes after it, times and multipliers. */
void sal_tile_kept_note(sal_tile_space *space, int config, int64_t n, const int64_t cell[],
                        const sal_tile_result *result);

/** Copies the records that are there into a tile that is about to be run; baselines among them set the cutoffs of what
 *  is missing. */
void sal_tile_kept_take(const sal_tile_space *space, const sal_tile_result *result);

/** The records of a tile that was given up go to the caller that keeps them. */
void sal_tile_kept_leave(const sal_tile_space *space, sal_tile_result *result);
