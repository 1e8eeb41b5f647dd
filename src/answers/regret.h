/** @file src/answers/regret.h
 *  Regret: what a choice costs beyond the best one, at points where all contenders were run.
 *
 *  At a point, those whose error (performance_table.h) is at most the asked one are available, and
 * the best of them does least work.  A choice that is available hits, and its regret is its work
 * over that of the best, minus 1.  One that is not misses: it has no regret, but an excess, its
 * error over the asked one.
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
  int n, level[SAL_MAX_LIST];
} sal_tolerance_schedule;

/** Numbers of the tolerances, the loosest first: order [n_tolerance]. */
void sal_tolerance_schedule_order(const sal_sweep *sweep, int order[]);
/** A method with a strategy at all tolerances; empty when the two do not go together. */
sal_tolerance_schedule sal_tolerance_schedule_of(const sal_sweep *sweep, int strategy, int method);

/** What a cell or point virtual_bests to a question by error. */
typedef struct {
  int    best;           /* contender; -1: nobody is available */
  double work;           /* of the best */
  double dearest;        /* most work of those available */
  double dearest_of_all; /* most work of those that count */
} sal_virtual_best;

/** The best is that of sal_choose in the single cell. */
sal_virtual_best sal_virtual_best_at(const sal_performance_table *table, int64_t cell,
                                     const sal_question *question);

typedef struct {
  int    best, chosen;            /* contenders; -1: none */
  bool   missed, silent;          /* silent: said that none would do, and named the most accurate */
  double best_work, work, error;  /* the latter two of the chosen; NaN: did not reach the end */
  double regret, excess, retried; /* NaN unless it hit; NaN unless it missed; with retries */
} sal_evaluation;

/** Judges level `from` of a schedule; -1: there was no choice, a miss.  All NaN when nobody is
 *  available. */
sal_evaluation sal_regret_evaluate(const sal_performance_table *table, int64_t cell,
                                   const sal_virtual_best *virtual_best, double asked,
                                   const sal_tolerance_schedule *schedule, int from);

/** What `saltus recommend` answers from n cells with weights [n], and names where none would do
 *  (*silent): a contender; -1: none counts.  Room: list [table->n_contender]. */
int sal_regret_recommendation(const sal_performance_table *table, int n, const int64_t cell[],
                              const double weight[], const sal_question *question,
                              sal_candidate list[], bool *silent);
/** Judges a contender, or -1, at a point. */
sal_evaluation sal_regret_evaluate_choice(const sal_performance_table *points, int64_t point,
                                          const sal_question *question, int chosen, bool silent);

/** Judges what `saltus recommend` would answer from a map at the points of another table,
 * evaluation [points->n_cell].  *outside: points outside the map, where its edge answers. */
SAL_MUST_CHECK sal_err sal_regret_evaluate_map(const sal_performance_table *map,
                                               const sal_performance_table *points,
                                               const sal_question          *question,
                                               sal_evaluation evaluation[], int64_t *outside);

/** Of values; NaN when there are none. */
typedef struct {
  double median, p90, worst, mean;
} sal_quantiles;

void sal_quantiles_sort(int64_t n, double value[]);
/** The value below which the share q of the n > 0 ascending values lies, linear between neighbours.
 */
double sal_quantiles_at(int64_t n, const double value[], double q);

/** Sorts them.  Quantiles are linear between neighbours. */
sal_quantiles sal_quantiles_of(int64_t n, double value[]);

typedef struct {
  int64_t       points, judged;       /* judged: somebody is available */
  int64_t       missed, silent, lost; /* of the judged; lost: did not reach the end */
  sal_quantiles regret, excess,
      retried; /* of those that hit, of those that missed, of the judged */
} sal_regret_summary;

SAL_MUST_CHECK sal_err sal_regret_summarise(int64_t n, const sal_evaluation evaluation[],
                                            sal_regret_summary *out);

#endif
