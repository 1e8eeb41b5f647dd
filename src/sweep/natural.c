/** Scales whose powers make wanted values: linear equations of logarithms. */
#include "base.h"
#include "parameter_column.h"
#include "physical.h"
#include "scalar_math.h"
#include "si_unit.h"

enum { LENGTH, MASS, TIME, N_BASE }; /* in the order of sal_si_unit */

const char *sal_natural_unit(const sal_model *m, int column)
{
  const sal_field *field = sal_parameter_column_field(m, column);

  return field ? field->unit : "1";
}

bool sal_natural_has(const sal_model *m)
{
  if (!m->time || strcmp(m->time, "s") != 0) return false;
  for (int k = 0; k < sal_parameter_column_count(m); ++k)
    if (sal_si_unit_read(sal_natural_unit(m, k)).kind != SAL_SI_UNIT_KNOWN) return false;
  return true;
}

void sal_natural_wanted(const sal_model *m, double wanted[])
{
  for (int k = 0; k < sal_parameter_column_count(m); ++k) wanted[k] = NAN;
  for (int i = 0; i < SAL_MAX_NATURAL && m->natural.of[i]; ++i) {
    const int k = m->natural.of[i] - 1;
    wanted[k < m->n_param ? k : k + m->n_option] = 1;
  }
}

/* Rows that are normal to each other, of length 1, and the sum of logarithms that each has to give. */
typedef struct {
  int n;
  double row[N_BASE][N_BASE], sum[N_BASE];
} equations;

static double dot(const double a[], const double b[])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Adds the part of a row that is orthogonal to the rows before; a row that depends on them is dropped. */
static void add_row(equations *e, double row[N_BASE], double sum)
{
  const double tiny = 1e-9;

  for (int i = 0; i < e->n; ++i) {
    const double along = dot(row, e->row[i]);
    for (int b = 0; b < N_BASE; ++b) row[b] -= along * e->row[i][b];
    sum -= along * e->sum[i];
  }
  const double length = sqrt(dot(row, row));
  if (length < tiny || e->n == N_BASE) return;
  for (int b = 0; b < N_BASE; ++b) e->row[e->n][b] = row[b] / length;
  e->sum[e->n++] = sum / length;
}

void sal_natural_scales(const sal_model *m, const double value[], const double wanted[],
                        sal_scales *scales)
{
  equations e = {0};
  double log_of[N_BASE] = {0};

  for (int k = 0; k < sal_parameter_column_count(m); ++k) {
    sal_si_unit u = sal_si_unit_read(sal_natural_unit(m, k));
    if (isnan(wanted[k]) || !(value[k] / wanted[k] > 0) || !isfinite(value[k] / wanted[k]))
      continue;
    add_row(&e, u.power, sal_scalar_log(value[k] / wanted[k]));
  }
  for (int i = 0; i < e.n; ++i)
    for (int b = 0; b < N_BASE; ++b) log_of[b] += e.sum[i] * e.row[i][b];
  *scales = (sal_scales){.second = sal_scalar_exp(log_of[TIME]),
                         .metre = sal_scalar_exp(log_of[LENGTH]),
                         .kilogram = sal_scalar_exp(log_of[MASS])};
}
