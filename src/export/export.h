/** A run of a model of equations as a program of its own.
 *
 *  What is written has the model's f, gaps, rates and jumps, the numbers of one run, and a loop from event to event; it prints each
 *  change of a contact and the state at the end.  Where a run begins, when contacts change and when they come to rest is decided as the
 *  kernels do with the strategy `event` (entry.h, change.h, strategies/root.h).
 */
#pragma once

#include "method.h"
#include "program.h"
#include "text.h"

/** The run to write; all borrowed.  param [n_param + n_option], initial [n_state]; events: contacts are located, else f decides by the gaps
 *  which are closed. */
typedef struct {
  const sal_model *model;
  const sal_flow_programs *flow; /* the model's */
  const double *param, *initial;
  const sal_method *solver;
  double t_end, max_step, rtol, atol; /* max_step: of a step; 0: the preset */
  bool events;
} sal_export_run;

/** "scipy", "octave", "c", "julia", "siconos", NULL. */
extern const char *const sal_export_programs[];

/** Adds the program to *out.  A usage error names what cannot be written: an operation that the language lacks, a solver that the program
 *  lacks, with a list of those that it has. */
sal_err sal_export_write(const char *program, const sal_export_run *run, sal_text *out);
