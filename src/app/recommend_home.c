/** An answer as it is written in a program. */
#include "export_line.h"
#include "recommend_print.h"
#include "solver_home.h"

/* The answer as a program of its own; ours is one of C. */
static void print_export(sal_report *r, const sal_advice *a, int home)
{
  const char *program = home == SAL_SOLVER_HOME_OURS ? "c" : sal_solver_homes[home];
  const sal_surrogate_choice *best = &a->answer->best;
  SAL_OWN_BY(sal_text_free) sal_text line = {0};

  if (best->pair >= 0)
    sal_export_line(program, &a->cube.sweep, a->value, best->pair, best->tolerance, &line);
  sal_json_text(&r->json, "export", line.string);
  if (line.string)
    sal_report_say(r, "written out with f, gaps and restarts for %s:\n  %s\n", program,
                   line.string);
}

void sal_recommend_print_home(sal_report *r, const sal_advice *a, int home)
{
  const int pair = a->answer->best.pair;
  const sal_method *solver = pair < 0 ? NULL : sal_config_solver(&a->cube.sweep, pair);
  const char *call = solver ? sal_solver_home_call(home, solver) : NULL;
  const char *others = sal_solver_home_others(home);

  sal_json_text(&r->json, "in", sal_solver_homes[home]);
  sal_json_text(&r->json, "call", call);
  sal_json_text(&r->json, "not_measured", others);
  if (solver && solver->engine && solver->engine->replays)
    sal_report_say(r, "\nin %s: %s, whose own runs are in this cube\n", sal_solver_homes[home],
                   solver->name);
  if (call)
    sal_report_say(r, "\nin %s: %s, rtol = atol = %.3g\n", sal_solver_homes[home], call,
                   a->answer->best.tolerance);
  print_export(r, a, home);
  if (others[0])
    sal_report_say(r, "not measured, unless solvers of these names are in this cube: %s\n", others);
}
