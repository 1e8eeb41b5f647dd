/** Octave.  An operation without a real value gives NaN as elsewhere, where Octave would go on with complex numbers.
 */
#include "dialect.h"
#include "solver_home.h"

static const char *solver(const sal_method *method)
{
  int home;

  if (sal_solver_home_find("", "octave", &home) != SAL_OK) return NULL;
  return sal_solver_home_call(home, method) ? method->name : NULL;
}

const sal_export_dialect sal_export_octave = {
    .program = "octave",
    .title = CODE("Octave"),
    .source = {.operation = sal_dialect_octave_operation,
               .number = {"", ""},
               .nan = "NaN",
               .inf = "Inf",
               .element = {"(", ")"},
               .base = 1,
               .word = "p",
               .discrete = "q",
               .statement = "    ",
               .end = ";\n",
               .inlined = 72},
    .head =
        {CODE("1;  % "),
         CODE(", written from its equations: f, gaps, jumps, and a run from event to event\n\n")},
    .comment = CODE("% "),
    .numbers = {CODE("function v = "), CODE("()\n  persistent kept = ["), CODE(", "),
                CODE("];\n  v = kept;\nend\n\n"), CODE("")},
    .words = {CODE("function v = "), CODE("()\n  v = {"), CODE(", "), CODE("};\nend\n\n"),
              CODE("")},
    .scalar = {CODE("function v = "), CODE("()\n  v = "), CODE(";\nend\n\n")},
    .whole = {CODE("function v = "), CODE("()\n  v = "), CODE(";\nend\n\n")},
    .word = {CODE("function v = "), CODE("()\n  v = \""), CODE("\";\nend\n\n")},
    .f = CODE(
        "function v = where(condition, yes, no)\n  if condition\n    v = yes;\n  else\n    v = "
        "no;\n  end\nend\n\n"
        "function v = is_closed(mode, k, gap)\n  if isempty(mode)\n    v = gap <= 0;\n  else\n    "
        "v = mode(k);\n  "
        "end\nend\n\n"
        "function v = is_held(mode, k)\n  v = ! isempty(mode) && mode(k);\nend\n\n"
        "function v = spacing(x)\n  v = eps(abs(x));\n  v(abs(x) < realmin()) = 0;\nend\n\n"
        "function dy = f(t, y, q, mode)\n    p = P();\n"),
    .gaps = CODE("function v = gaps(t, y, q, mode, dy)\n    p = P();\n"),
    .slope = {CODE(""), CODE("    dy = ["), CODE("; "), CODE("];\nend\n\n"), CODE("")},
    .gap = {CODE(""), CODE("    v = ["), CODE("; "), CODE("];\nend\n\n"), CODE("")},
    .jump = {CODE("function [y, mode] = jump_"),
             CODE("(t, y, mode, rests)\n    p = P();\n    closing = "), CODE(";\n")},
    .fresh = {CODE("    new_"), CODE(" = "), CODE(";\n")},
    .mode = {CODE("logical("), CODE(")")},
    .end = CODE(";\n"),
    .end_of_jump = CODE("end\n\n"),
    .jumps = {CODE(""), CODE("function [y, mode] = jump(k, t, y, mode, rests)\n    jumps = {"),
              CODE(", "), CODE("};\n    [y, mode] = jumps{k}(t, y, mode, rests);\nend\n\n"),
              CODE("")},
    .function = CODE("@"),
    .loop = "octave.txt",
    .solver = solver};
