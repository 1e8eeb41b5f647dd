/** C with an explicit Runge-Kutta pair, whose tableau is written out. */
#include "dialect.h"
#include "given_method.h"

static const char *solver(const sal_method *method)
{
  return sal_tableau_of(method) ? method->name : NULL;
}

static void add_tableau(const sal_program_source *w, const sal_method *method)
{
  static const sal_export_list row = {CODE(""), CODE("    {"), CODE(", "), CODE("},\n"), CODE("")};
  const sal_tableau *tab = sal_tableau_of(method);
  const sal_export_list *list = &sal_export_c.numbers;

  ADD(w->out, CODE("\n// "));
  sal_pieces_add_word(w->out, sal_pieces_clean(method->title));
  ADD(w->out, CODE(": stages, nodes, rows of the tableau (the last one has the weights), estimates "
                   "of the error\n#define STAGES "));
  sal_pieces_add_whole(w->out, tab->stages);
  ADD(w->out, CODE("\n"));
  sal_dialect_numbers(list, w, NAME("NODE"), tab->stages, tab->table.c);
  ADD(w->out, CODE("static const double ROW[STAGES][STAGES] = {\n"));
  for (int i = 0; i < tab->stages; ++i)
    sal_dialect_numbers(&row, w, NAME(""), tab->stages, tab->table.a[i]);
  ADD(w->out, CODE("};\n"));
  sal_dialect_numbers(list, w, NAME("ESTIMATE"), tab->stages, tab->e);
  sal_dialect_numbers(list, w, NAME("SECOND_ESTIMATE"), tab->stages, tab->e3);
  sal_dialect_numbers(list, w, NAME("POWER"), 1, &tab->power);
  sal_dialect_numbers(list, w, NAME("SHRINK"), 1, &tab->shrink);
}

#define FUNCTION_BEGIN "\n{\n    (void)t, (void)y, (void)mode;\n"
const sal_export_dialect sal_export_c = {
    .program = "c",
    .title = CODE("C"),
    .source = {.operation = sal_dialect_c_operation,
               .number = {"", ""},
               .nan = "NAN",
               .inf = "INFINITY",
               .element = {"[", "]"},
               .word = "P",
               .discrete = "q",
               .statement = "    const double ",
               .end = ";\n",
               .joined = ", ",
               .inlined = 72},
    .head = {CODE("// "),
             CODE(", written from its equations: f, gaps, jumps, and a run from event to event.\n"
                  "//   cc -O2 FILE.c -o run -lm && ./run\n"
                  "#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n#include "
                  "<stdlib.h>\n#include <string.h>\n\nstatic double spacing(double x) { return "
                  "isnormal(x) ? nextafter(fabs(x), INFINITY) - fabs(x) : 0; }\n\n")},
    .comment = CODE("// "),
    .numbers = {CODE("static const double "), CODE("[] = {"), CODE(", "), CODE("};\n"), CODE("0")},
    .words = {CODE("static const char *const "), CODE("[] = {"), CODE(", "), CODE("};\n"),
              CODE("0")},
    .named = {CODE("#define "), CODE(" "), CODE("\n")},
    .terms = CODE("\n// mass, load; of each contact gap, restitution, friction sliding and at "
                  "rest; gradient, "
                  "drift and turn of the gap and of what slides\nstatic void terms(double t, const "
                  "double y[], const double q[], const bool *mode, "
                  "double to[])" FUNCTION_BEGIN "    (void)q;\n"),
    .next_line = CODE(",\n        "),
    .mechanics = "c_energies.txt",
    .f = CODE("static void f(double t, const double y[], const double q[], "
              "const bool *mode, double "
              "to[])" FUNCTION_BEGIN "    (void)q;\n"),
    .gaps = CODE("static void gaps(double t, const double y[], const double q[], const bool *mode, "
                 "const double dy[], double to[])" FUNCTION_BEGIN "    (void)q, (void)dy;\n"),
    .slope = {CODE(""), CODE("    const double result[] = {"), CODE(", "),
              CODE("};\n    memcpy(to, result, sizeof result);\n}\n\n"), CODE("0")},
    .jump = {CODE("static void jump_"),
             CODE("(double t, double y[], bool mode[], bool rests)" FUNCTION_BEGIN
                  "    const bool closing = "),
             CODE(";\n    (void)closing, (void)rests;\n")},
    .fresh = {CODE("    const double new_"), CODE(" = "), CODE(";\n")},
    .mode = {CODE(""), CODE(" != 0")},
    .end_of_jump = CODE("}\n\n"),
    .jumps = {CODE(""),
              CODE(
                  "static void (*const JUMP[])(double t, double y[], bool mode[], bool rests) = {"),
              CODE(", "), CODE("};\n\n"), CODE("0")},
    .loop = "c.txt",
    .solver = solver,
    .add_solver = add_tableau};
