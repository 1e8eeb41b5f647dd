/** @file src/app/regret_report.h
 *  The figures of `saltus regret`, and how they are printed.
 */
#ifndef SAL_REGRET_REPORT_H
#define SAL_REGRET_REPORT_H

#include "performance_cube.h"
#include "replicates.h"
#include "single_best.h"
#include <stdio.h>

/** The ways to select a contender at a point that are evaluated: SAL_REGRET_SELECTOR(ID,
 *  "name"). */
#define SAL_REGRET_SELECTORS(S)                                                                    \
  S(MAP, "the map")                                                                                \
  S(ODE45, "always ode45")                                                                         \
  S(ODE15S, "always ode15s")                                                                       \
  S(PAPER, "the paper's advice")                                                                   \
  S(AS_SAFE, "single best, as safe")                                                               \
  S(BY_RETRIES, "single best, by retries")                                                         \
  S(REPLICATE, "best at a replicate")                                                              \
  S(CAUTIOUS, "best at a replicate, cautious")
#define SAL_REGRET_ENUM(id, name) SAL_REGRET_##id,
typedef enum { SAL_REGRET_SELECTORS(SAL_REGRET_ENUM) SAL_N_REGRET_SELECTOR } sal_regret_selector;
#undef SAL_REGRET_ENUM

/** One selector at one asked error. */
typedef struct {
  bool there; /* else the cube lacks its method, strategy or replicates, or nothing is evaluated */
  sal_single_best    pick; /* empty for a selector that looks at each point by itself */
  sal_regret_summary summary;
} sal_regret_row;

typedef struct {
  double         asked, risk; /* risk: of the single best that is as safe, see single_best.h */
  int64_t        outside;     /* points outside the map */
  sal_regret_row row[SAL_N_REGRET_SELECTOR];
  /* [n_view][points]: of the map; at the replicate, without and with caution */
  sal_regret_evaluation *evaluation;
} sal_regret_answer;

/** The question is filled in by the caller, the answers by sal_regret_find. */
typedef struct {
  sal_performance_cube  map, points; /* with replicates, points.table has n_cell without them */
  bool                  replicates;
  sal_performance_table replicate;  /* their part of points.table, borrowed */
  double               *dispersion; /* [n_contender], see replicates.h; NULL without replicates */
  int    n_view; /* selectors that look at each point: 1; 2 with replicates; 3 with caution */
  double caution, seed; /* seed NaN: the points were there already */
  int    n_error;
  double error[SAL_MAX_QUESTION];
  sal_regret_answer answer[SAL_MAX_QUESTION];
} sal_regret_report;

/** Divides the cells of the points, which have replicates, into points and replicates. */
void sal_regret_split(sal_regret_report *report);
/** Fails when at no point any contender reaches any of the errors. */
SAL_MUST_CHECK sal_err sal_regret_find(sal_regret_report *report);
void                   sal_regret_free(sal_regret_report *report);

/** Is this selector part of the report?  Those at replicates only are where there are
 *  replicates. */
bool sal_regret_selects(const sal_regret_report *report, sal_regret_selector selector);
/** Mean regret of the single best over that of the map: where they hit, or with retries. */
double sal_regret_ratio(const sal_regret_answer *answer, bool retries);

/** As a table, and as one line of JSON. */
void sal_regret_print(FILE *out, const sal_regret_report *report);
void sal_regret_json(FILE *out, const sal_regret_report *report);
/** A line for each point and error. */
SAL_MUST_CHECK sal_err sal_regret_csv(const char *path, const sal_regret_report *report);

#endif
