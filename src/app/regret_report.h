/** @file src/app/regret_report.h
 *  The figures of `saltus regret`, and how they are printed.
 */
#ifndef SAL_REGRET_REPORT_H
#define SAL_REGRET_REPORT_H

#include "performance_cube.h"
#include "replicates.h"
#include "single_best.h"
#include <stdio.h>

/** Who is judged: SAL_REGRET_WHO(ID, "name"). */
#define SAL_REGRET_WHOS(W)                                                                         \
  W(MAP, "the map")                                                                                \
  W(ODE45, "always ode45")                                                                         \
  W(ODE15S, "always ode15s")                                                                       \
  W(PAPER, "the paper's advice")                                                                   \
  W(AS_SAFE, "best single, as safe")                                                               \
  W(BY_RETRIES, "best single, by retries")                                                         \
  W(REPLICATE, "best at a replicate")                                                              \
  W(CAUTIOUS, "best at a replicate, cautious")
#define SAL_REGRET_ENUM(id, name) SAL_REGRET_##id,
typedef enum { SAL_REGRET_WHOS(SAL_REGRET_ENUM) SAL_N_REGRET_WHO } sal_regret_who;
#undef SAL_REGRET_ENUM

/** Of one who at one asked error.  Who looks at each point by itself has no contender of his own:
 *  then pick is empty. */
typedef struct {
  bool there; /* else the cube lacks its method, strategy or replicates, or nobody is judged */
  sal_single_best    pick;
  sal_regret_summary got;
} sal_regret_row;

typedef struct {
  double         asked, risk; /* risk that baselines may take, see single_best.h */
  int64_t        outside;     /* points outside the map */
  sal_regret_row row[SAL_N_REGRET_WHO];
  sal_evaluation
      *evaluation; /* [n_view][points]: of the map; at the replicate, without and with caution */
} sal_regret_answer;

/** The question is filled in by the caller, the answers by sal_regret_find. */
typedef struct {
  sal_performance_cube  map, points; /* with replicates, points.table has n_cell without them */
  bool                  replicates;
  sal_performance_table replicate;  /* their part of points.table, borrowed */
  double               *dispersion; /* [n_contender], see replicates.h; NULL without replicates */
  int    n_view; /* who looks at each point by itself: 1; 2 with replicates; 3 with caution */
  double caution, seed; /* seed NaN: the points were there already */
  int    n_error;
  double error[SAL_MAX_QUESTION];
  sal_regret_answer answer[SAL_MAX_QUESTION];
} sal_regret_report;

/** Parts the cells of the points, which have replicates, into both. */
void sal_regret_part(sal_regret_report *report);
/** Fails when at no point anybody reaches any of the errors. */
SAL_MUST_CHECK sal_err sal_regret_find(sal_regret_report *report);
void                   sal_regret_free(sal_regret_report *report);

/** Is this one part of the answers at all?  Those at replicates only are where there are
 * replicates. */
bool sal_regret_asked(const sal_regret_report *report, sal_regret_who who);
/** Mean regret of the best single contender over that of the map: where they hit, or with retries.
 */
double sal_regret_ratio(const sal_regret_answer *answer, bool retries);

/** For people, and as one line of JSON. */
void sal_regret_print(FILE *out, const sal_regret_report *report);
void sal_regret_json(FILE *out, const sal_regret_report *report);
/** A line for each point and error. */
SAL_MUST_CHECK sal_err sal_regret_csv(const char *path, const sal_regret_report *report);

#endif
