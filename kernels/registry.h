/** Every model, method and strategy by name, in the order of the .def files. */
#pragma once

#include "strategy.h"

/** NULL-terminated lists. */
extern const sal_model *const sal_registry_models[];
extern const sal_method *const sal_registry_methods[];
extern const sal_strategy *const sal_registry_strategies[];

/** How many entries they have. */
#define SAL_MODEL(name) +1
#define SAL_METHOD(name) +1
#define SAL_STRATEGY(name) +1
enum {
  SAL_N_MODEL = 0
#include "models.def"
  ,
  SAL_N_METHOD = 0
#include "methods.def"
  ,
  SAL_N_STRATEGY = 0
#include "strategies.def"
};
#undef SAL_MODEL
#undef SAL_METHOD
#undef SAL_STRATEGY

/** The entry of that name, or NULL. */
const sal_model *sal_registry_model(const char *name);
const sal_method *sal_registry_method(const char *name);
const sal_strategy *sal_registry_strategy(const char *name);

/** The method of a model's certified references, dop853 unless it names another one; NULL when it
 *  names none that there is. */
const sal_method *sal_registry_reference(const sal_model *model);
/** The methods that are tried in turn where a reference fails: 0 is that of the model; NULL after the last. */
const sal_method *sal_registry_reference_at(const sal_model *model, int i);
/** The number of a method as metrics of the kind SAL_INTEGRATOR keep it; NULL: 0, the mean of several. */
int sal_registry_solver_number(const sal_method *method);
