/** Our solvers' names elsewhere, in one table. */
#include "solver_home.h"
#include "base.h"
#include "engine.h"

enum { SALTUS = SAL_SOLVER_HOME_OURS, SCIPY, MATLAB, OCTAVE, JULIA, PETSC, SUNDIALS, SICONOS };
const char *const sal_solver_homes[] = {"saltus", "scipy",    "matlab",  "octave", "julia",
                                        "petsc",  "sundials", "siconos", NULL};

/* Names of libraries as engines give them, baselines, and what the program has besides. */
static const struct {
  const char *library, *baselines, *others;
} homes[] = {{"", "dop853, ode113, radau5", ""},
             {"SciPy", "dop853, radau5", "LSODA"},
             {"MATLAB", "ode113, ode15s", "ode78, ode89, ode15i"},
             {"Octave", "ode45, ode23s", "ode15s, lsode"},
             {"Julia", "dop853, radau5", "Vern7, Vern9, Rodas5P, FBDF and others"},
             {"PETSc", "petsc-rk5dp, petsc-bdf", "any other by its options"},
             {"SUNDIALS", "sundials-cvode-adams, sundials-cvode-bdf", "other tables of ARKODE"},
             {"Siconos", "", "MoreauJeanGOSI, SchatzmanPaoliOSI and others"}};

/* max_step: as runs were measured (kernels/integrate.c), since SciPy's presets let a step be as long as the span. */
#define SOLVE_IVP(method)                                                                          \
  "scipy.integrate.solve_ivp(f, (0, t_end), y0, method='" method                                   \
  "', rtol=rtol, atol=rtol, max_step=t_end / 10)"
#define ODE(name) "[t, y] = " name "(@f, [0 t_end], y0, odeset('RelTol', rtol, 'AbsTol', atol))"
#define SOLVE(name) "solve(ODEProblem(f!, y0, (0, t_end)), " name "(); reltol=rtol, abstol=atol)"

/* SciPy's BDF is the quasi-constant-step NDF of ode15s (Shampine and Reichelt), and so is Julia's QNDF; Octave's ode15s
 * is IDA of SUNDIALS, another method.  Names of Julia are those of OrdinaryDiffEq. */
static const struct {
  const char *solver;
  int home;
  const char *call;
} calls[] = {
    {"ode23", SCIPY, SOLVE_IVP("RK23")},
    {"ode45", SCIPY, SOLVE_IVP("RK45")},
    {"dop853", SCIPY, SOLVE_IVP("DOP853")},
    {"radau5", SCIPY, SOLVE_IVP("Radau")},
    {"ode15s", SCIPY, SOLVE_IVP("BDF")},
    {"ode23", MATLAB, ODE("ode23")},
    {"ode45", MATLAB, ODE("ode45")},
    {"ode113", MATLAB, ODE("ode113")},
    {"ode15s", MATLAB, ODE("ode15s")},
    {"ode23s", MATLAB, ODE("ode23s")},
    {"ode23t", MATLAB, ODE("ode23t")},
    {"ode23tb", MATLAB, ODE("ode23tb")},
    {"ode23", OCTAVE, ODE("ode23")},
    {"ode45", OCTAVE, ODE("ode45")},
    {"ode23s", OCTAVE, ODE("ode23s")},
    {"ode23", JULIA, SOLVE("BS3")},
    {"ode45", JULIA, SOLVE("DP5")},
    {"tsit5", JULIA, SOLVE("Tsit5")},
    {"dop853", JULIA, SOLVE("DP8")},
    {"ode113", JULIA, SOLVE("VCABM")},
    {"ode15s", JULIA, SOLVE("QNDF")},
    {"ode23s", JULIA, SOLVE("Rosenbrock23")},
    {"ode23t", JULIA, SOLVE("Trapezoid")},
    {"ode23tb", JULIA, SOLVE("TRBDF2")},
    {"radau5", JULIA, SOLVE("RadauIIA5")},
    {"moreau", SICONOS,
     "siconos.kernel.TimeStepping with MoreauJeanOSI(0.5), step = rtol * capture_unit"},
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

/* "scipy-lsoda" is of SciPy. */
static bool is_recorded_there(int home, const sal_method *solver)
{
  const size_t n = strlen(sal_solver_homes[home]);

  return solver->engine->replays && strncmp(solver->name, sal_solver_homes[home], n) == 0 &&
         solver->name[n] == '-';
}

bool sal_solver_home_has(int home, const sal_method *solver)
{
  if (solver->engine)
    return strcmp(solver->engine->library, homes[home].library) == 0 ||
           is_recorded_there(home, solver) || sal_solver_home_call(home, solver) != NULL;
  return home == SALTUS || sal_solver_home_call(home, solver) != NULL;
}

bool sal_solver_home_can(int home, const char *strategy)
{
  if (home == SICONOS) return strcmp(strategy, "capture") == 0;
  return strcmp(strategy, "switch") == 0 || strcmp(strategy, "event") == 0;
}

const char *sal_solver_home_baselines(int home) { return homes[home].baselines; }

const char *sal_solver_home_others(int home) { return homes[home].others; }
