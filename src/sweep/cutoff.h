/** Cutoffs: how much work a run may do before it is stopped, because it can win no question.
 *
 *  The runs of a cell take place in phases, and those before it set the cutoffs of each phase.  By role there are three of
 *  them: the baselines of the sweep with all strategies and tolerances; then the second baselines, then all
 *  others.  By tolerance each role has a phase for each tolerance, the loosest first, so that baselines have cutoffs, too.
 *  The best baseline work is the least work of a run so far whose error, as answers count it (measured plus the estimate of
 *  the reference's own), is at most `error`, the tightest one that will be asked for.  Runs after it have a cutoff
 *  at `factor` >= 1 times the best baseline work.  For a question of which configuration takes least work for an error from
 *  `error` up, the run with the best baseline work is an answer: the winner takes no more, and is not stopped.  So every winner is kept
 *  by the presets of the weights (work.h) and as long as the run with the best baseline work may win.  For other
 *  questions choose.c determines in each cell whether a run that was stopped might win.
 *
 *  A pair of method and strategy whose runs at looser tolerances are close to the best baseline work has a cutoff at `near_factor` times
 *  it: answers between cells are fitted to configurations that nearly win.
 *
 *  Where no run before reaches the error, the work for it is unknown, and the run has no cutoff at
 *  first.  But a run whose own error has grown to e has lost all questions up to e, and for those above
 *  it a run before that reached e is an answer: from then on it has a cutoff at `factor` times the least
 *  work of such a run, at steps of half a decade.  Above `loosest` no question is left, and it ends at once.
 *  Where the reference has no end no question has an answer: the most expensive run sets the baseline.
 *
 *  By tolerance a run is not begun at all when its pair at the next looser one has done more work than the cutoff, or
 *  would have with a part of the last rise of its work.  A tighter tolerance takes more work nearly always,
 *  not by necessity.  A run that was stopped for its error has done little work, and ends nothing.
 *
 *  A solver that is to run whole is neither cut off nor skipped: where it alone reaches an error in hard cells,
 *  answers beside these need its runs in easy ones.
 *
 *  The cutoff by the reference bounds every run, those of baselines, too.
 *
 *  The budget bounds every run, too, so that each ends.  It is a multiple of the
 *  work of the cell's cheapest accurate run so far, the reference or a baseline; a
 *  reference that did not finish sets no budget.
 *
 *  A cutoff depends on the sweep and the cell alone.
 */
#pragma once

#include "sweep.h"

/** How many phases there are, 1 .. SAL_MAX_CAP_PHASE, and that of a configuration, from 0. */
enum { SAL_MAX_CAP_PHASE = 3 * SAL_MAX_LIST };
int sal_cutoff_phases(const sal_sweep *sweep);
int sal_cutoff_phase_of(const sal_sweep *sweep, int config);

/** Does every run go on to its end, or its budget, whatever others did?  Points compare whole runs alone, so that a sweep
 *  with cutoffs or pilots has none, nor one that keeps no divergence times or integrals of the error. */
bool sal_cutoff_keeps_points(const sal_sweep *sweep);

/** The same pair at the next looser tolerance; -1: there is none.  How many of them there are. */
int sal_cutoff_looser(const sal_sweep *sweep, int config);
int sal_cutoff_looser_count(const sal_sweep *sweep, int config);

/** Results of a cell from its reference and the runs so far. */
typedef struct {
  double truth;               /* what the reference may be off by; infinite: it has no end */
  double reference_work;      /* [evaluations of f] */
  double cheapest;            /* of accurate references: its work, or infinite */
  double best[SAL_MAX_STAIR]; /* least work for the error of each stair; infinite: none */
  double most_work;           /* most work of all runs so far */
} sal_cutoff_baseline;

/** Caps on a run, as a job has them. */
typedef struct {
  double most_work; /* 0: none */
  double budget;    /* 0: none */
  sal_work_stairs stairs;
} sal_cutoff_of_job;

/** A cell whose reference took that work, before its runs. */
sal_cutoff_baseline sal_cutoff_begin(const sal_sweep *sweep, double reference_work,
                                     const sal_cell_record *cell);

/** Takes in the runs of configuration [n], of the records [n_config] of the cell. */
void sal_cutoff_add(const sal_sweep *sweep, int n, const int config[], const sal_record record[],
                    sal_cutoff_baseline *baseline);

/** Caps of a configuration's run in the cell whose runs of earlier phases are in record [n_config]. */
sal_cutoff_of_job sal_cutoff_of_run(const sal_sweep *sweep, int config,
                                    const sal_cutoff_baseline *baseline, const sal_record record[]);

/** Is that run not to be begun?  Then *value becomes its record: the counts of the looser run, which it would have
 *  exceeded. */
bool sal_cutoff_closes(const sal_sweep *sweep, int config, const sal_cutoff_baseline *baseline,
                       const sal_record record[], sal_record *value);
