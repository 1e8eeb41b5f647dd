/** @file src/app/simulate_print.h
 *  What simulated runs came to, for people and for programs.
 */
#ifndef SAL_SIMULATE_PRINT_H
#define SAL_SIMULATE_PRINT_H

#include "bill.h"
#include "sim.h"
#include "sweep.h"
#include <stdio.h>

/** One run. */
typedef struct {
  sal_sim_machine machine;
  sal_sim got;   /* the cells */
  sal_bill bill; /* all of it; the journal is in `got` */
} sal_simulated;

/** What all of them share. */
typedef struct {
  const char *path;
  int64_t cells, scale; /* of the cube */
  int threads, contenders;
  double sum, heaviest; /* CPU time of these cells, and of one of them [s] */
  sal_sweep sweep;      /* of the scaled grid, for its sizes */
} sal_simulated_work;

/** All of the run [s]. */
double sal_simulate_wall(const sal_simulated *run);
/** Busy time over the time of all ranks. */
double sal_simulate_efficiency(const sal_simulated *run);
/** Where most of the rest goes: a word of the table's help. */
const char *sal_simulate_breaks(const sal_simulated *run);

typedef void sal_simulate_printer(FILE *out, const sal_simulated_work *work, int n,
                                  const sal_simulated run[]);
sal_simulate_printer sal_simulate_print_text, sal_simulate_print_json, sal_simulate_print_csv;

#endif
