/** @file src/app/refine_print.c
 *  The table of `saltus refine --dry-run`.
 */
#include "refine_print.h"
#include "parameter_column.h"
#include "parameter_point.h"

/* An option by its word. */
static void print_value(FILE *out, const sal_model *m, int column, double value)
{
  const int option = column - m->n_param;

  if (option >= 0 && option < m->n_option)
    fprintf(out, " %12s", m->option[option].choice[(int)value]);
  else
    fprintf(out, " %12.6g", value);
}

void sal_refine_print(FILE *out, const sal_sweep *s, int64_t n, const sal_refine_point point[])
{
  fprintf(out, "%10s %9s %9s ", "score", "cell", "and cell");
  for (int a = 0; a < s->n_axis; ++a)
    fprintf(out, " %12s", sal_parameter_column_name(s->model, s->axis[a].column[0]));
  fprintf(out, "\n");
  for (int64_t i = 0; i < n; ++i) {
    fprintf(out, "%10.4g %9lld %9lld ", point[i].score, (long long)point[i].a + 1,
            (long long)point[i].b + 1);
    for (int a = 0; a < s->n_axis; ++a)
      print_value(out, s->model, s->axis[a].column[0], point[i].value[a]);
    fprintf(out, "\n");
  }
}
