/** A file of trajectories that another program has integrated and recorded, read and checked; its
 *  format is described in sweeps/recorded.md.
 */
#pragma once

#include "document.h"
#include "engine.h"

/** The first key of every such file, and of the tasks: its format. */
#define SAL_RECORDED_KEY "trajectories"

enum { SAL_RECORDED_POINTS = 34 /* of a step: its ends and those inside */ };

/** A trajectory: the values of its entry, NaN where missing, and its rows. */
typedef struct {
  const char *strategy;
  double cell, tolerance, steps, factorisations, solves; /* cell from 1 */
  double failed, rhs, jacobians, events, restarts, gaps, seconds;
  sal_outcome outcome;
  int node;         /* of the head, its entry */
  int64_t first, n; /* rows */
} sal_recorded_run;

/** All of a file; read-only once it is read.  sal_recorded_free frees. */
typedef struct {
  char *path, *text;
  sal_document head; /* of the text, which its words are borrowed from */
  int states, cells; /* nodes of the head: a list of names, a list of mappings */
  int n_state, n_cell, order;
  const char *model, *library, *type; /* the last two may be NULL */
  char *select; /* lines, each ended by a line feed; "" where there are none */
  double t_end;
  int64_t mesh; /* points inside steps suffice for this mesh alone; 0: for any */
  bool linear;  /* between the ends of steps without points inside; else cubic, by f at the ends */
  int64_t n_run, n_row;
  sal_recorded_run *run;    /* [n_run] in the order of sal_recorded_compare, no two alike */
  double *row;              /* [n_row][1 + n_state] t, y */
  unsigned char *is_inside; /* [n_row] a point inside the step that ends after it */
} sal_recorded_file;

/** Reads the text of a file, which becomes the result's own.  The message of what is wrong with it names
 *  file and line. */
sal_err sal_recorded_parse(const char *path, char *text, sal_recorded_file **out);
void sal_recorded_free(sal_recorded_file *file);

/** Orders runs by cell, tolerance and strategy, for qsort and bsearch. */
int sal_recorded_compare(const void *a, const void *b);

/** A checksum of a text: FNV-1a, 64 bits.  It stands in the provenance of cubes and the identity of
 *  journals, so that another one would refuse their recorded runs. */
uint64_t sal_recorded_checksum(const char *text);
