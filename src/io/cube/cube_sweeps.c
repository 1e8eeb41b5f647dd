/** Model, axes and lists of two cubes, side by side. */
#include "cube_frame.h"
#include "parameter_column.h"
#include "sweep_read.h"
#include <string.h>

/* A list of names as one word for messages. */
static void add_names(sal_text *out, int n, char *const name[])
{
  for (int i = 0; i < n; ++i) sal_text_add(out, "%s%s", i ? "," : "", name[i]);
}

static bool same_names(int n, char *const a[], int m, char *const b[])
{
  for (int i = 0; i < n && i < m; ++i)
    if (strcmp(a[i], b[i]) != 0) return false;
  return n == m;
}

static void differ_names(sal_text *out, const char *what, int n, char *const a[], int m,
                         char *const b[])
{
  if (same_names(n, a, m, b)) return;
  sal_text_add(out, "%s%s ", out->string ? "; " : "", what);
  add_names(out, n, a);
  sal_text_add(out, " against ");
  add_names(out, m, b);
}

static void add_tolerances(sal_text *out, const sal_cube *c)
{
  for (int i = 0; i < c->n_tolerance; ++i) sal_text_add(out, "%s%g", i ? "," : "", c->tolerance[i]);
}

/* "k,f", from the sweep that the cube carries; of one that cannot be read only the parameters. */
static void add_axes(sal_text *out, const sal_cube *c)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  if (sal_sweep_parse_results("", c->sweep_text, &sweep) != SAL_OK) {
    sal_err_clear();
    return;
  }
  for (int a = 0; a < sweep.n_axis; ++a) {
    sal_text_add(out, a ? " x " : " (");
    if (sweep.axis[a].kind == SAL_AXIS_ROWS) sal_text_add(out, "rows of ");
    for (int k = 0; k < sweep.axis[a].n_column; ++k)
      sal_text_add(out, "%s%s", k ? "," : "",
                   sal_parameter_column_name(sweep.model, sweep.axis[a].column[k]));
  }
  if (sweep.n_axis) sal_text_add(out, ")");
}

static void add_cells(sal_text *out, const sal_cube *c)
{
  sal_text_add(out, "%lld cell%s", (long long)c->n_cell, sal_text_plural(c->n_cell));
  add_axes(out, c);
}

void sal_cube_sweeps_differ(const sal_cube *a, const sal_cube *b, sal_text *out)
{
  differ_names(out, "model", 1, &a->model, 1, &b->model);
  if (a->n_cell != b->n_cell) {
    sal_text_add(out, "%s", out->string ? "; " : "");
    add_cells(out, a);
    sal_text_add(out, " against ");
    add_cells(out, b);
  }
  if (a->n_tolerance != b->n_tolerance) {
    sal_text_add(out, "%srtol ", out->string ? "; " : "");
    add_tolerances(out, a);
    sal_text_add(out, " against ");
    add_tolerances(out, b);
  }
  differ_names(out, "strategies", a->n_strategy, a->strategy, b->n_strategy, b->strategy);
  differ_names(out, "solvers", a->n_method, a->method, b->n_method, b->method);
}
