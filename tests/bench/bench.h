/** @file tests/bench/bench.h
 *  What the benchmark programs share: the command line, the list of parameter sets, and the report.
 *
 *      PROGRAM METHOD switch|event TOLERANCE LANES < SETS
 *
 *  SETS has one line "b m1 k f" for each hopper.  The whole list is solved again and again until
 *  LEAST seconds of CPU time are over.  The report is one line: CPU seconds, accepted steps and
 *  evaluations of f for the list once, its events, and how many trajectories failed.
 */
#ifndef SAL_BENCH_H
#define SAL_BENCH_H

#include "clock.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SET = 64, N_PARAM = 4 };
#define T_END 50.0
#define LEAST 0.2 /* [s] */

static const double bench_initial[4] = {0.5, 0, 1.5, 0};

typedef struct {
  const char *method;
  bool event;
  double tolerance;
  int lanes, n_set, copies; /* of the list in one pass */
  double set[MAX_SET][N_PARAM];
} bench_task;

typedef struct {
  double steps, rhs, events, failed;
} bench_work;

/** Reads the command line and standard input; a wrong use ends the program. */
static inline bench_task bench_read(int argc, char *argv[])
{
  bench_task t = {.copies = 1};

  if (argc != 5) {
    fprintf(stderr, "usage: %s METHOD switch|event TOLERANCE LANES < SETS\n", argv[0]);
    exit(2);
  }
  t.method = argv[1];
  t.event = strcmp(argv[2], "event") == 0;
  t.tolerance = atof(argv[3]);
  t.lanes = atoi(argv[4]);
  for (double *p = t.set[0]; t.n_set < MAX_SET; p = t.set[++t.n_set])
    if (scanf("%lf %lf %lf %lf", p, p + 1, p + 2, p + 3) != N_PARAM) break;
  return t;
}

/** Calls pass(task, context) until LEAST seconds are over and reports the mean. */
static inline int bench_run(const bench_task *task, bench_work (*pass)(const bench_task *, void *),
                            void *context)
{
  bench_work work = pass(task, context); /* warm caches are what a long run sees */
  const double began = sal_clock_cpu();
  double spent = 0;
  int n = 0;

  for (; spent < LEAST; spent = sal_clock_cpu() - began, ++n) work = pass(task, context);
  printf("cpu=%.9g steps=%.0f rhs=%.0f events=%.0f failed=%.0f\n", spent / n / task->copies,
         work.steps / task->copies, work.rhs / task->copies, work.events / task->copies,
         work.failed / task->copies);
  return 0;
}

#endif
