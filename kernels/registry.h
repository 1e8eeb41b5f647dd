/** @file kernels/registry.h
 *  Every model, method and strategy by name, in the order of the .def files.
 */
#ifndef SAL_REGISTRY_H
#define SAL_REGISTRY_H

#include "method.h"
#include "model.h"
#include "strategy.h"

/** NULL-terminated lists. */
extern const sal_model *const    sal_registry_models[];
extern const sal_method *const   sal_registry_methods[];
extern const sal_strategy *const sal_registry_strategies[];

/** The entry of that name, or NULL. */
const sal_model    *sal_registry_model(const char *name);
const sal_method   *sal_registry_method(const char *name);
const sal_strategy *sal_registry_strategy(const char *name);

#endif
