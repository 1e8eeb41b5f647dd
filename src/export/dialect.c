/** Operations and lists as dialects write them. */
#include "dialect.h"
#include "solver_home.h"

#define TABLE(dialect) const char *const sal_dialect_##dialect##_operation[SAL_N_PROGRAM_OP]
#define SAL_DIALECT_OP(name, c, scipy, octave, julia) [SAL_PROGRAM_##name] = (c),
TABLE(c) = {
#include "operations.def"
};
#define SAL_DIALECT_OP(name, c, scipy, octave, julia) [SAL_PROGRAM_##name] = (scipy),
TABLE(scipy) = {
#include "operations.def"
};
#define SAL_DIALECT_OP(name, c, scipy, octave, julia) [SAL_PROGRAM_##name] = (octave),
TABLE(octave) = {
#include "operations.def"
};
#define SAL_DIALECT_OP(name, c, scipy, octave, julia) [SAL_PROGRAM_##name] = (julia),
TABLE(julia) = {
#include "operations.def"
};

const char *sal_dialect_call(const char *program, const sal_method *method)
{
  int home;

  return sal_solver_home_find("", program, &home) == SAL_OK ? sal_solver_home_call(home, method)
                                                            : NULL;
}

void sal_dialect_list_begin(const sal_export_list *list, sal_text *out, sal_export_piece name)
{
  ADD(out, list->name, name, list->open);
}

void sal_dialect_list_end(const sal_export_list *list, sal_text *out, int n)
{
  if (n == 0) ADD(out, list->none);
  ADD(out, list->close);
}

void sal_dialect_numbers(const sal_export_list *list, const sal_program_source *w,
                         sal_export_piece name, int n, const double value[])
{
  sal_dialect_list_begin(list, w->out, name);
  for (int i = 0; i < n; ++i) {
    if (i) ADD(w->out, list->between);
    sal_program_source_number(w, value[i]);
  }
  sal_dialect_list_end(list, w->out, n);
}
