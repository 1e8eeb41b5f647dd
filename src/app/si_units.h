/** @file src/app/si_units.h
 *  Results of a run in metres and seconds: converted in place by a measure with scales.  Without scales nothing
 *  changes.
 */
#ifndef SAL_SI_UNITS_H
#define SAL_SI_UNITS_H

#include "cli_run.h"
#include "json.h"
#include "report.h"
#include "trace.h"
#include "trajectory.h"

/** setup and param [n_param + n_option] of a run as they are stated of it: the model is that of the measure in SI units. */
void sal_si_units_run(const sal_cli_run *run, sal_setup *setup, double param[]);
void sal_si_units_trajectory(const sal_measure *measure, sal_trajectory *trajectory);
/** A trace; and a matrix A [n][n], d state[i] / d state[j]. */
void sal_si_units_trace(const sal_measure *measure, sal_trace *trace);
void sal_si_units_matrix(const sal_measure *measure, int n, const int state[], double A[]);

/** Says the scales: "1 unit of time is 0.06131 s, 1 of length 0.4 m". */
void sal_si_units_say(sal_report *report, const sal_measure *measure);

#endif
