/** The list of names; every new name of the layout goes into a group of its own, so that it does not grow.
 */
#include "base.h"
#include "metric.h"
#include "model_check.h"

/* Dimension scales and titles of the root, groups, scales of groups. */
#define SAL_CUBE_NAME(name) #name,
#define SAL_CUBE_NAME_OF_ROOT(name) #name,
static const char *const of_parameters[] = {
#include "cube_names.def"
    NULL};
#undef SAL_CUBE_NAME_OF_ROOT
#define SAL_CUBE_NAME_OF_ROOT(name)
static const char *const of_states[] = {
#include "cube_names.def"
    "event", NULL};

/* Datasets that are named after something: states, questions. */
static const char *const before_parameters[] = {"initial_", "reference_", "by_", "answer_",
                                                "config_",  "pair_",      NULL};
static const char *const before_states[] = {"reference_", NULL};

/* A metric of a trajectory or of a cell. */
static bool is_metric(const char *name)
{
  for (int i = 0; i < SAL_METRICS_ALL; ++i)
    if (strcmp(sal_metric_at(i)->name, name) == 0) return true;
  return false;
}

static bool begins_as_listed(const char *const list[], const char *name)
{
  for (size_t i = 0; list[i]; ++i)
    if (strncmp(list[i], name, strlen(list[i])) == 0) return true;
  return false;
}

/* Dimensions of texts are called after their lengths: string7. */
static bool is_length_of_texts(const char *name)
{
  static const char string[] = "string";
  const size_t n = sizeof string - 1;

  return strncmp(name, string, n) == 0 && name[n] &&
         strspn(name + n, "0123456789") == strlen(name + n);
}

bool sal_cube_names_parameter(const char *name)
{
  return sal_text_rank(name, of_parameters) >= 0 || is_metric(name) ||
         begins_as_listed(before_parameters, name) || is_length_of_texts(name);
}

bool sal_cube_names_state(const char *name)
{
  return sal_text_rank(name, of_states) >= 0 || begins_as_listed(before_states, name) ||
         is_length_of_texts(name);
}
