/** @file src/answers/tries.h
 *  Which runs to try one after the other until one reaches an error: each of any method, strategy and tolerance.
 *
 *  A try has a work W and a probability P; it misses with m = 1 - 0.998 P, because no forecast is surer than that.
 *  A miss is taken to mean that all less sure tries would have missed, too.  So a plan of tries 1, 2, .. of rising
 *  probability takes W_1 + m_1 W_2 + m_2 W_3 + .., and after its last try m times the work of the dearest run.
 *  Tries worth considering are those that no other beats in both work and probability: the frontier, of which up to
 *  SAL_TRIES_MOST are kept.  The best plan follows by recursion from its surest try backwards:
 *
 *    after_i = min(m_i dearest, min over j > i of m_i W_j + after_j),    total of a plan that begins with i = W_i + after_i
 */
#ifndef SAL_TRIES_H
#define SAL_TRIES_H

#include "reader_totals.h"

enum { SAL_TRIES_MOST = 40 };

typedef struct {
  int pair, step; /* any numbers of the caller */
  double work, probability;
} sal_try;

/** The frontier, in order of work; sal_tries_free frees, also after a failure. */
typedef struct {
  int n;
  sal_try *at; /* [n] */
  double dearest;
  double after[SAL_TRIES_MOST]; /* expected work after try i */
  int next[SAL_TRIES_MOST];     /* what follows a miss of it; -1: the dearest run */
} sal_tries;

/** An empty plan with room for so many candidates.  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_tries_create(int most, sal_tries *plan);
void sal_tries_free(sal_tries *plan);
/** A candidate; of equals in work and probability (to 1e-12) the first stays. */
void sal_tries_add(sal_tries *plan, sal_try candidate);
/** After the last candidate: thins out the frontier to SAL_TRIES_MOST and finds what follows each try; dearest: work
 *  of the run after the last. */
void sal_tries_close(sal_tries *plan, double dearest);

/** The probability that a try misses. */
double sal_tries_miss(double probability);
/** What follows a miss of a try of this probability, a number on the frontier; -1: the dearest run. */
int sal_tries_next(const sal_tries *plan, double probability);
/** Expected total work of the best plan that begins with a try, which need not be on the frontier. */
double sal_tries_total(const sal_tries *plan, double work, double probability);

/* Of the candidates of a place (reader_totals.h). */

/** Makes the plan of all candidates that may answer, in place of what it was before; it has room for them. */
void sal_tries_of_totals(sal_tries *plan, const sal_reader_totals *totals);
/** The first try of a pair whose plan has the least expected total; of equals the looser tolerance.  One that misses
 *  more often than not is no answer, whatever follows it: step -1 where the pair has no other. */
sal_reader_pick sal_tries_least(const sal_tries *plan, const sal_reader_totals *totals, int pair);
/** Of all pairs; of equals the first in their order. */
sal_reader_pick sal_tries_best(const sal_tries *plan, const sal_reader_totals *totals);
/** As a choice, whose total is that of the plan which begins with it. */
sal_reader_choice sal_tries_choice(const sal_tries *plan, const sal_reader_totals *totals,
                                   sal_reader_pick pick);
/** The plan that begins with a choice: out [SAL_TRIES_MOST + 1], the choice first; returns how many tries. */
int sal_tries_list(const sal_tries *plan, const sal_reader_totals *totals,
                   const sal_reader_choice *first, sal_reader_choice out[]);

#endif
