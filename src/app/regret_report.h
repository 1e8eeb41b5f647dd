/** @file src/app/regret_report.h
 *  The figures of `saltus regret`, and how they are printed.
 */
#ifndef SAL_REGRET_REPORT_H
#define SAL_REGRET_REPORT_H

#include "atlas_cube.h"
#include "baseline.h"
#include <stdio.h>

/** Who is judged: SAL_REGRET_WHO(ID, "name"). */
#define SAL_REGRET_WHOS(W)                                                                         \
  W(MAP, "the map")                                                                                \
  W(ODE45, "always ode45")                                                                         \
  W(ODE15S, "always ode15s")                                                                       \
  W(PAPER, "the paper's advice")                                                                   \
  W(AS_SAFE, "best single, as safe")                                                               \
  W(BY_RETRIES, "best single, by retries")
#define SAL_REGRET_ENUM(id, name) SAL_REGRET_##id,
typedef enum { SAL_REGRET_WHOS(SAL_REGRET_ENUM) SAL_N_REGRET_WHO } sal_regret_who;
#undef SAL_REGRET_ENUM

/** Of one who at one asked error.  The map has no contender of its own. */
typedef struct {
  bool          there; /* else the cube lacks its method or strategy, or nobody can be judged */
  sal_baseline  pick;
  sal_judgement got;
} sal_regret_row;

typedef struct {
  double         asked, risk; /* risk that baselines may take, see baseline.h */
  int64_t        outside;     /* points outside the map */
  sal_regret_row row[SAL_N_REGRET_WHO];
  sal_verdict   *verdict; /* [points] of the map's answers */
} sal_regret_answer;

/** The question is filled in by the caller, the answers by sal_regret_find. */
typedef struct {
  sal_atlas_cube    map, points;
  double            caution, seed; /* seed NaN: the points were there already */
  int               n_error;
  double            error[SAL_MAX_QUESTION];
  sal_regret_answer answer[SAL_MAX_QUESTION];
} sal_regret_report;

/** Fails when at no point anybody reaches any of the errors. */
SAL_MUST_CHECK sal_err sal_regret_find(sal_regret_report *report);
void                   sal_regret_free(sal_regret_report *report);

/** Mean regret of the best single contender over that of the map: where they hit, or with retries.
 */
double sal_regret_ratio(const sal_regret_answer *answer, bool retries);

/** For people, and as one line of JSON. */
void sal_regret_print(FILE *out, const sal_regret_report *report);
void sal_regret_json(FILE *out, const sal_regret_report *report);
/** A line for each point and error. */
SAL_MUST_CHECK sal_err sal_regret_csv(const char *path, const sal_regret_report *report);

#endif
