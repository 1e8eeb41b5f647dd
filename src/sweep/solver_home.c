/** @file src/sweep/solver_home.c
 *  Our solvers' names elsewhere, in one table.
 */
#include "solver_home.h"
#include "engine.h"
#include "text.h"
#include <string.h>

enum { SCIPY, MATLAB, PETSC, SUNDIALS };
const char *const sal_solver_homes[] = {"scipy", "matlab", "petsc", "sundials", NULL};

/* Names of libraries as engines give them, and pacemakers. */
static const struct {
  const char *library, *pacemakers;
} homes[] = {{"SciPy", "dop853, radau5"},
             {"MATLAB", "ode113, ode15s"},
             {"PETSc", "petsc-rk5dp, petsc-bdf"},
             {"SUNDIALS", "sundials-cvode-adams, sundials-cvode-bdf"}};

#define SOLVE_IVP(method) "scipy.integrate.solve_ivp(f, (0, t_end), y0, method='" method "')"
#define ODE(name) "[t, y] = " name "(@f, [0 t_end], y0, odeset('RelTol', rtol, 'AbsTol', atol))"

/* SciPy's BDF is the quasi-constant-step NDF of ode15s (Shampine and Reichelt). */
static const struct {
  const char *solver;
  int home;
  const char *call;
} calls[] = {
    {"ode23", SCIPY, SOLVE_IVP("RK23")},    {"ode45", SCIPY, SOLVE_IVP("RK45")},
    {"dop853", SCIPY, SOLVE_IVP("DOP853")}, {"radau5", SCIPY, SOLVE_IVP("Radau")},
    {"ode15s", SCIPY, SOLVE_IVP("BDF")},    {"ode23", MATLAB, ODE("ode23")},
    {"ode45", MATLAB, ODE("ode45")},        {"ode113", MATLAB, ODE("ode113")},
    {"ode15s", MATLAB, ODE("ode15s")},      {"ode23s", MATLAB, ODE("ode23s")},
    {"ode23t", MATLAB, ODE("ode23t")},      {"ode23tb", MATLAB, ODE("ode23tb")},
};

sal_err sal_solver_home_find(const char *where, const char *name, int *home)
{
  for (*home = 0; sal_solver_homes[*home]; ++*home)
    if (strcmp(sal_solver_homes[*home], name) == 0) return SAL_OK;
  return sal_text_unknown(SAL_ERR_USAGE, where, "program", name, sal_solver_homes);
}

const char *sal_solver_home_call(int home, const sal_method *solver)
{
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (calls[i].home == home && strcmp(calls[i].solver, solver->name) == 0) return calls[i].call;
  return NULL;
}

bool sal_solver_home_has(int home, const sal_method *solver)
{
  if (solver->engine) return strcmp(solver->engine->library, homes[home].library) == 0;
  return sal_solver_home_call(home, solver) != NULL;
}

const char *sal_solver_home_pacemakers(int home) { return homes[home].pacemakers; }
