/** Julia: steps and callbacks of DifferentialEquations.jl. */
#include "base.h"
#include "dialect.h"

/* The name of the method: "DP5" of "solve(ODEProblem(..), DP5(); ..)". */
static const char *solver(const sal_method *method)
{
  static _Thread_local char name[32];
  const char *call = sal_dialect_call("julia", method);
  const char *end = call ? strstr(call, "();") : NULL, *at = end;
  if (!end) return NULL;
  while (at[-1] != ' ') --at;
  snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
  return name;
}

const sal_export_dialect sal_export_julia = {
    .program = "julia",
    .title = CODE("Julia"),
    .source = {.operation = sal_dialect_julia_operation,
               .number = {"", ""},
               .nan = "NaN",
               .inf = "Inf",
               .element = {"[", "]"},
               .base = 1,
               .word = "P",
               .discrete = "q",
               .statement = "    ",
               .end = "\n",
               .inlined = 72},
    .head = {CODE("# "),
             CODE(", written from its equations: f, gaps, jumps, and a run from event to "
                  "event by DifferentialEquations.jl.\n# It has not been run by Julia, "
                  "which is not on the machine of its authors.\n"
                  "using DifferentialEquations, LinearAlgebra, Printf\n\n")},
    .comment = CODE("# "),
    .numbers = {CODE("const "), CODE(" = ["), CODE(", "), CODE("]\n"), CODE("")},
    .words = {CODE("const "), CODE(" = ["), CODE(", "), CODE("]\n"), CODE("")},
    .named = {CODE("const "), CODE(" = "), CODE("\n")},
    .terms = CODE("\n# mass, load; of each contact gap, restitution, friction sliding and at rest; "
                  "gradient, drift and turn of the gap and of what slides\n"
                  "function terms(t, y, q, mode)\n"),
    .next_line = CODE(",\n            "),
    .mechanics = "julia_energies.txt",
    .f = CODE("function f(t, y, q, mode)\n"),
    .gaps = CODE("function gaps(t, y, q, mode, dy)\n"),
    .slope = {CODE(""), CODE("    return ["), CODE(", "), CODE("]\nend\n\n"), CODE("")},
    .jump = {CODE("function jump_"), CODE("(t, y, mode, rests)\n    closing = "), CODE("\n")},
    .fresh = {CODE("    new_"), CODE(" = "), CODE("\n")},
    .mode = {CODE(""), CODE(" != 0")},
    .end_of_jump = CODE("    return y, mode\nend\n\n"),
    .jumps = {CODE(""), CODE("const JUMP = ["), CODE(", "), CODE("]\n\n"), CODE("")},
    .loop = "julia.txt",
    .steps = "julia_steps.txt",
    .solver = solver};
