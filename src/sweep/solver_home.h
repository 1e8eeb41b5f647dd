/** Programs in which users run solvers: which of ours they have under another name, and what is written there.
 */
#pragma once

#include "err.h"
#include "method.h"

/** "saltus", "scipy", "matlab", "octave", "julia", "petsc", "sundials", "siconos", then NULL. */
extern const char *const sal_solver_homes[];
enum { SAL_SOLVER_HOME_OURS = 0 };

/** The number of a program; fails where there is none of that name.  `where` heads the message. */
sal_err sal_solver_home_find(const char *where, const char *name, int *home);
/** Can a user of the program run that solver there: has the program the same method, does the solver come from it, or
 *  are its runs recorded there (names that begin with the program's: scipy-lsoda)? */
bool sal_solver_home_has(int home, const sal_method *solver);
/** Code that runs it there: "scipy.integrate.solve_ivp(.., method='RK45')"; NULL for solvers of libraries, which give it themselves
 *  (engine.h), or where it has none. */
const char *sal_solver_home_call(int home, const sal_method *solver);
/** Is that a strategy of the program, too: an if-else in f, or events; of Siconos time stepping? */
bool sal_solver_home_can(int home, const char *strategy);
/** "": it has time stepping alone.  Else two of its solvers whose runs set the best baseline work, the last for stiff problems, as a list: "dop853, radau5". */
const char *sal_solver_home_baselines(int home);

/** Other solvers of the program, without data here: "LSODA"; "": none. */
const char *sal_solver_home_others(int home);
