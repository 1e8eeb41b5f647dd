/** Sweeps of models beyond those of the registry: as large as any may be, with a discrete state,
 *  with a contact that ends the run.
 */
#include "config.h"
#include "courier.h"
#include "made_up_sweep.h"
#include "model_check.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "tile_run.h"
#include "trajectory.h"
#include "wide_model.h"
#include <math.h>
#include <string.h>

#define TOP "model: decay\nmesh: 0.01\nrtol: [1e-6]\n"

static sal_tile_result run_cells(const sal_sweep *sweep)
{
  sal_tile_space *space = NULL;
  sal_tile_result result;
  const sal_tile tile = {0, sweep->n_cell};

  CU_ASSERT_FATAL(sal_tile_space_create(sweep, sweep->n_cell, &space) == SAL_OK);
  CU_ASSERT_FATAL(sal_tile_run(space, &tile, &result) == SAL_OK);
  sal_tile_space_destroy(&space);
  return result;
}

/* An explicit method, an implicit one that is left out, the largest eigenvalue without a matrix; every key that names a quantity. */
static void the_largest_model_is_read_and_run(void)
{
  const sal_model *m = wide_model();
  char text[SAL_MODEL_CHECK_TEXT];
  sal_sweep sweep;

  CU_ASSERT(m->n_state == SAL_MAX_STATE && m->n_param == SAL_MAX_PARAM && m->n_state >= 128);
  CU_ASSERT_PTR_NULL(sal_model_check(m, text));
  CU_ASSERT_FATAL(
      made_up_sweep(
          m,
          "model: decay\nmesh: 0.1\nrtol: [1e-6]\n" /* few points of so many states */
          "t_end: 1\nsolvers: [ode45, ode23s]\nstrategies: [switch]\nunsupported: leave-out\n"
          "parameters: {p63: 30}\ninitial: {x126: 2}\noptions: {o3: all}\n"
          "cells: {axes: [{columns: [x127, p62], rows: [[1, 63], [2, 5]]}]}\n",
          &sweep) == SAL_OK);
  CU_ASSERT(sweep.param[63] == 30 && sweep.initial[126] == 2 && sweep.param[64 + 3] == 3);
  sal_tile_result r = run_cells(&sweep);
  for (int i = 0; i < 2; ++i) {
    const double *cell = r.cell[i].value;
    CU_ASSERT(cell[SAL_CELL_REFERENCE_OUTCOME] == SAL_OUT_DONE);
    CU_ASSERT(cell[SAL_CELL_REFERENCE_ERROR] < 1e-10);
    CU_ASSERT(cell[SAL_CELL_REFERENCE_ERROR] >= cell[SAL_CELL_REFERENCE_ERROR_WATCHED]);
    CU_ASSERT(fabs(cell[SAL_CELL_RATE_TRAJECTORY] - (i ? 62 : 63)) < 0.3);
    const double *v = r.record[2 * i].value;
    CU_ASSERT(v[SAL_METRIC_OUTCOME] == SAL_OUT_DONE);
    CU_ASSERT(v[SAL_METRIC_MAX_ERROR] < 1e-3 && v[SAL_METRIC_MAX_ERROR] > 1e-15);
    CU_ASSERT(isnan(v[SAL_METRIC_EVENTS]) && isnan(v[SAL_METRIC_GAPS]));
    CU_ASSERT(r.record[2 * i + 1].value[SAL_METRIC_OUTCOME] == SAL_OUT_INCOMPATIBLE);
  }
  sal_tile_result_free(&r);
  sal_sweep_free(&sweep);
}

static sal_sweep courier_sweep(void)
{
  sal_sweep sweep;

  CU_ASSERT_FATAL(
      made_up_sweep(&courier,
                    TOP "t_end: 10\nsolvers: [ode45, ode113, ode23t]\nstrategies: [switch, event]\n"
                        "unsupported: leave-out\n"
                        "cells: {axes: [{name: n, list: [3, 0]}, {name: X, list: [4, -1]}]}\n",
                    &sweep) == SAL_OK);
  return sweep;
}

/* The height of free flights of one second. */
static double height_at(double t)
{
  const double s = t + 0.5 - floor(t + 0.5); /* since the last impact */

  return 4 * s * (1 - s);
}

static void a_run_that_a_contact_ends_is_scored_to_the_end(void)
{
  sal_sweep sweep = courier_sweep();
  sal_tile_result r = run_cells(&sweep);

  for (int cell = 0; cell < 4; ++cell) {
    const bool at_once = cell % 2; /* the wall is after the start */
    const double *of = r.cell[cell].value;
    CU_ASSERT(of[SAL_CELL_REFERENCE_OUTCOME] == SAL_OUT_ENDED);
    /* impacts lie on the mesh, to rounding, where velocities have two values */
    CU_ASSERT(of[SAL_CELL_REFERENCE_ERROR_WATCHED] < 1e-10);
    CU_ASSERT(of[SAL_CELL_REFERENCE_EVENTS] == (at_once ? 0 : 5));
    for (int k = 0; k < 6; ++k) {
      const double *v = r.record[6 * cell + k].value;
      if (k < 3) { /* `switch` handles neither impact nor wall */
        CU_ASSERT(v[SAL_METRIC_OUTCOME] == SAL_OUT_INCOMPATIBLE && isnan(v[SAL_METRIC_RHS]));
        continue;
      }
      CU_ASSERT(v[SAL_METRIC_OUTCOME] == SAL_OUT_ENDED);
      CU_ASSERT(fabs(v[SAL_METRIC_T_REACHED] - (at_once ? 0 : 4)) < 1e-9);
      CU_ASSERT(v[SAL_METRIC_MAX_ERROR] < 1e-4);
      CU_ASSERT(v[SAL_METRIC_IAE] < 1e-3 && v[SAL_METRIC_IAE] >= 0);
    }
  }
  sal_tile_result_free(&r);
  sal_sweep_free(&sweep);
}

