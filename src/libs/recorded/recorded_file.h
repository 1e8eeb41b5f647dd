/** A file of trajectories that another program has integrated and recorded, read and checked; its
 *  format is described in sweeps/recorded.md.
 */
#pragma once

#include "engine.h"
#include "err.h"
#include <stdint.h>

/** The first line of every such file. */
#define SAL_RECORDED_FIRST "saltus-trajectories 1"

enum { SAL_RECORDED_POINTS = 34 /* of a step: its ends and those inside */ };

/** A trajectory: the values of its line, NaN where missing, and its rows. */
typedef struct {
  const char *strategy, *outcome_word;
  double cell, tolerance, steps, factorisations, solves; /* cell from 1 */
  double failed, rhs, jacobians, events, restarts, gaps, seconds;
  sal_outcome outcome;
  int line;         /* that names it */
  int64_t first, n; /* rows */
} sal_recorded_run;

/** All of a file; read-only once it is read.  sal_recorded_free frees. */
typedef struct {
  char *path, *text; /* the words below lie in the text */
  int n_state, n_cell, line;
  char *model, *states, *library, *type, *order_word;
  char *select; /* lines, each ended by a line feed */
  int order;
  double t_end;
  int64_t mesh; /* points inside steps suffice for this mesh alone; 0: for any */
  bool ended;   /* it has its last line, `end N` */
  bool linear;  /* between the ends of steps without points inside; else cubic, by f at the ends */
  int64_t n_run, n_row;
  char **cell;              /* [n_cell] name=value .. */
  sal_recorded_run *run;    /* [n_run] in the order of sal_recorded_compare, no two alike */
  double *row;              /* [n_row][1 + n_state] t, y */
  unsigned char *is_inside; /* [n_row] a point inside the step that ends after it */
} sal_recorded_file;

/** Reads the text of a file, which becomes the result's own.  The message of what is wrong with it names
 *  file and line. */
SAL_MUST_CHECK sal_err sal_recorded_parse(const char *path, char *text, sal_recorded_file **out);
void sal_recorded_free(sal_recorded_file *file);

/** Orders runs by cell, tolerance and strategy, for qsort and bsearch. */
int sal_recorded_compare(const void *a, const void *b);
