/** Octave.  An operation without a real value gives NaN as elsewhere, where Octave would go on with complex numbers.
 */
#include "dialect.h"

static const char *solver(const sal_method *method)
{
  return sal_dialect_call("octave", method) ? method->name : NULL;
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
               .joined = "; ",
               .inlined = 72},
    .head =
        {CODE("1;  % "),
         CODE(", written from its equations: f, gaps, jumps, and a run from event to event\n\n")},
    .comment = CODE("% "),
    .numbers = {CODE("function v = "), CODE("() persistent kept = ["), CODE(", "),
                CODE("]; v = kept; end\n"), CODE("")},
    .words = {CODE("function v = "), CODE("() v = {"), CODE(", "), CODE("}; end\n"), CODE("")},
    .named = {CODE("function v = "), CODE("() v = "), CODE("; end\n")},
    .terms = CODE("\nfunction to = terms(t, y, q, mode)\n    % mass, load; of each contact gap, "
                  "restitution, friction sliding and at rest; gradient, drift and turn of the gap "
                  "and of what slides\n    p = P();\n"),
    .next_line = CODE("; ...\n          "),
    .mechanics = "octave_energies.txt",
    .f = CODE("function to = f(t, y, q, mode)\n    p = P();\n"),
    .gaps = CODE("function to = gaps(t, y, q, mode, dy)\n    p = P();\n"),
    .slope = {CODE(""), CODE("    to = ["), CODE("; "), CODE("];\nend\n\n"), CODE("")},
    .jump = {CODE("function [y, mode] = jump_"),
             CODE("(t, y, mode, rests)\n    p = P();\n    closing = "), CODE(";\n")},
    .fresh = {CODE("    new_"), CODE(" = "), CODE(";\n")},
    .mode = {CODE("logical("), CODE(")")},
    .end_of_jump = CODE("end\n\n"),
    .jumps = {CODE(""), CODE("function [y, mode] = jump(k, t, y, mode, rests)\n    jumps = {@"),
              CODE(", @"), CODE("};\n    [y, mode] = jumps{k}(t, y, mode, rests);\nend\n\n"),
              CODE("none")},
    .loop = "octave.txt",
    .solver = solver};
