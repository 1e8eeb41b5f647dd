/** @file src/sweep/cap.h
 *  Caps: how much work a run may do before it is stopped, because it can win no question.
 *
 *  In each cell the pacemakers of the sweep run first, with all strategies and tolerances; then those
 *  in reserve, then all others.  The pace is the least work of a run of those before whose error, as
 *  answers count it (measured plus the estimate of the reference's own), is at most `error`, the
 *  tightest one that will be asked for.  What comes after is capped at `factor` >= 1 times the
 *  pace.  For a question of which contender takes least work for an error from `error` up, the run
 *  that set the pace is an answer: the winner takes no more, and is not stopped.  So no winner is lost
 *  by the presets of the weights (work.h) and as long as the run that set the pace may win.  Of other
 *  questions it is known in each cell whether a run that was stopped might win (recommend.c).
 *
 *  Where no run before reaches the error nothing is known of what it takes, and there is no cap at
 *  first.  But a run whose own error has grown to e has lost all questions up to e, and for those above
 *  it a run before that reached e is an answer: from then on it is capped at `factor` times the least
 *  work of such a run, at steps of half a decade.  Where the reference has no end no question has an
 *  answer: the dearest run sets the pace.
 *
 *  The cap by the reference bounds every run, those of pacemakers, too.
 *
 *  The budget bounds every run, too, so that each ends, wherever it leads.  It is a multiple of the
 *  work of the cell's cheapest accurate run as far as one is known, be it the reference or the pace; a
 *  reference that did not finish says nothing of what a run may take.
 *
 *  A cap depends on the sweep and the cell alone.
 */
#ifndef SAL_CAP_H
#define SAL_CAP_H

#include "sweep.h"

/** Roles in the order in which they run. */
extern const sal_cap_role sal_cap_order[SAL_N_CAP_ROLE];

sal_cap_role sal_cap_role_of(const sal_sweep *sweep, int contender);

/** Caps on the runs of a cell, as a job has them. */
typedef struct {
  double most_work; /* 0: none */
  double budget;    /* 0: none */
  sal_work_stairs stairs;
} sal_cap_of_job;

/** Caps of every run of a cell whose reference ended like that and took that work. */
sal_cap_of_job sal_cap_of_reference(const sal_sweep *sweep, double outcome, double reference_work);

/** Caps of what runs after a role in a cell, from the records [n_contender] of those that have
 *  run. */
sal_cap_of_job sal_cap_of_cell(const sal_sweep *sweep, sal_cap_role after, double reference_work,
                               const sal_cell_record *cell, const sal_record record[]);

#endif
