/** Tasks for other programs. */
#include "score_tasks.h"
#include "recorded_file.h"
#include <stdlib.h>

/* As few digits as give the same number again. */
static void print_number(FILE *out, double value)
{
  char text[32];

  for (int digits = 6; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fputs(text, out);
}

static void print_fields(FILE *out, int n, const sal_field field[], const double value[])
{
  for (int i = 0; i < n; ++i) {
    fprintf(out, " %s=", field[i].name);
    print_number(out, value[i]);
  }
}

static void print_cell(const sal_sweep *sweep, int64_t cell, FILE *out)
{
  const sal_model *m = sweep->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(sweep, cell, param, initial);
  fprintf(out, "cell %lld", (long long)cell + 1);
  print_fields(out, m->n_param, m->param, param);
  for (int i = 0; i < m->n_option; ++i)
    fprintf(out, " %s=%s", m->option[i].name, m->option[i].choice[(int)param[m->n_param + i]]);
  print_fields(out, m->n_state, m->state, initial);
  fputs("\n", out);
}

void sal_score_tasks(const sal_sweep *sweep, FILE *out)
{
  fprintf(out, SAL_RECORDED_FIRST "\nmodel %s\nstates", sweep->model->name);
  for (int i = 0; i < sweep->model->n_state; ++i) fprintf(out, " %s", sweep->model->state[i].name);
  fputs("\nt_end ", out);
  print_number(out, sweep->t_end);
  fprintf(out, "\nmesh %lld\nstrategies", (long long)sweep->n_mesh);
  for (int i = 0; i < sweep->n_strategy; ++i) fprintf(out, " %s", sweep->strategy[i]->name);
  fputs("\nrtol", out);
  for (int i = 0; i < sweep->n_tolerance; ++i) {
    fputs(" ", out);
    print_number(out, sweep->tolerance[i]);
  }
  fputs("\n", out);
  for (int64_t cell = 0; cell < sweep->n_cell; ++cell) print_cell(sweep, cell, out);
}
