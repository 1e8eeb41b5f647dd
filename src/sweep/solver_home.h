/** @file src/sweep/solver_home.h
 *  Programs in which users run solvers: which of ours they have under another name, and what is written there.
 */
#ifndef SAL_SOLVER_HOME_H
#define SAL_SOLVER_HOME_H

#include "err.h"
#include "method.h"
#include <stdbool.h>

/** "scipy", "matlab", "petsc", "sundials", then NULL. */
extern const char *const sal_solver_homes[];

/** The number of a program; fails where there is none of that name.  `where` heads the message. */
SAL_MUST_CHECK sal_err sal_solver_home_find(const char *where, const char *name, int *home);
/** Can a user of the program run that solver there: has the program the same method, or does the solver come from it? */
bool sal_solver_home_has(int home, const sal_method *solver);
/** What is written there: "scipy.integrate.solve_ivp(.., method='RK45')"; NULL for what solvers of libraries say themselves
 *  (engine.h), or where it has none. */
const char *sal_solver_home_call(int home, const sal_method *solver);
/** Two of its solvers whose runs set a pace, one for stiff problems, as a list: "dop853, radau5". */
const char *sal_solver_home_pacemakers(int home);

#endif
