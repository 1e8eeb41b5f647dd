/** Measures of runs, from lines of text. */
#include "api.h"
#include "base.h"
#include "measured_texts.h"
#include "providers.h"

static sal_err open_measures(const saltus_model *model, const char *text, saltus_measures **out)
{
  sal_measured_texts given;
  SAL_OWN char *lines = sal_text_copy(text ? text : "");

  assert(out);
  SAL_TRY(sal_api_given("measures: model", model));
  SAL_TRY(sal_api_stack_check(1));
  if (!lines || !(*out = sal_alloc(1, sizeof **out)))
    return sal_fail(SAL_ERR_MEMORY, "no memory for measures");
  (*out)->model = model->model;
  SAL_TRY(sal_measured_texts_split("measures", lines, &given));
  double count[SAL_MAX_PARAM];
  for (int i = 0; i < model->model->n_count; ++i) count[i] = model->model->param[i].preset;
  return sal_providers_measure(given.given, given.n, model->model,
                               model->text ? model->text->text : NULL, count, &(*out)->list);
}

saltus_status saltus_measures_open(const saltus_model *model, const char *text,
                                   saltus_measures **out)
{
  sal_err_clear();
  if (out) *out = NULL;
  const sal_err flaw = sal_api_given("measures", out);
  if (flaw != SAL_OK || !out) return sal_api_status(flaw);
  const sal_err err = open_measures(model, text, out);
  if (err != SAL_OK) {
    saltus_measures_close(*out);
    *out = NULL;
  }
  return sal_api_status(err);
}

saltus_quantity saltus_measures_column(const saltus_measures *measures, int i)
{
  const sal_measured_list *list = measures ? measures->list : NULL;

  if (!list || i < 0 || i >= list->n_column) return (saltus_quantity){.name = NULL};
  const sal_measured_column *c = &list->column[i];
  return (saltus_quantity){.name = c->name, .unit = c->unit, .what = c->what};
}

void saltus_measures_close(saltus_measures *measures)
{
  if (!measures) return;
  sal_providers_drop_measures(measures->list);
  sal_free(measures);
}
