/** The runs to try one after the other until one reaches an error: each of any method, strategy and tolerance.
 *
 *  An attempt has a work W and a probability P; it misses with m = 1 - 0.998 P, because no forecast has a higher probability than that.
 *  A miss is taken to mean that every attempt with a lower probability would have missed, too.  So a schedule 1, 2, .. of rising
 *  probability takes W_1 + m_1 W_2 + m_2 W_3 + .., and after its last attempt m times the work of the most expensive run.
 *  Only attempts that no other beats in both work and probability are considered: the frontier, of which up to
 *  SAL_SCHEDULE_MOST are kept.  The best schedule follows by recursion, backwards from its attempt with the highest probability:
 *
 *    after_i = min(m_i F, min over j > i of m_i W_j + after_j),    total of a schedule that begins with i = W_i + after_i
 */
#pragma once

#include "surrogate_totals.h"

typedef struct {
  int pair, step; /* any numbers of the caller */
  double work, probability;
} sal_attempt;

/** The frontier, in order of work; sal_schedule_free frees, also after a failure. */
typedef struct {
  int n;
  sal_attempt *at; /* [n] */
  double fallback;
  double after[SAL_SCHEDULE_MOST]; /* expected work after attempt i */
  int next[SAL_SCHEDULE_MOST];     /* attempt after a miss of it; -1: the most expensive run */
} sal_schedule;

/** An empty schedule with room for so many candidates.  Fails for want of memory. */
sal_err sal_schedule_create(int most, sal_schedule *schedule);
void sal_schedule_free(sal_schedule *schedule);
/** A candidate; of equals in work and probability (to 1e-12) the first stays. */
void sal_schedule_add(sal_schedule *schedule, sal_attempt candidate);
/** After the last candidate: thins out the frontier to SAL_SCHEDULE_MOST and finds the successor of each attempt; fallback: work
 *  of the run after the last. */
void sal_schedule_close(sal_schedule *schedule, double fallback);

/** The probability that an attempt misses. */
double sal_schedule_miss(double probability);
/** The attempt after a miss of one of this probability, a number on the frontier; -1: the most expensive run. */
int sal_schedule_next(const sal_schedule *schedule, double probability);
/** Expected total work of the best schedule that begins with an attempt, which need not be on the frontier. */
double sal_schedule_total(const sal_schedule *schedule, double work, double probability);

/* Schedules of the candidates of a place (surrogate_totals.h). */

/** Makes the schedule of all candidates that may answer, in place of what it was before; it has room for them. */
void sal_schedule_of_totals(sal_schedule *schedule, const sal_surrogate_totals *totals);
/** The first attempt of a pair whose schedule has the least expected total; among equals the looser tolerance.  One that misses
 *  more often than not is not an answer, whatever follows it: step -1 where the pair has no other. */
sal_surrogate_pick sal_schedule_least(const sal_schedule *schedule,
                                      const sal_surrogate_totals *totals, int pair);
/** The same among all pairs; among equals the first in their order. */
sal_surrogate_pick sal_schedule_best(const sal_schedule *schedule,
                                     const sal_surrogate_totals *totals);
/** As a choice, whose total is that of the schedule which begins with it. */
sal_surrogate_choice sal_schedule_choice(const sal_schedule *schedule,
                                         const sal_surrogate_totals *totals,
                                         sal_surrogate_pick pick);
/** The schedule that begins with a choice: out [SAL_SCHEDULE_MOST + 1], the choice first; returns how many attempts. */
int sal_schedule_list(const sal_schedule *schedule, const sal_surrogate_totals *totals,
                      const sal_surrogate_choice *first, sal_surrogate_choice out[]);
