/** Values given on a command line. */
#include "argument.h"
#include "base.h"
#include "cells.h"
#include "keys.h"
#include "parameter_column.h"
#include "registry.h"
#include "units.h"
#include "value.h"

static bool has_item(const char *list, const char *name)
{
  const size_t n = strlen(name);

  for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
    if (strncmp(list, name, n) == 0 && list[n] == '=') return true;
  return false;
}

sal_err sal_argument_item(const char *where, const char **text, char name[SAL_MAX_ITEM],
                          char value[SAL_MAX_ITEM])
{
  const size_t n = strcspn(*text, ","), k = strcspn(*text, "=");
  if (k == 0 || k >= n || k >= SAL_MAX_ITEM || n - k > SAL_MAX_ITEM)
    return sal_fail(SAL_ERR_USAGE, "%s: '%.*s': expected NAME=VALUE, such as x=1,y=2", where,
                    (int)n, *text);
  memcpy(name, *text, k);
  name[k] = '\0';
  memcpy(value, *text + k + 1, n - k - 1);
  value[n - k - 1] = '\0';
  *text = (*text)[n] ? *text + n + 1 : NULL;
  if (has_item(*text, name))
    return sal_fail(SAL_ERR_USAGE, "%s: '%s' is there twice; allowed: one value of each", where,
                    name);
  return SAL_OK;
}

sal_err sal_argument_number(const char *where, const sal_field *field, double value)
{
  char text[SAL_CELLS_TEXT], number[SAL_TEXT_NUMBER];

  SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, field->name, value, field->least, field->most));
  if (field->whole && value != floor(value))
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %s is not a whole number", where, field->name,
                    sal_text_number(value, number));
  const char *stray = sal_cells_stray(field, value, text);
  return stray ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, stray) : SAL_OK;
}

sal_err sal_argument_field(const char *where, const sal_field *field, const char *text,
                           double *value)
{
  const bool read = sal_value_read(text, value);

  if (!read && field->unit && strcmp(field->unit, "1") != 0 && sal_units_given(text))
    SAL_TRY(sal_units_read(where, field->name, text, field->unit, value));
  else if (!read)
    return sal_fail(SAL_ERR_USAGE, "%s: %s: '%s' %s", where, field->name, text,
                    sal_value_flaw(text));
  return sal_argument_number(where, field, *value);
}

static sal_err read_option(const char *where, const sal_option *option, const char *text,
                           double *value)
{
  const char *names[SAL_MAX_WORD + 1];
  char what[SAL_MAX_ITEM + 16];

  sal_enum_words_choices(option, names);
  *value = sal_text_rank(text, names);
  if (*value >= 0) return SAL_OK;
  snprintf(what, sizeof what, "word for %.100s", option->name);
  return sal_text_unknown(SAL_ERR_USAGE, where, what, text, names);
}

sal_err sal_argument_column(const char *where, const sal_model *model, int column, const char *text,
                            double *value)
{
  const sal_field *field = sal_parameter_column_field(model, column);

  return field ? sal_argument_field(where, field, text, value)
               : read_option(where, &model->option[column - model->n_param], text, value);
}

/* One parameter or option. */
static sal_err parse_parameter(const char *where, const sal_model *model, const char *name,
                               const char *text, double param[])
{
  const char *names[SAL_MAX_PARAM + SAL_MAX_OPTION + 1] = {NULL};

  for (int k = 0; k < model->n_param + model->n_option; ++k) {
    names[k] = sal_parameter_column_name(model, k);
    if (strcmp(names[k], name) == 0) return sal_argument_column(where, model, k, text, &param[k]);
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "parameter", name, names);
}

sal_err sal_argument_values(const char *where, const sal_model *model, const char *text,
                            double param[])
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_argument_item(where, &text, name, value));
    SAL_TRY(parse_parameter(where, model, name, value, param));
  }
  return SAL_OK;
}

sal_err sal_argument_param(const char *where, const sal_model *model, const char *text,
                           double param[])
{
  SAL_TRY(sal_argument_values(where, model, text, param));
  const char *flaw = sal_model_flaw(model, param);
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, flaw) : SAL_OK;
}

/* One component of a vector in state space. */
static sal_err parse_state(const char *where, const sal_model *model, const char *name,
                           const char *text, double state[])
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};
  const sal_field anything = {.name = name, .least = -INFINITY, .most = INFINITY};

  for (int i = 0; i < model->n_state; ++i) {
    names[i] = model->state[i].name;
    if (strcmp(names[i], name) == 0) return sal_argument_field(where, &anything, text, &state[i]);
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "state", name, names);
}

sal_err sal_argument_direction(const char *where, const sal_model *model, const char *text,
                               double direction[])
{
  double largest = 0;
  for (int i = 0; i < model->n_state; ++i) direction[i] = 0;
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_argument_item(where, &text, name, value));
    SAL_TRY(parse_state(where, model, name, value, direction));
  }
  for (int i = 0; i < model->n_state; ++i) largest = fmax(largest, fabs(direction[i]));
  if (largest == 0)
    return sal_fail(SAL_ERR_USAGE, "%s: all components are 0, which is not a direction", where);
  return SAL_OK;
}

/* Fails because a registry has no entry of that name. */
static sal_err refuse_name(const char *where, const char *what, const char *name,
                           sal_enum_words words)
{
  const char *names[SAL_MAX_WORD + 1];
  sal_enum_words_gather(words, NULL, names);
  return sal_text_unknown(SAL_ERR_USAGE, where, what, name, names);
}

sal_err sal_argument_model(const char *where, const char *name, const sal_model **out)
{
  *out = sal_registry_model(name);
  return *out ? SAL_OK : refuse_name(where, "model", name, SAL_ENUM_MODELS);
}

sal_err sal_argument_method(const char *where, const char *name, const sal_method **out)
{
  char text[SAL_METHOD_NAMES_TEXT];
  *out = sal_method_names_find(name);
  if (*out) return SAL_OK;
  const char *missing = sal_method_names_missing(name, text);
  return missing ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, missing)
                 : refuse_name(where, "solver", name, SAL_ENUM_METHODS);
}

sal_err sal_argument_own_method(const char *where, const sal_method *method)
{
  return method->engine ? sal_fail(SAL_ERR_USAGE,
                                   "%s: %s is a solver of %s, which sets its own steps; allowed "
                                   "here: solvers of saltus, see `saltus list solvers`",
                                   where, method->name, method->engine->library)
                        : SAL_OK;
}

sal_err sal_argument_strategy(const char *where, const char *name, const sal_strategy **out)
{
  *out = sal_registry_strategy(name);
  return *out ? SAL_OK : refuse_name(where, "strategy", name, SAL_ENUM_STRATEGIES);
}

sal_err sal_argument_tolerance(const char *where, double value)
{
  const sal_key *key = sal_key_named("rtol");
  return sal_value_range(SAL_ERR_USAGE, where, "tolerance", value, key->least, key->most);
}
