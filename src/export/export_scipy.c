/** Python and NumPy: for the solver classes of SciPy, and time stepping with the contact solvers of Siconos. */
#include "base.h"
#include "dialect.h"

/* The name of the method in quotes in the call of the solver. */
static const char *solver(const sal_method *method)
{
  static _Thread_local char name[32];
  const char *call = sal_dialect_call("scipy", method);
  const char *quoted = call ? strstr(call, "method='") : NULL;
  if (!quoted) return NULL;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(quoted + 8, "'"), quoted + 8);
  return name;
}

#define TERMS                                                                                      \
  "GUARD, STICK, SENSE, RIGID = (x.astype(int) for x in (GUARD, STICK, SENSE, RIGID))\n\n\n"       \
  "def terms(t, y, q, mode):\n    # mass, load; of each contact gap, restitution, friction "       \
  "sliding "                                                                                       \
  "and at rest; gradient, drift and turn of the gap and of what slides\n"
#define PYTHON                                                                                     \
  .source = {.operation = sal_dialect_scipy_operation,                                             \
             .number = {"", ""},                                                                   \
             .nan = "np.nan",                                                                      \
             .inf = "np.inf",                                                                      \
             .element = {"[", "]"},                                                                \
             .word = "P",                                                                          \
             .discrete = "q",                                                                      \
             .statement = "    ",                                                                  \
             .end = "\n",                                                                          \
             .inlined = 72},                                                                       \
  .comment = CODE("# "),                                                                           \
  .numbers = {CODE(""), CODE(" = np.array(["), CODE(", "), CODE("])\n"), CODE("")},                \
  .words = {CODE(""), CODE(" = ["), CODE(", "), CODE("]\n"), CODE("")},                            \
  .named = {CODE(""), CODE(" = "), CODE("\n")}, .next_line = CODE(",\n            "),              \
  .slope = {CODE(""), CODE("    return ["), CODE(", "), CODE("]\n\n\n"), CODE("")}

const sal_export_dialect sal_export_scipy = {
    .program = "scipy",
    .title = CODE("SciPy"),
    PYTHON,
    .head = {CODE("\"\"\""), CODE(", written from its equations: f, gaps, jumps, and a run from "
                                  "event to event.\"\"\"\n\n"
                                  "import numpy as np\n\n")},
    .terms = CODE("import itertools\n" TERMS),
    .mechanics = "scipy_energies.txt",
    .f = CODE("\ndef f(t, y, q, mode):\n"),
    .gaps = CODE("def gaps(t, y, q, mode, dy):\n"),
    .jump = {CODE("def jump_"), CODE("(t, y, mode, rests):\n    closing = "), CODE("\n")},
    .fresh = {CODE("    new_"), CODE(" = "), CODE("\n")},
    .mode = {CODE("bool("), CODE(")")},
    .end_of_jump = CODE("    return y, mode\n\n\n"),
    .jumps = {CODE(""), CODE("JUMP = ["), CODE(", "), CODE("]\n\n\n"), CODE("")},
    .loop = "scipy.txt",
    .solver = solver};

static const char *stepping(const sal_method *method)
{
  return method->captures && !method->implicit ? "moreau" : NULL;
}

const sal_export_dialect sal_export_siconos = {
    .program = "siconos",
    .title = CODE("Siconos"),
    PYTHON,
    .head = {CODE("\"\"\""), CODE(", written from its energies: mass, load and contacts, and time "
                                  "stepping by Moreau and Jean.\"\"\"\n\n"
                                  "import numpy as np\nimport siconos.numerics as sn\n\n")},
    .terms = CODE(TERMS),
    .mechanics = "siconos.txt",
    .solver = stepping};
