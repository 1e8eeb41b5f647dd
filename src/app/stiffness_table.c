/** @file src/app/stiffness_table.c
 *  Stiffness as text and as JSON.
 */
#include "stiffness_table.h"
#include "published.h"
#include "text.h"
#include <stdbool.h>

/* The published set that cell i is, or -1. */
static int published_set_of_cell(const sal_cube *cube, int64_t i)
{
  return sal_published_find_set(cube->n_param, (const char *const *)cube->param_name,
                                cube->param + i * cube->n_param);
}

static bool any_cell_is_published(const sal_cube *cube)
{
  for (int64_t i = 0; i < cube->n_cell; ++i)
    if (published_set_of_cell(cube, i) >= 0) return true;
  return false;
}

/* Is parameter k 0 in all cells, as that of a part of the model is which is off? */
static bool is_off(const sal_cube *cube, int k)
{
  bool off = true;

  for (int64_t i = 0; i < cube->n_cell; ++i) off = off && cube->param[i * cube->n_param + k] == 0;
  return off;
}

static void print_head(FILE *out, const sal_cube *cube, bool beside)
{
  fprintf(out,
          "\nTable 2: stiffness ratio (28) and largest |eigenvalue|\n"
          "at the point (29) as printed, at the true point of rest, and along the reference "
          "trajectory\n\n%5s",
          "#");
  for (int p = 0; p < cube->n_param; ++p)
    if (!is_off(cube, p)) fprintf(out, " %8s", cube->param_name[p]);
  if (beside) fprintf(out, " %10s", "SR paper");
  fprintf(out, " %10s %10s %9s %9s %9s %6s %9s\n", "SR (29)", "SR true", "|l| (29)", "|l| true",
          "|l| along", "events", "ref error");
}

void sal_stiffness_table_print(FILE *out, const sal_cube *cube, int64_t most)
{
  const bool beside = any_cell_is_published(cube);
  const int64_t n = cube->n_cell < most ? cube->n_cell : most;

  print_head(out, cube, beside);
  for (int64_t i = 0; i < n; ++i) {
    const double *v = cube->cell[i].value, *p = cube->param + i * cube->n_param;
    const int set = published_set_of_cell(cube, i);
    fprintf(out, "%5lld", (long long)i + 1);
    for (int k = 0; k < cube->n_param; ++k)
      if (!is_off(cube, k)) fprintf(out, " %8g", p[k]);
    if (set >= 0) fprintf(out, " %10.0f", sal_published_sets[set][4]);
    if (beside && set < 0) fprintf(out, " %10s", "-");
    fprintf(out, " %10.4g %10.4g %9.4g %9.4g %9.4g %6.0f %9.1e\n", v[SAL_CELL_SR_PUBLISHED],
            v[SAL_CELL_SR], v[SAL_CELL_RATE_PUBLISHED], v[SAL_CELL_RATE],
            v[SAL_CELL_RATE_TRAJECTORY], v[SAL_CELL_REFERENCE_EVENTS], v[SAL_CELL_REFERENCE_ERROR]);
  }
  if (n < cube->n_cell)
    fprintf(out, "  ..  %lld more cell%s; --all prints them\n", (long long)(cube->n_cell - n),
            sal_text_plural(cube->n_cell - n));
}

void sal_stiffness_table_json(sal_json *j, const char *name, const sal_cube *cube)
{
  sal_json_array(j, name);
  for (int64_t i = 0; i < cube->n_cell; ++i) {
    const int set = published_set_of_cell(cube, i);
    sal_json_object(j, NULL);
    for (int k = 0; k < cube->n_param; ++k)
      sal_json_number(j, cube->param_name[k], cube->param[i * cube->n_param + k]);
    if (set >= 0) sal_json_number(j, "stiffness_ratio_printed", sal_published_sets[set][4]);
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
      sal_json_number(j, sal_metrics_of_cell[m].name, cube->cell[i].value[m]);
    sal_json_end(j);
  }
  sal_json_end(j);
}
