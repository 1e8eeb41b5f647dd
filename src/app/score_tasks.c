/** Tasks for other programs. */
#include "score_tasks.h"
#include "recorded_file.h"
#include "text.h"

static void print_number(FILE *out, double value)
{
  char text[SAL_TEXT_NUMBER];

  fputs(sal_text_number(value, text), out);
}

static void print_fields(FILE *out, int n, const sal_field field[], const double value[])
{
  for (int i = 0; i < n; ++i) {
    fprintf(out, "%s: ", field[i].name);
    print_number(out, value[i]);
    fputs(i + 1 < n ? ", " : "", out);
  }
}

static void print_cell(const sal_sweep *sweep, int64_t cell, FILE *out)
{
  const sal_model *m = sweep->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  sal_sweep_cell(sweep, cell, param, initial);
  fputs("  - {", out);
  print_fields(out, m->n_param, m->param, param);
  if (m->n_param > 0) fputs(", ", out);
  for (int i = 0; i < m->n_option; ++i)
    fprintf(out, "%s: %s, ", m->option[i].name, m->option[i].choice[(int)param[m->n_param + i]]);
  print_fields(out, m->n_state, m->state, initial);
  fputs("}\n", out);
}

void sal_score_tasks(const sal_sweep *sweep, FILE *out)
{
  fprintf(out, SAL_RECORDED_KEY ": 1\nmodel: %s\nstates: [", sweep->model->name);
  for (int i = 0; i < sweep->model->n_state; ++i)
    fprintf(out, "%s%s", i ? ", " : "", sweep->model->state[i].name);
  fputs("]\nt_end: ", out);
  print_number(out, sweep->t_end);
  fprintf(out, "\nmesh: %lld\nstrategies: [", (long long)sweep->n_mesh);
  for (int i = 0; i < sweep->n_strategy; ++i)
    fprintf(out, "%s%s", i ? ", " : "", sweep->strategy[i]->name);
  fputs("]\nrtol: [", out);
  for (int i = 0; i < sweep->n_tolerance; ++i) {
    fputs(i ? ", " : "", out);
    print_number(out, sweep->tolerance[i]);
  }
  fputs("]\ncells:\n", out);
  for (int64_t cell = 0; cell < sweep->n_cell; ++cell) print_cell(sweep, cell, out);
}
