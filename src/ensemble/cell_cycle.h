/** The long run of many cells, in lanes: their cycles, their transients, and the multipliers that configurations
 *  would have reported.
 */
#pragma once

#include "cycle.h"
#include "seed.h"
#include "spectrum.h"
#include "sweep.h"
#include "tile_tasks.h"

/** Room and work space of one thread; sal_cell_cycles_destroy frees it, after a failure, too. */
typedef struct sal_cell_cycles sal_cell_cycles;

/** Result of the search in a cell. */
typedef struct {
  sal_verdict verdict;    /* without a cycle that of the simulation, if there is one */
  sal_long_run_seed from; /* of a cycle */
  int tried;              /* returns that were simulated */
  int k;                  /* of a cycle: returns to the section; else 0 */
  sal_cycle cycle;        /* likewise; y and closed are here until the next call */
} sal_cell_cycle;

/* ---- cell_cycles.c ----
 *  The cycle of each of many cells: sought from simulations and from an orbit that is known, in lanes.
 *
 *  What is found in a cell depends on its parameters, its initial state and the sweep alone, not on
 *  its neighbours: an orbit that is known is carried to the cell on a straight line in the parameters,
 *  by steps that the cell itself makes shorter or longer.
 */

/** SAL_ERR_INPUT when the anchor of the sweep is not an orbit. */
sal_err sal_cell_cycles_create(const sal_sweep *sweep, int width, sal_cell_cycles **out);
void sal_cell_cycles_destroy(sal_cell_cycles **cycles);

/** Seeks the cycles of `count` <= SAL_TILE_MOST cells, whose parameters [count][n_param + n_option]
 *  and initial states [count][n_state] are given; out [count].  Fails for want of memory only. */
sal_err sal_cell_cycles_find(sal_cell_cycles *cycles, int64_t count, const double param[],
                             const double initial[], sal_cell_cycle out[]);

/** The largest value of the watched state over the period of a cycle (orbit/trace.h).  NaN for want of memory. */
double sal_cell_cycles_apex(sal_cell_cycles *cycles, const double param[],
                            const sal_cell_cycle *of);

/** States that points of the section may differ in: [n] of them. */
const int *sal_cell_cycles_unknowns(const sal_cell_cycles *cycles, int *n);

/* ---- transient.c ----
 *  How a system that loses energy comes to rest: flight by flight, from one closing of a contact to the next.
 *
 *  The map from closing to closing has a derivative DP in each flight; products of them give the rate at which
 *  neighbours separate, (1/N) ln sigma_max(DP_N .. DP_1), while the energy after a flight gives the rate at which
 *  the system comes to rest: two different quantities.  The only fixed point of such a map is rest.
 */

/** Room and work space of one thread; sal_transient_destroy frees it, after a failure, too. */
typedef struct sal_transient sal_transient;

sal_err sal_transient_create(const sal_sweep *sweep, int width, sal_transient **out);
void sal_transient_destroy(sal_transient **transient);

/** Follows `count` <= SAL_TILE_MOST cells, whose parameters [count][n_param + n_option] and initial
 *  states [count][n_state] are given, and fills the metrics of flights in out [count], but for those of
 *  adhesion.  Fails for want of memory only. */
sal_err sal_transient_run(sal_transient *transient, int64_t count, const double param[],
                          const double initial[], sal_cell_record out[]);

/* ---- cell_visits.c ----
 *  The long run of many cells from visit to visit of the section: Lyapunov exponents, and the last visits.
 */

/** Room and work space of one thread; sal_cell_visits_destroy frees it, after a failure, too. */
typedef struct sal_cell_visits sal_cell_visits;

sal_err sal_cell_visits_create(const sal_sweep *sweep, int width, sal_cell_visits **out);
void sal_cell_visits_destroy(sal_cell_visits **visits);

/** Follows `count` <= SAL_TILE_MOST cells, as sal_transient_run does, and fills the metrics of visits and
 *  exponents in cell and row of *out.  Fails for want of memory only. */
sal_err sal_cell_visits_run(sal_cell_visits *visits, int64_t count, const double param[],
                            const double initial[], sal_tile_result *out);

/** The verdict on a cell without a period, by how its last return ended. */
sal_verdict sal_cell_visits_verdict(sal_return_end why);

/* ---- config_multiplier.c ----
 *  The leading multiplier of an orbit that a method, a strategy and a tolerance would have reported:
 *  the true orbit's point is run with tangent vectors (kernels/tangent_model.h) as the configuration runs.
 *
 *  A strategy that stops at contacts runs from return to return, through events by saltation.  A
 *  strategy without event location runs for the orbit's period without saltation, and its derivative is
 *  projected onto the section along the flow: the result that its user would get.
 */

