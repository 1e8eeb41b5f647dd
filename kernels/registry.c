/** The .def lists as tables. */
#include "registry.h"
#include "metric.h"
#include <string.h>

#define SAL_MODEL(name) extern const sal_model sal_##name;
#include "models.def"
#undef SAL_MODEL
#define SAL_MODEL(name) &sal_##name,
const sal_model *const sal_registry_models[] = {
#include "models.def"
    NULL};

#define SAL_METHOD(name) extern const sal_method sal_##name;
#include "methods.def"
#undef SAL_METHOD
#define SAL_METHOD(name) &sal_##name,
const sal_method *const sal_registry_methods[] = {
#include "methods.def"
    NULL};
#undef SAL_METHOD

#define SAL_STRATEGY(name) extern const sal_strategy sal_strategy_##name;
#include "strategies.def"
#undef SAL_STRATEGY
#define SAL_STRATEGY(name) &sal_strategy_##name,
const sal_strategy *const sal_registry_strategies[] = {
#include "strategies.def"
    NULL};

#define SAL_ROW_METRIC(group, id, name, unit, what)
#define SAL_CELL_METRIC(group, id, name, unit, kind, what)
#define SAL_METRIC(group, id, name, unit, kind, what)                                              \
  [SAL_METRIC_##id] = {name, unit, what, SAL_##kind, SAL_GROUP_##group},
const sal_metric sal_metrics[SAL_N_METRIC] = {
#include "metrics.def"
};
#undef SAL_CELL_METRIC
#undef SAL_METRIC

#define SAL_METRIC(group, id, name, unit, kind, what)
#define SAL_CELL_METRIC(group, id, name, unit, kind, what)                                         \
  [SAL_CELL_##id] = {name, unit, what, SAL_##kind, SAL_GROUP_##group},
const sal_metric sal_metrics_of_cell[SAL_N_CELL_METRIC] = {
#include "metrics.def"
};
#undef SAL_CELL_METRIC
#undef SAL_ROW_METRIC

#define SAL_CELL_METRIC(group, id, name, unit, kind, what)
#define SAL_ROW_METRIC(group, id, name, unit, what)                                                \
  [SAL_ROW_##id] = {name, unit, what, SAL_REAL, SAL_GROUP_##group},
const sal_metric sal_metrics_of_row[SAL_N_ROW_METRIC] = {
#include "metrics.def"
};
#undef SAL_ROW_METRIC
#undef SAL_CELL_METRIC
#undef SAL_METRIC

#define SAL_OUTCOME(id, label, what) [SAL_OUT_##id] = {label, what},
const sal_metric_word sal_metric_outcomes[SAL_N_OUTCOME] = {
#include "outcomes.def"
};
#undef SAL_OUTCOME

#define SAL_VERDICT_WORD(id, label, what) [SAL_IS_##id] = {label, what},
static const sal_metric_word verdicts[SAL_N_VERDICT] = {
#include "verdicts.def"
};
#undef SAL_VERDICT_WORD

#define SAL_LIBRARY_REASON(id, label, what) [SAL_LIBRARY_##id] = {label, what},
static const sal_metric_word reasons[SAL_N_LIBRARY_REASON] = {
#include "library_reasons.def"
};
#undef SAL_LIBRARY_REASON

const sal_metric_word *sal_metric_words(sal_metric_kind kind, int *n)
{
  static const sal_metric_word seeds[] = {{"simulation", "from the cell's initial state"},
                                          {"anchor", "from the orbit that the sweep gives"}};
  static const sal_metric_word answers[] = {{"no", "no"}, {"yes", "yes"}};
#define SAL_METHOD(name) {#name, "the solver " #name},
  static const sal_metric_word solvers[] = {
      {"mean", "the mean of several solvers"},
#include "methods.def"
  };
#undef SAL_METHOD
  static const struct {
    const sal_metric_word *word;
    int n;
  } words[] = {[SAL_FLAG] = {sal_metric_outcomes, SAL_N_OUTCOME},
               [SAL_VERDICT] = {verdicts, SAL_N_VERDICT},
               [SAL_ORIGIN] = {seeds, sizeof seeds / sizeof *seeds},
               [SAL_ANSWER] = {answers, sizeof answers / sizeof *answers},
               [SAL_REASON] = {reasons, SAL_N_LIBRARY_REASON},
               [SAL_INTEGRATOR] = {solvers, sizeof solvers / sizeof *solvers}};

  *n = words[kind].n;
  return words[kind].word;
}

const sal_model *sal_registry_model(const char *name)
{
  for (int i = 0; sal_registry_models[i]; ++i)
    if (strcmp(sal_registry_models[i]->name, name) == 0) return sal_registry_models[i];
  return NULL;
}

const sal_method *sal_registry_method(const char *name)
{
  for (int i = 0; sal_registry_methods[i]; ++i)
    if (strcmp(sal_registry_methods[i]->name, name) == 0) return sal_registry_methods[i];
  return NULL;
}

const sal_strategy *sal_registry_strategy(const char *name)
{
  for (int i = 0; sal_registry_strategies[i]; ++i)
    if (strcmp(sal_registry_strategies[i]->name, name) == 0) return sal_registry_strategies[i];
  return NULL;
}

const sal_method *sal_registry_reference(const sal_model *model)
{
  return sal_registry_method(model->reference ? model->reference : "dop853");
}

/* An explicit method of high order, an implicit one, and two of other families. */
const sal_method *sal_registry_reference_at(const sal_model *model, int i)
{
  static const char *const turns[] = {"dop853", "radau5", "ode45", "ode15s"};
  const sal_method *own = sal_registry_reference(model);

  if (i == 0) return own;
  for (size_t k = 0; k < sizeof turns / sizeof *turns; ++k) {
    const sal_method *other = sal_registry_method(turns[k]);
    const bool fits = !other->implicit || sal_model_continuous(model) <= SAL_MAX_DENSE;
    if (fits && other != own && --i == 0) return other;
  }
  return NULL;
}

int sal_registry_solver_number(const sal_method *method)
{
  int i = 0;

  while (sal_registry_methods[i] && sal_registry_methods[i] != method) ++i;
  return method ? i + 1 : 0;
}
