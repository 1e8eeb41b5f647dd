/** Points of a sweep's parameter space. */
#include "argument.h"
#include "base.h"
#include "parameter_column.h"

/* Also the point before anything is given. */
void sal_parameter_point_fixed(const sal_sweep *s, double value[])
{
  const int n_param = s->model->n_param + s->model->n_option;

  for (int k = 0; k < sal_parameter_column_count(s->model); ++k)
    value[k] = sal_parameter_column_varies(s, k) ? NAN
               : k < n_param                     ? s->param[k]
                                                 : s->initial[k - n_param];
}

/* Gives column k a value; one that is fixed keeps its own. */
static sal_err set_quantity(const char *where, const sal_sweep *s, int k, double v, double value[])
{
  if (sal_parameter_column_varies(s, k) || value[k] == v) {
    value[k] = v;
    return SAL_OK;
  }
  return sal_fail(SAL_ERR_USAGE, "%s: %s is %g everywhere in this cube, and %g is another system",
                  where, sal_parameter_column_name(s->model, k), value[k], v);
}

/* Fails when something that varies has no value, or the values make no sense together. */
static sal_err finish_point(const char *where, const sal_sweep *s, const double value[])
{
  for (int k = 0; k < sal_parameter_column_count(s->model); ++k)
    if (isnan(value[k]))
      return sal_fail(SAL_ERR_USAGE, "%s: %s varies in this cube, and is missing", where,
                      sal_parameter_column_name(s->model, k));
  const char *flaw = sal_variants_flaw(s, value);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, flaw) : SAL_OK;
}

/* The column of that name, or a message with what may be given. */
static sal_err find_quantity(const char *where, const sal_sweep *s, const char *name, int *column)
{
  const char *names[SAL_MAX_QUANTITY + 1] = {NULL};
  int n = 0;

  for (*column = 0; *column < sal_parameter_column_count(s->model); ++*column) {
    const char *known = sal_parameter_column_name(s->model, *column);
    if (strcmp(known, name) == 0) return SAL_OK;
    if (sal_parameter_column_varies(s, *column)) names[n++] = known;
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "axis", name, names);
}

/* "1500..2500" into its ends; one value is both. */
static sal_err read_range(const char *where, const sal_sweep *s, int column, char *item, double *lo,
                          double *hi)
{
  const char *name = sal_parameter_column_name(s->model, column);
  char *dots = strstr(item, "..");

  if (!dots) {
    SAL_TRY(sal_argument_column(where, s->model, column, item, lo));
    *hi = *lo;
    return SAL_OK;
  }
  if (sal_parameter_column_is_discrete(s->model, column))
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %s: %s has nothing between two values; give one",
                    where, name, item, name);
  *dots = '\0';
  SAL_TRY(sal_argument_column(where, s->model, column, item, lo));
  SAL_TRY(sal_argument_column(where, s->model, column, dots + 2, hi));
  if (*lo < *hi) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE, "%s: %s = %g..%g: a range goes from the less to the more", where,
                  name, *lo, *hi);
}

/* A quantity without a value has all of its range; words have no range. */
static sal_err finish_box(const char *where, const sal_sweep *s, const double lo[],
                          const double hi[], bool *box)
{
  *box = false;
  for (int k = 0; k < sal_parameter_column_count(s->model); ++k) {
    if (isnan(lo[k]) && sal_parameter_column_is_discrete(s->model, k))
      return sal_fail(SAL_ERR_USAGE, "%s: %s varies in this cube, and is missing", where,
                      sal_parameter_column_name(s->model, k));
    *box = *box || !(lo[k] == hi[k]);
  }
  return *box ? SAL_OK : finish_point(where, s, lo);
}

/* NAME=VALUE, or with hi also NAME=LO..HI. */
static sal_err read_items(const char *where, const sal_sweep *s, const char *text, double lo[],
                          double *hi)
{
  sal_parameter_point_fixed(s, lo);
  if (hi) sal_parameter_point_fixed(s, hi);
  while (text) {
    char name[SAL_MAX_ITEM], item[SAL_MAX_ITEM];
    int column;
    double from, to;
    SAL_TRY(sal_argument_item(where, &text, name, item));
    SAL_TRY(find_quantity(where, s, name, &column));
    SAL_TRY(hi ? read_range(where, s, column, item, &from, &to)
               : sal_argument_column(where, s->model, column, item, &from));
    SAL_TRY(set_quantity(where, s, column, from, lo));
    if (hi) SAL_TRY(set_quantity(where, s, column, to, hi));
  }
  return SAL_OK;
}

sal_err sal_parameter_point_parse(const char *where, const sal_sweep *s, const char *text,
                                  double value[])
{
  SAL_TRY(read_items(where, s, text, value, NULL));
  return finish_point(where, s, value);
}

sal_err sal_parameter_box_parse(const char *where, const sal_sweep *s, const char *text,
                                double lo[], double hi[], bool *box)
{
  SAL_TRY(read_items(where, s, text, lo, hi));
  return finish_box(where, s, lo, hi, box);
}

sal_err sal_parameter_point_set(const char *where, const sal_sweep *s, const double given[],
                                double value[])
{
  const double rounding = 1e-12;

  sal_parameter_point_fixed(s, value);
  for (int k = 0; k < sal_parameter_column_count(s->model); ++k) {
    const bool same = fabs(given[k] - value[k]) <= rounding * fabs(value[k]);
    if (!isnan(given[k]) && !same) SAL_TRY(set_quantity(where, s, k, given[k], value));
  }
  return finish_point(where, s, value);
}

sal_err sal_parameter_begin(const char *where, const sal_model *m, const double param[],
                            double initial[])
{
  for (int i = 0; i < m->n_state && m->begin; ++i)
    if (m->state[i].follows && initial[i] != m->state[i].preset)
      return sal_fail(SAL_ERR_USAGE, "%s: %s follows from the other initial states; leave it out",
                      where, m->state[i].name);
  if (m->begin) m->begin(m->inner, param, initial);
  for (int i = sal_model_continuous(m); i < m->n_state && m->begin; ++i)
    SAL_TRY(sal_argument_number(where, &m->state[i], initial[i]));
  return SAL_OK;
}
