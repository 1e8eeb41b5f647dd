/** @file src/app/simulate_print.h
 *  What simulated runs came to, for people and for programs.
 */
#ifndef SAL_SIMULATE_PRINT_H
#define SAL_SIMULATE_PRINT_H

#include "bill.h"
#include "cli_machine.h"
#include "report.h"
#include "sim.h"
#include "simulate_cube.h"

/** One run. */
typedef struct {
  sal_sim_machine machine;
  sal_sim got;   /* the cells */
  sal_bill bill; /* all of it; the journal is in `got` */
} sal_simulated;

/** A table with a row for each run, and as comma-separated values. */
void sal_simulate_print(sal_report *report, const sal_simulated_work *work,
                        const sal_cli_machine *machine, int n, const sal_simulated run[]);
void sal_simulate_print_csv(FILE *out, const sal_simulated_work *work, int n,
                            const sal_simulated run[]);

#endif
