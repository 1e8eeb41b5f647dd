/** Options of `saltus export`, from a sweep and a point. */
#include "export_line.h"
#include "base.h"
#include "config.h"
#include "equation_model.h"
#include "export.h"
#include "given_method.h"
#include "parameter_column.h"
#include "solver_home.h"

/* Models of the program that have a text beside the sweeps. */
static const char *const with_text[] = {
    "monopod", "hopping-leg", "shaking-table", "slip", "stick-slip", "vibro-impact", NULL};

/* The file of the text; a user's own text lies where the user has it. */
static bool add_model(const sal_sweep *s, sal_text *out)
{
  if (s->source ? !sal_provided_made(s->source, &sal_equation_model_provider)
                : sal_text_rank(s->model->name, with_text) < 0)
    return false;
  if (s->source)
    sal_text_add(out, " --model FILE.yaml");
  else
    sal_text_add(out, " --model sweeps/models/%s-equations.yaml", s->model->name);
  return true;
}

/* With as few digits as give the same number. */
static void add_number(sal_text *out, double x)
{
  char word[32];
  int digits = 6;

  do snprintf(word, sizeof word, "%.*g", digits, x);
  while (strtod(word, NULL) != x && ++digits <= 17);
  sal_text_add(out, "%s", word);
}

/* Adds the values that differ from the model's own, columns from first on; `fixed`: values that no axis varies. */
static void add_values(const sal_sweep *s, const double value[], int first, int n,
                       const double fixed[], const double preset[], sal_text *out)
{
  const sal_model *m = s->model;
  const char *between = first == 0 ? " --param " : " --initial ";

  for (int i = 0; i < n; ++i) {
    const int k = first + i;
    const double x = sal_parameter_column_varies(s, k) ? value[k] : fixed[i];
    if (x == preset[i]) continue;
    sal_text_add(out, "%s%s=", between, sal_parameter_column_name(m, k));
    if (sal_parameter_column_is_option(m, k))
      sal_text_add(out, "%s", m->option[k - m->n_param].choice[(int)x]);
    else
      add_number(out, x);
    between = ",";
  }
}

/* A file of C is for programs of the user's own. */
static int home_of(const char *program)
{
  const int home = sal_text_rank(program, sal_solver_homes);

  return home < 0 ? SAL_SOLVER_HOME_OURS : home;
}

void sal_export_line(const char *program, const sal_sweep *s, const double value[], int pair,
                     double rtol, sal_text *out)
{
  const int n = s->model->n_param + s->model->n_option;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  SAL_OWN_BY(sal_text_free) sal_text model = {0};

  if (sal_text_rank(program, sal_export_programs) < 0 ||
      !sal_solver_home_can(home_of(program), sal_config_strategy(s, pair)) ||
      (strcmp(program, "c") == 0 && !sal_tableau_of(sal_config_solver(s, pair))) ||
      !add_model(s, &model))
    return;
  sal_parameter_presets(s->model, param, initial);
  sal_text_add(out, "saltus export --to %s%s --solver %s --strategy %s --rtol ", program,
               model.string ? model.string : "", sal_config_method(s, pair),
               sal_config_strategy(s, pair));
  add_number(out, rtol);
  sal_text_add(out, " --t-end ");
  add_number(out, s->t_end);
  add_values(s, value, 0, n, s->param, param, out);
  add_values(s, value, n, s->model->n_state, s->initial, initial, out);
}

const char *const *sal_export_line_programs(void) { return sal_export_programs; }
