/** @file src/run/regret.h
 *  Regret: what a choice costs beyond the best one, at points where all contenders were run.
 *
 *  At a point, those whose error (atlas.h) is at most the asked one are available, and the best of
 *  them does least work.  A choice that is available hits, and its regret is its work over that of
 *  the best, minus 1.  One that is not misses: it has no regret, but an excess, its error over the
 *  asked one.
 *
 *  So that missing does not look cheap there is a second figure, regret with retries.  Whoever
 *  misses pays for the run, and goes on with the next tighter tolerance, paying for each run until
 *  one hits.  When none is left, the dearest that is available is paid for, too.  A run that did
 *  not reach the end, whose work is not known, costs as much as the dearest that did.
 */
#ifndef SAL_REGRET_H
#define SAL_REGRET_H

#include "choose.h"

/** Contenders in the order in which they are tried: from loose to tight. */
typedef struct {
  int n, rung[SAL_MAX_CONTENDER];
} sal_ladder;

/** Numbers of the tolerances, the loosest first: order [n_tolerance]. */
void sal_ladder_order(const sal_sweep *sweep, int order[]);
/** A method with a strategy at all tolerances; empty when the two do not go together. */
sal_ladder sal_ladder_of(const sal_sweep *sweep, int strategy, int method);

/** What a cell or point offers to a question by error. */
typedef struct {
  int    best;           /* contender; -1: nobody is available */
  double work;           /* of the best */
  double dearest;        /* most work of those available */
  double dearest_of_all; /* most work of those that count */
} sal_offer;

/** The best is that of sal_choose in the single cell. */
sal_offer sal_offer_in(const sal_atlas *atlas, int64_t cell, const sal_question *question);

typedef struct {
  int    best, chosen;            /* contenders; -1: none */
  bool   missed, silent;          /* silent: said that none would do, and named the most accurate */
  double best_work, work, error;  /* the latter two of the chosen; NaN: did not reach the end */
  double regret, excess, retried; /* NaN unless it hit; NaN unless it missed; with retries */
} sal_verdict;

/** Judges rung `from` of a ladder; -1: there was no choice, a miss.  All NaN when nobody is
 *  available. */
sal_verdict sal_judge(const sal_atlas *atlas, int64_t cell, const sal_offer *offer, double asked,
                      const sal_ladder *ladder, int from);

/** What `saltus recommend` answers from n cells with weights [n], and names where none would do
 *  (*silent): a contender; -1: none counts.  Room: list [atlas->n_contender]. */
int sal_answer(const sal_atlas *atlas, int n, const int64_t cell[], const double weight[],
               const sal_question *question, sal_candidate list[], bool *silent);
/** Judges a contender, or -1, at a point. */
sal_verdict sal_judge_chosen(const sal_atlas *points, int64_t point, const sal_question *question,
                             int chosen, bool silent);

/** Judges what `saltus recommend` would answer from a map at the points of another atlas, verdict
 *  [points->n_cell].  *outside: points outside the map, where its edge answers. */
SAL_MUST_CHECK sal_err sal_judge_map(const sal_atlas *map, const sal_atlas *points,
                                     const sal_question *question, sal_verdict verdict[],
                                     int64_t *outside);

/** Of values; NaN when there are none. */
typedef struct {
  double median, p90, worst, mean;
} sal_spread;

void sal_sort_values(int64_t n, double value[]);
/** The value below which the share q of the n > 0 ascending values lies, linear between neighbours.
 */
double sal_quantile(int64_t n, const double value[], double q);

/** Sorts them.  Quantiles are linear between neighbours. */
sal_spread sal_spread_of(int64_t n, double value[]);

typedef struct {
  int64_t    points, judged;          /* judged: somebody is available */
  int64_t    missed, silent, lost;    /* of the judged; lost: did not reach the end */
  sal_spread regret, excess, retried; /* of those that hit, of those that missed, of the judged */
} sal_judgement;

SAL_MUST_CHECK sal_err sal_judgement_of(int64_t n, const sal_verdict verdict[], sal_judgement *out);

#endif
