/** Trajectories in units of the model or in SI.  A trajectory as CSV: t, the states, mode (1 while contact 0
 *  is closed), event (empty, or the event's name; the row then holds the state after it).
 */
#pragma once

#include "cli_run.h"
#include "report.h"
#include "trace.h"
#include "trajectory.h"

/** Writes it to `path`, which appears when it is complete; units: columns are called "y1 [m]", those without a unit by
 *  their names alone. */
sal_err sal_trajectory_csv(const char *path, const sal_model *model, bool units,
                           const sal_trajectory *trajectory);

/* Results of a run in metres and seconds: converted in place by a measure with scales.  Without scales nothing
 * changes. */

/** setup and param [n_param + n_option] of a run as they are stated of it: the model is that of the measure in SI units. */
void sal_si_units_run(const sal_cli_run *run, sal_setup *setup, double param[]);
void sal_si_units_trajectory(const sal_measure *measure, sal_trajectory *trajectory);
/** A trace; and a matrix A [n][n], d state[i] / d state[j]. */
void sal_si_units_trace(const sal_measure *measure, sal_trace *trace);
void sal_si_units_matrix(const sal_measure *measure, int n, const int state[], double A[]);

/** Says the scales: "1 unit of time is 0.06131 s, 1 of length 0.4 m". */
void sal_si_units_say(sal_report *report, const sal_measure *measure);
