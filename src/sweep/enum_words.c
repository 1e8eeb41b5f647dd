/** Lists of words. */
#include "enum_words.h"
#include "error_metric.h"
#include "parameter_column.h"
#include "providers.h"
#include "registry.h"

_Static_assert((int)SAL_METHOD_NAMES_MOST <= (int)SAL_MAX_WORD, "a list has room for all methods");
_Static_assert((int)SAL_N_METRIC <= (int)SAL_MAX_WORD, "a list has room for all metrics");
_Static_assert((int)SAL_N_MODEL < (int)SAL_MAX_WORD && (int)SAL_N_STRATEGY <= (int)SAL_MAX_WORD,
               "a list has room for a registry");

static int gather_strategies(const sal_model *model, const char *names[])
{
  int n = 0;
  (void)model;
  for (; sal_registry_strategies[n]; ++n) names[n] = sal_registry_strategies[n]->name;
  return n;
}

static int gather_methods(const sal_model *model, const char *names[])
{
  (void)model;
  return sal_method_names_gather(names);
}

/* The registered ones, and that of a sweep's own file. */
static int gather_models(const sal_model *model, const char *names[])
{
  int n = 0;
  for (; sal_registry_models[n]; ++n) names[n] = sal_registry_models[n]->name;
  if (!model || sal_registry_model(model->name) == model) return n;
  names[n] = model->name;
  return n + 1;
}

static int gather_columns(const sal_model *model, const char *names[])
{
  int n = 0;

  for (int k = 0; model && k < sal_parameter_column_count(model); ++k)
    if (!sal_parameter_column_is_option(model, k)) names[n++] = sal_parameter_column_name(model, k);
  return n;
}

static int gather_states(const sal_model *model, const char *names[])
{
  for (int i = 0; model && i < model->n_state; ++i) names[i] = model->state[i].name;
  return model ? model->n_state : 0;
}

static int gather_metrics(const sal_model *model, const char *names[])
{
  (void)model;
  for (int i = 0; i < SAL_N_METRIC; ++i) names[i] = sal_metrics[i].name;
  return SAL_N_METRIC;
}

static int gather_names(const sal_model *model, const char *names[])
{
  const int n = model ? sal_parameter_column_count(model) : 0;

  for (int k = 0; k < n; ++k) names[k] = sal_parameter_column_name(model, k);
  return n;
}

static int gather_errors(const sal_model *model, const char *names[])
{
  (void)model;
  return sal_error_metric_names(names);
}

enum { MAX_FIXED = 5 };

/* Either a function, or the words themselves. */
static const struct {
  int (*gather)(const sal_model *model, const char *names[]);
  const char *fixed[MAX_FIXED + 1];
} table[] = {
    [SAL_ENUM_NONE] = {NULL, {NULL}},
    [SAL_ENUM_MODELS] = {gather_models, {NULL}},
    [SAL_ENUM_METHODS] = {gather_methods, {NULL}},
    [SAL_ENUM_STRATEGIES] = {gather_strategies, {NULL}},
    [SAL_ENUM_NAMES] = {gather_names, {NULL}},
    [SAL_ENUM_STATES] = {gather_states, {NULL}},
    [SAL_ENUM_METRICS] = {gather_metrics, {NULL}},
    [SAL_ENUM_COLUMNS] = {gather_columns, {NULL}},
    [SAL_ENUM_JACOBIANS] = {NULL, {"differences", "analytic"}},
    [SAL_ENUM_REFERENCES] = {NULL, {"certified", "paper"}},
    [SAL_ENUM_MEASURES] = {NULL, {"time", "gap"}},
    [SAL_ENUM_UNSUPPORTED] = {NULL, {"refuse", "leave-out"}},
    [SAL_ENUM_CONTACTS] = {NULL, {"next", "every"}},
    [SAL_ENUM_POINTS] = {NULL, {"global", "per-cell", "none"}},
    [SAL_ENUM_WIDTHS] = {NULL, {"0", "1", "4", "8"}},
    [SAL_ENUM_FINDS] = {NULL, {"cycles", "transient", "exponents", "section", "basin"}},
    [SAL_ENUM_FOLLOWS] = {NULL, {"none", "up", "down"}},
    [SAL_ENUM_SEEDS] = {NULL, {"simulation", "anchor"}},
    [SAL_ENUM_CUTOFF_ORDERS] = {NULL, {"roles", "tolerances"}},
    [SAL_ENUM_ERROR_METRICS] = {gather_errors, {NULL}},
};

int sal_enum_words_gather(sal_enum_words words, const sal_model *model,
                          const char *names[SAL_MAX_WORD + 1])
{
  int n = 0;
  if (table[words].gather)
    n = table[words].gather(model, names);
  else
    for (; table[words].fixed[n]; ++n) names[n] = table[words].fixed[n];
  names[n] = NULL;
  return n;
}

const char *sal_enum_words_fixed(sal_enum_words words, int rank)
{
  return table[words].fixed[rank];
}

int sal_enum_words_choices(const sal_option *option, const char *names[SAL_MAX_WORD + 1])
{
  int n = 0;
  for (; n < SAL_MAX_CHOICE && option->choice[n]; ++n) names[n] = option->choice[n];
  names[n] = NULL;
  return n;
}
