/** @file src/driver/performance_winners.h
 *  Who may answer from a cube, by which error, and what counts as work: words that a user gives, on a command line or otherwise.
 */
#ifndef SAL_PERFORMANCE_WINNERS_H
#define SAL_PERFORMANCE_WINNERS_H

#include "performance_cube.h"

/** Strings are borrowed; NULL: all, or the presets of the sweep. */
typedef struct {
  const char *head;                 /* of the names in messages: "--", "" */
  const char *solvers, *strategies; /* "ode45,dop853" */
  const char *in;                   /* a program (solver_home.h): what can be run there */
  const char *by;                   /* which error */
  const char *work;                 /* "rhs=1,jacobian=2": weights, in evaluations of f */
  const char *f_costs;              /* "1us": time of an evaluation of f; NULL: work is in these */
  const char *steps, *lanes; /* with f_costs: a file with the times of steps; "1", "4" or "8" */
} sal_performance_winners;

/** Fills in what the choice has of them: method, strategy, by, weights, time. */
SAL_MUST_CHECK sal_err sal_performance_winners_choose(const sal_performance_winners *winners,
                                                      const sal_sweep *sweep,
                                                      sal_performance_choice *choice);
/** The same of weights and time alone, once the others are chosen. */
SAL_MUST_CHECK sal_err sal_performance_work_choose(const sal_performance_winners *winners,
                                                   const sal_sweep *sweep,
                                                   sal_performance_choice *choice);

#endif