/** An orbit: its point after the section and its mode there, its period and returns k. */
typedef struct {
  const double *param, *state;
  const bool *closed; /* [n_guard] */
  double period;
  int returns;
} sal_config_orbit;

/** The report of a configuration: NaN where its run did not come back, or where the method is for
 *  second-order systems alone or owns its loop. */
typedef struct {
  double re, im; /* im >= 0 */
  double rhs;    /* evaluations of f, one for each tangent vector included */
  double
      period_error; /* of the way from the orbit's point back to the section; NaN where the model gives the period */
} sal_config_report;

/** The states in which points of the section differ. */
typedef struct {
  int n;
  const int *state; /* [n] */
} sal_config_unknowns;

/** Bytes of work space, aligned to 64, for setups like this one. */
size_t sal_config_multiplier_bytes(const sal_setup *setup, const sal_config_unknowns *unknowns,
                                   int width);

/** The multipliers of n <= SAL_TILE_MOST orbits of setup->model, which has a section, with this
 *  setup, whose t_end is the longest time of a return.  room: [n][(n_state + 1) (unknowns + 1)
 *  + 2 unknowns^2] numbers, modes [n][setup->n_guard]. */
void sal_config_multiplier_run(const sal_setup *setup, const sal_config_unknowns *unknowns,
                               int width, int64_t n, const sal_config_orbit orbit[],
                               sal_config_report report[], double room[], bool modes[], void *work);

/* Shared by the ways of finding cycles: the cells of a call, and Newton's iteration on some of them.
 * Of this folder's cell_*.c alone. */

/* The way from the anchor to a cell, 0 to 1. */
typedef struct {
  double at, step; /* how far it is; next step */
  double before;   /* the point before that; < 0: none */
  int steps;       /* taken, or tried */
  bool under_way;
} sal_cell_path;

struct sal_cell_cycles {
  const sal_sweep *sweep;
  int n_state, n_param, n_guard, width;
  sal_return_map map[SAL_SEED_PERIODS]; /* by number of returns, from 1 */
  bool made[SAL_SEED_PERIODS];
  double *anchor_y;
  bool *anchor_closed;
  /* of the cells of a call, SAL_TILE_MOST each */
  double *y, *last, *earlier; /* [n_state] the cycle's; of its path: points found before */
  bool *closed, *last_closed; /* [n_guard] */
  double *param;              /* [n_param] along the path */
  double *memory;             /* [SAL_SEED_PERIODS][n_state] */
  sal_seed seed[SAL_TILE_MOST];
  sal_cell_path path[SAL_TILE_MOST];
  sal_cycle *trial;
  int64_t index[SAL_TILE_MOST];
};

/** The map of k returns, made when it is first needed. */
sal_err sal_cell_search_map(sal_cell_cycles *c, int k, const sal_return_map **out);

/** Copies a state [n_state] and its mode [n_guard]. */
void sal_cell_search_copy(const sal_cell_cycles *c, const double y[], const bool closed[],
                          double to[], bool to_closed[]);

/** Newton's iteration on the n cells of index, from their y and closed: trial [n] receives what came of
 *  them.  iterations 0: the preset. */
sal_err sal_cell_search_newton(sal_cell_cycles *c, int k, int iterations, int64_t n,
                               const double *const param[]);

/** A cycle of k returns has been found in a cell; one that closes sooner is one of fewer. */
sal_err sal_cell_search_take(sal_cell_cycles *c, sal_cycle *found, int k, sal_long_run_seed from,
                             sal_cell_cycle *out);

/** Seeks cycles from simulations, in the cells that have none (cell_seeds.c). */
sal_err sal_cell_seeds_find(sal_cell_cycles *c, int64_t count, const double param[],
                            const double initial[], sal_cell_cycle out[]);

/** The same on paths from the anchor (cell_paths.c). */
sal_err sal_cell_paths_find(sal_cell_cycles *c, int64_t count, const double param[],
                            sal_cell_cycle out[]);

/* Where cells begin that follow each other along the last axis of a sweep (orbit.continue): each where the one before it has
 * come to.
 *
 * Depends on the line of cells alone, so that ranks, tiles and resumed runs agree; each thread walks the lines that its
 * cells are on. */

/** Lines of cells; sal_cell_chain_destroy frees them, after a failure, too. */
typedef struct sal_cell_chain sal_cell_chain;

/** Sweep and map are borrowed; setup: of the long runs of cells. */
sal_err sal_cell_chain_create(const sal_sweep *sweep, const sal_return_map *map,
                              const sal_spectrum_setup *setup, sal_cell_chain **out);
void sal_cell_chain_destroy(sal_cell_chain **chain);

/** The states start [count][n_state] from which `count` <= SAL_TILE_MOST cells begin. */
sal_err sal_cell_chain_starts(sal_cell_chain *chain, int64_t first, int64_t count, double start[]);