static void the_state_is_held_behind_the_end_and_jumps_count(void)
{
  sal_sweep sweep = courier_sweep();
  const double param[] = {8, 1, 4}, initial[] = {1, 0, 0, 7};
  const sal_setup setup = sal_tile_setup(&sweep, 3);
  sal_trajectory tr;

  CU_ASSERT_FATAL(setup.strategy->held);
  CU_ASSERT_FATAL(sal_trajectory_run(&setup, param, initial, 0.25, &tr) == SAL_OK);
  CU_ASSERT_EQUAL(sal_trajectory_ending(&tr, &courier, param, initial), COURIER_WALL);
  CU_ASSERT_EQUAL(tr.n, 41);
  for (int64_t j = 0; j < tr.n; ++j) {
    const double *y = tr.state + COURIER_STATES * j, t = fmin(tr.t[j], 4);
    if (fabs(t - 4) < 1e-3 || fabs(t - floor(t) - 0.5) > 1e-3)
      CU_ASSERT(fabs(y[COURIER_Y] - height_at(t)) < 1e-5);
    CU_ASSERT(fabs(y[COURIER_X] - t) < 1e-6);
    if (fabs(t - floor(t) - 0.5) > 1e-3) CU_ASSERT(y[COURIER_N] == 7 + floor(t + 0.5));
  }
  sal_trajectory_free(&tr);
  const double behind[] = {8, 1, -1};
  CU_ASSERT_FATAL(sal_trajectory_run(&setup, behind, initial, 0.25, &tr) == SAL_OK);
  CU_ASSERT(tr.n_event == 0 && tr.record.value[SAL_METRIC_T_REACHED] == 0);
  CU_ASSERT_EQUAL(sal_trajectory_ending(&tr, &courier, behind, initial), COURIER_WALL);
  sal_trajectory_free(&tr);
  const double far[] = {8, 1, 100};
  CU_ASSERT_FATAL(sal_trajectory_run(&setup, far, initial, 0.25, &tr) == SAL_OK);
  CU_ASSERT_EQUAL(sal_trajectory_ending(&tr, &courier, far, initial), -1);
  sal_trajectory_free(&tr);
  sal_sweep_free(&sweep);
}

static bool refused(const char *axis, const char *says)
{
  char text[400];
  sal_sweep sweep;

  snprintf(text, sizeof text,
           TOP "t_end: 1\nsolvers: [ode45]\nstrategies: [event]\ncells: {axes: [{%s}]}\n", axis);
  sal_err_clear();
  const sal_err err = made_up_sweep(&courier, text, &sweep);
  if (err == SAL_OK) sal_sweep_free(&sweep);
  return err == SAL_ERR_INPUT && strstr(sal_err_message(), says);
}

static void a_discrete_state_is_no_continuous_axis(void)
{
  const char *says = "n is a discrete state, which only jumps change; allowed: list, rows";

  CU_ASSERT(refused("name: n, linear: [0, 3], points: 4", says));
  CU_ASSERT(refused("name: n, log: [1, 3], points: 2", says));
  CU_ASSERT(refused("columns: [x, n], random: [[0, 1], [0, 3]], points: 4", says));
  CU_ASSERT(refused("columns: [n], sobol: [[0, 3]], points: 4", says));
  CU_ASSERT(sal_parameter_column_is_discrete(&courier, courier.n_param + COURIER_N));
  CU_ASSERT(!sal_parameter_column_is_discrete(&courier, courier.n_param + COURIER_X));
}

static void strategies_that_meet_no_contacts_are_refused_by_name(void)
{
  sal_sweep sweep;
  sal_model through = courier;

  sal_err_clear();
  CU_ASSERT(made_up_sweep(&courier, TOP "t_end: 1\nsolvers: [ode45]\nstrategies: [switch]\n",
                          &sweep) == SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "courier resets its state at its events ("));
  through.resets = false;
  sal_err_clear();
  CU_ASSERT(made_up_sweep(&through, TOP "t_end: 1\nsolvers: [ode45]\nstrategies: [switch]\n",
                          &sweep) == SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(sal_err_message(), "courier ends its runs at contacts, and strategy switch"));
  sal_err_clear();
  CU_ASSERT(made_up_sweep(
                &courier,
                TOP "t_end: 1\nsolvers: [ode45, ode23s]\nstrategies: [event]\njacobian: analytic\n",
                &sweep) == SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(sal_err_message(), "ode23s is to take the Jacobian of model courier"));
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("made-up models", NULL,
              {"the largest model is read and run", the_largest_model_is_read_and_run},
              {"a run that a contact ends is scored to the end",
               a_run_that_a_contact_ends_is_scored_to_the_end},
              {"the state is held after the end, and jumps count",
               the_state_is_held_behind_the_end_and_jumps_count},
              {"a discrete state is not a continuous axis", a_discrete_state_is_no_continuous_axis},
              {"strategies that handle no contacts are refused by name",
               strategies_that_meet_no_contacts_are_refused_by_name},
              {"memory comes back", memory_comes_back})
