/** Models, and what they say of themselves. */
#include "api.h"
#include "argument.h"
#include "base.h"
#include "model_check.h"
#include "model_source.h"
#include "units.h"

static sal_err make_model(sal_provided *text, const sal_model *m, saltus_model **out)
{
  char room[SAL_MODEL_CHECK_TEXT];
  const char *flaw = sal_model_check(m, room);
  saltus_model *made = flaw ? NULL : sal_alloc(1, sizeof *made);

  if (!made) {
    const sal_err err = flaw ? sal_fail(SAL_ERR_INPUT, "model %s cannot be run: %s", m->name, flaw)
                             : sal_fail(SAL_ERR_MEMORY, "no memory for model %s", m->name);
    sal_provided_free(text);
    return err;
  }
  made->text = text;
  made->model = m;
  for (int o = 0; o < m->n_option; ++o)
    for (int c = 0; c < SAL_MAX_CHOICE; ++c) made->word[o][c] = m->option[o].choice[c];
  *out = made;
  return SAL_OK;
}

/* *out is NULL after a failure. */
static sal_err empty(saltus_model **out)
{
  if (out) *out = NULL;
  return sal_api_given("model", out);
}

static sal_err open_model(const char *name, saltus_model **out)
{
  sal_provided *text = NULL;
  const sal_model *m;

  SAL_TRY(empty(out));
  SAL_TRY(sal_api_given("model: name", name));
  SAL_TRY(sal_api_stack_check(1));
  if (sal_model_source_flaw(name))
    return sal_fail(SAL_ERR_USAGE, "model: %s: %s", name, sal_model_source_flaw(name));
  if (!sal_model_source_is_file(name)) {
    SAL_TRY(sal_argument_model("model", name, &m));
    return make_model(NULL, m, out);
  }
  SAL_TRY(sal_model_source_read(name, &text));
  return make_model(text, text->model, out);
}

saltus_status saltus_model_open(const char *name, saltus_model **out)
{
  sal_err_clear();
  return sal_api_status(open_model(name, out));
}

static sal_err parse_model(const char *string, saltus_model **out)
{
  sal_provided *text = NULL;

  SAL_TRY(empty(out));
  SAL_TRY(sal_api_given("model: text", string));
  SAL_TRY(sal_api_stack_check(1));
  SAL_TRY(sal_provided_parse(SAL_PROVIDES_MODELS, "text", string, &text));
  return make_model(text, text->model, out);
}

saltus_status saltus_model_parse(const char *text, saltus_model **out)
{
  sal_err_clear();
  return sal_api_status(parse_model(text, out));
}

static sal_err count_members(const saltus_model *of, const double count[], saltus_model **out)
{
  sal_provided *text = NULL;

  SAL_TRY(empty(out));
  SAL_TRY(sal_api_given("model", of));
  SAL_TRY(sal_api_given("model: count", count));
  SAL_TRY(sal_api_stack_check(1));
  if (of->model->n_count == 0)
    return sal_fail(SAL_ERR_USAGE, "model %s has no counts of members", of->model->name);
  SAL_TRY(sal_provided_counted(of->text, of->model->name, count, &text));
  return make_model(text, text->model, out);
}

saltus_status saltus_model_members(const saltus_model *model, const double count[],
                                   saltus_model **out)
{
  sal_err_clear();
  return sal_api_status(count_members(model, count, out));
}

static sal_err make_functions(const saltus_functions *given, saltus_model **out)
{
  sal_api_functions *functions;

  SAL_TRY(empty(out));
  SAL_TRY(sal_api_functions_new(given, &functions));
  const sal_err err = make_model(NULL, sal_api_functions_model(functions), out);
  if (err == SAL_OK && *out)
    (*out)->functions = functions;
  else
    sal_api_functions_free(functions);
  return err;
}

saltus_status saltus_model_of_functions(const saltus_functions *given, saltus_model **out)
{
  sal_err_clear();
  return sal_api_status(make_functions(given, out));
}

void saltus_model_close(saltus_model *model)
{
  if (!model) return;
  sal_provided_free(model->text);
  sal_api_functions_free(model->functions);
  sal_free(model);
}

saltus_model_facts saltus_model_about(const saltus_model *model)
{
  if (!model) return (saltus_model_facts){.name = NULL};
  const sal_model *m = model->model;

  return (saltus_model_facts){.name = m->name,
                              .title = m->title,
                              .source = m->source,
                              .note = model->text ? model->text->note : NULL,
                              .time = m->time,
                              .span = m->span,
                              .n_param = m->n_param + m->n_option,
                              .n_count = m->n_count,
                              .n_state = m->n_state,
                              .n_contact = m->n_guard,
                              .watched = m->watch};
}

static saltus_quantity quantity_of(const sal_field *f)
{
  return (saltus_quantity){.name = f->name,
                           .unit = f->unit,
                           .what = f->what,
                           .preset = f->preset,
                           .least = f->least,
                           .most = f->most};
}

saltus_quantity saltus_model_param(const saltus_model *model, int i)
{
  if (!model) return (saltus_quantity){.name = NULL};
  const sal_model *m = model->model;
  const int o = i - m->n_param;
  int n = 0;

  if (i < 0 || o >= m->n_option) return (saltus_quantity){.name = NULL};
  if (o < 0) return quantity_of(&m->param[i]);
  while (model->word[o][n]) ++n;
  return (saltus_quantity){.name = m->option[o].name,
                           .unit = "1",
                           .what = m->option[o].what,
                           .most = n - 1,
                           .word = model->word[o]};
}

saltus_quantity saltus_model_state(const saltus_model *model, int i)
{
  if (!model || i < 0 || i >= model->model->n_state) return (saltus_quantity){.name = NULL};
  return quantity_of(&model->model->state[i]);
}

static sal_err read_value(const char *what, const char *text, const char *unit, double *value)
{
  SAL_TRY(sal_api_given("value: what", what));
  SAL_TRY(sal_api_given(what, text));
  SAL_TRY(sal_api_given("value: value", value));
  return sal_units_read(what, what, text, unit ? unit : "1", value);
}

saltus_status saltus_value(const char *what, const char *text, const char *unit, double *value)
{
  sal_err_clear();
  return sal_api_status(read_value(what, text, unit, value));
}

const char *saltus_model_event(const saltus_model *model, int k, int closes)
{
  if (!model || k < 0 || k >= model->model->n_guard) return NULL;
  const sal_contact *c = sal_model_contact(model->model, k);
  return closes ? c->closes : c->opens;
}
