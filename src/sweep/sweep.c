/** From the number of a cell to its parameters, through the axes. */
#include "sweep.h"
#include "base.h"
#include "cpu_kernels.h"
#include "design.h"
#include "registry.h"

/* Sets the values of a point. */
static void apply_point(const sal_axis *axis, int64_t point, int n_param, const int state_of[],
                        double param[], double initial[])
{
  for (int c = 0; c < axis->n_column; ++c) {
    const int k = axis->column[c],
              state = k >= n_param && state_of ? state_of[k - n_param] : k - n_param;
    if (k < n_param)
      param[k] = sal_axis_value(axis, point, c);
    else if (state >= 0)
      initial[state] = sal_axis_value(axis, point, c);
  }
}

void sal_sweep_cell(const sal_sweep *sweep, int64_t cell, double param[], double initial[])
{
  const int n_param = sweep->model->n_param + sweep->model->n_option;

  memcpy(param, sweep->param, (size_t)n_param * sizeof *param);
  memcpy(initial, sweep->initial, (size_t)sweep->model->n_state * sizeof *initial);
  if (cell >= sweep->n_grid) {
    apply_point(&sweep->scattered.point, cell - sweep->n_grid, n_param, sweep->state_of, param,
                initial);
  }
  for (int a = sweep->n_axis - 1; a >= 0 && cell < sweep->n_grid; --a) {
    const sal_axis *axis = &sweep->axis[a];
    apply_point(axis, cell % axis->n_point, n_param, sweep->state_of, param, initial);
    cell /= axis->n_point;
  }
  if (sweep->model->begin) sweep->model->begin(sweep->model->inner, param, initial);
}

static bool has_library(const sal_sweep *sweep, const char *library)
{
  for (int i = 0; i < sweep->n_method; ++i)
    if (sweep->method[i]->engine && strcmp(sweep->method[i]->engine->library, library) == 0)
      return true;
  return false;
}

const char *sal_sweep_kernels(const sal_sweep *sweep)
{
  for (int i = 0; i < sweep->n_method; ++i) {
    const sal_engine *e = sweep->method[i]->engine;
    if (e && e->kernels && *e->kernels()) return e->kernels();
  }
  return sal_cpu_kernels_own();
}

char *sal_sweep_given(const sal_sweep *sweep)
{
  sal_text text = {0};

  sal_text_add(&text, "%s", "");
  const sal_provider *l;
  for (int i = 0; (l = sal_providers_library(i)) != NULL; ++i) {
    const char *given = l->environment ? getenv(l->environment) : NULL;
    if (given && *given && has_library(sweep, l->name))
      sal_text_add(&text, "%s%s=%s", text.length ? " " : "", l->environment, given);
  }
  if (text.string) sal_text_plain(text.string);
  return sal_text_take(&text);
}

static void free_variants(sal_sweep *s)
{
  for (int v = 0; v < s->n_variant; ++v) {
    sal_provided_free(s->variant[v].source);
    sal_free_all(s->variant[v].state, s->variant[v].initial);
  }
  sal_free(s->variant);
}

void sal_sweep_free(sal_sweep *sweep)
{
  sal_free_all(sweep->path, sweep->text, sweep->settled, sweep->settled_line, sweep->title);
  for (int i = 0; i < sweep->n_axis && !sweep->design; ++i) sal_free(sweep->axis[i].value);
  sal_free(sweep->axis);
  sal_design_drop(&sweep->design);
  sal_stored_free(&sweep->stored);
  sal_providers_drop_measures(sweep->measured);
  sal_scattered_free(&sweep->scattered);
  for (int i = 0; i < sweep->n_choice; ++i) sal_library_choice_free(&sweep->choice[i]);
  sal_free(sweep->choice);
  for (int i = 0; i < sweep->n_solver; ++i) sal_provided_free(sweep->solver[i]);
  free_variants(sweep);
  sal_provided_free(sweep->source);
  *sweep = (sal_sweep){0};
}

int sal_sweep_references(const sal_sweep *sweep, const sal_method *member[SAL_MAX_REFERENCE])
{
  static const char *const paper[SAL_MAX_REFERENCE] = {"ode23", "ode45", "ode113", "ode15s"};

  if (sweep->reference == SAL_REFERENCE_CERTIFIED) {
    member[0] = sal_registry_reference(sweep->model);
    return 1;
  }
  for (int i = 0; i < SAL_MAX_REFERENCE; ++i) member[i] = sal_registry_method(paper[i]);
  return SAL_MAX_REFERENCE;
}
