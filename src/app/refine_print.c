/** The table of `saltus refine --dry-run`. */
#include "map_print.h"

void sal_refine_print(FILE *out, const sal_sweep *s, int64_t first)
{
  const int n_param = s->model->n_param + s->model->n_option;
  double value[SAL_MAX_QUANTITY];
  char number[SAL_TEXT_NUMBER];

  fprintf(out, "%9s ", "cell");
  for (int a = 0; a < s->n_axis; ++a)
    for (int c = 0; c < s->axis[a].n_column; ++c)
      fprintf(out, " %12s", sal_parameter_column_name(s->model, s->axis[a].column[c]));
  fprintf(out, "\n");
  for (int64_t i = first; i < s->n_cell; ++i) {
    sal_sweep_cell(s, i, value, value + n_param);
    fprintf(out, "%9lld ", (long long)i + 1);
    for (int a = 0; a < s->n_axis; ++a)
      for (int c = 0; c < s->axis[a].n_column; ++c) {
        const int k = s->axis[a].column[c];
        fprintf(out, " %12s", sal_parameter_column_text(s->model, k, value[k], 6, number));
      }
    fprintf(out, "\n");
  }
}
