/** @file src/app/stiffness_table.c
 *  Stiffness as text.
 */
#include "stiffness_table.h"
#include "published.h"
#include <string.h>

void sal_stiffness_table_print(FILE *out, const sal_cube *cube)
{
  const bool monopod = strcmp(cube->model, "monopod") == 0 && cube->n_param == 4;

  fprintf(out,
          "\nTable 2: stiffness ratio (28) and largest |eigenvalue|\n"
          "at the point (29) as printed, at the true point of rest, and along the reference "
          "trajectory\n\n%5s",
          "#");
  for (int p = 0; p < cube->n_param; ++p) fprintf(out, " %8s", cube->param_name[p]);
  if (monopod) fprintf(out, " %10s", "SR paper");
  fprintf(out, " %10s %10s %9s %9s %9s %6s %9s\n", "SR (29)", "SR true", "|l| (29)", "|l| true",
          "|l| along", "events", "ref error");
  for (int64_t i = 0; i < cube->n_cell; ++i) {
    const double *v = cube->cell[i].value, *p = cube->param + i * cube->n_param;
    const int     set = monopod ? sal_published_find_set(p) : -1;
    fprintf(out, "%5lld", (long long)i + 1);
    for (int k = 0; k < cube->n_param; ++k) fprintf(out, " %8g", p[k]);
    if (monopod && set >= 0) fprintf(out, " %10.0f", sal_published_sets[set][4]);
    if (monopod && set < 0) fprintf(out, " %10s", "-");
    fprintf(out, " %10.4g %10.4g %9.4g %9.4g %9.4g %6.0f %9.1e\n", v[SAL_CELL_SR_PUBLISHED],
            v[SAL_CELL_SR], v[SAL_CELL_RATE_PUBLISHED], v[SAL_CELL_RATE],
            v[SAL_CELL_RATE_TRAJECTORY], v[SAL_CELL_REFERENCE_EVENTS], v[SAL_CELL_REFERENCE_ERROR]);
  }
}
