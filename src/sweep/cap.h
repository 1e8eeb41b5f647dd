/** @file src/sweep/cap.h
 *  Caps: how much work a run may do before it is stopped, because it can win no question.
 *
 *  The runs of a cell take place in phases, and each phase is capped by those before it.  By role there are three of
 *  them: the pacemakers of the sweep with all strategies and tolerances; then those in reserve, then all
 *  others.  By tolerance each role has a phase for each tolerance, the loosest first, so that pacemakers are capped, too.
 *  The pace is the least work of a run so far whose error, as answers count it (measured plus the estimate of
 *  the reference's own), is at most `error`, the tightest one that will be asked for.  What comes after is capped
 *  at `factor` >= 1 times the pace.  For a question of which contender takes least work for an error from
 *  `error` up, the run that set the pace is an answer: the winner takes no more, and is not stopped.  So no winner is lost
 *  by the presets of the weights (work.h) and as long as the run that set the pace may win.  Of other
 *  questions it is known in each cell whether a run that was stopped might win (recommend.c).
 *
 *  A pair of method and strategy whose runs at looser tolerances are close to the pace is capped at `near_factor` times
 *  it: answers between cells are fitted to what nearly wins.
 *
 *  Where no run before reaches the error nothing is known of what it takes, and there is no cap at
 *  first.  But a run whose own error has grown to e has lost all questions up to e, and for those above
 *  it a run before that reached e is an answer: from then on it is capped at `factor` times the least
 *  work of such a run, at steps of half a decade.  Above `loosest` no question is left, and it ends at once.
 *  Where the reference has no end no question has an answer: the dearest run sets the pace.
 *
 *  By tolerance a run is not begun at all when its pair at the next looser one has done more work than the cap, or
 *  would have with a part of the last rise of its work.  That a tighter tolerance takes more work is so nearly always,
 *  not by necessity.  A run that was stopped for its error has done little work, and ends nothing.
 *
 *  A solver that is to run whole is neither capped nor left unbegun: where it alone reaches an error in hard cells,
 *  answers beside these need to know it in easy ones.
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

/** How many phases there are, 1 .. SAL_MAX_CAP_PHASE, and that of a contender, from 0. */
enum { SAL_MAX_CAP_PHASE = 3 * SAL_MAX_LIST };
int sal_cap_phases(const sal_sweep *sweep);
int sal_cap_phase_of(const sal_sweep *sweep, int contender);

/** Does every run go on to its end, or its budget, whatever others did?  Points compare whole runs alone, so that a sweep
 *  with caps or scouts has none. */
bool sal_cap_keeps_points(const sal_sweep *sweep);

/** The same pair at the next looser tolerance; -1: there is none.  How many of them there are. */
int sal_cap_looser(const sal_sweep *sweep, int contender);
int sal_cap_looser_count(const sal_sweep *sweep, int contender);

/** What is known of a cell from its reference and the runs so far. */
typedef struct {
  double truth;               /* what the reference may be off by; infinite: it has no end */
  double reference_work;      /* [evaluations of f] */
  double cheapest;            /* of accurate references: its work, or infinite */
  double pace[SAL_MAX_STAIR]; /* least work for the error of each stair; infinite: none */
  double dearest;             /* most work of all runs so far */
} sal_cap_pace;

/** Caps on a run, as a job has them. */
typedef struct {
  double most_work; /* 0: none */
  double budget;    /* 0: none */
  sal_work_stairs stairs;
} sal_cap_of_job;

/** A cell whose reference took that work, before its runs. */
sal_cap_pace sal_cap_begin(const sal_sweep *sweep, double reference_work,
                           const sal_cell_record *cell);

/** Takes in the runs of contender [n], of the records [n_contender] of the cell. */
void sal_cap_add(const sal_sweep *sweep, int n, const int contender[], const sal_record record[],
                 sal_cap_pace *pace);

/** Caps of a contender's run in the cell whose runs of earlier phases are in record [n_contender]. */
sal_cap_of_job sal_cap_of_run(const sal_sweep *sweep, int contender, const sal_cap_pace *pace,
                              const sal_record record[]);

/** Is that run not to be begun?  Then *value becomes its record: the counts of the looser run, which it would have
 *  exceeded. */
bool sal_cap_closes(const sal_sweep *sweep, int contender, const sal_cap_pace *pace,
                    const sal_record record[], sal_record *value);

#endif
