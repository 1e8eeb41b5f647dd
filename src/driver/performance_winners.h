/** @file src/driver/performance_winners.h
 *  Who may answer from a cube, and by which error: names that a user gives, on a command line or otherwise.
 */
#ifndef SAL_PERFORMANCE_WINNERS_H
#define SAL_PERFORMANCE_WINNERS_H

#include "performance_cube.h"

/** Strings are borrowed; NULL: all, or as the sweep says. */
typedef struct {
  const char *head;                 /* of the names in messages: "--", "" */
  const char *solvers, *strategies; /* "ode45,dop853" */
  const char *in;                   /* a program (solver_home.h): what can be run there */
  const char *by;                   /* which error */
} sal_performance_winners;

/** Fills in what the choice has of them: method, strategy, by. */
SAL_MUST_CHECK sal_err sal_performance_winners_choose(const sal_performance_winners *winners,
                                                      const sal_sweep *sweep,
                                                      sal_performance_choice *choice);

#endif
