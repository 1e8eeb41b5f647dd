/** Statuses, their messages and their names. */
#include "api.h"
#include "registry.h"

sal_err sal_api_given(const char *what, const void *pointer)
{
  return pointer ? SAL_OK : sal_fail(SAL_ERR_USAGE, "%s is NULL", what);
}

saltus_status sal_api_status(sal_err err) { return (saltus_status)sal_err_exit(err); }

const char *saltus_message(void) { return sal_err_message(); }

const char *saltus_version(void) { return SAL_API_VERSION; }

const char *saltus_name(saltus_list list, int i)
{
  if (list == SALTUS_MODELS && i >= 0 && i < SAL_N_MODEL) return sal_registry_models[i]->name;
  if (list == SALTUS_SOLVERS && i >= 0 && i < SAL_N_METHOD) return sal_registry_methods[i]->name;
  if (list == SALTUS_STRATEGIES && i >= 0 && i < SAL_N_STRATEGY)
    return sal_registry_strategies[i]->name;
  return NULL;
}
