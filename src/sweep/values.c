/** @file src/sweep/values.c
 *  Checks of single values, and values given on a command line.
 */
#include "values.h"
#include "enum_words.h"
#include "registry.h"
#include "schema.h"
#include "sweep.h"
#include "text.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_EXPECTED "expected: a finite decimal number, such as 0.001 or 1e-3"

bool sal_value_read(const char *text, double *value)
{
  char *end = NULL;
  /* strtod would also take nan, inf, hexadecimals and leading blanks. */
  if (text[0] == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
  *value = strtod(text, &end);
  return end == text + strlen(text) && isfinite(*value);
}

sal_err sal_value_no_number(const sal_document *document, int node, const char *name)
{
  return sal_document_fail(document, node, "%s: '%s' is no number; " NUMBER_EXPECTED, name,
                           sal_document_text(document, node));
}

sal_err sal_value_wrong_kind(const sal_document *document, int node, const char *name,
                             const char *expected)
{
  static const char *const found[] = {[YAML_NO_NODE]       = "nothing",
                                      [YAML_SCALAR_NODE]   = "a single value",
                                      [YAML_SEQUENCE_NODE] = "a list",
                                      [YAML_MAPPING_NODE]  = "a mapping"};
  const char              *text    = sal_document_text(document, node);
  return sal_document_fail(
      document, node, "%s: %s; expected: %s", name,
      found[text && !text[0] ? YAML_NO_NODE : sal_document_node(document, node)->type], expected);
}

const char *sal_value_allowed(double least, double most, char text[SAL_ALLOWED])
{
  int n = 0;
  if (least > 0 && least <= DBL_MIN)
    n = snprintf(text, SAL_ALLOWED, "greater than 0");
  else if (isfinite(least))
    n = snprintf(text, SAL_ALLOWED, "from %.10g", least);
  if (isfinite(most))
    n += snprintf(text + n, (size_t)(SAL_ALLOWED - n), "%sto %.10g", n ? " " : "", most);
  if (n == 0) snprintf(text, SAL_ALLOWED, "any finite number");
  return text;
}

sal_err sal_value_range(sal_err code, const char *where, const char *name, double value,
                        double least, double most)
{
  char allowed[SAL_ALLOWED];
  if (isfinite(value) && value >= least && value <= most) return SAL_OK;
  return sal_fail(code, "%s: %s = %.10g is out of range; allowed: %s", where, name, value,
                  sal_value_allowed(least, most, allowed));
}

sal_err sal_value_check(const sal_document *document, int node, const char *name, double least,
                        double most, bool whole, double *value)
{
  char        place[SAL_PLACE];
  double      here;
  const char *text = sal_document_text(document, node);
  if (!text) return sal_value_wrong_kind(document, node, name, "a number");
  if (!sal_value_read(text, &here)) return sal_value_no_number(document, node, name);
  SAL_TRY(sal_value_range(SAL_ERR_INPUT, sal_document_place(document, node, place), name, here,
                          least, most));
  if (whole && here != floor(here))
    return sal_document_fail(document, node, "%s = %g is no whole number", name, here);
  if (value) *value = here;
  return SAL_OK;
}

void sal_values_presets(const sal_model *model, double param[], double initial[])
{
  for (int i = 0; i < model->n_param; ++i) param[i] = model->param[i].preset;
  for (int i = 0; i < model->n_option; ++i) param[model->n_param + i] = 0;
  for (int i = 0; i < model->n_state; ++i) initial[i] = model->state[i].preset;
}

sal_err sal_value_item(const char *where, const char **text, char name[SAL_MAX_ITEM],
                       char value[SAL_MAX_ITEM])
{
  const size_t n = strcspn(*text, ","), k = strcspn(*text, "=");
  if (k == 0 || k >= n || k >= SAL_MAX_ITEM || n - k > SAL_MAX_ITEM)
    return sal_fail(SAL_ERR_USAGE, "%s: '%.*s' is no NAME=VALUE; expected: such as x=1,y=2", where,
                    (int)n, *text);
  memcpy(name, *text, k);
  name[k] = '\0';
  memcpy(value, *text + k + 1, n - k - 1);
  value[n - k - 1] = '\0';
  *text            = (*text)[n] ? *text + n + 1 : NULL;
  return SAL_OK;
}

/* The rank of `name` among fields, or -1. */
static int rank(int n, const sal_field field[], const char *name)
{
  for (int i = 0; i < n; ++i)
    if (strcmp(field[i].name, name) == 0) return i;
  return -1;
}

sal_err sal_value_field(const char *where, const sal_field *field, const char *text, double *value)
{
  if (!sal_value_read(text, value))
    return sal_fail(SAL_ERR_USAGE, "%s: %s: '%s' is no number; " NUMBER_EXPECTED, where,
                    field->name, text);
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, where, field->name, *value, field->least, field->most));
  if (field->whole && *value != floor(*value))
    return sal_fail(SAL_ERR_USAGE, "%s: %s = %g is no whole number", where, field->name, *value);
  return SAL_OK;
}

