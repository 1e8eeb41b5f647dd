/** @file src/ensemble/tile_work.h
 *  The work space of tiles.  Of the sources tile_*.c alone.
 */
#ifndef SAL_TILE_WORK_H
#define SAL_TILE_WORK_H

#include "cap.h"
#include "reference.h"
#include "tile.h"
#include "tile_orbits.h"
#include "tile_tasks.h"
#include "tile_watch.h"
#include <stdatomic.h>

/** Tasks first .. shared - 1 are done by the main thread, shared .. end - 1 by all. */
typedef struct {
  int64_t first, shared, end;
} sal_tile_phase;

struct sal_tile_space {
  const sal_sweep *sweep;
  int64_t cells;
  int width, n_thread;
  double *param, *initial;          /* [cells][n_param + n_option], [cells][n_state] */
  sal_reference *reference, *spare; /* [cells] each */
  sal_tile_cycle *cycle;            /* [cells]; NULL where the sweep asks for none */
  bool *cycle_closed;               /* [cells][n_guard] their modes */
  void **work;                      /* [n_thread] */
  sal_tile_orbits **orbits;         /* [n_thread]; NULL where the sweep asks for none */
  sal_tile_task *task;              /* [n_contender * ceil(cells / width)] */
  double *spent;                    /* [n_contender] CPU time so far [s] */
  double *cost;                     /* [n_contender] the same for one cell */
  int *listed;                      /* [n_contender] room */
  sal_cap_of_job *cap;              /* [cells] on runs of the phase in hand */
  double reference_spent, reference_cost;
  int64_t cells_done;
  sal_tile_use used;
  sal_tile_watch watch;
  sal_tile_kept *kept; /* borrowed; NULL: none */
  /* of the tile in hand */
  sal_tile_phase phase[SAL_N_CAP_ROLE];
  double worth;       /* trajectories that a second of expected CPU time counts as; 0: unknown */
  atomic_llong done;  /* in trajectories */
  atomic_llong fresh; /* trajectories finished, of a tile with `kept` */
  atomic_bool given_up;
  sal_err failed; /* of the tile: the first failure of a thread, and its message */
  sal_err_note said;
};

#endif
