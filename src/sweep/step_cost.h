/** Work as a time: of evaluations of f, and of what the steps of a sweep's configurations take beside them,
 *  linear algebra included.
 */
#pragma once

#include "config.h"
#include "work.h"

/* A table of what a step takes beside its evaluations of f, by solver, strategy, lanes and number of
 * states: that of the program (step_costs.yaml), or one of the user's own.  `saltus calibrate-work` writes both.
 *
 *     step_costs: 1
 *     machine: "CPU, compiler"
 *     states: [2, 4, 16]
 *     steps:
 *     - {solver: ode45, strategy: event, lanes: 4, ns: [70, 60, 300]}
 *
 * Times are in ns, one for each number of states; 0: not measured.  A row without `lanes` holds for any: the solver
 * takes one trajectory at a time. */

enum { SAL_STEP_SIZES = 8, SAL_STEP_NAME = 64, SAL_STEP_MACHINE = 160 };

/** Names of the lanes that a table may have, "1", "4", "8", and their numbers. */
enum { SAL_STEP_LANES = 3 };
extern const int sal_step_lanes[SAL_STEP_LANES];

typedef struct {
  char method[SAL_STEP_NAME];
  int strategy;              /* of sal_step_strategies */
  int lanes;                 /* 0: any */
  double ns[SAL_STEP_SIZES]; /* [n_state] */
} sal_step_row;

/** The strategies that are measured; NULL ends them. */
extern const char *const sal_step_strategies[];

typedef struct {
  char machine[SAL_STEP_MACHINE];
  int n_state, state[SAL_STEP_SIZES]; /* numbers of states that are measured, ascending */
  int n;
  sal_step_row *row;
} sal_step_table;

/** Reads a file; path NULL: the program's own.  The caller frees the table. */
sal_err sal_step_table_read(const char *path, sal_step_table *out);
/** The same from its text; `path` heads messages. */
sal_err sal_step_table_parse(const char *path, const char *text, sal_step_table *out);
void sal_step_table_free(sal_step_table *table);

/** The time of a tried step [s], accepted or not, of each trajectory, for n states where `lanes` advance at once; NaN: the
 *  table has none of this solver with such a strategy and such lanes.  Strategies that freeze the mode take the steps of
 *  `event`, all others those of `switch`. */
double sal_step_table_at(const sal_step_table *table, const char *method,
                         const sal_strategy *strategy, int lanes, int n);

/** The same from times in ns [n_state], 0: not measured: by powers of n between those that are, and
 *  beyond the last by that of the last two, at least 0. */
double sal_step_table_power(int n_state, const int state[], const double ns[], int n);

/* ---- step cost ---- */

/** One evaluation of f may be said to take up to this [s]. */
#define SAL_STEP_COST_MOST 1e6

/** Times that make up the work in the answers of a sweep where work is a time (sal_work_weights.time). */
typedef struct sal_step_cost {
  double field; /* an evaluation of f [s] */
  int lanes;    /* trajectories that advance at once; times are of each */
  char machine[SAL_STEP_MACHINE];
  int n_method;
  double step[]; /* [n_strategy][n_method] a tried step, accepted or not [s]; NaN: not known */
} sal_step_cost;

/** Times of all pairs of a sweep, which is not needed afterwards; *out is freed with sal_free. */
sal_err sal_step_cost_make(const sal_step_table *table, const sal_sweep *sweep, int lanes,
                           double field, sal_step_cost **out);

enum { SAL_STEP_COST_LANES = 32 };
/** ", 4 lanes"; of one nothing. */
const char *sal_step_cost_lanes(const sal_step_cost *cost, char text[SAL_STEP_COST_LANES]);

/** Time of a step of a pair of the sweep [s]. */
static inline double sal_step_cost_of(const sal_step_cost *cost, int strategy, int method)
{
  return cost->step[strategy * cost->n_method + method];
}

/** Work of a run of a configuration of the sweep: in evaluations of f, or as a time [s] where the weights have one. */
double sal_step_cost_work(const sal_work_weights *weights, const sal_error_metric *by,
                          sal_config config, const sal_record *record);

/* ---- The program's own table of steps (step_costs.yaml), which lies in it as a text. ---- */

typedef struct {
  const char *name, *text;
  size_t n;
} sal_step_cost_text;

/** One, and then one without a name. */
extern const sal_step_cost_text sal_step_cost_texts[];