sal_err sal_value_option(const char *where, const sal_option *option, const char *text,
                         double *value)
{
  const char *names[SAL_MAX_WORD + 1];
  char        what[SAL_MAX_ITEM + 16];
  const int   n = sal_enum_words_choices(option, names);
  for (int i = 0; i < n; ++i) {
    if (strcmp(names[i], text) != 0) continue;
    *value = i;
    return SAL_OK;
  }
  snprintf(what, sizeof what, "word for %.100s", option->name);
  return sal_text_unknown(SAL_ERR_USAGE, where, what, text, names);
}

/* One parameter or option. */
static sal_err parse_one(const char *where, const sal_model *model, const char *name,
                         const char *text, double param[])
{
  const char *names[SAL_MAX_PARAM + SAL_MAX_OPTION + 1] = {NULL};
  const int   i                                         = rank(model->n_param, model->param, name);
  if (i >= 0) return sal_value_field(where, &model->param[i], text, &param[i]);
  for (int k = 0; k < model->n_option; ++k)
    if (strcmp(model->option[k].name, name) == 0)
      return sal_value_option(where, &model->option[k], text, &param[model->n_param + k]);
  for (int k = 0; k < model->n_param; ++k) names[k] = model->param[k].name;
  for (int k = 0; k < model->n_option; ++k) names[model->n_param + k] = model->option[k].name;
  return sal_text_unknown(SAL_ERR_USAGE, where, "parameter", name, names);
}

sal_err sal_values_param(const char *where, const sal_model *model, const char *text,
                         double param[])
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_value_item(where, &text, name, value));
    SAL_TRY(parse_one(where, model, name, value, param));
  }
  const char *flaw = model->flaw ? model->flaw(param) : NULL;
  return flaw ? sal_fail(SAL_ERR_USAGE, "%s: %s", where, flaw) : SAL_OK;
}

/* One component of a vector in state space; in the state's own range or in any. */
static sal_err parse_state(const char *where, const sal_model *model, const char *name,
                           const char *text, bool ranged, double state[])
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};
  const int   i                        = rank(model->n_state, model->state, name);
  if (i >= 0) {
    const sal_field anything = {.name = name, .least = -INFINITY, .most = INFINITY};
    return sal_value_field(where, ranged ? &model->state[i] : &anything, text, &state[i]);
  }
  for (int k = 0; k < model->n_state; ++k) names[k] = model->state[k].name;
  return sal_text_unknown(SAL_ERR_USAGE, where, "state", name, names);
}

sal_err sal_values_initial(const char *where, const sal_model *model, const char *text,
                           double initial[])
{
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_value_item(where, &text, name, value));
    SAL_TRY(parse_state(where, model, name, value, true, initial));
  }
  return SAL_OK;
}

sal_err sal_values_direction(const char *where, const sal_model *model, const char *text,
                             double direction[])
{
  double largest = 0;
  for (int i = 0; i < model->n_state; ++i) direction[i] = 0;
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    SAL_TRY(sal_value_item(where, &text, name, value));
    SAL_TRY(parse_state(where, model, name, value, false, direction));
  }
  for (int i = 0; i < model->n_state; ++i) largest = fmax(largest, fabs(direction[i]));
  if (largest == 0)
    return sal_fail(SAL_ERR_USAGE, "%s: all components are 0, and that is no direction", where);
  return SAL_OK;
}

/* Fails because a registry has no entry of that name. */
static sal_err not_found(const char *where, const char *what, const char *name,
                         sal_enum_words words)
{
  const char *names[SAL_MAX_WORD + 1];
  sal_enum_words_gather(words, NULL, names);
  return sal_text_unknown(SAL_ERR_USAGE, where, what, name, names);
}

sal_err sal_values_model(const char *where, const char *name, const sal_model **out)
{
  *out = sal_registry_model(name);
  return *out ? SAL_OK : not_found(where, "model", name, SAL_ENUM_MODELS);
}

sal_err sal_values_method(const char *where, const char *name, const sal_method **out)
{
  *out = sal_registry_method(name);
  return *out ? SAL_OK : not_found(where, "method", name, SAL_ENUM_METHODS);
}

sal_err sal_values_strategy(const char *where, const char *name, const sal_strategy **out)
{
  *out = sal_registry_strategy(name);
  return *out ? SAL_OK : not_found(where, "strategy", name, SAL_ENUM_STRATEGIES);
}

sal_err sal_values_tolerance(const char *where, double value)
{
  const sal_sweep_key *key = sal_key_named("tolerances");
  return sal_value_range(SAL_ERR_USAGE, where, "tolerance", value, key->least, key->most);
}
