/** @file src/answers/regret.h
 *  Regret: the work of a chosen contender beyond that of the virtual best (virtual_best.h), at
 *  points where all contenders were run.
 *
 *  A choice hits when the chosen contender is available, that is, when its error is at most the
 *  asked one.  Its regret is its work over that of the virtual best, minus 1.  A choice that is not
 *  available misses: it has no regret but an excess, its error over the asked one.
 *
 *  Regret with retries is defined for hits and misses alike, so that missing does not look cheap.
 *  It is the sum of the work of the chosen level and of the tighter levels of its tolerance
 *  schedule up to the first that hits, over the work of the virtual best, minus 1.  Two terms stand
 *  in for work that is not known: a run that did not reach the end costs as much as the most
 *  expensive contender that did, and a schedule on which no level hits costs, in addition, as much
 *  as the most expensive available contender.
 *
 *  A run that was stopped at the cap of its cell (cap.h) is a miss: what it takes is more than its cap,
 *  and whether it reaches the error then is not known.  With retries it costs what it did, a lower
 *  bound, and what follows.
 */
#ifndef SAL_REGRET_H
#define SAL_REGRET_H

#include "choose.h"
#include "quantiles.h"
#include "tolerance_schedule.h"
#include "virtual_best.h"

/** The outcome of a choice at a point. */
typedef struct {
  int    best, chosen; /* contenders; -1: none */
  bool   missed;
  bool   stopped;   /* missed: was stopped at the cap of the point, and work is a lower bound */
  bool   abstained; /* the map expected no hit; its most accurate contender is chosen */
  double best_work, work, error;  /* the latter two of the chosen; NaN: did not reach the end */
  double regret, excess, retried; /* NaN unless it hit; NaN unless it missed; with retries */
} sal_regret_evaluation;

/** Evaluates level `from` of a schedule; -1: nothing was chosen, a miss.  All figures are NaN when
 *  no contender is available. */
sal_regret_evaluation sal_regret_evaluate(const sal_performance_table *table, int64_t cell,
                                          const sal_virtual_best *virtual_best, double asked,
                                          const sal_tolerance_schedule *schedule, int from);

/** The contender that `saltus recommend` answers from n cells with weights [n], or the most
 *  accurate one where it expects none to reach the error (*abstained); -1: none counts.  Room:
 *  list [table->n_contender]. */
int sal_regret_recommendation(const sal_performance_table *table, int n, const int64_t cell[],
                              const double weight[], const sal_question *question,
                              sal_choose_candidate list[], bool *abstained);
/** Evaluates the choice of a contender, or of -1, at a point. */
sal_regret_evaluation sal_regret_evaluate_choice(const sal_performance_table *points, int64_t point,
                                                 const sal_question *question, int chosen,
                                                 bool abstained);

/** Evaluates what `saltus recommend` would answer from a map at the points of another table,
 *  evaluation [points->n_cell].  *outside: points outside the map, where its edge answers. */
SAL_MUST_CHECK sal_err sal_regret_evaluate_map(const sal_performance_table *map,
                                               const sal_performance_table *points,
                                               const sal_question          *question,
                                               sal_regret_evaluation        evaluation[],
                                               int64_t                     *outside);

typedef struct {
  int64_t       points, evaluated;         /* evaluated: some contender is available */
  int64_t       missed, abstained, failed; /* of the evaluated; failed: did not reach the end */
  int64_t       stopped;                   /* of the failed: at a cap */
  sal_quantiles regret;                    /* of the hits */
  sal_quantiles excess;                    /* of the misses */
  sal_quantiles retried;                   /* of the evaluated */
} sal_regret_summary;

SAL_MUST_CHECK sal_err sal_regret_summarise(int64_t n, const sal_regret_evaluation evaluation[],
                                            sal_regret_summary *out);

#endif
